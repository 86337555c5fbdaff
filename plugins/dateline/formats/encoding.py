"""Text out of files whose encoding nobody stated."""

from __future__ import annotations

import codecs
from pathlib import Path

from dateline.errors import BadInput
from dateline.files import read_bytes


def read_text(path: Path) -> str:
    """Read a text file in UTF-8, UTF-16 or a Western encoding.

    Raises:
        BadInput: for anything else.
        OSError: for what is no regular file, or a larger one than `FILE_BYTES`.
    """
    return decode(read_bytes(path))


def decode(data: bytes) -> str:
    """Decode bytes of unknown encoding.

    Raises:
        BadInput: for binary data.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    if b"\0" in data[:8192]:
        raise BadInput("is binary")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
