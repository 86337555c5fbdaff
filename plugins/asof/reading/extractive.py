"""A small local reader: extracts its answer from dated evidence with no model."""

from __future__ import annotations

import math
import re
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from asof.protocols import ReadResult
from asof.reading.asked import Asked, asked
from asof.reading.choices import choose
from asof.reading.clues import Clue, find_clues
from asof.reading.spans import Span, find_spans, unit_after
from asof.reading.timing import fits
from asof.reading.vocabulary import ORGANISATION
from asof.records import Candidate, Cost, Evidence, Reading
from asof.temporal.constraint import Question
from asof.text.words import STOPWORDS, words

MAX_CANDIDATES = 10
"""Alternatives that a reading lists."""

_SHARPNESS = 12.0
"""Inverse temperature of the softmax over candidate scores."""
_NO_ANSWER = 0.35
"""The score that "nothing here answers" competes with."""
_VOTE = 0.15
"""What each further passage that names the same answer adds, as a share of its own score."""

_GAINS = re.compile(
    r"\W{0,3}\s?(?:\([^)]{0,40}\)\s|,[^,]{0,60},\s)?(?:has |have |is |was |will )?(?:been |be )?(?:now |officially |also )?"
    r"(?:becom\w+|became|elected|re-?elected|wins?|won|appointed|takes?\b|took|sworn|named|succeeds?|succeeded|replac\w+|"
    r"is\b|was\b|assum\w+|beats?|defeats?|crowned|inaugurated|confirmed|joins?|acquires?|hosts?)"
)
_LOSES = re.compile(
    r"\W{0,3}\s?(?:has |have |is |was |will )?(?:resign\w*|step\w* down|stood down|stands? down|leaves?|left|los[te]\w*|"
    r"oust\w*|die[sd]|retir\w*|quits?|dismiss\w*|fired|sacked|concede\w*|depart\w*)"
)
_OUTGOING = re.compile(
    r"(?:succeed\w*|replac\w+|defeat\w*|beat\w*|former|outgoing|ex-?|predecessor|from|after|over|ousted|unseat\w*|"
    r"taking over from)\s+(?:\w+\s+){0,3}$",
    re.I,
)
_PLACE_BEFORE = re.compile(r"\b(?:in|at|to|from|near|of|across|into)\s+(?:the\s+)?$", re.I)


@dataclass(frozen=True, slots=True)
class _Found:
    """One candidate in one sentence."""

    text: str
    score: float
    clue: Clue


class ExtractiveReader:
    """Reads dated evidence by the words, times and names in it; needs no model and no network.

    The answer's probability is the reader's own confidence, not calibrated.
    """

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Read `evidence` (best first); with `choices`, the answer is one of them."""
        started = time.perf_counter()
        clues = find_clues(question.content or question.text, evidence=evidence)
        if choices:
            reading = choose(question, choices=choices, clues=clues, evidence=evidence)
        else:
            reading = _extract(question, clues, evidence)
        return ReadResult(reading, Cost(seconds=time.perf_counter() - started))

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """The same; reading takes milliseconds and waits for nothing."""
        return self.read(question, evidence=evidence, choices=choices)


def _extract(question: Question, clues: Sequence[Clue], evidence: Sequence[Evidence]) -> Reading:
    wanted = asked(question.text)
    known = set(words(question.text)) - STOPWORDS
    found = [
        _Found(span.text, score * fit, clue)
        for clue, fit in zip(clues, fits(question, clues=clues, evidence=evidence), strict=True)
        for span in find_spans(clue.text, known=known)
        if (score := _score(span, clue, wanted, known)) > 0
    ]
    return _settle(_group(found), evidence)


def _score(span: Span, clue: Clue, wanted: Asked, known: set[str]) -> float:
    inside = [word for word in words(span.text) if word not in STOPWORDS]
    if not inside or known.issuperset(inside):
        return 0.0
    return clue.relevance * _type_fit(span, clue, wanted) * _nearness(span, clue, known)


def _type_fit(span: Span, clue: Clue, wanted: Asked) -> float:
    """How well a span's looks fit the kind of answer, 0 to 1."""
    match wanted.kind, span.kind:
        case "person", "name":
            return _person_fit(span, clue)
        case "place", "name":
            return 1.0 if _PLACE_BEFORE.search(clue.text[: span.start]) else 0.7
        case "date", "date":
            return 1.0
        case "count" | "amount", "number":
            unit = unit_after(clue.text, span)
            return 1.0 if wanted.head and unit[:4] == wanted.head[:4] else 0.7
        case "name", "name" | "quote":
            return 0.9 * _role_fit(span, clue)
        case "phrase", _:
            return 0.6
        case _:
            return 0.05


