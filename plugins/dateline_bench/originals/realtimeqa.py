"""RealTimeQA as published: weekly files of questions and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dateline.errors import BadInput
from dateline_bench.rows import read, write

MOST_CHARACTERS = 1_200
"""Of each result's text; the answer to a quiz stands near the top of a news page."""


def build(source: Path, out: Path) -> dict[Path, int]:
    """Join `*_qa.jsonl` and `*_gcs.jsonl` by question; return files written.

    Raises:
        BadInput: when there is no such pair of files, or a row lacks what it needs.
    """
    questions = sorted(source.rglob("*_qa.jsonl"))
    results = sorted(source.rglob("*_gcs.jsonl"))
    if not questions or not results:
        raise BadInput(f"{source} holds no *_qa.jsonl beside *_gcs.jsonl; give the folder 'past' of RealTimeQA.")
    found = {row["question_id"]: row for path in results for row in read(path) if "question_id" in row}
    path = out / "questions.jsonl.gz"
    return {path: write(path, _joined(questions, found))}


def _joined(questions: list[Path], found: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for path in questions:
        for row in read(path):
            searched = found.get(row.get("question_id", ""))
            if searched is None or row["question_id"] in seen:
                continue
            seen.add(row["question_id"])
            try:
                yield _converted(row, searched)
            except (KeyError, IndexError, ValueError, TypeError) as cause:
                raise BadInput(f"Question {row['question_id']} in {path} lacks a field or has a wrong one.") from cause


def _converted(row: Mapping[str, Any], searched: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": row["question_id"],
        "question": row["question_sentence"],
        "question_date": row["question_date"],
        "search_time": searched.get("search_time", ""),
        "choices": row["choices"],
        "answer_index": row["answer"],
        "answer": row["choices"][int(row["answer"][0])],
        "results": [
            {
                "url": result.get("url", ""),
                "title": result.get("title", ""),
                "publish_date": result.get("publish_date"),
                "text": str(result.get("text", ""))[:MOST_CHARACTERS],
            }
            for result in searched.get("search_result") or ()
            if isinstance(result, Mapping)
        ],
    }
