"""Live components behind the names that a client sends, by who asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from dateline.dynamic import RetrievingGenerator
from dateline.errors import BadInput, StoreFailed
from dateline.facts import FactStore, SlotPack, Updater, open_store
from dateline.made_once import made_once
from dateline.protocols import Search, SearchResult
from dateline.reading.strategies import SelfMrag
from dateline.search.index.sqlite_file import index_folder
from dateline.secrets import without_secrets
from dateline.temporal.interval import Interval
from dateline.text import default_embeddings
from dateline.visible import logger
from dateline_graphs.components import Components, components_for, updater_for
from dateline_graphs.generate import GeneratorFor
from dateline_graphs.generate_options import GenerateOptions, WritingOptions, generator_for
from dateline_graphs.models import chat_model
from dateline_graphs.options import AnswerOptions, GraphOptions, QuestionOptions, ReadingOptions, SelfMragOptions
from dateline_graphs.self_mrag import reader_of
from dateline_graphs.server.config import LibraryConfig, NamedPart, ServerConfig, StoreConfig
from dateline_graphs.server.options import (
    AnswerRequest,
    GenerateRequest,
    SelfMragRequest,
    StoreChoice,
    UpdateFactsRequest,
)
from langchain_dateline.approval import identity_of_run

LOGGER = logger(__name__)

PartKind = Literal["library", "store", "model"]
"""Parts that a client names."""

OPEN_STORES, OPEN_MODELS = 256, 32
"""How many stores and models stay open at once; chosen by hand."""

O = TypeVar("O", bound=GraphOptions)  # noqa: E741
N = TypeVar("N", bound=NamedPart)


class PartFailed(StoreFailed):
    """A part that failed in use, told by its name alone."""


@dataclass(frozen=True)
class Access:
    """Access of a server's clients to its components.

    An unknown name, the name of somebody else and a broken one are refused with one message.

    Attributes:
        config: everything that may be named.
        identity: returns who asks.
    """

    config: ServerConfig
    identity: Callable[[], str] = identity_of_run

    def components(self, request: AnswerRequest | None) -> Components:
        """Make the components of the answer graph."""
        asked = self._within(request or AnswerRequest())
        if asked.engine and asked.library:
            raise BadInput("An answer is looked up in one place; give a library or an engine, not both.")
        with self.chosen_model(asked.model) as model:
            found = self._searching(asked, model=model, **_shared(asked, QuestionOptions))
        return replace(found, updater=self._updater(asked)) if asked.store else found

    def reader(self, request: SelfMragRequest | None) -> SelfMrag:
        """Make the reader of the Self-MRAG graph."""
        asked = self._within(request or SelfMragRequest())
        with self.chosen_model(asked.model) as model:
            return reader_of(SelfMragOptions(model=model, **_shared(asked, ReadingOptions)))

    def generator(self, request: GenerateRequest | None) -> GeneratorFor:
        """Make the maker of generators for the generate graph."""
        asked = self._within(request or GenerateRequest())
        length = min(asked.length, self.config.limits.max_new_tokens)
        given = {**_shared(asked, WritingOptions), "max_new_tokens": length}
        self.model(asked.model)  # a wrong name is refused before the run does anything

        def make(question: str) -> RetrievingGenerator:
            with self._model(asked.model) as model, self._library(asked.library) as (name, library):
                made = generator_for(GenerateOptions(model=model, docs=library.docs, **given), question=question)
            return made.with_retriever(_NamedLibrary.of(made.search, name, library))

        return make

    def updater(self, request: UpdateFactsRequest | None) -> Updater:
        """Make the updater of a store, under its policy and the client's."""
        return self._updater(request or UpdateFactsRequest())

    def model(self, name: str) -> str | BaseChatModel:
        """Return the model of a name: a chat model, or a folder."""
        with self._model(name) as model:
            return model

    def chosen_model(self, name: str) -> AbstractContextManager[str | BaseChatModel]:
        """Lend the model of a name; without a name, none.

        An error does not tell where the model lies.
        """
        return self._model(name) if name else nullcontext("")

    def guard(self, request: StoreChoice | None) -> AbstractContextManager[None]:
        """Tell of a store that fails by its name alone."""
        return told_by_name("store", self.meant_store(request.store if request else ""))

    def meant_store(self, name: str) -> str:
        """Name the store that is given, or the only one."""
        own = self.names("store")
        return name or (own[0] if len(own) == 1 else "")

    def names(self, kind: PartKind) -> tuple[str, ...]:
        """List the names that the one who asks may give."""
        return tuple(self._mine(self._parts()[kind]))

    def admission(self, inputs: type) -> Callable[[Mapping[str, Any]], None]:
        """Return a check of a graph's input against the limits."""
        limits = self.config.limits

        def admit(state: Mapping[str, Any]) -> None:
            in_all = 0
            for name in inputs.__annotations__:
                value = state.get(name)
                items = value if isinstance(value, list) else [value]
                _at_most(limits.documents, len(items), f"items of {name}")
                most = limits.document_characters if isinstance(value, list) else limits.question_characters
                sizes = [characters(item) for item in items]
                _at_most(most, max(sizes, default=0), f"characters in {name}")
                if name == "messages" and sizes:
                    _at_most(limits.question_characters, sizes[-1], "characters in the last message")
                in_all += sum(sizes)
            _at_most(limits.characters, in_all, "characters in all")

        return admit

    def _searching(self, asked: AnswerRequest, **given: Any) -> Components:
        """Make components that search an engine or a library."""
        if asked.engine:
            self._named("engine", self.config.engines, asked.engine)
            return components_for(AnswerOptions(search="serpapi", **given))
        with self._library(asked.library) as (name, library):
            trust = library.trust_sources
            found = components_for(AnswerOptions(docs=library.docs, docs_name=name, trust_sources=trust, **given))
        return replace(found, search=_NamedLibrary.of(found.search, name, library))

    def _updater(self, asked: StoreChoice) -> Updater:
        chosen = self._named("store", self.config.stores, asked.store)
        identity = self.identity()
        own = chosen.policy.policy().model_copy(update={"approvers": self._approvers(chosen, identity)})
        with self._kept_back("store", asked.store):
            return updater_for(
                chosen.updater,
                model=_chat_model(self.config.models[chosen.model].name) if chosen.model else "",
                policy=own.tightened(asked.policy()),
                store=lambda: _opened(chosen.address_for(identity), chosen.slots),
            )

    def _approvers(self, store: StoreConfig, identity: str) -> tuple[str, ...] | None:
        """Return who approves, as far as this run must know.

        `None` is everyone.
        """
        if not store.approvers:
            return None
        return (identity,) if self.config.allows(store.approvers, identity) else ()

    @contextmanager
    def _library(self, given: str) -> Iterator[tuple[str, LibraryConfig]]:
        name, library = self._chosen("library", self.config.libraries, given)
        with self._kept_back("library", name, *library.kept_back):
            yield name, library

    @contextmanager
    def _model(self, name: str) -> Iterator[str | BaseChatModel]:
        chosen = self._named("model", self.config.models, name)
        with self._kept_back("model", name, chosen.name):
            yield _chat_model(chosen.name) if ":" in chosen.name else chosen.name

    def _named(self, kind: str, parts: Mapping[str, N], name: str) -> N:
        """Find a part by its name; without a name, the only one."""
        return self._chosen(kind, parts, name)[1]

    def _chosen(self, kind: str, parts: Mapping[str, N], name: str) -> tuple[str, N]:
        mine = self._mine(parts)
        if not name and len(mine) == 1:
            return next(iter(mine.items()))
        if name not in mine:
            raise _refusal(kind, name, [*mine])
        return name, mine[name]

    def _mine(self, parts: Mapping[str, N]) -> dict[str, N]:
        identity = self.identity()
        allowed = {name: part for name, part in parts.items() if self.config.allows(part.users, identity)}
        return {name: part for name, part in allowed.items() if _there(part, identity)}

    @contextmanager
    def _kept_back(self, kind: PartKind, name: str, *hidden: str) -> Iterator[None]:
        """Keep paths, addresses and model names out of an error; log them.

        An error without any of them is the client's own mistake; where none are named, no error is shown.
        """
        try:
            yield
        except Exception as cause:
            if hidden and not any(each in str(cause) for each in hidden):
                raise
            LOGGER.warning("The %s %r cannot be used: %s", kind, name, without_secrets(str(cause)))
            others = [other for other in self._mine(self._parts()[kind]) if name not in ("", other)]
            raise _refusal(kind, name, others) from None

    def _parts(self) -> dict[PartKind, Mapping[str, NamedPart]]:
        return {"library": self.config.libraries, "store": self.config.stores, "model": self.config.models}

    def _within(self, asked: O) -> O:
        """Refuse a number above its limit; a default is cut."""
        limits = dict(self.config.limits)
        above = {name: limits[name] for name, value in asked if name in limits and (value or 0) > limits[name]}
        for name in above.keys() & asked.model_fields_set:
            _at_most(above[name], getattr(asked, name), name)
        return asked.replaced(**above) if above else asked


