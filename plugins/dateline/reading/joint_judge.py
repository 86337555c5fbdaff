"""Several judges of what later statements end, who decide together.

One reads the later statement for whether the earlier is still so, the other compares both; they learned from the same pairs in two ways
and err differently (docs/facts_measured.md).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dateline.errors import BadInput
from dateline.made_once import made_once
from dateline.protocols import EffectJudge, Effects, PlacedStatement
from dateline.reading.still import shared_still_judge
from dateline.reading.trained_judge import shared_judge

ASKED = 0.2
"""What the first gives less is settled: the others would hardly bring it to one half, and are not asked. In notes five to nine in
a hundred are left to them."""
_LEAST = 1e-6


class JointJudge:
    """Implements `EffectJudge` by the mean of others' log-odds.

    Args:
        judges: one or more; the first alone tells the onsets, and what is worth asking the others.

    Raises:
        BadInput: when there is none.

    Example:
        >>> judge = JointJudge([shared_still_judge(), shared_judge()])
        >>> later, earlier = (PlacedStatement(f"The bridge is {how}.") for how in ("closed", "open"))
        >>> effects = judge.effects([(later, earlier)])
        >>> bool(effects.chances[0, 0] > 0.5)
        True
    """

    def __init__(self, judges: Sequence[EffectJudge]) -> None:
        if not judges:
            raise BadInput("There is no judge; give one or more.")
        self._first, self._others = judges[0], tuple(judges[1:])

    def effects(self, pairs: Sequence[tuple[PlacedStatement, PlacedStatement]]) -> Effects:
        """Judge each pair (later, earlier) as all judges together."""
        first = self._first.effects(pairs)
        unsettled: list[int] = np.flatnonzero(first.chances[:, 0] >= ASKED).tolist()
        if not (self._others and unsettled):
            return first
        asked = [pairs[place] for place in unsettled]
        told = [judge.effects(asked).chances for judge in self._others]
        chances = first.chances.copy()
        chances[unsettled] = _together([chances[unsettled], *told])
        return Effects(chances, first.onsets)


def _together(chances: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Mean the log-odds of an end; share the rest as on average."""
    every = np.clip(np.stack(chances), _LEAST, 1 - _LEAST)
    ends = every[..., :1]
    together = 1 / (1 + np.exp(-np.log(ends / (1 - ends)).mean(axis=0)))
    others = every[..., 1:].mean(axis=0)
    others *= (1 - together) / others.sum(axis=1, keepdims=True)
    return np.concatenate([together, others], axis=1).astype(np.float32)


@made_once(size=1)
def shared_joint_judge() -> JointJudge:
    """Return one judge for all who name no other, made once."""
    return JointJudge([shared_still_judge(), shared_judge()])
