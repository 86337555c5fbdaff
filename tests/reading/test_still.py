"""The judge of what ends, with the reader's word beside it."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from dateline.errors import BadInput
from dateline.protocols import EFFECTS, EffectJudge
from dateline.reading.still import LEAST, StillJudge, shared_still_judge
from dateline.reading.trained_judge import shared_judge
from dateline.reading.trained_reader import TrainedReader

DAYS = (date(2024, 5, 1), date(2023, 5, 1))
PAIRS = [
    ("The sauna is closed until further notice.", "The sauna is open."),
    ("Since May the treasurer has been Olga Reyes.", "The treasurer is Ben Carr."),
    ("The car park is full on Sundays.", "The treasurer is Ben Carr."),
]


@pytest.fixture(scope="module")
def judge() -> StillJudge:
    return shared_still_judge()


def test_it_is_a_judge_of_effects(judge: StillJudge) -> None:
    assert isinstance(judge, EffectJudge)


def test_chances_stay_probabilities(judge: StillJudge) -> None:
    chances = judge.effects(PAIRS, dates=[DAYS] * len(PAIRS)).chances
    assert chances.shape == (len(PAIRS), len(EFFECTS))
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-4)


def test_what_is_denied_is_likelier_ended_than_what_is_not_spoken_of(judge: StillJudge) -> None:
    shut, replaced, apart = (judge.denied(pair, DAYS[0]) for pair in PAIRS)
    assert min(shut, replaced) > apart + 2
    assert judge.effects(PAIRS, dates=[DAYS] * len(PAIRS)).chances[0, EFFECTS.index("ends")] > 0.5


def test_without_the_readers_weight_it_says_what_the_judge_says() -> None:
    alone = StillJudge(shared_judge(), reader=TrainedReader(), weights=(0.0, 1.0, 0.0))
    dates = [DAYS] * len(PAIRS)
    told, judged = (one.effects(PAIRS, dates=dates).chances for one in (alone, shared_judge()))
    ends = judged[:, EFFECTS.index("ends")]
    assert np.allclose(told[ends >= LEAST], judged[ends >= LEAST], atol=1e-4)
    assert not told[ends < LEAST, EFFECTS.index("ends")].any()


def test_no_pair_gives_no_row(judge: StillJudge) -> None:
    assert judge.effects([], dates=[]).chances.shape[0] == 0


def test_a_missing_date_is_told(judge: StillJudge) -> None:
    with pytest.raises(BadInput, match="pairs of dates"):
        judge.effects(PAIRS, dates=[DAYS])
