"""The trained judge of what later statements end."""

from __future__ import annotations

import copy
from datetime import date

import numpy as np
import pytest

from dateline.errors import BadInput
from dateline.protocols import EFFECTS, ONSETS, EffectJudge
from dateline.reading.still import StillJudge, asked_still, shared_still_judge

DAYS = (date(2024, 5, 1), date(2023, 5, 1))
PAIRS = [
    ("The sauna is closed until further notice.", "The sauna is open."),
    ("Since May the treasurer has been Olga Reyes.", "The treasurer is Ben Carr."),
    ("The car park is full on Sundays.", "The treasurer is Ben Carr."),
    ("The treasurer is still Ben Carr.", "The treasurer is Ben Carr."),
]
ENDS = EFFECTS.index("ends")


@pytest.fixture(scope="module")
def judge() -> StillJudge:
    return shared_still_judge()


def test_it_is_a_judge_of_effects(judge: StillJudge) -> None:
    assert isinstance(judge, EffectJudge)


def test_chances_and_onsets_are_probabilities(judge: StillJudge) -> None:
    for told, kinds in zip(judge.effects(PAIRS, dates=[DAYS] * len(PAIRS)), (EFFECTS, ONSETS), strict=True):
        assert told.shape == (len(PAIRS), len(kinds))
        assert np.allclose(told.sum(axis=1), 1, atol=1e-4)


def test_what_is_denied_is_ended_and_what_is_not_spoken_of_stands(judge: StillJudge) -> None:
    shut, replaced, apart, same = judge.effects(PAIRS, dates=[DAYS] * len(PAIRS)).chances[:, ENDS]
    assert min(shut, replaced) > 0.5 > max(apart, same)


def test_a_pair_is_judged_alike_beside_others_and_alone(judge: StillJudge) -> None:
    together = judge.effects(PAIRS, dates=[DAYS] * len(PAIRS)).chances
    assert np.array_equal(together[1:2], judge.effects(PAIRS[1:2], dates=[DAYS]).chances)


def test_statements_without_words_or_of_many_windows_are_judged(judge: StillJudge) -> None:
    long = " ".join(["The pool was swept and the lamps were cleaned."] * 200) + " The sauna is closed for good."
    empty, buried = judge.effects(
        [("", "The sauna is open."), (long, "The sauna is open.")], dates=[DAYS, DAYS]
    ).chances
    assert np.allclose([empty.sum(), buried.sum()], 1, atol=1e-4)
    assert buried[ENDS] > empty[ENDS]


def test_a_copy_judges_alike(judge: StillJudge) -> None:
    sent = copy.copy(judge)
    assert np.array_equal(sent.effects(PAIRS, dates=[DAYS] * 4).chances, judge.effects(PAIRS, dates=[DAYS] * 4).chances)


def test_no_pair_gives_no_row(judge: StillJudge) -> None:
    assert judge.effects([], dates=[]).chances.shape[0] == 0


def test_a_missing_date_is_told(judge: StillJudge) -> None:
    with pytest.raises(BadInput, match="pairs of dates"):
        judge.effects(PAIRS, dates=[DAYS])


def test_a_missing_title_is_told(judge: StillJudge) -> None:
    with pytest.raises(BadInput, match="titles"):
        judge.effects(PAIRS, dates=[DAYS] * len(PAIRS), titles=["Minutes"])


def test_a_title_is_read_beside_the_later_statement_and_not_twice() -> None:
    _, piece = asked_still("Walk-ins are $39.", later="Walk-ins $35.", day=DAYS[0], title="Meridian lounge")
    assert (piece.title, piece.text) == ("Meridian lounge", "Walk-ins $35.")
    _, piece = asked_still("Walk-ins are $39.", later="Meridian lounge: $35.", day=DAYS[0], title="Meridian lounge")
    assert piece.title == ""


def test_what_is_announced_is_asked_as_of_its_day() -> None:
    question, _ = asked_still("The fee is 15 euros.", later="From 1 July 2024 the fee is 20 euros.", day=DAYS[0])
    assert question.as_of.date() == date(2024, 7, 1)
    question, _ = asked_still("The fee is 15 euros.", later="The fee is 20 euros.", day=DAYS[0])
    assert question.as_of.date() == DAYS[0]


def test_a_date_of_the_earlier_statement_is_no_constraint() -> None:
    question, _ = asked_still("From 1 March the fee is 15 euros.", later="The fee is 20 euros.", day=DAYS[0])
    assert question.constraint is None
    assert "From 1 March" in question.text
