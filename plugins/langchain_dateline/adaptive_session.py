"""The documents and the answer so far of one gated question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock

from langchain_core.documents import Document

from dateline.documents import evidence_of
from dateline.flow import Flow, arun, run
from dateline.temporal.as_of import AsOf, if_given
from dateline.temporal.asking import asked_at
from langchain_dateline.scores import renumbered

Choose = Callable[[str, Sequence[Document], tuple[str, float] | None], list[Document]]
"""From query, documents not read yet, and (answer, p(reliable)) in a further round, those to read now."""
Search = Callable[[], Flow[list[Document]]]


class Session:
    """The documents that the runs of one question share.

    `choose` is the retriever's; each query is searched for once, as of the question's moment.
    """

    def __init__(self, choose: Choose, *, as_of: AsOf = None) -> None:
        self._choose, self.as_of = choose, as_of
        self.lock, self.alock = Lock(), asyncio.Lock()
        self.candidates: dict[str, list[Document]] = {}
        self.read: list[Document] = []
        self._earlier: dict[str, list[Document]] = {}
        self._chosen: dict[str, list[Document]] = {}
        self._answer: tuple[str, float] | None = None

    def chosen(self, query: str) -> list[Document]:
        """Return the documents to read now for a query."""
        if query not in self._chosen:
            self._chosen[query] = self._choose(query, unread(self.candidates[query], self.read), self._answer)
        return self._chosen[query]

    def earlier(self, query: str) -> list[Document]:
        """Return what earlier rounds read for a query.

        Of a query that is new: all that they read.
        """
        return self._earlier.get(query, self.read)

    def next_round(self, read: Sequence[Document], *, answer: str, reliable: float) -> None:
        """Leave out what was read, and rank the rest with the answer."""
        self._earlier |= {query: [*self.earlier(query), *chosen] for query, chosen in self._chosen.items()}
        self.read += unread(read, self.read)
        self._answer, self._chosen = (answer, reliable), {}


@dataclass(slots=True)
class View:
    """The documents of one run: all of a round, or one.

    `place` is its place among them; `None`: all, behind those of the earlier rounds.
    """

    owner: object
    session: Session
    place: int | None
    served: list[Document] = field(default_factory=list)
    searches: int = 0

    def search(self, query: str, search: Search) -> None:
        """Search for a query once, whichever run of its question is first."""
        with self.session.lock:
            if query not in self.session.candidates:
                self._keep(query, run(search()))

    async def asearch(self, query: str, search: Search) -> None:
        """Search once without blocking."""
        async with self.session.alock:
            if query not in self.session.candidates:
                self._keep(query, await arun(search()))

    def serve(self, query: str) -> list[Document]:
        """Return the documents of this run, noted as read."""
        with self.session.lock:
            chosen, earlier = self.session.chosen(query), self.session.earlier(query)
        documents = _in_turn(earlier, chosen) if self.place is None else chosen[self.place : self.place + 1]
        self.served += documents
        return list(documents)

    def _keep(self, query: str, found: list[Document]) -> None:
        self.session.candidates[query] = found
        self.searches += 1


_VIEW: ContextVar[View | None] = ContextVar("dateline_gate_view", default=None)


@contextmanager
def looking(view: View) -> Iterator[None]:
    """Have the gate's retriever serve `view` within this context.

    All parts there ask as of its question's moment. Also in threads and tasks begun in it.
    """
    token = _VIEW.set(view)
    try:
        with asked_at(if_given(view.session.as_of)):
            yield
    finally:
        _VIEW.reset(token)


def current(owner: object) -> View | None:
    """Return the view of a retriever's gate; `None` outside one."""
    view = _VIEW.get()
    return view if view is not None and view.owner is owner else None


def _in_turn(earlier: Sequence[Document], chosen: Sequence[Document]) -> list[Document]:
    """Return a round's documents, ranked behind those of earlier rounds."""
    return renumbered(unread([*earlier, *chosen], ()))


def unread(found: Sequence[Document], read: Sequence[Document]) -> list[Document]:
    """Return the documents of `found` that are not among `read`.

    Each once, in their order: of one place and day the first with its words.
    """
    seen = {_key(each) for each in read}
    kept: list[Document] = []
    for each in found:
        if (key := _key(each)) not in seen:
            seen.add(key)
            kept.append(each)
    return kept


def _key(document: Document) -> str:
    # What tells pieces of evidence apart in the loop.
    return evidence_of(document).id
