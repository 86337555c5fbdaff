"""Questions and dialogues made by a chat model, each reply checked."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from asof.errors import BadInput
from asof.evolution.grown import MadeBy
from asof.evolution.making import Made, MadeQuestion, MadeTurn, fault_of_question, fault_of_turns
from asof.evolution.prompts import again, asking
from asof.evolution.tasks import Task
from asof.reading.reply import spoken
from asof.records import Cost


class ChatMaker:
    """Implements the `Maker` protocol over any chat model of LangChain.

    A reply that cannot be used is asked for again, `tries` times in all; then nothing is made, and the reason says why.

    Raises:
        BadInput: when `tries` is below 1, or `model` is no chat model.
    """

    made_by: MadeBy = "model"

    def __init__(self, model: BaseChatModel, *, tries: int = 2) -> None:
        if tries < 1:
            raise BadInput(f"tries must be at least 1, not {tries}.")
        if not callable(getattr(model, "invoke", None)):
            raise BadInput(
                f"{type(model).__name__} is no chat model; pass for example init_chat_model('openai:gpt-4o')."
            )
        self.model, self.tries = model, tries

    def make(self, task: Task) -> Made:
        """See `Maker`."""
        turn = _Asking(task, tries=self.tries)
        while turn.goes_on:
            try:
                turn.take(self.model.invoke(turn.messages))
            except Exception as error:  # whatever a provider raises: the other tasks go on
                turn.fail(error)
        return turn.result()

    async def amake(self, task: Task) -> Made:
        """The same, without blocking."""
        turn = _Asking(task, tries=self.tries)
        while turn.goes_on:
            try:
                turn.take(await self.model.ainvoke(turn.messages))
            except Exception as error:
                turn.fail(error)
        return turn.result()


class _Asking:
    """One task on its way through the model: what to send next, what came back, what it cost."""

    def __init__(self, task: Task, *, tries: int) -> None:
        self._task, self._tries = task, tries
        self._made: Made | None = None
        self._fault = ""
        self._cost = Cost()
        self._started = time.perf_counter()
        self.messages: list[BaseMessage] = asking(task)

    @property
    def goes_on(self) -> bool:
        return self._made is None and self._tries > 0

    def take(self, message: BaseMessage) -> None:
        """Check one reply, and prepare the next request where it cannot be used."""
        self._tries -= 1
        self._cost += Cost.of_reply(message)
        try:
            self._made = _read(str(message.text), self._task)
        except _Unusable as fault:
            self._fault = str(fault)
            self.messages = [*asking(self._task), again(self._fault)]

    def fail(self, error: Exception) -> None:
        """The model itself failed: no further try. The error's words stay out, they may quote a key."""
        self._tries = 0
        self._fault = f"the chat model failed with {type(error).__name__}."

    def result(self) -> Made:
        cost = self._cost + Cost(seconds=time.perf_counter() - self._started)
        return Made(reason=self._fault, cost=cost) if self._made is None else self._made._replace(cost=cost)


class _Unusable(Exception):
    """What is wrong with a reply, in one sentence."""


def _read(reply: str, task: Task) -> Made:
    fields = _object(reply)
    if task.kind == "dialogue":
        given = fields.get("turns")
        if not isinstance(given, list) or not all(isinstance(turn, Mapping) for turn in given):
            raise _Unusable("turns must be a list of objects.")
        turns = tuple(
            MadeTurn(_number(turn.get("sentence")) - 1, _text(turn.get("user")), _text(turn.get("expert")))
            for turn in given
        )
        if fault := fault_of_turns(turns, task=task):
            raise _Unusable(fault)
        return Made(turns=turns)
    question = _text(fields.get("question"))
    if task.kind == "changed":
        made = MadeQuestion(
            question, _text(fields.get("new_answer")), 0, len(task.sentences) - 1, _text(fields.get("old_answer"))
        )
    else:
        first, last = _number(fields.get("first")), _number(fields.get("last", fields.get("first")))
        made = MadeQuestion(question, _text(fields.get("answer")), first - 1, last - 1)
    if fault := fault_of_question(made, task=task):
        raise _Unusable(fault)
    return Made(question=made)


def _object(reply: str) -> Mapping[str, Any]:
    text = spoken(reply)
    start, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _Unusable("it held no JSON object.")
    return value


def _text(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _number(value: object) -> int:
    """A sentence's number, also where it is written as "S2"; 0 for what is none."""
    if isinstance(value, str):
        value = value.strip().lstrip("Ss")
        return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
