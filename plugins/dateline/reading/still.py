"""Judge and reader together on what a later statement ends.

The judge compares both statements; the reader is asked whether the earlier one is still so and reads the later one. They err
differently: the judge learned from pairs of sentences, the reader from questions over whole notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

import numpy as np
from numpy.typing import NDArray

from dateline.made_once import made_once
from dateline.protocols import EFFECTS, EffectJudge, Effects
from dateline.reading.trained_judge import shared_judge
from dateline.reading.trained_reader import TrainedReader
from dateline.reading.verdicts import VERDICTS, weigh
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

FITTED = (-1.25, 0.34, 0.66)
"""A bias, and the weights of the judge's and of the reader's log-odds of an end, fitted by `training/ending.py`."""
LEAST = 0.6
"""What the judge alone gives less ends nothing: in short statements the reader takes what comes near for a denial. Chosen with `rivals.ENDS`."""
_SURE = 1e-6
_READ = 2_000
"""Characters of a statement; the reader looks at fewer of a question."""
_ENDS, _NO = EFFECTS.index("ends"), VERDICTS.index("no")


class StillJudge:
    """Implements `EffectJudge` by another one and the local reader.

    Args:
        judge: tells the effects and onsets; its chance of an end is weighed with what the reader answers.
        reader: answers whether the earlier statement is still so.
        weights: a bias, the judge's weight and the reader's, in log-odds.

    Example:
        >>> from dateline.reading import TrainedReader
        >>> from dateline.reading.trained_judge import TrainedJudge
        >>> judge = StillJudge(TrainedJudge(), reader=TrainedReader())
        >>> effects = judge.effects([("The bridge is closed.", "The bridge is open.")], dates=[(date(2024, 5, 1), date(2023, 5, 1))])
        >>> bool(effects.chances[0, 0] > 0.5)
        True
    """

    def __init__(
        self, judge: EffectJudge, *, reader: TrainedReader, weights: tuple[float, float, float] = FITTED
    ) -> None:
        self._judge, self._reader, self._weights = judge, reader, weights

    def effects(self, pairs: Sequence[tuple[str, str]], *, dates: Sequence[tuple[date | None, date | None]]) -> Effects:
        """Judge what later statements do to earlier ones.

        Args:
            pairs: (later, earlier).
            dates: the days of both; None where unknown.

        Raises:
            BadInput: when there are not as many dates as pairs.
        """
        effects = self._judge.effects(pairs, dates=dates)
        # The reader is asked only where the judge leaves something to decide: in notes, of few pairs.
        judged = effects.chances[:, _ENDS] >= LEAST
        denied = [
            self.denied(pair, day) if asked else 0.0 for pair, (day, _), asked in zip(pairs, dates, judged, strict=True)
        ]
        return effects._replace(chances=_weighed(effects.chances, np.array(denied), self._weights))

    def denied(self, pair: tuple[str, str], day: date | None) -> float:
        """Return the log-odds that the later statement denies the earlier."""
        later, earlier = pair
        look = self._reader.look(asked_still(earlier, day), evidence=[shown(later, day)])
        return _log_odds(float(weigh(np.stack(look.verdicts))[_NO])) if look.verdicts else -np.inf


def asked_still(statement: str, day: date | None) -> Question:
    """Ask whether a statement holds on a day, for yes or no."""
    moment = datetime.now(UTC) if day is None else datetime.combine(day, time(), UTC)
    return decompose(f"Is it true that {statement[:_READ].rstrip(' .')}?", as_of=moment)


def shown(statement: str, day: date | None) -> Evidence:
    """Show a later statement as a piece of its day."""
    return Evidence.make(statement, published=None if day is None else Interval.of_moment(day))


@made_once(size=1)
def shared_still_judge() -> StillJudge:
    """Return one judge for all who name no other, made once."""
    return StillJudge(shared_judge(), reader=TrainedReader())


def _weighed(
    chances: NDArray[np.float32], denied: NDArray[np.float64], weights: tuple[float, float, float]
) -> NDArray[np.float32]:
    """Put in another chance of an end; the others keep their proportion."""
    bias, judged, read = weights
    before = np.clip(chances[:, _ENDS].astype(np.float64), _SURE, 1 - _SURE)
    ends = 1 / (1 + np.exp(-(bias + judged * np.log(before / (1 - before)) + read * denied)))
    ends = np.where(before < LEAST, 0.0, ends)
    made = chances * ((1 - ends) / (1 - before))[:, None]
    made[:, _ENDS] = ends
    return made.astype(np.float32)


def _log_odds(chance: float) -> float:
    kept = min(max(chance, _SURE), 1 - _SURE)
    return float(np.log(kept / (1 - kept)))
