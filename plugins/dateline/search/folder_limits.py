"""Limits of a folder that is read and indexed in memory."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dateline.errors import BadInput


@dataclass(frozen=True, slots=True)
class FolderLimits:
    """Limits of one folder: what lies beyond is named and not read.

    Time is different: a folder that takes longer is refused, as half of an index would mislead.

    Attributes:
        files: documents that are read, in order of their paths.
        bytes: what they hold together.
        passages: pieces of about 200 words. An index of 100,000 takes about 6 GB of memory; MiniLM needs half an hour for it
            on two cores.
        seconds: of reading and indexing: twice what that takes.

    Raises:
        BadInput: for a limit that is not above 0.

    Example:
        >>> FolderLimits(files=10).passages
        100000
    """

    # Chosen by hand; files and bytes are more than 100,000 passages usually come in.
    files: int = 50_000
    bytes: int = 2**30
    passages: int = 100_000
    seconds: float = 3600.0

    def __post_init__(self) -> None:
        for one in fields(self):
            if not (value := getattr(self, one.name)) > 0:
                raise BadInput(f"{one.name} must be above 0, not {value}.")