@dataclass(frozen=True)
class _NamedLibrary(Search):
    """Search of a library that tells nobody where it lies."""

    own: Search
    name: str
    kept_back: tuple[str, ...]

    @classmethod
    def of(cls, own: Search, name: str, library: LibraryConfig) -> _NamedLibrary:
        """Return the search of a library under its name."""
        return cls(own, name, (*library.kept_back, str(index_folder())))

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Search the library."""
        with told_by_name("library", self.name, *self.kept_back):
            return self.own.search(query, as_of=as_of, k=k, window=window)

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """Search asynchronously."""
        with told_by_name("library", self.name, *self.kept_back):
            return await self.own.asearch(query, as_of=as_of, k=k, window=window)


@contextmanager
def told_by_name(kind: PartKind, name: str, *hidden: str) -> Iterator[None]:
    """Log an error that shows where a part lies; tell its name.

    Raises:
        PartFailed: in their place.
    """
    try:
        yield
    except PartFailed:
        raise
    except Exception as cause:
        if not isinstance(cause, StoreFailed) and not any(each in str(cause) for each in hidden):
            raise
        LOGGER.warning("The %s %r failed: %s", kind, name, without_secrets(str(cause)))
        raise PartFailed(f"The {kind}{f' {name!r}' if name else ''} cannot be used now.") from None


def characters(value: Any) -> int:
    """Count the characters of a value; no text counts one."""
    count, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, BaseMessage):
            waiting += [one.content, one.additional_kwargs]
        elif isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple):
            waiting += one
            count += len(one)
        else:
            count += len(one) if isinstance(one, str) else one is not None
    return count


def _refusal(kind: str, name: str, names: Sequence[str]) -> BadInput:
    if names and not name:
        return BadInput(f"Name a {kind}: {', '.join(names)}.")
    fix = f"choose among {', '.join(names)}" if names else "dateline.toml on the server names what there is"
    return BadInput(f"There is no {kind}{f' {name!r}' if name else ''} for you; {fix}.")


def _at_most(most: int, found: int, what: str) -> None:
    if found > most:
        raise BadInput(f"A run may have at most {most} {what} on this server, not {found}; send less.")


def _shared(asked: GraphOptions, kind: type[GraphOptions]) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in kind.model_fields}


def _there(part: NamedPart, identity: str) -> bool:
    """Check that a library's path exists and a private store's user."""
    if isinstance(part, LibraryConfig):
        return part.path is None or part.path.exists()
    return not (isinstance(part, StoreConfig) and part.per_user) or bool(identity)


@lru_cache(maxsize=OPEN_MODELS)
def _chat_model(name: str) -> BaseChatModel:
    return chat_model(name)


@made_once(size=OPEN_STORES)
def _opened(address: str, slots: Path | None) -> FactStore:
    # Two runs that come at once share one store, and with it the locks on its documents; other stores do not wait.
    own = None if slots is None else SlotPack.load(slots)
    return open_store(address, embeddings=default_embeddings(), slots=own)
