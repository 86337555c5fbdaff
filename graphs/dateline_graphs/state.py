"""State of the answer graph: JSON, versioned, readable at every step.

Values are the JSON forms of dateline's records, so that a checkpoint written today is a document that
any program can read. Each node reads what it needs back into its record and writes JSON again.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.graph.message import add_messages
from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from dateline.errors import BadInput
from dateline.limits import shortened
from dateline.reading.history import read_history
from dateline.temporal.as_of import AsOfField, Clock
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import question_text
from dateline_graphs.json_forms import json_form
from dateline_graphs.report import AnswerReport

STATE_VERSION = 2
"""Raised by one whenever the meaning of a field changes."""

Json = dict[str, Any]


class TurnInput(TypedDict, total=False):
    """Turn of a chat as a person fills it in."""

    role: Annotated[str, Field(description="user or assistant.")]
    content: Annotated[str, Field(description="What was said.")]


_SPOKEN = {
    "type": "object",
    "title": "Message",
    "description": "One message.",
    "properties": {
        "role": {"type": "string", "title": "Role", "description": "user or assistant."},
        "content": {"type": "string", "title": "Content", "description": "What was said."},
    },
}
Message = Annotated[BaseMessage | dict[str, Any], WithJsonSchema(_SPOKEN)]
"""A message of a chat: LangChain's, or a role and a content."""


class QuestionInput(TypedDict, total=False):
    """Question and its day; only the question is required."""

    question: Annotated[str, Field(description="The question, in words.")]
    as_of: Annotated[AsOfField, Field(description="Ask as of then: 2024, 2024-05-01, May 2024, … Empty: now.")]


class AnswerInput(QuestionInput, total=False):
    """Input of a run: a question, or messages that end with one."""

    choices: Annotated[list[str], Field(description="Where given, the answer is one of these.")]
    history: Annotated[
        list[TurnInput],
        Field(description="The chat before the question, oldest turn first; what it leans on is filled in."),
    ]
    messages: Annotated[
        list[Message],
        Field(description="In place of question and history: a chat that ends with the question."),
        add_messages,
    ]


class AnswerOutput(TypedDict, total=False):
    """Output of a run."""

    report: Annotated[
        Json, json_form(AnswerReport, told="The answer with its evidence, certainty, freshness, trace and cost.")
    ]
    messages: Annotated[list[Message], Field(description="The chat with the answer, where one came in."), add_messages]
    steps: Annotated[list[Json], Field(description="Every decision, as it was made."), operator.add]


class AnswerState(AnswerInput, AnswerOutput, total=False):
    """Everything in between; the node named beside a field writes it."""

    schema_version: int
    rewritten: Json  # rewrite: {"said", "question", "by", "reason", "query"}; empty without a history
    parsed: Json  # decompose: dateline.Question
    queries: list[str]  # decompose, hop: one search each
    hops: list[Json]  # decompose, hop: {"part", "query", "answer", "tried"} of each sub-question
    found: Annotated[list[Json], operator.add]  # search: one SearchResult or {"query", "failed"} a query
    pool: list[Json]  # evidence: dateline.Evidence, ordered, within the budget
    ranked: list[Json]  # rerank: dateline.RankedEvidence, best first
    shown: list[Json]  # rerank, retrieve_again: dateline.RankedEvidence that the reader sees
    premises: list[Json]  # premises: dateline_graphs.report.TakenForGranted, where they are checked
    attempts: Annotated[list[Json], operator.add]  # answer: one dateline.certainty.Attempt a round
    decision: Json  # gate: dateline.certainty.gate.GateDecision
    facts: Json  # update_facts, approve_facts: what changed in the fact store
    held: list[str]  # update_facts: ids of edits that wait for a person


class SearchTask(TypedDict):
    """Task of one parallel search."""

    schema_version: int
    query: str
    parsed: Json


def check_version(state: Mapping[str, Any]) -> None:
    """Refuse a state that another version of dateline wrote. Raises `BadInput`."""
    version = state.get("schema_version", STATE_VERSION)
    if version != STATE_VERSION:
        raise BadInput(
            f"This checkpoint holds state schema {version}, but this version of dateline reads schema {STATE_VERSION}; "
            "start a new thread, or resume it with the version that wrote it."
        )


def checked_input(given: Mapping[str, Any]) -> None:
    """Refuse values of an input that are not of their field's type.

    LangGraph lets any in: a text in place of a list of choices would be read letter by letter.

    Raises:
        BadInput: for the first of them.
    """
    if not isinstance(given.get("question"), str | None):
        raise BadInput(f'question must be a text such as "Who is the pope?", not {shown(given["question"])}.')
    if not isinstance(given.get("messages"), str | Sequence | Mapping | BaseMessage | None):
        raise BadInput(f"messages must be a list of messages, not {shown(given['messages'])}.")
    checked_choices(given.get("choices"))
    read_history(given.get("history"))


def checked_choices(given: Any) -> list[str]:
    """Return the answers to choose from. Raises `BadInput`."""
    if given is None:
        return []
    if isinstance(given, list | tuple) and all(isinstance(each, str) and each.strip() for each in given):
        return list(given)
    raise BadInput(f'choices must be a list of texts such as ["Paris", "Rome"], not {shown(given)}.')


def shown(value: object) -> str:
    """Return a bad value as an error shows it."""
    return shortened(repr(value), limit=60)


def asked(state: Mapping[str, Any], *, clock: Clock) -> tuple[str, datetime]:
    """Read the question and its moment from a state. Raises `BadInput`."""
    spoken = waiting_chat(state)
    if not spoken and state.get("question") is None:
        raise BadInput("There is no question; give `question`, or `messages` that end with a person's.")
    text = str(spoken[-1].text) if spoken else state["question"]
    return question_text(text), asking_moment(state.get("as_of"), clock=clock)


def chat_before(state: Mapping[str, Any]) -> list[Any]:
    """Return what was said before the question."""
    return waiting_chat(state)[:-1] or list(state.get("history") or ())


def waiting_chat(state: Mapping[str, Any]) -> list[BaseMessage]:
    """Return a chat that waits for its answer, or nothing.

    Beside a question none waits: a turn that failed leaves its message in the thread.
    """
    messages: list[BaseMessage] = state.get("messages") or []
    waits = state.get("question") is None and messages and isinstance(messages[-1], HumanMessage)
    return messages if waits else []
