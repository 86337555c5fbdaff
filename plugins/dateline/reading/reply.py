"""Replies of a reader's chat model, parsed tolerantly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dateline.chat import json_in, spoken
from dateline.reading.answer_text import NOTHING_ASKED, AskedText, answer_in, citations_in
from dateline.text import content_words
from dateline.text.words import STOPWORDS

_LABELS = "reasoning|final answer|answer|response|evidence|sources?|cited evidence"
# What stands before a label is taken whole, with or without one behind it, so that no line is looked at twice.
_LABEL = re.compile(rf"^[\s>*_#\-]*+(?:({_LABELS})\s*+[*_]*+\s*+[:：][*_]*[ \t]*)?", re.I | re.M)
_OTHER_LABEL = re.compile(r"\n(?=[a-z][a-z -]{0,19}:)", re.I)
_LETTER = re.compile(r"\(?\b([A-Z]\d?)\b\)?(?=[).:,\s]|$)")
_UNKNOWN = re.compile(
    r"(?:the answer is )?(?:(?P<word>unknown|unclear|n/a|(?-i:NA|na))|none|not (?:known|stated|given|available|enough (?:evidence|information))"
    r"|no answer|empty response|cannot be (?:determined|answered)|i (?:do not|don['’]t) know|insufficient (?:evidence|information))\b",
    re.I,
)
_CLOSING = 60
"""Characters that may follow, in small letters or behind a mark: "None Shall Pass" is an answer, "none in the text" is none."""
_LED_ON = STOPWORDS | {"based", "given", "according"}
"""What leads on behind a single word: "unknown gunmen" are an answer, "unknown from these notes" is none."""


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


def parse_reply(text: str, *, choices: Sequence[str] = (), asked: AskedText = NOTHING_ASKED) -> Reply | None:
    """Parse a reply, or return `None` without a usable answer.

    With `choices`, an answer that is none of them is not usable.
    """
    text = spoken(text)
    fields = fields_in(text)
    labelled = "answer" in fields
    said = fields["answer"] if labelled else text
    reasoning = fields.get("reasoning", "").strip()
    cites = citations_in(fields.get("evidence", "")) or citations_in(f"{reasoning} {said}")
    if is_unknown(said) and _plain(said) not in map(_plain, choices):
        return Reply("", reasoning, cites)
    if choices and (said := said.split("\n\n")[0].strip('*_`"“” ')) and (labelled or _LETTER.fullmatch(said)):
        chosen = chosen_of(said, choices)
        if chosen is not None:
            return Reply(choices[chosen], reasoning, cites, chosen)
    answer = answer_in(said, labelled=labelled, asked=asked)
    if answer is None:
        return None
    if is_unknown(answer):
        return Reply("", reasoning, cites)
    if not choices:
        return Reply(answer, reasoning, cites)
    chosen = chosen_of(answer, choices)
    return None if chosen is None else Reply(choices[chosen], reasoning, cites, chosen)


def fields_in(text: str) -> dict[str, str]:
    """Return what a reply has under "answer", "reasoning" and "evidence"."""
    return _of_json(text) or _of_labels(text)


def is_unknown(answer: str) -> bool:
    """Return whether an answer says that there is none."""
    said = " ".join(answer.split()).strip('*_`"“” .')
    found = _UNKNOWN.match(said)
    return found is not None and _closes(said[found.end() :], word=bool(found["word"]))


def _closes(rest: str, *, word: bool) -> bool:
    """Return whether what follows a "none" goes on with it."""
    following = re.match(r"\s+(\w+)", rest)
    if following is None:
        return len(rest) <= _CLOSING and rest[:1] not in ("-", "'", "’")
    return len(rest) <= _CLOSING and following[1].islower() and (not word or following[1] in _LED_ON)


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
    within = [index for index, choice in enumerate(plain) if content_words(said) and f" {said} " in f" {choice} "]
    found = named or within
    return found[0] if len(found) == 1 else None


def _of_json(text: str) -> dict[str, str]:
    """The fields of a reply in JSON, however it is wrapped."""
    value = json_in(text) or {}
    lowered = {str(name).lower(): inner for name, inner in value.items()}
    told = {name: _told(lowered.get(name)) for name in ("answer", "reasoning", "evidence")}
    return {name: text for name, text in told.items() if text is not None}


def _told(value: object) -> str | None:
    """Return a text or number, or those of a list, as text."""
    values = value if isinstance(value, list) else [value]
    told = [str(one) for one in values if isinstance(one, str | int | float) and not isinstance(one, bool)]
    return ", ".join(told) if told else None


def _of_labels(text: str) -> dict[str, str]:
    """Read the text behind each label; the last one counts."""
    marks = [mark for mark in _LABEL.finditer(text) if mark[1]]
    fields: dict[str, str] = {}
    for number, mark in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(text)
        fields[_field(mark[1])] = _OTHER_LABEL.split(text[mark.end() : end].strip())[0]
    if marks and "reasoning" not in fields and (before := text[: marks[0].start()].strip()):
        fields["reasoning"] = before
    return fields


def _field(label: str) -> str:
    label = label.lower()
    if label in ("answer", "final answer", "response"):
        return "answer"
    return "reasoning" if label == "reasoning" else "evidence"


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
