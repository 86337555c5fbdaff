"""The judge's pairs as questions for yes or no: the claim is asked, the other sentence read.

examples(count, data, rng) -> Iterator[Example]
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from judge_pairs import Prose, pages, pairs
from timeqa import Example

from dateline.protocols import Verdict
from dateline.reading.verdicts import Said
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose

_SAID: dict[Verdict, Said] = {"supports": "yes", "contradicts": "no", "neither": "unsaid"}
_SIMPLE = re.compile(r"([^,]{2,40}?) (is|was|are|were|will|can|must|has been|have been|had been) (.+)")
_TRUE = 0.3
"""Share of the other claims that are asked with "is it true that"; the rest are asked as they are."""


def examples(count: int, *, data: Path | None, rng: random.Random) -> Iterator[Example]:
    """`count` pairs; without `data`, none of them is of real sentences."""
    prose = Prose(pages(data)) if data else None
    as_of = datetime(2021, 1, 1, tzinfo=UTC)
    for pair in pairs(count, seed=rng.randrange(1 << 30), prose=prose):
        said = _SAID[pair.verdict]  # type: ignore[index]
        yield Example(
            question=decompose(asked(pair.hypothesis, rng), as_of=as_of),
            evidence=(Evidence.make(pair.premise),),
            answers=(),
            gold=frozenset({0} if said != "unsaid" else ()),
            kind="judged",
            verdict=said,
        )


def asked(claim: str, rng: random.Random) -> str:
    """A claim as a question, turned round where it opens with its subject."""
    plain = claim.rstrip(" .")
    simple = _SIMPLE.fullmatch(plain)
    if simple:
        subject, verb, rest = simple.groups()
        first, _, more = verb.partition(" ")
        lowered = (
            subject if subject.split()[0] not in ("The", "A", "An", "He", "She", "It", "They") else _lower(subject)
        )
        return " ".join(part for part in (first.capitalize(), lowered, more, rest) if part) + "?"
    return f"Is it true that {plain}?" if rng.random() < _TRUE else f"{plain}?"


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]
