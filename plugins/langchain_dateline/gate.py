"""`CertaintyGate`: any chain from a question to an answer, with GrowOVER's gate and adaptive re-retrieval around it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForChainRun,
    BaseCallbackManager,
    CallbackManagerForChainRun,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable, patch_config
from langchain_core.runnables.config import get_executor_for_config
from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from dateline import Certainty, Cost, Question, Reading
from dateline.certainty.batch_estimator import aestimate_each, estimate_each
from dateline.certainty.gate import Gate, Outcome, keep_better
from dateline.certainty.margin import NOTHING
from dateline.certainty.rerank import most_reliable
from dateline.certainty.second_reading import SecondReadingEstimator
from dateline.errors import BadInput
from dateline.protocols import Estimator
from dateline.temporal.as_of import AsOfField, now, read_moment
from dateline.temporal.decomposition import decompose
from langchain_dateline.adaptive import AdaptiveRetriever
from langchain_dateline.adaptive_session import View, looking
from langchain_dateline.evidence import evidence_from
from langchain_dateline.meter import CostMeter
from langchain_dateline.said import answer_in, question_in

EVENT = "dateline_gate"
"""The custom event of each decision, with what `GateOutput.steps` holds."""


class GateOutput(TypedDict):
    """The answer that stands, and why."""

    answer: str
    """Its words; the gate's `abstention` where none is to be trusted."""
    output: Any
    """What the chain gave for it, whole; `None` for an abstention."""
    certainty: dict[str, float]
    """p(reliable), p(misleading), p(uncertain) of the best answer, adopted or not."""
    label: str
    outcome: Outcome
    rounds: int
    """Further retrievals."""
    documents: list[Document]
    """What the best answer was given to read."""
    steps: list[dict[str, Any]]
    """The decisions, in order: outcome, reason, answer, certainty, documents read."""
    cost: dict[str, Any]


