"""Each document read alone: all of them at once where the reader can, else one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dateline.protocols import Reader, ReadResult
from dateline.records import Evidence
from dateline.temporal.constraint import Question


@runtime_checkable
class ReadsEach(Protocol):
    """A reader that takes all prompts of a question in one batch, as `TransformersReader` does."""

    def read_each(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> list[ReadResult]:
        """What each piece gives alone; one result a piece, in order."""
        ...


def read_each(
    reader: Reader, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
) -> list[ReadResult]:
    """One result a piece, in order."""
    if isinstance(reader, ReadsEach):
        return reader.read_each(question, evidence=evidence, choices=choices)
    return [reader.read(question, evidence=[piece], choices=choices) for piece in evidence]
