"""Training questions over corpora of notes in which much changes, with the notes that a search finds.

    examples(folder, rng, size) -> Iterator[Example]
    otherwise() -> dict[tuple[str, str], list[str]]
    affirmed() -> dict[tuple[str, str], dict[str, str]]

`folder` is laid out as those of `benchmarks/notes`: corpora/NAME/* and questions.jsonl. A group has the notes that answer and others
that were found beside them: older and newer versions, look-alikes. What stands in no note word for word is left out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from timeqa import Example

from dateline.ranking import HybridRanker
from dateline.reading.verdicts import Said
from dateline.records import Evidence
from dateline.search import FolderSearch
from dateline.text import default_embeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.benchmarks.notes import load
from dateline_bench.notes.questions import NoteQuestion, NotesCorpus, is_one_of

OTHERWISE = Path(__file__).with_name("otherwise.jsonl")
"""Other ways to ask the questions, two of each, by hands that saw neither notes nor code."""
AFFIRMED = Path(__file__).with_name("affirmed.jsonl")
"""Two questions for yes or no beside a question, by hands that saw its answer, those of other days, and neither notes nor code."""
HISTORIES, FIELDS, TURNS = (Path(__file__).parent / name for name in ("histories", "fields", "turns"))
FOUND = 8
"""The best found; of these a group is drawn."""
_POOL = 40
_SAID: dict[str, Said] = {"yes": "yes", "no": "no"}


def examples(folder: Path = HISTORIES, *, rng: random.Random, size: int) -> Iterator[Example]:
    """One group of at most `size` pieces for each question, in the order of the file, asked in any of its ways."""
    asked, ways, verdicts = load(folder), otherwise(), affirmed()
    embeddings = RememberedEmbeddings(default_embeddings())
    ranker = HybridRanker(embeddings=embeddings)
    for name in sorted({item.corpus for item in asked}):
        corpus = NotesCorpus(folder / "corpora" / name)
        search = FolderSearch.open(corpus.folder, embeddings=embeddings)
        for told in (one for one in asked if one.corpus == name):
            words = rng.choice([told.question, *ways.get((name, told.question), ())])
            items = [told.model_copy(update={"question": words})]
            said = verdicts.get((name, told.id))
            if said is not None:
                verdict = rng.choice(["yes", "no"])
                changed = {"question": said[verdict], "match": "yesno", "gold": (verdict,)}
                items.append(told.model_copy(update=changed))
            for item in items:
                question = item.parsed
                found = search.search(question.text, as_of=question.as_of, k=_POOL).evidence
                best = [one.evidence for one in ranker.rank(question, evidence=found, k=FOUND)] if found else []
                gold = [piece for piece in best if is_one_of(corpus.listed([piece])[0], item.gold_docs)]
                made = _example(item, gold, [piece for piece in best if piece not in gold], rng, size)
                if made is not None:
                    yield made


def affirmed() -> dict[tuple[str, str], dict[str, str]]:
    """The questions for yes and no beside a question, by its corpus and id."""
    told = map(json.loads, AFFIRMED.read_text(encoding="utf-8").splitlines())
    return {(one["corpus"], one["id"]): one for one in told}


def otherwise() -> dict[tuple[str, str], list[str]]:
    """The other ways to ask a question, by its corpus and its words."""
    told = map(json.loads, OTHERWISE.read_text(encoding="utf-8").splitlines())
    return {(one["corpus"], one["question"]): one["otherwise"] for one in told}


def _example(
    item: NoteQuestion, gold: Sequence[Evidence], others: Sequence[Evidence], rng: random.Random, size: int
) -> Example | None:
    if not item.answerable:
        return (
            Example(item.parsed, tuple(rng.sample(others, min(size, len(others)))), (), frozenset()) if others else None
        )
    if item.match == "yesno":
        verdict = _SAID.get(item.choices[0])
        return _group(item, gold, others, (), rng, size, verdict) if gold and verdict else None
    held = [(piece, worded) for piece in gold if (worded := _worded(item, piece.text))]
    answers = tuple(dict.fromkeys(answer for _, worded in held for answer in worded))
    # A note that holds the answer, too, and is not named for it, may be right or wrong: it is not shown.
    silent = [piece for piece in (*gold, *others) if not _worded(item, piece.text)]
    return _group(item, [piece for piece, _ in held], silent, answers, rng, size, None) if held else None


def _worded(item: NoteQuestion, text: str) -> list[str]:
    """The accepted wordings that stand in a text; of a single answer the longest."""
    low = text.lower()
    found = [one for parts in item.alternatives for one in parts if one.lower() in low]
    return list(dict.fromkeys(found)) if item.match == "all" else [max(found, key=len)] if found else []


def _group(
    item: NoteQuestion,
    gold: Sequence[Evidence],
    others: Sequence[Evidence],
    answers: tuple[str, ...],
    rng: random.Random,
    size: int,
    verdict: Said | None,
) -> Example:
    right = list(gold)[:size]
    group = [*right, *others[: max(0, size - len(right))]]
    rng.shuffle(group)
    places = frozenset(group.index(piece) for piece in right)
    return Example(item.parsed, tuple(group), answers, places, verdict=verdict)
