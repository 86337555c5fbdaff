"""The local reader's view of evidence, before anything is decided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dateline.reading.encoding import Window
from dateline.reading.span_scores import Floats, Scored


@dataclass(frozen=True, slots=True)
class Look:
    """The model's output for each window.

    Attributes:
        logits: (tokens, 2), start and end.
        states: (tokens, 8), kinds of state.
        verdicts: (3,), yes, no, unsaid.
    """

    windows: tuple[Window, ...]
    logits: tuple[Floats, ...]
    states: tuple[Floats, ...]
    verdicts: tuple[Floats, ...]
    scored: tuple[Scored, ...]

    @property
    def best(self) -> float:
        """Return the highest score of a span; minus infinity without any."""
        return max((mention.score for scored in self.scored for mention in scored.mentions), default=-math.inf)

    def of(self, sources: Sequence[int]) -> Look:
        """Return what was seen in some pieces, numbered in the order given."""
        chosen = [
            (number, place)
            for number, source in enumerate(sources)
            for place, window in enumerate(self.windows)
            if window.source == source
        ]
        return Look(
            tuple(replace(self.windows[place], source=number) for number, place in chosen),
            tuple(self.logits[place] for _, place in chosen),
            tuple(self.states[place] for _, place in chosen),
            tuple(self.verdicts[place] for _, place in chosen),
            tuple(self.scored[place].of_source(number) for number, place in chosen),
        )
