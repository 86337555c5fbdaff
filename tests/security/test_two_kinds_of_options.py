"""Two kinds of options: what a client sends are questions, bounded numbers and names; the rest is the server's."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from dateline import BadInput, StoreFailed, databases
from dateline.facts import open_store
from dateline.facts.policy import EditKind, Policy
from dateline.search.index import FolderIndex
from dateline.text import default_embeddings
from dateline_bench.grow_graph import GrowInput
from dateline_bench.studio import GrowRequest
from dateline_graphs import AnswerOptions, GenerateOptions, SelfMragOptions, UpdateFactsOptions
from dateline_graphs.answer import answer_graph
from dateline_graphs.components import shared_embeddings
from dateline_graphs.generate import GenerateInput
from dateline_graphs.kit import Entrance
from dateline_graphs.options import GraphOptions
from dateline_graphs.self_mrag import SelfMragInput
from dateline_graphs.server import Access, ServerConfig
from dateline_graphs.server.options import AnswerRequest, GenerateRequest, SelfMragRequest, UpdateFactsRequest
from dateline_graphs.state import AnswerInput
from dateline_graphs.update_facts import UpdateFactsInput, update_facts_graph
from langchain_dateline.testing import AnsweringChatModel

ANNA = {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"}
CARL = {"text": "Carl Dahl is the director of the Northern Observatory.", "published": "2021-09-14"}
WHO = {"question": "Who is the director of the Northern Observatory?", "as_of": "2022"}
REQUESTS: list[type[GraphOptions]] = [AnswerRequest, SelfMragRequest, GenerateRequest, UpdateFactsRequest, GrowRequest]
OWNED = {
    "docs",
    "search",
    "facts",
    "slots",
    "updater",
    "address",
    "path",
    "url",
    "approvers",
    "users",
    "known_at",
    "clock",
}
USERS = {"ann": {"token": "a", "roles": ["desk"]}, "bob": {"token": "b"}, "eve": {"token": "e"}}


class Visitor:
    """Whoever asks at the moment, as the server of LangGraph hands on whom it authenticated."""

    name = "ann"

    @property
    def identity(self) -> str:
        return self.name


@pytest.fixture
def visitor() -> Visitor:
    return Visitor()


@pytest.fixture
def config(tmp_path: Path) -> dict[str, Any]:
    for name, note in (("notes", CARL), ("diary", ANNA)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{note['published']}.md").write_text(note["text"], encoding="utf-8")
    return {
        "users": USERS,
        "libraries": {
            "notes": {"path": tmp_path / "notes"},
            "diary": {"path": tmp_path / "diary", "users": ["ann"]},
            "gone": {"path": tmp_path / "gone", "users": ["ann"]},
        },
        "stores": {"team": {"address": str(tmp_path / "team"), "users": ["desk", "bob"], "approvers": ["desk"]}},
    }


def access_of(config: dict[str, Any]) -> Access:
    return Access(ServerConfig(**config))


def asking(access: Access) -> Any:
    entrance = Entrance(AnswerRequest, access.components, access.admission(AnswerInput), access.guard)
    return answer_graph(entrance=entrance).compile(checkpointer=InMemorySaver())


def learning(access: Access) -> Any:
    entrance = Entrance(UpdateFactsRequest, access.updater, access.admission(UpdateFactsInput), access.guard)
    return update_facts_graph(entrance=entrance).compile(checkpointer=InMemorySaver())


def run_of(visitor: Visitor, name: str = "1") -> Any:
    return {"configurable": {"thread_id": name, "langgraph_auth_user": visitor}}


# -- what can be said at all ----------------------------------------------------------------------


@pytest.mark.parametrize("request_", REQUESTS)
def test_no_client_says_a_path_an_address_or_a_clock(request_: type[GraphOptions]) -> None:
    assert not OWNED & set(request_.model_fields)
    for name in ("docs", "facts", "updater", "search", "address", "approvers"):
        with pytest.raises(BadInput, match=f"{request_.__name__} has no '{name}'"):
            request_(**{name: "/etc"})


@pytest.mark.parametrize("inputs", [AnswerInput, SelfMragInput, GenerateInput, UpdateFactsInput, GrowInput])
def test_no_input_of_a_graph_names_a_folder_or_a_time_of_knowledge(inputs: type) -> None:
    assert not {"docs", "docs_before", "known_at", "path", "facts"} & set(inputs.__annotations__)


@pytest.mark.parametrize(
    ("own", "request_"),
    [
        (AnswerOptions, AnswerRequest),
        (SelfMragOptions, SelfMragRequest),
        (GenerateOptions, GenerateRequest),
        (UpdateFactsOptions, UpdateFactsRequest),
    ],
)
def test_what_both_kinds_hold_is_one_definition_with_bounds(
    own: type[GraphOptions], request_: type[GraphOptions]
) -> None:
    shared = set(own.model_fields) & set(request_.model_fields) - {"model"}
    assert shared
    for name in shared:
        assert repr(own.model_fields[name]) == repr(request_.model_fields[name])


def test_a_model_is_a_name_out_of_the_configuration(config: dict[str, Any], visitor: Visitor, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    config["models"] = {"small": {"name": str(tmp_path / "model"), "users": ["bob"]}}
    access = Access(ServerConfig(**config), identity=lambda: visitor.name)
    for name in ("openai:gpt-4o-mini", str(tmp_path / "model"), "small"):
        with pytest.raises(BadInput, match=r"There is no model .* for you; dateline.toml on the server names"):
            access.generator(GenerateRequest(model=name, library="notes"))
    visitor.name = "bob"
    assert access.model("small") == str(tmp_path / "model")
    assert access.model("") == str(tmp_path / "model")


# -- names ----------------------------------------------------------------------------------------


def test_a_wrong_name_a_name_of_somebody_else_and_a_broken_one_are_refused_alike(
    config: dict[str, Any], visitor: Visitor
) -> None:
    visitor.name = "eve"
    graph = asking(access_of(config))
    said = set()
    for kind, name in (("library", "nobody"), ("library", "diary"), ("library", "gone"), ("library", "../diary")):
        with pytest.raises(BadInput) as refused:
            graph.invoke(WHO, run_of(visitor, name), context={kind: name})
        said.add(str(refused.value).replace(repr(name), "NAME"))
    assert said == {"There is no library NAME for you; choose among notes."}


def test_a_library_that_breaks_later_tells_its_owner_no_path(config: dict[str, Any], visitor: Visitor) -> None:
    graph = asking(access_of(config))
    path = config["libraries"]["diary"]["path"]
    shutil.rmtree(path)
    path.write_bytes(b"of another kind")
    with pytest.raises(BadInput) as refused:
        graph.invoke(WHO, run_of(visitor), context={"library": "diary"})
    assert str(refused.value) == "There is no library 'diary' for you; choose among notes."


def test_no_path_of_the_server_is_in_an_answer(config: dict[str, Any], visitor: Visitor, tmp_path: Path) -> None:
    graph = asking(access_of(config))
    state = graph.invoke(WHO, run_of(visitor), context={"library": "notes", "store": "team"})
    assert state["report"]["answer"] == "Carl Dahl"
    assert str(tmp_path) not in json.dumps([each.values for each in graph.get_state_history(run_of(visitor))])


def test_without_a_name_the_only_library_is_searched(config: dict[str, Any], visitor: Visitor) -> None:
    graph = asking(access_of(config))
    with pytest.raises(BadInput, match=r"Name a library: notes, diary\."):
        graph.invoke(WHO, run_of(visitor), context={})
    visitor.name = "eve"
    assert graph.invoke(WHO, run_of(visitor, "2"), context={})["report"]["answer"] == "Carl Dahl"
    assert graph.invoke(WHO, run_of(visitor, "3"))["report"]["answer"] == "Carl Dahl"


def test_without_a_configuration_nothing_is_searched(visitor: Visitor) -> None:
    with pytest.raises(
        BadInput, match=r"There is no library for you; dateline.toml on the server names what there is."
    ):
        asking(Access(ServerConfig())).invoke(WHO, run_of(visitor))


def test_a_store_that_cannot_be_opened_tells_no_address(visitor: Visitor, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    addresses = ("postgresql+psycopg://me:hunter2@127.0.0.1:1/facts", str(tmp_path / "file"), "nosuch+driver://hunter2")
    for address in addresses:
        graph = learning(Access(ServerConfig(stores={"team": {"address": address}})))
        with pytest.raises(BadInput) as refused:
            graph.invoke({"documents": [ANNA]}, run_of(visitor))
        assert str(refused.value) == "There is no store for you; dateline.toml on the server names what there is."


@pytest.mark.parametrize("context", [{}, {"store": "team"}], ids=str)
def test_a_store_that_fails_in_a_run_tells_its_name_alone(
    visitor: Visitor, tmp_path: Path, context: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    graph = learning(Access(ServerConfig(stores={"team": {"address": str(tmp_path / "team")}})))  # type: ignore[dict-item]
    graph.invoke({"documents": [ANNA]}, run_of(visitor), context=context)
    shutil.rmtree(tmp_path / "team")
    with pytest.raises(StoreFailed) as refused:
        graph.invoke({"documents": [CARL]}, run_of(visitor, "2"), context=context)
    assert str(refused.value) == "The store 'team' cannot be used now."
    assert "no longer the file" in caplog.text


async def test_a_library_that_fails_in_a_run_tells_its_name_alone(
    visitor: Visitor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "2021-09-14.md").write_text(CARL["text"], encoding="utf-8")
    place = tmp_path / "notes.index"
    index = FolderIndex(tmp_path / "notes", embeddings=shared_embeddings(), output=place, name="notes")
    index.update()
    graph = asking(Access(ServerConfig(libraries={"notes": {"path": place}})))  # type: ignore[dict-item]
    assert graph.invoke(WHO, run_of(visitor))["report"]["answer"] == "Carl Dahl"
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("DELETE FROM vectors")
        connection.commit()
    other = {**WHO, "question": "Who directs the Northern Observatory of the town?"}
    with index.store.writing():
        with pytest.raises(StoreFailed) as refused:
            graph.invoke(other, run_of(visitor, "2"))
        with pytest.raises(StoreFailed) as awaited:
            await graph.ainvoke(other, run_of(visitor, "3"))
    assert {str(refused.value), str(awaited.value)} == {"The library 'notes' cannot be used now."}
    assert "notes.index" in caplog.text


async def test_a_store_that_fails_under_a_tool_tells_its_name_alone(tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    from dateline_graphs.mcp import ServedTools

    served = ServedTools(ServerConfig(stores={"team": {"address": str(tmp_path / "team")}}))  # type: ignore[dict-item]
    ada = {"subject": "Ada Berg", "attribute": "residence"}
    await served.call("remember", {**ada, "value": "Porto", "since": "2019"}, user="studio")
    shutil.rmtree(tmp_path / "team")
    for name, told in (("remember", {**ada, "value": "Rome"}), ("history", ada)):
        with pytest.raises(StoreFailed) as refused:
            await served.call(name, told, user="studio")
        assert str(refused.value) == "The store 'team' cannot be used now."


@pytest.mark.timeout(60)
def test_a_database_that_says_nothing_keeps_no_other_store_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setattr(databases, "CONNECT_SECONDS", 6)
    with socket.create_server(("127.0.0.1", 0)) as silent, ThreadPoolExecutor(1) as threads:
        far = f"postgresql://me@127.0.0.1:{silent.getsockname()[1]}/facts"
        stores = {"far": {"address": far}, "team": {"address": str(tmp_path / "team")}}
        access = Access(ServerConfig(stores=stores), identity=lambda: "studio")  # type: ignore[arg-type]
        near = access.updater(UpdateFactsRequest(store="team"))
        waiting = threads.submit(access.updater, UpdateFactsRequest(store="far"))
        silent.settimeout(10)
        accepted, _ = silent.accept()
        assert access.updater(UpdateFactsRequest(store="team")).review_queue.store is near.review_queue.store
        assert not waiting.done(), "the other one is still waited for"
        with pytest.raises(BadInput, match="There is no store"):
            waiting.result(30)
        accepted.close()


def test_each_user_has_a_store_of_the_own(visitor: Visitor, tmp_path: Path) -> None:
    config = {"users": USERS, "stores": {"own": {"address": str(tmp_path / "own"), "per_user": True}}}
    graph = learning(access_of(config))
    learnt = []
    for name in ("ann", "bob"):
        visitor.name = name
        learnt.append(graph.invoke({"documents": [ANNA]}, run_of(visitor, name))["report"]["summary"])
    assert all("1 added" in summary[0] for summary in learnt)
    visitor.name = ""
    with pytest.raises(BadInput, match="There is no store for you"):
        graph.invoke({"documents": [ANNA]}, run_of(visitor, "nobody"))


@pytest.mark.parametrize("claim", ["ann", {"identity": "ann"}, None], ids=str)
async def test_only_the_server_says_who_asks(config: dict[str, Any], visitor: Visitor, claim: Any) -> None:
    graph = asking(access_of(config))
    context = {"library": "diary"}
    assert graph.invoke(WHO, run_of(visitor), context=context)["report"]["answer"] == "Anna Berg"
    assert (await graph.ainvoke(WHO, run_of(visitor, "2"), context=context))["report"]["answer"] == "Anna Berg"
    visitor.name = "eve"
    claimed = {"configurable": {"thread_id": "4", "langgraph_auth_user": claim, "langgraph_auth_user_id": "ann"}}
    for config_ in (run_of(visitor, "3"), claimed):
        with pytest.raises(BadInput, match="There is no library 'diary' for you"):
            graph.invoke(WHO, config_, context=context)
        with pytest.raises(BadInput, match="There is no library 'diary' for you"):
            await graph.ainvoke(WHO, config_, context=context)


def test_a_model_that_cannot_be_read_tells_no_path(config: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "model").mkdir()
    access = Access(ServerConfig(**config, models={"local": {"name": str(tmp_path / "model")}}), identity=lambda: "eve")
    with pytest.raises(BadInput) as refused:
        access.generator(GenerateRequest())("Who?")
    assert str(refused.value) == "There is no model for you; dateline.toml on the server names what there is."


@pytest.mark.parametrize("make", [Access.components, Access.reader])
def test_a_model_that_cannot_be_read_later_tells_no_path(
    config: dict[str, Any], tmp_path: Path, make: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "model").mkdir()
    access = Access(ServerConfig(**config, models={"local": {"name": str(tmp_path / "model")}}), identity=lambda: "eve")
    request = AnswerRequest(model="local") if make is Access.components else SelfMragRequest(model="local")
    with pytest.raises(BadInput) as refused:
        make(access, request)
    assert str(refused.value) == "There is no model 'local' for you; dateline.toml on the server names what there is."
    assert "no causal language model" in caplog.text


def test_a_library_in_a_database_is_looked_up_while_an_answer_is_written(
    config: dict[str, Any], empty_library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    FolderIndex(config["libraries"]["notes"]["path"], embeddings=shared_embeddings(), output=empty_library).update()
    model = AnsweringChatModel(respond=lambda messages: "Carl Dahl.")
    monkeypatch.setattr("dateline_graphs.server.components._chat_model", lambda name: model)
    libraries: Any = {
        "base": {"address": empty_library},
        "gone": {"address": "postgresql://ana:s3cret@127.0.0.1:1/notes"},
    }
    access = Access(ServerConfig(libraries=libraries, models={"small": "some:model"}), identity=lambda: "eve")  # type: ignore[dict-item]
    asked: dict[str, Any] = {"method": "sr-rag", "model": "small"}
    made = access.generator(GenerateRequest(library="base", **asked))(WHO["question"])
    found = made.search.search(WHO["question"], as_of=datetime(2022, 1, 1, tzinfo=UTC))
    assert [each.text for each in found.evidence] == [CARL["text"]]
    with pytest.raises(BadInput) as refused:
        access.generator(GenerateRequest(library="gone", **asked))(WHO["question"])
    assert str(refused.value) == "There is no library 'gone' for you; choose among base."


@pytest.mark.parametrize("address", ["postgresql://ana:s3cret@db.example/notes", "nosuch+driver://s3cret"])
def test_a_client_s_own_mistake_is_told_alike_for_a_folder_and_a_database(
    config: dict[str, Any], tmp_path: Path, address: str
) -> None:
    (tmp_path / "model").mkdir()
    models = {"local": {"name": str(tmp_path / "model")}}
    told = {}
    for name, library in (("notes", config["libraries"]["notes"]), ("base", {"address": address})):
        access = Access(ServerConfig(libraries={name: library}, models=models), identity=lambda: "eve")
        with pytest.raises(BadInput) as refused:
            access.generator(GenerateRequest(method="dragin-published"))("Who?")
        told[name] = str(refused.value)
        with pytest.raises(BadInput) as refused:
            access.generator(GenerateRequest(method="wo-rag", library="base"))("Who?")
        assert str(refused.value).startswith("There is no library")
        assert "s3cret" not in str(refused.value)
    assert told["base"] == told["notes"]
    assert told["base"].startswith("dragin-published needs theta")


# -- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "given", "context", "sentence"),
    [
        ({"documents": 1}, {"documents": [ANNA, CARL]}, {}, "at most 1 items of documents on this server, not 2"),
        ({"document_characters": 50}, {"documents": [ANNA]}, {}, "at most 50 characters in documents"),
        ({"characters": 150}, {"documents": [ANNA, CARL]}, {}, "at most 150 characters in all"),
        ({"question_characters": 10}, WHO, {"library": "notes"}, "at most 10 characters in question"),
        ({}, {**WHO, "history": [{"role": "user", "content": "x" * 200_001}]}, {}, "characters in history"),
        ({"k": 3}, WHO, {"library": "notes", "k": 4}, "A run may have at most 3 k on this server, not 4; send less."),
    ],
)
def test_more_than_a_limit_is_refused_in_a_sentence(
    config: dict[str, Any], visitor: Visitor, limits: Any, given: Any, context: Any, sentence: str
) -> None:
    access = access_of({**config, "limits": limits})
    graph = learning(access) if "documents" in given else asking(access)
    with pytest.raises(BadInput) as refused:
        graph.invoke(given, run_of(visitor), context=context)
    assert sentence in str(refused.value)


def test_a_default_above_a_limit_is_cut_to_it(config: dict[str, Any], visitor: Visitor) -> None:
    access = Access(ServerConfig(**config, limits={"k": 2, "candidates": 1}), identity=lambda: "ann")
    parts = access.components(AnswerRequest(library="notes"))
    assert (parts.k, parts.candidates) == (2, 1)


def test_table_9_is_cut_to_a_limit_too(config: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    model = AnsweringChatModel(respond=lambda messages: "Nobody knows.")
    monkeypatch.setattr("dateline_graphs.server.components._chat_model", lambda name: model)
    given = {**config, "models": {"small": "some:model"}, "limits": {"max_new_tokens": 50}}
    access = Access(ServerConfig(**given), identity=lambda: "eve")
    asked: dict[str, Any] = {"method": "look-ahead", "paper": "llama2-13b-chat/hotpotqa"}
    lengths = [
        access.generator(GenerateRequest(**asked, **more))("Who?").options.max_new_tokens
        for more in ({}, {"max_new_tokens": 20})
    ]
    assert lengths == [50, 20]
    with pytest.raises(BadInput, match="at most 50 max_new_tokens on this server, not 51"):
        access.generator(GenerateRequest(**asked, max_new_tokens=51))


# -- policies -------------------------------------------------------------------------------------


def policies() -> Iterator[Policy]:
    for sources in (None, (), ("Gazette",), ("gazette", "Herald")):
        for kinds in ((), ("add",), get_args(EditKind)):
            for least in (1, 3):
                yield Policy(sources=sources, interrupt_on=kinds, min_sources=least)


def test_no_policy_of_a_client_loosens_a_stores() -> None:
    own = list(policies())
    for ours in own:
        for theirs in own:
            both = ours.tightened(theirs)
            for source in ("Gazette", "herald", "A blog"):
                assert both.allows(source) == (ours.allows(source) and theirs.allows(source))
            assert both.min_sources == max(ours.min_sources, theirs.min_sources)
            assert set(both.interrupt_on) == {*ours.interrupt_on, *theirs.interrupt_on}


@pytest.mark.parametrize("context", [{}, {"interrupt_on": []}, {"min_sources": 1, "sources": []}])
def test_whoever_leaves_the_policy_out_is_not_past_it(
    config: dict[str, Any], visitor: Visitor, context: dict[str, Any]
) -> None:
    config["stores"]["team"]["policy"] = {"interrupt_on": ["add"]}
    graph = learning(access_of(config))
    stopped = graph.invoke({"documents": [ANNA]}, run_of(visitor), context=context)
    assert [edit["fact"] for edit in stopped["__interrupt__"][0].value["edits"]] == [ANNA["text"]]


def facts_in(config: dict[str, Any]) -> list[str]:
    with open_store(config["stores"]["team"]["address"], embeddings=default_embeddings()) as store:
        return [history.fact.text for history in store.at()]


@pytest.mark.parametrize("ask", [True, False], ids=["answer", "update"])
def test_only_an_approver_is_asked_and_the_edits_of_others_wait(
    config: dict[str, Any], visitor: Visitor, ask: bool
) -> None:
    config["stores"]["team"]["policy"] = {"interrupt_on": ["add"]}
    access = access_of(config)
    graph, given, context = (
        (asking(access), WHO, {"library": "notes", "store": "team"})
        if ask
        else (learning(access), {"documents": [CARL]}, {})
    )
    visitor.name = "bob"
    done = graph.invoke(given, run_of(visitor), context=context)
    assert "__interrupt__" not in done
    assert done["report"]
    assert facts_in(config) == []
    with pytest.raises(BadInput, match="You may not decide about the edits of this store"):
        learning(access).invoke({"review": True}, run_of(visitor, "2"))
    visitor.name = "ann"
    review = learning(access)
    (stopped,) = review.invoke({"review": True}, run_of(visitor, "3"))["__interrupt__"]
    assert [edit["fact"] for edit in stopped.value["edits"]] == [CARL["text"]]
    review.invoke(Command(resume="approve"), run_of(visitor, "3"))
    assert facts_in(config) == [CARL["text"]]


@pytest.mark.parametrize("make", [asking, learning], ids=["answer", "update"])
def test_who_resumes_an_approval_must_be_an_approver(
    config: dict[str, Any], visitor: Visitor, make: Callable[[Access], Any]
) -> None:
    config["stores"]["team"]["policy"] = {"interrupt_on": ["add"]}
    graph = make(access_of(config))
    given, context = (WHO, {"library": "notes", "store": "team"}) if make is asking else ({"documents": [CARL]}, {})
    assert graph.invoke(given, run_of(visitor), context=context)["__interrupt__"]
    visitor.name = "bob"
    graph.invoke(Command(resume="approve"), run_of(visitor), context=context)
    assert facts_in(config) == []


def test_a_store_has_the_attributes_that_its_configuration_names(tmp_path: Path) -> None:
    pack = tmp_path / "slots.toml"
    pack.write_text('[mentor]\nvalues = "one"\n', encoding="utf-8")
    access = access_of({"stores": {"own": {"address": str(tmp_path / "own"), "slots": pack}}})
    queue = replace(access, identity=lambda: "studio").updater(UpdateFactsRequest(store="own")).review_queue
    assert queue.store.slots.rule("mentor") is not None
