"""Replies of a reader's chat model, parsed tolerantly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dateline.chat import json_in, spoken

MAX_ANSWER = 600
"""Characters of an answer."""

MAX_BARE = 200
"""A reply without any label that is no longer than this is itself the answer."""

_LABELS = "reasoning|final answer|answer|response|evidence|sources?|cited evidence"
# What stands before a label is taken whole, with or without one behind it, so that no line is looked at twice.
_LABEL = re.compile(rf"^[\s>*_#\-]*+(?:({_LABELS})\s*+[*_]*+\s*+[:：][*_]*[ \t]*)?", re.I | re.M)
_CITED = re.compile(r"\bE(\d{1,4})\b")
_LETTER = re.compile(r"\(?\b([A-Z]\d?)\b\)?(?=[).:,\s]|$)")
_UNKNOWN = re.compile(
    r"(?:the answer is )?(?:unknown|unclear|none|n/?a|not (?:known|stated|given|available|enough (?:evidence|information))"
    r"|no answer|cannot be (?:determined|answered)|i (?:do not|don't) know|insufficient (?:evidence|information))\b.{0,60}",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply taken apart.

    Attributes:
        answer: empty when the model says that the evidence does not answer.
        cites: numbers of the cited evidence, from 1.
        choice: index of the chosen one of given choices.
    """

    answer: str
    reasoning: str = ""
    cites: tuple[int, ...] = ()
    choice: int | None = None


def parse_reply(text: str, *, choices: Sequence[str] = ()) -> Reply | None:
    """Parse a reply, or return `None` without a usable answer.

    With `choices`, an answer that is none of them is not usable.
    """
    text = spoken(text)
    fields = _of_json(text) or _of_labels(text)
    if "answer" not in fields and 0 < len(text) <= MAX_BARE and "\n\n" not in text and not fields:
        fields = {"answer": text}
    answer = _clean(fields.get("answer", ""))
    if not answer:
        return None
    reasoning = fields.get("reasoning", "").strip()
    cites = _numbers(fields.get("evidence", "")) or _numbers(f"{reasoning} {answer}")
    answer = re.sub(r"\s*\[E\d+(?:,\s*E?\d+)*\]", "", answer).strip()
    if _UNKNOWN.fullmatch(answer.rstrip(".")):
        return Reply("", reasoning, cites)
    if not choices:
        return Reply(answer, reasoning, cites)
    chosen = chosen_of(answer, choices)
    return None if chosen is None else Reply(choices[chosen], reasoning, cites, chosen)


def chosen_of(answer: str, choices: Sequence[str]) -> int | None:
    """Match an answer to the index of a choice.

    By its whole text, its letter, or the only choice that it names.
    """
    plain = [_plain(choice) for choice in choices]
    said = _plain(answer)
    if said in plain:
        return plain.index(said)
    if (letter := _LETTER.match(answer.strip())) is not None:
        index = ord(letter[1][0]) - ord("A") + 26 * int(letter[1][1:] or 0)
        rest = _plain(answer[letter.end() :])
        if index < len(choices) and (not rest or plain[index] in rest or rest in plain[index]):
            return index
    named = [index for index, choice in enumerate(plain) if choice and f" {choice} " in f" {said} "]
    if len(named) > 1:
        # One choice may be a part of another ("March" and "March 2020"): the longest says most.
        longest = max(named, key=lambda index: len(plain[index]))
        named = [longest] if all(plain[index] in plain[longest] for index in named) else []
    within = [index for index, choice in enumerate(plain) if said and f" {said} " in f" {choice} "]
    found = named or within
    return found[0] if len(found) == 1 else None


def _of_json(text: str) -> dict[str, str]:
    """The fields of a reply in JSON, however it is wrapped."""
    value = json_in(text) or {}
    lowered = {str(name).lower(): inner for name, inner in value.items()}
    return {
        name: ", ".join(map(str, inner)) if isinstance(inner, list) else str(inner)
        for name in ("answer", "reasoning", "evidence")
        if (inner := lowered.get(name)) is not None
    }


def _of_labels(text: str) -> dict[str, str]:
    """Read the text behind each label; the last one counts."""
    marks = [mark for mark in _LABEL.finditer(text) if mark[1]]
    fields: dict[str, str] = {}
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        fields[_field(mark[1])] = text[mark.end() : end].strip()
    if marks and "reasoning" not in fields and (before := text[: marks[0].start()].strip()):
        fields["reasoning"] = before
    return fields


def _field(label: str) -> str:
    label = label.lower()
    if label in ("answer", "final answer", "response"):
        return "answer"
    return "reasoning" if label == "reasoning" else "evidence"


def _clean(answer: str) -> str:
    answer = answer.strip().split("\n\n")[0]
    answer = " ".join(answer.split()).strip('*_`"“” ')
    return answer[:MAX_ANSWER].rstrip()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in _CITED.findall(text)))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
