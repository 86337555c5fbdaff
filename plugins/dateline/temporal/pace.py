"""Pace of a question: how fast its answer changes, by its wording.

A softmax over five speeds sums weights of the question's words, runs of up to three words, and runs of two to five letters.
`training/pace.py` fits them; `dateline evaluate evergreen` measures them.
"""

from __future__ import annotations

import math
import re
import unicodedata
import zlib
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from dateline.errors import BadInput
from dateline.limits import QUESTION

if TYPE_CHECKING:  # `import dateline` leaves numpy out
    import numpy as np
    from numpy.typing import NDArray

Speed = Literal["never", "years", "months", "days", "hours"]
"""What passes until an answer may be another one; an event of every year changes its answer within months."""
SPEEDS: tuple[Speed, ...] = get_args(Speed)

HALF_LIVES: Mapping[Speed, float] = {"never": math.inf, "years": 730.0, "months": 120.0, "days": 4.0, "hours": 0.25}
"""Days until half of such answers have changed; chosen by hand."""

BUCKETS = 1 << 16
"""Different features that share a bucket share a weight."""
_PHRASES, _PIECES = (1, 2, 3), (2, 3, 4, 5)
_TOKEN, _DIGIT = re.compile(r"\w+|[^\w\s]"), re.compile(r"\d")
_DATA = resources.files("dateline.language") / "data" / "pace.npz"


class Pace(NamedTuple):
    """Chances that an answer changes never, in years, months, days, hours.

    Example:
        >>> weather, author = how_fast("What is the weather in Lund?"), how_fast("Who wrote the Iliad?")
        >>> weather.speed, author.speed
        ('hours', 'never')
        >>> weather.lifetime() < timedelta(days=1), author.lifetime()
        (True, None)
    """

    never: float
    years: float
    months: float
    days: float
    hours: float

    @property
    def speed(self) -> Speed:
        """Return "never" from one half on, else the likeliest other speed."""
        if self.never >= 0.5:
            return "never"
        return SPEEDS[1 + max(range(4), key=self[1:].__getitem__)]

    @property
    def changing(self) -> Pace:
        """Return the pace of what is known to change some day."""
        rest = sum(self[1:])
        return Pace(0.0, *(one / rest for one in self[1:])) if rest else Pace(0.0, 1.0, 0.0, 0.0, 0.0)

    def outdated(self, *, days: float) -> float:
        """Return the chance that an answer has changed after so many days."""
        if days <= 0:
            return 0.0
        return sum(
            chance * (1 - math.pow(0.5, days / HALF_LIVES[speed])) for speed, chance in zip(SPEEDS, self, strict=True)
        )

    def lifetime(self, *, risk: float = 0.5) -> timedelta | None:
        """Return how long an answer may be kept; `None` for ever.

        After it, the chance that the answer has changed exceeds `risk`.

        Raises:
            BadInput: when `risk` does not lie between 0 and 1.
        """
        if not 0 < risk < 1:
            raise BadInput(f"risk must lie between 0 and 1, not {risk}; 0.5 keeps an answer while it is likely right.")
        if 1 - self.never <= risk:
            return None
        low, high = 0.0, 1.0
        while self.outdated(days=high) <= risk and high < timedelta.max.days / 4:
            low, high = high, 2 * high
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.outdated(days=middle) <= risk else (low, middle)
        return timedelta(days=low)


def how_fast(question: str) -> Pace:
    """Return how fast the answer to a question changes.

    Only the wording counts, of the last `dateline.limits.QUESTION` characters.
    """
    import numpy as np

    from dateline.softmax import softmax

    weights, scales, bias = _model()
    found = features(question)
    sums = (
        np.fromiter(found.values(), np.float64, len(found)) @ weights[list(found)] if found else np.zeros(len(SPEEDS))
    )
    return Pace(*softmax(sums * scales + bias).tolist())


def features(question: str) -> dict[int, float]:
    """Return the weights of a question's buckets: phrases and pieces of words.

    Digits are alike. The squares of the phrases add up to 1, those of the pieces as well, where no two share a bucket.
    """
    text = _DIGIT.sub("0", unicodedata.normalize("NFKC", question[-QUESTION:]).casefold())
    words = _TOKEN.findall(text)
    line = ["^", *words, "$"]
    phrases = {" ".join(line[at : at + size]) for size in _PHRASES for at in range(len(line) - size + 1)}
    padded = [f"_{word}_" for word in set(words)]
    pieces = {"#" + word[at : at + size] for word in padded for size in _PIECES for at in range(len(word) - size + 1)}
    found: dict[int, float] = {}
    for block in (phrases, pieces):
        for name in sorted(block):
            bucket = zlib.crc32(name.encode(errors="replace")) % BUCKETS
            found[bucket] = found.get(bucket, 0.0) + 1 / math.sqrt(len(block))
    return found


@cache
def _model() -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.float64]]:
    """Return weights (buckets, speeds), their scales and the bias (speeds)."""
    import numpy as np

    with _DATA.open("rb") as file, np.load(file, allow_pickle=False) as kept:
        return kept["weights"], kept["scales"], kept["bias"]
