"""`CertaintyGate`: the answering loop around any chain."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

from langchain_core.callbacks import (
    BaseCallbackManager,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableConfig, patch_config
from langchain_core.runnables.config import get_executor_for_config
from pydantic import Field
from typing_extensions import TypedDict

from dateline import Cost, Evidence, Question, Reading, Step
from dateline.certainty.answer import NO_ANSWER, announced_in
from dateline.certainty.answering import AnswerLoop, RoundEvidence
from dateline.certainty.attempt import Attempt, ReadRun, standing
from dateline.certainty.gate import Gate
from dateline.certainty.second_reading import SecondReadingEstimator
from dateline.documents import DateFieldOption
from dateline.errors import BadInput
from dateline.flow import Flow, call, gather
from dateline.options import checked_arguments
from dateline.protocols import Estimator
from dateline.temporal.as_of import AsOfField, ClockField, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from dateline.temporal.run_day import day_in
from langchain_dateline.adaptive import AdaptiveRetriever
from langchain_dateline.adaptive_session import View, looking, unread
from langchain_dateline.cost_tracker import CostMeter
from langchain_dateline.evidence import evidence_from
from langchain_dateline.flows import FlowRunnable
from langchain_dateline.io_fields import answer_alone, question_in

EVENT = "dateline_gate"
"""The custom event of each step: `dateline.Step` as JSON."""


class GateOutput(TypedDict):
    """The answer that stands, and why."""

    answer: str
    """Its words; where it is not adopted, the gate's `abstention`, and behind it the guess, marked."""
    output: Any
    """What the chain gave for it, whole; `None` for an abstention."""
    documents: list[Document]
    """What the best answer was given to read."""
    dateline: dict[str, Any]
    """The whole `dateline.certainty.Answer` as JSON: certainty, decision, rounds, freshness, steps, cost."""


@checked_arguments
class CertaintyGate(FlowRunnable[Any, GateOutput]):
    """A gate that adopts a chain's answer, asks again, or abstains.

    The chain is any runnable whose input holds a question (text, messages, or a field question, input or query) and that
    answers in text, a message or a field answer, output or result. With `per_document`, each document of a round is given to a
    run of its own, side by side, and the most reliable answer is taken, as published; else all go to one run. The input's
    `as_of` counts first, and whatever the chain runs follows it. An answer that the gate does not adopt leads to another round
    over other documents, ranked by GrowOVER's eq. 3; a single run then gets the earlier documents, too.

    Raises:
        BadInput: while running, for input without a question and for a chain that never retrieved.

    Example:
        >>> from langchain_core.documents import Document
        >>> from langchain_core.runnables import RunnableLambda
        >>> from langchain_core.vectorstores import InMemoryVectorStore
        >>> from dateline.testing import ReadingEstimator
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = InMemoryVectorStore(LexicalEmbeddings())
        >>> ids = store.add_documents([Document("Ben Hall became director of Acme in 2021.")])
        >>> retriever = AdaptiveRetriever(retriever=store, embeddings=LexicalEmbeddings())
        >>> chain = retriever | RunnableLambda(lambda documents: {"answer": "Ben Hall", "probability": 0.9})
        >>> gate = CertaintyGate(chain=chain, retriever=retriever, estimator=ReadingEstimator())
        >>> output = gate.invoke("Who is the director of Acme?")
        >>> output["answer"].partition(". Why")[0], output["dateline"]["decision"]["outcome"]
        ('No answer in these documents is certain. Not sure: Ben Hall', 'keep')
    """

    chain: Runnable[Any, Any] = Field(description="From a question to an answer; it must retrieve with `retriever`.")
    retriever: AdaptiveRetriever = Field(description="The one that the chain uses.")
    estimator: Estimator = Field(
        default_factory=SecondReadingEstimator, exclude=True, description="Says how far an answer can be trusted."
    )
    gate: Gate = Field(default_factory=Gate, description="When to adopt or abstain; rounds and budgets.")
    per_document: bool = Field(
        default=False,
        description="Read each document alone (GrowOVER, section 4.1). Off: read together, more answers are right.",
    )
    abstention: str = Field(
        default=NO_ANSWER, description="What is said where no answer is adopted; a guess stands behind it, marked."
    )
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the retriever's, else when called.")
    date_field: DateFieldOption = ()
    clock: ClockField = now

    def _flow(self, given: Any, config: RunnableConfig, **kwargs: Any) -> Flow[GateOutput]:
        text = question_in(given)
        if not text:
            raise BadInput("The input holds no question; give text, messages, or a field question, input or query.")
        moment = asking_moment(day_in(given), self.as_of, self.retriever.as_of, clock=self.clock)
        question = decompose(text, as_of=moment)
        rounds = _ChainRounds(self, question, given, config, kwargs)
        loop = AnswerLoop(rounds, self.estimator, self.gate, self.per_document, on_step=rounds.announce)
        answer, best = yield from loop.answer(question, source=rounds)
        withheld = answer.decision.outcome == "abstain"
        made: _Made = best.output or _Made(None, [])
        return GateOutput(
            answer=answer.spoken(nothing=self.abstention),
            output=None if withheld else made.output,
            documents=made.documents,
            dateline=answer.model_dump(mode="json"),
        )