def _person_fit(span: Span, clue: Clue) -> float:
    parts = words(span.text)
    looks = 1.0 if 2 <= len(parts) <= 3 else 0.6 if len(parts) == 1 else 0.4
    if any(part in ORGANISATION for part in parts) or any(part.isdigit() for part in parts):
        looks = 0.2
    return looks * _role_fit(span, clue)


def _role_fit(span: Span, clue: Clue) -> float:
    """Who gains a role in this sentence counts for more than who gives it up."""
    before, after = clue.text[: span.start], clue.text[span.end :]
    if _OUTGOING.search(before) or _LOSES.match(after):
        return 0.45
    return 1.0 if _GAINS.match(after) else 0.85


def _nearness(span: Span, clue: Clue, known: set[str]) -> float:
    """1.0 beside a word of the question, falling slowly with the words between."""
    gaps = [
        len(clue.text[min(span.end, match.end()) : max(span.start, match.start())].split())
        for match in re.finditer(r"\w+", clue.text)
        if match.group().lower() in known and not span.start <= match.start() < span.end
    ]
    return 1 / (1 + 0.04 * min(gaps)) if gaps else 0.6


def _group(found: Sequence[_Found]) -> dict[str, list[_Found]]:
    """Candidates by what they name; a surname joins the one full name that ends in it."""
    by_name: dict[str, list[_Found]] = defaultdict(list)
    for one in found:
        by_name[" ".join(words(one.text))].append(one)
    for short in sorted(by_name, key=len):
        longer = [name for name in by_name if name.endswith(f" {short}") and len(name.split()) <= 4]
        if longer and not short.isdigit():
            home = max(longer, key=lambda name: max(one.score for one in by_name[name]))
            by_name[home] += by_name.pop(short)
    return by_name


def _settle(groups: Mapping[str, Sequence[_Found]], evidence: Sequence[Evidence]) -> Reading:
    if not groups:
        return Reading(answer="", no_answer=1.0)
    ranked = sorted(((_worth(group), name) for name, group in groups.items()), reverse=True)
    scores = [_NO_ANSWER] + [worth for worth, _ in ranked]
    probabilities = softmax(scores)
    candidates = []
    for (_, name), probability in zip(ranked[:MAX_CANDIDATES], probabilities[1:], strict=False):
        group = sorted(groups[name], key=lambda one: -one.score)
        text = next(one.text for one in group if " ".join(words(one.text)) == name)
        sources = tuple(dict.fromkeys(evidence[one.clue.source].id for one in group))
        candidates.append(Candidate(answer=text, probability=probability, evidence_ids=sources))
    best = candidates[0]
    return Reading(
        answer=best.answer,
        probability=best.probability,
        no_answer=probabilities[0],
        evidence_ids=best.evidence_ids,
        candidates=tuple(candidates),
    )


def _worth(group: Sequence[_Found]) -> float:
    """The best mention, and a little for each other passage that agrees."""
    best: dict[int, float] = {}
    for one in group:
        best[one.clue.source] = max(one.score, best.get(one.clue.source, 0.0))
    ordered = sorted(best.values(), reverse=True)
    return ordered[0] + _VOTE * sum(ordered[1:4])


def softmax(scores: Sequence[float]) -> list[float]:
    """Confidence from scores; adds up to 1."""
    top = max(scores)
    raised = [math.exp(_SHARPNESS * (score - top)) for score in scores]
    return [value / sum(raised) for value in raised]
