"""Certainty from the scorers of uqlm (Bouchard and Chauhan, 2025)."""

from __future__ import annotations

import asyncio
import inspect
import math
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Protocol

from langchain_core.language_models import BaseChatModel

from dateline.certainty.gate import NOTHING
from dateline.certainty.samples import as_reader, checked_samples, sampled
from dateline.errors import BadInput
from dateline.flow import Flow, call, twins
from dateline.protocols import Reader
from dateline.records import Certainty, Evidence, Reading
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question

_GIVEN = ("prompts", "responses", "sampled_responses")


class UqlmResult(Protocol):
    """Result of a scorer: columns by name, a row a prompt."""

    data: Mapping[str, Sequence[Any]]


class UqlmScorer(Protocol):
    """A scorer of uqlm: `BlackBoxUQ`, `SemanticEntropy`, `LLMPanel`, `UQEnsemble`."""

    @property
    def score(self) -> Any:
        """Score responses, blocking or async, by the names of its parameters."""
        ...


class UqlmEstimator:
    """Estimates certainty by a scorer of uqlm, which scores the given answer.

    Where the scorer compares it with samples, `model` gives them: read from the evidence, each at the cost of one reading.
    reliable = the score; the rest is misleading and uncertain as the samples name an answer or none. What cannot be scored is
    uncertain. uqlm's scores are confidences, no probabilities: put `Calibrated` behind it.

    Args:
        scorer: of uqlm; this class needs none of that package itself.
        column: the score's name in its result, such as "semantic_negentropy", "ensemble_scores" or "avg".
        model: a chat model, or any reader, for scorers that compare with samples.

    Raises:
        BadInput: when the scorer needs samples and there is no model, or log-probabilities; when the column is missing.

    Example:
        >>> from types import SimpleNamespace
        >>> class Half:  # stands for uqlm.BlackBoxUQ(scorers=["exact_match"])
        ...     def score(self, responses, sampled_responses):
        ...         return SimpleNamespace(data={"exact_match": [0.5 for _ in responses]})
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> estimator = UqlmEstimator(Half(), column="exact_match", model=ExtractiveReader())
        >>> question = decompose("Who chairs it?", as_of=now())
        >>> estimator.estimate(question, evidence=[], reading=Reading(answer="Bo Lind")).reliable
        0.5
    """

    def __init__(
        self, scorer: UqlmScorer, *, column: str, model: BaseChatModel | Reader | None = None, samples: int = 5
    ) -> None:
        parameters = inspect.signature(scorer.score).parameters
        self._named = [name for name in _GIVEN if name in parameters]
        missing = sorted(
            name
            for name, one in parameters.items()
            if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and name not in _GIVEN
        )
        if "responses" not in self._named or missing:
            raise BadInput(
                f"{type(scorer).__name__} scores no given answer ({', '.join(missing) or 'no responses'}); "
                "use BlackBoxUQ, SemanticEntropy, LLMPanel or UQEnsemble."
            )
        if "sampled_responses" in self._named and model is None:
            raise BadInput(f"{type(scorer).__name__} compares samples; pass model=, a chat model or a reader.")
        self.scorer, self.column, self.samples = scorer, column, checked_samples(samples)
        self.reader = None if model is None else as_reader(model)
        self._quiet = {"show_progress_bars": False} if "show_progress_bars" in parameters else {}

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the score as p(reliable)."""
        if not reading.answer.strip():
            return NOTHING
        others: list[str] = []
        if self.reader is not None and "sampled_responses" in self._named:
            others = yield from sampled(self.reader, question=question, evidence=evidence, samples=self.samples)
        given = {"prompts": [question.text], "responses": [reading.answer], "sampled_responses": [others]}
        result = yield from call(self._score, {name: given[name] for name in self._named})
        none = sum(not answer.strip() for answer in others) / len(others) if others else 0.0
        return self._certainty(result, none)

    estimate, aestimate = twins(_estimate)

    def _score(self, given: dict[str, Any]) -> UqlmResult:
        found = self.scorer.score(**given, **self._quiet)
        result: UqlmResult = asyncio.run(_awaited(found)) if inspect.isawaitable(found) else found
        return result

    async def _ascore(self, given: dict[str, Any]) -> UqlmResult:
        if inspect.iscoroutinefunction(self.scorer.score):
            found: UqlmResult = await self.scorer.score(**given, **self._quiet)
            return found
        return await in_thread(self._score, given)

    def _certainty(self, result: UqlmResult, none: float) -> Certainty:
        if self.column not in result.data:
            known = ", ".join(sorted(map(str, result.data)))
            raise BadInput(f"uqlm's result has no column {self.column!r}; it has {known}.")
        score = result.data[self.column][0]
        if score is None or math.isnan(float(score)):
            return NOTHING
        reliable = min(1.0, max(0.0, float(score)))
        uncertain = (1 - reliable) * none
        return Certainty(reliable=reliable, misleading=max(0.0, 1 - reliable - uncertain), uncertain=uncertain)


async def _awaited(found: Awaitable[UqlmResult]) -> UqlmResult:
    return await found
