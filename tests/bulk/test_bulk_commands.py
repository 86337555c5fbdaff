"""Commands whose work is done elsewhere do what they do here."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from dateline.bulk import OneProcess, RayActors
from dateline.search.index import FolderIndex
from dateline.testing import tiny_causal_model
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main

Run = Callable[..., str]
CORPUS = Path(__file__).parents[2] / "examples" / "corpus"


class SentThereAndBack(OneProcess):
    """Bulk work as another process does it: everything comes through a pickle."""

    def map(self, items: Sequence[Any], *, work: Any, chunk: int) -> Iterator[Any]:
        import pickle

        sent = pickle.loads(pickle.dumps(work))  # noqa: S301 - our own
        copies = pickle.loads(pickle.dumps(list(items)))  # noqa: S301 - our own
        yield from pickle.loads(pickle.dumps(list(super().map(copies, work=sent, chunk=chunk))))  # noqa: S301


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(RayActors, "map", SentThereAndBack().map)

    def call(*arguments: str) -> str:
        assert main(arguments) == 0
        return capsys.readouterr().out

    return call


def test_facts_read_elsewhere_are_the_facts_read_here(run: Run, changed_fact: Path, tmp_path: Path) -> None:
    for store, more in (("here", ()), ("there", ("--ray",))):
        run("facts", "add", str(tmp_path / store), str(changed_fact), *more)
    here, there = (json.loads(run("facts", "at", str(tmp_path / store), "--json")) for store in ("here", "there"))
    assert here
    assert [each["fact"] for each in here] == [each["fact"] for each in there]


def test_labels_made_elsewhere_are_the_labels_made_here(run: Run, changed_fact: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer"
    shutil.copytree(changed_fact, newer)
    (newer / "second.md").write_text((newer / "second.md").read_text().replace("succeeding", "following"))
    here = json.loads(run("label", str(changed_fact), str(newer), "--json"))
    assert json.loads(run("label", str(changed_fact), str(newer), "--json", "--ray")) == here
    out = tmp_path / "labels.jsonl"
    told = run("label", str(changed_fact), str(newer), "--out", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert f"{len(here)} documents" in told
    assert {row["document"]: row["sentences"] for row in rows} == {
        name: each["sentences"] for name, each in here.items()
    }
    assert "2 done before" in run("label", str(changed_fact), str(newer), "--out", str(out))


def test_labels_that_a_local_model_checked_elsewhere_are_the_labels_it_checked_here(
    run: Run, changed_fact: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    for part in tiny_causal_model():
        part.save_pretrained(tmp_path / "model")
    newer = tmp_path / "newer"
    shutil.copytree(changed_fact, newer)
    given = ("label", str(changed_fact), str(newer), "--json", "--model", str(tmp_path / "model"))
    assert json.loads(run(*given, "--ray")) == json.loads(run(*given))


def test_an_index_whose_passages_were_prepared_elsewhere_is_the_index_made_here(tmp_path: Path) -> None:
    from datetime import UTC, datetime

    found = []
    for name, mapper in (("here", None), ("there", SentThereAndBack())):
        index = FolderIndex(CORPUS, embeddings=LexicalEmbeddings(), output=tmp_path / name)
        index.update(mapper=mapper)
        hits = index.search().search("Who was elected pope before 2010?", as_of=datetime(2024, 1, 1, tzinfo=UTC))
        found.append([each.id for each in hits.evidence])
    assert found[0] == found[1]


def test_answers_that_teach_a_store_are_not_shared_among_processes(
    changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, store = tmp_path / "questions.txt", tmp_path / "store"
    questions.write_text("Who is the director of the Northern Observatory?\n")
    given = ["ask", "--batch", str(questions), "--docs", str(changed_fact), "--facts", str(store), "--ray"]
    assert main(given) == 2
    assert "leave --facts out, or --ray" in capsys.readouterr().err
    assert not store.exists()
