"""Files of tables: comma, semicolon or tab between their values."""

from __future__ import annotations

from dateline.documents.objects import rows_of
from dateline.documents.raw import RawDocument
from dateline.documents.separated import separated_rows
from dateline.formats.given import GivenFile


def read_table(file: GivenFile) -> list[RawDocument]:
    """Read a file of separated values under named columns."""
    separator = "\t" if file.ending == ".tsv" else ""
    return rows_of(separated_rows(file.text, separator=separator), file=file.name, rules=file.rules)
