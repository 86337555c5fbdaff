"""Every command that takes documents reads all formats, and names what it does not read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_files import eml, pdf

from dateline_cli.main import main


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "berth.eml").write_bytes(eml("Carl Dahl is the director of the harbour."))
    (folder / "2015-03-02-harbour.pdf").write_bytes(pdf("Anna Berg is the director of the harbour."))
    (folder / "plan.key").write_bytes(b"x")
    return folder


def test_ask_index_facts_doctor_and_audit_read_a_pdf_and_a_mail(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    question, docs = "Who is the director of the harbour?", ["--docs", str(library)]
    assert main(["ask", question, *docs, "--as-of", "2018", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "Anna Berg"
    assert "1 file in .key" in caplog.text
    assert main(["index", str(library), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["update"]["read"] == 2
    assert main(["facts", "add", str(tmp_path / "facts"), str(library), "--json"]) == 0
    assert main(["facts", "at", str(tmp_path / "facts"), "--as-of", "2018"]) == 0
    assert "Anna Berg" in capsys.readouterr().out
    assert main(["doctor", str(library)]) in (0, 1)
    assert "1 file in .key" in "".join(capsys.readouterr())
    assert main(["audit", question, *docs, "--as-of", "2024"]) in (0, 1)
    assert "harbour" in capsys.readouterr().out
