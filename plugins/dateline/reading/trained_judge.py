"""The trained judge of two sentences, shipped and run by onnxruntime.

all-MiniLM-L6-v2 (Wang et al., 2020; Reimers and Gurevych, 2019) reads both sentences at once and answers with three probabilities what the
first says of the second. See `models/MODEL_CARD.md` for what it was trained on and what it can and cannot do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.encodable import encodable
from dateline.errors import BadInput
from dateline.made_once import made_once
from dateline.protocols import Verdict
from dateline.reading.magnitudes import Agreement, agreement, compared
from dateline.reading.model_files import load_session, load_tokenizer, version
from dateline.reading.shipped_model import ShippedModel
from dateline.softmax import softmax
from dateline.text import split_sentences

VERDICTS: tuple[Verdict, ...] = ("supports", "contradicts", "neither")
"""The order of the model's verdicts."""

MAX_TOKENS = 160
"""Longer pairs are cut; the model was trained on no longer ones."""
WINDOW = 60
"""Words of a premise that are read at once; a longer one is read in windows of whole sentences."""

NUMBERS_SAY: Mapping[Agreement, float] = {"met": -1.0, "missed": 1.0, "none": 0.0}
"""What is added to the logarithm of "contradicts" where rules find the hypothesis's numbers met, or one of them missed."""
CAUTION = -0.4
"""What is always added to it: in training twice as many pairs contradict each other as leave something open, in use few do."""

_NO_ROWS: NDArray[np.float32] = np.empty((0, 3), dtype=np.float32)
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_TREEBANK = re.compile("|".join(map(re.escape, _BRACKETS)))


class TrainedJudge(ShippedModel):
    """Implements the protocol `Judge` with the shipped model."""

    def _open(self) -> None:
        self.name = f"trained judge {version('judge', folder=self._folder)}"
        self._tokenizer = load_tokenizer(folder=self._folder)
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._session = load_session("judge", threads=self._threads, folder=self._folder)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """Return a verdict for each (premise, hypothesis)."""
        return [VERDICTS[index] for index in self.probabilities(pairs).argmax(axis=1)]

    def probabilities(
        self, pairs: Sequence[tuple[str, str]], *, dates: Sequence[tuple[date | None, date | None]] | None = None
    ) -> NDArray[np.float32]:
        """Return probabilities of supports, contradicts, neither; shape (pairs, 3).

        Of a premise longer than `WINDOW` words, the window counts that leaves least open.

        Args:
            dates: what each premise and hypothesis is dated; None where it is not.

        Raises:
            BadInput: when there are not as many dates as pairs.
        """
        if dates is not None and len(dates) != len(pairs):
            raise BadInput(f"There are {len(pairs)} pairs and {len(dates)} pairs of dates; give one for each.")
        owners: list[int] = []
        windows: list[tuple[str, str]] = []
        said: list[float] = []
        for number, (premise, hypothesis) in enumerate(pairs):
            known, asked = dates[number] if dates is not None else (None, None)
            for window in _windows(premise):
                owners.append(number)
                windows.append(prepared(dated(window, known), dated(hypothesis, asked)))
                said.append(CAUTION + NUMBERS_SAY[agreement(_plain(window), _plain(hypothesis))])
        found = np.full((len(pairs), len(VERDICTS)), np.nan, dtype=np.float32)
        for owner, row in zip(owners, _with_numbers(self._run(windows), said), strict=True):
            if np.isnan(found[owner, 0]) or row[2] < found[owner, 2]:
                found[owner] = row
        return found

    def _run(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return probabilities; shape (pairs, 3)."""
        encodings: list[Any] = self._tokenizer.encode_batch_fast([tuple(map(encodable, pair)) for pair in pairs])
        found = self._session.each(self._logits, encodings)
        return softmax(np.stack(found)) if found else _NO_ROWS

    def _logits(self, encoding: Any) -> NDArray[np.float32]:
        """Run one pair by itself.

        Numbers are rounded to 8 bits by the range of all in one run, so that beside others a pair would depend on them.
        """
        parts = {"ids": encoding.ids, "mask": encoding.attention_mask, "segments": encoding.type_ids}
        given = {name: np.array([part], dtype=np.int64) for name, part in parts.items()}
        logits: NDArray[np.float32] = self._session.run(["logits"], given)[0][0]
        return logits


@made_once(size=1)
def shared_judge() -> TrainedJudge:
    """Return one judge for all who name no other, made once."""
    return TrainedJudge()


def prepared(premise: str, hypothesis: str) -> tuple[str, str]:
    """Both sentences as the model reads them: plain brackets, magnitudes compared."""
    return compared(_plain(premise), _plain(hypothesis))


def dated(text: str, day: date | None) -> str:
    """Put a sentence's date in front, as in training."""
    return text if day is None else f"({day.isoformat()}) {text}"


def _plain(text: str) -> str:
    return " ".join(_TREEBANK.sub(lambda match: _BRACKETS[match.group()], text).split())


def _windows(premise: str) -> list[str]:
    """Group sentences into windows of at most `WINDOW` words, or one sentence."""
    if len(premise.split()) <= WINDOW:
        return [premise]
    windows: list[list[str]] = []
    for sentence in split_sentences(premise):
        words = sentence.text.split()
        if windows and len(windows[-1]) + len(words) <= WINDOW:
            windows[-1] += words
        else:
            windows.append(words)
    return [" ".join(window) for window in windows] or [premise]


def _with_numbers(rows: NDArray[np.float32], said: Sequence[float]) -> NDArray[np.float32]:
    rows[:, 1] *= np.exp(np.array(said, dtype=np.float32))
    mixed: NDArray[np.float32] = rows / rows.sum(axis=1, keepdims=True)
    return mixed