class _Made(NamedTuple):
    """The output of a chain, and the documents it was served."""

    output: Any
    documents: list[Document]


class _ChainRounds:
    """Retrieves for one question and runs the chain, round by round."""

    def __init__(
        self, owner: CertaintyGate, question: Question, given: Any, config: RunnableConfig, kwargs: dict[str, Any]
    ) -> None:
        self._owner, self._given, self._config, self._kwargs = owner, given, config, kwargs
        self._session = owner.retriever.session(as_of=question.as_of)
        self._read: list[Document] = []

    def select(self, question: Question, *, attempts: Sequence[Attempt]) -> Flow[RoundEvidence]:
        """Have the retriever choose documents that no round has read."""
        if attempts:
            best = standing(attempts)
            self._session.next_round(self._read, answer=best.reading.answer, reliable=best.certainty.reliable)
            self._read = []
        view, meter = self._view(None), CostMeter()
        found = yield from call(self._retrieve, question.text, view, self._metered(meter))
        return RoundEvidence(
            self._evidence(unread(found, self._session.read)), meter.cost + Cost(searches=view.searches)
        )

    def read_round(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[list[ReadRun]]:
        """Run the chain once for each document, or once for all."""
        places = range(len(evidence)) if self._owner.per_document and evidence else (None,)
        views = [self._view(place) for place in places]
        meters = [CostMeter() for _ in views]
        outputs = yield from call(self._invoke_each, views, [self._metered(meter) for meter in meters])
        if not any(view.served for view in views) and any(self._session.candidates.values()):
            raise BadInput("The chain never asked the gate's retriever; build the chain with that very retriever.")
        self._read += [document for view in views for document in view.served]
        return [self._read_run(view, meter, output) for view, meter, output in zip(views, meters, outputs, strict=True)]

    def _evidence(self, documents: Sequence[Document]) -> list[Evidence]:
        return evidence_from(documents, date_field=self._owner.date_field)

    def _read_run(self, view: View, meter: CostMeter, output: Any) -> ReadRun:
        evidence, answer = tuple(self._evidence(view.served)), answer_alone(output)
        reading = Reading(
            answer=answer,
            evidence_ids=tuple(piece.id for piece in evidence) if answer else (),
            announced=announced_in(output),
        )
        cost = meter.cost + Cost(searches=view.searches)
        return ReadRun(evidence, reading, cost, output=_Made(output, list(view.served)))

    def announce(self, step: Step) -> None:
        """Dispatch a step as a custom event."""
        dispatch_custom_event(EVENT, step.model_dump(mode="json"), config=self._config)

    async def aannounce(self, step: Step) -> None:
        """Dispatch a step as a custom event, without blocking."""
        await adispatch_custom_event(EVENT, step.model_dump(mode="json"), config=self._config)

    def _retrieve(self, query: str, view: View, config: RunnableConfig) -> list[Document]:
        with looking(view):
            return self._owner.retriever.invoke(query, config)

    async def _aretrieve(self, query: str, view: View, config: RunnableConfig) -> list[Document]:
        with looking(view):
            return await self._owner.retriever.ainvoke(query, config)

    def _invoke_each(self, views: Sequence[View], configs: Sequence[RunnableConfig]) -> list[Any]:
        with get_executor_for_config(self._config) as executor:
            return list(executor.map(self._invoke, views, configs))

    async def _ainvoke_each(self, views: Sequence[View], configs: Sequence[RunnableConfig]) -> list[Any]:
        free = asyncio.Semaphore(self._config.get("max_concurrency") or len(views))

        async def in_turn(view: View, config: RunnableConfig) -> Any:
            async with free:
                return await self._ainvoke(view, config)

        return await gather(map(in_turn, views, configs))

    def _invoke(self, view: View, config: RunnableConfig) -> Any:
        with looking(view):
            return self._owner.chain.invoke(self._given, config, **self._kwargs)

    async def _ainvoke(self, view: View, config: RunnableConfig) -> Any:
        with looking(view):
            return await self._owner.chain.ainvoke(self._given, config, **self._kwargs)

    def _view(self, place: int | None) -> View:
        return View(self._owner.retriever, self._session, place)

    def _metered(self, meter: CostMeter) -> RunnableConfig:
        """Return the config with a meter among its callbacks."""
        callbacks = self._config.get("callbacks")
        if isinstance(callbacks, BaseCallbackManager):
            callbacks = callbacks.copy()
            callbacks.add_handler(meter)
            return patch_config(self._config, callbacks=callbacks)
        return patch_config(self._config, callbacks=[*(callbacks or []), meter])  # type: ignore[arg-type]
