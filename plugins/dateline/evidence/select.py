"""The best few pieces of a search page that holds many kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from dateline.records import Evidence, EvidenceKind

PLACES: Mapping[EvidenceKind, tuple[float, float]] = {
    "answer_box": (-2.0, 0.5),
    "knowledge_graph": (-1.0, 0.5),
    "organic": (0.0, 1.0),
    "document": (0.0, 1.0),
    "fact": (0.0, 1.0),
    "news": (0.5, 1.0),
    "ai_overview": (1.5, 4.0),
    "related_question": (2.5, 4.0),
    "question_answer": (3.5, 4.0),
    "other": (8.5, 2.0),
}
"""Kind -> (place of its first piece, distance to its next). FreshPrompt's shares for a page of ten organic results,
about two related questions and two questions and answers (FreshLLMs, section 4.2)."""


def best(evidence: Iterable[Evidence], *, k: int) -> list[Evidence]:
    """The `k` best pieces, kinds mixed by `PLACES`, in their given order."""
    seen: Counter[EvidenceKind] = Counter()
    placed: list[tuple[float, int, Evidence]] = []
    for number, each in enumerate(evidence):
        first, step = PLACES[each.kind]
        placed.append((first + step * seen[each.kind], number, each))
        seen[each.kind] += 1
    chosen = sorted(placed, key=lambda place: place[:2])[: max(0, k)]
    return [each for _, _, each in sorted(chosen, key=lambda place: place[1])]
