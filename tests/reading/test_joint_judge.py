"""Judges who decide together what a later statement ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from dateline.errors import BadInput
from dateline.protocols import EffectJudge, Effects, PlacedStatement
from dateline.reading.joint_judge import JointJudge

PAIRS = [(PlacedStatement("The bridge is shut."), PlacedStatement("The bridge is open."))]


class OfOneMind:
    """A judge that gives every pair the same."""

    def __init__(self, chances: Sequence[float], onset: int = 0) -> None:
        self.chances, self.onset = chances, onset

    def effects(self, pairs: Sequence[tuple[PlacedStatement, PlacedStatement]]) -> Effects:
        rows = len(pairs)
        onsets = np.tile(np.eye(3, dtype=np.float32)[self.onset], (rows, 1))
        return Effects(np.tile(np.array(self.chances, dtype=np.float32), (rows, 1)), onsets)


SURE, DOUBTS, DENIES = [0.9, 0.06, 0.04], [0.5, 0.1, 0.4], [0.1, 0.3, 0.6]


def joined(*chances: Sequence[float]) -> list[float]:
    judge = JointJudge([OfOneMind(each) for each in chances])
    assert isinstance(judge, EffectJudge)
    told: list[float] = judge.effects(PAIRS).chances[0].tolist()
    assert sum(told) == pytest.approx(1, abs=1e-5)
    return told


def test_those_who_agree_are_as_sure_as_each_of_them() -> None:
    assert joined(SURE, SURE) == pytest.approx(SURE, abs=1e-4)


def test_those_who_differ_meet_halfway_in_log_odds() -> None:
    assert joined(SURE, DENIES)[0] == pytest.approx(0.5, abs=1e-4)
    assert joined(SURE, DOUBTS)[0] == pytest.approx(0.75, abs=1e-4)  # odds of 9 and 1: their root is 3


def test_what_the_first_sees_no_end_in_is_not_asked_of_the_others() -> None:
    assert joined(DENIES, SURE) == pytest.approx(DENIES)


def test_certainties_leave_room_for_the_others() -> None:
    assert 0 < joined([1.0, 0.0, 0.0], DENIES)[0] < 1


def test_the_first_tells_from_when() -> None:
    judge = JointJudge([OfOneMind(SURE, onset=1), OfOneMind(SURE, onset=2)])
    assert judge.effects(PAIRS).onsets.argmax() == 1


def test_without_a_judge_nobody_judges() -> None:
    with pytest.raises(BadInput, match="one or more"):
        JointJudge([])


def test_no_pair_gives_no_row() -> None:
    assert JointJudge([OfOneMind(SURE)]).effects([]).chances.shape == (0, 3)
