"""One update of a folder's index: changes read, prepared and stored."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings

from dateline.bulk.mapping import Mapper
from dateline.documents.dates import order_shown, two_ways
from dateline.documents.raw import RawDocument
from dateline.documents.rules import DateRules
from dateline.evidence.knowledge import published_from
from dateline.ranking.documents import document_numbers
from dateline.ranking.prepared import PreparedPassage, prepare
from dateline.records import Evidence
from dateline.search.documents import Progress, passages_of, raws_of
from dateline.search.folder_files import UNREAD, FolderFiles, left_out, name_in, place_in, stamp_of
from dateline.search.index.store import PartChange, PartState, PassageStore, StoredPassage
from dateline.stopping import until_stopped

PART_ROWS = 50
"""Documents of a file that are one part: a line added to a long file costs its last part."""

BATCH = 512
"""Passages that are written at once."""

BATCH_SECONDS = 5.0
"""Seconds of work that a kill loses at most, about."""

SENT = 20_000
"""Passages that are prepared elsewhere at a time, and that a kill then loses at most: starting actors takes seconds."""

CHUNK = 128
"""Passages that an actor gets at a time; chosen by hand."""

NAMED = 20
"""Lines about what could not be read of one file that are kept."""

_FOREVER = 2**62


@dataclass(frozen=True, slots=True)
class _Part:
    name: str
    state: PartState
    passages: list[Evidence] | None


@dataclass
class FolderUpdate:
    """The work of one update, by whoever holds the writer's place.

    Attributes:
        store: where passages are kept.
        root: the folder.
        folder: its files.
        rules: by which dates are read.
        name: that of the library.
        most: passages that are kept at most.
        embeddings: prepare passages.
        progress: called as progress(stage, done, total).
        mapper: prepares passages elsewhere.
        read: how many files were read.
        removed: how many files left.
        skipped: one line for each thing that could not be read.
        beyond: lines about what lies beyond the limits.
    """

    store: PassageStore
    root: Path
    folder: FolderFiles
    rules: DateRules
    name: str
    most: int
    embeddings: Embeddings
    progress: Progress | None = None
    mapper: Mapper | None = None
    read: int = 0
    removed: int = 0
    skipped: list[str] = field(default_factory=list)
    beyond: list[str] = field(default_factory=list)
    _known: dict[str, PartState] = field(default_factory=dict)
    _parts: dict[str, int] = field(default_factory=dict)
    """How many parts of each file may be stored."""
    _pending: list[_Part] = field(default_factory=list)
    _waiting: int = 0
    """How many passages are to be prepared."""
    _since: float = 0.0
    _total: int = 0

    def run(self) -> None:
        """Bring the store up to date with the folder."""
        self._known = dict(self.store.parts())
        for part in self._known:
            self._parts[_file_of(part)] = max(_number_of(part), self._parts.get(_file_of(part), 0))
        self._total = self.store.count()
        here = {self._part_of(file): file for file in (*self.folder.files, *self.folder.further)}
        self._remove(here)
        within = {self._part_of(file) for file in self.folder.files}
        wanted = {name: file for name, file in here.items() if name in within or name in self._known}
        if len(wanted) < len(here):
            self.beyond += self.folder.beyond
        day_first = self._day_first()
        changed = [name for name, file in wanted.items() if not self._is_current(name, file)]
        self._read_all(changed, wanted, day_first)
        # What the dates of all files show may decide how those of earlier ones are read.
        for _ in range(2):
            if (decided := self._day_first()) == day_first:
                break
            day_first = decided
            self._read_all(self._read_otherwise(day_first), wanted, day_first)
        self.skipped += [line for name in here for line in self._lines(name)]

    def _part_of(self, file: Path) -> str:
        # ASCII without line breaks: no store takes bytes that are no text, and "\n" stands before the number of a part.
        return place_in(file, root=self.root).encode("unicode_escape").decode("ascii")

    def _remove(self, here: Mapping[str, Path]) -> None:
        gone = [part for part in self._known if _file_of(part) not in here]
        if gone:
            self.store.change([PartChange(part) for part in gone])
            self.store.tidy()
            self.removed = len({_file_of(part) for part in gone})
            for part in gone:
                self._total -= self._known.pop(part).passages

    def _is_current(self, name: str, file: Path) -> bool:
        known = self._known.get(name)
        return known is not None and known.stamp == stamp_of(file)

    def _day_first(self) -> bool | None:
        orders = {order for state in self._known.values() for order in state.orders}
        return orders.pop() if len(orders) == 1 else self.rules.day_first

    def _read_otherwise(self, day_first: bool | None) -> list[str]:
        parts = (part for part, state in self._known.items() if state.ambiguous and state.day_first != day_first)
        return list(dict.fromkeys(map(_file_of, parts)))

    def _lines(self, name: str) -> tuple[str, ...]:
        state = self._known.get(name)
        return state.skipped if state is not None else ()

    def _read_all(self, names: Sequence[str], files: Mapping[str, Path], day_first: bool | None) -> None:
        self._since = time.monotonic()
        left: list[str] = []
        for number, name in enumerate(until_stopped(names), start=1):
            if self._total >= self.most and name not in self._known:
                left.append(name)  # those behind it may be indexed already
                continue
            self._read(name, files[name], day_first)
            if self.progress is not None:
                self.progress("documents", number, len(names))
        if left:
            first = name_in(files[left[0]], root=self.root)
            self.beyond.append(left_out(len(left), "file", first, f"{self.most:,} passages", "passages"))
        self._flush()

    def _read(self, name: str, file: Path, day_first: bool | None) -> None:
        stamp, skipped, again = stamp_of(file), list[str](), list[Path]()
        raws = raws_of(file, root=self.root, name=self.name, rules=self.rules, skipped=skipped, again=again)
        first: _Part | None = None
        count = 0
        for count, rows in enumerate(_cut(raws), start=1):
            part = self._part(_part_name(name, count), rows, stamp, day_first)
            if first is None:
                first = part
            else:
                self._add(part)
        first = first or self._part(name, [], stamp, day_first)
        shown = name_in(file, root=self.root)
        told = (*skipped[:NAMED], *([f"{shown} has {len(skipped) - NAMED} more"] if len(skipped) > NAMED else []))
        # Last, since it says that the file is whole.
        stamp = UNREAD if again else stamp
        self._add(replace(first, state=replace(first.state, stamp=stamp, skipped=told)))
        self._shorten(name, max(count, 1))
        self.read += 1

    def _shorten(self, name: str, count: int) -> None:
        """Drop what is stored of a file behind its last part."""
        behind = (_part_name(name, number) for number in range(count + 1, self._parts.get(name, 0) + 1))
        gone = [part for part in behind if part in self._known]
        if gone:
            self._flush()
            self.store.change([PartChange(part) for part in gone])
            self._total -= sum(self._known.pop(part).passages for part in gone)
        self._parts[name] = count

    def _part(self, name: str, rows: Sequence[RawDocument], stamp: tuple[int, ...], day_first: bool | None) -> _Part:
        values = [value for raw in rows for _, value in raw.dates]
        shown = {order for value in values if (order := order_shown([value])) is not None}
        ambiguous = any(two_ways(value) for value in values)
        digest = hashlib.blake2b(repr(rows).encode(errors="replace"), digest_size=16).hexdigest()
        state = PartState(
            stamp, digest, orders=tuple(sorted(shown)), ambiguous=ambiguous, day_first=day_first if ambiguous else None
        )
        known = self._known.get(name)
        if known is not None and (known.digest, known.day_first) == (digest, state.day_first):
            return _Part(name, replace(state, passages=known.passages), None)
        rules = self.rules.model_copy(update={"day_first": day_first})
        evidence = list(passages_of(rows, rules=rules, orders=False))
        return _Part(name, replace(state, passages=len(evidence)), evidence)

    def _add(self, part: _Part) -> None:
        known = self._known.get(part.name)
        self._total += part.state.passages - (known.passages if known else 0)
        self._known[part.name] = part.state
        self._pending.append(part)
        self._waiting += len(part.passages or ())
        if self.mapper is not None:
            due = self._waiting >= SENT
        else:
            due = self._waiting >= BATCH or time.monotonic() - self._since > BATCH_SECONDS
        if due:
            self._flush()

    def _flush(self) -> None:
        if self._pending:
            evidence = [each for part in self._pending for each in part.passages or ()]
            self.store.change(list(_stored(self._pending, self._prepared(evidence))))
            self.store.tidy()
            self._pending.clear()
            self._waiting = 0
        self._since = time.monotonic()

    def _prepared(self, evidence: Sequence[Evidence]) -> Sequence[PreparedPassage]:
        if self.mapper is None:
            return prepare(evidence, embeddings=self.embeddings)
        made = self.mapper.map(evidence, work=Preparation(self.embeddings), chunk=CHUNK)
        read = [PreparedPassage.from_bytes(each) for each in made]
        # What came back damaged is made here.
        return [
            passage or prepare([one], embeddings=self.embeddings)[0]
            for one, passage in zip(evidence, read, strict=True)
        ]


@dataclass(frozen=True)
class Preparation:
    """Work of preparing passages, for `dateline.bulk`.

    Its results are their bytes.
    """

    embeddings: Embeddings

    def __call__(self, evidence: Sequence[Evidence]) -> list[bytes]:
        return [each.to_bytes() for each in prepare(evidence, embeddings=self.embeddings)]


def _part_name(file: str, number: int) -> str:
    return file if number == 1 else f"{file}\n{number}"


def _file_of(part: str) -> str:
    return part.partition("\n")[0]


def _number_of(part: str) -> int:
    return int(part.partition("\n")[2] or 1)


def _cut(raws: Iterable[RawDocument]) -> Iterator[list[RawDocument]]:
    """Cut the documents of a long file into parts.

    A document that comes in pieces stays whole."""
    rows: list[RawDocument] = []
    for raw in raws:
        if len(rows) >= PART_ROWS and _origin(raw) != _origin(rows[-1]):
            yield rows
            rows = []
        rows.append(raw)
    if rows:
        yield rows


def _origin(raw: RawDocument) -> tuple[str, str, str, int | None]:
    return raw.url, raw.source, raw.title, raw.row


def _stored(parts: Sequence[_Part], prepared: Sequence[PreparedPassage]) -> Iterator[PartChange]:
    start = 0
    for part in parts:
        if part.passages is None:
            yield PartChange(part.name, part.state, None)
            continue
        end = start + len(part.passages)
        passages = _in_documents(part.passages, prepared[start:end])
        yield PartChange(part.name, part.state, passages)
        start = end


def _in_documents(evidence: Sequence[Evidence], prepared: Sequence[PreparedPassage]) -> list[StoredPassage]:
    numbers = document_numbers(evidence)
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    places = np.arange(len(numbers)) - first[numbers] if len(numbers) else numbers
    return [
        _passage(each, passage, place) for each, passage, place in zip(evidence, prepared, places.tolist(), strict=True)
    ]


def _passage(evidence: Evidence, prepared: PreparedPassage, place: int) -> StoredPassage:
    published, times = evidence.published, prepared.times
    start = published_from(evidence)
    end = start if published is None else _FOREVER if published.end is None else published.end
    if len(times):
        start, end = int(max(times.start.min(), -_FOREVER)), int(min(times.end.max(), _FOREVER))
    return StoredPassage(
        evidence=evidence,
        place=place,
        vector=prepared.vector.astype(np.float32),
        words=prepared.words,
        title_words=prepared.title_words,
        valid_from=start,
        valid_until=end,
        prepared=prepared.to_bytes(),
    )
