"""Pairs of notes as the judge of what ends reads them, and what is right of them, in batches of like length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from still_lessons import Alone, Lesson, Told
from torch import Tensor

from dateline.protocols import ONSETS, PlacedStatement
from dateline.reading.encoding import TextTokens, Window, batch
from dateline.reading.still import SAYS, still_windows
from dateline.reading.verdicts import VERDICTS

UNTITLED, UNPLACED = 0.25, 0.2
"""Shares of the lessons that do without the title of the later one's document, and without what stands before both."""
TOKENS, POOL = 4096, 2048
"""Tokens of a batch; pairs that are sorted by length before they are cut into batches."""
UNKNOWN = -100
"""The verdict or the onset of a row of which it is not known."""
INPUTS = ("ids", "mask", "segments", "marks")


@dataclass(frozen=True)
class Row:
    """A pair as the judge reads it, and what is right of it: indices of VERDICTS and of ONSETS, or `UNKNOWN`.

    `chances` are what a teacher tells of the verdict; none where that is known, or not asked.
    """

    window: Window
    verdict: int
    onset: int
    chances: tuple[float, ...] = ()


def batches(pairs: Sequence[Lesson], tokens: TextTokens, *, rng: random.Random) -> Iterator[list[Row]]:
    """Rows of like length together, in about a random order."""
    shuffled = rng.sample(list(pairs), len(pairs))
    for begin in range(0, len(shuffled), POOL):
        rows = [
            row(pair, tokens, titled=rng.random() >= UNTITLED, placed=rng.random() >= UNPLACED)
            for pair in shuffled[begin : begin + POOL]
        ]
        made = list(cut(rows))
        yield from rng.sample(made, len(made))


def cut(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Batches of rows of like length, the shortest first."""
    made: list[Row] = []
    for one in sorted(rows, key=lambda one: len(one.window.ids)):
        if made and (len(made) + 1) * len(one.window.ids) > TOKENS:
            yield made
            made = []
        made.append(one)
    if made:
        yield made


def row(pair: Lesson, tokens: TextTokens, *, titled: bool = True, placed: bool = True) -> Row:
    """A pair as the store asks, without the later one's title, or what stands before both, where it is to do without."""
    if isinstance(pair, Alone):  # as `announced_days` asks
        new = PlacedStatement(pair.new.text, pair.new.date)
        return Row(still_windows(PlacedStatement(""), later=new, tokens=tokens)[0], UNKNOWN, ONSETS.index(pair.onset))
    later, earlier = pair.new.placed, pair.old.placed
    if not titled:
        later = later._replace(title="")
    if not placed:
        later, earlier = later._replace(before=""), PlacedStatement(earlier.text, earlier.day)
    window = still_windows(earlier, later=later, tokens=tokens)[0]
    if isinstance(pair, Told):
        return Row(window, UNKNOWN, UNKNOWN, pair.chances)
    onset = ONSETS.index(pair.onset) if pair.effect == "ends" else UNKNOWN
    return Row(window, VERDICTS.index(SAYS[pair.effect]), onset)


def inputs(rows: Sequence[Row]) -> tuple[Tensor, ...]:
    """The tensors that a model is given, in the order of INPUTS."""
    arrays = batch([one.window for one in rows])
    return tuple(torch.from_numpy(arrays[name]) for name in INPUTS)
