"""Values of options, checked while the command line is read."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from dateline import BadInput
from dateline.options import span
from dateline.temporal.as_of import read_moment


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Whole numbers from `low` on, up to `high` where one is given."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or value < low or (high is not None and value > high):
            raise argparse.ArgumentTypeError(f"must be a whole number {span(low, high)}, not {text!r}")
        return value

    return read


def real(low: float, high: float | None = None, *, ends: bool = True) -> Callable[[str], float]:
    """Return a reader of numbers from `low` up to `high`.

    Args:
        high: `None`: no limit.
        ends: whether `low` and `high` are valid themselves.
    """

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        top = float("inf") if high is None else high
        # NaN fails every comparison, and infinity is no number that a person means.
        inside = (low <= value <= top if ends else low < value < top) and value != float("inf")
        if not inside:
            raise argparse.ArgumentTypeError(f"must be a number {span(low, high, ends=ends)}, not {text!r}")
        return value

    return read


def asking_date(text: str, *, future_ok: bool = False) -> str:
    """Return an asking date as it was written."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty; give a date such as 2024-05-01, or leave it out")
    try:
        read_moment(text, future_ok=future_ok)
    except BadInput as cause:
        raise argparse.ArgumentTypeError(str(cause)) from cause
    return text


def any_date(text: str) -> str:
    """Return a date as it was written, later than today as well."""
    return asking_date(text, future_ok=True)


def words(text: str) -> str:
    """A text that says something, without white space around it."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("is not text in the encoding of this terminal; write it in UTF-8") from None
    return text.strip()
