"""Tasks of `rilm`: questions, retrieved candidates, and gold ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dateline.errors import BadInput
from dateline.evaluation.metrics import holds_answer, token_f1
from dateline.records import Evidence, Reading
from dateline.temporal.constraint import Question
from dateline_bench.benchmark import Progress, drawn, watched
from dateline_bench.benchmarks import realtimeqa, timeqa
from dateline_bench.held_out import Part, held_out

RIGHT = 0.5
"""From this token F1 on a free answer counts as right."""


@dataclass(frozen=True, slots=True)
class RilmTask:
    """One question.

    Attributes:
        golds: right answers in words; `right` are the positions among `choices`, where there are any.
        candidates: of the first retrieval, the best first; `scores` are that retrieval's own, where it has any.
        gold: ids of the pieces that hold the answer.
        other_times: what was right at other times, where that is known.
        group: page or question; whole groups lie on one side of the calibration.
    """

    question: Question
    golds: tuple[str, ...]
    candidates: tuple[Evidence, ...]
    gold: frozenset[str]
    group: str
    choices: tuple[str, ...] = ()
    right: frozenset[int] = frozenset()
    other_times: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()

    def f1(self, reading: Reading) -> float:
        """Return F1 with the best right answer, 0 to 1.

        A choice is right or wrong as a whole.
        """
        return float(reading.choice in self.right) if self.choices else token_f1(reading.answer, golds=self.golds)

    def is_right(self, reading: Reading) -> bool:
        """Return whether an answer is right."""
        return self.f1(reading) >= RIGHT

    def speaks(self, piece: Evidence, *, reading: Reading) -> bool:
        """Return whether a piece holds an answer of any time."""
        return piece.id in self.gold or token_f1(reading.answer, golds=self.other_times) >= RIGHT


def load(
    folder: Path, *, size: int, pages: Part, limit: int | None, seed: int, progress: Progress | None
) -> tuple[str, list[RilmTask]]:
    """Load a set's name and tasks, `size` candidates at most.

    Raises `BadInput`.
    """
    if any((folder / f"passages.jsonl{suffix}").is_file() for suffix in ("", ".gz")):
        return "timeqa", list(_timeqa(folder, size=size, pages=pages, limit=limit, seed=seed, progress=progress))
    if pages == "validation":
        raise BadInput("Only TimeQA has pages kept for validation; leave the option pages out.")
    return "realtimeqa", list(_realtimeqa(folder, size=size, limit=limit, seed=seed))


def _timeqa(
    folder: Path, *, size: int, pages: Part, limit: int | None, seed: int, progress: Progress | None
) -> Iterator[RilmTask]:
    """Build TimeQA's tasks: our ranking's candidates, annotated gold."""
    corpus, everything = timeqa.load(folder)
    asked = [one for one in everything if pages == "all" or held_out(_matter(one, corpus)[0])]
    asked = drawn(asked, limit=limit, seed=seed)
    index = timeqa.build_index(corpus, progress=progress)
    at_times: dict[tuple[str, str], set[str]] = {}
    for one in everything:
        at_times.setdefault(_matter(one, corpus), set()).update(one.answers)
    for one in watched(asked, stage="retrieve", progress=progress):
        title, content = _matter(one, corpus)
        ranked = index.search(one.question, size)
        yield RilmTask(
            question=one.question,
            golds=one.answers,
            candidates=tuple(found.evidence for found in ranked),
            scores=tuple(found.score for found in ranked),
            gold=frozenset(corpus.evidence[number].id for number in one.gold),
            group=title,
            other_times=tuple(sorted(at_times[title, content] - set(one.answers))),
        )


def _matter(asked: timeqa.TimeqaQuestion, corpus: timeqa.TimeqaCorpus) -> tuple[str, str]:
    """Return a question's page and content, without its time."""
    return corpus.evidence[min(asked.gold, default=0)].title, asked.question.content


def _realtimeqa(folder: Path, *, size: int, limit: int | None, seed: int) -> Iterator[RilmTask]:
    """Build RealTimeQA's tasks in the engine's order.

    A piece with the words of the right choice is gold.
    """
    for item in realtimeqa.load(folder, limit=limit, seed=seed):
        golds = tuple(item.choices[index] for index in sorted(item.right))
        yield RilmTask(
            question=item.question,
            golds=golds,
            candidates=item.evidence[:size],
            gold=frozenset(one.id for one in item.evidence if holds_answer(f"{one.title} {one.text}", golds=golds)),
            group=str(item.number),
            choices=item.choices,
            right=item.right,
        )
