"""`dateline index` makes an index that `ask` finds."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dateline.search import shared_folder_search
from dateline.search.index.folder_index import FolderIndex, FolderIndexSearch
from dateline.text.embeddings import default_embeddings
from dateline_cli.main import main


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("---\ndate: 2019\n---\nAda Berg is mayor.", encoding="utf-8")
    return folder


def search(path: Path) -> FolderIndexSearch:
    found = shared_folder_search(path, embeddings=default_embeddings())
    assert isinstance(found, FolderIndexSearch)
    return found


def test_an_index_that_was_made_is_found_and_kept_up_to_date(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", str(notes)]) == 0
    assert "1 passage" in capsys.readouterr().out
    as_of = datetime(2024, 1, 1, tzinfo=UTC)
    assert [each.text for each in search(notes).search("mayor", as_of=as_of).evidence] == ["Ada Berg is mayor."]
    (notes / "b.md").write_text("---\ndate: 2023\n---\nBo Winter is mayor.", encoding="utf-8")
    assert main(["index", str(notes), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["update"]["read"] == 1
    assert len(search(notes).search("mayor", as_of=as_of).evidence) == 2


def test_an_index_in_a_file_of_its_own_is_asked_by_its_name(notes: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.index"
    assert main(["index", str(notes), "--output", str(file), "--docs-name", "library"]) == 0
    [found] = search(file).search("mayor", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence
    assert found.channel == "library"


def test_a_removed_index_is_gone_and_the_documents_stay(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["index", str(notes)])
    assert main(["index", str(notes), "--remove"]) == 0
    assert "Deleted" in capsys.readouterr().out
    assert main(["index", str(notes), "--remove"]) == 0
    assert "no index" in capsys.readouterr().out
    assert main(["index", str(notes), "--remove", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["removed"] is False
    assert (notes / "a.md").exists()


def test_the_indexes_that_earlier_versions_and_other_settings_made_are_removed_too(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "b.md").write_text("The ferry runs daily.", encoding="utf-8")
    with monkeypatch.context() as earlier:
        earlier.setattr("dateline.search.index.folder_index.code_version", lambda *patterns: b"earlier")
        for more in ([], ["--docs-name", "library"]):
            assert main(["index", str(notes), *more]) == 0
    assert main(["index", str(other)]) == 0
    capsys.readouterr()
    assert main(["index", str(notes), "--remove"]) == 0
    assert capsys.readouterr().out.count("Deleted") == 2
    left = list((tmp_path / "cache").rglob("*.sqlite"))
    assert not any(b"Ada Berg" in each.read_bytes() for each in left)
    assert FolderIndex.place(other, embeddings=default_embeddings()) in left


def test_what_is_no_index_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.index").write_text("notes", encoding="utf-8")
    with pytest.raises(Exception, match="is no index"):
        shared_folder_search(tmp_path / "x.index", embeddings=default_embeddings())


def test_a_file_that_is_no_index_is_kept_whatever_the_command_is_told(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    assert main(["facts", "remember", str(store), "Ada Berg", "residence", "Lund"]) == 0
    ledger = store / "facts.db"
    for more in ([], ["--remove"]):
        assert main(["index", str(notes), "--output", str(ledger), *more]) == 2
        assert "facts.db' is no index; name another file." in capsys.readouterr().err
    assert main(["facts", "value", str(store), "Ada Berg", "residence"]) == 0
    assert "Lund" in capsys.readouterr().out


@pytest.mark.parametrize("place", [[], ["--output", "notes.index"]])
def test_what_an_indexed_folder_holds_that_cannot_be_read_is_said_as_of_any_other(
    notes: Path, place: list[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(notes.parent)
    (notes / "b.json").write_text("{", encoding="utf-8")
    ask = ["ask", "Who is mayor?", "--as-of", "2020", "--docs"]
    assert main([*ask, str(notes)]) == 0
    told = [record.getMessage() for record in caplog.records]
    assert told == ["Not read: b.json is not JSON."]
    caplog.clear()
    assert main(["index", str(notes), *place]) == 0
    (notes / "c.md").write_text("---\ndate: 2019\n---\nBo Lind chairs Borth Council.", encoding="utf-8")
    assert main([*ask, place[-1] if place else str(notes)]) == 0
    assert [record.getMessage() for record in caplog.records] == told
