"""That no document answers is said only where none states the guess."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dateline import Evidence, Question, Reading
from dateline.certainty.stated import is_stated, standing_on
from dateline.temporal import decompose

CHOIR = Evidence.make("Ana Bell was elected leader with 22 votes.", title="Choir", published="2020-09-20")
ROOM = Evidence.make("The room has 64 chairs. Members may keep a key of the room.", published="2021")
DULL = Evidence.make("The river was high in spring.", published="2022")
READ = [CHOIR, ROOM, DULL]


def asked(text: str) -> Question:
    return decompose(text, as_of=datetime(2024, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("question", "answer", "stated"),
    [
        ("Who is the leader of the choir?", "Ana Bell", True),
        ("Who is the leader of the society?", "Ana Bell", True),
        ("Who is the leader of the choir?", "The leader is Ana Bell, elected on 20 September 2020.", True),
        ("How many chairs does the room have?", "64", True),
        ("May members keep a key of the room?", "yes", True),
        ("Who is the leader of the choir?", "Bo Lind", False),
        ("Who is the mayor of Aberdeen?", "Ana Bell", False),
        ("Who is the leader of the choir of Aberdeen?", "Ana Bell", False),
        ("Who runs the bakery?", "Ana Bell", False),
        ("Who is the leader of the choir?", " ", False),
    ],
)
def test_a_guess_is_stated_where_a_piece_holds_it_and_speaks_of_what_is_asked(
    question: str, answer: str, stated: bool
) -> None:
    assert is_stated(answer, question=asked(question), evidence=READ) is stated


@pytest.mark.parametrize(
    ("answer", "on"),
    [("It is Ana Bell.", [CHOIR]), ("64", [ROOM]), ("Bo Lind", READ), ("", [])],
)
def test_the_answer_of_a_chain_stands_on_the_pieces_that_hold_it_else_on_all(answer: str, on: list[Evidence]) -> None:
    given = Reading(answer=answer, evidence_ids=tuple(piece.id for piece in READ) if answer else ())
    reading = standing_on(given, question=asked("Who leads it?"), evidence=READ)
    assert reading.answer == answer
    assert reading.evidence_ids == tuple(piece.id for piece in on)


@pytest.mark.skipif(shutil.which("localedef") is None, reason="needs localedef, to make a locale")
def test_a_month_is_english_in_every_locale(tmp_path: Path) -> None:
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], capture_output=True)
    if made.returncode > 1:
        pytest.skip(made.stderr.decode())
    code = (
        "import locale; locale.setlocale(locale.LC_TIME, 'de_DE.UTF-8')\n"
        "from dateline import Evidence\n"
        "from dateline.certainty.stated import holding\n"
        "from dateline.temporal import decompose, now\n"
        "piece = Evidence.make('Ana Bell was elected.', published='2020-10-20')\n"
        "asked = decompose('When was Ana Bell elected?', as_of=now())\n"
        "print(holding('20 October 2020', question=asked, evidence=[piece]) == [piece])"
    )
    environment = {**os.environ, "LOCPATH": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "True"
