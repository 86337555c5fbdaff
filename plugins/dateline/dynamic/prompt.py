"""Prompt layouts: instruction, retrieved documents, question (DRAGIN, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from dateline.chat_template import ChatTurn, chat_prompt
from dateline.errors import BadInput
from dateline.evidence.sanitize import sanitize
from dateline.records import Evidence

PLAIN = "Answer the question step by step, in whole sentences."
WITH_NOTES = "Answer the question step by step, in whole sentences; rely on the notes where they speak of it."


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt.

    Attributes:
        text: all of it; the answer follows right after.
        question: where the question stands in it, `text[start:end]`.
        notes: where the documents stand, and an app's own context; `None`: not known, which counts as everywhere.
            What is neither, such as instructions and demonstrations, is never searched for.
        special: whether the tokenizer adds its own first token; a chat template has done so already.
    """

    text: str
    question: tuple[int, int]
    special: bool = True
    notes: tuple[int, int] | None = None


class Layout(Protocol):
    """Writes prompts.

    What does not depend on the documents comes first, so that it is encoded once.
    """

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """Return the prompt for a question and its documents, best first."""
        ...


@dataclass(frozen=True, slots=True)
class PlainLayout:
    """A layout for base models: demonstrations, notes, instruction, question.

    Attributes:
        demonstrations: examples in the form "Question: ...\\nAnswer: ...", first in the prompt.
        instruction: what to do; `None` for one of our own.

    Example:
        >>> print(PlainLayout(instruction="Answer briefly.").prompt("Who leads it?", documents=(), as_of=None).text)
        Answer briefly.
        Question: Who leads it?
        Answer:
    """

    demonstrations: str = ""
    instruction: str | None = None

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """Return the prompt."""
        body, notes, place = _body(question, documents, as_of, self.instruction)
        head = f"{self.demonstrations.strip()}\n\n" if self.demonstrations.strip() else ""
        start = len(head) + place
        return PromptText(
            f"{head}{body}\nAnswer:", (start, start + len(question)), notes=(len(head), len(head) + notes)
        )


@dataclass(frozen=True, slots=True)
class ChatLayout:
    """A layout for chat models, using the tokenizer's chat template.

    Attributes:
        tokenizer: one with a chat template.
        system: a system message; empty for none.
        instruction: what to do; `None` for one of our own.
    """

    tokenizer: Any
    system: str = ""
    instruction: str | None = None

    def __post_init__(self) -> None:
        if not getattr(self.tokenizer, "chat_template", None):
            raise BadInput(f"{type(self.tokenizer).__name__} has no chat template; use PlainLayout().")

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """Return the prompt, up to where the assistant's turn begins."""
        body, notes, place = _body(question, documents, as_of, self.instruction)
        turns = [ChatTurn("system", self.system)] if self.system else []
        text = chat_prompt([*turns, ChatTurn("user", body)], tokenizer=self.tokenizer)
        start = max(0, text.rfind(question))
        above = max(0, start - place)  # templates keep what they wrap as it is, or strip its ends
        return PromptText(text, (start, start + len(question)), special=False, notes=(above, above + notes))


def _body(
    question: str, documents: Sequence[Evidence], as_of: datetime | None, instruction: str | None
) -> tuple[str, int, int]:
    """Return the prompt's body, its notes' end and its question's beginning."""
    told = [_note(number, each) for number, each in enumerate(documents, start=1)]
    notes = "\n".join(["Notes:", *told, "", ""]) if documents else ""
    lines = [instruction if instruction is not None else WITH_NOTES if documents else PLAIN]
    if as_of is not None:
        lines.append(f"Date: {as_of.date().isoformat()}")
    above = notes + "\n".join([*lines, "Question: "])
    return above + question, len(notes), len(above)


def _note(number: int, document: Evidence) -> str:
    day = "" if document.published is None else f" ({document.published})"
    title = f" {sanitize(document.title, limit=200)}:" if document.title else ""
    return f"[{number}]{day}{title} {sanitize(document.text, limit=len(document.text) * 2)}"
