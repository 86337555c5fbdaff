"""A name that is mistyped or a date in another form is read, or told in one sentence: nothing is silently left out."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from dateline import BadInput, Evidence, Interval
from dateline.evolution import IngestionGate, SentenceLabeller
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.temporal import asked_at
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline.visible import warn_once
from dateline_cli.main import main
from dateline_graphs import AnswerOptions, answer_graph, as_node, default_components
from langchain_dateline import FactStoreRetriever
from langchain_dateline.middleware import DatelineMiddleware
from langchain_dateline.testing import ScriptedChatModel, calls_tool


@tool
def archive(query: str) -> str:
    """Search the archive."""
    return '[{"text": "Ben leads.", "date": "2021-03-02"}]'


def answered(named: list[str]) -> dict[str, Any]:
    model = ScriptedChatModel(replies=[calls_tool("archive", query="who"), "Ben leads."])
    agent = create_agent(model, [archive], middleware=[DatelineMiddleware(tools=named)])
    return agent.invoke({"messages": "Who leads?", "as_of": "2022"})


def test_a_mistyped_tool_of_the_middleware_is_refused_with_what_was_meant() -> None:
    with pytest.raises(BadInput, match=r"'archiv', but the agent has no such tool.* did you mean archive\?"):
        answered(["archiv"])
    assert "2021-03-02" in answered(["archive"])["freshness"]["statement"]


def test_a_further_tool_that_the_agent_does_not_have_is_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        answered(["archive", "a_tool_of_another_agent"])
    assert "'a_tool_of_another_agent', but the agent has no such tool, only archive" in caplog.text


class Desk(TypedDict, total=False):
    request: str
    day: str
    reply: str


def asking(**given: Any) -> Any:
    search = FixedSearch(
        [
            Evidence.make("Anna Berg was named director of the observatory.", published="2015-03-02"),
            Evidence.make("Carl Dahl was named director of the observatory.", published="2021-09-14"),
        ]
    )
    names: dict[str, Any] = {
        "inputs": {"question": "request", "as_of": "day"},
        "outputs": {"reply": "report.answer"},
        **given,
    }
    graph = answer_graph(default_components(search=search, options=AnswerOptions())).compile(name="ask")
    return as_node(graph, **names)


@pytest.mark.parametrize(
    "mistyped", [{"inputs": {"question": "request", "as_of": "dya"}}, {"outputs": {"rpely": "report"}}]
)
def test_a_mistyped_field_of_the_outer_state_is_refused_where_its_class_is_told(mistyped: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"Desk has no '\w+'; did you mean (day|reply)\?"):
        asking(**mistyped, state=Desk)


def test_without_the_class_a_similar_field_is_told_and_the_right_names_are_silent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def reply(node: Any) -> str:
        app = StateGraph(Desk)
        app.add_node("ask", node)
        app.add_edge(START, "ask")
        app.add_edge("ask", END)
        return str(app.compile().invoke({"request": "Who is the director of the observatory?", "day": "2018"})["reply"])

    with caplog.at_level(logging.WARNING):
        assert reply(asking(state=Desk)) == "Anna Berg"
        assert not caplog.messages
        reply(asking(inputs={"question": "request", "as_of": "dya"}))
    assert "no 'dya': the state has none, only 'day'" in caplog.text


@pytest.mark.parametrize(
    ("form", "read"),
    [
        ("2024-03-01", "2024-03-01"),
        ("1 May 2023", "2023-05-01"),
        (2023, "2023"),
        ("2023-05-01T10:00+02:00", "2023-05-01"),
    ],
)
def test_evidence_takes_its_date_in_every_form_of_a_moment(form: Any, read: str) -> None:
    made = Evidence.make("Ana leads.", published=form)
    assert made == Evidence.make("Ana leads.", published=Interval.parse(read))
    assert Evidence.model_validate_json(made.model_dump_json()) == made


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"published": "soonish"}, "Cannot read 'soonish' as a date"),
        ({"published": "03/04/2019"}, "may be two days"),
        ({"date": "2024"}, "Evidence has no 'date'; did you mean published"),
    ],
)
def test_evidence_with_a_date_that_says_nothing_is_refused_in_one_sentence(
    given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence) as refused:
        Evidence.make("Ana leads.", **given)
    assert "\n" not in str(refused.value)


def empty_store() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())


def test_a_store_learns_at_a_moment_in_any_form() -> None:
    store = empty_store()
    news = [
        Evidence.make("The mayor is Ada Berg.", published="2019"),
        Evidence.make("The mayor is Jon Holm.", published="2022"),
    ]
    LocalUpdater(store).update(news[:1], known_at="May 2020")
    gate = IngestionGate(LocalUpdater(store), labeller=SentenceLabeller(embeddings=LexicalEmbeddings()))
    gate.update(news[1:], since=[], known_at="2023")
    assert [len(store.changes(since=since)) for since in ("2019", "2020-05", "2023")] == [3, 2, 0]
    assert store.undo(news[1].id, known_at="2024-01-01")
    assert [each.fact.text for each in store.at("2023")] == ["The mayor is Ada Berg."]
    for job in (
        lambda: LocalUpdater(store).update([], known_at="soonish"),
        lambda: LocalUpdater(store).review_queue.decide([], known_at="soonish"),
        lambda: store.forget(news[0].id, by="me", reason="asked", known_at="soonish"),
    ):
        with pytest.raises(BadInput, match="Cannot read 'soonish' as a date"):
            job()


def test_a_retriever_of_facts_asks_as_of_the_block_around_it() -> None:
    store = empty_store()
    news = [("2019", "Ada Berg"), ("2022", "Jon Holm")]
    LocalUpdater(store).update(
        [Evidence.make(f"The mayor is {who}.", published=day) for day, who in news], known_at="2024"
    )
    with asked_at("2020"):
        (found,) = FactStoreRetriever(store=store).invoke("Who is the mayor?")
    assert "Ada Berg" in found.page_content


def test_an_empty_store_says_that_it_holds_nothing_and_how_to_fill_it(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], changed_fact: Path, tmp_path: Path
) -> None:
    warn_once.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert FactStoreRetriever(store=empty_store()).invoke("Who is the mayor?") == []
    assert "holds nothing yet; fill it with" in caplog.text
    main(["facts", "add", str(tmp_path / "store"), str(changed_fact), "--dry-run"])
    capsys.readouterr()
    assert main(["facts", "search", str(tmp_path / "store"), "mayor", "--json"]) == 0
    shown = capsys.readouterr()
    assert "dateline facts add" in shown.err
    assert shown.out.strip() == "[]"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["doctr"], "no command 'doctr'; did you mean doctor?"),
        (["facts", "serch"], "no verb 'serch'; did you mean search?"),
    ],
)
def test_a_mistyped_command_or_verb_is_answered_with_the_one_that_was_meant(
    typed: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(typed) == 2
    assert meant in capsys.readouterr().err
