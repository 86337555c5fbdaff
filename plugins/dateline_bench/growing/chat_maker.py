"""Questions and dialogues made by a chat model, each reply checked."""

from __future__ import annotations

import time
from collections.abc import Mapping

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES, ParsedReply, Parser, ReplyLoop, UnusableReply, json_in, reply_text
from dateline.records import Cost
from dateline_bench.growing.grown import MadeBy
from dateline_bench.growing.making import MadeInstance, MadeQuestion, MadeTurn, fault_of_question, fault_of_turns
from dateline_bench.growing.prompts import AGAIN_AS_JSON, asking
from dateline_bench.growing.tasks import GrowTask


class ChatMaker:
    """Implements the `Maker` protocol over any chat model of LangChain.

    A reply that cannot be used is asked for again, `tries` times in all; then nothing is made, and the reason says why.

    Raises:
        BadInput: when `tries` is below 1, or `model` is no chat model.
    """

    made_by: MadeBy = "model"

    def __init__(self, model: BaseChatModel, *, tries: int = TRIES) -> None:
        self._asker = ReplyLoop(model, tries=tries)

    def make(self, task: GrowTask) -> MadeInstance:
        """See `Maker`."""
        started = time.perf_counter()
        return _made(self._asker.ask(asking(task), read=_reader(task), again=AGAIN_AS_JSON), started)

    async def amake(self, task: GrowTask) -> MadeInstance:
        """Make asynchronously."""
        started = time.perf_counter()
        return _made(await self._asker.aask(asking(task), read=_reader(task), again=AGAIN_AS_JSON), started)


def _made(told: ParsedReply[MadeInstance], started: float) -> MadeInstance:
    cost = told.cost + Cost(seconds=time.perf_counter() - started)
    return MadeInstance(reason=told.problem, cost=cost) if told.value is None else told.value._replace(cost=cost)


def _reader(task: GrowTask) -> Parser[MadeInstance]:
    return lambda reply: _read(reply_text(reply), task)


def _read(reply: str, task: GrowTask) -> MadeInstance:
    fields = json_in(reply)
    if fields is None:
        raise UnusableReply("it held no JSON object.")
    if task.kind == "dialogue":
        given = fields.get("turns")
        if not isinstance(given, list) or not all(isinstance(turn, Mapping) for turn in given):
            raise UnusableReply("turns must be a list of objects.")
        turns = tuple(
            MadeTurn(_number(turn.get("sentence")) - 1, _text(turn.get("user")), _text(turn.get("expert")))
            for turn in given
        )
        if fault := fault_of_turns(turns, task=task):
            raise UnusableReply(fault)
        return MadeInstance(turns=turns)
    question = _text(fields.get("question"))
    if task.kind == "changed":
        made = MadeQuestion(
            question, _text(fields.get("new_answer")), 0, len(task.sentences) - 1, _text(fields.get("old_answer"))
        )
    else:
        first, last = _number(fields.get("first")), _number(fields.get("last", fields.get("first")))
        made = MadeQuestion(question, _text(fields.get("answer")), first - 1, last - 1)
    if fault := fault_of_question(made, task=task):
        raise UnusableReply(fault)
    return MadeInstance(question=made)


def _text(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _number(value: object) -> int:
    """Read a sentence's number, also "S2"; 0 for none."""
    if isinstance(value, str):
        value = value.strip().lstrip("Ss")
        return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
