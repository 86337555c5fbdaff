"""Local documents as dated evidence, from a folder or one file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dateline.channels import channel_of_file
from dateline.documents.journal import journal_entries
from dateline.documents.raw import DocumentDate, RawDocument, day_first_in
from dateline.documents.rules import DateField, DateRules, date_rules
from dateline.errors import BadInput
from dateline.limits import DOCUMENT
from dateline.records import Evidence
from dateline.search.encoding import read_text
from dateline.search.folder_limits import FolderLimits
from dateline.search.formats import LINE_ENDINGS, READERS
from dateline.search.json_lines import read_lines, read_row
from dateline.search.passages import passages
from dateline.stopping import until_stopped
from dateline.visible import logger

_LOG = logger(__name__)

NAMED = 3
"""How many of the lines about what was not read stand in the warning."""

ENTRY = "entry"
"""Origin of the date of a journal's entry."""

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total)."""


@dataclass(frozen=True, slots=True)
class LoadedDocuments:
    """Loaded documents, with failures and the origin of each date.

    Attributes:
        documents: passages as evidence; those of one document share title and date.
        skipped: one line for each unreadable file or row, with the reason, for each other kind of file, and for what lies
            beyond the limits.
        files: number of files read.
        beyond: the lines of `skipped` about the limits.

    Example:
        >>> _ = Path("2021-05-01.md").write_text("Ada Berg is mayor.", encoding="utf-8")
        >>> loaded = load_documents("2021-05-01.md")
        >>> loaded.files, loaded.dated, loaded.origins()
        (1, 1, {'file name': 1})
    """

    documents: tuple[Evidence, ...]
    skipped: tuple[str, ...]
    files: int
    beyond: tuple[str, ...] = ()

    @property
    def dates(self) -> Mapping[str, str]:
        """Map dated passages' ids to the origins of their dates."""
        return {each.id: each.dated_by for each in self.documents if each.published is not None}

    @property
    def dated(self) -> int:
        """Number of passages with a date."""
        return len(self.dates)

    def origins(self) -> dict[str, int]:
        """Count the passages by the origin of their date."""
        return dict(Counter(self.dates.values()).most_common())


def load_documents(
    path: Path | str,
    *,
    date_field: DateField = (),
    name: str = "",
    trust_sources: bool = False,
    follow_links: bool = False,
    limits: FolderLimits | None = None,
    progress: Progress | None = None,
) -> LoadedDocuments:
    """Read a folder or file of Markdown, text, HTML, JSON lines.

    A document's date is what its front matter, fields or HTML metadata say, else its file name, else a date at the
    beginning of its text, else the most precise date in its text. A journal's entries have a day each (`journal_entries`). Damaged files and lines are skipped and named, the
    first of them in a warning of this module's logger; files of other kinds, such as .pdf, are counted. Devices, pipes
    and sockets are not read.

    Args:
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        name: what the library is called; empty: the name of the folder or file. A document's channel is this name and
            the first folder in it: `notes`, `notes/gazette`.
        trust_sources: a `source` that a document states is its channel instead; for a library whose fields you wrote.
        follow_links: read links that lead out of the folder, too; else they are skipped and named.
        limits: what is read at most; by default `FolderLimits()`. The rest is skipped and named.
        progress: called as progress(stage, done, total).

    Raises:
        BadInput: when there is nothing there, or nothing that can be read.
    """
    rules, path, most = date_rules(date_field), existing(path), limits or FolderLimits()
    rules = rules.model_copy(update={"trust_sources": True}) if trust_sources else rules
    folder = FolderFiles.of(path, limits=most, follow_links=follow_links)
    skipped, beyond = list(folder.skipped), list(folder.beyond)
    raws: list[RawDocument] = []
    read = 0
    for number, file in enumerate(until_stopped(folder.files), start=1):
        before = len(raws)
        raws += raws_of(file, root=path, name=name, rules=rules, skipped=skipped)
        read += len(raws) > before
        if progress is not None:
            progress("documents", number, len(folder.files))
    documents = passages_of(raws, rules=rules, by_text=True, most=most.passages, beyond=beyond)
    skipped = beyond + skipped
    if not documents:
        reasons = skipped or [f"{other} is of another kind" for other in _others(path)[:1]]
        reason = f" ({reasons[0]})" if reasons else ""
        raise BadInput(f"{str(path)!r} holds no readable document{reason}; put .md, .txt, .html or .jsonl files there.")
    skipped.extend(folder.others)
    if skipped:
        more = f", and {len(skipped) - NAMED} more" if len(skipped) > NAMED else ""
        _LOG.warning("Not read: %s%s.", "; ".join(skipped[:NAMED]), more)
    return LoadedDocuments(documents, tuple(skipped), read, tuple(beyond))


