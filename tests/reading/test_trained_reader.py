"""The trained reader: it reads time, gives probabilities, takes choices, and is refused when damaged."""

from __future__ import annotations

import asyncio
import shutil
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from dateline.errors import BadInput, DamagedInstall
from dateline.reading import ExtractiveReader, TrainedReader, local_reader, trained_reader
from dateline.reading.model_files import FOLDER
from dateline.reading.span_scores import sentence_starts
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

AS_OF = datetime(2024, 1, 1, tzinfo=UTC)
CAREER = (
    "Lena Brandt began her career at Hallstadt Rovers , whom she joined in 1998 . In July 2003 she moved to Port Elwin "
    "United . After a knee injury she signed for Carrow Town in 2009 and retired in 2013 ."
)
CAREER_EVIDENCE = [Evidence.make(CAREER, title="Lena Brandt")]


@pytest.fixture(scope="module")
def reader() -> TrainedReader:
    return TrainedReader()


@pytest.mark.parametrize(
    ("when", "club"),
    [
        ("in 2001", "Hallstadt Rovers"),
        ("as of May 2006", "Port Elwin United"),
        ("on 12 March 2011", "Carrow Town"),
        ("from 2004 to 2008", "Port Elwin United"),
    ],
)
def test_of_three_spells_it_picks_the_one_asked_for(reader: TrainedReader, when: str, club: str) -> None:
    question = decompose(f"Which team did Lena Brandt play for {when}?", as_of=AS_OF)
    reading = reader.read(question, evidence=CAREER_EVIDENCE).reading
    assert reading.answer == club
    assert reading.evidence_ids == (CAREER_EVIDENCE[0].id,)


def test_dated_reports_answer_as_of_the_day(reader: TrainedReader) -> None:
    reports = [
        Evidence.make(
            "Mara Quill became mayor of Dunmere today, succeeding Ivo Stone.", published=Interval.of_day(2015, 5, 4)
        ),
        Evidence.make("Pia Roth was sworn in as mayor of Dunmere this morning.", published=Interval.of_day(2020, 2, 3)),
    ]
    for day, mayor in (
        (datetime(2017, 1, 1, tzinfo=UTC), "Mara Quill"),
        (datetime(2021, 1, 1, tzinfo=UTC), "Pia Roth"),
    ):
        known = [one for one in reports if one.published and one.published.start < day.timestamp()]  # type: ignore[operator]
        question = decompose("Who is the mayor of Dunmere?", as_of=day)
        assert reader.read(question, evidence=known).reading.answer == mayor


def test_probabilities_add_up_to_no_more_than_one(reader: TrainedReader) -> None:
    question = decompose("Which team did Lena Brandt play for in 2001?", as_of=AS_OF)
    reading = reader.read(question, evidence=CAREER_EVIDENCE).reading
    total = reading.no_answer + sum(one.probability for one in reading.candidates)
    assert 0.9 < total <= 1.0 + 1e-6
    assert [one.probability for one in reading.candidates] == sorted(
        (one.probability for one in reading.candidates), reverse=True
    )


def test_evidence_that_does_not_answer_makes_no_answer_likelier(reader: TrainedReader) -> None:
    times = ("in 2001", "as of May 2006", "on 12 March 2011", "from 2004 to 2008")
    others = [
        Evidence.make("The harbour was dredged in 2001 . Fog closed it for a week .", title="Port Elwin"),
        Evidence.make("Barley needs a cool spring . It is sown as soon as the ground is dry .", title="Barley"),
        Evidence.make("The committee met twice in 2006 and could not agree on a date .", title="Minutes"),
        Evidence.make("Her sister studied law and moved abroad when the war began .", title="A family"),
    ]
    questions = [decompose(f"Which team did Lena Brandt play for {when}?", as_of=AS_OF) for when in times]
    without = [reader.read(one, evidence=[other]).reading.no_answer for one in questions for other in others]
    holding = [reader.read(one, evidence=CAREER_EVIDENCE).reading.no_answer for one in questions]
    assert np.mean(without) > 1.5 * np.mean(holding)


def test_no_evidence_is_no_answer(reader: TrainedReader) -> None:
    reading = reader.read(decompose("Who leads?", as_of=AS_OF), evidence=[]).reading
    assert (reading.answer, reading.no_answer) == ("", 1.0)


def test_the_answer_is_one_of_the_choices(reader: TrainedReader) -> None:
    question = decompose("Which team did Lena Brandt play for in 2006?", as_of=AS_OF)
    choices = ["Carrow Town", "Port Elwin United", "Nordheim"]
    reading = reader.read(question, evidence=CAREER_EVIDENCE, choices=choices).reading
    assert reading.choice is not None
    assert reading.answer == choices[reading.choice]
    assert {one.answer for one in reading.candidates} == set(choices)


