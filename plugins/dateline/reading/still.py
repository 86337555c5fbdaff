"""A trained judge of what later statements end.

The shipped reader, trained further for one question: is the earlier statement still so (`training/still.py`,
`models/MODEL_CARD.md`)? Of notes, most of what comes near an earlier statement changes nothing, and what ends it may
share no word with it ("lives in Lisbon", "moved to Porto"). With no earlier statement it tells only from when the later one
holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import NamedTuple

import numpy as np

from dateline.made_once import made_once
from dateline.protocols import EFFECTS, ONSETS, Effect, Effects, PlacedStatement
from dateline.reading.announced import day_ahead
from dateline.reading.encoding import TextTokens, Window, batch, windows
from dateline.reading.model_files import load_session, load_tokenizer, version
from dateline.reading.shipped_model import ShippedModel
from dateline.reading.span_scores import Floats
from dateline.reading.verdicts import VERDICTS, Said, weigh
from dateline.records import Evidence
from dateline.softmax import softmax
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval

SAYS: dict[Effect, Said] = {"ends": "no", "restates": "yes", "leaves": "unsaid"}
"""What a later statement says to the question whether the earlier one is still so."""

_UNDATED = datetime(2000, 1, 1, tzinfo=UTC)
"""When an undated statement is asked of; any moment does."""
_READ = 2_000
"""Characters of a statement; the model looks at fewer of a question."""
_ASKED_TOKENS, _PLACE_TOKENS, _LONGEST_TITLE = 112, 64, 80
"""Tokens of the earlier statement in its place and of where the later one stands, and characters of a title in either. Of a thousand
earlier ones one is longer."""
_ORDER = [VERDICTS.index(SAYS[effect]) for effect in EFFECTS]
_NO = VERDICTS.index("no")


class _Judged(NamedTuple):
    """Logits of one window: (3,) verdicts and (3,) onsets."""

    verdicts: Floats
    onsets: Floats


class StillJudge(ShippedModel):
    """Implements `EffectJudge`; asks whether the earlier statement is still so.

    Example:
        >>> judge = StillJudge()
        >>> later, earlier = (PlacedStatement(f"The bridge is {how}.") for how in ("closed", "open"))
        >>> effects = judge.effects([(later, earlier)])
        >>> bool(effects.chances[0, 0] > 0.5)
        True
    """

    def _open(self) -> None:
        self.name = f"still judge {version('still', folder=self._folder)}"
        self._session = load_session("still", threads=self._threads, folder=self._folder)
        self._tokens = TextTokens(load_tokenizer(folder=self._folder))

    def effects(self, pairs: Sequence[tuple[PlacedStatement, PlacedStatement]]) -> Effects:
        """Judge what later statements do to earlier ones: (later, earlier)."""
        if not pairs:
            return Effects(*(np.empty((0, len(kinds)), dtype=np.float32) for kinds in (EFFECTS, ONSETS)))
        read = [still_windows(earlier, later=later, tokens=self._tokens) for later, earlier in pairs]
        found = iter(self._session.each(self._run, [window for each in read for window in each]))
        told = [[next(found) for _ in each] for each in read]
        return Effects(np.stack([_chances(each) for each in told]), np.stack([_onset(each) for each in told]))

    def _run(self, window: Window) -> _Judged:
        """Run one pair by itself.

        Beside others its 8 bits would be rounded by theirs.
        """
        verdicts, onsets = self._session.run(["verdicts", "onsets"], batch([window]))
        return _Judged(verdicts[0], onsets[0])


def asked_still(earlier: PlacedStatement, *, later: PlacedStatement) -> tuple[Question, Evidence]:
    """Ask whether an earlier statement holds, by a later one.

    What the later one tells for a day to come is asked as of that day, as by the reader. What the earlier one says of time dates
    it, and is no constraint.
    """
    title = "" if later.text.startswith(later.title) else later.title
    piece = Evidence.make(
        later.text, title=_place(title, later.before), published=later.day and Interval.of_moment(later.day)
    )
    place = _place(earlier.title, earlier.before)
    asked = f"Is it true that {earlier.text[:_READ].rstrip(' .')}?{place and f' ({place})'}"
    as_of = _UNDATED if later.day is None else datetime.combine(later.day, time(), UTC)
    question = Question(asked, content=asked, constraint=None, as_of=as_of)
    ahead = day_ahead(piece, question=question)
    return (question if ahead is None else replace(question, as_of=ahead)), piece


def still_windows(earlier: PlacedStatement, *, later: PlacedStatement, tokens: TextTokens) -> list[Window]:
    """Cut a pair into windows as the model reads them."""
    question, piece = asked_still(earlier, later=later)
    return windows(question, evidence=[piece], tokens=tokens, question_tokens=_ASKED_TOKENS, title_tokens=_PLACE_TOKENS)


def _place(title: str, before: str) -> str:
    """Join a document's title and what stands before a statement."""
    return ": ".join(filter(None, ("" if before.startswith(title) else title[:_LONGEST_TITLE], before)))


@made_once(size=1)
def shared_still_judge() -> StillJudge:
    """Return one judge for all who name no other, made once."""
    return StillJudge()


def _chances(told: Sequence[_Judged]) -> Floats:
    """Weigh a long statement's windows, in the order of `EFFECTS`."""
    return weigh(np.stack([one.verdicts for one in told]))[_ORDER]


def _onset(told: Sequence[_Judged]) -> Floats:
    """Take the onsets from the window that denies most."""
    denying = max(told, key=lambda one: float(softmax(one.verdicts)[_NO]))
    return softmax(denying.onsets)
