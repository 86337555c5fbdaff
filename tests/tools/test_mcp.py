"""`dateline mcp`, driven by a real client of the protocol and by an agent of LangChain's."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from served import free_port

pytest.importorskip("mcp")
pytest.importorskip("httpx")

import httpx
import mcp
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from dateline.tools import TOOLS

pytestmark = pytest.mark.timeout(120)

WHO = "Who is the director of the Northern Observatory?"
ANNA = ("2015-03-02", "Anna Berg is the director of the Northern Observatory.")
CARL = ("2021-09-14", "Carl Dahl is the director of the Northern Observatory.")
CONFIGURATION = """
libraries.notes = {path = "notes"}
libraries.diary = {path = "diary", users = ["ann"]}
stores.own = {address = "own", per_user = true}
stores.desk = {address = "desk", users = ["ann"], policy = {sources = ["notes"]}}
users.ann.token = "token-of-ann"
users.bob.token = "token-of-bob"
limits.question_characters = 400
server.hosts = ["facts.example"]
"""


def write_notes(folder: Path, *notes: tuple[str, str]) -> Path:
    folder.mkdir()
    for day, text in notes:
        (folder / f"{day}.md").write_text(text, encoding="utf-8")
    return folder


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "dateline_cli", "mcp", *arguments]


@asynccontextmanager
async def talking(*arguments: str, cwd: Path, **environment: str) -> AsyncIterator[ClientSession]:
    """A client of a server of its own, over standard input and output."""
    program, *rest = command(*arguments)
    server = StdioServerParameters(command=program, args=rest, cwd=cwd, env={**os.environ, **environment})
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        yield session


@asynccontextmanager
async def talking_by_http(*arguments: str, cwd: Path) -> AsyncIterator[ClientSession]:
    """A client of a server of its own, over HTTP."""
    with running(cwd, *arguments, DATELINE_TOKEN="token-of-me") as url:
        async with client(url, "me") as session:
            yield session


async def text_of(session: ClientSession, name: str, **arguments: Any) -> str:
    return str((await session.call_tool(name, arguments)).content[0].text)


# -- over standard input and output ---------------------------------------------------------------


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_client_lists_and_calls_every_tool_and_reads_the_report(transport: str, tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes", ANNA, CARL)
    ada = {"subject": "Ada Berg", "attribute": "residence"}
    calls: dict[str, tuple[dict[str, Any], str]] = {
        "ask_as_of": ({"question": WHO, "as_of": "2018"}, "answer: Anna Berg"),
        "search_as_of": ({"query": WHO, "as_of": "2018"}, "[1] 2015-03-02"),
        "remember": ({**ada, "value": "Porto", "since": "2019"}, "remembered: "),
        "history": (ada, "Porto: from 2019"),
        "ask_facts": ({"question": "Where does Ada Berg live?"}, "Porto, by: "),
        "what_changed": ({"since": "2019"}, "Porto"),
        "audit": ({"question": WHO}, "outdated"),
        "resolve_time": ({"text": "in March 2019"}, "2019-03-01 to 2019-03-31"),
    }
    parts = ["--docs", str(notes), "--facts", str(tmp_path / "facts")]
    connect = talking(*parts, cwd=tmp_path) if transport == "stdio" else talking_by_http(*parts, cwd=tmp_path)
    async with connect as session:
        listed = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert list(listed) == [tool.name for tool in TOOLS] == list(calls)
        assert [name for name, tool in listed.items() if not tool.annotations.readOnlyHint] == ["remember"]  # type: ignore[union-attr]
        for name, (arguments, told) in calls.items():
            called = await session.call_tool(name, arguments)
            assert not called.isError, called
            assert told in called.content[0].text
            assert isinstance(called.structuredContent, dict)
        (report,) = (await session.list_resources()).resources
        (whole,) = (await session.read_resource(report.uri)).contents
        assert json.loads(whole.text)["answer"] == "Anna Berg"
        (page,) = (await session.read_resource(f"{report.uri}.html")).contents  # type: ignore[arg-type]
        assert page.text.startswith("<!doctype html>")


async def test_what_is_remembered_answers_beside_the_documents_from_its_day_on(tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes", ANNA, CARL)
    told = {"subject": "the harbour", "attribute": "master", "value": "Mia Torres", "since": "2019-05-01"}
    async with talking("--docs", str(notes), "--facts", str(tmp_path / "facts"), cwd=tmp_path) as session:
        await session.call_tool("remember", told)
        asked = "Who is the master of the harbour?"
        answer = await text_of(session, "ask_as_of", question=asked, as_of="2020")
        assert "Mia Torres" in answer
        assert "2019-05-01" in answer
        assert "Mia Torres" not in await text_of(session, "ask_as_of", question=asked, as_of="2018")
        assert "Mia Torres" in await text_of(session, "search_as_of", query=asked, as_of="2020")
        assert "answer: Carl Dahl" in await text_of(session, "ask_as_of", question=WHO, as_of="2022")
        changed = await text_of(session, "what_changed", since="2015")
        assert "Dahl" not in changed, "asking teaches the store nothing"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("ask_as_of", {"question": WHO, "as_of": "soon"}, "Cannot read 'soon' as a date"),
        ("ask_as_of", {"question": " "}, "The question is empty"),
        ("ask_as_of", {}, "ask_as_of needs question"),
        ("ask_as_of", {"question": WHO, "docs": "/etc"}, "ask_as_of has no 'docs'"),
        ("search_as_of", {"query": WHO, "k": 1000}, "k must be a whole number from 1 to 20"),
        ("search_as_of", {"query": WHO, "library": "/etc"}, "There is no library '/etc' for you; choose among docs."),
        ("recall", {}, "There is no tool 'recall' for you; choose among ask_as_of"),
        ("remember", {"subject": "a", "attribute": "b", "value": "c"}, "There is no tool 'remember' for you"),
    ],
)  # fmt: skip
async def test_bad_arguments_get_a_sentence(told: str, name: str, arguments: dict[str, Any], documents: Any) -> None:
    called = await documents(name, arguments)
    assert called.isError
    assert called.content[0].text.startswith(told)
    assert "\n" not in called.content[0].text


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Calls of one server over a folder, without its protocol."""
    from mcp.shared.memory import create_connected_server_and_client_session

    from dateline_graphs.mcp import ServedTools, mcp_server
    from dateline_graphs.server import ServerConfig

    notes = write_notes(tmp_path_factory.mktemp("served") / "notes", ANNA, CARL)
    server = mcp_server(ServedTools(ServerConfig(libraries={"docs": {"path": notes}})), identify=lambda _: "studio")  # type: ignore[dict-item]

    async def call(name: str, arguments: dict[str, Any]) -> Any:
        async with create_connected_server_and_client_session(server) as session:
            return await session.call_tool(name, arguments)

    return call


