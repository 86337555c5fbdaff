"""Files of a folder, and those that are not read."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dateline.encodable import encodable
from dateline.errors import BadInput
from dateline.files import expanded
from dateline.formats.table import LINE_ENDINGS, format_of
from dateline.search.folder_limits import FolderLimits
from dateline.secrets import masked
from dateline.stopping import until_stopped

KINDS = "text, Markdown, HTML, JSON, YAML, CSV, XML, mail, notebooks and EPUB are, PDF and Office files with dateline[formats]"
"""What is read, for people."""

_SETS = "FolderLimits({}=…) sets that"

_ADDRESS = re.compile(r"([\w+.-]{2,}):/+(.*)")
"""The address of a database, also as a `Path` writes it: with one slash."""

UNREAD = (-1,)
"""Stamp of a file that could not be read: no file has it, so that it is tried again."""


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Files of a folder, and what is left out of it.

    Attributes:
        files: the documents within the limits, in order of their paths.
        further: those beyond.
        beyond: a line about them.
        skipped: lines about links and folders that are not entered.
        others: lines about files of other kinds.
    """

    files: tuple[Path, ...]
    further: tuple[Path, ...] = ()
    beyond: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: Path, *, limits: FolderLimits, follow_links: bool = False) -> FolderFiles:
        """Walk through a folder once.

        Raises:
            BadInput: for a file of another kind.
        """
        skipped: list[str] = []
        others: Counter[str] = Counter()
        found = _files(path, skipped, others, follow_links=follow_links)
        beyond: list[str] = []
        files = _within(limits, found, beyond)
        chosen = set(files)
        further = tuple(file for file in found if file not in chosen)
        lines = (beyond, skipped, _of_another_kind(others))
        return cls(tuple(files), further, *(tuple(map(encodable, each)) for each in lines))


def existing(path: Path | str) -> Path:
    """Return the path of a folder or file that is there.

    Raises:
        BadInput: when nothing is.
    """
    found = expanded(path)
    if not found.exists():
        if address := _ADDRESS.match(str(path)):
            database = masked(f"{address[1]}://{address[2]}")
            raise BadInput(f"Documents are read from a folder or file here, not from {database}; give one of those.")
        raise BadInput(f"There is no folder or file {str(found)!r}; give a folder of documents, or one.")
    return found


def place_in(file: Path, *, root: Path) -> str:
    """Return a file's path within its folder, as the system tells it."""
    return file.name if file == root else file.relative_to(root).as_posix()


def name_in(file: Path, *, root: Path) -> str:
    """Return a file's path within its folder, for people.

    What is no text in it is shown as "?".
    """
    return encodable(place_in(file, root=root))


def stamp_of(file: Path) -> tuple[int, ...]:
    """Return a file's size and times, which change with its content."""
    return state_of(file)[:3]


def state_of(file: Path) -> tuple[int, ...]:
    """Return a file's stamp, and when anything about it last changed.

    Such as who may read it.
    """
    try:
        found = file.stat()
    except OSError:
        return (0,)
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns


def _within(limits: FolderLimits, files: list[Path], beyond: list[str]) -> list[Path]:
    """Return the files within the limits; tell of the others in `beyond`."""
    left, within = limits.bytes, list[Path]()
    for number, file in enumerate(until_stopped(files)):
        size = _charged(file)
        if size > limits.bytes:
            beyond.append(
                f"{file.name!r} alone has more than the {limits.bytes:,} bytes of a folder that are read "
                f"({_SETS.format('bytes')})"
            )
            continue
        left -= size
        if len(within) == limits.files or left < 0:
            most = f"{limits.bytes:,} bytes" if left < 0 else f"{limits.files:,} files"
            name = "bytes" if left < 0 else "files"
            beyond.append(left_out(len(files) - number, "file", file.name, most, name))
            break
        within.append(file)
    return within


def _charged(file: Path) -> int:
    """Return a file's size; 0 where its format refuses it."""
    found, size = format_of(file), stamp_of(file)[0]
    return 0 if found is not None and size > found.bytes else size


def left_out(count: int, what: str, first: str, most: str, name: str) -> str:
    """Tell of what lies beyond a limit."""
    many = f"{count:,} {what}{'s' if count > 1 else ''}"
    return f"{many} from {first!r} on, since at most {most} of a folder are read ({_SETS.format(name)})"


def _files(path: Path, skipped: list[str], others: Counter[str], *, follow_links: bool) -> list[Path]:
    """Return all files with a known ending, sorted; count others by ending.

    Each folder is entered once. A link to a file that is found under its own name is left out: read again under the link's, it
    would lose the day in its name.
    """
    if not path.is_dir():
        if not is_readable(path):
            raise BadInput(f"{str(path)!r} {not_read(path)}.")
        return [path]
    root = path.resolve()

    def belongs(place: str) -> bool:
        if follow_links or not os.path.islink(place) or Path(os.path.realpath(place)).is_relative_to(root):
            return True
        skipped.append(f"{os.path.relpath(place, path)} is a link out of the folder")
        return False

    seen: set[str] = {str(root)}
    found: list[Path] = []
    own: set[str] = set()
    walk = os.walk(path, followlinks=True, onerror=lambda error: skipped.append(str(error)))
    for folder, subfolders, names in until_stopped(walk):
        subfolders[:] = sorted(
            name for name in _unseen(folder, subfolders, seen) if belongs(os.path.join(folder, name))
        )
        here = os.path.realpath(folder)
        for name in sorted(names):
            file = Path(folder, name)
            if name.startswith("."):
                continue
            if not is_readable(file):
                others[file.suffix.lower()] += 1
            elif belongs(str(file)):
                found.append(file)
                if not file.is_symlink():
                    own.add(os.path.join(here, name))
    return [file for file in found if not file.is_symlink() or os.path.realpath(file) not in own]


def _unseen(folder: str, names: list[str], seen: set[str]) -> Iterator[str]:
    for name in names:
        real = os.path.realpath(os.path.join(folder, name))
        if not name.startswith(".") and real not in seen:
            seen.add(real)
            yield name


def is_readable(path: Path) -> bool:
    """Return whether a file's ending is known, and its reader installed."""
    if path.suffix.lower() in LINE_ENDINGS:
        return True
    found = format_of(path)
    return found is not None and found.is_readable


def not_read(path: Path) -> str:
    """Say why a file is not read, and what helps."""
    found = format_of(path)
    if found is None:
        return f"is of a kind that is not read; {KINDS}"
    return f"is not read without a package: {found.fix}"


def _of_another_kind(others: Counter[str]) -> list[str]:
    """Describe unread files, one line per ending, with what would help."""
    return [_line(ending, count) for ending, count in sorted(others.items())]


def _line(ending: str, count: int) -> str:
    line = f"{count} {'file' if count == 1 else 'files'} {f'in {ending}' if ending else 'without an ending'}"
    found = format_of(Path(f"a{ending}"))
    return line if found is None else f"{line} ({found.fix})"
