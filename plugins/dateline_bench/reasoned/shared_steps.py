"""Generations that share their common steps, for comparing methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dateline.dynamic import DynamicGenerator
from dateline.dynamic.attention import LastLayer
from dateline.dynamic.run import GenerationRun
from dateline.dynamic.sampling import Chooser
from dateline.dynamic.session import TokenSession, TokenStep
from dateline.temporal.constraint import Question

Steps = dict[tuple[int, ...], TokenStep]


class SharedSession(TokenSession):
    """A session that takes known steps from a memory.

    A step is known where the text up to it is the same. Tokens so passed over are fed together as soon as a step is new.
    """

    def __init__(self, model: Any, *, watch: LastLayer, chooser: Chooser, steps: Steps) -> None:
        super().__init__(model, watch=watch, chooser=chooser)
        self._steps, self._owed = steps, list[int]()

    def crop(self, length: int) -> None:
        """Forget everything after the first `length` tokens."""
        passed_over = min(len(self._owed), max(0, len(self.fed) - length))
        if passed_over:
            del self._owed[-passed_over:], self.fed[-passed_over:]
        super().crop(length)

    def _forward(self, tokens: list[int]) -> TokenStep:
        text = (*self.fed, *tokens)
        if (step := self._steps.get(text)) is not None:
            self.passes += 1
            self.fed += tokens
            self._owed += tokens
            return step
        owed, self._owed = self._owed, []
        del self.fed[len(self.fed) - len(owed) :]
        step = self._steps[text] = super()._forward([*owed, *tokens])
        return step


class SharingGenerator(DynamicGenerator):
    """A greedy `DynamicGenerator` whose copies share their steps.

    Methods compared so cost little more than one. Texts and counts are those of separate generations; seconds are not.
    """

    def __init__(self, model: Any, **options: Any) -> None:
        """Take the arguments of `DynamicGenerator`."""
        super().__init__(model, **options)
        self._steps: Steps = {}
        self._layer = LastLayer(model)

    def forget(self) -> None:
        """Let go of all steps."""
        self._steps.clear()

    def _loop(self, text: str, *, question: Question | None, interrupted: Callable[[], bool]) -> GenerationRun:
        chooser = Chooser(None, device=self.model.device)
        session = SharedSession(self.model, watch=self._layer, chooser=chooser, steps=self._steps)
        return GenerationRun(text, question, self.options, session, self.search, interrupted)
