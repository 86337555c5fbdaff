"""TempEval-3 task A: time expressions in news (UzZaman et al., 2013)."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dateline.errors import BadInput
from dateline.temporal import Interval, find_expressions
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.shares import share
from dateline_bench.timex import timex_type, timex_value

_DATED = ("DATE", "TIME")


@dataclass(frozen=True, slots=True)
class TempevalMention:
    """Time expression: extent, TIMEX3 type and value."""

    start: int
    end: int
    text: str
    type: str
    value: str


@dataclass(frozen=True, slots=True)
class TempevalDocument:
    """A news text with its creation time and its annotated time expressions."""

    name: str
    text: str
    created: Interval | None
    mentions: tuple[TempevalMention, ...]


def read_document(path: Path) -> TempevalDocument:
    """Read a TimeML file. Raises `BadInput` where it is not one."""
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, LookupError) as cause:
        raise BadInput(f"{path} is not well-formed TimeML: {cause}.") from cause
    body = root.find(".//TEXT")
    if body is None:
        raise BadInput(f"{path} has no TEXT element; a TimeML document keeps its text there.")
    pieces: list[str] = []
    mentions: list[TempevalMention] = []
    _walk(body, pieces, mentions)
    stamp = root.find(".//DCT/TIMEX3")
    created = None if stamp is None else Interval.parse(stamp.get("value", "")[:10])
    return TempevalDocument(path.name, "".join(pieces), created, tuple(mentions))


def _walk(element: ElementTree.Element, pieces: list[str], mentions: list[TempevalMention]) -> None:
    start = sum(map(len, pieces))
    pieces.append(element.text or "")
    for child in element:
        _walk(child, pieces, mentions)
        pieces.append(child.tail or "")
    if element.tag == "TIMEX3":
        text = "".join(pieces)[start:]
        mentions.append(
            TempevalMention(start, start + len(text), text, element.get("type", ""), element.get("value", ""))
        )


def found_in(document: TempevalDocument) -> list[TempevalMention]:
    """Find a document's time expressions, given its creation time."""
    return [
        TempevalMention(found.start, found.end, found.text, timex_type(found), timex_value(found))
        for found in find_expressions(document.text, anchor=document.created, ranges="none")
    ]


def pairs(
    gold: Sequence[TempevalMention], found: Sequence[TempevalMention]
) -> list[tuple[TempevalMention, TempevalMention]]:
    """Gold and found mentions that overlap, each used once, same extents first."""
    taken_gold: set[int] = set()
    taken_found: set[int] = set()
    matched = []
    for strict in (True, False):
        for i, expected in enumerate(gold):
            for j, candidate in enumerate(found):
                if i in taken_gold or j in taken_found:
                    continue
                same = (expected.start, expected.end) == (candidate.start, candidate.end)
                overlapping = expected.start < candidate.end and candidate.start < expected.end
                if same if strict else overlapping:
                    taken_gold.add(i)
                    taken_found.add(j)
                    matched.append((expected, candidate))
    return matched


def canonical(value: str) -> str:
    """Normalise a TIMEX3 value: 1994-XX-XX is 1994, 199X is 199."""
    value = re.sub(r"-W(\d)(?!\d)", r"-W0\1", value)
    return re.sub(r"(?:-XX|-WXX|(?<=\d)X{1,2})+$", "", value)


@dataclass(slots=True)
class _TempevalTally:
    gold: int = 0
    found: int = 0
    relaxed: int = 0
    strict: int = 0
    type: int = 0
    value: int = 0
    canonical: int = 0

    def add(self, gold: Sequence[TempevalMention], found: Sequence[TempevalMention]) -> None:
        self.gold += len(gold)
        self.found += len(found)
        for expected, candidate in pairs(gold, found):
            self.relaxed += 1
            self.strict += (expected.start, expected.end) == (candidate.start, candidate.end)
            self.type += expected.type == candidate.type
            self.value += expected.value == candidate.value
            self.canonical += canonical(expected.value) == canonical(candidate.value)

    def f1(self, correct: int) -> float:
        return share(2 * correct, self.gold + self.found)


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `.tml` files, anchored at their creation times.

    `strict_f1`, `relaxed_f1`: same or overlapping extent; `type_f1`, `value_f1`: overlapping, and the same type or
    value, compared as strings; `value_f1_canonical` takes spellings of one value for equal. These count DATE and TIME;
    `relaxed_f1_all` counts durations and sets too.
    """
    refuse_unknown(options)
    paths = sorted(folder.glob("*.tml"))
    if not paths:
        raise BadInput(f"{folder} holds no .tml file; TempEval-3 comes as TimeML, one file a document.")
    paths = sorted(drawn(paths, limit=limit, seed=seed))
    dated, everything = _TempevalTally(), _TempevalTally()
    characters, seconds = 0, 0.0
    for path in watched(paths, stage="documents", progress=progress):
        document = read_document(path)
        begun = time.perf_counter()
        found = found_in(document)
        seconds += time.perf_counter() - begun
        characters += len(document.text)
        dated.add(
            [mention for mention in document.mentions if mention.type in _DATED],
            [mention for mention in found if mention.type in _DATED],
        )
        everything.add(document.mentions, found)
    return BenchmarkReport(
        benchmark="tempeval3",
        n=len(paths),
        configuration={"types": list(_DATED), "anchor": "document creation time"},
        metrics={
            "strict_f1": dated.f1(dated.strict),
            "relaxed_f1": dated.f1(dated.relaxed),
            "relaxed_precision": share(dated.relaxed, dated.found),
            "relaxed_recall": share(dated.relaxed, dated.gold),
            "type_f1": dated.f1(dated.type),
            "value_f1": dated.f1(dated.value),
            "value_f1_canonical": dated.f1(dated.canonical),
            "value_accuracy": share(dated.value, dated.relaxed),
            "relaxed_f1_all": everything.f1(everything.relaxed),
        },
        baselines={},
        cost={"seconds": seconds, "characters_per_second": characters / seconds if seconds else 0.0},
    )
