"""Passages prepared once: the bytes hold all that ranking needs."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from langchain_core.embeddings import Embeddings
from spell_contrast import cases

from dateline import Evidence, Interval
from dateline.ranking import HybridRanker, Passages
from dateline.ranking.prepared import PreparedPassage, encoder_name, passage_keys, prepare
from dateline.temporal.decomposition import decompose
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings

NOTES = [
    Evidence.make("Ann Lee led the museum from 2001 to 2009. She had been its deputy director.", title="Museum"),
    Evidence.make(
        "Bo Ek has led it since 2010. It holds 300 boats.", title="Museum", published=Interval.parse("2012-03")
    ),
    Evidence.make("The ferry runs daily.\n\nIt was bought before 1950."),
    Evidence.make("", title="Nothing"),
]
LEXICAL = LexicalEmbeddings()


class Nameless(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return LEXICAL.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return LEXICAL.embed_query(text)


def test_a_sentence_without_a_telling_word_is_read_in_the_language_of_its_passage() -> None:
    notes = [Evidence.make(f"{text} Sitzung: 05/04/2022.") for text in ("Der Vorstand tagte am Montag.", "It met.")]
    german, english = prepare(notes, embeddings=LEXICAL)
    assert [str(each.times.interval(len(each.times) - 1)) for each in (german, english)] == ["2022-04-05", "2022-05-04"]


def kept(evidence: Sequence[Evidence]) -> list[bytes]:
    return [each.to_bytes() for each in prepare(evidence, embeddings=LEXICAL)]


def test_ranking_out_of_bytes_is_ranking_anew() -> None:
    ranker = HybridRanker(embeddings=LEXICAL)
    for case in cases()[::40]:
        read = [PreparedPassage.from_bytes(each) for each in kept(case.evidence)]
        passages = Passages.of(case.evidence, [each for each in read if each is not None])
        expected = ranker.rank(case.question, evidence=case.evidence, k=20)
        assert ranker.rank_passages(case.question, passages=passages, k=20) == expected


def test_any_damage_is_seen() -> None:
    ([data], [key]) = kept(NOTES[:1]), passage_keys(NOTES[:1], embeddings=LEXICAL)
    for place in range(0, len(data), 97):
        read = PreparedPassage.from_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert read is None or read.key != key, place
    for end in (0, 3, 20, 70, len(data) - 1):
        assert PreparedPassage.from_bytes(data[:end]) is None


@pytest.mark.parametrize(
    "other",
    [
        Evidence.make(NOTES[1].text + " ", title="Museum", published=NOTES[1].published),
        Evidence.make(NOTES[1].text, title="Museums", published=NOTES[1].published),
        Evidence.make(NOTES[1].text, title="Museum", published=Interval.parse("2012-04")),
        Evidence.make(NOTES[1].text, title="Museum"),
    ],
)
def test_another_text_title_or_publication_is_another_passage(other: Evidence) -> None:
    own, others = passage_keys([NOTES[1], other], embeddings=LEXICAL)
    assert own != others


def test_another_encoder_makes_other_vectors() -> None:
    small = LexicalEmbeddings(dimensions=64)
    assert prepare(NOTES, embeddings=small)[0].vectors.shape == (2, 64)
    keys = (passage_keys(NOTES, embeddings=each) for each in (small, LEXICAL))
    assert set.isdisjoint(*map(set, keys))


def test_a_passage_keeps_only_its_own_vectors_alive() -> None:
    assert all(each.vectors.base is None for each in prepare(NOTES, embeddings=LEXICAL))


def test_only_named_encoders_are_known_in_another_process() -> None:
    assert encoder_name(Nameless()) is None
    assert encoder_name(RememberedEmbeddings(Nameless())) is None
    assert encoder_name(CachedEmbeddings(Nameless(), name="mine")) == "mine"
    assert encoder_name(RememberedEmbeddings(LEXICAL)) == encoder_name(LEXICAL) == "lexical-1024"


def test_without_passages_there_is_nothing() -> None:
    assert prepare([], embeddings=LEXICAL) == []
    assert len(Passages.of([], [])) == 0
    assert HybridRanker(embeddings=LEXICAL).rank(decompose("Who?", as_of=datetime.now(UTC)), evidence=[], k=1) == []
