"""TimeQA's human annotations as published (github.com/wenhuchen/Time-Sensitive-QA, `human_annotated_*.json`).

The original gives, for each question, the paragraph and the characters of its answer. A passage here is a run of
whole sentences of about a hundred words; the one that holds the annotated characters is the gold evidence. The
original holds no perturbed questions: they are made here from the annotated range, by asking for a moment inside it
("as of", "in", "around", "on"). None has the relations of MRAG's TempRAGEval (first and last, with before, after and
between; section 3.2 and appendix G), for which people found other dates and looked up that the answer stays.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dateline.errors import BadInput
from dateline.language.calendar import MONTH_NAMES
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import DAY, civil_from_days
from dateline.text.sentences import split_sentences
from dateline_bench.rows import write

MOST_WORDS = 110
"""Of a passage, headings included."""

Places = list[tuple[int, int, int]]
"""(paragraph, first character of a sentence in it, passage), in reading order."""

_AS_OF = datetime(2021, 12, 1, tzinfo=UTC)


def build(source: Path, out: Path) -> dict[Path, int]:
    """Convert the files at `source`; return the files written.

    Raises:
        BadInput: when there is no such file, or it is not in the published format.
    """
    files = [source] if source.is_file() else sorted(source.glob("human_annotated_*.json"))
    if not files:
        raise BadInput(f"{source} holds no human_annotated_*.json; give the folder 'dataset' of TimeQA.")
    passages: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    known: dict[str, Places] = {}
    for path in files:
        for page in _pages(path):
            places = known.get(page["link"])
            if places is None:
                places = known[page["link"]] = _add_passages(page, passages)
            questions += _questions(page, places)
    return {
        (target := out / "passages.jsonl.gz"): write(target, passages),
        (target := out / "questions.jsonl.gz"): write(target, questions),
    }


def _pages(path: Path) -> Iterator[dict[str, Any]]:
    try:
        pages = json.loads(path.read_text(encoding="utf-8"))
        for page in pages:
            if not (page["link"] and page["paras"] and isinstance(page["questions"], list) and page["index"]):
                raise KeyError("page")
            yield page
    except (ValueError, KeyError, TypeError) as cause:
        raise BadInput(f"{path} is not in the format of TimeQA's human_annotated_*.json.") from cause


def _add_passages(page: Mapping[str, Any], passages: list[dict[str, Any]]) -> Places:
    """Add the page's passages; return each sentence's passage."""
    title, places = str(page["paras"][0]), Places()
    packed: list[str] = []
    length = 0
    for number, paragraph in enumerate(page["paras"][1:], start=1):
        for sentence in split_sentences(paragraph):
            words = len(sentence.text.split())
            if packed and length + words > MOST_WORDS:
                passages.append({"id": len(passages), "title": title, "text": " ".join(packed)})
                packed, length = [], 0
            packed.append(sentence.text)
            length += words
            places.append((number, sentence.start, len(passages)))
    if packed:
        passages.append({"id": len(passages), "title": title, "text": " ".join(packed)})
    return places


def _place(places: Places, span: Mapping[str, Any]) -> int:
    """Find the passage that holds the annotated characters."""
    return max(place for place in places if place[:2] <= (span["para"], span["from"]))[2]


def _questions(page: Mapping[str, Any], places: Places) -> Iterator[dict[str, Any]]:
    for number, (text, spans) in enumerate(page["questions"]):
        marked = [span for span in spans if span.get("answer") and span.get("para")]
        if not marked:
            continue
        key = {
            "id": f"{page['index']}#{number}",
            "question": text,
            "kind": "key",
            "answers": sorted({span["answer"] for span in marked}),
            "gold": sorted({_place(places, span) for span in marked}),
        }
        yield key
        if (perturbed := _perturbed(text, seed=key["id"])) is not None:
            yield {**key, "kind": "perturbed", **perturbed}


def _perturbed(text: str, *, seed: str) -> dict[str, str] | None:
    """Ask with a moment inside the annotated range, or `None`."""
    asked: Question = decompose(text, as_of=_AS_OF)
    constraint = asked.constraint
    if constraint is None or constraint.interval.start is None or constraint.interval.end is None:
        return None
    days = (constraint.interval.end - constraint.interval.start) // DAY
    if days < 365 or constraint.text not in text:
        return None
    choice = random.Random(seed)
    # The outer quarters may belong to the neighbouring spell: annotators round to years.
    day = constraint.interval.start // DAY + choice.randrange(days // 4, days - days // 4)
    year, month, of_month = civil_from_days(day)
    named = f"{MONTH_NAMES[month - 1]} {year}"
    wording = choice.choice([f"as of {named}", f"in {named}", f"around {year}", f"on {of_month} {named}"])
    return {"question": text.replace(constraint.text, wording, 1), "constraint": wording}
