"""A tool, the live parts that it works with, and its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pydantic import Field

from dateline.errors import BadInput
from dateline.flow import Flow, twins
from dateline.options import BaseOptions, wrong_part
from dateline.protocols import Ranker, Search
from dateline.records import Record
from dateline.stopping import in_thread
from dateline.temporal.as_of import AsOf, Clock, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import asked_question

if TYPE_CHECKING:
    from dateline.audit import Auditor
    from dateline.facts import ReviewQueue

Part = Literal["answerer", "search", "facts"]
"""The part of a toolbox that a tool cannot do without."""


class ToolResult(Record):
    """Result of a tool: text for a model, data for a program.

    Example:
        >>> print(ToolResult(text="Nothing changed.", data={"changes": []}))
        Nothing changed.
    """

    text: str = Field(description="What a model reads: short lines, without live links.")
    data: dict[str, Any] = Field(description="The same as JSON.")
    report: dict[str, Any] | None = Field(default=None, description="The whole report, where there is one.")

    def __str__(self) -> str:
        return self.text


class Answerer(Protocol):
    """Answers questions as of a date; the answer graph is one."""

    def answer(self, question: str, *, as_of: AsOf) -> ToolResult:
        """Answer, with the whole report."""
        ...

    async def aanswer(self, question: str, *, as_of: AsOf) -> ToolResult:
        """Answer asynchronously."""
        return await in_thread(self.answer, question, as_of=as_of)


@dataclass(frozen=True)
class Toolbox:
    """Live parts that tools work with.

    A tool whose part is missing is not offered.

    Attributes:
        answerer: answers questions, such as `dateline_graphs.toolbox` makes one.
        search: where passages come from; without it, facts are searched.
        ranker: puts passages in the order of their fit to a question and its time.
        facts: a fact store under its policy, as `ReviewQueue(store, policy=...)`.
        auditor: tells which passages are out of date; by default one made once for all.
        channel: through which `remember` speaks; a policy's `sources` may name it.
        clock: tells what now is.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> from dateline.tools import tool_named
        >>> box = Toolbox(search=FixedSearch([Evidence.make("Ben leads Acme.", published=Interval.of_year(2021))]))
        >>> print(tool_named("search_as_of").run(box, {"query": "Who leads Acme?", "as_of": "2024"}))
        as of: 2024-12-31
        [1] 2021 | Ben leads Acme.
    """

    answerer: Answerer | None = None
    search: Search | None = None
    ranker: Ranker | None = None
    facts: ReviewQueue | None = None
    auditor: Auditor | None = None
    channel: str = "tool"
    clock: Clock = now

    def __post_init__(self) -> None:
        if self.facts is not None and not hasattr(self.facts, "decide"):
            raise wrong_part(self.facts, name="facts", give="ReviewQueue(store)")

    def has(self, *parts: Part) -> bool:
        """Check that one of the parts is there; without any, it is."""
        return not parts or any(getattr(self, part) is not None for part in parts)

    def asked(self, text: str, *, as_of: AsOf) -> Question:
        """Take what was asked apart as of a day.

        Raises:
            BadInput: for text without words, or an unreadable or later day.
        """
        return asked_question(text, as_of=asking_moment(as_of, clock=self.clock), clock=self.clock)


@dataclass(frozen=True)
class AgentTool:
    """A tool that an agent may call.

    Attributes:
        name: the name that a model calls.
        description: what a model is told of it: what it does, and when to use it.
        arguments: a model of its arguments, whose errors are one sentence.
        body: what it does, with a toolbox and its arguments.
        needs: one of these parts must be there.
        writes: whether it changes something.
    """

    name: str
    description: str
    arguments: type[BaseOptions]
    body: Callable[[Toolbox, Any], Flow[ToolResult]]
    needs: tuple[Part, ...] = ()
    writes: bool = False

    def _run(self, toolbox: Toolbox, arguments: Mapping[str, Any]) -> Flow[ToolResult]:
        """Do it.

        Raises:
            BadInput: for arguments that it cannot work with, in one sentence.
            DatelineError: when a part fails.
        """
        if not toolbox.has(*self.needs):
            raise BadInput(f"{self.name} needs {' or '.join(self.needs)} in its toolbox; give one.")
        return (yield from self.body(toolbox, self.arguments(**arguments)))

    run, arun = twins(_run)
