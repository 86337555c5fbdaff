"""Worked examples for each rule of FreshEval: settled facts or invented places."""

from __future__ import annotations

from datetime import datetime
from importlib import resources

from pydantic import Field, TypeAdapter

from dateline.evaluation.judgement import AnswerCase
from dateline.records import Record


class JudgedExample(Record):
    """A judged response."""

    question: str
    golds: tuple[str, ...]
    response: str
    relaxed: tuple[bool, str] = Field(description="(earns credit, comment) when judged relaxed.")
    strict: tuple[bool, str] | None = Field(default=None, description="When judged strictly; None: as when relaxed.")
    day: datetime | None = Field(default=None, description="When it was asked, where that matters.")

    @property
    def case(self) -> AnswerCase:
        """The response as a judge is given it."""
        return AnswerCase(self.question, answer=self.response, golds=self.golds, as_of=self.day)


EXAMPLES = TypeAdapter(tuple[JudgedExample, ...]).validate_json(
    (resources.files("dateline.evaluation") / "data" / "examples.json").read_bytes()
)
"""The question stays the same in some of them on purpose: what differs is the response."""