async def test_a_report_that_is_not_there_is_refused_in_a_sentence(documents: Any) -> None:
    from dateline_graphs.mcp import ReportShelf

    shelf = ReportShelf()
    mine = shelf.keep({"answer": "Ben"}, owner="ann")
    assert shelf.of("bob") == []
    for uri, owner in ((mine, "bob"), ("file:///etc/passwd", "ann")):
        with pytest.raises(ValueError, match="There is no such report"):
            shelf.read(uri, owner=owner)


def test_reports_do_not_grow_without_end() -> None:
    from dateline_graphs.mcp.reports import KEPT, KEPT_OF_ONE, ReportShelf

    shelf = ReportShelf()
    for number in range(KEPT_OF_ONE + 5):
        shelf.keep({"number": number}, owner="ann")
    assert [kept.report["number"] for kept in shelf.of("ann")][:2] == [KEPT_OF_ONE + 4, KEPT_OF_ONE + 3]
    assert len(shelf.of("ann")) == KEPT_OF_ONE
    for number in range(KEPT):
        shelf.keep({}, owner=f"user {number}")
    assert shelf.of("ann") == []


async def test_an_empty_slots_option_means_the_shipped_attributes(tmp_path: Path) -> None:
    ada = {"subject": "Ada Berg", "attribute": "residence"}
    async with talking("--facts", str(tmp_path / "facts"), "--slots", "", cwd=tmp_path) as session:
        await text_of(session, "remember", **ada, value="Porto", since="2019")
        assert "Porto: from 2019" in await text_of(session, "history", **ada)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "There is nothing to serve; give --docs, --facts"),
        (["--docs", "nowhere"], "There is no folder or file nowhere"),
    ],
)
def test_what_cannot_be_served_is_refused_in_a_sentence(arguments: list[str], told: str, tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DATELINE_CONFIG"}
    ran = subprocess.run(command(*arguments), cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"dateline: {told}")


# -- over HTTP, with the server's names and rights ------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("served")
    write_notes(folder / "notes", CARL)
    write_notes(folder / "diary", ANNA)
    (folder / "dateline.toml").write_text(CONFIGURATION, encoding="utf-8")
    with running(folder) as url:
        yield url


@contextmanager
def running(folder: Path, *arguments: str, **more: str) -> Iterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "DATELINE_CONFIG": str(folder / "dateline.toml"), **more}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command("--http", "--port", str(port), *arguments),
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            for _ in range(600):
                if process.poll() is not None or answers(url):
                    break
                time.sleep(0.1)
            assert process.poll() is None, (folder / "log").read_text()
            yield url
        finally:
            process.terminate()
            process.wait()
    assert "token-of-" not in (folder / "log").read_text()


