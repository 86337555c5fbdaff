"""Embeddings without torch or network: deterministic, normalised, close for what is alike."""

from pathlib import Path

import numpy as np
import pytest
from langchain_core.vectorstores import InMemoryVectorStore

from dateline.errors import BadInput
from dateline.text import default_embeddings
from dateline.text.cache_folder import cache_folder, read_verified, write_verified
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.embeddings import embed
from dateline.text.encoder import MiniLMEmbeddings, available
from dateline.text.lexical import LexicalEmbeddings

TEXTS = ["The ferry crosses the lake.", "Ferries crossed lakes.", "Bread is baked at dawn.", ""]
needs_model = pytest.mark.skipif(not available(), reason='needs the extra "embeddings"')


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "dateline"


def test_lexical_vectors_are_close_when_words_are_shared() -> None:
    ferry, ferries, bread, nothing = embed(TEXTS, embeddings=LexicalEmbeddings())
    assert ferry @ ferries > 0.4 > ferry @ bread
    assert np.linalg.norm(ferry) == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(nothing) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("question", ["???", "-", "", "🙂", " \n"])
def test_a_question_without_words_is_asked_of_a_store_like_any_other(question: str) -> None:
    store = InMemoryVectorStore.from_texts(TEXTS[:3], LexicalEmbeddings())
    assert len(store.similarity_search(question, k=2)) == 2
    assert LexicalEmbeddings().embed_query(question) == LexicalEmbeddings().embed_query("")


def test_lexical_vectors_are_the_same_every_time() -> None:
    assert LexicalEmbeddings().embed_documents(TEXTS) == LexicalEmbeddings().embed_documents(TEXTS)


def test_too_few_dimensions_are_refused() -> None:
    with pytest.raises(BadInput, match="at least 64"):
        LexicalEmbeddings(dimensions=8)


def test_the_default_says_which_it_is() -> None:
    assert default_embeddings().name == ("all-MiniLM-L6-v2" if available() else "lexical-1024")


@needs_model
def test_the_order_and_company_of_texts_do_not_change_their_vectors() -> None:
    embeddings = MiniLMEmbeddings()
    together = embeddings.embed_array([*TEXTS, "word " * 300])
    alone = np.stack([embeddings.embed_array([text])[0] for text in [*TEXTS, "word " * 300]])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert embeddings.embed_array([]).shape == (0, 384)


@needs_model
def test_a_question_is_embedded_once_whoever_embeds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []
    run = MiniLMEmbeddings._run
    monkeypatch.setattr(
        MiniLMEmbeddings, "_run", lambda self, rows, longest: [ran.append(len(rows)), run(self, rows, longest)][1]
    )
    question = "Who keeps the light at Saltmere, of all places?"
    store = np.array(MiniLMEmbeddings().embed_query(question), dtype=np.float32)
    ranker = embed([question, question], embeddings=MiniLMEmbeddings())
    assert ran == [1]
    np.testing.assert_allclose(ranker, [store, store], atol=1e-6)
    ranker[:] = 0
    assert MiniLMEmbeddings().embed_array([question])[0] == pytest.approx(store)


def test_equal_texts_are_embedded_once() -> None:
    asked: list[str] = []

    class Counted(LexicalEmbeddings):
        def embed_array(self, texts):  # type: ignore[no-untyped-def]
            asked.extend(texts)
            return super().embed_array(texts)

    found = embed(["one", "two", "one"], embeddings=Counted())
    assert asked == ["one", "two"]
    np.testing.assert_array_equal(found, embed(["one", "two"], embeddings=LexicalEmbeddings())[[0, 1, 0]])


@needs_model
def test_the_vectors_are_those_of_sentence_transformers() -> None:
    sentence_transformers = pytest.importorskip("sentence_transformers")
    from dateline.text.encoder import _model_folder

    reference = sentence_transformers.SentenceTransformer(str(_model_folder()), device="cpu")
    texts = [*TEXTS, "Ünïcode and 中文", "long " * 400]
    np.testing.assert_allclose(MiniLMEmbeddings().embed_array(texts), reference.encode(texts), atol=1e-4)


def test_a_damaged_cache_file_is_not_believed(cache: Path) -> None:
    write_verified("thing", b"content")
    assert (cache_folder(), read_verified("thing")) == (cache, b"content")
    (cache / "thing").write_bytes(b"contenT" + (cache / "thing").read_bytes()[7:])
    assert read_verified("thing") is None


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    write_verified("thing", b"content")
    assert read_verified("thing") is None


class Counting(LexicalEmbeddings):
    """Counts the texts that it had to embed."""

    embedded = 0

    def embed_array(self, texts):  # type: ignore[no-untyped-def]
        self.embedded += len(texts)
        return super().embed_array(texts)


def test_cached_vectors_are_computed_once(tmp_path: Path) -> None:
    inner = Counting()
    first = CachedEmbeddings(inner, name="counting", folder=tmp_path).embed_array([*TEXTS, TEXTS[0]])
    again = CachedEmbeddings(inner, name="counting", folder=tmp_path).embed_array([*TEXTS, TEXTS[0]])
    np.testing.assert_array_equal(first, again)
    assert inner.embedded == len(TEXTS)


def test_models_do_not_share_cached_vectors(tmp_path: Path) -> None:
    small, large = LexicalEmbeddings(dimensions=64), LexicalEmbeddings(dimensions=128)
    CachedEmbeddings(small, name="small", folder=tmp_path).embed_array(TEXTS)
    assert CachedEmbeddings(large, name="large", folder=tmp_path).embed_array(TEXTS).shape == (4, 128)
