"""One fact store for each namespace: users' facts never meet."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from heapq import nlargest
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes
from weakref import WeakValueDictionary

from dateline.channels import without_folders
from dateline.closable import Closable
from dateline.errors import BadInput, StoreFailed
from dateline.facts.fact import FoundFact
from dateline.facts.item import Namespace
from dateline.facts.opening import LEDGER, IndexChoice, open_store
from dateline.facts.slots import SlotPack
from dateline.facts.store import FactStore
from dateline.files import expanded

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

_MARK = "="
"""Begins the folder of a label, so that none has the name of a store's own files."""

_LONGEST = 200
"""Most characters of a folder's name; disks take 255."""

_OPEN = 32
"""Stores that are kept open beside those in use. Chosen by hand."""


class FactStores(Closable):
    """Fact stores by namespace, each in a folder of its own.

    Updaters, retrievers and memories work on `of(...)` as on any store: no document of one namespace ends, reinforces or
    shows a fact of another. Deleting a namespace's folder erases all that it holds.

    Args:
        folder: holds them all; made when it is not there.
        embeddings: those of every store.
        index: as for `open_store`.
        slots: attributes that are declared in every store; by default those that are shipped.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.facts import LocalUpdater
        >>> from dateline.temporal.as_of import now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> with FactStores("memories", embeddings=LexicalEmbeddings()) as stores:
        ...     for user, city in (("ana", "Porto"), ("ben", "Lund")):
        ...         said = Evidence.make(f"My home is {city}.", published=Interval.of_year(2020))
        ...         _ = LocalUpdater(stores.of("users", user)).update([said], known_at=now())
        ...     print([found.fact.text for found in stores.of("users", "ana").search("home")])
        ...     print([namespace for namespace, _ in stores.search("home", prefix=("users",))])
        ['My home is Porto.']
        [('users', 'ana'), ('users', 'ben')]
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        embeddings: Embeddings,
        index: IndexChoice = "auto",
        slots: SlotPack | None = None,
    ) -> None:
        self._folder = expanded(folder)
        self._embeddings = embeddings
        self._index: IndexChoice = index
        self._slots = slots
        self._recent: OrderedDict[Namespace, FactStore] = OrderedDict()
        self._in_use: WeakValueDictionary[Namespace, FactStore] = WeakValueDictionary()
        self._lock = Lock()

    def of(self, *namespace: str) -> FactStore:
        """Return a namespace's store, the same for all who hold it.

        Raises:
            BadInput: for no label, an empty or a very long one.
            StoreFailed: when it cannot be opened.
        """
        folder = self._folder_of(namespace)
        with self._lock:
            store = self._in_use.get(namespace)
            if store is None:
                store = open_store(folder, embeddings=self._embeddings, index=self._index, slots=self._slots)
            self._in_use[namespace] = self._recent[namespace] = store
            self._recent.move_to_end(namespace)
            self._let_go()
            return store

    def namespaces(self, *prefix: str) -> list[Namespace]:
        """List the namespaces at and below a prefix that have a store."""
        top = self._folder_of(prefix) if prefix else self._folder
        return sorted(_named(file.parent, self._folder) for file in top.rglob(LEDGER) if file.parent != self._folder)

    def search(
        self, query: str, *, prefix: Namespace = (), k: int = 10, **options: Any
    ) -> list[tuple[Namespace, FoundFact]]:
        """Search every store at and below a prefix, as `FactStore.search` does one."""
        found = (
            (name, each) for name in self.namespaces(*prefix) for each in self.of(*name).search(query, k=k, **options)
        )
        return nlargest(k, found, key=lambda pair: pair[1].similarity)

    def close(self) -> None:
        """Close every store."""
        with self._lock:
            for store in list(self._in_use.values()):
                store.close()
            self._recent.clear()
            self._in_use.clear()

    def _let_go(self) -> None:
        """Keep the latest open; who holds another may go on with it."""
        while len(self._recent) > _OPEN:
            _, store = self._recent.popitem(last=False)
            with suppress(StoreFailed):  # what is not in the index is embedded again
                store.flush()

    def _folder_of(self, namespace: Namespace) -> Path:
        if not namespace or not all(isinstance(label, str) and label for label in namespace):
            raise BadInput(
                f"A namespace needs labels that are not empty, such as ('users', 'ana'), unlike {namespace!r}."
            )
        return self._folder.joinpath(*map(_folder_name, namespace))


def _folder_name(label: str) -> str:
    name = without_folders(label)  # no capitals, which some disks do not tell apart
    if len(name) > _LONGEST:
        raise BadInput(f"The label {label[:40]!r}… is too long; give one of at most {_LONGEST} letters a-z, or digits.")
    return f"{_MARK}{name}"


def _named(folder: Path, top: Path) -> Namespace:
    parts = folder.relative_to(top).parts
    return tuple(unquote_to_bytes(part.removeprefix(_MARK)).decode(errors="surrogatepass") for part in parts)
