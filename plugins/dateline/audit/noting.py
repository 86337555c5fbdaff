"""Reasons against passages, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dateline.audit.asked import Asked
from dateline.audit.clashes import Clash
from dateline.audit.result import AuditProblem, AuditReason
from dateline.audit.times import other_time
from dateline.audit.versions import newer_versions
from dateline.evidence.knowledge import was_known
from dateline.records import Evidence
from dateline.temporal.constraint import Question

Reasons = dict[int, list[AuditReason]]
"""The reasons against each passage, by its place; one that is missing is made."""


def note_clash(reasons: Reasons, clash: Clash, known: Sequence[int]) -> None:
    """Note a clash between passages; `known` holds their places."""
    if clash.since is None:
        for side in (clash, clash.turned()):
            _note_clash(
                reasons,
                side,
                known,
                "contested",
                f"Passage {known[side.other] + 1} says otherwise, undated or of one day",
            )
        return
    told = f"Passage {known[clash.other] + 1} ends it from {clash.since} on"
    _note_clash(reasons, clash, known, "outdated", told, since=str(clash.since))


def _note_clash(
    reasons: Reasons, clash: Clash, known: Sequence[int], problem: AuditProblem, told: str, **more: Any
) -> None:
    answers = "" if clash.answers is None else ": not “{}” but “{}”".format(*clash.answers)
    reason = AuditReason(
        problem=problem,
        why=f"{told}{answers} ({clash.chance:.2f}).",
        sentence=clash.sentence,
        other=known[clash.other],
        other_sentence=clash.other_sentence,
        chance=round(clash.chance, 4),
        **more,
    )
    if reason not in reasons[known[clash.passage]]:
        reasons[known[clash.passage]].append(reason)


def note_versions(reasons: Reasons, pieces: Sequence[Evidence], known: Sequence[int]) -> None:
    """Note passages of which a newer version is there."""
    for place, newer in zip(known, newer_versions(pieces), strict=True):
        if newer is not None:
            day = str(pieces[newer].published)
            why = f"Passage {known[newer] + 1} is a newer version of the same document, of {day}."
            reasons[place].append(AuditReason(problem="outdated", why=why, other=known[newer], since=day))


def note_times(reasons: Reasons, question: Question, asked: Asked, known: Sequence[int]) -> None:
    """Note passages whose statement on the question is of another time."""
    wanted = question.effective_constraint().interval
    for passage, place in enumerate(known):
        fact = asked.nearest_of(passage)
        time = fact and other_time(fact, question=question, said=asked.said.published[passage])
        if fact is not None and time is not None:
            why = f"It tells of {time}; asked for is {wanted}."
            reasons[place].append(AuditReason(problem="other_time", why=why, sentence=fact.text))


def note_dates(reasons: Reasons, question: Question, evidence: Sequence[Evidence]) -> None:
    """Note what was published later, and what is undated."""
    for place, piece in enumerate(evidence):
        if not was_known(piece, as_of=question.as_of):
            why = f"Published {piece.published}, after {question.as_of.date()}."
            reasons[place].append(AuditReason(problem="later", why=why))
        elif piece.published is None:
            reasons[place].append(AuditReason(problem="undated", why="It has no date."))
