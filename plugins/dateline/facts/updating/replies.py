"""Replies, read strictly where structured and tolerantly where not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, Field

from dateline.chat import spoken, without_thoughts
from dateline.limits import FIELD, REPLY, shortened

VerdictWord = Literal["reinforce", "make false", "ends"]


class StatedFacts(BaseModel):
    """The facts that a document states."""

    facts: list[str] = Field(description="One simple statement each, understandable alone.")


class FactVerdictItem(BaseModel):
    """Verdict of the document on one known fact."""

    fact: str = Field(description="Label of the known fact, such as F1.")
    verdict: Literal["reinforce", "make false", "ends", "no change"]
    because: list[str] = Field(description="Labels of the lines that decide, such as S2; empty where none does.")
    new: list[str] = Field(description="Labels of new facts, such as N1; mostly empty.")
    into: str = Field(description="What takes the place of a fact made false; empty where nothing does.")


class FactVerdicts(BaseModel):
    """Verdicts on the known facts; those left out stay unchanged."""

    verdicts: list[FactVerdictItem]


class FactVerdict(NamedTuple):
    """A verdict as it was read; numbers count from 1."""

    fact: int
    word: VerdictWord
    sentences: tuple[int, ...] = ()
    facts: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    into: str = ""


_LABEL = re.compile(r"^[\W_]*+([FSN]?)\s*+(\d{1,6})\b", re.I)
# What stands before a verdict is taken whole, with or without one behind it, so that no line is looked at twice.
_LINE = re.compile(
    r"^\W*+(?:F(?P<fact>\d{1,6})\b[^\n]*?\b(?P<word>reinforce[ds]?|makes?[ _-]false|no[ _-]change|ends)\b(?P<rest>[^\n]*))?",
    re.I | re.M,
)
_REFERENCE = re.compile(r"\b([SFN])(\d{1,6})\b")
_NOTHING = re.compile(r"\W*(?:no (?:new |further )?(?:facts?|changes?|verdicts?)|none)\W*", re.I)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+")
_WORDS: Mapping[str, VerdictWord] = {
    "reinforce": "reinforce",
    "reinforced": "reinforce",
    "reinforces": "reinforce",
    "support": "reinforce",
    "supports": "reinforce",
    "make false": "make false",
    "makes false": "make false",
    "made false": "make false",
    "false": "make false",
    "contradicts": "make false",
    "ends": "ends",
}


def read_facts(reply: str) -> list[str] | None:
    """Read statements from a reply to `prompts.extract`, or `None` if unreadable."""
    text = _bare(reply)
    value = _json(text)
    if isinstance(value, Mapping):
        value = _lowered(value).get("facts")
    if isinstance(value, list):
        read = [statement for item in value if (statement := _statement(item))]
        return read if read or not value else None
    if _NOTHING.fullmatch(text):
        return []
    # One fact a line, as ERASE's own prompt asks for; what is no fact is found out by its words.
    lines = [_BULLET.sub("", line).strip() for line in text.splitlines() if _BULLET.match(line)]
    return lines or None


def read_verdicts(reply: str) -> list[FactVerdict] | None:
    """Read verdicts from a reply to `prompts.judge` or `prompts.rewrite`, or `None`."""
    text = _bare(reply)
    value = _json(text)
    if isinstance(value, Mapping):
        lowered = _lowered(value)
        value = lowered.get("verdicts", [lowered] if "fact" in lowered else None)
    if isinstance(value, list):
        items = [_lowered(item) for item in value if isinstance(item, Mapping)]
        read = [_verdict(item) for item in items]
        # A list of something else was no answer; one with some odd items is an answer without those.
        return (
            [one for one in read if one] if any(read) or not value or (all(map(_unchanged, items)) and items) else None
        )
    if _NOTHING.fullmatch(text):
        return []
    lines = [_of_line(match) for match in _LINE.finditer(text) if match["fact"]]
    return [one for one in lines if one] if lines else None


def _verdict(item: Mapping[str, Any]) -> FactVerdict | None:
    numbers = _numbers(item.get("fact"), kind="F")
    word = _WORDS.get(_plain(item.get("verdict")))
    if len(numbers) != 1 or word is None:
        return None
    because = item.get("because")
    return FactVerdict(
        fact=numbers[0],
        word=word,
        sentences=_numbers(because, kind="S"),
        facts=_numbers(because, kind="F", labelled=True),
        new=_numbers(item.get("new"), kind="N"),
        into=_fact(item.get("into")),
    )


def _of_line(match: re.Match[str]) -> FactVerdict | None:
    word = _WORDS.get(_plain(match["word"]))
    if word is None:
        return None
    referred = {kind: [int(n) for k, n in _REFERENCE.findall(match["rest"]) if k == kind] for kind in "SFN"}
    return FactVerdict(int(match["fact"]), word, tuple(referred["S"]), tuple(referred["F"]), tuple(referred["N"]))


def _unchanged(item: Mapping[str, Any]) -> bool:
    return _plain(item.get("verdict")) in ("no change", "unchanged", "keep")


def _plain(value: object) -> str:
    return " ".join(re.findall(r"[a-z]+", value.casefold())) if isinstance(value, str) else ""


def _numbers(value: object, *, kind: str, labelled: bool = False) -> tuple[int, ...]:
    """Return the label numbers of one kind; bare numbers unless `labelled`."""
    values = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(number for each in values for number in _labels(each, kind=kind, labelled=labelled)))


def _labels(value: object, *, kind: str, labelled: bool) -> Iterator[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        if not labelled:
            yield value
        return
    for part in value.split(",") if isinstance(value, str) else ():
        match = _LABEL.match(part)
        if match and (match[1].upper() == kind or (not match[1] and not labelled)):
            yield int(match[2])


def _statement(item: object) -> str:
    if isinstance(item, Mapping):
        item = next((item[name] for name in ("fact", "text", "statement") if isinstance(item.get(name), str)), "")
    return _fact(item)


def _fact(value: object) -> str:
    """Return a fact's words on one line, or nothing if too long."""
    words = " ".join(value.split()) if isinstance(value, str) else ""
    return words if len(words) <= FIELD else ""


def _bare(reply: str) -> str:
    return without_thoughts(shortened(reply, limit=REPLY))


def _json(text: str) -> Any:
    """Parse what stands between the outermost brackets, or return `None`.

    What is empty must be all of the text.
    """
    starts = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    end = max(text.rfind("}"), text.rfind("]"))
    if not starts or end < min(starts):
        return None
    found = text[min(starts) : end + 1]
    try:
        value = json.loads(found)
    except (ValueError, RecursionError):
        return None
    # Two brackets among other marks are no list of nothing.
    return value if value or spoken(text) == found else None


def _lowered(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name).casefold(): inner for name, inner in value.items()}
