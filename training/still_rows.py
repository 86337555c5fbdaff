"""Pairs of notes as the judge of what ends reads them, and what is right of them, in batches of like length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from reader_model import base_model
from still_lessons import Alone, Lesson, Told
from tokenizers import Tokenizer
from torch import Tensor

from dateline.protocols import ONSETS
from dateline.reading.encoding import TextTokens, Window, batch, windows
from dateline.reading.still import SAYS, asked_still
from dateline.reading.verdicts import VERDICTS

UNTITLED = 0.25
"""Share of the lessons that do without the title of the later one's document."""
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
        rows = [row(pair, tokens, titled=rng.random() >= UNTITLED) for pair in shuffled[begin : begin + POOL]]
        made: list[list[Row]] = [[]]
        for one in sorted(rows, key=lambda one: len(one.window.ids)):
            if made[-1] and (len(made[-1]) + 1) * len(one.window.ids) > TOKENS:
                made.append([])
            made[-1].append(one)
        yield from rng.sample(made, len(made))


def small_tokens() -> TextTokens:
    """The tokenizer of the small models."""
    tokenizer = Tokenizer.from_file(str(base_model() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return TextTokens(tokenizer)


def row(pair: Lesson, tokens: TextTokens, *, titled: bool = True) -> Row:
    """A pair as the store asks, without the later one's title where it is to do without."""
    title = pair.new.title if titled else ""
    earlier = "" if isinstance(pair, Alone) else pair.old.text
    question, piece = asked_still(earlier, later=pair.new.text, day=pair.new.date, title=title)
    window = windows(question, evidence=[piece], tokens=tokens)[0]
    if isinstance(pair, Alone):
        return Row(window, UNKNOWN, ONSETS.index(pair.onset))
    if isinstance(pair, Told):
        return Row(window, UNKNOWN, UNKNOWN, pair.chances)
    onset = ONSETS.index(pair.onset) if pair.effect == "ends" else UNKNOWN
    return Row(window, VERDICTS.index(SAYS[pair.effect]), onset)


def inputs(rows: Sequence[Row]) -> tuple[Tensor, ...]:
    """The tensors that a model is given, in the order of INPUTS."""
    arrays = batch([one.window for one in rows])
    return tuple(torch.from_numpy(arrays[name]) for name in INPUTS)
