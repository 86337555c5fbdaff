"""Repetitions of a request in its reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from langchain_core.messages import BaseMessage

from dateline.chat.reply import reply_text

# A template's marks at either end of a line: "<|im_end|>", "</s>", "[/INST]".
_MARKS = r"(?:\s*(?:<[^<>\s]{1,40}>|\[/?[A-Z_]{2,20}\]))"
_OPENING, _CLOSING = re.compile(rf"^{_MARKS}+\s*"), re.compile(rf"{_MARKS}+\s*$")
_ROLES = frozenset({"", "system", "user", "assistant", "model"})


def without_echo(text: str, *, asked: Sequence[BaseMessage]) -> str:
    """Return a reply without the lines that it repeats of its request.

    Models that complete a text give the request back in front of the reply, small ones parts of it, with the form and
    the worked examples, which would pass for an answer. Two lines in a row that stand so in the request are repeated
    ones, and so is its last line; a single line may be the answer.

    Example:
        >>> from langchain_core.messages import HumanMessage
        >>> asked = [HumanMessage("question: Who leads Acme?\\nReply in this form:\\nanswer: <name>")]
        >>> without_echo("Reply in this form:\\nanswer: <name>\\nanswer: Ben Hall", asked=asked)
        'answer: Ben Hall'
    """
    told = [line for message in asked for line in _lines(reply_text(message))]
    pairs = set(pairwise(told))
    lines = text.splitlines()
    full = [place for place, line in enumerate(lines) if line.strip()]
    bare = {place: _bare(lines[place]) for place in full}
    gone = {place for place in full if told and bare[place] == told[-1]}
    for first, second in pairwise(full):
        if (bare[first], bare[second]) in pairs:
            gone |= {first, second}
    if not gone:
        return text
    gone |= {place for place in full if bare[place] in _ROLES and bare[place] != lines[place].strip()}
    return "\n".join(line for place, line in enumerate(lines) if place not in gone).strip()


def _lines(text: str) -> Iterator[str]:
    return (_bare(line) for line in text.splitlines() if line.strip())


def _bare(line: str) -> str:
    """Return a line without white space and marks around it."""
    return _CLOSING.sub("", _OPENING.sub("", line)).strip()
