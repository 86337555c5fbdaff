"""Grown benchmarks in GrowOVER's published form: JSON lines by month.

`qa.jsonl` (article -> its questions), `article_dialogue.jsonl` (article -> ids of dialogues), `dialogue.jsonl`, `turn.jsonl`.
Fields that theirs lack (`id`, `indices`, `previous_answer`, `made_by`, `replaces`) are added; they may be missing when read.
`end_idx` is included in the range. Months are written as YYYY-MM, not MM, since a benchmark may grow for years.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from dateline.errors import BadInput
from dateline_bench import rows
from dateline_bench.growing.grown import (
    GrownDialogue,
    GrownQuestion,
    GrownTurn,
    InstanceType,
    MadeBy,
    stable_id,
)

FILES = ("qa.jsonl", "article_dialogue.jsonl", "dialogue.jsonl", "turn.jsonl")

T = TypeVar("T")

_WRITTEN: dict[InstanceType, str] = {
    "Unchanged": "SAME",
    "New": "NEW",
    "Changed": "CHANGED",
    "Undecided": "UNDECIDED",
    "Deleted": "DELETED",
}
_READ: dict[str, InstanceType] = {
    **{written: type for type, written in _WRITTEN.items()},
    "UNCHANGED": "Unchanged",
    "CONTRADICT": "Changed",
}


def write_instances(folder: Path, *, questions: Sequence[GrownQuestion], dialogues: Sequence[GrownDialogue]) -> None:
    """Write the four files into a folder that is there."""
    by_article: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for question in questions:
        by_article[question.article].append(_question_row(question))
    talks: dict[str, list[str]] = defaultdict(list)
    turns: dict[str, dict[str, Any]] = {}
    metas: dict[str, dict[str, Any]] = {}
    for dialogue in dialogues:
        talks[dialogue.article].append(dialogue.id)
        ids = {str(number): f"{dialogue.id}-{number}" for number in range(len(dialogue.turns))}
        metas[dialogue.id] = {
            "article_id": dialogue.article,
            "title": dialogue.title,
            "created_month": dialogue.born,
            "last_modified_month": dialogue.modified,
            "dialogue_type": _WRITTEN[dialogue.type],
            "turn": ids,
            "made_by": dialogue.made_by,
        }
        for number, turn in enumerate(dialogue.turns):
            turns[ids[str(number)]] = _turn_row(turn, number, dialogue)
    everything: tuple[Mapping[str, Any], ...] = (by_article, talks, metas, turns)
    for name, kept in zip(FILES, everything, strict=True):
        lines = (json.dumps({id: row}, ensure_ascii=False) + "\n" for id, row in kept.items())
        (folder / name).write_text("".join(lines), encoding="utf-8")


def read_instances(folder: Path) -> tuple[tuple[GrownQuestion, ...], tuple[GrownDialogue, ...]]:
    """Read a month's questions and dialogues, ours or as published.

    Raises:
        BadInput: for a file that is missing, or a line that is none of theirs.
    """
    questions = [
        _of(_question, article, row, folder / "qa.jsonl")
        for article, asked in _rows(folder / "qa.jsonl")
        for row in _list(asked, folder / "qa.jsonl")
    ]
    turns = dict(_rows(folder / "turn.jsonl")) if (folder / "turn.jsonl").exists() else {}
    metas = _rows(folder / "dialogue.jsonl") if (folder / "dialogue.jsonl").exists() else ()
    dialogues = [
        _of(lambda id, row: _dialogue(id, row, turns), id, row, folder / "dialogue.jsonl") for id, row in metas
    ]
    return tuple(questions), tuple(dialogue for dialogue in dialogues if dialogue.turns)


def _question_row(question: GrownQuestion) -> dict[str, Any]:
    row: dict[str, Any] = {
        "title": question.title,
        "type": _WRITTEN[question.type],
        "generated_month": question.born,
        "question": question.question,
        "answer": question.answer,
        "grounded_text": " ".join(question.evidence),
        "start_idx": question.indices[0],
        "end_idx": question.indices[-1],
        "id": question.id,
        "indices": question.indices,
        "evidence": question.evidence,
        "made_by": question.made_by,
    }
    if question.previous_answer:
        row["previous_answer"] = question.previous_answer
    if question.replaces:
        row["replaces"] = question.replaces
    return row


def _turn_row(turn: GrownTurn, number: int, dialogue: GrownDialogue) -> dict[str, Any]:
    return {
        "dialogue_id": dialogue.id,
        "turn_number": number,
        "user": turn.user,
        "expert": turn.expert,
        "grounded_sentence": " ".join(turn.evidence),
        "sentence_type": _WRITTEN[turn.type],
        "sentence_index": turn.indices[0] if turn.indices else None,
        "created_month": dialogue.born,
        "created_type": _WRITTEN[dialogue.type],
        "indices": turn.indices,
        "evidence": turn.evidence,
    }


def _question(article: str, row: Mapping[str, Any]) -> GrownQuestion:
    start, end = row.get("start_idx"), row.get("end_idx", row.get("start_idx"))
    indices = row.get("indices", [] if start is None else range(int(start), int(end) + 1))
    evidence = tuple(row["evidence"]) if "evidence" in row else (str(row.get("grounded_text", "")),)
    born = _month(row.get("generated_month"))
    return GrownQuestion(
        id=str(row.get("id") or stable_id("question", article, born, row["question"])),
        article=article,
        title=str(row.get("title", "")),
        type=_READ[str(row["type"]).upper()],
        born=born,
        question=row["question"],
        answer=str(row["answer"]),
        previous_answer=str(row.get("previous_answer", "")),
        evidence=evidence,
        indices=tuple(indices),
        made_by=_made_by(row),
        replaces=tuple(row.get("replaces", ())),
    )


def _dialogue(id: str, row: Mapping[str, Any], turns: Mapping[str, Any]) -> GrownDialogue:
    given = sorted(row["turn"].items(), key=lambda item: int(item[0]))
    return GrownDialogue(
        id=id,
        article=str(row["article_id"]),
        title=str(row.get("title", "")),
        type=_READ[str(row["dialogue_type"]).upper()],
        born=_month(row.get("created_month")),
        modified=_month(row.get("last_modified_month", row.get("created_month"))),
        turns=tuple(_turn(turns[turn]) for _, turn in given if turn in turns),
        made_by=_made_by(row),
    )


def _turn(row: Mapping[str, Any]) -> GrownTurn:
    index = row.get("sentence_index")
    return GrownTurn(
        type=_READ[str(row["sentence_type"]).upper()],
        user=row["user"],
        expert=row["expert"],
        evidence=tuple(row["evidence"]) if "evidence" in row else (str(row.get("grounded_sentence", "")),),
        indices=tuple(row.get("indices", [] if index is None else [int(index)])),
    )


def _month(value: object) -> str:
    return f"{value:02d}" if isinstance(value, int) else str(value or "")


def _made_by(row: Mapping[str, Any]) -> MadeBy:
    return "template" if row.get("made_by") == get_args(MadeBy)[1] else "model"


def _of(read: Callable[[str, Any], T], id: str, row: object, path: Path) -> T:
    try:
        return read(id, row)
    except (KeyError, TypeError, ValueError, AttributeError) as cause:
        raise BadInput(
            f"{path} holds an instance under {id!r} that cannot be read ({type(cause).__name__})."
        ) from cause


def _list(asked: object, path: Path) -> list[Any]:
    if not isinstance(asked, list):
        raise BadInput(f"{path} must hold a list of questions for each article.")
    return asked


def _rows(path: Path) -> Iterator[tuple[str, Any]]:
    """(id, row) of every line."""
    if not path.is_file():
        raise BadInput(f"Cannot read {path}; a month needs its {', '.join(FILES)}.")
    for row in rows.read(path):
        yield from row.items()
