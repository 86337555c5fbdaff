"""`FactMemoryStore`: LangGraph's long-term memory, with every value it ever had."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from langgraph.store.base import (
    NOT_PROVIDED,
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    NotProvided,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    validate_op_namespace,
)

from dateline.errors import BadInput
from dateline.facts import FactStore
from dateline.facts.item import ItemPut, ItemVersion, Namespace, Place, as_json
from dateline.facts.items import Items
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, is_given
from langchain_dateline.memory.matching import lies_in, literal_prefix, matches


@checked_arguments
class FactMemoryStore(BaseStore):
    """A LangGraph store over a fact store, in which nothing is overwritten.

    For `graph.compile(store=...)` and `create_agent(..., store=...)`. `get` and `search` take `as_of` (when it held) and
    `known_at` (by what had been put then), `put` takes `since`, and `history` lists every value of an item.

    An item with a time to live expires that long after it was last put, or last read by this process; it is left out from
    then on, and still found as of an earlier moment.

    Args:
        store: holds nothing else; updaters that share it could end an item by what a document says.
        fields: paths of the texts that a query searches; "$" is the whole value, none: nothing is searched.
        ttl: `default_ttl` in minutes and `refresh_on_read`.

    Example:
        >>> from dateline.facts import ExactIndex, FactStore, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> facts = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> memory = FactMemoryStore(facts, fields=["text"])
        >>> ana = ("users", "ana")
        >>> memory.put(ana, "home", {"text": "Ana lives in Porto."}, since="2019")
        >>> memory.put(ana, "home", {"text": "Ana lives in Lisbon."}, since="2022-03")
        >>> [memory.search(ana, query="Where does Ana live?", as_of=day)[0].value["text"] for day in ("2020", None)]
        ['Ana lives in Porto.', 'Ana lives in Lisbon.']
        >>> [str(each.since) for each in memory.history(ana, "home")]
        ['2019', '2022-03']
    """

    supports_ttl = True

    def __init__(self, store: FactStore, *, fields: Sequence[str] = ("$",), ttl: TTLConfig | None = None) -> None:
        if isinstance(fields, str):
            raise BadInput(f"fields takes several paths, not the string {fields!r}; write [{fields!r}].")
        self.facts = store
        self.ttl_config = ttl
        self._fields = tuple(fields)
        self._items = Items(store)

    # -- LangGraph's two methods, behind which all others stand ---------------------------------

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Answer all reads, then write all puts or none."""
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        results = [self._answer(op) for op in asked]
        self._items.write([self._put_of(op) for op in asked if isinstance(op, PutOp)])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do as `batch`, without blocking."""
        return await asyncio.to_thread(self.batch, list(ops))

    # -- both clocks ----------------------------------------------------------------------------

    def get(
        self,
        namespace: Namespace,
        key: str,
        *,
        refresh_ttl: bool | None = None,
        as_of: AsOf = None,
        known_at: AsOf = None,
    ) -> Item | None:
        """Return an item as it stood at both times."""
        if not is_given(as_of) and not is_given(known_at):
            return super().get(namespace, key, refresh_ttl=refresh_ttl)
        version = self._items.read(Place(namespace, str(key)), as_of=as_of, known_at=known_at)
        return None if version is None else _item(version)

    async def aget(
        self,
        namespace: Namespace,
        key: str,
        *,
        refresh_ttl: bool | None = None,
        as_of: AsOf = None,
        known_at: AsOf = None,
    ) -> Item | None:
        """Do as `get`, without blocking."""
        return await asyncio.to_thread(
            self.get, namespace, key, refresh_ttl=refresh_ttl, as_of=as_of, known_at=known_at
        )

    def search(
        self,
        namespace_prefix: Namespace,
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
        as_of: AsOf = None,
        known_at: AsOf = None,
    ) -> list[SearchItem]:
        """Find items as they stood at both times."""
        if not is_given(as_of) and not is_given(known_at):
            return super().search(
                namespace_prefix, query=query, filter=filter, limit=limit, offset=offset, refresh_ttl=refresh_ttl
            )
        op = SearchOp(namespace_prefix, filter, limit, offset, query)
        validate_op_namespace(op)
        return self._found(op, as_of=as_of, known_at=known_at)[0]

    async def asearch(
        self,
        namespace_prefix: Namespace,
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
        as_of: AsOf = None,
        known_at: AsOf = None,
    ) -> list[SearchItem]:
        """Do as `search`, without blocking."""
        return await asyncio.to_thread(
            self.search,
            namespace_prefix,
            query=query,
            filter=filter,
            limit=limit,
            offset=offset,
            refresh_ttl=refresh_ttl,
            as_of=as_of,
            known_at=known_at,
        )

    def put(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
        since: AsOf = None,
    ) -> None:
        """Put an item; what it was before stays readable.

        Args:
            since: from when on it holds, up to the next value put for later; past or future.
        """
        if not is_given(since):
            return super().put(namespace, key, value, index, ttl=ttl)
        minutes = (self.ttl_config or {}).get("default_ttl") if isinstance(ttl, NotProvided) else ttl
        op = PutOp(_checked(namespace), str(key), value, index, minutes)
        self._items.write([self._put_of(op, since)])

    async def aput(
        self,
        namespace: Namespace,
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
        since: AsOf = None,
    ) -> None:
        """Do as `put`, without blocking."""
        await asyncio.to_thread(self.put, namespace, key, value, index, ttl=ttl, since=since)

    def history(self, namespace: Namespace, key: str) -> list[ItemVersion]:
        """List an item's values by time, announced ones too."""
        return self._items.history(Place(namespace, str(key)))

    async def ahistory(self, namespace: Namespace, key: str) -> list[ItemVersion]:
        """Do as `history`, without blocking."""
        return await asyncio.to_thread(self.history, namespace, key)

    def sweep_ttl(self) -> int:
        """End the items whose time to live is over; return their number."""
        return self._items.sweep()

    # -- inside ---------------------------------------------------------------------------------

    def _answer(self, op: Op) -> Result:
        match op:
            case GetOp():
                version = self._items.read(Place(op.namespace, op.key))
                self._items.use([version] if version is not None and op.refresh_ttl else [])
                return None if version is None else _item(version)
            case SearchOp():
                found, versions = self._found(op)
                self._items.use(versions if op.refresh_ttl else [])
                return found
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
        raise BadInput(f"Unknown operation {type(op).__name__}; use those of langgraph.store.base.")

    def _found(
        self, op: SearchOp, *, as_of: AsOf = None, known_at: AsOf = None
    ) -> tuple[list[SearchItem], list[ItemVersion]]:
        """Find a page of items, those without texts last."""
        skipped, shown = max(op.offset, 0), partial(matches, filter=op.filter)
        count = skipped + op.limit
        read = {"as_of": as_of, "known_at": known_at}
        found: list[tuple[ItemVersion, float | None]] = []
        if op.query:
            found += self._items.near(op.namespace_prefix, op.query, count=count, wanted=shown, **read)
        if len(found) < count:
            seen = {version.place for version, _ in found}
            rest = (each for each in self._items.below(op.namespace_prefix, **read) if each.place not in seen)
            found += [(version, None) for version in rest if shown(version.value)]
        page = found[skipped:count]
        return [_search_item(version, score) for version, score in page], [version for version, _ in page]

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        below = {each.namespace for each in self._items.below(literal_prefix(op.match_conditions))}
        fitting = sorted({each[: op.max_depth] for each in below if lies_in(each, op.match_conditions)})
        return fitting[op.offset : op.offset + op.limit]

    def _put_of(self, op: PutOp, since: AsOf = None) -> ItemPut:
        as_json(op.value)  # here, since LangGraph writes the texts of a value without a word on what JSON cannot hold
        paths = () if op.index is False or op.value is None else self._fields if op.index is None else op.index
        texts = [text for path in paths for text in get_text_at_path(op.value, path)]
        return ItemPut(place=Place(op.namespace, op.key), value=op.value, texts=texts, ttl=op.ttl, since=since)


def _checked(namespace: Namespace) -> Namespace:
    """Refuse what LangGraph's own `put` refuses."""
    validate_op_namespace(GetOp(namespace, ""))
    if not namespace or namespace[0] == "langgraph":
        raise InvalidNamespaceError(f"A namespace needs a first label other than 'langgraph', unlike {namespace}.")
    return namespace


def _times(version: ItemVersion) -> dict[str, Any]:
    return {"created_at": version.created_at, "updated_at": version.updated_at}


def _item(version: ItemVersion) -> Item:
    return Item(value=version.value, key=version.key, namespace=version.namespace, **_times(version))


def _search_item(version: ItemVersion, score: float | None) -> SearchItem:
    return SearchItem(version.namespace, version.key, version.value, score=score, **_times(version))
