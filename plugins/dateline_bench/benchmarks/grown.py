"""Questions of a benchmark made by `dateline grow`, asked each month.

`DIR` is such a benchmark, or one month of it. A month is asked over its own articles, a paragraph being a document; the first month has
none before it and is not asked. Options: `model`, a chat model by its LangChain name, by default the local reader;
`items=FILE` (`--items`) writes each answer.

`F1_<type>` and `EM_<type>`: over the questions that are new, changed or unchanged, and over all (GrowOVER, table 4).
`previous_answer_given`: of the changed questions, those answered as before the change. `auroc`: p(reliable) of right
answers, of F1 from 0.5 on, against wrong ones. `withheld_unanswered`: of the questions that nothing answers, those to
which nothing is said that anybody should trust.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import mean
from typing import Any

from dateline.certainty import CheckedReader, Gate, auroc
from dateline.errors import BadInput
from dateline.evaluation.metrics import exact_match, token_f1
from dateline.ranking import PassageIndex
from dateline.ranking.bm25 import top
from dateline.records import Evidence
from dateline.search import FolderSearch
from dateline.temporal.decomposition import decompose
from dateline.text.embeddings import embed
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.growing.grown import COUNTED, GrownQuestion
from dateline_bench.growing.steps import GrownStep, read_steps
from dateline_bench.notes.answers import READ, NoteAnswer
from dateline_bench.notes.questions import AFTER
from dateline_bench.rilm_tasks import RIGHT
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph
from dateline_graphs.components import Components, default_components, shared_embeddings


@dataclass(frozen=True)
class GrownItem:
    """Question of a month; with its article gone, nothing answers it."""

    month: str
    question: GrownQuestion
    gone: bool

    def f1(self, answer: str) -> float:
        """Return F1 with the answer of the month, 0 to 1."""
        return token_f1(answer, golds=[self.question.answer])

    @property
    def has_changed(self) -> bool:
        """Return whether its answer is another one than the month before."""
        # Benchmarks of earlier versions carry the previous answer on into later months.
        return self.question.type == "Changed" and bool(self.question.previous_answer)

    def is_previous(self, answer: str) -> bool:
        """Return whether an answer is nearer to that before the change."""
        before = token_f1(answer, golds=[self.question.previous_answer])
        return before >= RIGHT and before > self.f1(answer)


GrownPair = tuple[GrownItem, NoteAnswer]
"""A question, and what one system answered."""

ITEMS = '"reliable": '
"""What every line of answers holds."""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` questions drawn with `seed`.

    Raises:
        BadInput: for a folder that holds no such benchmark or has only its first month, a damaged file, an unknown
            option, or a model that cannot be used.
        MissingExtra: when the model's package is not installed.
    """
    items, model = options.pop("items", ""), options.pop("model", "")
    refuse_unknown(options, "items", "model")
    steps = read_steps(folder)
    asked = drawn(_items(steps), limit=limit, seed=seed)
    if not asked:
        raise BadInput(f"{folder} holds no questions.")
    started = time.perf_counter()
    answered: dict[str, list[GrownPair]] = {}
    for step in steps:
        mine = [item for item in asked if item.month == step.month]
        for system, pairs in _answered(step, mine, model=model, progress=progress).items():
            answered.setdefault(system, []).extend(pairs)
    if items:
        rows.write(Path(items), (_row(item, answer) for item, answer in answered["dateline"]))
    figures = {system: figures_of(pairs, old=system == "old text") for system, pairs in answered.items()}
    return BenchmarkReport(
        benchmark="grown",
        n=len(asked),
        configuration={
            "months": [step.month for step in steps],
            "questions": dict(Counter("gone" if item.gone else item.question.type for item in asked)),
            "made_by": dict(Counter(item.question.made_by for item in asked)),
            "model": model or "local reader",
            "seed": seed,
            "limit": limit,
        },
        metrics=figures.pop("dateline"),
        baselines=figures,
        cost={"seconds": time.perf_counter() - started},
    )


