"""Generated answers and their figures: accuracy and cost."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from dateline.dynamic import DynamicGenerator, Generation
from dateline.dynamic.prompt import Layout, PromptText
from dateline.dynamic.queries import QuestionQuery
from dateline.dynamic.triggers import Never
from dateline.evaluation.metrics import exact_match, holds_answer
from dateline.records import Evidence
from dateline.text.sentences import split_sentences
from dateline_bench.reasoned.answers import CLOSING, final_answer, overlap, yes_or_no

SHARES = frozenset({"EM", "F1", "precision", "recall", "accuracy", "prompted", "holds", "page_found", "page_in_front"})
"""Figures that are told in percent."""

CLOSING_TOKENS = 24
"""Of the answer, where the model has to be asked to close with one."""


@dataclass(frozen=True, slots=True)
class ReasonedQuestion:
    """A question and its right answers.

    Attributes:
        closed: whether yes and no are the only answers, so that accuracy is what is measured.
        page: the title of the page that tells the answer, where one does.
    """

    id: str
    text: str
    golds: tuple[str, ...]
    closed: bool = False
    page: str = ""


@dataclass(frozen=True, slots=True)
class ReasonedAnswer:
    """Generated answer of a question.

    Attributes:
        answer: empty where the model closed with none, even when asked to.
        prompted: whether "So the answer is" had to be put behind what it wrote.
        seconds: wall-clock time, that of the retriever and of the prompted closing included.
        core_seconds: time of all processor cores, which other work on the machine does not lengthen.
        generated: tokens, the withdrawn ones and those of the closing too.
    """

    asked: ReasonedQuestion
    generation: Generation
    answer: str
    prompted: bool
    seconds: float
    core_seconds: float
    generated: int

    @property
    def figures(self) -> dict[str, float]:
        """Return the question's figures, shares 0 to 1."""
        right = {"accuracy": float(yes_or_no(self.answer) in self.asked.golds)} if self.asked.closed else self._match()
        return {
            **right,
            "retrievals": float(len(self.generation.retrievals)),
            "generated_tokens": float(self.generated),
            "read_tokens": float(self.generation.cost.input_tokens),
            "sentences": float(len(split_sentences(self.generation.text))),
            "seconds": self.seconds,
            "core_seconds": self.core_seconds,
            "prompted": float(self.prompted),
            **self._pages(),
        }

    def _match(self) -> dict[str, float]:
        common = overlap(self.answer, golds=self.asked.golds)
        em = exact_match(self.answer, golds=self.asked.golds)
        holds = float(holds_answer(self.generation.text, golds=self.asked.golds))
        return {"EM": em, "F1": common.f1, "precision": common.precision, "recall": common.recall, "holds": holds}

    def _pages(self) -> dict[str, float]:
        if not self.asked.page:
            return {}
        found = {each.title for one in self.generation.retrievals for each in one.documents}
        front = {each.title for each in self.generation.documents}
        return {"page_found": float(self.asked.page in found), "page_in_front": float(self.asked.page in front)}


@dataclass(frozen=True, slots=True)
class ClosingLayout:
    """Prompt layout that ends where the answer is to come."""

    inner: Layout
    text: str

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """The prompt."""
        made = self.inner.prompt(question, documents=documents, as_of=as_of)
        return replace(made, text=f"{made.text} {f'{self.text} {CLOSING}'.strip()}")


@dataclass(frozen=True, slots=True)
class SameDocumentsLayout:
    """A layout that shows the same documents whatever was found."""

    inner: Layout
    documents: tuple[Evidence, ...]

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """The prompt."""
        return self.inner.prompt(question, documents=self.documents, as_of=as_of)


def answered(asked: ReasonedQuestion, *, generator: DynamicGenerator, closing: bool = True) -> ReasonedAnswer:
    """Generate and extract the final answer.

    Never raises for what a model writes.

    Args:
        asked: the question.
        generator: answers it.
        closing: whether a text without "So the answer is" is continued behind these words; otherwise all of it is the
            answer.
    """
    started, core = time.perf_counter(), time.process_time()
    generation = generator.generate(asked.text)
    answer, generated = final_answer(generation.text), generation.cost.output_tokens
    prompted = answer is None and closing
    if answer is None and not closing:
        answer = generation.text
    if answer is None:
        layout = ClosingLayout(SameDocumentsLayout(generator.options.layout, generation.documents), generation.text)
        ending = generator.with_options(
            trigger=Never(), query=QuestionQuery(), layout=layout, max_new_tokens=CLOSING_TOKENS
        ).generate(asked.text)
        answer = final_answer(f"{CLOSING} {ending.text}") or ""
        generated += ending.cost.output_tokens
    seconds, core_seconds = time.perf_counter() - started, time.process_time() - core
    return ReasonedAnswer(asked, generation, answer, prompted, seconds, core_seconds, generated)


def answer_all(questions: Sequence[ReasonedQuestion], *, generator: DynamicGenerator) -> list[ReasonedAnswer]:
    """All questions, one after the other."""
    return [answered(asked, generator=generator) for asked in questions]


def summary(told: Iterable[ReasonedAnswer]) -> dict[str, float]:
    """Average over questions: shares in percent, the rest per question."""
    return averages(one.figures for one in told)


def averages(figures: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Average the figures of questions: shares in percent, the rest per question."""
    rows = list(figures)
    names = list(dict.fromkeys(name for row in rows for name in row))
    means = {name: float(np.mean([row[name] for row in rows if name in row])) for name in names}
    return {name: 100 * mean if name in SHARES else mean for name, mean in means.items()}
