"""The update graph: documents change facts, and a person decides about the edits that wait for one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command

from dateline import BadInput, Candidate, Evidence, Interval, Reading
from dateline.facts import (
    ChatUpdater,
    ExactIndex,
    FactSearch,
    FactStore,
    LocalUpdater,
    MemoryLedger,
    Policy,
    Updater,
    open_store,
)
from dateline.search import load_documents
from dateline.testing import FixedSearch, ReadingEstimator, ScriptedReader
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions, UpdateFactsOptions, answer_graph, toolbox, update_facts_graph
from dateline_graphs.components import default_components, updater_for
from dateline_graphs.passages import read_passages
from langchain_dateline.testing import ScriptedChatModel

ANNA = {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"}
CARL = {"text": "Carl Dahl is the director of the Northern Observatory.", "published": "2021-09-14"}
CONFIG: Any = {"configurable": {"thread_id": "t"}}
ASK_ALL = Policy(interrupt_on=("make_false", "rewrite"))


@pytest.fixture
def store() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())


def director(store: FactStore, year: str) -> list[str]:
    return sorted(found.fact.text.split(" is ")[0] for found in store.at(Interval.parse(year)))


def chat(store: FactStore, policy: Policy | None = None) -> ChatUpdater:
    false = {"fact": "F1", "verdict": "make false", "because": ["S1"], "new": [], "into": ""}
    replies = [
        json.dumps({"facts": [ANNA["text"]]}),
        json.dumps({"facts": [CARL["text"]]}),
        json.dumps({"verdicts": [false]}),
        json.dumps({"verdicts": [{**false, "into": CARL["text"]}]}),
    ]
    return ChatUpdater(store, ScriptedChatModel(replies=replies), policy=policy)


MAKERS: list[Callable[[FactStore, Policy | None], Updater]] = [
    lambda store, policy: LocalUpdater(store, policy=policy),
    chat,
]


@pytest.mark.parametrize("make", MAKERS, ids=["local", "chat"])
def test_documents_are_taken_in_oldest_first(store: FactStore, make: Callable[..., Updater]) -> None:
    graph = update_facts_graph(make(store, None)).compile()
    report = graph.invoke({"documents": [CARL, ANNA]})["report"]
    assert director(store, "2018") == ["Anna Berg"]
    assert director(store, "2022") == ["Carl Dahl"]
    assert len(report["summary"]) == 2


def test_a_folder_is_learnt_as_it_was_loaded(store: FactStore, tmp_path: Path) -> None:
    for each in (ANNA, CARL):
        (tmp_path / f"{each['published']}.md").write_text(each["text"], encoding="utf-8")
    graph = update_facts_graph(LocalUpdater(store)).compile()
    report = graph.invoke({"documents": load_documents(tmp_path)})["report"]
    assert len(report["summary"]) == 2
    assert director(store, "2018") == ["Anna Berg"]
    assert director(store, "2022") == ["Carl Dahl"]


def test_a_document_from_before_some_day_is_older_than_all_that_begin_on_one(store: FactStore) -> None:
    ended, old = Interval(None, 0), Interval.parse("1965-03-02")
    before = Evidence.make("Ada Lund is the director of the Northern Observatory.", published=ended)
    anna = Evidence.make(ANNA["text"], published=old)
    report = update_facts_graph(LocalUpdater(store)).compile().invoke({"documents": [CARL, anna, before]})["report"]
    assert [each["changes"][0]["fact"]["text"].split()[0] for each in report["changes"]] == ["Ada", "Anna", "Carl"]


@pytest.mark.parametrize("make", MAKERS, ids=["local", "chat"])
async def test_the_graph_runs_asynchronously(store: FactStore, make: Callable[..., Updater]) -> None:
    await update_facts_graph(make(store, None)).compile().ainvoke({"documents": [ANNA, CARL]})
    assert director(store, "2022") == ["Carl Dahl"]


def stopped(graph: Any) -> dict[str, Any]:
    graph.invoke({"documents": [ANNA, CARL]}, CONFIG)
    (interrupt,) = graph.get_state(CONFIG).interrupts
    payload: dict[str, Any] = interrupt.value
    return payload


@pytest.mark.parametrize("make", MAKERS, ids=["local", "chat"])
def test_an_edit_that_waits_can_be_read_and_lands_when_approved(store: FactStore, make: Callable[..., Updater]) -> None:
    graph = update_facts_graph(make(store, ASK_ALL)).compile(checkpointer=InMemorySaver())
    payload = stopped(graph)
    (edit,) = payload["edits"]
    assert edit["fact"] == ANNA["text"]
    assert (edit["before"], edit["after"]) == ("true since 2015-03-02", "false from 2021-09-14 on")
    assert json.loads(json.dumps(payload)) == payload
    assert "Anna Berg" in director(store, "2022")
    report = graph.invoke(Command(resume="approve"), CONFIG)["report"]
    assert director(store, "2022") == ["Carl Dahl"]
    assert len(report["changes"]) == 3


@pytest.mark.parametrize("make", MAKERS, ids=["local", "chat"])
def test_a_rejected_edit_never_lands_not_even_when_the_document_comes_again(
    store: FactStore, make: Callable[..., Updater]
) -> None:
    graph = update_facts_graph(make(store, ASK_ALL)).compile(checkpointer=InMemorySaver())
    stopped(graph)
    graph.invoke(Command(resume={"decision": "reject", "reason": "a hoax"}), CONFIG)
    assert "Anna Berg" in director(store, "2022")
    again = update_facts_graph(make(store, ASK_ALL)).compile(checkpointer=InMemorySaver())
    report = again.invoke({"documents": [CARL]}, CONFIG)["report"]
    assert report["changes"][0]["pending"] == []
    assert "Anna Berg" in director(store, "2022")


def test_a_person_may_change_what_takes_the_place_of_a_fact(store: FactStore) -> None:
    graph = update_facts_graph(chat(store, ASK_ALL)).compile(checkpointer=InMemorySaver())
    (edit,) = stopped(graph)["edits"]
    graph.invoke(Command(resume=[{**edit, "into": "Carl Dahl directs the Northern Observatory."}]), CONFIG)
    assert director(store, "2022") == ["Carl Dahl directs the Northern Observatory."]


def test_an_answer_that_cannot_be_read_is_asked_for_again_with_the_reason(store: FactStore) -> None:
    graph = update_facts_graph(LocalUpdater(store, policy=ASK_ALL)).compile(checkpointer=InMemorySaver())
    stopped(graph)
    graph.invoke(Command(resume="perhaps"), CONFIG)
    (interrupt,) = graph.get_state(CONFIG).interrupts
    assert "perhaps" in interrupt.value["problem"]
    graph.invoke(Command(resume=[{"id": "nosuchedit"}]), CONFIG)
    (interrupt,) = graph.get_state(CONFIG).interrupts
    assert "nosuchedit" in interrupt.value["problem"]
    graph.invoke(Command(resume="approve"), CONFIG)
    assert director(store, "2022") == ["Carl Dahl"]


def test_an_answer_that_cannot_be_carried_out_is_asked_for_again_and_the_thread_goes_on(store: FactStore) -> None:
    updater = LocalUpdater(store, policy=Policy(interrupt_on=("add",)))
    graph = update_facts_graph(updater).compile(checkpointer=InMemorySaver())
    graph.invoke({"documents": [ANNA]}, CONFIG)
    (interrupt,) = graph.get_state(CONFIG).interrupts
    graph.invoke(Command(resume=[{**interrupt.value["edits"][0], "fact": " "}]), CONFIG)
    (interrupt,) = graph.get_state(CONFIG).interrupts
    assert "needs a statement" in interrupt.value["problem"]
    assert store.at() == []
    graph.invoke(Command(resume="approve"), CONFIG)
    assert director(store, "2016") == ["Anna Berg"]


def test_a_run_that_waits_survives_the_process(tmp_path: Path) -> None:
    def graph_of(store: FactStore, saver: SqliteSaver) -> Any:
        return update_facts_graph(LocalUpdater(store, policy=ASK_ALL)).compile(checkpointer=saver)

    with (
        open_store(tmp_path / "facts", embeddings=LexicalEmbeddings()) as kept,
        SqliteSaver.from_conn_string(str(tmp_path / "run.sqlite")) as saver,
    ):
        stopped(graph_of(kept, saver))
    with (
        open_store(tmp_path / "facts", embeddings=LexicalEmbeddings()) as kept,
        SqliteSaver.from_conn_string(str(tmp_path / "run.sqlite")) as saver,
    ):
        graph_of(kept, saver).invoke(Command(resume="approve"), CONFIG)
        assert director(kept, "2022") == ["Carl Dahl"]


def test_edits_behind_an_answer_wait_for_a_person_too(store: FactStore) -> None:
    LocalUpdater(store).update([Evidence.make(ANNA["text"], published=Interval.parse("2015"))], known_at=NOW)
    piece = Evidence.make(CARL["text"], published=Interval.parse("2021-09-14"))
    candidate = Candidate(answer="Carl Dahl", probability=0.95, evidence_ids=(piece.id,))
    reading = Reading(answer="Carl Dahl", probability=0.95, evidence_ids=(piece.id,), candidates=(candidate,))
    parts = replace(
        default_components(search=FixedSearch([piece]), options=AnswerOptions()),
        reader=ScriptedReader([reading]),
        estimator=ReadingEstimator(),
        updater=LocalUpdater(store, policy=ASK_ALL),
        clock=lambda: NOW,
    )
    graph = answer_graph(parts).compile(checkpointer=InMemorySaver())
    graph.invoke({"question": "Who is the director of the Northern Observatory?"}, CONFIG)
    (interrupt,) = graph.get_state(CONFIG).interrupts
    assert [edit["fact"] for edit in interrupt.value["edits"]] == [ANNA["text"]]
    report = graph.invoke(Command(resume="approve"), CONFIG)["report"]
    assert len(report["facts"]["added"]) == len(report["facts"]["made_false"]) == 1
    assert report["answer"] == "Carl Dahl"


def test_facts_behind_an_answer_are_undone_with_their_document(store: FactStore) -> None:
    told = Evidence.make(CARL["text"], published=Interval.parse("2021-09-14"))
    updater = LocalUpdater(store)
    updater.update([told], known_at=NOW)
    (fact,) = store.at(NOW)
    reading = Reading(answer="Carl Dahl", probability=0.95, evidence_ids=(fact.fact.id,))
    parts = replace(
        default_components(search=FactSearch(store), options=AnswerOptions()),
        reader=ScriptedReader([reading]),
        estimator=ReadingEstimator(),
        updater=updater,
        clock=lambda: NOW,
    )
    report = answer_graph(parts).compile().invoke({"question": "Who is the director of the Northern Observatory?"})
    assert [each["id"] for each in report["report"]["evidence"] if each["used"]] == [fact.fact.id]
    store.undo(told.id, known_at=NOW)
    assert store.at(NOW) == []


NOW = datetime(2024, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "options", "expected"),
    [
        ({}, {}, "nothing to learn from"),
        ({"documents": [{"text": " "}]}, {}, "needs a text"),
        ({"documents": [{"text": "A.", "published": "2023-02-30"}]}, {}, "2023-02-30"),
        ({"documents": [{"text": "A.", "date": "2023-02-30"}]}, {}, "2023-02-30"),
        ({"documents": [ANNA]}, {}, "No fact store"),
        ({"documents": [ANNA]}, {"facts": "x", "updater": "chat"}, "needs a model"),
        ({"documents": [ANNA]}, {"facts": "x", "updater": "magic"}, "magic"),
        (
            {"documents": [ANNA]},
            {"interrupt_on": ["guess"]},
            "interrupt_on must be a list of add, reinforce, make_false, rewrite; 'guess' is none",
        ),
        ({"documents": [ANNA]}, {"min_sources": 0}, "min_sources must be a whole number of 1 or more, not 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(asked: Any, options: Any, expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        update_facts_graph().compile().invoke(asked, context=UpdateFactsOptions(**options))


def test_an_updater_of_an_unknown_name_is_refused_before_a_store_is_opened() -> None:
    name: Any = "locl"
    with pytest.raises(BadInput, match="Unknown updater 'locl'; choose one of local, chat"):
        updater_for(name, model="", policy=Policy(), store=lambda: pytest.fail("opened"))


def test_options_make_an_updater_and_a_store(tmp_path: Path) -> None:
    context = UpdateFactsOptions(facts=str(tmp_path / "facts"))
    update_facts_graph().compile().invoke({"documents": [ANNA]}, context=context)
    assert (tmp_path / "facts" / "facts.db").is_file()


def test_the_store_learns_when_the_clock_says_so_and_no_input_can(store: FactStore) -> None:
    graph = update_facts_graph(LocalUpdater(store), clock=lambda: NOW).compile()
    with pytest.raises(BadInput, match="has no 'known_at'"):
        graph.invoke({"documents": [ANNA], "known_at": "1999-01-01"})  # type: ignore[typeddict-unknown-key]
    assert not list(store.ledger.operations())
    graph.invoke({"documents": [ANNA]})
    assert {entry.operation.known_at for entry in store.ledger.operations()} == {NOW}


@pytest.mark.parametrize("as_list", [False, True], ids=["approved", "listed"])
def test_an_edit_that_came_to_wait_after_a_review_stopped_is_not_decided_with_it(
    store: FactStore, as_list: bool
) -> None:
    updater = LocalUpdater(store, policy=Policy(interrupt_on=("add",)))
    updater.update(read_passages([ANNA]), known_at=NOW)
    graph = update_facts_graph(updater).compile(checkpointer=InMemorySaver())
    (stopped,) = graph.invoke({"review": True}, CONFIG)["__interrupt__"]
    later = {"text": "Eva Lind is the mayor of Lund.", "published": "2020-05-01"}
    updater.update(read_passages([later]), known_at=NOW)
    graph.invoke(Command(resume=stopped.value["edits"] if as_list else "approve"), CONFIG)
    assert director(store, "2016") == ["Anna Berg"]
    (waits,) = updater.review_queue.pending("person")
    assert waits.readable()["fact"] == later["text"]


def test_an_answer_resumed_without_its_store_is_refused_and_waits_for_it(store: FactStore) -> None:
    piece = Evidence.make(CARL["text"], published=Interval.parse("2021-09-14"))
    parts = replace(
        default_components(search=FixedSearch([piece]), options=AnswerOptions()),
        reader=ScriptedReader([Reading(answer="Carl Dahl", probability=0.95, evidence_ids=(piece.id,))]),
        estimator=ReadingEstimator(),
        updater=LocalUpdater(store, policy=Policy(interrupt_on=("add",))),
        clock=lambda: NOW,
    )
    saver = InMemorySaver()
    graph = answer_graph(parts).compile(checkpointer=saver)
    graph.invoke({"question": "Who is the director of the Northern Observatory?"}, CONFIG)
    with pytest.raises(BadInput, match="resume it with the same store"):
        answer_graph(replace(parts, updater=None)).compile(checkpointer=saver).invoke(Command(resume="approve"), CONFIG)
    graph.invoke(Command(resume="approve"), CONFIG)
    assert director(store, "2022") == ["Carl Dahl"]


def test_a_person_reviews_everything_that_waits(store: FactStore) -> None:
    LocalUpdater(store, policy=ASK_ALL).update(read_passages([ANNA, CARL]), known_at=NOW)
    graph = update_facts_graph(LocalUpdater(store, policy=ASK_ALL)).compile(checkpointer=InMemorySaver())
    (stopped,) = graph.invoke({"review": True}, CONFIG)["__interrupt__"]
    assert [edit["fact"] for edit in stopped.value["edits"]] == [ANNA["text"]]
    graph.invoke(Command(resume="approve"), CONFIG)
    assert director(store, "2022") == ["Carl Dahl"]
    assert graph.invoke({"review": True}, CONFIG)["report"]["changes"] == []


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_review_that_somebody_else_resumes_decides_nothing_and_can_be_begun_again(
    store: FactStore, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    def graph_of(name: str) -> Any:
        server = SimpleNamespace(user=SimpleNamespace(identity=name))
        monkeypatch.setattr("langchain_dateline.approval.get_runtime", lambda: SimpleNamespace(server_info=server))
        return graph

    policy = ASK_ALL.model_copy(update={"approvers": ("ann",)})
    LocalUpdater(store, policy=policy).update(read_passages([ANNA, CARL]), known_at=NOW)
    graph = update_facts_graph(LocalUpdater(store, policy=policy)).compile(checkpointer=InMemorySaver())
    graph_of("ann").invoke({"review": True}, CONFIG)
    assert graph_of("bob").invoke(Command(resume=answer), CONFIG)["report"]["changes"] == []
    assert "Anna Berg" in director(store, "2022")
    graph_of("ann").invoke({"review": True}, CONFIG)
    assert "Anna Berg" in director(store, "2022")
    graph_of("ann").invoke(Command(resume="approve"), CONFIG)
    assert director(store, "2022") == ["Carl Dahl"]


def test_a_store_of_options_reads_documents_by_attributes_of_one_s_own(tmp_path: Path) -> None:
    pack, folder = tmp_path / "slots.toml", str(tmp_path / "facts")
    pack.write_text('[mentor]\nvalues = "one"\nverbs = ["learns from"]\nshape = "person"\n', encoding="utf-8")
    context = UpdateFactsOptions(facts=folder, slots=str(pack))
    told = {"text": "Ada learns from Jon.", "published": "2020"}
    update_facts_graph().compile().invoke({"documents": [told]}, context=context)
    queue = toolbox(AnswerOptions(facts=folder, slots=str(pack))).facts
    assert queue is not None
    assert queue.store.value("Ada", attribute="mentor", as_of="2024").value == "Jon"
