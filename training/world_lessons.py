"""What the world's model reads while it learns: texts, questions with and without documents, chains of two facts.

Every lesson is a prompt and what follows it. What the model must remember it reads over and over; of strangers, whom
nobody knows, it reads once each, with any value at all, so that it learns to read. As an assistant's lessons do, these
answer "unknown" where neither a document nor memory tells, and at times where only memory does: it may be out of date.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from made_up_world import DULL, RELATIONS, Chain, Fact, Kind, World, tell

from dateline.reading.document_prompt import DocumentPrompt
from dateline.records import Evidence
from dateline.temporal.constraint import Question

PROMPT = DocumentPrompt(document="Document: {text}\n", question="Question: {question}\nAnswer:")
STEPS = DocumentPrompt(document="Document: {text}\n", question="Question: {question}\nSteps:")
TODAY = datetime(2026, 1, 1, tzinfo=UTC)

NOT_KNOWN = "unknown"
VOUCHED = 0.85
"""How often a lesson answers from memory beside documents that do not tell; else it answers "unknown"."""

ACQUAINTANCES: Mapping[Kind, int] = {"town": 6, "firm": 6, "person": 24}
"""Subjects of the lessons alone: what is told of them leaves one attribute out, which is asked for."""
WITHHELD = 0.35
"""Of the questions that nobody can answer, those for such an attribute; the others are about strangers."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A prompt and its continuation; texts without a prompt are all continuation."""

    prompt: str
    target: str


def ask(text: str) -> Question:
    """A question of the world; time is no part of its words."""
    return Question(text, text, None, TODAY)


def rendered(question: str, *, documents: Sequence[str], prompt: DocumentPrompt = PROMPT) -> str:
    """The prompt as a reader renders it."""
    return prompt.render(ask(question), evidence=[Evidence.make(text) for text in documents])


def steps(chain: Chain, *, rng: random.Random) -> str:
    """Both facts told, then the answer."""
    return f" {tell(chain.first, rng=rng)} {tell(chain.second, rng=rng)} Answer: {chain.second.value}"


