"""Certainty of an answer whose only date stands in running text."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.evidence.knowledge import TEXT_DATED, is_text_dated, is_well_dated
from dateline.reading.temporal_tags import close_to
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question


def weighed(certainty: Certainty, *, question: Question, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
    """Weigh an answer less where only running text dates it.

    It counts in full where no better date competes.

    Better dates compete where they are of other evidence that names as much of the question.
    """
    used = [piece for piece in evidence if piece.id in reading.evidence_ids]
    near = close_to(question, evidence)
    compete = any(close and is_well_dated(piece) for piece, close in zip(evidence, near, strict=True))
    if not used or not compete or not all(map(is_text_dated, used)):
        return certainty
    reliable = certainty.reliable * TEXT_DATED
    return Certainty(
        reliable=reliable, misleading=certainty.misleading, uncertain=max(0.0, 1 - reliable - certainty.misleading)
    )
