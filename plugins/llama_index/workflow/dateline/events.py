"""Events of `AnswerWorkflow`, all JSON, so that contexts can be kept."""

from __future__ import annotations

from typing import Any

from llama_index.core.bridge.pydantic import Field
from llama_index.core.workflow import Event, StartEvent

from dateline.options import unknown
from dateline.records import Step
from dateline.temporal.as_of import AsOfInput


class Ask(StartEvent):
    """A question that starts the workflow."""

    question: str = Field(description="In words, standing alone.")
    as_of: AsOfInput = Field(
        default=None, description="The asking moment; None or empty: the retriever's own, else now."
    )
    choices: list[str] = Field(default_factory=list, description="The answer is one of these, where some are given.")

    def refuse_unknown(self) -> None:
        """Raise `BadInput` for an unknown field, which LlamaIndex would keep."""
        if further := [str(name) for name in self.keys()]:
            raise unknown(further[0], of="The workflow's run", known=type(self).model_fields)


class SearchFor(Event):
    """One query; several run side by side."""

    query: str


class Found(Event):
    """The nodes of one query; a search that failed is one too."""

    query: str
    nodes: list[dict[str, Any]] = Field(default_factory=list, description="As `packed` writes them.")
    problem: str = ""
    step: Step


class Read(Event):
    """Nodes to be read next, the best first, by id."""

    ids: list[str]


class ReadDone(Event):
    """One reading of one selection of nodes."""

    attempt: dict[str, Any] = Field(description="reading, certainty and the ids shown.")


class StepTaken(Event):
    """Streamed as it happens: what was decided, from what, at what cost."""

    step: Step
