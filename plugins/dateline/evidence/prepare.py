"""Selection of one prompt's evidence: shares, duplicates, order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from dateline.errors import BadInput
from dateline.evidence.duplicates import without_duplicates
from dateline.evidence.knowledge import split_known
from dateline.evidence.order import RESERVED, Order, in_order, middle
from dateline.records import Evidence, EvidenceKind

Cut = Literal["balanced", "newest"]
"""What goes first when there is too much: `balanced`, the oldest and least relevant, answer box and knowledge graph last;
`newest`, the undated and then the oldest, whatever their kind, as FreshPrompt cuts (section 4.2)."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """FreshPrompt's (o, r, a, n, m) (FreshLLMs, section 4.2).

    Attributes:
        organic: organic results, documents and facts, at most; and at most as many news.
        related: related questions, at most; and at most as many posts, videos, places and the like.
        answers: questions and answers of forums, at most.
        evidence: pieces of evidence in the prompt, answer box and knowledge graph included.
        demonstrations: worked examples in front.

    Example:
        >>> SIZES["best"]
        Sizes(organic=10, related=3, answers=3, evidence=15, demonstrations=5)
    """

    organic: int
    related: int
    answers: int
    evidence: int
    demonstrations: int

    def __post_init__(self) -> None:
        numbers = (self.organic, self.related, self.answers, self.evidence, self.demonstrations)
        if min(numbers) < 0 or self.evidence < 1:
            raise BadInput(f"Sizes must not be negative and leave room for one piece of evidence, not {numbers}.")


RANKED = Sizes(organic=60, related=6, answers=6, evidence=60, demonstrations=0)
"""What is ranked: more than any prompt shows, so that a second retrieval has something to choose from. Chosen by hand."""


SIZES: Mapping[str, Sizes] = {
    "small": Sizes(10, 2, 2, 5, 5),
    "large": Sizes(10, 3, 3, 10, 5),
    "best": Sizes(10, 3, 3, 15, 5),
}
"""The paper's settings for GPT-3.5 and GPT-4, and the latter with the n that measured best."""

_SHARE: Mapping[EvidenceKind, str] = {
    "related_question": "related",
    "question_answer": "answers",
    "news": "news",
    "other": "other",
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """Evidence in prompt order, and the rest with reasons.

    Example:
        >>> repeated = [Evidence.make("Ada Berg is mayor.", source=source) for source in ("City Gazette", "A blog")]
        >>> [reason for _, reason in prepare(repeated, sizes=RANKED).dropped]
        ['repetition']
    """

    evidence: tuple[Evidence, ...]
    dropped: tuple[tuple[Evidence, str], ...]


def prepare(
    evidence: Iterable[Evidence],
    *,
    sizes: Sizes,
    as_of: datetime | None = None,
    order: Order = "time",
    seed: int = 0,
    cut: Cut = "balanced",
    overview: bool = False,
) -> Prepared:
    """Choose and order evidence (given best first) for a prompt.

    Args:
        as_of: with it, what was published later is left out.
        overview: whether the engine's own AI overview may stand beside what people wrote.
    """
    known = list(evidence)
    dropped: list[tuple[Evidence, str]] = []
    if as_of is not None:
        known, later = split_known(known, as_of=as_of)
        dropped += [(each, "published later") for each in later]
    if not overview:
        dropped += [(each, "AI overview") for each in known if each.kind == "ai_overview"]
        known = [each for each in known if each.kind != "ai_overview"]
    # Answer boxes repeat a result; of the two, the box is kept.
    first = sorted(known, key=lambda each: each.kind not in RESERVED)
    unique = without_duplicates(first)
    kept_ids = {each.id for each in unique}
    dropped += [(each, "repetition") for each in known if each.id not in kept_ids]
    shared, beyond = _shares(unique, sizes)
    dropped += [(each, "beyond its kind's share") for each in beyond]
    ranked = drop_order(shared, cut=cut)
    surplus = max(0, len(shared) - sizes.evidence)
    gone = {each.id for each in ranked[:surplus]}
    dropped += [(each, "beyond the number of pieces") for each in ranked[:surplus]]
    chosen = [each for each in shared if each.id not in gone]
    return Prepared(tuple(in_order(chosen, order=order, seed=seed)), tuple(dropped))


def drop_order(evidence: Sequence[Evidence], *, cut: Cut) -> list[Evidence]:
    """`evidence` (best first), what is to go first in front.

    Balanced: by the sum of its rank in relevance and its rank in age; an undated piece counts as middle-aged; answer box
    and knowledge graph go last. Newest: the undated, then the oldest, all kinds alike.
    """
    if cut == "newest":
        return sorted(in_order(evidence, order="time"), key=lambda each: middle(each) is not None)
    count = max(1, len(evidence) - 1)
    times = [middle(each) for each in evidence]
    dated = sorted(time for time in times if time is not None)

    def badness(place: int) -> tuple[float, ...]:
        time = times[place]
        age = 0.5 if time is None else 1.0 - dated.index(time) / max(1, len(dated) - 1) if len(dated) > 1 else 0.0
        relevance = place / count
        reserved = evidence[place].kind in RESERVED
        return (not reserved, age + relevance, age)

    return [evidence[place] for place in sorted(range(len(evidence)), key=badness, reverse=True)]


def _shares(evidence: Iterable[Evidence], sizes: Sizes) -> tuple[list[Evidence], list[Evidence]]:
    limits = {
        "organic": sizes.organic,
        "news": sizes.organic,
        "related": sizes.related,
        "other": sizes.related,
        "answers": sizes.answers,
    }
    taken: Counter[str] = Counter()
    kept: list[Evidence] = []
    beyond: list[Evidence] = []
    for each in evidence:
        share = _SHARE.get(each.kind, "organic")
        free = each.kind in RESERVED or each.kind == "ai_overview"
        if free or taken[share] < limits[share]:
            kept.append(each)
            taken[share] += not free
        else:
            beyond.append(each)
    return kept, beyond
