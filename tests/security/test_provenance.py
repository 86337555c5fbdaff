"""A document is believed for what loaded it, a clock for what the machine says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool

from dateline import BadInput, Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.search import FolderSearch
from dateline.temporal.as_of import read_moment
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import answer_graph, recall_facts
from dateline_graphs.components import default_components
from dateline_graphs.options import AnswerOptions
from langchain_dateline import FactStoreRetriever
from langchain_dateline.middleware import FactEdits
from langchain_dateline.testing import ScriptedChatModel, calls_tool

NOW = datetime(2024, 5, 1, tzinfo=UTC)
QUESTION = "Who is the mayor of Lundby?"
INES, JON = "The mayor of Lundby is Ines Maar.", "The mayor of Lundby is Jon Aske."


def empty(clock: Callable[[], datetime] = lambda: NOW) -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings(), clock=clock)


def note(text: str, when: str, **fields: Any) -> Evidence:
    return Evidence.make(text, published=Interval.parse(when), **fields)


def told(store: FactStore, **read: Any) -> list[str]:
    return [each.fact.text for each in store.search(QUESTION, **read)]


def known_when(store: FactStore) -> set[datetime]:
    return {entry.known_at for history in store.at("2030", which="any") for entry in history.entries}


# -- whose clock ------------------------------------------------------------------------------


def test_an_answer_asked_as_of_an_earlier_day_is_learnt_now() -> None:
    store, embeddings = empty(), LexicalEmbeddings()
    search = FolderSearch([note(INES, "2010-01-01")], embeddings=embeddings)
    components = default_components(search=search, options=AnswerOptions(), embeddings=embeddings)
    components = replace(components, updater=LocalUpdater(store), clock=lambda: NOW)
    graph = answer_graph(components).compile()
    report = graph.invoke({"question": QUESTION, "as_of": "2012"})["report"]
    assert report["facts"]["added"], report
    assert known_when(store) == {NOW}


def test_what_an_agent_reads_as_of_an_earlier_day_is_learnt_now() -> None:
    @tool
    def web_search(query: str) -> str:
        """Search the web."""
        return json.dumps([{"text": INES, "date": "2010-01-01"}, {"text": JON, "date": "2014-03-01"}])

    store = empty()
    model = ScriptedChatModel(replies=[calls_tool("web_search", query="mayor"), "Ines Maar."])
    agent = create_agent(model, [web_search], middleware=[FactEdits(LocalUpdater(store), clock=lambda: NOW)])
    agent.invoke({"messages": [("user", QUESTION)], "as_of": "2012"})
    assert [each.fact.text for each in store.at("2030", which="any")] == [INES]
    assert known_when(store) == {NOW}


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"])
def test_a_moment_outside_the_years_of_the_calendar_is_refused_in_a_sentence(moment: str) -> None:
    for given in (moment, datetime.fromisoformat(moment)):
        with pytest.raises(BadInput, match="1 to 9999"):
            read_moment(given, future_ok=True)
        with pytest.raises(BadInput, match="1 to 9999"):
            empty().search(QUESTION, as_of=given)


# -- documents of later days ------------------------------------------------------------------


def planned() -> FactStore:
    """A store with a fact of later days, as a developer may write one."""
    store = empty()
    LocalUpdater(store).update([note(INES, "2010-01-01")], known_at=NOW)
    LocalUpdater(store).update([note(JON, "9999-12-31")], known_at=datetime(9999, 12, 31, tzinfo=UTC))
    return store


def test_a_document_of_a_later_day_wins_no_read_that_names_no_day() -> None:
    from llama_index.retrievers.dateline import FactStoreRetriever as NodeRetriever

    store = planned()
    assert told(store) == [INES]
    assert [each.fact.text for each in store.at()] == [INES]
    found = FactStoreRetriever(store=store).invoke(QUESTION)
    assert [each.page_content for each in found] == [f"{INES} (true at 2010-01-01)"]
    assert [each.text for each in NodeRetriever(store).retrieve(QUESTION)] == [f"{INES} (true at 2010-01-01)"]
    ids = {history.fact.text: history.fact.id for history in store.at("9999-12-31", which="any")}
    assert store.true(ids[INES]) is True
    assert store.true(ids[JON]) is None
    assert [entry.true for entry in store.history(ids[INES]).entries] == [True]
    assert store.history(ids[JON]).entries == ()


def test_a_developer_who_names_a_later_day_reads_what_is_said_of_it() -> None:
    store = planned()
    assert told(store, as_of="9999-12-31") == [JON]
    (ended,) = [one for one in store.at("9999-12-31", which="any") if one.fact.text == INES]
    assert [entry.true for entry in store.history(ended.fact.id, as_of="9999-12-31").entries] == [True, False]


def test_a_node_reads_no_later_day_on_the_word_of_who_asks() -> None:
    node = recall_facts(planned())
    with pytest.raises(BadInput, match="later than now"):
        node.invoke({"question": QUESTION, "as_of": "9999-12-31"})
    assert [each["fact"] for each in node.invoke({"question": QUESTION})["recalled"]] == [INES]
