"""Which facts a model's wrong word could end, and which its right word could not: the ground check on CLARK's news.

    python benchmarks/grounds.py DATA/clark [--json FILE]

Where a subject's state changed, the sentence that tells the new state is the document. A model that takes it to speak
against the old state is right (`true updates`); one that takes it to speak against the state of another subject with
the same property is wrong (`others`, all pairs). Facts are written from the data's labels, or are the sentences that
told the old states. `states`, which the updater never sees, only says which sentences belong together. `pass` is the check of
lines alone, `confirmed` with the second word of rules and judge, who read the new state too where the sentence bears it out.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from dateline.facts.fact import Fact
from dateline.facts.updating.document_parts import DocumentPart, split_document
from dateline.facts.updating.grounds import speaks_of, stands_in, told_by
from dateline.facts.updating.second_word import EndClaim, SecondWord
from dateline.reading.still import shared_still_judge
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline_bench import rows


class State(NamedTuple):
    """One state of a subject, and the sentence that tells it."""

    written: str
    sentence: str
    date: str


class Pair(NamedTuple):
    """A fact, and a document that may be taken to speak against it."""

    fact: str
    document: State
    true: bool


def histories(folder: Path) -> dict[tuple[str, str], list[State]]:
    """The states of each (subject, property) in order of time."""
    found: dict[tuple[str, str], list[State]] = defaultdict(list)
    for row in rows.read(rows.find(folder, "stream")):
        if row["kind"] == "sentence":
            subject, property, value = row["states"]
            written = f"The {property} of {subject} is {value}."
            found[subject, property].append(State(written, row["text"], row["date"]))
    return found


def pairs(folder: Path, *, form: str) -> Iterator[Pair]:
    """Every change with the fact that it ends, and with the first states of all other subjects of the property."""
    states = histories(folder)
    for (subject, property), own in states.items():
        for old, new in pairwise(own):
            if old.written == new.written:
                continue
            yield Pair(getattr(old, form), new, true=True)
            for (other, theirs), first in states.items():
                if theirs == property and other != subject:
                    yield Pair(getattr(first[0], form), new, true=False)


def measure(folder: Path, *, form: str) -> dict[str, Any]:
    """Of the pairs of each kind, the share that the check lets pass."""
    pieces: dict[State, DocumentPart] = {}
    passed: dict[bool, list[bool]] = {True: [], False: []}
    claims: dict[bool, list[EndClaim]] = {True: [], False: []}
    for pair in pairs(folder, form=form):
        if pair.document not in pieces:
            evidence = Evidence.make(pair.document.sentence, published=Interval.parse(pair.document.date))
            (pieces[pair.document],) = split_document(evidence, tokens=10_000, count=len)
        piece = pieces[pair.document]
        lines = range(1, len(piece.sentences) + 1)
        passed[pair.true].append(speaks_of(pair.fact, lines=lines, piece=piece))
        if passed[pair.true][-1]:
            told = tuple(told_by(lines, piece=piece))
            stated = (pair.document.written,) if stands_in(pair.document.written, piece=piece) else ()
            claims[pair.true].append(EndClaim(Fact.make(pair.fact), told, stated, when=piece.document.published))
    second = SecondWord(shared_still_judge())
    return {
        name: {
            "n": len(passed[true]),
            "pass": round(100 * sum(passed[true]) / len(passed[true]), 1),
            "confirmed": round(100 * sum(second.agree(claims[true])) / len(passed[true]), 1),
        }
        for name, true in (("true updates", True), ("others", False))
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    result = {form: measure(options.folder, form=form) for form in ("written", "sentence")}
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
