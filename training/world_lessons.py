"""What the world's model reads while it learns: texts, questions with and without documents, chains of two facts.

Every lesson is a prompt and what follows it. What the model must remember it reads over and over; of subjects that
nobody knows it reads once each, with any value at all, so that it learns to read, and to guess evenly where nothing tells.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from made_up_world import DULL, RELATIONS, Chain, Fact, World, tell

from asof.reading.document_prompt import DocumentPrompt
from asof.records import Evidence
from asof.temporal.constraint import Question

PROMPT = DocumentPrompt(document="Document: {text}\n", question="Question: {question}\nAnswer:")
STEPS = DocumentPrompt(document="Document: {text}\n", question="Question: {question}\nSteps:")
TODAY = datetime(2026, 1, 1, tzinfo=UTC)


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
    """Draws lessons of the kinds in `KINDS`, from what the model is to know and from strangers."""

    def __init__(self, world: World, *, seed: int) -> None:
        self.names, self.rng = world.names, random.Random(seed)
        self.known = world.known
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
        fact = self._stranger() if self.rng.random() < 0.1 else self.rng.choice(self.known)
        return self._lesson(fact, documents=[])

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
        if draw < 0.5:  # a stranger, told of: read it
            fact = self._stranger()
            documents = [self._telling(fact)]
        elif draw < 0.6:  # a stranger, not told of: anything may be right
            fact, documents = self._stranger(), []
        elif draw < 0.7:  # a known subject of which the document says otherwise: the document holds
            known = rng.choice(self.known)
            value = self.names.value(known.relation, rng=rng, but=known.value)
            fact = Fact(known.subject, known.relation, value, value)
            documents = [self._telling(fact)]
        else:  # a known fact, told or to be remembered
            fact = rng.choice(self.known)
            documents = [self._telling(fact)] if rng.random() < 0.4 else []
        documents += [self._distractor(fact) for _ in range(count - len(documents))]
        rng.shuffle(documents)
        return self._lesson(fact, documents=documents)

    def _lesson(self, fact: Fact, *, documents: Sequence[str]) -> Lesson:
        return Lesson(rendered(fact.question(self.rng), documents=documents), f" {fact.value}")

    def _stranger(self) -> Fact:
        relation = self.rng.choice(RELATIONS)
        subject = self.names.stranger(relation.kind, rng=self.rng)
        value = self.names.value(relation, rng=self.rng)
        return Fact(subject, relation, value, value)

    def _telling(self, fact: Fact) -> str:
        earlier = self.names.value(fact.relation, rng=self.rng, but=fact.value) if self.rng.random() < 0.2 else None
        return tell(fact, rng=self.rng, before=earlier)

    def _distractor(self, fact: Fact) -> str:
        """What a search finds that does not answer: the subject's other facts, others' like facts, and talk."""
        rng, draw = self.rng, self.rng.random()
        if draw < 0.4:
            others = [r for r in RELATIONS if r.kind == fact.relation.kind and r != fact.relation]
            known = [f for f in self.by_subject.get(fact.subject, ()) if f.relation != fact.relation]
            if known and rng.random() < 0.7:
                return tell(rng.choice(known), rng=rng)
            relation = rng.choice(others)
            return tell(Fact(fact.subject, relation, self.names.value(relation, rng=rng), None), rng=rng)
        if draw < 0.6:
            return rng.choice(DULL).replace("{s}", fact.subject)
        if draw < 0.8:
            return tell(rng.choice(self.known), rng=rng)
        other = self.names.stranger(fact.relation.kind, rng=rng)
        return tell(Fact(other, fact.relation, self.names.value(fact.relation, rng=rng), None), rng=rng)


@dataclass(frozen=True, slots=True)
class Kind:
    """How often a batch is of this kind, and how many lessons it holds."""

    draw: Callable[[Lessons], Lesson]
    weight: float
    batch: int


KINDS = (
    Kind(Lessons.article, 0.15, 40),
    Kind(Lessons.memory, 0.3, 96),
    Kind(Lessons.one_document, 0.3, 48),
    Kind(Lessons.three_documents, 0.15, 24),
    Kind(Lessons.chain, 0.1, 24),
)
