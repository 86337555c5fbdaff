"""A prompt that an app has written already, in the place of the question of any layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dateline.dynamic.prompt import Layout, PromptText
from dateline.records import Evidence


@dataclass(frozen=True, slots=True)
class Framed:
    """What an app asks its model, with context and instructions of its own, inside a layout.

    Documents that are found come in front as ever. The question is where it last stands in what the app wrote; where
    it does not stand there, all of that counts as the question.

    Attributes:
        inner: the layout.
        written: the app's prompt.
    """

    inner: Layout
    written: str

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """The inner layout's prompt, the app's in it."""
        made = self.inner.prompt(self.written, documents=documents, as_of=as_of)
        place = made.text.rfind(question, *made.question)
        return made if place < 0 else replace(made, question=(place, place + len(question)))
