"""Answer graph as a tool for agents and models that call tools."""

from __future__ import annotations

from typing import Any, Literal

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import ArgsSchema, BaseTool, ToolException
from pydantic import BaseModel, Field

from dateline import DatelineError
from dateline.evidence.sanitize import MAX_SHOWN, inert
from dateline.temporal.as_of import AsOf, AsOfInput
from dateline_graphs.answer import answer_graph
from dateline_graphs.components import Components
from dateline_graphs.options import AnswerOptions
from dateline_graphs.report import GUESS, AnswerReport, CitedSource

NAME = "ask_as_of"

DESCRIPTION = (
    "Answers a factual question as of a date from dated sources. Gives the answer, how certain it is, how fresh its "
    "evidence is, and the sources with their dates. Use it for anything that changes with time; for the state of an "
    "earlier day, say the day in as_of."
)

MOST_SOURCES = 10
MAX_QUOTE = 300
"""Characters of a source's text that the model is shown; the artifact has all of it."""


class DatedQuestion(BaseModel):
    """Arguments that the model fills in."""

    question: str = Field(description="The question, in words, standing alone.")
    as_of: AsOfInput = Field(
        default="", description="The day to answer for: YYYY, YYYY-MM or YYYY-MM-DD. Empty: today."
    )


class DatedAnswerTool(BaseTool):
    """Runs the answer graph; made by `ask_as_of`.

    The content is the answer with its date, certainty, freshness and sources; the artifact is the whole
    `AnswerReport` as JSON. What cannot be answered (an unreadable date, a search that fails) is told to the model in a
    sentence, and does not end the agent. Where edits of facts wait for a person, the tool stops the agent as the graph
    does, and goes on when it is resumed.
    """

    name: str = NAME
    description: str = DESCRIPTION
    args_schema: ArgsSchema | None = DatedQuestion
    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_tool_error: Any = True
    graph: Runnable[Any, Any] = Field(exclude=True, description="The compiled answer graph.")
    options: AnswerOptions | None = Field(default=None, exclude=True, description="Its options.")

    def _run(self, question: str, as_of: AsOf = "", *, config: RunnableConfig, **kwargs: Any) -> tuple[str, Any]:
        asked = {"question": question, "as_of": as_of}
        try:
            report = self.graph.invoke(asked, config, context=self.options)["report"]
        except DatelineError as problem:
            raise ToolException(inert(str(problem))) from problem
        return readable(AnswerReport.model_validate(report)), report

    async def _arun(self, question: str, as_of: AsOf = "", *, config: RunnableConfig, **kwargs: Any) -> tuple[str, Any]:
        asked = {"question": question, "as_of": as_of}
        try:
            report = (await self.graph.ainvoke(asked, config, context=self.options))["report"]
        except DatelineError as problem:
            raise ToolException(inert(str(problem))) from problem
        return readable(AnswerReport.model_validate(report)), report


def ask_as_of(
    components: Components | None = None,
    *,
    options: AnswerOptions | None = None,
    name: str = NAME,
    description: str = DESCRIPTION,
) -> DatedAnswerTool:
    """A tool that answers questions as of a date: `create_agent(model, tools=[ask_as_of(components)])`.

    Args:
        components: the live pieces of the answer graph; `None`: they are made from the options.
        options: the graph's options, such as `AnswerOptions(docs="notes/")`.
        name: what the model calls it.
        description: what the model is told of it.
    """
    return DatedAnswerTool(
        graph=answer_graph(components).compile(name=name), options=options, name=name, description=description
    )


def readable(report: AnswerReport) -> str:
    """Write a report as a model reads it, sources oldest first."""
    answer = inert(report.headline, limit=MAX_SHOWN)
    certainty = f"{report.label} ({report.certainty.reliable:.2f}); {inert(report.decision.reason)}"
    lines = [f"answer: {answer}", f"as of: {report.asked.as_of[:10]}", f"certainty: {certainty}"]
    if report.answer and not report.adopted:
        lines.insert(1, f"{GUESS.lower()}: {inert(report.answer, limit=MAX_SHOWN)}")
    lines.append(f"freshness: {inert(report.freshness.statement)}")
    lines += [f"note: {inert(problem)}" for problem in report.problems]
    used = [source for source in report.evidence if source.used][-MOST_SOURCES:]
    for number, source in enumerate(used, start=1):
        told = (inert(source.title, limit=160), inert(source.source or source.url, limit=160, addresses=False))
        origin = " | ".join(filter(None, told))
        lines.append(f"[{number}] {_dated(source)} | {origin} | {inert(source.text, limit=MAX_QUOTE)}")
    return "\n".join(lines)


def _dated(source: CitedSource) -> str:
    """Return a source's date, and mark one from the text alone."""
    return f"{source.date or 'undated'}{' (says its text)' if source.dated_by == 'text' else ''}"


__all__ = ["DatedAnswerTool", "DatedQuestion", "ask_as_of", "readable"]