def answers(url: str) -> bool:
    try:
        return bool(httpx.get(f"{url}/ok").json()["ok"])
    except httpx.TransportError:
        return False


@asynccontextmanager
async def client(server: str, user: str, *, in_path: bool = False) -> AsyncIterator[ClientSession]:
    token = f"token-of-{user}"
    url, headers = (
        (f"{server}/as/{token}/mcp", {}) if in_path else (f"{server}/mcp", {"Authorization": f"Bearer {token}"})
    )
    async with (
        streamablehttp_client(url, headers=headers) as (reading, writing, _),
        ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        yield session


@pytest.mark.parametrize("in_path", [False, True])
async def test_each_user_names_what_is_theirs_to_name(server: str, in_path: bool) -> None:
    async with client(server, "ann", in_path=in_path) as ann, client(server, "bob", in_path=in_path) as bob:
        schemas = [{tool.name: tool.inputSchema for tool in (await who.list_tools()).tools} for who in (ann, bob)]
        assert schemas[0]["ask_as_of"]["properties"]["library"]["enum"] == ["notes", "diary"]
        assert schemas[0]["ask_as_of"]["required"] == ["question", "library"]
        assert "library" not in schemas[1]["ask_as_of"]["properties"], "there is only one for bob"
        assert "Anna Berg" in await text_of(ann, "search_as_of", query=WHO, library="diary")
        assert "Carl Dahl" in await text_of(bob, "search_as_of", query=WHO)
        assert await text_of(bob, "search_as_of", query=WHO, library="diary") == (
            "There is no library 'diary' for you; choose among notes."
        )
        assert await text_of(ann, "search_as_of", query=WHO) == "Name a library: notes, diary."


async def test_a_store_of_ones_own_and_a_policy_hold_for_the_tools(server: str) -> None:
    ada = {"subject": "Ada Berg", "attribute": "residence"}
    async with client(server, "ann") as ann, client(server, "bob") as bob:
        assert "remembered" in await text_of(ann, "remember", **ada, value="Porto", since="2019", store="own")
        assert "Nothing is known" in await text_of(bob, "history", **ada), "bob's own store knows nothing of it"
        assert "Porto" in await text_of(ann, "history", **ada, store="own")
        refused = await text_of(ann, "remember", **ada, value="Rome", store="desk", source="notes")
        assert refused == "What comes through 'mcp/ann' may not edit; the policy allows notes."


async def test_a_report_is_its_askers_alone(server: str) -> None:
    async with client(server, "ann") as ann, client(server, "bob") as bob:
        told = await text_of(bob, "ask_as_of", question=WHO, as_of="2022")
        uri: Any = told.splitlines()[-1].removeprefix("report: ")
        assert (await bob.read_resource(uri)).contents[0].uri
        with pytest.raises(mcp.McpError, match="There is no such report"):
            await ann.read_resource(uri)
        assert uri not in [str(one.uri) for one in (await ann.list_resources()).resources]


async def test_limits_hold(server: str) -> None:
    async with client(server, "bob") as bob:
        assert "at most 400 characters in question" in await text_of(bob, "ask_as_of", question="Who? " * 100)
        assert "at most 400 characters in query" in await text_of(bob, "search_as_of", query="Who? " * 100)


def initialize(url: str, **headers: str) -> Any:
    asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked}
    accept = {"Accept": "application/json, text/event-stream"}
    return httpx.post(f"{url}/mcp", json=body, headers={**accept, **headers})


