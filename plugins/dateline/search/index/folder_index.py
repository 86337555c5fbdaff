"""A folder's index on disk, kept up to date file by file."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from langchain_core.embeddings import Embeddings
from pydantic import ValidationError

from dateline.bulk.mapping import Mapper
from dateline.documents.rules import DateField, DateRules, date_rules
from dateline.errors import BadInput, StoreFailed
from dateline.files import expanded
from dateline.formats.table import readers
from dateline.protocols import Search, SearchResult
from dateline.ranking.prepared import encoder_name
from dateline.ranking.prepared_cache import code_version, reader_version
from dateline.search.documents import Progress, no_document, warn_of_unread
from dateline.search.folder_files import FolderFiles, existing
from dateline.search.folder_limits import FolderLimits
from dateline.search.index.folder_update import FolderUpdate
from dateline.search.index.opening import open_passages, remove_index
from dateline.search.index.sqlite_file import DamagedIndex, held_for_writing, index_folder, indexes_of, settings_of
from dateline.search.index.store import PassageStore
from dateline.search.index.stored_search import StoredSearch
from dateline.secrets import masked
from dateline.stopping import time_limit
from dateline.temporal.interval import Interval
from dateline.text.embeddings import default_embeddings
from dateline.visible import logger

T = TypeVar("T")

_LOG = logger(__name__)

_LOADERS = ("documents/*.py", "formats/*.py", "search/*.py")
"""The sources that decide how documents are read and dated."""

INDEX_LIMITS = FolderLimits(files=10_000_000, bytes=2**40, passages=20_000_000, seconds=30 * 86_400.0)
"""What is read into an index on disk at most, when it is made on purpose; chosen by hand."""

WAIT_SECONDS = 7 * 86_400.0
"""How long an update waits for another process that does the same."""

BUSY_SECONDS = 1.0
"""How long a question waits for another process that updates the index; it goes on with what is there."""

RETRY_SECONDS = 10.0
"""How long after an update that was not possible a question tries again; chosen by hand."""


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
    stopped goes on where it was. A damaged index is made anew; a file that is none is left alone.

    Args:
        path: a folder or file, as `load_documents` takes it.
        embeddings: by default `default_embeddings()`.
        date_field, name, trust_sources, follow_links: as `load_documents` takes them; with others, it is another index.
        limits: what is read at most; by default `INDEX_LIMITS`.
        output: the file of the index, by default one in the user's cache; or the address of a PostgreSQL database with
            pgvector, `postgresql://…`, which other machines search as well.

    Raises:
        BadInput: when there is nothing at the path, for embeddings without a name, an output made with other settings, or
            one that is no index.

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
        self._rules = date_rules(date_field, trust_sources=trust_sources)
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
    def remove(place: Path | str) -> bool:
        """Delete an index by its place; return whether there was one.

        The place is a file or an address; what was indexed stays.

        Raises:
            BadInput: for a file that is no index.
        """
        return remove_index(place)

    @staticmethod
    def remove_all(path: Path | str) -> list[Path]:
        """Delete all indexes that a folder has without `output`; return their files.

        Those of other settings, embeddings and versions of dateline as well; what was indexed stays.
        """
        found = indexes_of(expanded(path).resolve())
        for place in found:
            remove_index(place)
        return found

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
                expanded(path).resolve(),
                embeddings=embeddings,
                rules=date_rules(date_field, trust_sources=trust_sources),
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
        return self._alone(lambda: self._updated(progress, mapper), wait=wait)

    def search(self) -> Search:
        """Return a search over what is indexed; `update` comes before."""
        return FolderIndexSearch(self)

    def searched(self, search: Callable[[IndexUpdate], T], *, wait: float) -> T:
        """Update the index and search it while nobody else writes.

        Where either meets damage, the index is made anew.

        Raises:
            BadInput: as `update`.
            StoreFailed: as `update`.
        """
        return self._alone(lambda: search(self._updated(None, None)), wait=wait)

    def _alone(self, work: Callable[[], T], *, wait: float) -> T:
        """Do work while nobody else writes, and mend what damage it meets."""
        refusal = (
            f"Indexing {str(self.folder)!r} takes more than {self._limits.seconds:g} s; what is done is kept, and "
            "`dateline index` goes on with it."
        )
        with time_limit(self._limits.seconds, refusal=refusal), self._store.writing(wait=wait):
            try:
                return work()
            except DamagedIndex:
                self._store.close()
                self._store = self._whole()
            try:
                # Another process may have made it anew since it was opened here.
                return work()
            except DamagedIndex as error:
                self._store.close()
                self._store = self._made_anew(error)
            return work()

    def _opened(self) -> PassageStore:
        try:
            return open_passages(self._output, settings=self._settings)
        except DamagedIndex:
            with held_for_writing(Path(self._output)):
                return self._whole()

    def _whole(self) -> PassageStore:
        """Open the index, made anew where it is damaged; nobody else writes."""
        try:
            return open_passages(self._output, settings=self._settings)
        except DamagedIndex as error:
            return self._made_anew(error)

    def _made_anew(self, error: DamagedIndex) -> PassageStore:
        """Delete a damaged index and open an empty one; nobody else writes."""
        _LOG.warning("%s It is made anew.", error)
        remove_index(self._output)
        self.rebuilt = True
        return open_passages(self._output, settings=self._settings)

    def _updated(self, progress: Progress | None, mapper: Mapper | None) -> IndexUpdate:
        folder = FolderFiles.of(self.folder, limits=self._limits, follow_links=self._follow_links)
        work = FolderUpdate(
            self._store,
            self.folder,
            folder,
            rules=self._rules,
            name=self._name,
            most=self._limits.passages,
            embeddings=self.embeddings,
            progress=progress,
            mapper=mapper,
        )
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
            raise BadInput(no_document(self.folder, made.skipped))
        return made

    @property
    def limits(self) -> FolderLimits:
        """The most that is read."""
        return self._limits


class FolderIndexSearch(Search):
    """A `Search` over a folder's index.

    Where the index turns out to be damaged, it is made anew.

    Args:
        index: the index.
        name: as `StoredSearch` takes it.
    """

    def __init__(self, index: FolderIndex, *, name: str = "") -> None:
        self.index, self._name = index, name
        self._notes: tuple[str, ...] = ()
        self._due = math.inf
        self._search = self._made()

    def update(self) -> None:
        """Bring the index up to date, if possible.

        If not, what is there is searched, and a search some seconds later tries again.

        Raises:
            BadInput: as `FolderIndex.update`.
        """
        self._due = time.monotonic() + RETRY_SECONDS
        try:
            wait = BUSY_SECONDS if self.index.store.count() else self.index.limits.seconds
            self._take(self.index.update(wait=wait))
        except StoreFailed as error:
            _LOG.warning("%s", error)
            self._notes = ("not read: what has changed in the folder since it was last indexed",)
            self._search = self._made()

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the `k` best passages known at `as_of`, as `FolderSearch` does."""
        if time.monotonic() > self._due:
            self.update()
        try:
            return self._search.search(query, as_of=as_of, k=k, window=window)
        except DamagedIndex:

            def again(made: IndexUpdate) -> SearchResult:
                self._take(made)
                return self._search.search(query, as_of=as_of, k=k, window=window)

            return self.index.searched(again, wait=BUSY_SECONDS)

    def _take(self, made: IndexUpdate) -> None:
        """Search what an update has made."""
        warn_of_unread(made.skipped)
        self._notes, self._due = tuple(f"not read: {each}" for each in made.beyond), math.inf
        self._search = self._made()

    def _made(self) -> StoredSearch:
        return StoredSearch(self.index.store, embeddings=self.index.embeddings, notes=self._notes, name=self._name)


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
        "reader": reader_version().hex() + code_version(*_LOADERS).hex(),
        "formats": readers(),
    }


def _place(settings: Mapping[str, Any]) -> Path:
    digest = hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=12).hexdigest()
    return index_folder() / f"{digest}.sqlite"
