"""Find pairs of marked archives of which a judge wrongly says that the later one ends the earlier:

    python training/misled.py --weights FILE [--out training/misled.json]

Of each statement of `changes/marked`, the nearest earlier ones that it leaves are asked of. What the judge says of a pair in doubt is
written as {archive: [[later, earlier], ...]}, statements counted from 1; `changes.misled()` reads it. What it is all but sure of is not:
of 14 such pairs that were read, about half were ends that had not been marked.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

import torch
from changes import MARKED, MISLED, left_near, notes_of
from half import half
from reader_model import SpanReader, small_tokens
from still_lessons import Told
from still_model import StillModel
from still_rows import cut, inputs, row

from dateline.reading.still import SAYS
from dateline.reading.verdicts import VERDICTS

LEAST, MOST = 0.3, 0.85
"""How likely an end the judge says. Of 14 pairs between that were read, all but two or three were none."""
NEAREST = 6
_NO = VERDICTS.index(SAYS["ends"])

Places = tuple[int, int]
"""The numbers of a later and an earlier statement, from 1."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="float weights of the judge, by still.py")
    parser.add_argument("--out", type=Path, default=MISLED)
    given = parser.parse_args()
    model = StillModel(SpanReader())
    model.load_state_dict(torch.load(given.weights, weights_only=True))
    written = {file.stem: sorted(misleading(model.eval(), file)) for file in sorted(MARKED.glob("*.json"))}
    given.out.write_text(json.dumps(written, separators=(",", ":")), "utf-8")
    print(f"{sum(map(len, written.values()))} pairs")


def misleading(model: StillModel, file: Path) -> Iterator[Places]:
    """Yield the pairs of an archive that mislead `model`."""
    archive = json.loads(file.read_text("utf-8"))
    notes = notes_of(archive)
    asked = [(later, earlier) for later, near in left_near(archive, random.Random(0)) for earlier in near[:NEAREST]]
    pairs, tokens = [(notes[later], notes[earlier]) for later, earlier in asked], small_tokens()
    # Each pair carries its number through the batches in place of chances.
    asked_of = [row(Told(old, new, (float(place),)), tokens) for place, (new, old) in enumerate(pairs) if new and old]
    for rows in cut(asked_of):
        with torch.no_grad(), half():
            chances = model(*inputs(rows))[0].float().softmax(dim=1)[:, _NO].tolist()
        for one, chance in zip(rows, chances, strict=True):
            if LEAST <= chance < MOST:
                later, earlier = asked[int(one.chances[0])]
                yield later + 1, earlier + 1


if __name__ == "__main__":
    main()