@pytest.mark.parametrize(("yes", "no"), [("yes", "no"), ("True", "False")])
def test_yes_and_no_as_choices_are_told_as_without_them(reader: TrainedReader, yes: str, no: str) -> None:
    door = Evidence.make("The side door stays locked after six.", published=Interval.parse("2024-03-04"))
    for text in ("Is the side door open at seven?", "Does the side door stay locked after six?"):
        question = decompose(text, as_of=AS_OF)
        free = reader.read(question, evidence=[door]).reading
        given = reader.read(question, evidence=[door], choices=[no, yes]).reading
        assert given.answer == {"yes": yes, "no": no}[free.answer]
        assert given.choice == [no, yes].index(given.answer)
        assert given.probability == free.probability


def test_a_question_for_yes_or_no_gets_one(reader: TrainedReader) -> None:
    question = decompose("Did Lena Brandt retire in 2013?", as_of=AS_OF)
    assert reader.read(question, evidence=CAREER_EVIDENCE).reading.answer == "yes"


async def test_awaiting_gives_the_same(reader: TrainedReader) -> None:
    question = decompose("Which team did Lena Brandt play for in 2001?", as_of=AS_OF)
    alone = reader.read(question, evidence=CAREER_EVIDENCE).reading
    together = await asyncio.gather(*(reader.aread(question, evidence=CAREER_EVIDENCE) for _ in range(3)))
    assert all(one.reading == alone for one in together)


def test_its_view_is_open_to_estimators(reader: TrainedReader) -> None:
    question = decompose("Which team did Lena Brandt play for in 2001?", as_of=AS_OF)
    look = reader.look(question, evidence=CAREER_EVIDENCE * 3)
    assert len(look.windows) == len(look.logits) == len(look.scored) == 3
    for window, logits in zip(look.windows, look.logits, strict=True):
        assert logits.shape == (len(window.ids), 2)
        assert np.isfinite(logits).all()


def test_a_damaged_model_is_refused_and_the_rules_do_not_take_over_by_themselves(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    shutil.copytree(FOLDER, folder)
    with (folder / "reader.onnx").open("r+b") as file:
        file.seek(1000)
        file.write(b"\0\0\0\0")
    with pytest.raises(DamagedInstall, match=r"reader\.onnx is not the file that was shipped"):
        TrainedReader(folder=folder)
    (folder / "reader.onnx").unlink()
    with pytest.raises(DamagedInstall, match=r"reader\.onnx cannot be read"):
        TrainedReader(folder=folder)


def test_local_readers_go_by_name() -> None:
    assert isinstance(local_reader(), TrainedReader)
    assert isinstance(local_reader("rules"), ExtractiveReader)
    with pytest.raises(BadInput, match="choose one of trained, rules"):
        local_reader("other")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "?" * 500, "a" * 20_000, "日本語のテキスト", "\x00\x01"])
def test_odd_text_never_raises(reader: TrainedReader, text: str) -> None:
    reading = reader.read(decompose("Who leads?", as_of=AS_OF), evidence=[Evidence.make(text)]).reading
    assert 0 <= reading.probability <= 1


def test_what_is_read_in_one_piece_does_not_hang_on_what_is_read_beside_it(reader: TrainedReader) -> None:
    undated = [Evidence.make("Bo Lind chairs Borth Council."), Evidence.make("The ferry to the island runs daily.")]
    question = decompose("Who chairs Borth Council?", as_of=AS_OF)
    alone, beside = reader.look(question, evidence=undated[:1]), reader.look(question, evidence=undated)
    assert np.array_equal(alone.logits[0], beside.logits[0])


def test_evidence_is_looked_at_once_by_all_who_read_it(reader: TrainedReader) -> None:
    evidence = [Evidence.make("Bo Lind chairs Borth Council."), Evidence.make("Ada Berg chairs Borth Council.")]
    question = decompose("Who chairs Borth Council?", as_of=AS_OF)
    assert reader.look(question, evidence=evidence) is reader.look(question, evidence=tuple(evidence))
    own = reader.read_beside(question, pieces=evidence, evidence=evidence)
    assert [one.reading.answer for one in own] == ["Bo Lind", "Ada Berg"]


def test_one_moment_of_two_zones_is_looked_at_by_the_wall_clock_of_each(reader: TrainedReader) -> None:
    west = datetime(2024, 5, 1, 22, tzinfo=timezone(timedelta(hours=-5)))
    notes = [Evidence.make("The key is with Bo.", title="Keys", published=Interval.of_day(2024, 5, 2))]
    marks = [
        reader.look(decompose("Who has the key?", as_of=each), evidence=notes).windows[0].marks.tolist()
        for each in (west, west.astimezone(UTC))
    ]
    assert marks[0] != marks[1]


def test_a_long_piece_is_cut_into_sentences_once(reader: TrainedReader, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(piece: Evidence) -> list[int]:
        asked.append(piece.id)
        return sentence_starts(piece)

    monkeypatch.setattr(trained_reader, "sentence_starts", counted)
    piece = Evidence.make("The ferry runs daily from the quay. " * 120)
    look = reader.look(decompose("How often does the ferry run?", as_of=AS_OF), evidence=[piece])
    assert len(look.windows) > 2
    assert asked == [piece.id]
