"""Reading documents each alone, in one batch where the reader can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dateline.flow import gather
from dateline.protocols import Reader, ReadResult
from dateline.records import Evidence
from dateline.temporal.constraint import Question


@runtime_checkable
class ReadsEach(Protocol):
    """A reader that reads documents in one batch, as `TransformersReader` does."""

    def read_each(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> list[ReadResult]:
        """Read each document alone; one result a document, in order."""
        ...


def read_each(
    reader: Reader, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
) -> list[ReadResult]:
    """Read each document alone; one result a document, in order."""
    if isinstance(reader, ReadsEach):
        return reader.read_each(question, evidence=evidence, choices=choices)
    return [reader.read(question, evidence=[piece], choices=choices) for piece in evidence]


async def aread_each(
    reader: Reader, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
) -> list[ReadResult]:
    """Read each document alone, side by side."""
    return await gather(reader.aread(question, evidence=[piece], choices=choices) for piece in evidence)