def passages_of(
    raws: Sequence[RawDocument | Evidence],
    *,
    rules: DateRules,
    by_text: bool,
    most: int | None = None,
    beyond: list[str] | None = None,
    orders: bool = True,
) -> tuple[Evidence, ...]:
    """Date one corpus's documents and cut them into distinct passages.

    Args:
        by_text: whether a date in the text may date a document that has no other.
        most: passages at which to stop; `beyond` then gets a line about the documents that are left.
        orders: whether their dates show what 03/04/2019 means, or the rules alone say it.
    """
    shown = (raw for raw in raws if isinstance(raw, RawDocument)) if orders else ()
    day_first = day_first_in(shown, rules=rules)
    found: dict[str, Evidence] = {}
    for number, raw in enumerate(until_stopped(raws)):
        if most is not None and len(found) >= most:
            if beyond is not None:
                beyond.append(left_out(len(raws) - number, "document", raw.title, f"{most:,} passages", "passages"))
            break
        if isinstance(raw, Evidence):
            found.setdefault(raw.id, raw)
            continue
        for text, dated in dated_passages(raw, day_first=day_first, by_text=by_text):
            piece = raw.evidence(dated, text=text)
            found.setdefault(piece.id, piece)
    return tuple(found.values())


def dated_passages(
    raw: RawDocument, *, day_first: bool | None = None, by_text: bool = True
) -> Iterator[tuple[str, DocumentDate]]:
    """Cut a document, and a journal at its entries, into dated passages."""
    whole = raw.dated(day_first, by_text=by_text)
    for entry in journal_entries(raw.text, own=whole.published):
        dated = whole if entry.day is None else DocumentDate(entry.day, ENTRY)
        yield from ((text, dated) for text in passages(entry.text))


# -- files ------------------------------------------------------------------------------------


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
        return cls(
            tuple(files), tuple(found[len(files) :]), tuple(beyond), tuple(skipped), tuple(_of_another_kind(others))
        )


def document_files(path: Path) -> list[Path]:
    """Return the files that `load_documents` reads in a folder, by default limits.

    Raises:
        BadInput: for a file of another kind.
    """
    return list(FolderFiles.of(path, limits=FolderLimits()).files)


def existing(path: Path | str) -> Path:
    """Return the path of a folder or file that is there.

    Raises:
        BadInput: when nothing is.
    """
    found = Path(path).expanduser()
    if not found.exists():
        raise BadInput(f"There is no folder or file {str(found)!r}; give a folder of .md, .txt, .html or .jsonl files.")
    return found


def name_in(file: Path, *, root: Path) -> str:
    """Return a file's path within its folder."""
    return file.name if file == root else file.relative_to(root).as_posix()


def raws_of(file: Path, *, root: Path, name: str, rules: DateRules, skipped: list[str]) -> Iterator[RawDocument]:
    """Read a file's documents; tell of what cannot be read in `skipped`.

    Args:
        name: what the library is called.
    """
    channel = channel_of_file(file, root=root, library=name)
    for raw in _raw_documents(file, name_in(file, root=root), skipped, rules):
        yield replace(raw, channel=channel)


def stamp_of(file: Path) -> tuple[int, ...]:
    """Return a file's size and times, which change with its content."""
    try:
        found = file.stat()
    except OSError:
        return (0,)
    return found.st_size, found.st_mtime_ns, found.st_ino


