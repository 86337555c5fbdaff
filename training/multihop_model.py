"""A small language model that reasons in sentences over what it has read, and over pages in front where there are any.

    python training/multihop_model.py --out build/multihop-model [--seed 0] [--steps 3000]

Llama's shape (4 layers, 128 wide), a word a token, trained from nothing on lessons of `multihop_world`: pages, and
questions of one to three steps with and without pages. Of subjects that nobody knows it reads once each, with any
value at all, so that it learns to read, and to guess evenly where nothing tells.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import world_model
from made_up_world import DULL, RELATIONS, Fact, Kind, Relation
from multihop_world import (
    CLOSING,
    SELDOM,
    MultihopWorld,
    Route,
    any_fact,
    build,
    page,
)
from world_lessons import Lesson, Sort

PLAN = world_model.Plan(steps=3000, width=128, layers=4, heads=4, learning_rate=3e-3, warm_up=100)
HOPS = {1: 0.4, 2: 0.35, 3: 0.25}
MOST_PAGES = 3


def tokenizer(world: MultihopWorld) -> Any:
    """The made-up world's tokenizer with the words of the closing sentence."""
    words = tuple(word.strip(".") for word in CLOSING.split() if "{" not in word)
    names = replace(world.names, brands=(*world.names.brands, *words))
    return world_model.tokenizer(replace(world.world, names=names))


def prompt_of(question: str, *, pages: Sequence[str]) -> str:
    """What the model continues with its reasoning."""
    return "".join(f"Document: {each}\n" for each in pages) + f"Question: {question}\nAnswer:"


