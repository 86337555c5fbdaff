"""Values of options, checked while the command line is read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo

from dateline import BadInput
from dateline.limits import QUESTION
from dateline.options import read_option
from dateline.temporal.as_of import EMPTY, read_moment


def reader(field: FieldInfo, *, name: str = "", many: bool = False) -> Callable[[str], Any]:
    """Return a reader of a field's values, for `type=` of argparse.

    Args:
        name: of the field, which argparse says itself.
        many: the field is a list, and the option gives one of it.
    """

    def read(text: str) -> Any:
        try:
            value = read_option(name, (text,) if many else text, field=field)
        except BadInput as cause:
            raise argparse.ArgumentTypeError(str(cause).removeprefix(f"{name} ").rstrip(".")) from cause
        return value[0] if many else value

    return read


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers from `low` on, up to `high`."""
    return reader(FieldInfo.from_annotated_attribute(int, Field(ge=low, le=high)))


def real(low: float, high: float | None = None, *, ends: bool = True) -> Callable[[str], float]:
    """Return a reader of numbers from `low` to `high`.

    The `ends` are allowed or not.
    """
    bounds = Field(ge=low, le=high) if ends else Field(gt=low, lt=high)
    return reader(FieldInfo.from_annotated_attribute(float, bounds))


def asking_date(text: str, *, future_ok: bool = False) -> str:
    """Return an asking date as it was written."""
    if not text.strip():
        raise argparse.ArgumentTypeError(EMPTY)
    try:
        read_moment(text, future_ok=future_ok)
    except BadInput as cause:
        raise argparse.ArgumentTypeError(str(cause)) from cause
    return text


def any_date(text: str) -> str:
    """Return a date as it was written, later than today as well."""
    return asking_date(text, future_ok=True)


def question(text: str) -> str:
    """Return a question, for `-` the one on standard input."""
    return words(sys.stdin.read(QUESTION + 1) if text == "-" else text)


def readable(text: str) -> str:
    """Return a text that a terminal gave, which may be empty."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("is not text in the encoding of this terminal; write it in UTF-8") from None
    return text


def words(text: str) -> str:
    """A text that says something, without white space around it."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty")
    return readable(text).strip()


def days(text: str) -> timedelta:
    """Return a period of whole days."""
    return timedelta(days=whole(1, timedelta.max.days)(text))


def port(text: str) -> int:
    """Return the number of a port."""
    return whole(1, 65535)(text)
