"""`asof facts` as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from asof_cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["facts", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def store(run: Run, changed_fact: Path, tmp_path: Path) -> str:
    folder = str(tmp_path / "store")
    assert run("add", folder, str(changed_fact))[0] == 0
    return folder


def read(out: str) -> Any:
    return json.loads(out)


def test_facts_are_found_as_they_stood_at_a_date(run: Run, store: str) -> None:
    query = ("search", store, "director of the Northern Observatory", "--json")
    before = [found["fact"]["text"] for found in read(run(*query, "--as-of", "2018")[1])]
    after = [found["fact"]["text"] for found in read(run(*query, "--as-of", "2022")[1])]
    assert any("Anna Berg took office" in text for text in before)
    assert not any("Carl Dahl" in text for text in before)
    assert any("Carl Dahl" in text for text in after)


def test_adding_the_same_documents_again_changes_nothing(run: Run, store: str, changed_fact: Path) -> None:
    assert run("add", store, str(changed_fact))[1] == "None.\n"


def test_a_dry_run_shows_the_changes_and_writes_nothing(run: Run, changed_fact: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "store")
    _, out, _ = run("add", folder, str(changed_fact), "--dry-run", "--json")
    assert {change["kind"] for change in read(out)} >= {"added"}
    assert read(run("changes", folder, "--json")[1]) == []


def test_undo_takes_a_document_back(run: Run, store: str) -> None:
    changes = read(run("changes", store, "--json")[1])
    document = next(change["document"] for change in changes if "Carl Dahl" in change["fact"]["text"])
    assert run("undo", store, document)[0] == 0
    found = read(run("search", store, "director of the Northern Observatory", "--as-of", "2022", "--json")[1])
    assert not any("Carl Dahl" in each["fact"]["text"] for each in found)
    assert run("undo", store, document)[1] == "None.\n"


def test_history_names_documents_and_both_clocks(run: Run, store: str) -> None:
    fact = read(run("search", store, "Anna Berg took office", "--all", "--json")[1])[0]["fact"]["id"]
    _, out, _ = run("history", store, fact)
    assert "2015-03-02" in out
    assert "true" in out


def test_an_export_read_into_an_empty_store_gives_the_same_facts(run: Run, store: str, tmp_path: Path) -> None:
    file, copy = str(tmp_path / "facts.jsonl"), str(tmp_path / "copy")
    assert run("export", store, file)[0] == 0
    assert run("import", copy, file)[0] == 0
    assert read(run("import", copy, file, "--json")[1]) == {"operations_new": 0}
    at = ("--as-of", "2022", "--json")
    assert read(run("at", copy, *at)[1]) == read(run("at", store, *at)[1])
    assert run("reindex", copy)[0] == 0
    assert run("verify", copy)[:2] == (0, run("verify", store)[1])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["search", "no/such/store", "x"], "no/such/store"),
        (["add", "STORE", "no/such/docs"], "no/such/docs"),
        (["search", "STORE", "x", "--as-of", "2023-02-30"], "2023-02-30"),
        (["search", "STORE", "x", "-k", "0"], "0"),
        (["history", "STORE", "nosuchid"], "nosuchid"),
        (["undo", "STORE", "nosuchdocument"], "nosuchdocument"),
        (["import", "STORE", "no/such/file"], "no/such/file"),
        (["export", "STORE", "no/such/folder/file"], "no/such/folder"),
        (["reindex", "no/such/store"], "no/such/store"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(run: Run, store: str, arguments: list[str], expected: str) -> None:
    code, out, err = run(*[store if argument == "STORE" else argument for argument in arguments])
    assert (code, out) == (2, "")
    assert expected in err
    assert err.count("\n") == 1
