"""The trained judge of what later statements end."""

from __future__ import annotations

import copy
from datetime import date

import numpy as np
import pytest

from dateline.protocols import EFFECTS, ONSETS, EffectJudge, PlacedStatement
from dateline.reading.still import StillJudge, asked_still, shared_still_judge
from dateline.records import Evidence
from dateline.temporal.constraint import Question

NOW, BEFORE = date(2024, 5, 1), date(2023, 5, 1)


def told(later: str, earlier: str) -> tuple[PlacedStatement, PlacedStatement]:
    return PlacedStatement(later, NOW), PlacedStatement(earlier, BEFORE)


PAIRS = [
    told("The sauna is closed until further notice.", "The sauna is open."),
    told("Since May the treasurer has been Olga Reyes.", "The treasurer is Ben Carr."),
    told("The car park is full on Sundays.", "The treasurer is Ben Carr."),
    told("The treasurer is still Ben Carr.", "The treasurer is Ben Carr."),
]
ENDS = EFFECTS.index("ends")


@pytest.fixture(scope="module")
def judge() -> StillJudge:
    return shared_still_judge()


def test_it_is_a_judge_of_effects(judge: StillJudge) -> None:
    assert isinstance(judge, EffectJudge)


def test_chances_and_onsets_are_probabilities(judge: StillJudge) -> None:
    for found, kinds in zip(judge.effects(PAIRS), (EFFECTS, ONSETS), strict=True):
        assert found.shape == (len(PAIRS), len(kinds))
        assert np.allclose(found.sum(axis=1), 1, atol=1e-4)


def test_what_is_denied_is_ended_and_what_is_not_spoken_of_stands(judge: StillJudge) -> None:
    shut, replaced, apart, same = judge.effects(PAIRS).chances[:, ENDS]
    assert min(shut, replaced) > 0.5 > max(apart, same)


def test_a_pair_is_judged_alike_beside_others_and_alone(judge: StillJudge) -> None:
    together = judge.effects(PAIRS).chances
    assert np.array_equal(together[1:2], judge.effects(PAIRS[1:2]).chances)


def test_statements_without_words_or_of_many_windows_are_judged(judge: StillJudge) -> None:
    long = " ".join(["The pool was swept and the lamps were cleaned."] * 200) + " The sauna is closed for good."
    empty, buried = judge.effects([told("", "The sauna is open."), told(long, "The sauna is open.")]).chances
    assert np.allclose([empty.sum(), buried.sum()], 1, atol=1e-4)
    assert buried[ENDS] > empty[ENDS]


def test_a_copy_judges_alike(judge: StillJudge) -> None:
    sent = copy.copy(judge)
    assert np.array_equal(sent.effects(PAIRS).chances, judge.effects(PAIRS).chances)


def test_no_pair_gives_no_row(judge: StillJudge) -> None:
    assert judge.effects([]).chances.shape[0] == 0


def asked(earlier: str, later: str, *, title: str = "") -> tuple[Question, Evidence]:
    return asked_still(PlacedStatement(earlier, BEFORE), later=PlacedStatement(later, NOW, title))


def test_a_title_is_read_beside_the_later_statement_and_not_twice() -> None:
    _, piece = asked("Walk-ins are $39.", "Walk-ins $35.", title="Meridian lounge")
    assert (piece.title, piece.text) == ("Meridian lounge", "Walk-ins $35.")
    _, piece = asked("Walk-ins are $39.", "Meridian lounge: $35.", title="Meridian lounge")
    assert piece.title == ""


def test_what_stands_before_a_statement_is_read_with_it() -> None:
    later = PlacedStatement("New rate, $9 a day.", NOW, "Minutes", before="The snooper is rented.")
    earlier = PlacedStatement("It costs $7 a day.", BEFORE, "Rentals", before="Snooper:")
    question, piece = asked_still(earlier, later=later)
    assert (piece.title, piece.text) == ("Minutes: The snooper is rented.", "New rate, $9 a day.")
    assert question.text == "Is it true that It costs $7 a day? (Rentals: Snooper:)"


def test_what_is_announced_is_asked_as_of_its_day() -> None:
    question, _ = asked("The fee is 15 euros.", "From 1 July 2024 the fee is 20 euros.")
    assert question.as_of.date() == date(2024, 7, 1)
    question, _ = asked("The fee is 15 euros.", "The fee is 20 euros.")
    assert question.as_of.date() == NOW


def test_a_date_of_the_earlier_statement_is_no_constraint() -> None:
    question, _ = asked("From 1 March the fee is 15 euros.", "The fee is 20 euros.")
    assert question.constraint is None
    assert "From 1 March" in question.text
