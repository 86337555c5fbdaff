"""Questions and dated passages read out of chat prompts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from dateline import Evidence
from dateline.audit.result import AuditProblem
from dateline.documents import evidence_of
from dateline.errors import BadInput
from dateline.evidence.dates import read_date
from dateline.evidence.quoted import unquoted
from dateline.limits import PROMPT
from dateline.reading.history import Turn, read_history
from dateline.reading.prompted import prompted

_HEADER = re.compile(r"^(?:\[E?\d+\][ \t]*)?(source|date|published|title|url|text|highlights)[ \t]*:[ \t]*(.*)$", re.I)
_STATUSES = {f"status: {status.replace('_', ' ')}" for status in get_args(AuditProblem)}
"""Lines behind a block's date, of an audit; what else a passage calls its status is its text."""
_DAY_HEAD = re.compile(r"\s*asked on:[ \t]*([^\n]{1,80})\n[ \t]*\n(?=\[E1\] )")
"""The asking day with which `dated_context` begins."""
_DATED_BLOCK = re.compile(r"\s*\[E?1\] source: [^\n]*\ndate: ")
"""How the first block begins that dateline writes for models."""
_MAX_DATE = 160
_BLANK = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class AskedPrompt:
    """A prompt's question, passages in order, asking day, and earlier chat.

    The asking day is there if the prompt names one.
    """

    question: str
    evidence: tuple[Evidence, ...] = ()
    as_of: datetime | None = None
    history: tuple[Turn, ...] = ()


def asked_prompt(messages: Sequence[BaseMessage]) -> AskedPrompt:
    """Take a prompt apart, in the forms that `ReaderChatModel` lists.

    Raises:
        BadInput: when there is no human message, or no question in it.
    """
    human = next((message for message in reversed(messages) if isinstance(message, HumanMessage)), None)
    if human is None:
        raise BadInput("The prompt holds no human message; put the question in one.")
    asked = prompted(str(human.text))
    question = asked.question.strip()
    context, day = asked.context, asked.day
    if not context:
        system = "\n\n".join(str(message.text) for message in messages if isinstance(message, SystemMessage))
        given = prompted(system)
        # "Answer from what follows:", a blank line, the passages: a system message without a label.
        context = given.context or "\n\n".join(_BLANK.split(system[-PROMPT:])[1:])
        day = day or given.day
    if not question:
        raise BadInput("The last human message holds no question; write one, or a line that starts with question:.")
    as_of = day_of_context(context) or _moment(day)
    return AskedPrompt(question, tuple(passages(context)), as_of, _before(messages, human))


def _before(messages: Sequence[BaseMessage], last: HumanMessage) -> tuple[Turn, ...]:
    """Return the earlier questions, without their passages, and their answers."""
    turns = []
    for message in messages:
        if message is last:
            break
        if isinstance(message, HumanMessage):
            turns.append(Turn("user", prompted(str(message.text)).question.strip()))
        elif isinstance(message, AIMessage):
            turns.append(Turn("assistant", str(message.text)))
    return read_history(turns)


def day_of_context(context: str) -> datetime | None:
    """Return the asking day with which `dated_context` begins a text."""
    head = _DAY_HEAD.match(context)
    return None if head is None else _moment(head[1])


def dated_passages(text: str) -> list[Evidence]:
    """The passages of a text that `dated_context` or `DatedDocuments` wrote.

    None of any other text.
    """
    head = _DAY_HEAD.match(text)
    return passages(text) if _DATED_BLOCK.match(text, head.end() if head else 0) else []


def passages(context: str) -> list[Evidence]:
    """The passages of a context, parted by blank lines.

    Lines such as `date: 2019-03-02`, `title: ...` and `source: ...` in front of a passage are read as such. Where
    any passage has them, a passage begins only where they do, so that its paragraphs stay together. The asking day at
    the head is none.
    """
    if opening := _DAY_HEAD.match(context):
        context = context[opening.end() :]
    blocks = [block.strip("\n") for block in _BLANK.split(context) if block.strip()]
    headed = [_HEADER.match(block.split("\n", 1)[0].strip()) is not None for block in blocks]
    if any(headed):
        joined: list[str] = []
        for block, head in zip(blocks, headed, strict=True):
            if head or not joined:
                joined.append(block)
            else:
                joined[-1] = f"{joined[-1]}\n{block}"
        blocks = joined
    return [piece for block in blocks if (piece := _passage(block)) is not None]


def _passage(block: str) -> Evidence | None:
    fields: dict[str, str] = {}
    lines = block.strip().split("\n")
    for number, line in enumerate(lines):
        if line in _STATUSES and list(fields) == ["source", "date"]:
            continue
        header = _HEADER.match(line.strip())
        if header is None or header[1].lower() in fields:
            rest = lines[number:]
            text = "\n".join(unquoted(rest) if "text" in fields else rest)
            break
        fields[header[1].lower()] = header[2].strip()
    else:
        text = ""
    text = "\n".join(part for part in (fields.get("text", ""), text) if part).strip()
    if not text and not fields.get("title"):
        return None
    said = fields.get("date") or fields.get("published") or ""
    # "May 6, 2021 (12 days before)", as FreshPrompt writes it.
    date = re.sub(r"\s*\(.*\)$", "", said[:_MAX_DATE])
    return evidence_of({**fields, "text": text or fields["title"], "date": date, "published": ""})


def _moment(day: str) -> datetime | None:
    read = read_date(day.strip(), now=None) if day.strip() else None
    return None if read is None or read.end is None else read.last_moment()