def figures_of(pairs: Sequence[GrownPair], *, old: bool = False) -> dict[str, float]:
    """Return the figures of one system in percent.

    One is left out where there is nothing to count.

    Args:
        old: whether the text of the month before was read, which answers no question that is new.
    """
    asked = [pair for pair in pairs if not pair[0].gone]
    figures: dict[str, float] = {}
    for name in (*COUNTED, "All"):
        some = [(item, answer.answer) for item, answer in asked if name in (item.question.type, "All")]
        if some:
            figures[f"F1_{name}"] = 100 * mean(item.f1(said) for item, said in some)
            figures[f"EM_{name}"] = 100 * mean(exact_match(said, golds=[item.question.answer]) for item, said in some)
    changed = [item.is_previous(answer.answer) for item, answer in asked if item.has_changed]
    right = [item.f1(answer.answer) >= RIGHT for item, answer in asked]
    nothing = [answer.withheld for item, answer in pairs if (item.question.type == "New" if old else item.gone)]
    if changed:
        figures["previous_answer_given"] = 100 * mean(changed)
    if len(set(right)) > 1:
        figures["auroc"] = 100 * auroc([answer.reliable for _, answer in asked], correct=right)
    if nothing:
        figures["withheld_unanswered"] = 100 * mean(nothing)
    return figures


class MonthReader:
    """Answers over the documents of one month, as of a step's end."""

    def __init__(self, documents: Sequence[Evidence], *, step: GrownStep, model: str) -> None:
        self._documents, self._as_of = documents, step.as_of
        search = FolderSearch(documents, embeddings=shared_embeddings())
        made = default_components(search=search, options=AnswerOptions(model=model))
        self._components: Components = replace(made, clock=lambda: AFTER)
        self._graph = answer_graph(self._components).compile()

    def ours(self, question: str) -> NoteAnswer:
        """Answer as `dateline ask` does by default."""
        asked: Any = {"question": question, "as_of": self._as_of.isoformat()}
        done = self._graph.invoke(asked, output_keys=["ranked", "report"])
        pieces = [Evidence.model_validate(one["evidence"]) for one in done["ranked"]]
        return NoteAnswer.of(AnswerReport.model_validate(done["report"]), documents=_articles(pieces))

    def plain(self, question: str) -> NoteAnswer:
        """Read the nearest passages by vectors, without dates, once."""
        query = embed([question], embeddings=shared_embeddings())[0]
        nearest = top(self._index.passages.passage_vectors @ query, READ)
        read = [self._documents[number].model_copy(update={"published": None}) for number in nearest]
        answer = self._reader.check(decompose(question, as_of=self._as_of), evidence=read)
        return NoteAnswer.of(answer, documents=_articles(read))

    @cached_property
    def _index(self) -> PassageIndex:
        return PassageIndex.build(self._documents, embeddings=shared_embeddings())

    @cached_property
    def _reader(self) -> CheckedReader:
        parts = self._components
        return CheckedReader(
            parts.reader,
            estimator=parts.estimator,
            gate=Gate(max_rounds=0),
            k=READ,
            candidates=0,
            per_document=parts.per_document,
        )


def _items(steps: Iterable[GrownStep]) -> list[GrownItem]:
    return [
        GrownItem(step.month, question, gone)
        for step in steps
        for questions, gone in ((step.questions, False), (step.gone, True))
        for question in questions
    ]


def _answered(
    step: GrownStep, asked: Sequence[GrownItem], *, model: str, progress: Progress | None
) -> dict[str, list[GrownPair]]:
    """Return the answers of each system to a month's questions.

    The text of the month before answers the questions that are gone, so it is asked the others alone.
    """
    if not asked:
        return {}
    now = MonthReader(step.documents, step=step, model=model)
    before = MonthReader(step.old_documents, step=step, model=model)
    standing = [item for item in asked if not item.gone]
    systems = {"dateline": (now.ours, asked), "plain RAG": (now.plain, asked), "old text": (before.ours, standing)}
    return {
        name: [
            (item, answer(item.question.question))
            for item in watched(mine, stage=f"{step.month}: {name}", progress=progress)
        ]
        for name, (answer, mine) in systems.items()
    }


def _articles(pieces: Sequence[Evidence]) -> list[str]:
    return list(dict.fromkeys(piece.source for piece in pieces))


def _row(item: GrownItem, answer: NoteAnswer) -> Mapping[str, Any]:
    question = item.question
    told = {"id": question.id, "month": item.month, "type": "Deleted" if item.gone else question.type}
    return {
        **told,
        "question": question.question,
        "gold": question.answer,
        "previous_answer": question.previous_answer,
        **asdict(answer),
    }
