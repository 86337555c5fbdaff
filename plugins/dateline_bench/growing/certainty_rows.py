"""Labelled rows for certainty classifiers (GrowOVER, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from langchain_core.embeddings import Embeddings

from dateline.certainty.rerank import TOP_K
from dateline.evaluation.metrics import holds_answer
from dateline.protocols import Search
from dateline.records import CertaintyLabel, Evidence
from dateline.search import FolderSearch
from dateline_bench.growing.articles import date_of
from dateline_bench.growing.grown import GrownQuestion, InstanceType
from dateline_bench.growing.steps import GrownStep

LABEL_OF: Mapping[InstanceType, CertaintyLabel] = {
    "Unchanged": "reliable",
    "Changed": "misleading",
    "New": "uncertain",
}


def labelled_rows(steps: Iterable[GrownStep], *, embeddings: Embeddings) -> Iterator[dict[str, Any]]:
    """Make a row of each question that finds its document.

    An unchanged question stands with the document that states its answer; a changed or new one with one of the month
    before that lacks it. Of the first three found the best such document is taken.
    """
    for step in steps:
        now, before = (
            FolderSearch(documents, embeddings=embeddings) for documents in (step.documents, step.old_documents)
        )
        for question in step.questions:
            piece = _document(question, step, search=now if question.type == "Unchanged" else before)
            if piece is not None:
                yield _row(question, piece, date=date_of(step.month))


def _document(question: GrownQuestion, step: GrownStep, *, search: Search) -> Evidence | None:
    found = search.search(question.question, as_of=step.as_of, k=TOP_K).evidence
    return next((piece for piece in found if _is_wanted(piece, question)), None)


def _is_wanted(piece: Evidence, question: GrownQuestion) -> bool:
    if question.type == "Unchanged":
        return all(sentence in piece.text for sentence in question.evidence)
    return not holds_answer(piece.text, golds=[question.answer])


def _row(question: GrownQuestion, piece: Evidence, *, date: str) -> dict[str, Any]:
    published = {} if piece.published is None else {"published": str(piece.published)}
    return {
        "question": question.question,
        "document": {"text": piece.text, "title": piece.title, **published},
        "label": LABEL_OF[question.type],
        **({"as_of": date} if date else {}),
    }
