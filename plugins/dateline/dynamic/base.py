"""The common interface of all generators with dynamic retrieval."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol, Self

from dateline.dynamic.options import GenerationOptions
from dateline.dynamic.stream import AsyncGenerationStream, GenerationStream
from dateline.dynamic.values import EndEvent, Generation
from dateline.errors import BadInput
from dateline.protocols import Search
from dateline.search.retriever import RetrieverSearch
from dateline.temporal.as_of import AsOf, Clock, is_given, now, read_moment
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose


class StopSignal(Protocol):
    """A flag that interrupts a generation, such as `threading.Event`."""

    def is_set(self) -> bool:
        """Return whether to stop."""
        ...


class RetrievingGenerator(ABC):
    """A language model paired with a retriever that it can query mid-answer.

    Attributes:
        search: the retriever.
        options: trigger, query and the other settings.
        clock: tells what "now" means.
    """

    search: Search
    options: GenerationOptions
    clock: Clock = staticmethod(now)

    @abstractmethod
    def stream(
        self, question: str | Question, *, as_of: AsOf = None, stop: StopSignal | None = None
    ) -> GenerationStream:
        """Stream the generation's events, with the arguments of `generate`."""

    @abstractmethod
    def astream(
        self, question: str | Question, *, as_of: AsOf = None, stop: StopSignal | None = None
    ) -> AsyncGenerationStream:
        """Stream asynchronously."""

    def generate(self, question: str | Question, *, as_of: AsOf = None, stop: StopSignal | None = None) -> Generation:
        """Answer a question.

        Args:
            question: a text, or one decomposed already.
            as_of: the asking moment; what was published later is not found. `None`, unlike elsewhere, is not now: no
                date is known, and everything the retriever holds may be found.
            stop: checked before every token; once it is set, the generation ends with what there is.

        Raises:
            BadInput: for an empty question, or an `as_of` that cannot be read or is later than now. A failing retriever
                raises nothing: the generation goes on without it and says so.
        """
        events = self.stream(question, as_of=as_of, stop=stop)
        return next(event.generation for event in events if isinstance(event, EndEvent))

    async def agenerate(
        self, question: str | Question, *, as_of: AsOf = None, stop: StopSignal | None = None
    ) -> Generation:
        """Generate asynchronously."""
        async with self.astream(question, as_of=as_of, stop=stop) as events:
            async for event in events:
                if isinstance(event, EndEvent):
                    return event.generation
        return events.generation

    def generate_many(
        self,
        questions: Iterable[str | Question],
        *,
        as_of: AsOf = None,
        stop: StopSignal | None = None,
    ) -> list[Generation]:
        """Answer several questions one after the other.

        Questions left when `stop` is set get an empty, "interrupted" generation.
        """
        return [self.generate(question, as_of=as_of, stop=stop) for question in questions]

    def with_options(self, **changes: Any) -> Self:
        """Copy this generator with other options, sharing the model.

        Args:
            **changes: constructor arguments by name.

        Raises:
            BadInput: for an unknown option.
        """
        unknown = sorted(set(changes) - set(GenerationOptions.__dataclass_fields__))
        if unknown:
            known = ", ".join(sorted(GenerationOptions.__dataclass_fields__))
            raise BadInput(f"Unknown option {unknown[0]!r}; choose among {known}.")
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.options = replace(self.options, **changes)
        other._check()
        return other

    def with_retriever(self, retriever: Any) -> Self:
        """Copy this generator with another retriever, sharing the model.

        Args:
            retriever: a `Search`, or a LangChain or LlamaIndex retriever.
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.search = search_of(retriever)
        return other

    def _check(self) -> None:
        """Refuse options that the model cannot serve."""
        return None


def search_of(retriever: Any) -> Search:
    """Wrap any retriever as a `Search`.

    Raises:
        BadInput: for an object that is no retriever.
    """
    return retriever if isinstance(retriever, Search) else RetrieverSearch(retriever)


def never() -> bool:
    """Stop check used when the caller passes no stop signal."""
    return False


def parsed_question(question: str | Question, as_of: AsOf, *, clock: Clock) -> Question | None:
    """Decompose a question when an asking date is known.

    Raises:
        BadInput: for an empty question.
    """
    moment = read_moment(as_of, clock=clock) if is_given(as_of) else None
    if isinstance(question, Question):
        return question if moment is None else replace(question, as_of=moment)
    if not question.strip():
        raise BadInput("A question needs at least one visible character, but this one is empty.")
    return None if moment is None else decompose(question, as_of=moment)
