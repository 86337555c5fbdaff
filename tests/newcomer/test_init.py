"""`dateline init` makes an app that works at once, offline, and overwrites nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dateline_cli.init import quoted
from dateline_cli.main import main
from dateline_graphs.server import read_config

ROOT = Path(__file__).parent.parent.parent


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(ROOT / "plugins"), str(ROOT / "graphs")])
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, env=environment)


def test_the_app_answers_and_its_test_passes_at_once(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "app")]) == 0
    asked = python(tmp_path / "app", "app.py", "Who is the director of the Northern Observatory?", "2016")
    assert asked.stdout.splitlines()[0] == "Anna Berg", asked.stderr
    tested = python(tmp_path / "app", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_app.py")
    assert tested.returncode == 0, tested.stdout
    assert len((tmp_path / "app" / "app.py").read_text().splitlines()) <= 26


def test_the_app_tells_a_bad_day_and_a_missing_folder_in_one_sentence(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "app")]) == 0
    (tmp_path / "app" / "moved").mkdir()
    for day, told in (("soonish", "Cannot read 'soonish' as a date"), ("2016", "There is no folder or file")):
        asked = python(tmp_path / "app", "app.py", "Who is the director of the Northern Observatory?", day)
        assert asked.returncode == 1
        assert told in asked.stderr
        assert len(asked.stderr.splitlines()) == 1
        if day == "soonish":
            (tmp_path / "app" / "notes").rename(tmp_path / "app" / "moved" / "notes")


def test_ones_own_documents_are_asked_and_left_as_they_are(tmp_path: Path, changed_fact: Path) -> None:
    before = {path: path.read_text() for path in changed_fact.iterdir()}
    assert main(["init", str(tmp_path / "app"), "--docs", str(changed_fact)]) == 0
    asked = python(tmp_path / "app", "app.py", "Who is the director of the Northern Observatory?", "2022")
    assert asked.stdout.splitlines()[0] == "Carl Dahl", asked.stderr
    tested = python(tmp_path / "app", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_app.py")
    assert tested.returncode == 0, tested.stdout
    assert {path: path.read_text() for path in changed_fact.iterdir()} == before
    assert not (tmp_path / "app" / "notes").exists()


def test_an_app_that_moves_takes_the_documents_in_its_folder_along(tmp_path: Path, changed_fact: Path) -> None:
    shutil.copytree(changed_fact, tmp_path / "app" / "own notes")
    assert main(["init", str(tmp_path / "app"), "--docs", str(tmp_path / "app" / "own notes")]) == 0
    (tmp_path / "app").rename(tmp_path / "elsewhere")
    asked = python(tmp_path / "elsewhere", "app.py", "Who is the director of the Northern Observatory?", "2022")
    assert asked.stdout.splitlines()[0] == "Carl Dahl", asked.stderr
    assert not [path for path in (tmp_path / "elsewhere").glob("*.*") if str(tmp_path) in path.read_text()]


def test_what_it_says_next_works_in_the_new_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], changed_fact: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for docs in ([], ["--docs", changed_fact.name]):
        assert main(["init", f"app{len(docs)}", *docs]) == 0
        steps = [line.split("   (")[0].strip() for line in capsys.readouterr().out.splitlines()[2:]]
        (ask,) = [shlex.split(step)[1:] for step in steps if step.startswith("dateline ask")]
        monkeypatch.chdir(tmp_path / f"app{len(docs)}")
        assert main([each.replace("QUESTION", "Who is the director?").replace("DAY", "2016") for each in ask]) == 0
        monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("word", "windows", "written"),
    [
        ("own notes", True, '"own notes"'),
        ("own notes", False, "'own notes'"),
        ("notes", True, "notes"),
        ("it's", True, "it's"),
    ],
)
def test_the_path_in_a_command_is_quoted_as_the_shell_takes_it(word: str, windows: bool, written: str) -> None:
    assert quoted(word, windows=windows) == written


def test_nothing_of_the_example_is_left_beside_ones_own_documents(tmp_path: Path, changed_fact: Path) -> None:
    assert main(["init", str(tmp_path / "app"), "--docs", str(changed_fact)]) == 0
    assert not [path for path in (tmp_path / "app").iterdir() if "Observatory" in path.read_text()]
    told = python(tmp_path / "app", "app.py")
    assert (told.returncode, told.stderr.strip()[:12]) == (1, "Answers from")


def test_a_missing_pytest_and_server_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dateline_cli.init.find_spec", lambda name: None)
    assert main(["init", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "first: pip install pytest" in told
    assert 'first: pip install "dateline[studio]"' in told


def test_the_configuration_is_one_of_the_servers(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path)]) == 0
    config = read_config(tmp_path / "dateline.toml")
    assert config.libraries["notes"].path == tmp_path / "notes"


def test_documents_of_any_name_are_found_by_the_app_and_the_server(tmp_path: Path) -> None:
    docs = tmp_path / "app" / 'Ålesund "𝕬" 📓'
    docs.mkdir(parents=True)
    assert main(["init", str(tmp_path / "app"), "--docs", str(docs)]) == 0
    asked = python(tmp_path / "app", "-c", "import app; print(ascii(str(app.DOCS)))")
    assert asked.stdout.strip() == ascii(str(docs)), asked.stderr
    assert read_config(tmp_path / "app" / "dateline.toml").libraries["notes"].path == docs


def test_what_is_there_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.py").write_text("mine")
    assert main(["init", str(tmp_path)]) == 2
    assert "is there already; nothing was written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["app.py"]


def test_documents_that_are_not_there_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(tmp_path / "app"), "--docs", str(tmp_path / "nowhere")]) == 2
    assert "There is no folder or file" in capsys.readouterr().err
    assert not (tmp_path / "app").exists()


def test_the_app_prints_what_is_announced_and_why_a_guess_is_one(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    for day, said in (
        ("2022-05-02", "A room costs 40 euros a night."),
        ("2024-01-15", "From 1 June 2024 a room costs 48 euros a night."),
    ):
        (tmp_path / "notes" / f"{day}-rooms.md").write_text(said, encoding="utf-8")
    assert main(["init", str(tmp_path / "app"), "--docs", str(tmp_path / "notes")]) == 0
    asked = python(tmp_path / "app", "app.py", "What does a room cost a night?", "2024-02-01")
    assert asked.stdout.splitlines()[0] == "40 euros", asked.stderr
    assert "Announced from 2024-06-01: 48 euros." in asked.stdout
    guessed = python(tmp_path / "app", "app.py", "Who is the cook?", "2024-02-01").stdout
    assert "Why not trusted: " in guessed
