"""Training questions from TimeQA's human annotations (BSD-3), each asked again with other constraints.

    load(folder, seed) -> Pages

The files are those that `dateline evaluate timeqa` reads, and `reading.jsonl` beside them: question, title, answers
(may be empty). A part of the pages is kept for validation; nothing on them is trained on.
"""

from __future__ import annotations

import random
from calendar import month_name
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dateline.reading.verdicts import Said
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import DAY, Interval, civil_from_days
from dateline_bench import rows
from dateline_bench.benchmarks.timeqa import AS_OF
from dateline_bench.held_out import held_out

STRANGE, LOOKED_AT = 0.5, 40
"""Share of groups with a passage of another page; it is the likest to the question of so many that are drawn, as a search would
find it."""

MONTHS = month_name[1:]


@dataclass(frozen=True)
class Example:
    """A question, the evidence to read and the answers in it.

    `gold` are the positions of evidence that answers; `spans` the characters of the answers in it, where they are known: else
    each occurrence of an answer is right. `states` tell sentences of known kinds: (place of the evidence, start, end, kind).
    `verdict` is what the gold evidence says to a question for yes or no, which has no spans.
    """

    question: Question
    evidence: tuple[Evidence, ...]
    answers: tuple[str, ...]
    gold: frozenset[int]
    kind: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    states: tuple[tuple[int, int, int, int], ...] = ()
    verdict: Said | None = None


@dataclass(frozen=True)
class Asked:
    """An annotated question; `gold` are ids of passages, empty where only the page is known."""

    text: str
    title: str
    kind: str
    answers: tuple[str, ...]
    gold: frozenset[str]


@dataclass(frozen=True)
class Pages:
    """The passages by page, in reading order, and the questions on them."""

    passages: dict[str, list[Evidence]]
    train: list[Asked]
    validation: list[Asked]


def load(folder: Path) -> Pages:
    """Read the three files. Raises `BadInput` that names a missing one."""
    passages: dict[str, list[Evidence]] = defaultdict(list)
    titles: dict[str, str] = {}
    for row in rows.read(rows.find(folder, "passages")):
        piece = Evidence(id=str(row["id"]), text=row["text"], title=row["title"], source="Wikipedia")
        passages[piece.title].append(piece)
        titles[piece.id] = piece.title
    asked = []
    for row in rows.read(rows.find(folder, "questions")):
        gold = frozenset(str(number) for number in row["gold"])
        asked.append(Asked(row["question"], titles[min(gold)], row["kind"], tuple(row["answers"]), gold))
    for row in rows.read(rows.find(folder, "reading")):
        asked.append(Asked(row["question"], row["title"], "reading", tuple(row["answers"]), frozenset()))
    return Pages(
        passages=dict(passages),
        train=[one for one in asked if not held_out(one.title)],
        validation=[one for one in asked if held_out(one.title)],
    )


def reworded(asked: Asked, *, rng: random.Random) -> Question:
    """The question with another constraint to which the same answer is right, half of the time; else as it is.

    A question that names a stretch of time ("from 1998 to 2003") has the same answer at any time within it.
    """
    question = decompose(asked.text, as_of=AS_OF)
    constraint = question.constraint
    if constraint is None or not constraint.text or constraint.text not in asked.text or rng.random() < 0.35:
        return question
    interval = constraint.interval
    if constraint.relation not in ("between", "at") or interval.start is None or interval.end is None:
        return question
    if interval.end - interval.start < 60 * DAY:
        return question
    words = _within(interval, rng)
    return decompose(asked.text.replace(constraint.text, words), as_of=AS_OF)


def _within(interval: Interval, rng: random.Random) -> str:
    """Words for a time inside the interval, in the ways that people write one."""
    assert interval.start is not None
    assert interval.end is not None
    first, last = interval.start // DAY, interval.end // DAY - 1
    one, other = sorted((rng.randint(first, last), rng.randint(first, last)))
    year, month, day = civil_from_days(one)
    year2, month2, _ = civil_from_days(other)
    name, name2 = MONTHS[month - 1], MONTHS[month2 - 1]
    short, short2 = name[:3], name2[:3]
    forms = [
        f"as of {name} {year}",
        f"around {year}",
        f"as of {year}",
        f"on {day} {name} {year}",
        f"in {year}",
        f"as of {name} {day}, {year}",
        f"in {name} {year}",
        f"in {short} {year}",
    ]
    if other - one > 45:
        forms += [f"between {short} {year} and {short2} {year2}", f"from {short} {year} to {short2} {year2}"]
    if year2 > year:
        forms += [f"between {year} and {year2}"]
    return rng.choice(forms)


def examples(asked: Sequence[Asked], *, pages: Pages, size: int, rng: random.Random) -> Iterator[Example]:
    """For each question one group of at most `size` passages of its page: those that answer it (one or two) and others.

    Half of the others stand next to each other in time or share words with the question, half are drawn.
    """
    for one in asked:
        page = pages.passages[one.title]
        holds = [number for number, piece in enumerate(page) if _holds(piece, one.answers)]
        right = [
            number
            for number in (holds if not one.gold else range(len(page)))
            if not one.gold or page[number].id in one.gold
        ]
        wrong = [number for number in range(len(page)) if number not in holds and number not in right]
        question = reworded(one, rng=rng)
        chosen = rng.sample(right, min(2 if not one.gold else 1, len(right)))
        near = overlapping(question, page, wrong, k=4)
        pool = near * 2 + rng.sample(wrong, min(3, len(wrong)))
        wanted = rng.randint(size - 1, size)
        while pool and len(chosen) < wanted:
            drawn = rng.choice(pool)
            chosen.append(drawn)
            pool = [number for number in pool if number != drawn]
        rng.shuffle(chosen)
        strange = [*_strange(one, question, pages, rng)] if rng.random() < STRANGE else []
        yield Example(
            question=question,
            evidence=(*(page[number] for number in chosen), *strange),
            answers=one.answers,
            gold=frozenset(place for place, number in enumerate(chosen) if number in right),
            kind=one.kind,
        )


def _strange(asked: Asked, question: Question, pages: Pages, rng: random.Random) -> list[Evidence]:
    """A passage of another page that is trained on and lacks the answer, chosen by the words it shares with the question."""
    titles = (rng.choice(pages.train).title for _ in range(LOOKED_AT))
    drawn = [rng.choice(pages.passages[title]) for title in titles if title != asked.title]
    lacking = [number for number, piece in enumerate(drawn) if not _holds(piece, asked.answers)]
    return [drawn[number] for number in overlapping(question, drawn, lacking, k=1)]


def _holds(piece: Evidence, answers: Sequence[str]) -> bool:
    return any(answer.lower() in piece.text.lower() for answer in answers)


def overlapping(question: Question, page: Sequence[Evidence], numbers: Sequence[int], *, k: int) -> list[int]:
    """The `k` of these passages that share most words with the question's content."""
    asked = {word for word in question.content.lower().split() if len(word) > 3}
    return sorted(numbers, key=lambda number: -len(asked & set(page[number].text.lower().split())))[:k]