def _within(limits: FolderLimits, files: list[Path], beyond: list[str]) -> list[Path]:
    """Return the files within the limits; tell of the others in `beyond`."""
    left = limits.bytes
    for number, file in enumerate(until_stopped(files)):
        left -= stamp_of(file)[0]
        if number == limits.files or left < 0:
            most = f"{limits.bytes:,} bytes" if left < 0 else f"{limits.files:,} files"
            name = "bytes" if left < 0 else "files"
            beyond.append(left_out(len(files) - number, "file", file.name, most, name))
            return files[:number]
    return files


def left_out(count: int, what: str, first: str, most: str, name: str) -> str:
    """Tell of what lies beyond a limit."""
    many = f"{count:,} {what}{'s' if count > 1 else ''}"
    return f"{many} from {first!r} on, since at most {most} of a folder are read (FolderLimits({name}=…) sets that)"


def _files(path: Path, skipped: list[str], others: Counter[str], *, follow_links: bool) -> list[Path]:
    """Return all files with a known ending, sorted; count others by ending.

    Each folder is entered once.
    """
    if not path.is_dir():
        if not _known(path):
            raise BadInput(f"{str(path)!r} is not a document; give a folder, or a .jsonl, .md, .txt or .html file.")
        return [path]
    root = path.resolve()

    def belongs(place: str) -> bool:
        if follow_links or not os.path.islink(place) or Path(os.path.realpath(place)).is_relative_to(root):
            return True
        skipped.append(f"{os.path.relpath(place, path)} is a link out of the folder")
        return False

    seen: set[str] = {str(root)}
    found: list[Path] = []
    walk = os.walk(path, followlinks=True, onerror=lambda error: skipped.append(str(error)))
    for folder, subfolders, names in until_stopped(walk):
        subfolders[:] = sorted(
            name for name in _unseen(folder, subfolders, seen) if belongs(os.path.join(folder, name))
        )
        for name in sorted(names):
            file = Path(folder, name)
            if name.startswith("."):
                continue
            if not _known(file):
                others[file.suffix.lower()] += 1
            elif belongs(str(file)):
                found.append(file)
    return found


def _unseen(folder: str, names: list[str], seen: set[str]) -> Iterator[str]:
    for name in names:
        real = os.path.realpath(os.path.join(folder, name))
        if not name.startswith(".") and real not in seen:
            seen.add(real)
            yield name


def _known(path: Path) -> bool:
    return path.suffix.lower() in READERS or path.suffix.lower() in LINE_ENDINGS


def _others(path: Path) -> list[str]:
    """Return the names of unsupported files in a folder."""
    return sorted(file.name for file in path.iterdir() if file.is_file() and not _known(file)) if path.is_dir() else []


def _of_another_kind(others: Counter[str]) -> list[str]:
    """Describe unsupported files, one line per ending."""
    return [
        f"{count} {'file' if count == 1 else 'files'} {f'in {ending}' if ending else 'without an ending'}"
        for ending, count in sorted(others.items())
    ]


def _raw_documents(path: Path, name: str, skipped: list[str], rules: DateRules) -> Iterator[RawDocument]:
    try:
        if path.suffix.lower() in LINE_ENDINGS:
            for number, line in until_stopped(read_lines(path)):
                try:
                    if isinstance(line, BadInput):
                        raise line
                    yield _not_too_long(read_row(line, file=name, rules=rules))
                except BadInput as error:
                    skipped.append(f"{name} line {number} {error}")
        else:
            raw = _not_too_long(READERS[path.suffix.lower()](read_text(path), file=name, rules=rules))
            if raw.text:
                yield raw if rules.date_field else replace(raw, names=(path.name, *raw.names))
            else:
                skipped.append(f"{name} is empty")
    except BadInput as error:
        skipped.append(f"{name} {error}")
    except OSError as error:
        skipped.append(f"{name} cannot be read ({error.strerror})")


def _not_too_long(raw: RawDocument) -> RawDocument:
    if len(raw.text) > DOCUMENT:
        raise BadInput(f"has more than {DOCUMENT:,} characters")
    return raw
