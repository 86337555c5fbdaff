"""A reader that asks a chat model with a FreshPrompt (FreshLLMs, section 4)."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage

from asof.errors import BadInput, ModelFailed
from asof.evidence import Conflict, FreshPrompt, find_conflicts
from asof.evidence.secrets import without_secrets
from asof.protocols import Reader, ReadResult
from asof.reading.reply import Reply, parse_reply
from asof.records import Candidate, Cost, Evidence, Reading
from asof.temporal.constraint import Question
from asof.text import TokenCounter, default_token_counter

UNINFORMED = 0.5
"""The probability of an answer whose model reports none."""

_AGAIN = (
    "That reply could not be read. Reply again in exactly the stated form, with one line each that starts with "
    "reasoning:, answer: and evidence:."
)


class ChatReader:
    """Implements the `Reader` protocol over any chat model of LangChain.

    A reply that cannot be read is asked for again, a bounded number of times; then the answer is empty and
    `reasoning` says why.
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        prompt: FreshPrompt | None = None,
        tries: int = 2,
        scout: Reader | None = None,
        count: TokenCounter | None = None,
    ) -> None:
        """Take a model.

        Args:
            prompt: how questions are put; by default `FreshPrompt()`.
            tries: how often one question is put at most.
            scout: a quick local reader, whose different answers from evidence of different dates are shown to the
                model as a conflict, in order of time; by default nobody looks for one.
            count: counts tokens where the model reports no usage.

        Raises:
            BadInput: when `tries` is below 1, or `model` is no chat model.
        """
        if tries < 1:
            raise BadInput(f"tries must be at least 1, not {tries}.")
        if not callable(getattr(model, "invoke", None)):
            raise BadInput(
                f"{type(model).__name__} is no chat model; pass for example init_chat_model('openai:gpt-4o')."
            )
        self.model = model
        self.prompt = FreshPrompt() if prompt is None else prompt
        self.tries = tries
        self.scout = scout
        self._count = count

    def read(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        choices: Sequence[str] = (),
        conflicts: Sequence[Conflict] = (),
    ) -> ReadResult:
        """Ask the model; `evidence` comes best first.

        Raises:
            ModelFailed: when the model itself fails.
        """
        turn = _Turn(self, question, evidence, choices, conflicts)
        while turn.goes_on:
            failed: ModelFailed | None = None
            try:
                turn.take(self.model.invoke(turn.messages))
            except Exception as error:
                failed = failure(error)
            if failed is not None:
                # Raised outside the handler: the original, which may quote a key, does not travel along.
                raise failed
        return turn.result()

    async def aread(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        choices: Sequence[str] = (),
        conflicts: Sequence[Conflict] = (),
    ) -> ReadResult:
        """The same, without blocking."""
        # Counting tokens and scouting take milliseconds of work that an event loop should not wait for.
        turn = await asyncio.to_thread(_Turn, self, question, evidence, choices, conflicts)
        while turn.goes_on:
            failed: ModelFailed | None = None
            try:
                turn.take(await self.model.ainvoke(turn.messages))
            except Exception as error:
                failed = failure(error)
            if failed is not None:
                raise failed
        return turn.result()

    def counter(self) -> TokenCounter:
        """What counts tokens where the model reports no usage."""
        return self._count or self.prompt.count or default_token_counter().count


class _Turn:
    """One question on its way through the model: what to send next, what came back, what it cost."""

    def __init__(
        self,
        reader: ChatReader,
        question: Question,
        evidence: Sequence[Evidence],
        choices: Sequence[str],
        conflicts: Sequence[Conflict],
    ) -> None:
        self._reader = reader
        self._choices = tuple(choices)
        self._started = time.perf_counter()
        if reader.scout is not None and not conflicts:
            conflicts = find_conflicts(question, evidence=evidence, reader=reader.scout)
        self.prompt = reader.prompt.build(question, evidence=evidence, conflicts=conflicts, choices=choices)
        self.messages = self.prompt.messages()
        self._reply: Reply | None = None
        self._probability = UNINFORMED
        self._cost = Cost()
        self._tries = 0
        self._last = ""

    @property
    def goes_on(self) -> bool:
        return self._reply is None and self._tries < self._reader.tries

    def take(self, message: BaseMessage) -> None:
        """Read one reply, and prepare the next request where it cannot be read."""
        self._tries += 1
        text = text_of(message)
        self._cost += self._cost_of(message, text)
        self._reply = parse_reply(text, choices=self._choices)
        self._probability = probability_of(message) or UNINFORMED
        self._last = text
        if self._reply is None:
            self.messages = [*self.prompt.messages(), HumanMessage(_AGAIN)]

    def result(self) -> ReadResult:
        cost = self._cost + Cost(seconds=time.perf_counter() - self._started)
        if self._reply is None:
            return ReadResult(
                Reading(answer="", no_answer=1.0, reasoning=unreadable(self._last, tries=self._tries)), cost
            )
        return ReadResult(reading_of(self._reply, evidence=self.prompt.evidence, probability=self._probability), cost)

    def _cost_of(self, message: BaseMessage, text: str) -> Cost:
        usage: Mapping[str, Any] = getattr(message, "usage_metadata", None) or {}
        given, taken = usage.get("input_tokens"), usage.get("output_tokens")
        if isinstance(given, int) and isinstance(taken, int):
            return Cost(model_calls=1, input_tokens=given, output_tokens=taken)
        return Cost(model_calls=1, input_tokens=self.prompt.tokens, output_tokens=self._reader.counter()(text))


def failure(error: Exception) -> ModelFailed:
    """A model's exception as one sentence without keys."""
    said = without_secrets(str(error))
    return ModelFailed(f"The chat model failed with {type(error).__name__}" + (f": {said}" if said else "."))


def text_of(message: BaseMessage) -> str:
    """The text of a message, whose content may be a string or a list of blocks; thinking is left out."""
    content = message.content
    if isinstance(content, str):
        return content
    parts = [block if isinstance(block, str) else str(block.get("text", "")) for block in content if block]
    return "".join(parts)


def reading_of(reply: Reply, *, evidence: Sequence[Evidence], probability: float) -> Reading:
    """A reply as a reading; the i-th of `evidence`, from 1, is what the reply calls `E<i>`."""
    numbers = [number for number in reply.cites if 1 <= number <= len(evidence)]
    ids = tuple(dict.fromkeys(evidence[number - 1].id for number in numbers))
    if not reply.answer:
        return Reading(answer="", no_answer=1.0, evidence_ids=ids, reasoning=reply.reasoning)
    return Reading(
        answer=reply.answer,
        probability=probability,
        no_answer=0.0,
        evidence_ids=ids,
        choice=reply.choice,
        candidates=(Candidate(answer=reply.answer, probability=probability, evidence_ids=ids),),
        reasoning=reply.reasoning,
    )


def unreadable(reply: str, *, tries: int) -> str:
    """One sentence about a reply that no answer could be found in."""
    shown = " ".join(reply.split())[:200]
    return f"The model's reply could not be read after {tries} {'tries' if tries > 1 else 'try'}: {shown!r}"


def probability_of(message: BaseMessage) -> float | None:
    """The geometric mean of the reply's token probabilities, where the provider gives them."""
    logprobs = message.response_metadata.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(tokens, list) or not tokens:
        return None
    values = [token["logprob"] for token in tokens if isinstance(token, Mapping) and "logprob" in token]
    return min(1.0, math.exp(sum(values) / len(values))) if values else None
