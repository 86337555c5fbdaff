"""File endings, each with its reader: the one door of files."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import yaml

from dateline.documents.objects import rows_of
from dateline.documents.raw import RawDocument
from dateline.documents.rules import DateRules
from dateline.documents.separated import separated_rows
from dateline.errors import BadInput
from dateline.files import read_bytes
from dateline.formats.epub import read_epub
from dateline.formats.given import GivenFile
from dateline.formats.mail import read_mail
from dateline.formats.markdown import read_markdown
from dateline.formats.notebook import read_notebook
from dateline.formats.objects import read_json, read_yaml
from dateline.formats.office import read_pdf, read_slides, read_word, read_workbook
from dateline.formats.outlines import read_org, read_rst
from dateline.formats.web_page import read_web_page, web_extra
from dateline.formats.xml_tree import read_xml
from dateline.limits import FILE_BYTES

PICTURED = 4 * FILE_BYTES
"""Bytes of a file that may hold pictures."""

_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, NotImplementedError, EOFError)
_FAULTS = (*_DAMAGE, yaml.YAMLError, zipfile.BadZipFile)
"""What parsers raise for files that are damaged."""


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format: its reader, and what that needs.

    Attributes:
        read: reads a file's documents, or raises `BadInput`.
        modules: packages that are needed.
        extra: which brings them.
        bytes: the most that a file may have.
    """

    read: Callable[[GivenFile], Iterable[RawDocument]]
    modules: tuple[str, ...] = ()
    extra: str = ""
    bytes: int = FILE_BYTES

    @property
    def is_readable(self) -> bool:
        """Return whether the packages are installed."""
        return all(find_spec(module) is not None for module in self.modules)

    @property
    def fix(self) -> str:
        """The command that installs them."""
        return f'pip install "dateline[{self.extra}]"'


def _read_text(file: GivenFile) -> Iterator[RawDocument]:
    yield read_markdown(file.text, file=file.name, rules=file.rules)


def _read_rows(file: GivenFile) -> list[RawDocument]:
    rows = separated_rows(file.text, separator="\t" if file.ending == ".tsv" else "")
    return rows_of(rows, file=file.name, rules=file.rules)


_TEXT = FileFormat(_read_text)
_PAGE = FileFormat(read_web_page)
_YAML = FileFormat(read_yaml)
_ROWS = FileFormat(_read_rows)

FORMATS: Mapping[str, FileFormat] = {
    ".md": _TEXT,
    ".markdown": _TEXT,
    ".txt": _TEXT,
    ".text": _TEXT,
    ".log": _TEXT,
    ".html": _PAGE,
    ".htm": _PAGE,
    ".xhtml": _PAGE,
    ".rst": FileFormat(read_rst),
    ".org": FileFormat(read_org),
    ".ipynb": FileFormat(read_notebook),
    ".json": FileFormat(read_json),
    ".yaml": _YAML,
    ".yml": _YAML,
    ".csv": _ROWS,
    ".tsv": _ROWS,
    ".xml": FileFormat(read_xml),
    ".eml": FileFormat(read_mail),
    ".epub": FileFormat(read_epub, bytes=PICTURED),
    ".pdf": FileFormat(read_pdf, ("markitdown", "pdfminer", "pdfplumber"), "formats", PICTURED),
    ".docx": FileFormat(read_word, ("markitdown", "mammoth"), "formats", PICTURED),
    ".pptx": FileFormat(read_slides, ("markitdown", "pptx"), "formats", PICTURED),
    ".xlsx": FileFormat(read_workbook, ("openpyxl",), "formats", PICTURED),
}
"""By file ending; `.jsonl` and `.ndjson` are read line by line instead."""

LINE_ENDINGS = frozenset({".jsonl", ".ndjson"})


def format_of(path: Path) -> FileFormat | None:
    """Return a file's format by its ending; `None` for an unknown one."""
    return FORMATS.get(path.suffix.lower())


def readers() -> list[str]:
    """Return the endings that are read here.

    They decide what an index holds.
    """
    found = [ending for ending, each in FORMATS.items() if each.is_readable]
    return [*found, *(["web"] if web_extra() else [])]


def read_documents(path: Path, *, name: str, rules: DateRules) -> Iterator[RawDocument]:
    """Read the documents of a file of one of the formats.

    Args:
        name: what the file is called in its folder.

    Raises:
        BadInput: half a sentence, for a file that is damaged, encrypted or needs a package.
        OSError: for what is no regular file, or too large a one.
    """
    found = FORMATS[path.suffix.lower()]
    if not found.is_readable:
        raise BadInput(f"is not read without a package ({found.fix})")
    data = read_bytes(path, limit=found.bytes)
    try:
        yield from found.read(GivenFile(name, data, rules))
    except BadInput:
        raise
    except _FAULTS as fault:
        raise BadInput(f"is damaged ({type(fault).__name__})") from fault
