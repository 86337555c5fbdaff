"""A layout that embeds a prompt an app has already written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dateline.dynamic.prompt import Layout, PromptText
from dateline.records import Evidence


@dataclass(frozen=True, slots=True)
class AppLayout:
    """An app's own prompt, with its context and instructions, inside a layout.

    Retrieved documents still come first. The question is its last occurrence in the app's prompt; where it does not
    occur, the whole prompt counts as the question.

    Attributes:
        inner: the layout.
        written: the app's prompt.
    """

    inner: Layout
    written: str

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """Return the inner layout's prompt around the app's prompt."""
        made = self.inner.prompt(self.written, documents=documents, as_of=as_of)
        place = made.text.rfind(question, *made.question)
        return made if place < 0 else replace(made, question=(place, place + len(question)))
