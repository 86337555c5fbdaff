"""Small made-up cases for each prompt of the project."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from dateline.certainty.gate import NOTHING
from dateline.evaluation import AnswerCase, FreshEvalJudge
from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger
from dateline.flow import run
from dateline.protocols import Estimator, Reader
from dateline.reading import ChatJudge
from dateline.reading.chat_decomposer import ChatDecomposer
from dateline.reading.history import Turn
from dateline.reading.rewriting import ChatRewriter
from dateline.reading.strategies import ChatStages
from dateline.reading.strategies.stages import Relevance
from dateline.records import Evidence, Reading
from dateline.temporal import decompose
from dateline.temporal.interval import Interval
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.bad_replies.model import UnrulyChatModel
from dateline_bench.fresh import FreshQuestion
from dateline_bench.fresh.self_ask import ask_oneself
from dateline_bench.fresh.ways import FreshFindings
from dateline_bench.growing.chat_maker import ChatMaker
from dateline_bench.growing.tasks import GrowTask, TaskKind

NOW = datetime(2024, 5, 1, tzinfo=UTC)
OLD = Evidence.make("Ana Bell led the choir from 2011 to 2018.", title="Choir", published=Interval.of_day(2019, 2, 3))
NEW = Evidence.make("Tom Reyes has led the choir since 2019.", title="Choir", published=Interval.of_day(2023, 2, 3))
QUESTION = decompose("Who led the choir when Ana Bell had left?", as_of=NOW)


class Belief(NamedTuple):
    """Result of one request: believed or not, and what was told."""

    believed: bool
    told: str = ""
    """How the part says that it took the safe choice; empty where it does so by its value."""


Case = Callable[[BaseChatModel, int], Belief]
"""Puts a prompt to a model, with so many tries."""


def read_case(made: Callable[[BaseChatModel, int], Reader]) -> Case:
    """Put a question to a reader."""

    def outcome(model: BaseChatModel, tries: int) -> Belief:
        reading = made(model, tries).read(QUESTION, evidence=[NEW, OLD]).reading
        return Belief(bool(reading.answer), reading.reasoning)

    return outcome


def check_case(model: BaseChatModel, tries: int) -> Belief:
    """Ask whether a passage is relevant."""
    (found,) = run(ChatStages(model, tries=tries).check(QUESTION, evidence=[NEW]))
    return Belief(not found.problem, found.problem)


def summary_case(model: BaseChatModel, tries: int) -> Belief:
    """Ask what a passage says."""
    relevance = [Relevance(evidence_id=NEW.id, relevant=True)]
    (found,) = run(ChatStages(model, tries=tries).summarise(QUESTION, evidence=[NEW], relevance=relevance))
    return Belief(bool(found.text), found.problem)


def certain_case(made: Callable[[BaseChatModel, int], Estimator]) -> Case:
    """Ask how certain an answer is."""

    def outcome(model: BaseChatModel, tries: int) -> Belief:
        reading = Reading(answer="Tom Reyes", probability=0.7)
        found = made(model, tries).estimate(QUESTION, evidence=[NEW, OLD], reading=reading)
        return Belief(found != NOTHING)

    return outcome


def rewrite_case(model: BaseChatModel, tries: int) -> Belief:
    """Ask for a follow-up question that stands alone."""
    chat = [Turn("user", "Who led the choir in 2015?"), Turn("assistant", "Ana Bell")]
    made = ChatRewriter(model, tries=tries).rewrite("And in 2020?", history=chat, as_of=NOW)
    return Belief(made.by == "model", made.reason)


def decompose_case(model: BaseChatModel, tries: int) -> Belief:
    """Ask for the parts of a question."""
    found = ChatDecomposer(model, tries=tries, always=True).decompose(QUESTION.text, as_of=NOW)
    return Belief(found.by == "model", found.reason)


def judge_case(model: BaseChatModel, tries: int) -> Belief:
    """Ask whether a sentence supports another."""
    (verdict,) = ChatJudge(model, tries=tries).judge([(NEW.text, OLD.text)])
    return Belief(verdict != "neither")


def credit_case(model: BaseChatModel, tries: int) -> Belief:
    """Ask whether an answer earns credit."""
    case = AnswerCase("Who leads the choir?", answer="Ana Bell", golds=["Tom Reyes"], as_of=NOW)
    found = FreshEvalJudge(model, mode="strict", tries=tries).judge(case)
    return Belief(found.correct is not None, found.reason)


_FACT = "Ana Bell is the leader of the choir."
_NEWS = "Tom Reyes succeeded Ana Bell as leader of the choir."


def update_case(kinds: frozenset[str], *, known: bool = True) -> Case:
    """Tell a store of one fact a document that ends it.

    Changes of `kinds` are beliefs.
    """

    def outcome(model: BaseChatModel, tries: int) -> Belief:
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        teacher = UnrulyChatModel(draw=lambda _: AIMessage(json.dumps({"facts": [_FACT]})))
        if known:
            ChatUpdater(store, teacher).update([Evidence.make(_FACT, published=Interval.of_year(2015))], known_at=NOW)
        news = Evidence.make(_NEWS, published=Interval.of_year(2019))
        (changes,) = ChatUpdater(store, model, tries=tries, threshold=0.1).update([news], known_at=NOW)
        made = {change.kind for change in changes.changes}
        return Belief(bool(made & kinds), " ".join(changes.skipped))

    return outcome


def grow_case(kind: TaskKind) -> Case:
    """Ask for a question or a dialogue."""
    old = (OLD.text,) if kind == "changed" else ()
    task = GrowTask(
        kind=kind, article="choir", title="Choir", indices=(0,), sentences=(NEW.text,), types=("New",), old=old
    )

    def outcome(model: BaseChatModel, tries: int) -> Belief:
        made = ChatMaker(model, tries=tries).make(task)
        return Belief(made.question is not None or bool(made.turns), made.reason)

    return outcome


def ask_oneself_case(model: BaseChatModel, tries: int) -> Belief:
    """Ask for follow-up questions and a final answer; each request once."""
    question = FreshQuestion(QUESTION.text, ("Tom Reyes",), NOW, False, "slow-changing", "one-hop")
    found = ask_oneself(question, found=FreshFindings(FixedSearch([NEW])), model=model)
    return Belief(bool(found.text))
