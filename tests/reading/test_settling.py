"""From the model's views of windows to one reading."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dateline.language.answer_type import AnswerType, answer_type
from dateline.reading.encoding import Window
from dateline.reading.look import Look
from dateline.reading.outdated import outdated
from dateline.reading.settling import affirm, settle
from dateline.reading.span_scores import Mention, Scored
from dateline.reading.verdicts import VERDICTS, weigh
from dateline.records import Evidence, Reading
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

AS_OF = datetime(2024, 1, 1, tzinfo=UTC)
QUESTION = decompose("Who keeps the key of the boathouse?", as_of=AS_OF)
NOTES = [
    Evidence.make(f"{name} keeps the key.", published=Interval.of_day(year, 5, 4))
    for name, year in (("Ada Holm", 2021), ("Bo Lind", 2023), ("Cem Aral", 2025))
]
NAMES = [note.text.split(" keeps")[0] for note in NOTES]
NO_RULES = Reading(answer="", no_answer=1.0)
SCORES = st.lists(st.floats(-20, 20), min_size=3, max_size=3)


def seen(scores: list[float], *, nothing: float = -3.0) -> Look:
    """A look in which each note's name has a score."""
    none = np.zeros(0, dtype=np.int64)
    windows = tuple(Window(none, none, none, 0, none, source) for source in range(len(scores)))
    empty = tuple(np.zeros((0, 2), dtype=np.float32) for _ in scores)
    mentions = [Mention(NAMES[n], n, 0, len(NAMES[n]), score) for n, score in enumerate(scores)]
    return Look(windows, empty, empty, empty, tuple(Scored((one,), nothing) for one in mentions))


def verdicts_of(*logits: tuple[float, float, float]) -> Look:
    none = np.zeros(0, dtype=np.int64)
    windows = tuple(Window(none, none, none, 0, none, source) for source in range(len(logits)))
    empty = tuple(np.zeros((0, 2), dtype=np.float32) for _ in logits)
    return Look(windows, empty, empty, tuple(np.array(one, dtype=np.float32) for one in logits), ())


def read(look: Look, notes: list[Evidence] = NOTES) -> Reading:
    return settle(look, QUESTION, notes, wanted=AnswerType("person"), rules=NO_RULES)


@given(SCORES, st.floats(-30, 0))
def test_the_answers_and_nothing_share_one_whole(scores: list[float], nothing: float) -> None:
    reading = read(seen(scores, nothing=nothing))
    assert sum(one.probability for one in reading.candidates) + reading.no_answer == pytest.approx(1)
    assert reading.probability == max(one.probability for one in reading.candidates)


@given(SCORES)
def test_what_the_model_gives_more_is_never_thought_less_likely(scores: list[float]) -> None:
    def likely(given: list[float]) -> float:
        return next(one.probability for one in read(seen(given)).candidates if one.answer == NAMES[0])

    assert likely([scores[0] + 1, *scores[1:]]) >= likely(scores) - 1e-9


def test_mentions_of_one_answer_add_up() -> None:
    two = [Evidence.make("Ada Holm keeps the key.", title=str(n)) for n in range(2)]
    look = seen([5.0, 5.0])
    same = Look(
        look.windows,
        look.logits,
        look.states,
        look.verdicts,
        tuple(Scored((Mention("Ada Holm", n, 0, 8, 5.0),), -3.0) for n in range(2)),
    )
    reading = read(same, two)
    assert [one.answer for one in reading.candidates] == ["Ada Holm"]
    assert set(reading.evidence_ids) == {note.id for note in two}


def test_of_equally_good_answers_the_newer_known_one_stands() -> None:
    assert read(seen([9.0, 9.0])).answer == "Bo Lind"


def test_what_was_written_later_outdates_nothing() -> None:
    mentions = [Mention(name, n, 0, len(name), 9.0) for n, name in enumerate(NAMES)]
    assert outdated(mentions, question=QUESTION, evidence=NOTES).tolist() == [1, 0, 0]


def test_the_same_answer_in_a_newer_note_outdates_nothing() -> None:
    mentions = [Mention("Ada Holm", 0, 0, 8, 9.0), Mention("Ada Holm", 1, 0, 8, 9.0)]
    assert not outdated(mentions, question=QUESTION, evidence=NOTES).any()
    assert outdated([], question=QUESTION, evidence=NOTES).shape == (0,)


def test_a_date_of_a_texts_own_words_outdates_nothing_beside_better_ones() -> None:
    boast = NOTES[1].model_copy(update={"dated_by": "text"})
    mentions = [Mention(name, n, 0, len(name), 9.0) for n, name in enumerate(NAMES[:2])]
    assert outdated(mentions, question=QUESTION, evidence=[NOTES[0], NOTES[1]]).tolist() == [1, 0]
    dated = NOTES[0].model_copy(update={"dated_by": "front matter date"})
    assert outdated(mentions, question=QUESTION, evidence=[dated, boast]).tolist() == [0, 0]


def test_without_a_mention_the_rules_answer() -> None:
    ruled = Reading(answer="Ada Holm", probability=0.4, no_answer=0.6)
    look = Look((), (), (), (), ())
    assert settle(look, QUESTION, NOTES, wanted=AnswerType("person"), rules=ruled) == ruled


# -- yes and no -----------------------------------------------------------------------------------


@given(arrays(np.float32, (3, 3), elements=st.floats(-8, 8, width=32)))
def test_yes_no_and_unsaid_share_one_whole(logits: np.ndarray) -> None:
    assert weigh(logits).sum() == pytest.approx(1, abs=1e-5)
    assert len(VERDICTS) == 3


def test_the_piece_that_says_no_is_named_for_no() -> None:
    reading = affirm(verdicts_of((-4, -4, 6), (-3, 6, -2), (0, 0, 5)), NOTES)
    assert (reading.answer, reading.evidence_ids) == ("no", (NOTES[1].id,))
    assert reading.probability > 0.9


def test_silent_pieces_leave_it_unsaid() -> None:
    assert affirm(verdicts_of((-4, -4, 6), (-4, -4, 6)), NOTES[:2]).no_answer > 0.9
    assert affirm(Look((), (), (), (), ()), []).no_answer == 1


# -- lists ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("Who are the members of the board?", True),
        ("Which languages does the guide speak?", True),
        ("Which two boats change berths?", True),
        ("Name the members of the board.", True),
        ("List all open days.", True),
        ("Name the chair of the board.", False),
        ("Who is the chair of the board?", False),
        ("Which language does the guide speak?", False),
        ("Which of our guides have a key?", True),
        ("Which of our guides was the first?", False),
    ],
)
def test_a_plural_asks_for_several(question: str, several: bool) -> None:
    assert answer_type(question).several is several


def test_a_question_for_several_is_answered_with_the_whole_enumeration() -> None:
    text = "The slip is kept by Ada Holm (Mondays), Bo Lind and Cem Aral. Dag Moe, Eli and Fay have left."
    found = [Mention("Ada Holm", 0, 20, 28, 12.0)]
    seen_once = seen([0.0])
    look = Look(
        seen_once.windows, seen_once.logits, seen_once.states, seen_once.verdicts, (Scored(tuple(found), -3.0),)
    )
    wanted = answer_type("Which people keep the slip?")
    reading = settle(look, QUESTION, [Evidence.make(text)], wanted=wanted, rules=NO_RULES)
    assert reading.answer == "Ada Holm, Bo Lind and Cem Aral"
