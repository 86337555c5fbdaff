"""Prompts keep to their budgets, and to the context of a model that tells it."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from dateline.certainty.self_report import SelfReportEstimator
from dateline.chat import context_tokens, prompt_room, reply_text
from dateline.evaluation import AnswerCase, FreshEvalJudge
from dateline.evaluation.examples import EXAMPLES
from dateline.evidence import FreshPrompt
from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger
from dateline.flow import run
from dateline.reading import ChatJudge, ChatReader
from dateline.reading.chat_decomposer import ChatDecomposer
from dateline.reading.history import Turn
from dateline.reading.rewriting import ChatRewriter
from dateline.reading.strategies import ChatStages, Direct, RagConcat
from dateline.records import Evidence, Reading
from dateline.temporal import decompose
from dateline.temporal.interval import Interval
from dateline.text import count_tokens
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.bad_replies.prompts import PROMPTS
from langchain_dateline.testing import ScriptedChatModel

NOW = datetime(2024, 5, 1, tzinfo=UTC)
MOST = {case.name: case.most for case in PROMPTS}
WORDS = [
    "choir",
    "mayor",
    "bridge",
    "Ana",
    "Berg",
    "opened",
    "2019",
    "harbour",
    "northern",
    "leads",
    "quarry",
    "ferry",
    "town",
    "hall",
]


def prose(words: int, seed: int) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


LONG = decompose(f"Who leads {prose(900, 1)}?", as_of=NOW)
NOTES = [Evidence.make(prose(900, n), title=prose(90, n), highlights=[prose(40, n)] * 9) for n in range(30)]


def updated(model: ScriptedChatModel) -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    sentences = [f"{name} {n} leads the choir of harbour {n}." for n in range(400) for name in ("Ana Berg", "Bo Ek")]
    document = Evidence.make(" ".join(sentences), published=Interval.of_year(2020))
    ChatUpdater(store, model).update([document], known_at=NOW)


ASKED: dict[str, Callable[[ScriptedChatModel], Any]] = {
    "FreshPrompt": lambda model: ChatReader(model).read(LONG, evidence=NOTES),
    "RAG-Concat": lambda model: RagConcat(model).read(LONG, evidence=NOTES),
    "direct": lambda model: Direct(model).read(LONG, evidence=NOTES),
    "Self-MRAG: check": lambda model: run(ChatStages(model).check(LONG, evidence=NOTES)),
    "self-report": lambda model: SelfReportEstimator(model).estimate(
        LONG, evidence=NOTES, reading=Reading(answer=prose(300, 2))
    ),
    "follow-up": lambda model: ChatRewriter(model).rewrite(
        "And then?", history=[Turn("user", prose(900, n)) for n in range(60)], as_of=NOW
    ),
    "decomposition": lambda model: ChatDecomposer(model, always=True).decompose(LONG.text, as_of=NOW),
    "sentence pair": lambda model: ChatJudge(model).judge([(prose(900, 1), prose(900, 2))]),
    "FreshEval": lambda model: FreshEvalJudge(model, mode="strict").judge(
        AnswerCase(LONG.text, answer=prose(3_000, 1), golds=[prose(300, 2)])
    ),
    "facts: judge": updated,
}


def tokens(messages: list[BaseMessage]) -> int:
    return sum(count_tokens(reply_text(message)) for message in messages)


@pytest.mark.parametrize("name", ASKED)
def test_however_much_there_is_to_show_a_prompt_keeps_to_its_bound(name: str) -> None:
    model = ScriptedChatModel(replies=["answer: unknown"])
    ASKED[name](model)
    most = MOST[name]
    assert most is not None
    assert model.history
    assert max(tokens(messages) for messages in model.history if len(messages) == 2) <= most


@pytest.mark.parametrize("name", ["FreshPrompt", "RAG-Concat", "self-report", "follow-up", "facts: judge"])
@pytest.mark.parametrize("context", [2_048, 4_096])
def test_a_model_that_tells_a_short_context_is_shown_less(name: str, context: int) -> None:
    model = ScriptedChatModel(replies=["answer: unknown"], profile={"max_input_tokens": context})
    ASKED[name](model)
    assert max(tokens(messages) for messages in model.history if len(messages) == 2) <= context * 0.8
    assert max(tokens(messages) for messages in model.history) <= context


def test_worked_examples_go_before_evidence_does() -> None:
    shown = {}
    for context in (1_536, 2_048, None):
        model = ScriptedChatModel(replies=["answer: unknown"], profile=context and {"max_input_tokens": context})
        ChatReader(model).read(decompose("Who leads the choir?", as_of=NOW), evidence=NOTES[:1])
        system, user = model.history[0]
        assert "[E1]" in reply_text(user)
        shown[context] = reply_text(system).count("--- example")
    assert shown[1_536] < shown[2_048] < shown[None] == 5


def test_the_judge_leaves_out_examples_rather_than_the_answer() -> None:
    model = ScriptedChatModel(replies=["verdict: credit"], profile={"max_input_tokens": 1_500})
    FreshEvalJudge(model, mode="strict").judge(AnswerCase("Who?", answer="Ana Berg", golds=["Ana Berg"]))
    system, user = map(reply_text, model.history[0])
    assert 0 < system.count("--- example") < len(EXAMPLES)
    assert "Ana Berg" in user


def test_the_length_of_a_context_is_read_where_it_is_told() -> None:
    class Local(ScriptedChatModel):
        num_ctx: int | None = None

    told = [
        ScriptedChatModel(replies=["x"]),
        ScriptedChatModel(replies=["x"], profile={"max_input_tokens": 9_000}),
        ScriptedChatModel(replies=["x"], profile={"max_input_tokens": 9_000}).bind(stop=["\n"]),
        Local(replies=["x"], num_ctx=512),
    ]
    assert [context_tokens(model) for model in told] == [None, 9_000, 9_000, 512]
    assert [prompt_room(model, budget=8_000, least=600) for model in told] == [8_000, 8_000, 8_000, 600]


def test_a_budget_that_fits_is_kept() -> None:
    prompt = FreshPrompt(budget=2_000)
    model = ScriptedChatModel(replies=["x"], profile={"max_input_tokens": 128_000})
    assert ChatReader(model, prompt=prompt).prompt is prompt
