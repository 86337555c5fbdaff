"""A folder's index on disk, kept up to date file by file."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from pydantic import ValidationError

from dateline.bulk.mapping import Mapper
from dateline.documents.dates import order_shown, two_ways
from dateline.documents.raw import RawDocument
from dateline.documents.rules import DateField, DateRules, date_rules
from dateline.errors import BadInput
from dateline.evidence.knowledge import published_from
from dateline.protocols import Search, SearchResult
from dateline.ranking.documents import document_numbers
from dateline.ranking.prepared import PreparedPassage, encoder_name, prepare
from dateline.ranking.prepared_cache import reader_version
from dateline.records import Evidence
from dateline.search.documents import FolderFiles, Progress, existing, left_out, name_in, passages_of, raws_of, stamp_of
from dateline.search.folder_limits import FolderLimits
from dateline.search.index.opening import open_passages, remove_index
from dateline.search.index.sqlite_file import DamagedIndex, settings_of
from dateline.search.index.store import PartChange, PartState, PassageStore, StoredPassage
from dateline.search.index.stored_search import StoredSearch
from dateline.secrets import masked
from dateline.stopping import time_limit, until_stopped
from dateline.temporal.interval import Interval
from dateline.text.cache_folder import cache_folder
from dateline.text.embeddings import default_embeddings
from dateline.visible import logger

_LOG = logger(__name__)

INDEX_LIMITS = FolderLimits(files=10_000_000, bytes=2**40, passages=20_000_000, seconds=30 * 86_400.0)
"""What is read into an index on disk at most, when it is made on purpose; chosen by hand."""

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

WAIT_SECONDS = 7 * 86_400.0
"""How long an update waits for another process that does the same."""

_FOREVER = 2**62


@dataclass(frozen=True, slots=True)
class IndexUpdate:
    """Changes of an index by one update.

    Attributes:
        passages: how many passages there are now.
        read: how many files were read.
        removed: how many files left.
        skipped: one line for each thing that could not be read.
        beyond: lines about what lies beyond the limits.
        rebuilt: whether the index was damaged and made anew.
    """

    passages: int
    read: int = 0
    removed: int = 0
    skipped: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()
    rebuilt: bool = False


class FolderIndex:
    """An index of a folder or file, on disk.

    It is shared by processes: one updates it while all read. What was indexed is kept at any moment; an update that is
    stopped goes on where it was. A damaged index is made anew.

    Args:
        path: a folder or file, as `load_documents` takes it.
        embeddings: by default `default_embeddings()`.
        date_field, name, trust_sources, follow_links: as `load_documents` takes them; with others, it is another index.
        limits: what is read at most; by default `INDEX_LIMITS`.
        output: the file of the index, by default one in the user's cache; or the address of a PostgreSQL database with
            pgvector, `postgresql://…`, which other machines search as well.

    Raises:
        BadInput: when there is nothing at the path, for embeddings without a name, or an output made with other settings.

    Attributes:
        where: the index's file or address, without passwords.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> _ = Path("2021-05-01.md").write_text("Ada Berg is mayor.", encoding="utf-8")
        >>> index = FolderIndex("2021-05-01.md", embeddings=LexicalEmbeddings(), output=Path("notes.index"))
        >>> index.update().passages, index.update().read
        (1, 0)
    """

    def __init__(
        self,
        path: Path | str,
        *,
        embeddings: Embeddings | None = None,
        date_field: DateField = (),
        name: str = "",
        trust_sources: bool = False,
        follow_links: bool = False,
        limits: FolderLimits | None = None,
        output: Path | str | None = None,
    ) -> None:
        self.folder = existing(path).resolve()
        self.embeddings: Embeddings = default_embeddings() if embeddings is None else embeddings
        self._rules = _rules(date_field, trust_sources)
        self._name, self._follow_links, self._limits = name, follow_links, limits or INDEX_LIMITS
        self._settings = _settings(
            self.folder, embeddings=self.embeddings, rules=self._rules, name=name, follow_links=follow_links
        )
        self._output: Path | str = output or _place(self._settings)
        self.where = masked(str(self._output))
        self.rebuilt = False
        self._store = self._opened()

    @classmethod
    def from_file(
        cls, file: Path, *, embeddings: Embeddings | None = None, limits: FolderLimits | None = None
    ) -> FolderIndex:
        """Open an index that was made with `output`.

        Raises:
            BadInput: when it is no index, its folder is gone, or it was made with other embeddings.
        """
        settings = settings_of(file)
        try:
            rules = DateRules.model_validate(settings["rules"])
            how: dict[str, Any] = {key: settings[key] for key in ("name", "follow_links")}
            folder = settings["folder"]
        except (KeyError, ValidationError, TypeError):
            raise BadInput(
                f"{str(file)!r} is no index; make one with `dateline index FOLDER --output {file}`."
            ) from None
        return cls(folder, embeddings=embeddings, date_field=rules, limits=limits, output=file, **how)

    @staticmethod
    def remove(place: Path | str) -> None:
        """Delete an index, by its file or address; what was indexed stays."""
        remove_index(place)

    @staticmethod
    def place(
        path: Path | str,
        *,
        embeddings: Embeddings,
        date_field: DateField = (),
        name: str = "",
        trust_sources: bool = False,
        follow_links: bool = False,
    ) -> Path:
        """Return where a folder's index lies, if it was made without `output`."""
        return _place(
            _settings(
                Path(path).expanduser().resolve(),
                embeddings=embeddings,
                rules=_rules(date_field, trust_sources),
                name=name,
                follow_links=follow_links,
            )
        )

    @property
    def store(self) -> PassageStore:
        """The passages."""
        return self._store

    def update(
        self, *, progress: Progress | None = None, wait: float = WAIT_SECONDS, mapper: Mapper | None = None
    ) -> IndexUpdate:
        """Read what has changed since the last update.

        Args:
            progress: called as progress(stage, done, total).
            wait: seconds to wait for another process that updates it.
            mapper: prepares passages elsewhere, such as `dateline.bulk.RayActors()`.

        Raises:
            BadInput: when the folder is gone, or holds nothing that can be read.
            StoreFailed: when another process updates it for longer than `wait`, or the disk is full.
        """
        refusal = (
            f"Indexing {str(self.folder)!r} takes more than {self._limits.seconds:g} s; what is done is kept, and "
            "`dateline index` goes on with it."
        )
        with time_limit(self._limits.seconds, refusal=refusal):
            try:
                return self._updated(progress, wait, mapper)
            except DamagedIndex as error:
                self.rebuild(error)
                return self._updated(progress, wait, mapper)

    def search(self) -> Search:
        """Return a search over what is indexed; `update` comes before."""
        return FolderIndexSearch(self)

    def rebuild(self, error: Exception) -> None:
        """Delete a damaged index; the next update makes it anew."""
        _LOG.warning("The index is damaged and made anew: %s.", error)
        self._store.close()
        remove_index(self._output)
        self.rebuilt = True
        self._store = open_passages(self._output, settings=self._settings)

    def _opened(self) -> PassageStore:
        try:
            return open_passages(self._output, settings=self._settings)
        except DamagedIndex as error:
            _LOG.warning("The index is damaged and made anew: %s.", error)
            remove_index(self._output)
            self.rebuilt = True
            return open_passages(self._output, settings=self._settings)

    def _updated(self, progress: Progress | None, wait: float, mapper: Mapper | None) -> IndexUpdate:
        folder = FolderFiles.of(self.folder, limits=self._limits, follow_links=self._follow_links)
        with self._store.writing(wait=wait):
            work = _Update(self, folder=folder, progress=progress, mapper=mapper)
            work.run()
        made = IndexUpdate(
            passages=self._store.count(),
            read=work.read,
            removed=work.removed,
            skipped=(*work.beyond, *folder.skipped, *work.skipped, *folder.others),
            beyond=tuple(work.beyond),
            rebuilt=self.rebuilt,
        )
        self.rebuilt = False
        if not made.passages:
            reason = f" ({made.skipped[0]})" if made.skipped else ""
            raise BadInput(
                f"{str(self.folder)!r} holds no readable document{reason}; put .md, .txt, .html or .jsonl files there."
            )
        return made

    @property
    def rules(self) -> DateRules:
        """The rules by which dates are read."""
        return self._rules

    @property
    def name(self) -> str:
        """Name of the library."""
        return self._name

    @property
    def limits(self) -> FolderLimits:
        """The most that is read."""
        return self._limits


