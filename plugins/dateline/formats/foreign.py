"""Parsers of other packages, as `ForeignProcess` runs them: bytes in, JSON out.

Nothing else imports this module: markitdown takes seconds to import.
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from importlib import import_module
from typing import Any, BinaryIO

from dateline.errors import BadInput
from dateline.formats.apart import REPLY
from dateline.formats.xml_tree import local, parsed
from dateline.formats.zips import opened
from dateline.limits import DOCUMENT

MEMORY = 6 * 2**30
"""Bytes of address space; onnxruntime, which markitdown imports, takes two of them. Chosen by hand."""

MOST_ROWS = 200_000
"""Rows with a value that are read of a workbook; chosen by hand."""

_AROUND = 100_000
"""Characters of a reply that are no rows, such as the names of sheets; chosen by hand."""

_COMMENT = re.compile(r"<!--.{0,200}?-->", re.S)
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,500}\)")
_GLYPH = re.compile(r"\(cid:\d{1,6}\)")


def pdf(data: bytes) -> dict[str, Any]:
    """Read a PDF's text and the dates and title of its information."""
    from pdfminer.pdfdocument import PDFDocument, PDFEncryptionError, PDFPasswordIncorrect
    from pdfminer.pdfparser import PDFParser
    from pdfminer.utils import decode_text

    try:
        document = PDFDocument(PDFParser(io.BytesIO(data)))
    except (PDFPasswordIncorrect, PDFEncryptionError):
        raise BadInput("is encrypted") from None
    infos = [*reversed(document.info)]  # the newest last: it goes before what was saved earlier
    said = {name: value for info in infos for name, value in info.items() if isinstance(value, bytes)}
    fields = {name: decode_text(said[name]) for name in ("Title", "CreationDate", "ModDate") if name in said}
    text = _GLYPH.sub("", _converted(data, by="PdfConverter", ending=".pdf")).replace("\f", "\n\n")
    if not text.strip():
        raise BadInput("has no text, only pictures of it")
    return {"text": text, "title": fields.pop("Title", ""), "saved": fields}


def docx(data: bytes) -> dict[str, Any]:
    """Read a Word document's text and core properties."""
    core = _core(data)
    made = _converted(data, by="DocxConverter", ending=".docx")
    return {"text": _PICTURE.sub("", made), **core}


def pptx(data: bytes) -> dict[str, Any]:
    """Read a presentation's slides and notes, and core properties."""
    core = _core(data)
    made = _converted(data, by="PptxConverter", ending=".pptx")
    return {"text": _PICTURE.sub("", _COMMENT.sub("", made)), **core}


def xlsx(data: bytes) -> dict[str, Any]:
    """Read a workbook's sheets row by row, and core properties.

    Of a very large one the first rows, as many as a reply holds; `cut` tells how many that are, else it is 0.
    """
    from openpyxl import load_workbook

    core = _core(data)
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    sheets: list[dict[str, Any]] = []
    read, room = 0, REPLY - len(json.dumps(core)) - _AROUND
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # many programs state too small a size
        rows: list[list[Any]] = []
        sheets.append({"name": sheet.title, "rows": rows})
        for row in _rows(sheet):
            room -= len(json.dumps(row)) + len(", ")
            if read == MOST_ROWS or room < 0:
                return {"sheets": sheets, "cut": read, **core}
            rows.append(row)
            read += 1
    return {"sheets": sheets, "cut": 0, **core}


def web(data: bytes) -> dict[str, Any]:
    """Read a page's article and date, where trafilatura and htmldate find them."""
    from htmldate import find_date
    from lxml.html import fromstring
    from trafilatura import extract

    page = data.decode("utf-8", errors="replace")
    latest = datetime(2100, 1, 1)
    dated = find_date(fromstring(page), original_date=True, extensive_search=True, max_date=latest)
    text = extract(page, include_comments=False, include_tables=True)
    return {"text": text or "", "date": dated or ""}


PARSERS: Mapping[str, Callable[[bytes], dict[str, Any]]] = {
    "pdf": pdf,
    "docx": docx,
    "pptx": pptx,
    "xlsx": xlsx,
    "web": web,
}


def answer(kind: str, data: bytes) -> dict[str, Any]:
    """Parse a file, or say in half a sentence why not."""
    if kind not in PARSERS:
        return {"error": f"is of the unknown kind {kind!r}"}
    try:
        made = PARSERS[kind](data)
    except BadInput as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "needs too much memory"}
    except ImportError as error:
        return {"error": f"needs the package {error.name}"}
    except Exception as error:  # Whatever a parser raises for a damaged file.
        return {"error": f"is damaged ({type(error).__name__})"}
    if len(made.get("text", "")) > DOCUMENT:
        return {"error": f"has more than {DOCUMENT:,} characters"}
    return made


def serve(given: BinaryIO, out: BinaryIO) -> None:
    """Answer one file after another, until there are no more."""
    while line := given.readline():
        asked = json.loads(line)
        said = json.dumps(answer(asked["kind"], given.read(asked["size"])))
        out.write(said.encode() + b"\n")
        out.flush()


def _converted(data: bytes, *, by: str, ending: str) -> str:
    markitdown: Any = import_module("markitdown")
    converter = getattr(markitdown.converters, by)()
    return str(converter.convert(io.BytesIO(data), markitdown.StreamInfo(extension=ending)).markdown)


def _core(data: bytes) -> dict[str, Any]:
    """Return a document's core properties: title, created, modified."""
    with opened(data) as archive:
        if "docProps/core.xml" not in archive.NameToInfo:
            return {"title": "", "saved": {}}
        root = parsed(archive.read("docProps/core.xml").decode("utf-8", errors="replace"))
    said = {local(each): (each.text or "").strip() for each in root}
    saved = {name: said[name] for name in ("modified", "created") if said.get(name)}
    return {"title": said.get("title", ""), "saved": saved}


def _rows(sheet: Any) -> Iterator[list[str | int | float | bool | None]]:
    """Read a sheet's rows that hold a value."""
    for row in sheet.iter_rows(values_only=True):
        if any(value not in (None, "") for value in row):
            yield [_cell(value) for value in row]


def _cell(value: Any) -> str | int | float | bool | None:
    if isinstance(value, datetime):
        return value.date().isoformat() if not (value.hour or value.minute or value.second) else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _limited() -> None:
    """Bound this process's memory, where the system can."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    _limited()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a parser prints is no reply.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    serve(sys.stdin.buffer, replies)