def test_nobody_is_served_without_a_token_under_a_foreign_name_or_at_another_path(server: str) -> None:
    ann = {"Authorization": "Bearer token-of-ann"}
    assert initialize(server, **ann).status_code == 200
    assert initialize(server).status_code == 401
    assert initialize(server, Authorization="Bearer token-of-eve").status_code == 401
    assert initialize(server, **ann, Host="evil.example").status_code == 421
    assert initialize(server, **ann, Host="facts.example").status_code == 200
    assert httpx.post(f"{server}/mcp", content="{}", headers={**ann, "Content-Type": "text/plain"}).status_code == 415
    assert httpx.get(f"{server}/docs", headers=ann).status_code == 404
    assert "access-control-allow-origin" not in initialize(server, **ann, Origin="https://evil.example").headers


def test_a_token_is_made_where_there_are_no_users(tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "notes", CARL)
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name != "DATELINE_TOKEN"}
    with subprocess.Popen(
        command("--docs", str(notes), "--http", "--port", str(port)), stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            told = process.stdout.readline()
            for _ in range(300):
                if answers(f"http://127.0.0.1:{port}"):
                    break
                time.sleep(0.1)
            token = told.split()[-1]
            assert initialize(f"http://127.0.0.1:{port}", Authorization=f"Bearer {token}").status_code == 200
            assert initialize(f"http://127.0.0.1:{port}").status_code == 401
        finally:
            process.terminate()


# -- an agent -------------------------------------------------------------------------------------


async def test_an_agent_of_langchain_answers_as_of_two_dates(tmp_path: Path) -> None:
    adapters = pytest.importorskip("langchain_mcp_adapters.client")
    from langchain.agents import create_agent
    from langchain_core.messages import ToolMessage

    from langchain_dateline.testing import ScriptedChatModel, calls_tool

    notes = write_notes(tmp_path / "notes", ANNA, CARL)
    program, *rest = command("--docs", str(notes))
    connection = {"transport": "stdio", "command": program, "args": rest, "cwd": str(tmp_path), "env": {**os.environ}}
    async with adapters.MultiServerMCPClient({"dateline": connection}).session("dateline") as session:
        from langchain_mcp_adapters.tools import load_mcp_tools

        tools = await load_mcp_tools(session)
        replies = [
            calls_tool("ask_as_of", question=WHO, as_of="2018"),
            calls_tool("ask_as_of", question=WHO, as_of="2022"),
            "Anna Berg led it in 2018, Carl Dahl in 2022.",
        ]
        state = await create_agent(ScriptedChatModel(replies=replies), tools).ainvoke({"messages": [("user", WHO)]})
    told = [json.dumps(each.content) for each in state["messages"] if isinstance(each, ToolMessage)]
    assert ["answer: Anna Berg" in told[0], "answer: Carl Dahl" in told[1]] == [True, True]
    assert "as of: 2018-12-31" in told[0]


async def test_many_clients_at_once_are_not_mixed_up(server: str) -> None:
    async def asks(user: str) -> list[str]:
        async with client(server, user) as session:
            return [str(one.inputSchema["properties"].get("library")) for one in (await session.list_tools()).tools]

    found = await asyncio.gather(*(asks(user) for user in ("ann", "bob") * 4))
    assert found == [found[0], found[1]] * 4
    assert found[0] != found[1]
