"""Result of an audit: each passage's status, and the reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Literal, get_args

from pydantic import AwareDatetime, Field

from dateline.limits import shortened
from dateline.records import Evidence, Record
from dateline.visible import visible

AuditProblem = Literal["later", "outdated", "contested", "other_time", "undated"]
"""What speaks against a passage:

- `later`: published after the asking moment, so nobody knew it;
- `outdated`: a later passage ends what it says, or is a newer version of the same document;
- `contested`: another passage says otherwise, and no date tells which of them counts;
- `other_time`: it tells of a time that was not asked for;
- `undated`: nobody can tell when it was so.
"""

AuditStatus = Literal["ok", "later", "outdated", "contested", "other_time", "undated"]
"""The first of its problems in this order, or `ok`."""

STATUSES: tuple[AuditStatus, ...] = get_args(AuditStatus)

DROPPED: tuple[AuditStatus, ...] = ("later",)
"""What is not kept by default; the rest is marked alone: a right passage is called outdated too often to lose it (docs/audit.md)."""


class AuditReason(Record):
    """One reason against a passage: which sentence, and by which other."""

    problem: AuditProblem
    why: str = Field(description="One sentence without the texts.")
    sentence: str = Field(default="", description="The statement that it is about; empty: the whole passage.")
    other: int | None = Field(default=None, description="Place of the other passage, from 0.")
    other_sentence: str = Field(default="", description="The other passage's statement.")
    chance: float = Field(default=1.0, description="How likely the judge holds it; 1 where rules decide.")
    since: str | None = Field(default=None, description="When the statement ended, as ISO text.")


class AuditedPassage(Record):
    """A passage, its status and the reasons, the gravest first.

    Example:
        >>> AuditedPassage(place=0, evidence=Evidence.make("Lund is old.")).status
        'ok'
    """

    place: int = Field(description="Among the passages given, from 0.")
    evidence: Evidence
    reasons: tuple[AuditReason, ...] = ()

    @property
    def status(self) -> AuditStatus:
        """Its gravest problem, or ok."""
        return self.reasons[0].problem if self.reasons else "ok"

    def metadata(self) -> dict[str, Any]:
        """Return status and reasons as JSON values."""
        return {"status": self.status, "reasons": [reason.model_dump(mode="json") for reason in self.reasons]}


class Audit(Record):
    """Audit of passages for a question as of a moment.

    Example:
        >>> from dateline.audit import audit
        >>> notes = [{"text": "The library closes at 18:00.", "date": "2021-03-01"},
        ...          {"text": "The library now closes at 20:00.", "date": "2024-02-01"}]
        >>> found = audit("When does the library close?", notes, as_of="2024-06-01")
        >>> [each.status for each in found.passages], [each.place for each in found.kept()]
        (['outdated', 'ok'], [0, 1])
    """

    question: str
    as_of: AwareDatetime
    passages: tuple[AuditedPassage, ...] = Field(description="In the order given.")
    pairs: int = Field(default=0, description="Pairs of statements that were judged.")
    pairs_left: int = Field(default=0, description="Near pairs beyond the limit, which were not.")
    unread: int = Field(default=0, description="Passages beyond the limit, whose answer was not read.")

    def of(self, *statuses: AuditStatus) -> tuple[AuditedPassage, ...]:
        """Return the passages with one of these statuses, in order."""
        return tuple(each for each in self.passages if each.status in statuses)

    def kept(self, *, drop: Collection[AuditStatus] = DROPPED) -> tuple[AuditedPassage, ...]:
        """Return the passages that are not dropped, in order."""
        return tuple(each for each in self.passages if each.status not in drop)

    def metadata(self) -> dict[str, Any]:
        """Return JSON values: everything but the passages' texts."""
        return {
            "question": self.question,
            "as_of": self.as_of.isoformat(),
            "pairs": self.pairs,
            "pairs_left": self.pairs_left,
            "unread": self.unread,
            "passages": [
                {"id": each.evidence.id, "place": each.place, "published": _date(each), **each.metadata()}
                for each in self.passages
            ],
        }

    def summary(self) -> str:
        """Return the counts in one line."""
        counts = Counter(each.status for each in self.passages)
        told = ", ".join(f"{counts[status]} {status.replace('_', ' ')}" for status in STATUSES if counts[status])
        left = f" {self.pairs_left} near pairs were left unjudged." if self.pairs_left else ""
        left += f" {self.unread} passages were left unread." if self.unread else ""
        return f"{len(self.passages)} passages as of {self.as_of.date()}: {told or 'none'}.{left}"

    def __str__(self) -> str:
        return "\n".join([self.summary(), *(line for each in self.passages for line in _lines(each))])


def _lines(passage: AuditedPassage) -> Iterator[str]:
    text = visible(passage.evidence.text)
    shown = shortened(text, limit=_SHOWN)
    yield f"{passage.place + 1:>3}  {_date(passage) or '-':<10}  {passage.status.replace('_', ' '):<10}  {shown}"
    for reason in passage.reasons:
        yield f"{'':5}{visible(reason.why)}"
        if reason.sentence:
            yield f"{'':7}{visible(reason.sentence)}"
        if reason.other_sentence:
            yield f"{'':7}{(reason.other or 0) + 1}: {visible(reason.other_sentence)}"


def _date(passage: AuditedPassage) -> str | None:
    return None if passage.evidence.published is None else passage.evidence.published.isoformat()


_SHOWN = 70
"""Characters of a passage in the table."""
