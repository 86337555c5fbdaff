"""Archives with a key: what holds on a day, and that every quote of the shipped keys stands in its document."""

from __future__ import annotations

import random
from datetime import date
from pathlib import Path
from typing import Any

import pytest

TRAINING = Path(__file__).parents[2] / "training"
KEYS = sorted((TRAINING / "chronicles").glob("*.key"))
KEY = """
doc 2020-03-01-notes.md :: 2020-03-01
doc plan.txt :: 2021-05-01
doc off.txt :: 2021-06-01
doc end.txt :: 2022-01-10
state warden
ask Who is the warden?
ask Who looks after the hut?
+ 2020-03-01-notes.md :: 2020-03-01 :: Ada Holm / Holm :: Ada Holm is the warden.
+ plan.txt :: 2021-07-01 :: Bo Lind :: Bo Lind will be warden from July.
- off.txt :: of plan.txt :: Bo Lind has declined.
+ end.txt :: 2022-01-01 :: nobody :: Since New Year there is no warden.
x plan.txt :: Cem Aral is deputy warden.
no 2021-05-02 :: Is Bo Lind the warden?
other
none 2022-02-01 :: Where does the warden live?
"""
TEXTS = {
    "2020-03-01-notes.md": "Ada Holm is the warden. Tea costs 2 euros.",
    "plan.txt": "1 May 2021\nBo Lind will be warden from July. Cem Aral is deputy warden.",
    "off.txt": "1 June 2021\nBo Lind has declined. Tea costs 3 euros.",
    "end.txt": "10 January 2022\nSince New Year there is no warden.",
}


@pytest.fixture
def chronicles(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(TRAINING)
    import chronicles

    return chronicles


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hut").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "hut" / name).write_text(text)
    (tmp_path / "hut.key").write_text(KEY)
    return tmp_path


def test_what_holds_on_a_day_is_what_was_told_by_then_and_had_begun(chronicles: Any, folder: Path) -> None:
    (archive,) = chronicles.read_archives(folder)
    (warden,) = archive.states
    held = {
        day: warden.at(date.fromisoformat(day))
        for day in ("2020-02-01", "2021-05-02", "2021-08-01", "2022-01-05", "2022-01-10")
    }
    assert [version and version.answers[0] for version in held.values()] == [
        None,
        "Ada Holm",
        "Ada Holm",
        "Ada Holm",
        "nobody",
    ]


def test_questions_name_what_is_announced_withdrawn_and_vacant(chronicles: Any, folder: Path) -> None:
    (archive,) = chronicles.read_archives(folder)
    asked = [one.note for one in archive.questions(random.Random(0))]
    assert {"current", "announced", "retraction", "vacant", "yesno", "unanswerable"} <= {
        note.category for note in asked
    }
    for note in asked:
        if note.category in ("current", "announced", "retraction"):
            assert note.choices == ("Ada Holm", "Holm")
            assert note.gold_docs == {"2020-03-01-notes.md"}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.stem)
def test_every_quote_of_a_key_stands_in_its_document_with_its_answer(chronicles: Any, key: Path) -> None:
    archive = chronicles.read_archive(key)
    texts = {path.name: path.read_text("utf-8") for path in archive.folder.iterdir()}
    assert texts.keys() == archive.days.keys()
    told = [(one.file, one.quote) for state in archive.states for one in state.versions]
    told += [pair for state in archive.states for one in state.versions for pair in one.repeats]
    told += [pair for state in archive.states for pair in state.alike]
    assert [pair for pair in told if chronicles.place_of(pair[1], texts[pair[0]]) is None] == []
    versions = [one for state in archive.states for one in state.versions if not one.vacant]
    squeezed = [" ".join(one.quote.split()).lower() for one in versions]
    answers = [" ".join(one.answers[0].split()).lower() for one in versions]
    assert [
        answer for answer, quote in zip(answers, squeezed, strict=True) if answer not in quote.replace("’", "'")
    ] == []
    assert len(versions) > 40


def test_a_later_statement_ends_the_version_before_it_and_leaves_what_only_sounds_alike(
    chronicles: Any, folder: Path
) -> None:
    pytest.importorskip("torch")
    from archive_changes import archive_changes

    found = {(one.new.text, one.old.text): (one.effect, one.onset) for one in archive_changes(folder, seed=0)}
    assert found["Since New Year there is no warden.", "Bo Lind will be warden from July."] == ("ends", "earlier")
    assert found["Bo Lind has declined.", "Bo Lind will be warden from July."] == ("ends", "then")
    assert found["Cem Aral is deputy warden.", "Ada Holm is the warden."][0] == "leaves"
    assert found["Bo Lind will be warden from July.", "Ada Holm is the warden."] == ("ends", "later")
