"""The answer graph in a chat: a follow-up is made to stand alone, searched with its history, and shown as understood."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from dateline import BadInput, Evidence, Interval
from dateline.reading import ExtractiveReader
from dateline.reading.rewriting import ChatRewriter
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions, AnswerReport, Components, answer_graph
from dateline_graphs.components import default_components
from langchain_dateline.testing import ScriptedChatModel

PIECES = (
    Evidence.make(
        "Anna Berg became director of the Northern Observatory in 2015.", published=Interval.parse("2015-03-02")
    ),
    Evidence.make(
        "Carl Dahl became director of the Northern Observatory in 2021.", published=Interval.parse("2021-09-14")
    ),
)
FIRST = "Who was the director of the Northern Observatory in 2018?"
CHAT = [{"role": "user", "content": FIRST}, {"role": "assistant", "content": "Anna Berg"}]
MEANT = "Who was the director of the Northern Observatory in 2022?"
AGAIN: Any = {"question": "And in 2022?", "history": CHAT}


def parts(search: FixedSearch | None = None, **changes: Any) -> Components:
    made = default_components(
        search=search or FixedSearch(PIECES), options=AnswerOptions(reader="rules"), embeddings=LexicalEmbeddings()
    )
    return replace(made, reader=ExtractiveReader(), clock=lambda: datetime(2024, 6, 1, tzinfo=UTC), **changes)


def report_of(result: dict[str, Any]) -> AnswerReport:
    return AnswerReport.model_validate(result["report"])


def test_a_follow_up_is_answered_as_the_question_it_means_and_the_report_shows_both() -> None:
    asked: dict[str, Any] = json.loads(json.dumps(AGAIN))
    report = report_of(answer_graph(parts()).compile().invoke(cast(Any, asked)))
    assert report.answer == "Carl Dahl"
    assert (report.asked.said, report.asked.question) == ("And in 2022?", MEANT)
    assert [step.name for step in report.steps[:2]] == ["rewrite", "decompose"]
    assert report.steps[0].details["by"] == "rules"
    assert MEANT in report.steps[0].summary
    assert asked == AGAIN


def test_what_was_said_before_is_searched_for_too_where_the_question_leans_on_it() -> None:
    search = FixedSearch(PIECES)
    answer_graph(parts(search)).compile().invoke(AGAIN)
    assert sorted(search.history) == sorted(
        ["Who was the director of the Northern Observatory?", f"{FIRST} Anna Berg And in 2022?"]
    )
    search = FixedSearch(PIECES)
    answer_graph(parts(search)).compile().invoke(cast(Any, {"question": MEANT, "history": CHAT}))
    assert search.history == ["Who was the director of the Northern Observatory?"]


def test_a_question_beside_a_chat_leaves_the_chat_as_it_is() -> None:
    graph = answer_graph(parts()).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "t"}}
    graph.invoke({"messages": [HumanMessage(FIRST)]}, thread)
    done = graph.invoke({"question": MEANT}, thread)
    assert report_of(done).answer == "Carl Dahl"
    assert [each.type for each in graph.get_state(thread).values["messages"]] == ["human", "ai"]


def test_without_a_history_nothing_is_rewritten() -> None:
    report = report_of(answer_graph(parts()).compile().invoke(cast(Any, {"question": MEANT, "history": []})))
    assert report.asked.said == ""
    assert report.steps[0].name == "decompose"


async def test_a_model_rewrites_and_its_cost_is_counted() -> None:
    model = ScriptedChatModel(replies=[f'{{"question": "{MEANT}"}}'])
    graph = answer_graph(parts(rewriter=ChatRewriter(model))).compile()
    report = report_of(await graph.ainvoke(cast(Any, {"question": "and four years on, in 2022?", "history": CHAT})))
    assert (report.answer, report.asked.question) == ("Carl Dahl", MEANT)
    assert report.cost.model_calls == 1


def test_a_model_that_babbles_leaves_it_to_the_rules_visibly() -> None:
    model = ScriptedChatModel(replies=["la la"])
    report = report_of(answer_graph(parts(rewriter=ChatRewriter(model))).compile().invoke(AGAIN))
    assert report.answer == "Carl Dahl"
    assert report.steps[0].details["by"] == "rules"
    assert "The rules decided" in report.steps[0].details["reason"]
    assert report.cost.model_calls == 2


def test_the_next_question_on_a_thread_starts_afresh() -> None:
    graph = answer_graph(parts()).compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    graph.invoke(AGAIN, config)
    report = report_of(graph.invoke(cast(Any, {"question": FIRST, "history": []}), config))
    assert (report.answer, report.asked.said) == ("Anna Berg", "")
    assert [step.name for step in report.steps].count("decompose") == 1
    for snapshot in graph.get_state_history(config):
        assert json.loads(json.dumps(snapshot.values)) == snapshot.values


def test_a_history_that_is_none_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="narrator"):
        answer_graph(parts()).compile().invoke(cast(Any, {**AGAIN, "history": [{"role": "narrator", "content": "x"}]}))
