"""A file as its reader gets it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from dateline.documents.rules import DateRules
from dateline.formats.encoding import decode


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file's name, its bytes, and the rules for dates.

    Example:
        >>> GivenFile("notes/a.txt", b"One.\\r\\nTwo.", DateRules()).text
        'One.\\nTwo.'
    """

    name: str
    data: bytes
    rules: DateRules

    @property
    def text(self) -> str:
        """The bytes as text. Raises `BadInput` for binary data."""
        return decode(self.data).replace("\r\n", "\n").replace("\r", "\n")

    @property
    def ending(self) -> str:
        """The name's ending, in small letters."""
        return PurePosixPath(self.name).suffix.lower()
