"""The common interface of all generators with dynamic retrieval."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import fields, replace
from typing import Any, Protocol, Self

from dateline.dynamic.generation_loop import GenerationLoop
from dateline.dynamic.options import GenerationOptions
from dateline.dynamic.stream import AsyncGenerationStream, GenerationStream
from dateline.dynamic.values import EndEvent, Generation
from dateline.errors import BadInput
from dateline.protocols import Search
from dateline.search.retriever import RetrieverSearch
from dateline.temporal.as_of import AsOf, Clock, is_given, now
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import asked_question, question_text


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

    def stream(
        self, question: str | Question, *, as_of: AsOf = None, stop: StopSignal | None = None
    ) -> GenerationStream:
        """Stream the generation's events, with the arguments of `generate`.

        Raises:
            ModelFailed: where a model behind an API fails before its first token.
        """
        return GenerationStream(self._run(question, as_of, stop))

    def astream(
        self, question: str | Question, *, as_of: AsOf = None, stop: StopSignal | None = None
    ) -> AsyncGenerationStream:
        """Stream asynchronously."""
        return AsyncGenerationStream(self._run(question, as_of, stop))

    def generate(self, question: str | Question, *, as_of: AsOf = None, stop: StopSignal | None = None) -> Generation:
        """Answer a question.

        Args:
            question: a text, or one decomposed already.
            as_of: the asking moment, by default that of a decomposed question; what was published later is not found.
                `None`, unlike elsewhere, is not now: no date is known, and everything the retriever holds may be found.
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
            **changes: constructor arguments by name, but for the model and the retriever.

        Raises:
            BadInput: for an unknown option, or a value that makes no sense.
        """
        known = {each.name for each in fields(self.options)}
        if unknown := sorted(set(changes) - known):
            raise BadInput(f"Unknown option {unknown[0]!r}; choose among {', '.join(sorted(known))}.")
        other = copy(self)
        other.options = replace(self.options, **changes)
        other._check()
        return other

    def with_retriever(self, retriever: Any) -> Self:
        """Copy this generator with another retriever, sharing the model.

        Args:
            retriever: a `Search`, or a LangChain or LlamaIndex retriever.
        """
        other = copy(self)
        other.search = search_of(retriever)
        return other

    @abstractmethod
    def _loop(self, text: str, *, question: Question | None, interrupted: Callable[[], bool]) -> GenerationLoop:
        """Return a new generation."""

    def _check(self) -> None:
        """Refuse options that the model cannot serve."""
        return None

    def _run(self, question: str | Question, as_of: AsOf, stop: StopSignal | None) -> GenerationLoop:
        text = question if isinstance(question, str) else question.text
        dated = is_given(as_of) or isinstance(question, Question)
        if not dated:
            question_text(text)  # refuses an empty one
        parsed = asked_question(question, as_of=as_of, clock=self.clock) if dated else None
        self.options.trigger.check(parsed)
        return self._loop(text, question=parsed, interrupted=stop.is_set if stop is not None else lambda: False)


def search_of(retriever: Any) -> Search:
    """Wrap any retriever as a `Search`.

    Raises:
        BadInput: for an object that is no retriever.
    """
    return retriever if isinstance(retriever, Search) else RetrieverSearch(retriever)
