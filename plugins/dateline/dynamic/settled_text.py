"""Streaming of tokens that can no longer be retracted."""

from __future__ import annotations

from dateline.dynamic.generation_loop import GenerationLoop
from dateline.dynamic.stream import AsyncGenerationStream, GenerationStream
from dateline.dynamic.values import EndEvent, Event

HOLD = 24
"""Tokens held back for a trigger that could withdraw any."""


class SettledText:
    """Follows one stream and releases text once it is final.

    The pieces together are the generation's text. A token is released once its trigger can no longer withdraw it. For a
    trigger without such a limit (`Rind` without `within`), `hold` tokens are held back and released text stays.
    """

    def __init__(self, stream: GenerationStream | AsyncGenerationStream, *, hold: int = HOLD) -> None:
        self._run: GenerationLoop = stream.run
        self._hold = max(0, hold)
        self._shown = ""

    def take(self, event: Event) -> str:
        """Return the text, possibly empty, that this event settles."""
        if isinstance(event, EndEvent):
            return self._show(event.generation.text)
        count = self._settled()
        progress = self._run.progress
        progress.floor = max(progress.floor, count)  # what was shown stays
        answer, longest = progress.answer, max(map(len, self._run.options.stop_at), default=0)
        end = answer.starts[count] if count < len(answer) else len(answer.text)
        return self._show(answer.text[: min(end, max(0, len(answer.text) - longest))].strip())

    def _settled(self) -> int:
        run, progress = self._run, self._run.progress
        if run.retrieval_is_over:
            return len(progress.answer)
        first = run.options.trigger.first_open(progress) if len(progress.answer) else 0
        if first is None:
            oldest = len(progress.answer) - 1 - self._hold
            first = progress.answer.word_start(oldest) if oldest > 0 else 0
        return min(len(progress.answer), max(first, progress.floor))

    def _show(self, text: str) -> str:
        if not text.startswith(self._shown):
            return ""
        more, self._shown = text[len(self._shown) :], text
        return more
