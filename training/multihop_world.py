"""Questions over two or three facts of the made-up world, of which a model knows some facts well, some hardly, some not.

    world = multihop_world.build(seed=0)

A question names a subject and the way from it ("What is the region of the home of ...?"); its answer walks that way, a
sentence a fact, and ends with "So the answer is ...". Facts are drawn into the texts that the model learns from by how
*familiar* they are; unfamiliar ones are in none. Half of all questions are kept for asking and are no lesson.
The corpus tells every fact, two of a subject a page. Nothing here needs torch.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import made_up_world
from made_up_world import DULL, Fact, Names, Relation, World, tell

Familiarity = Literal["well", "hardly", "never"]
"""How often a fact is in what the model learns from: always where its subject is spoken of, seldom, not at all."""

SHARES: Mapping[Familiarity, float] = {"well": 0.45, "hardly": 0.15, "never": 0.4}
SELDOM = 0.05
"""How often a fact that is hardly familiar is told where a familiar one would be."""

CLOSING = "So the answer is {v}."
PAGE_FACTS = 2


@dataclass(frozen=True, slots=True)
class Route:
    """A question over several facts: the value of each is the subject of the next."""

    facts: tuple[Fact, ...]

    @property
    def question(self) -> str:
        """Asks for the last value by the first subject."""
        inner = self.facts[0].subject
        for fact in self.facts:
            inner = fact.relation.phrase.replace("{s}", inner)
        return f"What is {inner}?"

    @property
    def answer(self) -> str:
        """The last value."""
        return self.facts[-1].value

    @property
    def kept(self) -> bool:
        """Whether it is kept for asking: half of all questions, the same ones on every machine."""
        return zlib.crc32(self.question.encode()) % 2 == 0

    def reasoning(self, rng: random.Random) -> str:
        """A sentence a fact, then the answer."""
        told = [reason(fact, rng=rng) for fact in self.facts]
        return " ".join([*told, CLOSING.replace("{v}", self.answer)])


@dataclass(frozen=True)
class MultihopWorld:
    """A world whose facts are all true and always were, how familiar each is, and its corpus."""

    world: World
    familiarity: Mapping[Fact, Familiarity]
    pages: tuple[str, ...]

    @property
    def names(self) -> Names:
        """The parts of names."""
        return self.world.names

    def routes(self, *, hops: int) -> Iterator[Route]:
        """All questions over so many facts that come back to no subject."""
        by_subject = _by_subject(self.world.facts)

        def onwards(facts: tuple[Fact, ...]) -> Iterator[Route]:
            if len(facts) == hops:
                yield Route(facts)
                return
            passed = {fact.subject for fact in facts}
            for following in by_subject.get(facts[-1].value, ()):
                if following.value not in passed:
                    yield from onwards((*facts, following))

        for fact in self.world.facts:
            yield from onwards((fact,))

    def asked(self, count: int, *, hops: Sequence[int] = (2, 3), rng: random.Random) -> list[Route]:
        """So many questions kept for asking, shared out over `hops`."""
        drawn: list[Route] = []
        for place, length in enumerate(hops):
            kept = [route for route in self.routes(hops=length) if route.kept]
            size = count * (place + 1) // len(hops) - count * place // len(hops)
            drawn += rng.sample(kept, min(size, len(kept)))
        rng.shuffle(drawn)
        return drawn


def reason(fact: Fact, *, rng: random.Random) -> str:
    """A fact as a step of reasoning tells it: the subject first."""
    told = [text for text in fact.relation.told if text.index("{s}") < text.index("{v}")]
    return rng.choice(told).replace("{s}", fact.subject).replace("{v}", fact.value)


def build(*, seed: int = 0, towns: int = 24, firms: int = 24, people: int = 72) -> MultihopWorld:
    """A world of 4 facts a subject."""
    base = made_up_world.build(seed=seed, towns=towns, firms=firms, people=people, new=0.0, changed=0.0)
    facts = tuple(replace(fact, before=fact.value) for fact in base.facts)
    rng = random.Random(seed)
    drawn = rng.choices(list(SHARES), weights=list(SHARES.values()), k=len(facts))
    familiarity: dict[Fact, Familiarity] = dict(zip(facts, drawn, strict=True))
    return MultihopWorld(replace(base, facts=facts, pages=()), familiarity, tuple(pages_of(facts, rng=rng)))


def page(facts: Sequence[Fact], *, rng: random.Random) -> str:
    """A passage that tells facts in any wording."""
    return " ".join(tell(fact, rng=rng) for fact in facts)


def any_fact(relation: Relation, *, subject: str, names: Names, rng: random.Random) -> Fact:
    """A fact with any value at all."""
    value = names.value(relation, rng=rng, but=subject)
    return Fact(subject, relation, value, value)


def pages_of(facts: Sequence[Fact], *, rng: random.Random) -> list[str]:
    """Two facts of a subject a page, and one page a subject that tells nothing."""
    pages = []
    for subject, own in _by_subject(facts).items():
        mixed = rng.sample(own, len(own))
        groups = [mixed[start : start + PAGE_FACTS] for start in range(0, len(mixed), PAGE_FACTS)]
        pages += [page(group, rng=rng) for group in groups]
        pages.append(rng.choice(DULL).replace("{s}", subject))
    rng.shuffle(pages)
    return pages


def _by_subject(facts: Sequence[Fact]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        found.setdefault(fact.subject, []).append(fact)
    return found
