"""Runs of an app while they go on, by their answers."""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, Self, TypeVar

OPEN = 10_000
"""Answers known at once, and runs known inside each; chosen by hand."""


@dataclass(eq=False)
class OpenRun:
    """One run, within others or an answer of its own."""

    id: Hashable
    parent: Self | None
    kinds: set[str] = field(default_factory=set)
    """What is known of it: that it retrieves, asks a model, and so on."""
    given: str = ""
    started: float = field(default_factory=time.perf_counter)
    inside: set[Hashable] = field(default_factory=set)
    """The known runs inside it, where it is an answer."""

    @property
    def answer(self) -> Self:
        """The outermost run around it: the answer that it is part of."""
        return self if self.parent is None else self.parent.answer

    def within(self, kind: str) -> bool:
        """Return whether a run of this kind is around it."""
        return self.parent is not None and (kind in self.parent.kinds or self.parent.within(kind))


R = TypeVar("R", bound=OpenRun)


class RunTree(Generic[R]):
    """The runs of all answers that are not complete.

    Not safe between threads. An ended run is known until its answer ends, since its stream may begin others or tell of itself behind it; in an answer of
    very many runs it is forgotten at once. Should an app never end its answers, the oldest ones are forgotten.

    Example:
        >>> runs = RunTree()
        >>> runs.begin(OpenRun(1, None, {"chain"}))
        >>> runs.begin(OpenRun(2, runs.find(1)))
        >>> runs.end(2).within("chain"), runs.end(1).parent, runs.find(2)
        (True, None, None)
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, R] = {}
        self._answers: dict[Hashable, R] = {}

    def __len__(self) -> int:
        return len(self._known)

    def find(self, id: Hashable) -> R | None:
        """Return a run whose answer is not complete."""
        return self._known.get(id)

    def begin(self, run: R) -> None:
        """Take note of a run."""
        self._known[run.id] = run
        if run.parent is not None:
            run.answer.inside.add(run.id)
            return
        self._answers[run.id] = run
        if len(self._answers) > OPEN:
            self._forget(next(iter(self._answers.values())))

    def end(self, id: Hashable) -> R | None:
        """Return a run that ends, where it is known."""
        run = self._known.get(id)
        if run is None:
            return None
        if run.parent is None:
            self._forget(run)
        elif len(run.answer.inside) > OPEN:
            run.answer.inside.discard(id)
            del self._known[id]
        return run

    def _forget(self, answer: R) -> None:
        del self._answers[answer.id]
        for id in (answer.id, *answer.inside):
            self._known.pop(id, None)
