"""What a chat prompt asks, and from which dated passages: the text of messages taken apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from asof import Evidence
from asof.errors import BadInput
from asof.evidence.dates import read_date
from asof.evidence.metadata import date_of
from asof.reading.history import Turn, read_history

MAX_PROMPT = 400_000
"""Characters of a prompt that are looked at; what stands before them is left out."""

_LABELS = "context|documents|evidence|question|input|answer|helpful answer|asked on|as of"
_LABEL = re.compile(rf"^[ \t*#>]*({_LABELS})[ \t*]*[:：][ \t*]*", re.I | re.M)
_CONTEXT = ("context", "documents", "evidence")
_QUESTION = ("question", "input")
_DAY = ("asked on", "as of")
_HEADER = re.compile(r"^(?:\[E?\d+\][ \t]*)?(source|date|published|title|url|text|highlights)[ \t]*:[ \t]*(.*)$", re.I)
_MAX_DATE = 160
_BLANK = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class AskedPrompt:
    """A question, the passages of its prompt in their order, the asking day if the prompt names one, the chat before it."""

    question: str
    evidence: tuple[Evidence, ...] = ()
    as_of: datetime | None = None
    history: tuple[Turn, ...] = ()


def asked_prompt(messages: Sequence[BaseMessage]) -> AskedPrompt:
    """Take a prompt apart, in the forms in which people write it; see `ReaderChatModel`.

    Raises:
        BadInput: when there is no human message, or no question in it.
    """
    human = next((message for message in reversed(messages) if isinstance(message, HumanMessage)), None)
    if human is None:
        raise BadInput("The prompt holds no human message; put the question in one.")
    asked = _parts(str(human.text)[-MAX_PROMPT:])
    question = asked.question.strip()
    context, day = asked.context, asked.day
    if not context:
        system = "\n\n".join(str(message.text) for message in messages if isinstance(message, SystemMessage))
        given = _parts(system[-MAX_PROMPT:])
        # "Answer from what follows:", a blank line, the passages: a system message without a label.
        context = given.context or "\n\n".join(_BLANK.split(system[-MAX_PROMPT:])[1:])
        day = day or given.day
    if not question:
        raise BadInput("The last human message holds no question; write one, or a line that starts with question:.")
    return AskedPrompt(question, tuple(passages(context)), _moment(day), _before(messages, human))


def _before(messages: Sequence[BaseMessage], last: HumanMessage) -> tuple[Turn, ...]:
    """What was asked, without its passages, and answered before the last question."""
    turns = []
    for message in messages:
        if message is last:
            break
        if isinstance(message, HumanMessage):
            turns.append(Turn("user", _parts(str(message.text)[-MAX_PROMPT:]).question.strip()))
        elif isinstance(message, AIMessage):
            turns.append(Turn("assistant", str(message.text)))
    return read_history(turns)


@dataclass(frozen=True, slots=True)
class _Parts:
    question: str
    context: str = ""
    day: str = ""


def _parts(text: str) -> _Parts:
    """The question, context and asking day of one message; without any mark all of it is the question."""
    for name in ("context", "documents"):
        if (tagged := _tagged(text, name)) is not None:
            rest, context = tagged
            asked = _tagged(rest, "question")
            if asked is not None:
                return _Parts(asked[1], context)
            plain = _labelled(rest)
            return _Parts(plain.question, context, plain.day)
    return _labelled(text)


def _tagged(text: str, name: str) -> tuple[str, str] | None:
    """(what stands around, what stands between) the first opening and the last closing tag of a name."""
    lowered = text.lower() if text.isascii() else text
    start, end = lowered.find(f"<{name}>"), lowered.rfind(f"</{name}>")
    if start < 0 or end < start:
        return None
    return f"{text[:start]}\n{text[end + len(name) + 3 :]}", text[start + len(name) + 2 : end]


def _labelled(text: str) -> _Parts:
    marks = list(_LABEL.finditer(text))
    names = [mark[1].lower() for mark in marks]
    questions = [place for place, name in enumerate(names) if name in _QUESTION]
    contexts = [place for place, name in enumerate(names) if name in _CONTEXT]
    days = [place for place, name in enumerate(names) if name in _DAY]
    if not questions and not contexts:
        return _Parts(text) if not days else _Parts(text[: marks[days[-1]].start()], day=_line(text, marks[days[-1]]))
    day = _line(text, marks[days[-1]]) if days else ""
    if questions and contexts and questions[0] < contexts[0]:
        # The question first: whatever the passages behind it say, they cannot ask another.
        context = text[marks[contexts[0]].end() :]
        if names[-1].endswith("answer") and not text[marks[-1].end() :].strip():
            context = text[marks[contexts[0]].end() : marks[-1].start()]
        return _Parts(text[marks[questions[0]].end() : marks[contexts[0]].start()], context, day)
    if questions:
        # The passages first: the last question is the one that stands outside them.
        last = marks[questions[-1]]
        first = marks[contexts[0]].end() if contexts else 0
        ends = min([last.start(), *(marks[place].start() for place in days if place == questions[-1] - 1)])
        return _Parts(_until_label(text, last), text[first:ends], day)
    before, context = text[: marks[contexts[0]].start()], text[marks[contexts[0]].end() :]
    return _Parts(before, context, day)


def _line(text: str, mark: re.Match[str]) -> str:
    return text[mark.end() :].split("\n", 1)[0]


def _until_label(text: str, mark: re.Match[str]) -> str:
    following = _LABEL.search(text, mark.end())
    return text[mark.end() : following.start() if following else len(text)]


def passages(context: str) -> list[Evidence]:
    """The passages of a context, parted by blank lines.

    Lines such as `date: 2019-03-02`, `title: ...` and `source: ...` in front of a passage are read as such. Where
    any passage has them, a passage begins only where they do, so that its paragraphs stay together.
    """
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
        header = _HEADER.match(line.strip())
        if header is None or header[1].lower() in fields:
            text = "\n".join(lines[number:])
            break
        fields[header[1].lower()] = header[2].strip()
    else:
        text = ""
    text = "\n".join(part for part in (fields.get("text", ""), text) if part).strip()
    if not text and not fields.get("title"):
        return None
    said = fields.get("date") or fields.get("published") or ""
    # "May 6, 2021 (12 days before)", as FreshPrompt writes it.
    published = date_of(re.sub(r"\s*\(.*\)$", "", said[:_MAX_DATE])) if said else None
    return Evidence.make(
        text or fields.get("title", ""),
        title=fields.get("title", ""),
        source=fields.get("source", ""),
        url=fields.get("url", ""),
        published=published,
    )


def _moment(day: str) -> datetime | None:
    read = read_date(day.strip(), now=None) if day.strip() else None
    return None if read is None or read.end is None else read.last_moment()