class CertaintyGate(RunnableSerializable[Any, GateOutput]):
    """Runs a chain that retrieves with `retriever`; adopts its answer, has it answer again, or abstains.

    The chain is any runnable whose input holds a question (text, messages, or a field question, input or query) and
    that answers in text, a message or a field answer, output or result. Each document of a round is given to a run of
    its own, side by side, and the most reliable answer is taken (`separately`, as published), or all to one. An answer
    that the gate does not adopt leads to another round over other documents, ranked by eq. 3.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    chain: Runnable[Any, Any] = Field(description="From a question to an answer; it must retrieve with `retriever`.")
    retriever: AdaptiveRetriever = Field(description="The one that the chain uses.")
    estimator: Estimator = Field(
        default_factory=SecondReadingEstimator, exclude=True, description="Says how far an answer can be trusted."
    )
    gate: Gate = Field(default_factory=Gate, description="When to adopt or abstain; rounds and budgets.")
    separately: bool = Field(default=True, description="Whether each document is read alone (GrowOVER, section 4.1).")
    abstention: str = Field(default="", description="What is said instead of an answer that is not to be trusted.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    clock: Callable[[], datetime] = Field(default=now, exclude=True, description="What 'when called' means.")

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> GateOutput:
        """Answer one question. Raises `BadInput` for input without one and for a chain that never retrieved."""
        return self._call_with_config(self._answer, input, config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> GateOutput:
        """The same, without blocking."""
        return await self._acall_with_config(self._aanswer, input, config, **kwargs)

    def _answer(
        self, given: Any, run_manager: CallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> GateOutput:
        run = _Run(self, given)
        config = run.metered(config)
        while run.open:
            with looking(run.whole()):
                found = self.retriever.invoke(run.question.text, config)
            if not (views := run.views(found)):
                break

            def one(view: View) -> Any:
                with looking(view):
                    return self.chain.invoke(given, config, **kwargs)

            with get_executor_for_config(config) as executor:
                outputs = list(executor.map(one, views))
            readings = [Reading(answer=answer_in(output)) for output in outputs]
            every = run.with_earlier(views, readings)
            run.take(views, outputs, readings, self._estimate(run.question, *every, new=len(views)))
            dispatch_custom_event(EVENT, run.steps[-1], config=config)
        return run.output()

    async def _aanswer(
        self, given: Any, run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> GateOutput:
        run = _Run(self, given)
        config = run.metered(config)
        while run.open:
            with looking(run.whole()):
                found = await self.retriever.ainvoke(run.question.text, config)
            if not (views := run.views(found)):
                break

            async def one(view: View) -> Any:
                with looking(view):
                    return await self.chain.ainvoke(given, config, **kwargs)

            outputs = await asyncio.gather(*(one(view) for view in views))
            readings = [Reading(answer=answer_in(output)) for output in outputs]
            every = run.with_earlier(views, readings)
            run.take(views, outputs, readings, await self._aestimate(run.question, *every, new=len(views)))
            await adispatch_custom_event(EVENT, run.steps[-1], config=config)
        return run.output()

    def _estimate(
        self, question: Question, views: Sequence[View], readings: Sequence[Reading], *, new: int
    ) -> list[Certainty]:
        """The certainty of the last `new` readings; those before stand beside them."""
        evidence = [evidence_from(view.served) for view in views]
        if all(len(pieces) == 1 for pieces in evidence):
            alone, known = [pieces[0] for pieces in evidence], len(views) - new
            return estimate_each(self.estimator, question, evidence=alone, readings=readings, known=known)
        pairs = list(zip(evidence, readings, strict=True))[-new:]
        return [self.estimator.estimate(question, evidence=pieces, reading=reading) for pieces, reading in pairs]

    async def _aestimate(
        self, question: Question, views: Sequence[View], readings: Sequence[Reading], *, new: int
    ) -> list[Certainty]:
        evidence = [evidence_from(view.served) for view in views]
        if all(len(pieces) == 1 for pieces in evidence):
            alone, known = [pieces[0] for pieces in evidence], len(views) - new
            return await aestimate_each(self.estimator, question, evidence=alone, readings=readings, known=known)
        pairs = list(zip(evidence, readings, strict=True))[-new:]
        estimates = (self.estimator.aestimate(question, evidence=pieces, reading=one) for pieces, one in pairs)
        return list(await asyncio.gather(*estimates))


class _Run:
    """Where one question stands."""

    def __init__(self, owner: CertaintyGate, given: Any) -> None:
        text = question_in(given)
        if not text:
            raise BadInput("The input holds no question; give text, messages, or a field question, input or query.")
        self.owner = owner
        self.question = decompose(text, as_of=read_moment(owner.as_of, clock=owner.clock))
        self.session = owner.retriever.session()
        self.meter = CostMeter()
        self.open = True
        self.steps: list[dict[str, Any]] = []
        self._started, self._spent = time.monotonic(), Cost()
        self._best: tuple[Any, str, Certainty, list[Document]] = (None, "", NOTHING, [])
        self._outcome: Outcome = "abstain"
        self._views: list[View] = []
        self._readings: list[Reading] = []

    def metered(self, config: RunnableConfig) -> RunnableConfig:
        """The config with a meter among its callbacks."""
        callbacks = config.get("callbacks")
        if isinstance(callbacks, BaseCallbackManager):
            callbacks = callbacks.copy()
            callbacks.add_handler(self.meter)
            return patch_config(config, callbacks=callbacks)
        return patch_config(config, callbacks=[*(callbacks or []), self.meter])  # type: ignore[arg-type]

    def whole(self) -> View:
        """All documents of this round."""
        return View(self.owner.retriever, self.session, None)

    def views(self, found: Sequence[Document]) -> list[View]:
        """The runs of this round; none when a further round has nothing left to read."""
        if not found and self.steps:
            self.open = False
            below = self._best[2].reliable < self.owner.gate.abstain_below
            self._outcome = "abstain" if below else "adopt"
            return []
        if not (self.owner.separately and found):
            return [self.whole()]
        return [View(self.owner.retriever, self.session, place) for place in range(len(found))]

    def with_earlier(self, views: Sequence[View], readings: Sequence[Reading]) -> tuple[list[View], list[Reading]]:
        """All runs so far, this round's last."""
        self._views += views
        self._readings += readings
        return self._views, self._readings

    def take(
        self, views: Sequence[View], outputs: Sequence[Any], readings: Sequence[Reading], found: Sequence[Certainty]
    ) -> None:
        """Keep the better answer, and ask the gate."""
        if not any(view.served for view in views) and any(self.session.candidates.values()):
            raise BadInput("The chain never asked the gate's retriever; build the chain with that very retriever.")
        chosen = most_reliable(found)
        if not self.steps or keep_better(self._best[2], found[chosen]):
            self._best = (outputs[chosen], readings[chosen].answer, found[chosen], views[chosen].served)
        _, text, certainty, _ = self._best
        counted = Cost(searches=self.session.searches, seconds=time.monotonic() - self._started)
        spent = self.meter.cost + counted
        decision = self.owner.gate.decide(
            certainty, round=len(self.steps), spent=spent, expected=_difference(spent, self._spent)
        )
        self._spent, self._outcome = spent, decision.outcome
        read = [document for view in views for document in view.served]
        self.steps.append(
            {
                "outcome": decision.outcome,
                "reason": decision.reason,
                "answer": text,
                "certainty": certainty.model_dump(),
                "read": len(read),
            }
        )
        self.open = decision.outcome == "retrieve"
        if self.open:
            self.session.next_round(read, answer=text, reliable=certainty.reliable)

    def output(self) -> GateOutput:
        """What comes out."""
        output, text, certainty, documents = self._best
        withheld = self._outcome == "abstain"
        return GateOutput(
            answer=self.owner.abstention if withheld else text,
            output=None if withheld else output,
            certainty=certainty.model_dump(),
            label=certainty.label,
            outcome=self._outcome,
            rounds=max(0, len(self.steps) - 1),
            documents=list(documents),
            steps=self.steps,
            cost=self._spent.model_dump(mode="json"),
        )


def _difference(now: Cost, before: Cost) -> Cost:
    """What the last round cost; a further one searches again only for a query that is not known yet."""
    return Cost(
        model_calls=now.model_calls - before.model_calls,
        input_tokens=now.input_tokens - before.input_tokens,
        output_tokens=now.output_tokens - before.output_tokens,
        seconds=max(0.0, now.seconds - before.seconds),
    )
