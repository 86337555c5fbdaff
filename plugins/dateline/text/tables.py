"""Markdown tables, told cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_RULE = frozenset("-: ")


def with_told_tables(text: str, *, title: str = "") -> str:
    r"""Replace a text's tables with a paragraph for each cell.

    A cell is told with its row's first cell and its column's head, so that it can be kept or compared on its own; that of a table of
    one column, with the head alone.

    Args:
        title: what the tables are about, where their heads do not say it.

    Example:
        >>> print(with_told_tables("| Round | Driver |\n|---|---|\n| Town | Gwen |", title="Rounds"))
        Rounds: Round Town, Driver: Gwen
    """
    lines = text.split("\n")
    told: list[str] = []
    at = 0
    while at < len(lines):
        end = _end_of_table(lines, at)
        if end:
            told += ["", *_told(lines[at:end], title), ""]
        else:
            told.append(lines[at])
        at = end or at + 1
    return text if told == lines else "\n".join(told).strip("\n")


def _end_of_table(lines: Sequence[str], at: int) -> int:
    """Return the line after a table that begins here, 0 for none."""
    if at + 2 >= len(lines) or not _is_row(lines[at]) or not _is_rule(lines[at + 1]):
        return 0
    end = at + 2
    while end < len(lines) and _is_row(lines[end]):
        end += 1
    return end


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _is_rule(line: str) -> bool:
    return _is_row(line) and "-" in line and all(set(cell) <= _RULE for cell in _cells(line))


def _cells(line: str) -> list[str]:
    # One pipe at each end: a second one borders an empty cell.
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _told(table: Sequence[str], title: str) -> Iterator[str]:
    heads = _cells(table[0])
    # A column that stands alone names no rows.
    first = 1 if len(heads) > 1 else 0
    for row in map(_cells, table[2:]):
        named = f"{heads[0]} {row[0]}".strip() if first else ""
        for head, cell in zip(heads[first:], row[first:], strict=False):
            if cell:
                name = ", ".join(filter(None, (named, head)))
                yield ": ".join(filter(None, (title, name, cell)))
                yield ""
