"""A real pretrained language model on every path: form and safety, not quality."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from speaking import NOTES, QUESTION, SPEAKERS, heard

from dateline.dynamic import Bm25Search, DynamicGenerator, method
from dateline.dynamic.prompt import ChatLayout
from dateline.pretrained import Pretrained, load_pretrained, shared_pretrained
from dateline_cli.main import main
from langchain_dateline import TransformersChatModel

pytestmark = pytest.mark.timeout(600)  # the first test waits until the file is read

ASKED = "Who is the Prime Minister of the United Kingdom?"


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Pretrained:
    return load_pretrained(folder)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two dated notes."""
    for note in NOTES:
        (tmp_path / f"{note.published}.md").write_text(
            f"---\ntitle: {note.title}\ndate: {note.published}\n---\n{note.text}\n", encoding="utf-8"
        )
    return tmp_path


@pytest.mark.parametrize("name", SPEAKERS)
def test_every_path_is_bounded_and_believes_nothing_that_is_not_there(name: str, smollm: TransformersChatModel) -> None:
    model, calls = heard(smollm)
    SPEAKERS[name].asks(model)
    assert 1 <= calls.count <= SPEAKERS[name].most


def test_it_speaks(smollm: TransformersChatModel) -> None:
    reply = smollm.invoke("What is the capital of France?", logprobs=True, top_logprobs=3)
    assert "Paris" in reply.text
    assert "<|im" not in reply.text
    told = reply.response_metadata["logprobs"]["content"]
    assert b"".join(bytes(each["bytes"]) for each in told).decode() == reply.text
    assert all(each["top_logprobs"][0]["logprob"] == pytest.approx(each["logprob"], abs=1e-3) for each in told)


def test_a_gguf_file_and_the_folder_made_of_it_reply_alike(gguf: Path, smollm: TransformersChatModel) -> None:
    own = TransformersChatModel(model=shared_pretrained(str(gguf.resolve())), max_tokens=8)
    assert own.invoke(QUESTION.text).text == smollm.invoke(QUESTION.text, max_tokens=8).text


def test_generate_takes_the_gguf_file(
    gguf: Path, folder: Path, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--model", str(gguf), "--docs", str(corpus), "--theta", "0.5", "--max-new-tokens", "12", "--json"]
    assert main(["generate", QUESTION.text, *given]) == 0
    made = json.loads(capsys.readouterr().out)
    assert len(made["tokens"]) <= 12


def test_ask_with_the_folder_answers_on_the_example_corpus(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = Path(__file__).parents[2] / "examples" / "corpus"
    given = ["--docs", str(docs), "--as-of", "2019-01-15", "--model", str(folder), "-k", "1", "--json"]
    assert main(["ask", ASKED, *given, "--max-rounds", "0", "--token-budget", "700"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["cost"]["input_tokens"] > 0
    assert report["decision"]["outcome"] in ("adopt", "keep", "abstain")


def test_facts_add_with_the_folder_ends_no_fact(
    folder: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "facts")
    assert main(["facts", "remember", store, "Halvik library", "opening day", "Sunday"]) == 0
    assert main(["facts", "add", store, str(corpus), "--model", str(folder)]) == 0
    capsys.readouterr()
    assert main(["facts", "at", store, "--json"]) == 0
    assert "Sunday" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["dragin", "flare", "sr-rag"])
def test_it_retrieves_while_it_writes(name: str, loaded: Pretrained) -> None:
    chosen = method(name, threshold=None if name == "sr-rag" else 0.3)  # type: ignore[arg-type]
    generator = DynamicGenerator(
        loaded.model,
        tokenizer=loaded.tokenizer,
        retriever=Bm25Search(NOTES),
        trigger=chosen.trigger,
        query=chosen.query,
        layout=ChatLayout(loaded.tokenizer),
        max_new_tokens=16,
        max_retrievals=2,
    )
    made = generator.generate(QUESTION.text)
    assert len(made.tokens) <= 16
    assert len(made.retrievals) <= 2
    assert {each.text for each in made.documents} <= {note.text for note in NOTES}
    assert "".join(token.text for token in made.tokens).strip() == made.text
