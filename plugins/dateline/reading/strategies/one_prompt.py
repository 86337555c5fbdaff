"""Strategies with one request: Direct, Chain of thought, RAG-Concat (MRAG, table 3)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from dateline.chat import TRIES, ReplyLoop, prompt_room, request
from dateline.errors import BadInput
from dateline.evidence import in_order
from dateline.evidence.blocks import QUOTED, UNANSWERED, asked_block, evidence_block, question_block
from dateline.evidence.freshprompt import LEAST_BUDGET, MESSAGE_TOKENS
from dateline.evidence.knowledge import split_known
from dateline.flow import Flow, call, twins
from dateline.protocols import ReadResult
from dateline.reading.chat import read_result, reading_extras, reply_reader
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.text import TokenCounter, count_tokens
from dateline.text.tokens import fitting

MAX_PASSAGES = 20
"""The most passages that MRAG's readers see (table 3)."""

BUDGET = 8_000
"""Tokens of a prompt."""

Arranged = Literal["rank", "time"]
"""How passages stand in the prompt: best first, as MRAG shows them, or oldest to newest."""

_CLOSED = """\
You answer questions as of a stated day, from what you know. Use nothing from after that day. If you do not know, the \
answer is "unknown"."""

_OPEN = f"""\
You answer questions as of a stated day, from evidence.

- Every piece of evidence has a label, a source and, where known, a date. Look at which time each statement is about.
- Use nothing from after the stated day.
- {QUOTED}
- {{unanswered}}"""

_FROM_MEMORY = (
    "If the evidence does not answer the question, answer from what you know and cite nothing; if you do not know "
    'either, the answer is "unknown".'
)
_REASONING = (
    "reasoning: <step by step: what was the case or happened when, which of it fits the time that is asked about>"
)
_ANSWER = "answer: <in as few words as possible; for a person, the name alone>"
_EVIDENCE = "evidence: <labels of the evidence it stands on, such as E2, E5; or none>"


class OnePrompt:
    """A reader that asks a chat model in one prompt.

    A reply that cannot be read is asked for again, `tries` times in all.

    Evidence published after the asking day is left out, and of the others the last ones where `budget` tokens do
    not hold them all; the end of the question always stands there. Then the answer is empty, and `reasoning` says why.
    """

    least_passages: ClassVar[int] = 0

    def __init__(
        self,
        model: BaseChatModel,
        *,
        passages: int = MAX_PASSAGES,
        reasoning: bool = False,
        from_memory: bool = False,
        arranged: Arranged = "rank",
        tries: int = TRIES,
        budget: int = BUDGET,
        count: TokenCounter | None = None,
    ) -> None:
        """Take a model.

        Args:
            passages: the most that are shown.
            reasoning: whether the model reasons first.
            from_memory: whether it may answer from what it knows where the passages do not answer, as in the paper.
            arranged: best first, or oldest to newest.
            budget: the most tokens of the prompt; fewer where the model tells a context that is too short for them.
        """
        if passages < self.least_passages:
            raise BadInput(f"passages must be at least {self.least_passages}, not {passages}; Direct shows none.")
        if budget < LEAST_BUDGET:
            raise BadInput(f"A budget of {budget} tokens is too small; give at least {LEAST_BUDGET}.")
        self.passages, self.reasoning, self.from_memory = passages, reasoning, from_memory
        self.arranged, self.budget = arranged, prompt_room(model, budget=budget, least=LEAST_BUDGET)
        self.count = count or count_tokens
        self._extras = reading_extras(model)
        self.reply_loop = ReplyLoop(model, tries=tries, count=self.count)

    def _read(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[ReadResult]:
        """Ask the model; `evidence` comes best first.

        Raises `ModelFailed` when the model itself fails.
        """
        started = time.perf_counter()
        messages, shown = yield from call(self.prompt, question, evidence=evidence, choices=choices)
        read = reply_reader(messages, choices=choices, shown=bool(self.passages))
        reply = yield from self.reply_loop.asking(messages, read=read, extras=self._extras)
        return read_result(reply, evidence=shown, started=started)

    read, aread = twins(_read)

    def prompt(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> tuple[list[BaseMessage], list[Evidence]]:
        """Return the messages, and the evidence that they call E1, E2, …"""
        task, form = self._task(), self._form()
        if not self.passages:
            return request(task, material=asked_block(question, choices), form=form), []
        known = split_known(evidence, as_of=question.as_of)[0][: self.passages]
        room = self.budget - MESSAGE_TOKENS - self.count(f"{task}\n{asked_block(question, choices)}\n\n{form}")
        sizes = (self.count(evidence_block(piece, label="E00", as_of=question.as_of)) for piece in known)
        shown = known[: fitting(sizes, room=room)]
        if self.arranged == "time":
            shown = in_order(shown, order="time")
        return request(task, material=question_block(question, shown, (), choices), form=form), shown

    def _task(self) -> str:
        return _OPEN.format(unanswered=_FROM_MEMORY if self.from_memory else UNANSWERED) if self.passages else _CLOSED

    def _form(self) -> str:
        lines = [*([_REASONING] if self.reasoning else []), _ANSWER, *([_EVIDENCE] if self.passages else [])]
        return "\n".join(["Reply in exactly this form:", *lines])


class Direct(OnePrompt):
    """Asks a chat model for what it knows, without evidence.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Ada Berg"])
        >>> Direct(model).read(decompose("Who is mayor?", as_of=now()), evidence=[]).reading.answer
        'Ada Berg'
    """

    def __init__(self, model: BaseChatModel, *, tries: int = TRIES) -> None:
        super().__init__(model, passages=0, reasoning=False, tries=tries)


class ChainOfThought(OnePrompt):
    """Lets a chat model reason about times before it answers.

    It is shown no evidence unless `passages` says how much.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Ada Berg"])
        >>> ChainOfThought(model).read(decompose("Who is mayor?", as_of=now()), evidence=[]).reading.answer
        'Ada Berg'
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        passages: int = 0,
        tries: int = TRIES,
        budget: int = BUDGET,
        count: TokenCounter | None = None,
    ) -> None:
        super().__init__(model, passages=passages, reasoning=True, tries=tries, budget=budget, count=count)


class RagConcat(OnePrompt):
    """Shows a chat model the passages one after the other.

    Raises:
        BadInput: for `passages` or `tries` below 1, or a `budget` too small for any evidence.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Ada Berg"])
        >>> notes = [Evidence.make("Ada Berg is mayor.")]
        >>> RagConcat(model).read(decompose("Who is mayor?", as_of=now()), evidence=notes).reading.answer
        'Ada Berg'
    """

    least_passages = 1
