"""Local documents as dated evidence, from a folder or one file."""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dateline.channels import channel_of_file
from dateline.documents.journal import ENTRY, journal_entries
from dateline.documents.raw import DocumentDate, RawDocument, day_first_in
from dateline.documents.rules import DateField, DateRules, date_rules
from dateline.errors import BadInput
from dateline.formats.apart import ReaderFailed
from dateline.formats.json_lines import read_lines, read_row
from dateline.formats.table import LINE_ENDINGS, read_documents
from dateline.limits import DOCUMENT
from dateline.records import Evidence
from dateline.search.folder_files import KINDS, FolderFiles, existing, left_out, name_in
from dateline.search.folder_limits import FolderLimits
from dateline.search.passages import passages
from dateline.stopping import until_stopped
from dateline.visible import logger

_LOG = logger(__name__)

NAMED = 50
"""Lines about what was not read that a message holds; all of them are in `LoadedDocuments.skipped`."""

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total)."""


@dataclass(frozen=True, slots=True)
class LoadedDocuments:
    """Loaded documents, with failures and the origin of each date.

    A sequence of the passages for whoever takes documents, such as the graphs.

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

    def __iter__(self) -> Iterator[Evidence]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

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
    """Read a folder or file of the formats of `dateline.formats`.

    A document's date is what its front matter, fields or HTML metadata say, else its file name, else a date at the
    beginning of its text, else that of the program which saved it, else the first day in its text. A journal's entries have a
    day each (`journal_entries`). Damaged files and lines are skipped and named in a warning of this module's logger; files of
    other kinds are counted by ending, with what would read them. Devices, pipes and sockets are not read.

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
    rules, path = date_rules(date_field, trust_sources=trust_sources), existing(path)
    most = limits or FolderLimits()
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
    documents = passages_of(raws, rules=rules, most=most.passages, beyond=beyond)
    skipped = beyond + skipped
    if not documents:
        raise BadInput(no_document(path, [*skipped, *folder.others]))
    skipped.extend(folder.others)
    warn_of_unread(skipped)
    return LoadedDocuments(documents, tuple(skipped), read, tuple(beyond))


def warn_of_unread(lines: Sequence[str]) -> None:
    """Log what was not read, if anything."""
    if lines:
        _LOG.warning("Not read: %s.", told(lines))


def no_document(path: Path, skipped: Sequence[str]) -> str:
    """Say that nothing in a folder can be read, and why."""
    return f"{str(path)!r} holds no readable document{f' ({told(skipped)})' if skipped else ''}; {KINDS}."


def told(lines: Sequence[str]) -> str:
    """Join lines about what was not read; of very many the first."""
    more = f"; and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return f"{'; '.join(lines[:NAMED])}{more}"


def passages_of(
    raws: Sequence[RawDocument | Evidence],
    *,
    rules: DateRules,
    most: int | None = None,
    beyond: list[str] | None = None,
    orders: bool = True,
) -> tuple[Evidence, ...]:
    """Date one corpus's documents and cut them into distinct passages.

    Args:
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
        for text, dated in dated_passages(raw, day_first=day_first):
            piece = raw.evidence(dated, text=text)
            found.setdefault(piece.id, piece)
    return tuple(found.values())


def dated_passages(raw: RawDocument, *, day_first: bool | None = None) -> Iterator[tuple[str, DocumentDate]]:
    """Cut a document, and a journal at its entries, into dated passages."""
    whole = raw.dated_or_warned(day_first, by_text=True)
    for entry in journal_entries(raw.text, own=whole.published):
        dated = whole if entry.day is None else DocumentDate(entry.day, ENTRY)
        yield from ((text, dated) for text in passages(entry.text))


def raws_of(
    file: Path, *, root: Path, name: str, rules: DateRules, skipped: list[str], again: list[Path] | None = None
) -> Iterator[RawDocument]:
    """Read a file's documents; tell of what cannot be read in `skipped`.

    Those behind the first that have neither a title nor an address of their own are numbered.

    Args:
        name: what the library is called.
        again: gets the file where another try may read it as it is.
    """
    channel = channel_of_file(file, root=root, library=name)
    raws = _raw_documents(file, name_in(file, root=root), skipped, [] if again is None else again, rules)
    for number, raw in enumerate(raws):
        yield replace(raw, channel=channel, row=None if raw.heading or raw.url else number or None)


def _raw_documents(
    path: Path, name: str, skipped: list[str], again: list[Path], rules: DateRules
) -> Iterator[RawDocument]:
    try:
        if path.suffix.lower() in LINE_ENDINGS:
            for number, line in until_stopped(read_lines(path)):
                try:
                    if isinstance(line, BadInput):
                        raise line
                    yield _named(_not_too_long(read_row(line, file=name, rules=rules)), path, rules)
                except BadInput as error:
                    skipped.append(f"{name} line {number} {error}")
        else:
            read = 0
            for raw in until_stopped(read_documents(path, name=name, rules=rules)):
                if _not_too_long(raw).text:
                    read += 1
                    yield _named(raw, path, rules)
            if not read:
                skipped.append(f"{name} is empty")
    except BadInput as error:
        skipped.append(f"{name} {error}")
        if isinstance(error, ReaderFailed):
            again.append(path)
    except OSError as error:
        skipped.append(f"{name} cannot be read ({error.strerror})")
        if error.errno != errno.EFBIG:
            again.append(path)


def _named(raw: RawDocument, path: Path, rules: DateRules) -> RawDocument:
    """Let a file's name date a document, unless a named field does."""
    return raw if rules.date_field else replace(raw, names=(path.name, *raw.names))


def _not_too_long(raw: RawDocument) -> RawDocument:
    if len(raw.text) > DOCUMENT:
        raise BadInput(f"has more than {DOCUMENT:,} characters")
    return raw
