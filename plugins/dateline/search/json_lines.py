"""JSON lines: one document a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from dateline.documents.raw import (
    SOURCE_FIELDS,
    TEXT_FIELDS,
    TITLE_FIELDS,
    URL_FIELDS,
    RawDocument,
    dates_in,
    first_text,
    normalised,
)
from dateline.errors import BadInput
from dateline.search.encoding import MAX_BYTES, decode


def read_row(line: str) -> RawDocument:
    """Read one line of JSON.

    Raises:
        BadInput: when it is not an object with text.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as cause:
        raise BadInput("is not JSON") from cause
    if not isinstance(row, dict):
        raise BadInput("is not a JSON object")
    fields = normalised(row)
    nested = fields.get("metadata")
    if isinstance(nested, dict):
        fields = {**normalised(nested), **fields}
    text, title = first_text(fields, TEXT_FIELDS), first_text(fields, TITLE_FIELDS)
    if not text and not title:
        raise BadInput(f"has none of the text fields {', '.join(TEXT_FIELDS)}")
    return RawDocument(
        text=text or title,
        title=title,
        source=first_text(fields, SOURCE_FIELDS),
        url=first_text(fields, URL_FIELDS),
        dates=dates_in(fields, "field"),
    )


def read_lines(path: Path) -> Iterator[tuple[int, str | BadInput]]:
    """Return the numbered lines of a JSONL file.

    A line that cannot be read is its error.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_BYTES):
            number += 1
            if len(line) == MAX_BYTES and not line.endswith(b"\n"):
                yield number, BadInput(f"is longer than {MAX_BYTES // 2**20} MiB")
                while (rest := file.readline(MAX_BYTES)) and not rest.endswith(b"\n"):
                    pass
                continue
            try:
                text = decode(line).strip()
            except BadInput as error:
                yield number, error
                continue
            if text:
                yield number, text
