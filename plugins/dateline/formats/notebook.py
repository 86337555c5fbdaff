"""Notebooks: their text, code and printed results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dateline.documents.raw import RawDocument
from dateline.errors import BadInput
from dateline.formats.given import GivenFile
from dateline.formats.markdown import read_with_fields


def read_notebook(file: GivenFile) -> list[RawDocument]:
    """Read a Jupyter notebook of version 3 or 4.

    Pictures and HTML are left out. Its own fields hold no date, unless its writer put one there.
    """
    text = file.text
    try:
        book = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise BadInput("is not JSON") from cause
    sheets = book.get("worksheets") or [book] if isinstance(book, dict) else []
    parts = [part for sheet in sheets for cell in sheet.get("cells") or () for part in _cell(cell) if part]
    fields = book.get("metadata") or {} if sheets else {}
    return [read_with_fields("\n\n".join(parts), fields, file=file, place="notebook")]


def _cell(cell: Mapping[str, Any]) -> Iterator[str]:
    source = _joined(cell.get("source", cell.get("input", "")))
    yield f"```\n{source}\n```" if cell.get("cell_type") == "code" and source else source
    for output in cell.get("outputs") or ():
        plain = output.get("data", output)
        yield _joined(plain.get("text/plain") or plain.get("text") or "")


def _joined(text: Any) -> str:
    return ("".join(map(str, text)) if isinstance(text, list) else str(text)).strip()
