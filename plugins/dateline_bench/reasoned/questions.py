"""Questions of 2WikiMultihopQA, HotpotQA, StrategyQA and IIRC."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from dateline.dynamic.hyperparameters import PaperDataset
from dateline.errors import BadInput
from dateline.records import Evidence
from dateline_bench import rows
from dateline_bench.reasoned.measuring import ReasonedQuestion

Row = Mapping[str, Any]

DATASETS: tuple[str, ...] = get_args(PaperDataset)


def load(path: Path, *, dataset: PaperDataset | None = None) -> tuple[PaperDataset, list[ReasonedQuestion]]:
    """Load questions from JSON lines; `dataset` `None`: by the first row.

    IIRC's rows are a question each, or a passage with its `questions` as published; those without an answer are left out.

    Raises:
        BadInput: for a row of another shape, with its line's number, or a file without any question.
    """
    read = list(rows.read(path))
    if not read:
        raise BadInput(f"{path} holds no rows; give one question a line, see docs/benchmarks.md.")
    dataset = dataset or shape_of(read[0])
    asked: list[ReasonedQuestion] = []
    for number, row in enumerate(read, start=1):
        try:
            asked += _SHAPES[dataset](row, number)
        except (KeyError, TypeError, ValueError, AttributeError) as cause:
            raise BadInput(f"Row {number} of {path} does not have the shape of {dataset}: {cause!r}.") from cause
    if not asked:
        raise BadInput(f"{path} holds no question with an answer.")
    return dataset, asked


def shape_of(row: Row) -> PaperDataset:
    """Identify a row's data set by its fields.

    Raises `BadInput` where it is none of the four.
    """
    answer = row.get("answer")
    if isinstance(answer, bool):
        return "strategyqa"
    if "questions" in row or isinstance(answer, Mapping):
        return "iirc"
    if "question" in row and isinstance(answer, str):
        return "2wikimultihopqa" if "evidences" in row or "answer_id" in row else "hotpotqa"
    raise BadInput(f"Cannot tell whose rows these are; say so with --option dataset=, one of {', '.join(DATASETS)}.")


def passages_of(path: Path) -> Iterator[Evidence]:
    """Return the questions' own paragraphs, each once."""
    seen: set[str] = set()
    for row in rows.read(path):
        for title, sentences in _context(row.get("context")):
            piece = Evidence.make(" ".join(sentences).strip(), title=title) if any(sentences) else None
            if piece is not None and piece.text and piece.id not in seen:
                seen.add(piece.id)
                yield piece


def _context(context: Any) -> Iterable[tuple[str, Sequence[str]]]:
    """Pairs of title and sentences; the datasets library has two lists instead."""
    if isinstance(context, Mapping):
        pairs: Iterable[Any] = zip(context.get("title", ()), context.get("sentences", ()), strict=False)
    else:
        pairs = context if isinstance(context, list) else ()
    for pair in pairs:
        if len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], list):
            yield pair[0], [str(sentence).strip() for sentence in pair[1]]


# -- shapes -----------------------------------------------------------------------------------


def _spans(row: Row, number: int) -> list[ReasonedQuestion]:
    """2WikiMultihopQA and HotpotQA."""
    golds = [row["answer"], *row.get("answer_aliases", ())]
    if not all(isinstance(gold, str) for gold in golds):
        raise TypeError("an answer is no text")
    return [ReasonedQuestion(_id(row, number), _text(row), tuple(golds))]


def _closed(row: Row, number: int) -> list[ReasonedQuestion]:
    """StrategyQA."""
    if not isinstance(row["answer"], bool):
        raise TypeError("answer is neither true nor false")
    return [ReasonedQuestion(_id(row, number), _text(row), ("yes" if row["answer"] else "no",), closed=True)]


def _iirc(row: Row, number: int) -> list[ReasonedQuestion]:
    """IIRC; several spans are one answer, in the order of the row."""
    nested = row.get("questions")
    if nested is not None:
        return [asked for place, one in enumerate(nested) for asked in _iirc(one, number * 1000 + place)]
    answer = row["answer"]
    match answer["type"]:
        case "none":
            return []
        case "span":
            spans = [str(span["text"]).strip() for span in answer["answer_spans"]]
            golds: tuple[str, ...] = (", ".join(spans),)
        case "value":
            value, unit = str(answer["answer_value"]).strip(), str(answer.get("answer_unit") or "").strip()
            golds = (value, f"{value} {unit}") if unit else (value,)
        case "binary":
            golds = (str(answer["answer_value"]).strip(),)
        case other:
            raise ValueError(f"unknown type of answer {other!r}")
    return [ReasonedQuestion(_id(row, number), _text(row), golds)]


def _id(row: Row, number: int) -> str:
    return str(row.get("_id") or row.get("id") or row.get("qid") or number)


def _text(row: Row) -> str:
    text = row["question"]
    if not isinstance(text, str) or not text.strip():
        raise ValueError("the question is empty")
    return " ".join(text.split())


_SHAPES: dict[PaperDataset, Callable[[Row, int], list[ReasonedQuestion]]] = {
    "2wikimultihopqa": _spans,
    "hotpotqa": _spans,
    "strategyqa": _closed,
    "iirc": _iirc,
}
