"""The tools by name, as models are told of them."""

from __future__ import annotations

from collections.abc import Collection

from dateline.errors import BadInput
from dateline.tools import arguments, memory, passages, times
from dateline.tools.tool import AgentTool, Toolbox

ASK = AgentTool(
    "ask_as_of",
    "Answers a factual question as of a date from dated sources. Gives the answer, how certain it is, how fresh its "
    "evidence is, and the sources with their dates. Use it for anything that changes with time; for the state of an "
    "earlier day, say the day in as_of.",
    arguments.DatedQuestion,
    passages.ask,
    needs=("answerer",),
)
SEARCH = AgentTool(
    "search_as_of",
    "Finds dated passages as they could be read on a day: nothing that was published later. Use it to read the sources "
    "yourself; for an answer use ask_as_of.",
    arguments.DatedQuery,
    passages.search,
    needs=("search", "facts"),
)
REMEMBER = AgentTool(
    "remember",
    "Stores that an attribute of a subject has a value, from a day on. What the attribute was before stays in its "
    "history. Use it when somebody tells something worth keeping; store one value at a time.",
    arguments.ValueToRemember,
    memory.remember,
    needs=("facts",),
    writes=True,
)
HISTORY = AgentTool(
    "history",
    "Tells every value that an attribute of a subject had, from when until when, and which holds on a day. Use it to "
    "recall what was remembered, and for questions about earlier values.",
    arguments.HistoryQuery,
    memory.history,
    needs=("facts",),
)
ASK_FACTS = AgentTool(
    "ask_facts",
    "Answers a question from what was remembered, over one fact or two that lead there, and names them. Use it where the "
    "question goes from one thing to another, such as the city in which somebody's employer is based.",
    arguments.MemoryQuestion,
    memory.ask_facts,
    needs=("facts",),
)
WHAT_CHANGED = AgentTool(
    "what_changed",
    "Lists what became true, or ceased to be true, between two days. Use it for news since a day, and to see which of "
    "the things said earlier no longer hold.",
    arguments.ChangedPeriod,
    memory.what_changed,
    needs=("facts",),
)
AUDIT = AgentTool(
    "audit",
    "Tells which passages are out of date for a question, and by which later passage. Use it before answering from "
    "passages of different dates.",
    arguments.PassagesToAudit,
    passages.audit,
)
RESOLVE_TIME = AgentTool(
    "resolve_time",
    "Tells which days the times in a text mean, counted from a day: 'last quarter', 'two weeks ago', 'before 2019'. Use "
    "it instead of counting days yourself.",
    arguments.TimeText,
    times.resolve_time,
)

TOOLS: tuple[AgentTool, ...] = (ASK, SEARCH, REMEMBER, HISTORY, ASK_FACTS, WHAT_CHANGED, AUDIT, RESOLVE_TIME)


def tool_named(name: str) -> AgentTool:
    """Return a tool by its name.

    Raises:
        BadInput: for an unknown name.
    """
    found = next((tool for tool in TOOLS if tool.name == name), None)
    if found is None:
        raise BadInput(f"There is no tool {name!r}; choose among {', '.join(tool.name for tool in TOOLS)}.")
    return found


def tools_of(toolbox: Toolbox, *, only: Collection[str] = ()) -> list[AgentTool]:
    """List the tools that a toolbox has the parts for.

    Args:
        only: names of tools; empty: all of them.

    Raises:
        BadInput: for an unknown name, or a tool whose part is missing.
    """
    chosen = [tool_named(name) for name in only] or [tool for tool in TOOLS if toolbox.has(*tool.needs)]
    for tool in chosen:
        if not toolbox.has(*tool.needs):
            raise BadInput(f"{tool.name} needs {' or '.join(tool.needs)} in its toolbox; give one, or leave it out.")
    return chosen
