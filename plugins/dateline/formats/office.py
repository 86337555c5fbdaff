"""PDF, Word, PowerPoint and Excel files, parsed by markitdown and openpyxl."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dateline.documents.objects import rows_of
from dateline.documents.raw import RawDocument
from dateline.documents.separated import named
from dateline.errors import BadInput
from dateline.formats.apart import FOREIGN
from dateline.formats.given import GivenFile
from dateline.formats.markdown import read_titled

_OF_TEMPLATES = ("2013-12-23T23:15", "2013-01-27T09:1", "2006-09-16T00:00")
"""When the templates of python-docx, python-pptx and Excel were made, which their documents go on saying."""

_NO_TITLE = re.compile(
    r"(?:microsoft|powerpoint|word|untitled|unbenannt|document\d*$|dokument\d*$|presentation\d*$|slide 1$)"
    r"|\.(?:docx?|pptx?|xlsx?|pages|indd|tex|dvi|rtf|odt|qxd|pub)$",
    re.I,
)
"""Titles that programs write: the name of another file, or no name."""


def read_pdf(file: GivenFile) -> list[RawDocument]:
    """Read a PDF; scanned pages have no text."""
    return [_document("pdf", file, place="PDF")]


def read_word(file: GivenFile) -> list[RawDocument]:
    """Read a Word document."""
    return [_document("docx", file, place="docx")]


def read_slides(file: GivenFile) -> list[RawDocument]:
    """Read a presentation with the speaker's notes."""
    return [_document("pptx", file, place="pptx")]


def read_workbook(file: GivenFile) -> Iterator[RawDocument]:
    """Read a workbook's sheets, each as a CSV file is read.

    Raises:
        BadInput: behind its last row that is read, where there are more.
    """
    made = _parsed("xlsx", file)
    for sheet in made["sheets"]:
        for raw in rows_of(named(sheet["rows"]), file=file.name, rules=file.rules):
            if raw.text:
                yield _with_saved(raw, made["saved"], file=file, place="xlsx")
    if made["cut"]:
        raise BadInput(f"is read to row {made['cut']:,} alone; give it in several files")


def _parsed(kind: str, file: GivenFile) -> dict[str, Any]:
    if not file.data:
        raise BadInput("is empty")
    made = FOREIGN.ask(kind, file.data)
    if "error" in made:
        raise BadInput(made["error"])
    return made


def _document(kind: str, file: GivenFile, *, place: str) -> RawDocument:
    made = _parsed(kind, file)
    title = " ".join(str(made["title"]).split())
    raw = read_titled(made["text"], "" if _NO_TITLE.search(title) else title, file=file.name, rules=file.rules)
    return _with_saved(raw, made["saved"], file=file, place=place)


def _with_saved(raw: RawDocument, said: Mapping[str, str], *, file: GivenFile, place: str) -> RawDocument:
    """Add the program's dates, unless a person named the field that decides."""
    if file.rules.date_field:
        return raw
    kept = ((f"{place} {name}", value) for name, value in said.items() if not value.startswith(_OF_TEMPLATES))
    return replace(raw, saved=tuple(kept))