class Lessons:
    """Draws lessons; what is kept for asking and what is never told are in none."""

    def __init__(self, world: MultihopWorld, *, seed: int) -> None:
        self.names, self.rng = world.names, random.Random(seed)
        self.familiarity = world.familiarity
        self.known = {(f.subject, f.relation.name): f for f, how in world.familiarity.items() if how != "never"}
        self.by_subject: dict[str, list[Fact]] = {}
        for fact in self.known.values():
            self.by_subject.setdefault(fact.subject, []).append(fact)
        self.subjects = {subject for taken in world.names.taken.values() for subject in taken}

    def article(self) -> Lesson:
        """What is known of a subject."""
        rng = self.rng
        own = [fact for fact in rng.choice(list(self.by_subject.values())) if self._told(fact)]
        if not own:
            return self.from_memory()
        return Lesson("", " " + page(rng.sample(own, min(2, len(own))), rng=rng))

    def from_memory(self) -> Lesson:
        """A question without pages, in ten cases of a hundred about somebody whom nobody knows."""
        rng = self.rng
        route = self._route(stranger=1.0) if rng.random() < 0.1 else self._remembered()
        return self._lesson(route, pages=[])

    def with_pages(self) -> Lesson:
        """A question with pages, which tell some of its facts, all others being known or guessed."""
        rng = self.rng
        route = self._route(stranger=0.6) if rng.random() < 0.7 else self._remembered()
        telling = []
        for fact in route.facts:
            remembered = self.known.get((fact.subject, fact.relation.name)) == fact
            of_the_world = fact.subject in self.subjects and not remembered  # never guessed, always read
            if of_the_world or rng.random() < (0.4 if remembered else 0.75):
                telling.append(self._page_with(fact))
        others = rng.randrange(0, max(1, MOST_PAGES + 1 - len(telling)))
        pages = telling + [self._distractor(rng.choice(route.facts)) for _ in range(others)]
        rng.shuffle(pages)
        return self._lesson(route, pages=pages)

    # -- parts --------------------------------------------------------------------------------

    def _lesson(self, route: Route, *, pages: Sequence[str]) -> Lesson:
        return Lesson(prompt_of(route.question, pages=pages), f" {route.reasoning(self.rng)}")

    def _told(self, fact: Fact) -> bool:
        return self.familiarity[fact] == "well" or self.rng.random() < SELDOM

    def _hops(self) -> int:
        return self.rng.choices(list(HOPS), weights=list(HOPS.values()))[0]

    def _remembered(self) -> Route:
        """A question whose facts are all known and which is not kept for asking."""
        rng, hops = self.rng, self._hops()
        every = list(self.known.values())
        for _ in range(10_000):
            facts = [rng.choice(every)]
            while len(facts) < hops and (following := self.by_subject.get(facts[-1].value)):
                facts.append(rng.choice(following))
            route = Route(tuple(facts))
            circle = len({fact.subject for fact in facts} | {facts[-1].value}) <= len(facts)
            if len(facts) == hops and not circle and all(map(self._told, facts)) and (hops == 1 or not route.kept):
                return route
        raise ValueError("This world knows no question of so many steps; make it larger.")

    def _route(self, *, stranger: float) -> Route:
        """A question with any values at all, about strangers in `stranger` of all cases."""
        rng, hops = self.rng, self._hops()
        while True:
            relation = rng.choice(RELATIONS)
            subject, facts = self._subject(relation.kind, stranger), list[Fact]()
            while True:
                facts.append(self._any(relation, subject=subject, stranger=stranger))
                following = [each for each in RELATIONS if each.kind == relation.values]
                if len(facts) == hops or not following:
                    break
                subject, relation = facts[-1].value, rng.choice(following)
            route = Route(tuple(facts))
            if len(facts) == hops and (hops == 1 or not route.kept):
                return route

    def _subject(self, kind: Kind, stranger: float) -> str:
        if self.rng.random() < stranger:
            return self.names.stranger(kind, rng=self.rng)
        return self.rng.choice(self.names.taken[kind])

    def _any(self, relation: Relation, *, subject: str, stranger: float) -> Fact:
        fact = any_fact(relation, subject=subject, names=self.names, rng=self.rng)
        if relation.values in self.names.taken and self.rng.random() < stranger:
            value = self.names.stranger(relation.values, rng=self.rng)  # type: ignore[arg-type]
            return Fact(subject, relation, value, value)
        return fact

    def _page_with(self, fact: Fact) -> str:
        rng = self.rng
        facts = [fact]
        if rng.random() < 0.8:
            facts.append(self._other(fact))
        return page(rng.sample(facts, len(facts)), rng=rng)

    def _other(self, fact: Fact) -> Fact:
        """Another attribute of the same subject, as it is known or any."""
        relation = self.rng.choice([r for r in RELATIONS if r.kind == fact.relation.kind and r != fact.relation])
        known = self.known.get((fact.subject, relation.name))
        return known or self._any(relation, subject=fact.subject, stranger=0.3)

    def _distractor(self, fact: Fact) -> str:
        """What a search finds that does not answer: the subject's other facts, others' like facts, and talk."""
        rng, draw = self.rng, self.rng.random()
        if draw < 0.35:
            return self._page_with(self._other(fact))
        if draw < 0.5:
            return rng.choice(DULL).replace("{s}", fact.subject)
        subject = self._subject(fact.relation.kind, 0.5)
        if subject == fact.subject or (subject, fact.relation.name) in self.known:
            subject = self.names.stranger(fact.relation.kind, rng=rng)
        return self._page_with(self._any(fact.relation, subject=subject, stranger=0.3))


KINDS = (Sort(Lessons.article, 0.15, 48), Sort(Lessons.from_memory, 0.4, 48), Sort(Lessons.with_pages, 0.45, 24))


def train(world: MultihopWorld, *, plan: world_model.Plan = PLAN, quiet: bool = False) -> tuple[Any, Any]:
    """The model and its tokenizer."""
    tokens = tokenizer(world)
    lessons = Lessons(world, seed=plan.seed)
    return world_model.learnt(lessons, kinds=KINDS, tokens=tokens, plan=plan, quiet=quiet), tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/multihop-model"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=PLAN.steps)
    options = parser.parse_args()
    plan = replace(PLAN, seed=options.seed, steps=options.steps)
    model, tokens = train(build(seed=options.seed), plan=plan)
    world_model.save(model, tokens=tokens, folder=options.out, plan=plan)


if __name__ == "__main__":
    main()
