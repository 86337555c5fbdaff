"""How often an audit marks the passage with a superseded answer, and how often the right one.

    python benchmarks/audit.py [benchmarks/notes/seen] [--passages 5] [--items FILE] [--json FILE]

Each question is asked of its five nearest passages (vectors alone) among those known on its day, as an app would hand
them over. A passage is superseded where it is of a gold document of the same question at an earlier day, holds the answer of that
day, and neither holds the present one nor is of a gold document of it. It is right where it is of a gold document and holds the answer.
An audit marks what it calls outdated; "older" marks every passage older than the newest of the five. Nothing is random.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from dateline import Evidence
from dateline.audit import AuditedPassage, Auditor
from dateline.audit.nearest import nearest_passages
from dateline.evidence.knowledge import published_from, split_known
from dateline.text.embeddings import default_embeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.benchmarks.notes import load
from dateline_bench.notes.facts import CURRENT, changes
from dateline_bench.notes.judge import contains
from dateline_bench.notes.questions import NoteQuestion, NotesCorpus, is_one_of

HERE = Path(__file__).parent
EMBEDDINGS = RememberedEmbeddings(default_embeddings())


@dataclass(frozen=True)
class Row:
    """One audited passage of one question.

    Attributes:
        kind: superseded, right, or other.
        older: whether it is older than the newest of its five.
    """

    question: NoteQuestion
    kind: str
    older: bool
    audited: AuditedPassage


class Corpus:
    """One folder of notes and the nearest passages of a question in it."""

    def __init__(self, folder: Path) -> None:
        self.notes = NotesCorpus(folder)

    def nearest(self, item: NoteQuestion, count: int) -> list[Evidence]:
        """Return the nearest passages known on the question's day."""
        known = split_known(self.notes.documents, as_of=item.moment)[0]
        return nearest_passages(item.question, evidence=known, k=count, embeddings=EMBEDDINGS)

    def is_of(self, piece: Evidence, item: NoteQuestion) -> bool:
        """Check that a passage is of a gold document."""
        return is_one_of(self.notes.names[piece.id], item.gold_docs)

    def kind(self, piece: Evidence, item: NoteQuestion, earlier: Sequence[NoteQuestion]) -> str:
        """Return what a passage is to a question."""
        # A yes or no stands in no words: of those only the document tells.
        present = (self.is_of(piece, item), *([states(piece, item)] if item.match != "yesno" else []))
        if not any(present) and any(self.is_of(piece, old) and states(piece, old) for old in earlier):
            return "superseded"
        return "right" if item.answerable and all(present) else "other"


def states(piece: Evidence, item: NoteQuestion) -> bool:
    """Find an accepted answer in a passage; a yes or no is taken to be there."""
    if item.match not in ("any", "all"):
        return item.match == "yesno"
    return any(all(contains(piece.text, gold=part) for part in parts) for parts in item.alternatives)


def rows(folder: Path, *, count: int, seconds: list[float]) -> Iterator[Row]:
    """Audit the passages of every question."""
    asked, auditor = load(folder), Auditor(embeddings=EMBEDDINGS)
    for name in sorted({item.corpus for item in asked}):
        corpus, mine = Corpus(folder / "corpora" / name), [item for item in asked if item.corpus == name]
        earlier: dict[str, list[NoteQuestion]] = defaultdict(list)
        for old, new in changes(mine):
            earlier[new.id].append(old)
        for item in mine:
            pieces = corpus.nearest(item, count)
            newest = max(map(published_from, pieces))
            started = time.perf_counter()
            found = auditor.audit(item.parsed, evidence=pieces)
            seconds.append(time.perf_counter() - started)
            for piece, audited in zip(pieces, found.passages, strict=True):
                older = published_from(piece) < newest
                yield Row(item, corpus.kind(piece, item, earlier[item.id]), older, audited)


def figures(made: Sequence[Row]) -> dict[str, Any]:
    """Return n and the percentages marked, by kind of passage."""
    kinds = {
        "superseded": [row for row in made if row.kind == "superseded"],
        "right": [row for row in made if row.kind == "right"],
        "right, of questions for what is so now": [
            row for row in made if row.kind == "right" and row.question.category == CURRENT
        ],
        "all": list(made),
    }
    return {name: _figures(some) for name, some in kinds.items() if some}


def _figures(some: Sequence[Row]) -> dict[str, Any]:
    statuses = Counter(row.audited.status for row in some)
    share = {status: round(100 * number / len(some), 1) for status, number in statuses.most_common()}
    return {"n": len(some), "older": round(100 * sum(row.older for row in some) / len(some), 1), "audit": share}


def _item(row: Row) -> Mapping[str, Any]:
    asked = {"id": row.question.id, "question": row.question.question, "as_of": row.question.as_of}
    return {**asked, "kind": row.kind, "older": row.older, "text": row.audited.evidence.text, **row.audited.metadata()}


def main() -> None:
    """Print the table."""
    command = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("folder", type=Path, nargs="?", default=HERE / "notes" / "seen")
    command.add_argument("--passages", type=int, default=5, metavar="N", help="passages a question (default: 5)")
    command.add_argument("--items", type=Path, metavar="FILE", help="write every audited passage there, as JSON lines")
    command.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    given = command.parse_args()
    seconds: list[float] = []
    made = list(rows(given.folder, count=given.passages, seconds=seconds))
    if given.items:
        given.items.write_text("".join(json.dumps(_item(row), ensure_ascii=False) + "\n" for row in made), "utf-8")
    found = figures(made)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), "utf-8")
    print(f"{len(seconds)} questions, {median(seconds) * 1000:.0f} ms in the median")
    for name, row in found.items():
        shares = ", ".join(f"{status} {share}" for status, share in row["audit"].items())
        print(f"{name} (n = {row['n']}): older than the newest {row['older']} %; audit, in %: {shares}")


if __name__ == "__main__":
    main()
