"""Conflicts between dated pieces of evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dateline.evidence.dates import reading_of
from dateline.evidence.knowledge import known_from
from dateline.evidence.order import middle
from dateline.evidence.sanitize import sanitize
from dateline.protocols import Reader, ReadsBeside
from dateline.records import Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval
from dateline.text import content_words
from dateline.text.answer_key import content_key
from dateline.text.words import share_held


@dataclass(frozen=True, slots=True)
class ConflictingClaim:
    """One side of a conflict: what was said, when, by which evidence.

    Example:
        >>> ConflictingClaim("Ada Berg", published=Interval.parse("2021-05")).published.isoformat()
        '2021-05'
    """

    text: str
    published: Interval | None = None
    evidence_id: str = ""


Conflict = Sequence[ConflictingClaim]
"""Claims that cannot all be true at the same time."""

LEAST = 0.5
"""Probability from which a piece of evidence, read alone, counts as saying its answer."""

NEAREST = 0.9
"""Share of the best piece's words in common with the question that another needs to be about the same thing."""


def find_conflicts(question: Question, *, evidence: Sequence[Evidence], reader: Reader) -> list[Conflict]:
    """Find conflicting answers among dated evidence, each piece's own answer.

    Only pieces that share (nearly) as many of the question's words as the best one are heard. There is at most one
    conflict, since all answer the same question; each answer stands with its newest evidence.
    """
    dated = [each for each in evidence if each.published is not None]
    near = [each for each, close in zip(dated, is_near(question, evidence=dated, least=NEAREST), strict=True) if close]
    if len({each.published for each in near}) < 2:
        return []
    claims: dict[str, ConflictingClaim] = {}
    readings = {
        each.id: reading
        for each, reading in zip(
            near, read_alone(near, question=question, evidence=evidence, reader=reader), strict=True
        )
    }
    for each in sorted(near, key=lambda piece: middle(piece) or 0.0):
        reading = readings[each.id]
        if reading.answer and reading.probability >= LEAST:
            claims[content_key(reading.answer)] = ConflictingClaim(reading.answer, each.published, each.id)
    days = {claim.published for claim in claims.values()}
    return [tuple(claims.values())] if len(claims) > 1 and len(days) > 1 else []


def read_alone(
    pieces: Sequence[Evidence], *, question: Question, evidence: Sequence[Evidence], reader: Reader
) -> list[Reading]:
    """Return each piece's own answer, marked beside `evidence` where possible."""
    if isinstance(reader, ReadsBeside):
        return [result.reading for result in reader.read_beside(question, pieces=pieces, evidence=evidence)]
    return [reader.read(question, evidence=[each]).reading for each in pieces]


def is_near(question: Question, *, evidence: Sequence[Evidence], least: float) -> list[bool]:
    """Mark evidence with enough of the question's words.

    Args:
        least: the share of the best piece's words in common with the question.
    """
    wanted = frozenset(content_words(question.timeless))
    shares = [share_held(wanted, text=f"{each.title} {each.text}") for each in evidence]
    enough = max(least * max(shares, default=0.0), 1e-9)
    return [share >= enough for share in shares]


def conflict_lines(conflicts: Iterable[Conflict], *, labels: dict[str, str]) -> list[str]:
    """Write each conflict's claims, undated first, then oldest to newest.

    `labels` maps an evidence id to its label.
    """
    lines: list[str] = []
    for conflict in conflicts:
        claims = sorted(conflict, key=lambda claim: known_from(claim.published))
        told = "; then ".join(_claim(claim, labels) for claim in claims)
        if told:
            lines.append(f"- {told}")
    return lines


def _claim(claim: ConflictingClaim, labels: dict[str, str]) -> str:
    label = labels.get(claim.evidence_id, "")
    return f"{reading_of(claim.published)}: {sanitize(claim.text, limit=300)}" + (f" [{label}]" if label else "")
