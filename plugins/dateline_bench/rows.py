"""Rows of JSON lines, plain or gzipped."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from pydantic import BaseModel, ValidationError

from dateline.errors import BadInput
from dateline.files import make_folder, open_regular, read_lines, whole_file
from dateline.limits import FILE_BYTES

_Model = TypeVar("_Model", bound=BaseModel)


def find(folder: Path, stem: str) -> Path:
    """`stem.jsonl` or `stem.jsonl.gz` in `folder`. Raises `BadInput` naming what is missing."""
    for suffix in (".jsonl", ".jsonl.gz"):
        path = folder / f"{stem}{suffix}"
        if path.is_file():
            return path
    raise BadInput(f"{folder} holds no {stem}.jsonl or {stem}.jsonl.gz; see docs/benchmarks.md for its format.")


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of one file of JSON lines.

    Raises `BadInput` with the number of the first line that is not a JSON object in UTF-8.
    """
    return (row for _, row in numbered(path))


def read_as(model: type[_Model], path: Path) -> Iterator[_Model]:
    """Read the rows of one file as models.

    Raises `BadInput` with the number and the first fault of a line that does not fit.
    """
    for number, row in numbered(path):
        try:
            made = model.model_validate(row)
        except ValidationError as cause:
            fault = cause.errors()[0]
            field = ".".join(map(str, fault["loc"]))
            raise BadInput(
                f"Line {number} of {path} does not fit: {f'{field}: ' if field else ''}{fault['msg']}; "
                "see docs/benchmarks.md for the format."
            ) from cause
        yield made


def read_folder(model: type[_Model], folder: Path, *, holding: str) -> list[tuple[str, _Model]]:
    """Read the rows of a folder's files as models.

    Each stands behind the NAME of its NAME.jsonl or NAME.jsonl.gz. Raises `BadInput` where there is no row, naming what was looked for, or a line
    does not fit.
    """
    files = sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")])
    found = [(file.name.partition(".jsonl")[0], row) for file in files for row in read_as(model, file)]
    if not found:
        raise BadInput(f"{folder} holds no NAME.jsonl with {holding}; see docs/benchmarks.md for the format.")
    return found


def numbered(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the numbered rows of one file of JSON lines.

    Raises `BadInput` as `read` does.
    """
    try:
        with ExitStack() as stack:
            file = stack.enter_context(open_regular(path))
            unpacked = stack.enter_context(gzip.open(file)) if path.suffix == ".gz" else file
            for number, line in enumerate(read_lines(cast(BinaryIO, unpacked)), start=1):
                place = f"Line {number} of {path}"
                if line is None:
                    raise BadInput(f"{place} is longer than {FILE_BYTES // 2**20} MiB.")
                if line.strip():
                    yield number, _row(line, place=place)
    except (OSError, EOFError) as cause:
        raise BadInput(f"Cannot read {path}: {getattr(cause, 'strerror', None) or cause}.") from cause


def _row(line: bytes, *, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line.decode())
    except UnicodeDecodeError as cause:
        raise BadInput(f"{place} is not text in UTF-8.") from cause
    except (ValueError, RecursionError) as cause:
        raise BadInput(f"{place} is not JSON: {getattr(cause, 'msg', None) or cause}.") from cause
    if not isinstance(row, dict):
        raise BadInput(f"{place} is not a JSON object.")
    return row


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows, gzipped when the name ends in .gz; returns how many."""
    count = 0
    make_folder(path.parent)
    with whole_file(path) as file, gzip.open(file, "wb") if path.suffix == ".gz" else nullcontext(file) as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
            count += 1
    return count
