"""Training questions from SQuAD (CC BY-SA 4.0), a paragraph that answers beside others of its article.

    examples(folder, rng, size) -> Iterator[Example]

The file is `questions.jsonl.gz`: title, context, question, answers with their first character. A part of the articles is
kept for validation (`held_out`); nothing of them is trained on.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from timeqa import AS_OF, Example, overlapping

from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline_bench import rows
from dateline_bench.held_out import held_out

ALONE, UNANSWERABLE = 0.6, 0.12
"""Shares of questions whose paragraph is read alone, and whose paragraph is left out. Chosen by hand."""


def examples(folder: Path, *, rng: random.Random, size: int = 2, untitled: float = 0.0) -> Iterator[Example]:
    """Each question once, in random order, with at most `size` paragraphs of its article.

    Args:
        untitled: share of questions whose paragraphs are shown without the article's title.
    """
    asked = [row for row in rows.read(rows.find(folder, "questions")) if not held_out(row["title"])]
    articles: dict[str, dict[str, Evidence]] = defaultdict(dict)
    for row in asked:
        articles[row["title"]].setdefault(row["context"], Evidence.make(row["context"], title=row["title"]))
    rng.shuffle(asked)
    for row in asked:
        made = _example(row, list(articles[row["title"]].values()), rng=rng, size=size)
        yield _without_titles(made) if untitled and rng.random() < untitled else made


def _without_titles(made: Example) -> Example:
    return replace(made, evidence=tuple(Evidence.make(piece.text) for piece in made.evidence))


def _example(row: dict[str, Any], page: list[Evidence], *, rng: random.Random, size: int) -> Example:
    question = decompose(row["question"], as_of=AS_OF)
    holds = [place for place, piece in enumerate(page) if piece.text == row["context"]]
    answers = tuple(answer["text"] for answer in row["answers"])
    others = [
        place
        for place, piece in enumerate(page)
        if place not in holds and not any(answer.lower() in piece.text.lower() for answer in answers)
    ]
    drawn = rng.random()
    chosen = holds if drawn >= UNANSWERABLE else []
    if others and drawn < 1 - ALONE:
        near = overlapping(question, page, others, k=2)
        chosen = [*chosen, *rng.sample(near, min(size - len(chosen), len(near)))]
    chosen = chosen or holds
    rng.shuffle(chosen)
    return Example(
        question=question,
        evidence=tuple(page[place] for place in chosen),
        answers=answers,
        gold=frozenset(number for number, place in enumerate(chosen) if place in holds),
        kind="squad",
        spans=tuple((answer["start"], answer["start"] + len(answer["text"])) for answer in row["answers"]),
    )
