"""JSON lines: one document a line."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from dateline.documents.fields import TEXT_FIELDS, TEXT_NAMES, TITLE_FIELDS, Fields
from dateline.documents.raw import RawDocument, raw_of
from dateline.documents.rules import USUAL, DateRules
from dateline.errors import BadInput
from dateline.files import open_regular, read_bytes
from dateline.files import read_lines as bounded_lines
from dateline.formats.encoding import decode
from dateline.limits import FILE_BYTES
from dateline.text.lines import file_lines


def read_row(line: str, *, file: str = "", rules: DateRules = USUAL) -> RawDocument:
    """Read one line of JSON.

    Raises:
        BadInput: when it is not an object with a text or a title.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as cause:
        raise BadInput("is not JSON") from cause
    if not isinstance(row, dict):
        raise BadInput("is not a JSON object")
    fields = Fields(row)
    text = fields.text(TEXT_FIELDS) or fields.text(TITLE_FIELDS)
    if not text:
        raise BadInput(f"has none of the text fields {', '.join(TEXT_NAMES)}")
    return raw_of(text, fields=fields, rules=rules, file=file)


def read_lines(path: Path) -> Iterator[tuple[int, str | BadInput]]:
    """Read numbered lines of JSONL; an unreadable one gives its error."""
    with open_regular(path) as file:
        for number, line in enumerate(_lines(file, path), start=1):
            if line is None:
                yield number, BadInput(f"is longer than {FILE_BYTES // 2**20} MiB")
                continue
            try:
                text = decode(line).strip()
            except BadInput as error:
                yield number, error
                continue
            if text:
                yield number, text


def _lines(file: BinaryIO, path: Path) -> Iterator[bytes | None]:
    """Split a file into lines.

    UTF-16 is decoded first: in it the byte of a line break ends no line.
    """
    if file.read(2) not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        file.seek(0)
        return bounded_lines(file)
    return (line.encode() for line in file_lines(decode(read_bytes(path))))
