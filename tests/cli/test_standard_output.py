"""What a command prints reaches its reader whole, or the command says that it did not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dateline_cli.main import main

WHO = "Zoë Łuç 😀 日本"
PRINTED = [("facts", "at", "store", "--json"), ("facts", "at", "store")]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    """A folder with a fact store of one fact."""
    monkeypatch.chdir(tmp_path)
    assert main(["facts", "remember", "store", WHO, "residence", "Lund"]) == 0
    capfd.readouterr()
    return tmp_path


def ran(*arguments: str, out: int | None = None, encoding: str = "utf-8") -> subprocess.CompletedProcess[bytes]:
    # An empty PYTHONUNBUFFERED: output waits in a buffer, as it does for most people.
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUNBUFFERED": ""}
    command = [sys.executable, "-m", "dateline_cli", *arguments]
    return subprocess.run(command, stdout=out or subprocess.PIPE, stderr=subprocess.PIPE, env=environment, check=False)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "utf-8"])
def test_json_says_the_same_in_every_encoding(room: Path, encoding: str) -> None:
    printed = ran("facts", "at", "store", "--json", encoding=encoding).stdout
    (found,) = json.loads(printed.decode("utf-8"))
    assert WHO in found["fact"]["text"]
    assert printed.isascii() == (encoding != "utf-8")


@pytest.mark.parametrize("arguments", PRINTED)
def test_a_reader_who_has_gone_ends_a_command_without_a_word(room: Path, arguments: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = ran(*arguments, out=write)
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", PRINTED)
def test_a_full_disk_is_told_in_one_line(room: Path, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = ran(*arguments, out=full.fileno())
    assert (done.returncode, done.stderr) == (2, b"dateline: No space left on device.\n")


def test_a_table_of_figures_is_plain_without_colours_and_ends_without_a_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = {"id": "1", "kind": "trap", "anchor": "2020", "text": "The mill is red."}
    (tmp_path / "hand_written.jsonl").write_text(json.dumps(trap), encoding="utf-8")
    for name, value in {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    done = ran("evaluate", "time", str(tmp_path))
    assert b"traps_clean" in done.stdout
    assert b"\x1b" not in done.stdout
    read, write = os.pipe()
    os.close(read)
    try:
        done = ran("evaluate", "time", str(tmp_path), out=write)
    finally:
        os.close(write)
    assert done.returncode == 141
