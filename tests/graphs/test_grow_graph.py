"""The grow graph: a month out of two versions of articles, readable at every step, by templates and by a chat model."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.memory import InMemorySaver

from dateline import BadInput
from dateline.evolution import SentenceLabeller
from dateline.reading import RuleJudge
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.grow_graph import GrowOptions, grow_graph
from dateline_bench.growing.chat_maker import ChatMaker
from dateline_bench.growing.growth import Growth
from dateline_bench.growing.template_maker import TemplateMaker
from langchain_dateline.testing import AnsweringChatModel, ScriptedChatModel

BEFORE = (
    "The mayor of Port Elwin is Greta Holm. The council has 19 members.\n\nThe ferry to the islands was opened in 1932."
)
AFTER = (
    BEFORE.replace("Greta Holm", "Nils Aker") + "\n\nThe lighthouse keeps three lamps burning through the foggy nights."
)
CONFIG: Any = {"configurable": {"thread_id": "t"}}


def growth(maker: Any = None) -> Growth:
    embeddings = LexicalEmbeddings()
    return Growth(maker or TemplateMaker(), labeller=SentenceLabeller(embeddings=embeddings, judge=RuleJudge()),
                  embeddings=embeddings)  # fmt: skip


def month(name: str, text: str, *, before: str = "", **more: Any) -> Any:
    given: dict[str, Any] = {"month": name, "articles": [{"title": "Port Elwin", "text": text}], **more}
    return {**given, "before": [{"title": "Port Elwin", "text": before}]} if before else given


FERRY: dict[str, Any] = {
    "id": "kept", "article": "Port Elwin", "title": "Port Elwin", "type": "New", "born": "2024-01", "made_by": "model",
    "question": "When was the ferry opened?", "answer": "1932", "evidence": ["The ferry to the islands was opened in 1932."],
    "indices": [2],
}  # fmt: skip
MAYOR = {**FERRY, "id": "gone", "question": "Who is the mayor?", "answer": "Greta Holm", "indices": [0]}


def test_questions_are_kept_dropped_and_renewed_and_the_trace_says_so() -> None:
    asked = month("2024-02", AFTER, before=BEFORE, questions=[FERRY, MAYOR])
    given = json.dumps(asked)
    graph = grow_graph(growth()).compile()
    events = list(graph.stream(asked, stream_mode=["custom", "values"]))
    report = events[-1][1]["report"]  # type: ignore[index]
    kept, renewed = report["questions"]
    assert (kept["id"], kept["type"], kept["indices"]) == ("kept", "Unchanged", [2])
    assert (renewed["type"], renewed["previous_answer"], renewed["answer"]) == ("Changed", "Greta Holm", "Nils Aker")
    assert renewed["replaces"] == report["dropped"] == ["gone"]
    assert [event["name"] for mode, event in events if mode == "custom"][:3] == ["take_in", "label", "plan"]
    assert json.dumps(asked) == given


def test_a_first_month_makes_dialogues_too_and_the_next_takes_its_report() -> None:
    filler = "It is a town of brick houses between two low hills that shelter the boats from the wind, " * 3
    text = f"The population of Port Elwin is 5,100. {filler}and the sea. The mayor of Port Elwin is Greta Holm."
    graph = grow_graph(growth()).compile()
    first = graph.invoke(month("2024-01", text))["report"]
    assert first["counts"] == {"questions": {"New": 1}, "turns": {"New": 3}}
    again = month("2024-02", text, before=text, questions=first["questions"], dialogues=first["dialogues"])
    assert graph.invoke(again)["report"]["counts"] == {"questions": {"Unchanged": 1}, "turns": {"Unchanged": 3}}
    elsewhere = {**again, "articles": [{"title": "Kellen", "text": "Kellen lies inland."}], "before": []}
    assert len(graph.invoke(elsewhere)["report"]["dropped"]) == 2


def test_the_state_is_plain_json_at_every_step() -> None:
    graph = grow_graph(growth()).compile(checkpointer=InMemorySaver())
    graph.invoke(month("2024-02", AFTER, before=BEFORE), CONFIG)
    for snapshot in graph.get_state_history(CONFIG):
        assert json.loads(json.dumps(snapshot.values)) == snapshot.values


async def test_a_model_makes_them_in_any_order_and_its_cost_is_counted() -> None:
    def respond(messages: list[BaseMessage]) -> str:
        if "O1|" in str(messages[1].content):
            return json.dumps({"question": "Who is mayor?", "old_answer": "Greta Holm", "new_answer": "Nils Aker"})
        return json.dumps(
            {"question": "How many lamps has Elwin's lighthouse?", "answer": "three", "first": 1, "last": 1}
        )

    model = AnsweringChatModel(respond=respond)
    graph = grow_graph(growth(ChatMaker(model))).compile()
    report = (await graph.ainvoke(month("2024-02", AFTER, before=BEFORE)))["report"]
    assert sorted(question["type"] for question in report["questions"]) == ["Changed", "New"]
    assert {question["made_by"] for question in report["questions"]} == {"model"}
    assert report["cost"]["model_calls"] == len(model.history) == 2


def test_a_model_that_babbles_makes_nothing_and_the_report_says_why() -> None:
    model = ScriptedChatModel(replies=["la la la"])
    report = grow_graph(growth(ChatMaker(model))).compile().invoke(month("2024-02", AFTER, before=BEFORE))["report"]
    assert report["questions"] == []
    assert len(report["notes"]) == 2
    assert all("no JSON object" in note for note in report["notes"])
    assert len(model.history) == 4


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"month": "2024-02"}, "nothing to grow on"),
        (month("soon", AFTER), "'soon'"),
        ({"month": "2024-02", "articles": [{"title": "x"}]}, "Article 1 has no text"),
        ({"month": "2024-02", "articles": [{"title": "x", "text": "A."}] * 2}, "two articles"),
        (month("2024-02", AFTER, questions=[{"id": "x"}]), "Cannot read questions"),
        ({"articles": [{"title": "x", "text": "A."}]}, "''"),
    ],
)
def test_what_cannot_grow_is_refused_in_a_sentence(given: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        grow_graph(growth()).compile().invoke(given)


def test_options_that_cannot_be_are_refused_when_they_are_made() -> None:
    with pytest.raises(BadInput, match="seed"):
        GrowOptions(seed=-1)
    with pytest.raises(BadInput, match="clusters"):
        GrowOptions(clusters=0)