class FolderIndexSearch(Search):
    """A `Search` over a folder's index.

    Where the index turns out to be damaged, it is made anew.
    """

    def __init__(self, index: FolderIndex, *, notes: Sequence[str] = ()) -> None:
        self.index = index
        self._notes = tuple(notes)
        self._search = self._made()

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the `k` best passages known at `as_of`, as `FolderSearch` does."""
        try:
            return self._search.search(query, as_of=as_of, k=k, window=window)
        except DamagedIndex as error:
            self.index.rebuild(error)
            self.index.update()
            self._search = self._made()
            return self._search.search(query, as_of=as_of, k=k, window=window)

    def _made(self) -> StoredSearch:
        return StoredSearch(self.index.store, embeddings=self.index.embeddings, notes=self._notes)


def _rules(date_field: DateField, trust_sources: bool) -> DateRules:
    rules = date_rules(date_field)
    return rules.model_copy(update={"trust_sources": True}) if trust_sources else rules


def _settings(
    folder: Path, *, embeddings: Embeddings, rules: DateRules, name: str, follow_links: bool
) -> dict[str, Any]:
    """Return all that decides what an index of a folder holds."""
    encoder = encoder_name(embeddings)
    if encoder is None:
        raise BadInput(
            f"An index on disk needs embeddings with a name, not {type(embeddings).__name__}; wrap them in "
            "CachedEmbeddings(…, name=…)."
        )
    return {
        "folder": str(folder),
        "encoder": encoder,
        "rules": rules.model_dump(mode="json"),
        "name": name,
        "follow_links": follow_links,
        "reader": reader_version().hex(),
    }


def _place(settings: Mapping[str, Any]) -> Path:
    digest = hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=12).hexdigest()
    return cache_folder() / "indexes" / f"{digest}.sqlite"


# -- one update ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    name: str
    state: PartState
    passages: list[Evidence] | None


@dataclass
class _Update:
    """The work of one update, by whoever holds the writer's place."""

    index: FolderIndex
    folder: FolderFiles
    progress: Progress | None
    mapper: Mapper | None = None
    read: int = 0
    removed: int = 0
    skipped: list[str] = field(default_factory=list)
    beyond: list[str] = field(default_factory=list)
    _known: dict[str, PartState] = field(default_factory=dict)
    _pending: list[_Part] = field(default_factory=list)
    _since: float = 0.0
    _total: int = 0

    def run(self) -> None:
        store = self.index.store
        self._known = dict(store.parts())
        self._total = store.count()
        here = {name_in(file, root=self.index.folder): file for file in (*self.folder.files, *self.folder.further)}
        self._remove(here)
        within = {name_in(file, root=self.index.folder) for file in self.folder.files}
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

    def _remove(self, here: Mapping[str, Path]) -> None:
        gone = [part for part in self._known if _file_of(part) not in here]
        if gone:
            self.index.store.change([PartChange(part) for part in gone])
            self.index.store.tidy()
            self.removed = len({_file_of(part) for part in gone})
            for part in gone:
                self._total -= self._known.pop(part).passages

    def _is_current(self, name: str, file: Path) -> bool:
        known = self._known.get(name)
        return known is not None and known.stamp == stamp_of(file)

    def _day_first(self) -> bool | None:
        orders = {order for state in self._known.values() for order in state.orders}
        return orders.pop() if len(orders) == 1 else self.index.rules.day_first

    def _read_otherwise(self, day_first: bool | None) -> list[str]:
        parts = (part for part, state in self._known.items() if state.ambiguous and state.day_first != day_first)
        return list(dict.fromkeys(map(_file_of, parts)))

    def _lines(self, name: str) -> tuple[str, ...]:
        state = self._known.get(name)
        return state.skipped if state is not None else ()

    def _read_all(self, names: Sequence[str], files: Mapping[str, Path], day_first: bool | None) -> None:
        self._since = time.monotonic()
        for number, name in enumerate(until_stopped(names), start=1):
            if self._total >= self.index.limits.passages and name not in self._known:
                most = f"{self.index.limits.passages:,} passages"
                self.beyond.append(left_out(len(names) - number + 1, "file", name, most, "passages"))
                break
            self._read(name, files[name], day_first)
            if self.progress is not None:
                self.progress("documents", number, len(names))
        self._flush()

    def _read(self, name: str, file: Path, day_first: bool | None) -> None:
        stamp, skipped = stamp_of(file), list[str]()
        raws = raws_of(file, root=self.index.folder, name=self.index.name, rules=self.index.rules, skipped=skipped)
        first: _Part | None = None
        count = 0
        for count, rows in enumerate(_cut(raws), start=1):
            part = self._part(name if count == 1 else f"{name}\n{count}", rows, stamp, day_first)
            if first is None:
                first = part
            else:
                self._add(replace(part, state=replace(part.state, parts=0)))
        first = first or self._part(name, [], stamp, day_first)
        told = (*skipped[:NAMED], *([f"{name} has {len(skipped) - NAMED} more"] if len(skipped) > NAMED else []))
        # Last, since it says that the file is whole.
        self._add(replace(first, state=replace(first.state, parts=max(count, 1), skipped=told)))
        known = self._known
        for part_name in [each for each in known if each.startswith(f"{name}\n")] if known[name].parts else []:
            if int(part_name.rpartition("\n")[2]) > count:
                self._flush()
                self.index.store.change([PartChange(part_name)])
                self._total -= known.pop(part_name).passages
        self.read += 1

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
        rules = self.index.rules.model_copy(update={"day_first": day_first})
        evidence = list(passages_of(rows, rules=rules, by_text=True, orders=False))
        return _Part(name, replace(state, passages=len(evidence)), evidence)

    def _add(self, part: _Part) -> None:
        known = self._known.get(part.name)
        self._total += part.state.passages - (known.passages if known else 0)
        self._known[part.name] = part.state
        self._pending.append(part)
        waiting = sum(len(each.passages or ()) for each in self._pending)
        if self.mapper is not None:
            due = waiting >= SENT
        else:
            due = waiting >= BATCH or time.monotonic() - self._since > BATCH_SECONDS
        if due:
            self._flush()

    def _flush(self) -> None:
        if self._pending:
            evidence = [each for part in self._pending for each in part.passages or ()]
            made = iter(_stored(self._pending, self._prepared(evidence)))
            self.index.store.change(list(made))
            self.index.store.tidy()
            self._pending.clear()
        self._since = time.monotonic()

    def _prepared(self, evidence: Sequence[Evidence]) -> Sequence[PreparedPassage]:
        if self.mapper is None:
            return prepare(evidence, embeddings=self.index.embeddings)
        made = self.mapper.map(evidence, work=Preparation(self.index.embeddings), chunk=CHUNK)
        read = [PreparedPassage.from_bytes(each) for each in made]
        # What came back damaged is made here.
        return [
            passage or prepare([one], embeddings=self.index.embeddings)[0]
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


def _file_of(part: str) -> str:
    return part.partition("\n")[0]


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


def _origin(raw: RawDocument) -> tuple[str, str, str]:
    return raw.url, raw.source, raw.title


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
