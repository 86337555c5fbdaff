"""The local readers by name."""

from __future__ import annotations

from typing import Literal, get_args

from dateline.errors import check_choice
from dateline.handwritten.reading.extractive import ExtractiveReader
from dateline.made_once import made_once
from dateline.protocols import Reader
from dateline.reading.trained_reader import TrainedReader

LocalReaderName = Literal["trained", "rules"]
"""`trained`: the small model that ships with dateline; `rules`: words, times and names alone."""


@made_once(size=2)
def local_reader(name: LocalReaderName = "trained") -> Reader:
    """Return a local reader by name, made once.

    The rules are used only when asked for by name.

    Raises:
        BadInput: for an unknown name.
        DamagedInstall: when the trained reader's weights are missing or not the ones that were shipped.
    """
    check_choice(name, name="reader", choices=get_args(LocalReaderName))
    return TrainedReader() if name == "trained" else ExtractiveReader()
