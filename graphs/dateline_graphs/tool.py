"""Answer graph as a tool, alone or in a toolbox with others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from langchain_core.runnables import Runnable

from dateline import BadInput
from dateline.evidence.sanitize import MAX_SHOWN, inert
from dateline.facts import FactSearch, FactStore, ReviewQueue
from dateline.search import UnitedSearch
from dateline.temporal.as_of import AsOf
from dateline.tools import Toolbox, ToolResult, tool_named
from dateline.tools.telling import source_line
from dateline.tools.tool import Answerer
from dateline_graphs.answer import answer_graph
from dateline_graphs.components import Components, components_for, shared_embeddings
from dateline_graphs.options import AnswerOptions
from dateline_graphs.report import AnswerReport, CitedSource
from langchain_dateline.tools import DatelineTool

_ASK = tool_named("ask_as_of")

MOST_SOURCES = 10


@dataclass(frozen=True)
class GraphAnswerer(Answerer):
    """Answerer by a compiled answer graph.

    Attributes:
        graph: the compiled graph.
        context: its options.
    """

    graph: Runnable[Any, Any]
    context: Any = None

    def answer(self, question: str, *, as_of: AsOf) -> ToolResult:
        """Run the graph."""
        asked = {"question": question, "as_of": as_of}
        return result_of(self.graph.invoke(asked, context=self.context)["report"])

    async def aanswer(self, question: str, *, as_of: AsOf) -> ToolResult:
        """Run the graph asynchronously."""
        asked = {"question": question, "as_of": as_of}
        return result_of((await self.graph.ainvoke(asked, context=self.context))["report"])


def ask_as_of(
    components: Components | None = None,
    *,
    options: AnswerOptions | None = None,
    name: str = _ASK.name,
    description: str = _ASK.description,
) -> DatelineTool:
    """A tool that answers questions as of a date: `create_agent(model, tools=[ask_as_of(components)])`.

    The content is the answer with its date, certainty, freshness and sources; the artifact is the whole
    `AnswerReport` as JSON. What cannot be answered (an unreadable date, a search that fails) is told to the model in a
    sentence, and does not end the agent. Where edits of facts wait for a person, the tool stops the agent as the graph
    does, and goes on when it is resumed.

    Args:
        components: the live pieces of the answer graph; `None`: they are made from the options.
        options: the graph's options, such as `AnswerOptions(docs="notes/")`.
        name: what the model calls it.
        description: what the model is told of it.
    """
    box = Toolbox(answerer=GraphAnswerer(answer_graph(components).compile(name=name), options))
    return DatelineTool.of(_ASK, toolbox=box, name=name, description=description)


def with_facts(components: Components, store: FactStore) -> Components:
    """Return components that look things up in a fact store, too."""
    return replace(components, search=UnitedSearch(components.search, FactSearch(store)))


def toolbox(options: AnswerOptions | None = None, *, components: Components | None = None) -> Toolbox:
    """Make the parts of all tools.

    They are documents, a fact store, and the answer graph over both.

    For `langchain_dateline.dateline_tools`, the same of `llama_index.tools.dateline`, and your own.

    Args:
        options: `AnswerOptions(docs="notes/", facts="facts/")`; without `docs` or a search engine there is only the store.
        components: live pieces in place of those that the options describe; their updater's store is the one that is read.

    Raises:
        BadInput: for options that name nothing, and as `components_for`.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.testing import FixedSearch
        >>> from dateline.tools import tools_of
        >>> from dateline_graphs import default_components
        >>> parts = default_components(search=FixedSearch([Evidence.make("Ben leads Acme.")]), options=AnswerOptions())
        >>> [tool.name for tool in tools_of(toolbox(components=parts))]
        ['ask_as_of', 'search_as_of', 'audit', 'resolve_time']
    """
    chosen = options or AnswerOptions()
    if components is None and not chosen.docs and chosen.search == "folder":
        if not chosen.facts:
            raise BadInput("A toolbox needs documents or a fact store; set docs, search or facts.")
        store = chosen.open_facts(embeddings=shared_embeddings())
        return Toolbox(facts=ReviewQueue(store, policy=chosen.policy()))
    live = components or components_for(chosen)
    if live.updater is not None:
        live = with_facts(live, live.updater.review_queue.store)
    return Toolbox(
        answerer=GraphAnswerer(answer_graph(live).compile(name=_ASK.name)),
        search=live.search,
        ranker=live.ranker,
        facts=None if live.updater is None else live.updater.review_queue,
        clock=live.clock,
    )


def result_of(written: dict[str, Any]) -> ToolResult:
    """Return a report as the result of a tool."""
    report = AnswerReport.model_validate(written)
    return ToolResult(text=readable(report), data=_short(report), report=written)


def readable(report: AnswerReport) -> str:
    """Write a report as a model reads it, sources oldest first."""
    answer = inert(report.headline, limit=MAX_SHOWN)
    certainty = f"{report.label} ({report.certainty.reliable:.2f}); {inert(report.decision.reason)}"
    lines = [f"answer: {answer}", f"as of: {report.asked.as_of[:10]}", f"certainty: {certainty}"]
    lines[1:1] = [inert(f"{remark[0].lower()}{remark[1:]}", limit=MAX_SHOWN) for remark in report.remarks]
    lines.append(f"freshness: {inert(report.freshness.statement)}")
    lines += [f"note: {inert(problem)}" for problem in report.problems]
    lines += [_line(number, source) for number, source in enumerate(_used(report), start=1)]
    return "\n".join(lines)


def _short(report: AnswerReport) -> dict[str, Any]:
    """Return what a program mostly needs of a report."""
    shown = {"id", "date", "dated_by", "title", "source", "url", "text"}
    return {
        "answer": report.answer,
        "adopted": report.adopted,
        "as_of": report.asked.as_of,
        "certainty": {"label": report.label, "reliable": report.certainty.reliable, "reason": report.decision.reason},
        "freshness": report.freshness.model_dump(mode="json"),
        "problems": list(report.problems),
        "sources": [source.model_dump(mode="json", include=shown) for source in _used(report)],
    }


def _used(report: AnswerReport) -> list[CitedSource]:
    return [source for source in report.evidence if source.used][-MOST_SOURCES:]


def _line(number: int, source: CitedSource) -> str:
    origin = source.source or source.url
    told = {"dated_by": source.dated_by, "title": source.title, "origin": origin, "text": source.text}
    return source_line(number, date=source.date, **told)