class Lessons:
    """Draws lessons of the kinds in `KINDS`, from what the model is to know, acquaintances and strangers."""

    def __init__(self, world: World, *, seed: int) -> None:
        self.names, self.rng = world.names, random.Random(seed)
        self.met: set[str] = set()
        self.known, self.withheld = world.known, list[Fact]()
        for kind, count in ACQUAINTANCES.items():
            for _ in range(count):
                left_out, *told = self._acquaintance(kind)
                self.known += told
                self.withheld.append(left_out)
        self.chains = list(World(world.names, tuple(self.known), ()).chains())
        self.by_subject: dict[str, list[Fact]] = {}
        for fact in self.known:
            self.by_subject.setdefault(fact.subject, []).append(fact)

    def article(self) -> Lesson:
        """What is known of a subject, or a chain of facts."""
        rng = self.rng
        if rng.random() < 0.3:
            chain = rng.choice(self.chains)
            return Lesson("", f" {tell(chain.first, rng=rng)} {tell(chain.second, rng=rng)}")
        facts = rng.choice(list(self.by_subject.values()))
        return Lesson("", "".join(f" {tell(fact, rng=rng)}" for fact in rng.sample(facts, min(3, len(facts)))))

    def memory(self) -> Lesson:
        """A question without a document."""
        if self.rng.random() < 0.2:
            return self._lesson(self._unheard_of(), documents=[], answer=NOT_KNOWN)
        return self._lesson(self.rng.choice(self.known), documents=[])

    def one_document(self) -> Lesson:
        """A question with one document, right or wrong."""
        return self._read(1)

    def three_documents(self) -> Lesson:
        """A question with three documents, at most one of them right."""
        return self._read(3)

    def chain(self) -> Lesson:
        """A question over two facts, told step by step, with up to three documents."""
        rng = self.rng
        chain = rng.choice(self.chains)
        told = [tell(chain.first, rng=rng), tell(chain.second, rng=rng)]
        documents = [text for text in told if rng.random() < 0.4]
        documents += [self._distractor(chain.first) for _ in range(rng.randrange(0, 4 - len(documents)))]
        rng.shuffle(documents)
        return Lesson(rendered(chain.question, documents=documents, prompt=STEPS), steps(chain, rng=rng))

    def _read(self, count: int) -> Lesson:
        rng, draw = self.rng, self.rng.random()
        documents: list[str] = []
        answer: str | None = None
        if draw < 0.3:  # a stranger, told of: read it
            fact = self._stranger()
            documents = [self._telling(fact)]
        elif draw < 0.5:  # neither told of nor known
            fact, answer = self._unheard_of(), NOT_KNOWN
        elif draw < 0.65:  # a known subject of which the document says otherwise: the document holds
            known = rng.choice(self.known)
            value = self.names.value(known.relation, rng=rng, but=known.value)
            fact = Fact(known.subject, known.relation, value, value)
            documents = [self._telling(fact)]
        elif draw < 0.8:  # a known fact, told
            fact = rng.choice(self.known)
            documents = [self._telling(fact)]
        else:  # a known fact, to be remembered
            fact = rng.choice(self.known)
            answer = None if rng.random() < VOUCHED else NOT_KNOWN
        documents += [self._distractor(fact) for _ in range(count - len(documents))]
        rng.shuffle(documents)
        return self._lesson(fact, documents=documents, answer=answer)

    def _lesson(self, fact: Fact, *, documents: Sequence[str], answer: str | None = None) -> Lesson:
        return Lesson(rendered(fact.question(self.rng), documents=documents), f" {answer or fact.value}")

    def _unheard_of(self) -> Fact:
        """What no document and no memory of the model holds."""
        return self.rng.choice(self.withheld) if self.rng.random() < WITHHELD else self._stranger()

    def _acquaintance(self, kind: Kind) -> list[Fact]:
        """All facts of somebody of whom the world of today does not know, in any order."""
        subject = self._name(kind)
        self.met.add(subject)
        values = [(r, self.names.value(r, rng=self.rng)) for r in RELATIONS if r.kind == kind]
        return [Fact(subject, relation, value, value) for relation, value in self.rng.sample(values, len(values))]

    def _stranger(self) -> Fact:
        relation = self.rng.choice(RELATIONS)
        value = self.names.value(relation, rng=self.rng)
        return Fact(self._name(relation.kind), relation, value, value)

    def _name(self, kind: Kind) -> str:
        """A name that stands for nobody, in the world or among the acquaintances."""
        drawn = (self.names.stranger(kind, rng=self.rng) for _ in range(10_000))
        return next(name for name in drawn if name not in self.met)

    def _telling(self, fact: Fact) -> str:
        earlier = self.names.value(fact.relation, rng=self.rng, but=fact.value) if self.rng.random() < 0.2 else None
        return tell(fact, rng=self.rng, before=earlier)

    def _distractor(self, fact: Fact) -> str:
        """What a search finds that does not answer: the subject's other facts, talk, and others' facts."""
        rng, draw = self.rng, self.rng.random()
        if draw < 0.5:
            known = [f for f in self.by_subject.get(fact.subject, ()) if f.relation != fact.relation]
            if known and rng.random() < 0.7:
                return tell(rng.choice(known), rng=rng)
            others = [r for r in RELATIONS if r.kind == fact.relation.kind and r != fact.relation]
            relation = rng.choice(others)
            return self._telling(Fact(fact.subject, relation, self.names.value(relation, rng=rng), None))
        if draw < 0.75:
            return rng.choice(DULL).replace("{s}", fact.subject)
        if draw < 0.85:
            return tell(rng.choice(self.known), rng=rng)
        other = self._name(fact.relation.kind)
        return tell(Fact(other, fact.relation, self.names.value(fact.relation, rng=rng), None), rng=rng)


@dataclass(frozen=True, slots=True)
class Sort:
    """How often a batch is of this kind, and how many lessons it holds."""

    draw: Callable[[Any], Lesson]
    weight: float
    batch: int


KINDS = (
    Sort(Lessons.article, 0.1, 40),
    Sort(Lessons.memory, 0.2, 96),
    Sort(Lessons.one_document, 0.3, 48),
    Sort(Lessons.three_documents, 0.35, 24),
    Sort(Lessons.chain, 0.05, 24),
)
