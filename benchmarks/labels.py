"""Time the labels of a long article pair, embeddings and judge included.

    python benchmarks/labels.py [--sentences 5000] [--edited 0.2 1.0] [--json FILE]

A made-up article; of its sentences the given share is edited: numbers, names, wording, splits, deletions, additions and
moves in equal parts. At 1.0 no sentence stays as it was, so that all of both versions are embedded.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from dateline.evolution import SentenceLabeller
from dateline.reading.trained_judge import TrainedJudge
from dateline.text import default_embeddings

SYLLABLES = [
    "ber",
    "dal",
    "fen",
    "gor",
    "hal",
    "ist",
    "jor",
    "kel",
    "lun",
    "mar",
    "nor",
    "osk",
    "pel",
    "ros",
    "sal",
    "tar",
    "ulm",
    "var",
    "wen",
    "zed",
]
THINGS = [
    "mill",
    "bridge",
    "chapel",
    "school",
    "library",
    "harbour",
    "theatre",
    "station",
    "market",
    "tower",
    "garden",
    "hospital",
    "prison",
    "museum",
]
MADE = ["built", "opened", "restored", "sold", "closed", "enlarged", "painted", "insured", "surveyed", "repaired"]
BY = ["the brewer", "the painter", "the baker", "the engineer", "the bishop", "the merchant", "the surgeon", "the poet"]
EDITS = ("number", "name", "words", "split", "delete", "add", "move")


def name(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 3))).title()


def sentence(rng: random.Random) -> tuple[str, str]:
    """Two halves: what happened, and a detail."""
    place, person = name(rng), f"{name(rng)} {name(rng)}"
    return (
        f"The {rng.choice(THINGS)} of {place} was {rng.choice(MADE)} in {rng.randint(1500, 2020)} by {rng.choice(BY)} {person}",
        f"it has {rng.randint(2, 900)} {rng.choice(['rooms', 'windows', 'members', 'steps', 'benches', 'lamps'])}",
    )


def article(sentences: int, *, edited: float, seed: int) -> tuple[list[str], list[str]]:
    """Both versions of an article."""
    rng = random.Random(seed)
    old: list[str] = []
    new: list[str] = []
    for _ in range(sentences):
        first, second = sentence(rng)
        whole = f"{first}, and {second}."
        old.append(whole)
        edit = rng.choice(EDITS) if rng.random() < edited else ""
        if edit == "number":
            new.append(f"{first}, and it has {rng.randint(1000, 2000)} {second.split()[-1]}.")
        elif edit == "name":
            new.append(f"{first.rsplit(' ', 2)[0]} {name(rng)} {name(rng)}, and {second}.")
        elif edit == "words":
            new.append(f"{first[0].upper()}{first[1:]}; {second.replace('it has', 'there are')} in it today.")
        elif edit == "split":
            new += [f"{first}.", f"{second[0].upper()}{second[1:]}."]
        elif edit == "add":
            new += [whole, f"{'. '.join(part[0].upper() + part[1:] for part in sentence(rng))}."]
        elif edit == "move":
            new.insert(rng.randint(0, len(new)), whole)
        elif not edit:
            new.append(whole)
    return old, new


def measure(sentences: int, *, edited: float, seed: int) -> dict[str, Any]:
    """One pair with parts that are loaded already."""
    labeller = SentenceLabeller(embeddings=default_embeddings(), judge=TrainedJudge())
    labeller.label(["The mill is old."], new=["The mill is new."])
    old, new = article(sentences, edited=edited, seed=seed)
    wall, cpu = time.perf_counter(), time.process_time()
    labelling = labeller.label(old, new=new)
    return {
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - cpu,
        "old": len(old),
        "new": len(new),
        "labels": dict(Counter(one.label for one in labelling.sentences)),
        "deleted": len(labelling.deleted),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=5_000)
    parser.add_argument("--edited", type=float, nargs="+", default=[0.2])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    runs = {f"{share:g}": measure(options.sentences, edited=share, seed=options.seed) for share in options.edited}
    result = {
        "seconds": runs[f"{options.edited[0]:g}"]["seconds"],
        "seconds_by_share_edited": {share: one["seconds"] for share, one in runs.items()},
        "details": runs,
    }
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
