"""A reader that asks a chat model with a FreshPrompt."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from dateline.chat import (
    NO_EXTRAS,
    TRIES,
    Extras,
    ParsedReply,
    Parser,
    ReplyLoop,
    probability_of,
    prompt_room,
    tells_logprobs,
    whole_lines,
)
from dateline.evidence import Conflict, FreshPrompt, Prompt, find_conflicts
from dateline.evidence.freshprompt import LEAST_BUDGET
from dateline.flow import Flow, call, twins
from dateline.protocols import Reader, ReadResult
from dateline.reading.answer_text import AskedText
from dateline.reading.reply import Reply, parse_reply
from dateline.records import Candidate, Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text import TokenCounter, count_tokens

UNINFORMED = 0.5
"""The probability of an answer whose model reports none."""

NO_ANSWER = "The model says that it has no answer."
"""The reasoning where a model gives none for that."""

_AGAIN = (
    "That reply could not be read. Reply again in exactly the stated form, with one line each that starts with "
    "reasoning:, answer: and evidence:."
)


class ChatReader:
    """Implements the `Reader` protocol over any chat model of LangChain.

    A reply that cannot be read is asked for again, a bounded number of times; then the answer is empty and
    `reasoning` says why.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Ada Berg"])
        >>> question = decompose("Who is mayor?", as_of=now())
        >>> ChatReader(model).read(question, evidence=[Evidence.make("Ada Berg is mayor.")]).reading.answer
        'Ada Berg'
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        prompt: FreshPrompt | None = None,
        tries: int = TRIES,
        scout: Reader | None = None,
        count: TokenCounter | None = None,
    ) -> None:
        """Take a model.

        Args:
            prompt: how questions are put; by default `FreshPrompt()`. Its budget is smaller where the model tells a
                context that is too short for it; then worked examples go before evidence does.
            tries: how often one question is put at most.
            scout: a quick local reader, whose different answers from evidence of different dates are shown to the
                model as a conflict, in order of time; by default nobody looks for one.
            count: counts tokens where the model reports no usage.

        Raises:
            BadInput: when `tries` is below 1, or `model` is no chat model.
        """
        prompt = FreshPrompt() if prompt is None else prompt
        room = prompt_room(model, budget=prompt.budget, least=LEAST_BUDGET)
        self.prompt = prompt if room == prompt.budget else replace(prompt, budget=room)
        self.scout = scout
        self._extras = reading_extras(model)
        self._loop = ReplyLoop(model, tries=tries, count=count or self.prompt.count or count_tokens)

    def _read(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        choices: Sequence[str] = (),
        conflicts: Sequence[Conflict] = (),
    ) -> Flow[ReadResult]:
        """Ask the model; `evidence` comes best first.

        Raises:
            ModelFailed: when the model itself fails.
        """
        started = time.perf_counter()
        # Counting tokens and scouting take milliseconds of work that an event loop should not wait for.
        prompt = yield from call(self._prompt, question, evidence, choices, conflicts)
        messages = prompt.messages()
        reply = yield from self._loop.asking(
            messages, read=reply_reader(messages, choices=choices), again=_AGAIN, extras=self._extras
        )
        return read_result(reply, evidence=prompt.evidence, started=started)

    read, aread = twins(_read)

    def _prompt(
        self, question: Question, evidence: Sequence[Evidence], choices: Sequence[str], conflicts: Sequence[Conflict]
    ) -> Prompt:
        if self.scout is not None and not conflicts:
            conflicts = find_conflicts(question, evidence=evidence, reader=self.scout)
        return self.prompt.build(question, evidence=evidence, conflicts=conflicts, choices=choices)


def reply_reader(messages: Sequence[BaseMessage], *, choices: Sequence[str] = (), shown: bool = True) -> Parser[Reply]:
    """Read replies to a request as answers, or one of `choices`.

    Args:
        shown: whether the request shows evidence; an answer without a label must then stand in it.
    """
    asked = AskedText.of(messages, shown=shown)
    return lambda message: parse_reply(whole_lines(message), choices=choices, asked=asked)


def reading_extras(model: object) -> Extras:
    """Ask for log-probabilities where the model's class has a switch for them."""
    return Extras(logprobs=0) if tells_logprobs(model) else NO_EXTRAS


def read_result(reply: ParsedReply[Reply], *, evidence: Sequence[Evidence], started: float) -> ReadResult:
    """Turn a model's reply into a reading.

    The i-th of `evidence`, counted from 1, is what the reply calls `E<i>`.

    Raises:
        ModelFailed: when the model itself failed.
    """
    reading = _reading(reply.raise_for_failure(), evidence)
    return ReadResult(reading, reply.cost + Cost(seconds=time.perf_counter() - started))


def _reading(parsed: ParsedReply[Reply], evidence: Sequence[Evidence]) -> Reading:
    reply = parsed.value
    if reply is None or parsed.reply is None:
        return Reading(answer="", no_answer=1.0, reasoning=parsed.problem)
    numbers = [number for number in reply.cites if 1 <= number <= len(evidence)]
    ids = tuple(dict.fromkeys(evidence[number - 1].id for number in numbers))
    if not reply.answer:
        return Reading(answer="", no_answer=1.0, evidence_ids=ids, reasoning=reply.reasoning or NO_ANSWER)
    probability = probability_of(parsed.reply, part=reply.answer) or UNINFORMED
    candidate = Candidate(answer=reply.answer, probability=probability, evidence_ids=ids)
    return Reading.of([candidate], choice=reply.choice, reasoning=reply.reasoning)
