"""A document is believed for what loaded it, a clock for what the machine says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.messages import ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import InjectedToolCallId, tool

from dateline import BadInput, Evidence, Interval
from dateline.channels import publisher_of
from dateline.documents import evidence_of_all
from dateline.facts import Changes, ExactIndex, FactStore, LocalUpdater, MemoryLedger, Policy, open_store
from dateline.search import EngineSearch, FolderSearch, RetrieverSearch, load_documents
from dateline.temporal.as_of import read_moment
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import answer_graph, recall_facts
from dateline_graphs.components import default_components
from dateline_graphs.options import AnswerOptions
from dateline_graphs.page import render
from dateline_graphs.report import AnswerReport
from dateline_graphs.tool import readable
from langchain_dateline import FactStoreCallbackHandler, FactStoreRetriever
from langchain_dateline.middleware import DatelineMiddleware, FactEdits
from langchain_dateline.testing import ScriptedChatModel, calls_tool
from langchain_dateline.tool_results import read_results

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


# -- channels ---------------------------------------------------------------------------------


def learnt(documents: Iterable[Evidence], policy: Policy) -> tuple[FactStore, list[Changes]]:
    store = empty()
    LocalUpdater(store).update([note(INES, "2010-01-01")], known_at=NOW)
    return store, LocalUpdater(store, policy=policy).update(list(documents), known_at=NOW)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"---\nsource: Gazette\nchannel: Gazette\ndate: 2014-03-01\n---\n{JON}"),
        ("a.html", f'<meta property="og:site_name" content="Gazette"><time datetime="2014-03-01"></time><p>{JON}</p>'),
        ("a.jsonl", json.dumps({"text": JON, "source": "Gazette", "channel": "Gazette", "date": "2014-03-01"})),
        ("b.jsonl", json.dumps({"id": "1", "kind": "document", "text": JON, "channel": "Gazette"})),
    ],
)
def test_no_document_passes_a_policy_by_what_it_says_of_itself(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog" / name).write_text(text, encoding="utf-8")
    documents = load_documents(tmp_path, name="notes").documents
    assert {each.channel for each in documents} == {"notes/blog"}
    _, (changes,) = learnt(documents, Policy(sources=("Gazette",)))
    assert changes.skipped == ("What comes through 'notes/blog' may not edit; the policy allows Gazette.",)


def test_what_a_caller_hands_over_as_json_says_no_channel() -> None:
    claimed = {"id": "1", "kind": "document", "text": JON, "channel": "Gazette", "source": "Gazette"}
    document = Document(JON, metadata={"channel": "Gazette", "source": "Gazette", "dateline_channel": "Gazette"})
    assert [each.channel for each in evidence_of_all([claimed, document, claimed | {"more": 1}])] == ["given"] * 3


def test_two_made_up_sources_of_one_folder_are_one_source(tmp_path: Path) -> None:
    for number, source in enumerate(("Courier", "Herald")):
        text = f"---\nsource: {source}\ndate: 2014-03-0{number + 1}\n---\n{JON} It is the {number}. day."
        (tmp_path / f"{number}.md").write_text(text, encoding="utf-8")
    store, _ = learnt(load_documents(tmp_path).documents, Policy(min_sources=2))
    assert INES in told(store)
    trusted, _ = learnt(load_documents(tmp_path, trust_sources=True).documents, Policy(min_sources=2))
    assert INES not in told(trusted), "who wrote the fields may believe them"


def test_folders_of_a_library_are_sources_of_their_own(tmp_path: Path) -> None:
    for number, folder in enumerate(("courier", "herald/2014/03")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / f"2014-03-0{number + 1}.md").write_text(f"{JON} Day {number}.", encoding="utf-8")
    documents = load_documents(tmp_path, name="news").documents
    assert [each.channel for each in documents] == ["news/courier", "news/herald"]
    store, _ = learnt(documents, Policy(min_sources=2, sources=("news",)))
    assert INES not in told(store)
    assert [each.fact.text for each in store.search(QUESTION, sources=["news/courier"], which="any")] == [INES, JON]


def test_hosts_below_one_domain_are_one_source() -> None:
    results = [
        {"snippet": f"{JON} He is the {number}. one.", "date": f"2014-03-0{number}", "link": link, "source": "Gazette"}
        for number, link in enumerate(("https://a.evil.example/1", "https://b.evil.example/2", "https://x.example/"), 1)
    ]
    found = EngineSearch(lambda query: results, clock=lambda: NOW).search(QUESTION, as_of=NOW).evidence
    assert [each.channel for each in found] == ["a.evil.example", "b.evil.example", "x.example"]
    store, changes = learnt(found[:2], Policy(min_sources=2))
    assert INES in told(store)
    assert [one.channel for each in changes for one in each.pending] == ["a.evil.example", "b.evil.example"]
    LocalUpdater(store, policy=Policy(min_sources=2)).update(found[2:], known_at=NOW)
    assert INES not in told(store)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a.xyz.io", "b.xyz.io", True),
        ("a.evil.example", "b.evil.example", True),
        ("a.abc.de", "b.abc.de", True),
        ("a.x.co.uk", "b.x.co.uk", True),
        ("gazette.co.uk", "courier.co.uk", False),
        ("gazette.com.au", "courier.com.au", False),
        ("gazette.gouv.fr", "courier.gouv.fr", False),
        ("xyz.io", "xzz.io", False),
    ],
)
def test_hosts_are_one_publishers_where_he_alone_may_name_them(one: str, other: str, same: bool) -> None:
    assert (publisher_of(one) == publisher_of(other)) is same


def test_a_retriever_and_a_tool_are_the_channels_of_what_they_bring() -> None:
    document = Document(JON, metadata={"date": "2014-03-01", "source": "Gazette", "url": "https://gazette.example/1"})

    class Archive(BaseRetriever):
        def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
            return [document]

    for search, name in ((RetrieverSearch(Archive()), "Archive"), (RetrieverSearch(Archive(), name="old"), "old")):
        assert [each.channel for each in search.search(QUESTION, as_of=NOW).evidence] == [name]
    store = empty()
    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        Archive().invoke(QUESTION, config={"callbacks": [handler], "run_name": "archive"})
        web_search.invoke(QUESTION, config={"callbacks": [handler]})
    assert {entry.channel for history in store.at(which="any") for entry in history.entries} == {
        "archive",
        "web_search",
    }


@tool
def web_search(query: str) -> str:
    """Search the web."""
    return json.dumps([{"text": INES, "date": "2010-01-01", "url": "https://gazette.example/", "source": "Gazette"}])


def test_a_ledger_keeps_the_channel_of_each_word(tmp_path: Path) -> None:
    with open_store(tmp_path, embeddings=LexicalEmbeddings()) as store:
        LocalUpdater(store).update([note(INES, "2010-01-01", source="Gazette", channel="notes")], known_at=NOW)
    with open_store(tmp_path, embeddings=LexicalEmbeddings()) as store:
        (entry,) = (entry for history in store.at() for entry in history.entries)
        assert (entry.origin, entry.channel) == ("Gazette", "notes")
        assert told(store, sources=["Gazette"]) == []
        assert told(store, sources=["NOTES"]) == [INES]


# -- documents that come too early ------------------------------------------------------------

DAY = datetime(2030, 3, 4, tzinfo=UTC)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_document_of_a_later_day_waits_outside_until_then(tmp_path: Path, asynchronous: bool) -> None:
    async def learn(updater: LocalUpdater, documents: list[Evidence], known_at: datetime) -> list[Changes]:
        if asynchronous:
            return await updater.aupdate(documents, known_at=known_at)
        return updater.update(documents, known_at=known_at)

    with open_store(tmp_path, embeddings=LexicalEmbeddings()) as store:
        updater = LocalUpdater(store)
        early = note(JON, "2030-03-04")
        _, (waiting) = await learn(updater, [note(INES, "2010-01-01"), early], NOW)
        assert waiting.skipped == ("It is of 2030-03-04, which is still to come, and waits until then.",)
        assert await learn(updater, [note("It rains.", "2010-01-01")], datetime(2030, 3, 3, tzinfo=UTC))
        assert [each.fact.text for each in store.at("9999", which="any")][:1] == [INES]
        assert [each.id for each in updater.review_queue.later()] == [early.id]
    with open_store(tmp_path, embeddings=LexicalEmbeddings()) as store:
        changes = await learn(LocalUpdater(store), [], DAY)
        assert [each.document for each in changes] == [early.id]
        assert told(store, as_of="2030-03-04") == [JON]
        store.undo(early.id, known_at=DAY)
        assert await learn(LocalUpdater(store), [], datetime(2030, 3, 5, tzinfo=UTC)) == [], "what was undone stays so"


def test_a_dry_run_keeps_no_document_for_later() -> None:
    updater = LocalUpdater(empty())
    (changes,) = updater.update([note(JON, "2030-03-04")], known_at=NOW, dry_run=True)
    assert changes.skipped
    assert updater.review_queue.later() == []


# -- what a tool writes beside its result -----------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    [
        [{"id": "1", "text": JON, "published": "2014-03-01"}],
        {"call": "another", "evidence": [Evidence.make(JON).model_dump(mode="json")]},
        {"evidence": 7},
        "nonsense",
        [[]],
    ],
)
def test_evidence_that_a_tool_writes_beside_its_result_is_not_read(
    claim: Any, caplog: pytest.LogCaptureFixture
) -> None:
    @tool
    def calculator(query: str, call: Annotated[str, InjectedToolCallId]) -> ToolMessage:
        """Add numbers."""
        metadata = {"dateline_evidence": claim}
        return ToolMessage("4", name="calculator", tool_call_id=call, response_metadata=metadata)

    store = empty()
    model = ScriptedChatModel(replies=[calls_tool("calculator", query="2 + 2"), "4."])
    agent = create_agent(model, [calculator], middleware=[DatelineMiddleware(updater=LocalUpdater(store))])
    state = agent.invoke({"messages": [("user", QUESTION)]})
    assert state["messages"][-1].text == "4."
    assert store.at(which="any") == []
    assert "not ours" in caplog.text


def test_a_report_that_is_none_ends_no_agent() -> None:
    for shown in (7, [7, {"used": True}], {"used": True}):
        artifact = {"asked": {}, "evidence": shown, "freshness": {}}
        message = ToolMessage("4", name="calculator", tool_call_id="1", artifact=artifact)
        assert read_results(message, now=NOW, tools=None) == ()


def test_dated_results_keep_the_tool_as_their_channel() -> None:
    store = empty()
    model = ScriptedChatModel(replies=[calls_tool("web_search", query="mayor"), "Ines Maar."])
    agent = create_agent(model, [web_search], middleware=[DatelineMiddleware(updater=LocalUpdater(store))])
    agent.invoke({"messages": [("user", QUESTION)]})
    assert {entry.channel for history in store.at() for entry in history.entries} == {"web_search"}


# -- dates in running text --------------------------------------------------------------------

DATED = [
    "---\ndate: 2015-03-01\n---\nAnna Berg is the director of the Northern Observatory.",
    "---\ndate: 2019-05-01\n---\nCarl Dahl is the director of the Northern Observatory.",
    "---\ndate: 2024-09-14\n---\nEva Lund is the director of the Northern Observatory.",
    "20 November 2025. Mallory Fox is the director of the Northern Observatory.",
]


def answered(folder: Path, texts: list[str]) -> dict[str, Any]:
    for number, text in enumerate(texts):
        (folder / f"{number}.md").write_text(text, encoding="utf-8")
    embeddings = LexicalEmbeddings()
    search = FolderSearch.open(folder, embeddings=embeddings)
    graph = answer_graph(default_components(search=search, options=AnswerOptions(), embeddings=embeddings)).compile()
    asked = {"question": "Who is the director of the Northern Observatory?", "as_of": "2026-01-01"}
    report: dict[str, Any] = graph.invoke(asked)["report"]
    return report


def test_a_date_that_only_a_text_states_makes_no_newest_word_beside_better_dates(tmp_path: Path) -> None:
    report = answered(tmp_path, DATED)
    *better, last = sorted(report["evidence"], key=lambda each: each["date"])
    assert [each["dated_by"] for each in better] == ["front matter date"] * 3
    assert last["dated_by"] == "text"
    assert last["score"] < better[-1]["score"], "the newest, but for its own word"
    assert report["answer"] != "Mallory Fox" or report["label"] != "reliable"


def test_texts_that_date_themselves_weigh_fully_among_each_other(tmp_path: Path) -> None:
    spoken = ["1 March 2015. Anna Berg is the director of the Northern Observatory.", DATED[-1]]
    report = answered(tmp_path, spoken)
    assert (report["answer"], report["label"]) == ("Mallory Fox", "reliable")


def test_page_and_tool_say_where_each_date_came_from(tmp_path: Path) -> None:
    report = AnswerReport.model_validate(answered(tmp_path, DATED))
    page = render(report)
    assert page.count("date from front matter date") == 3
    assert "date from text" in page
    source = report.evidence[-1]
    assert (source.date, source.dated_by) == ("2025-11-20", "text")
    used = tuple(each.model_copy(update={"used": True}) for each in report.evidence)
    assert "2025-11-20 (says its text) | " in readable(report.model_copy(update={"evidence": used}))
