"""The real server: nobody without a token, and nobody at what is somebody else's."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from served import Served, serving

httpx = pytest.importorskip("httpx")
pytest.importorskip("langgraph_api")
sdk = pytest.importorskip("langgraph_sdk")

pytestmark = pytest.mark.timeout(300)

ANNA = {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"}
CARL = {"text": "Carl Dahl is the director of the Northern Observatory.", "published": "2021-09-14"}
WHO = {"question": "Who is the director of the Northern Observatory?", "as_of": "2022"}
CONFIGURATION = """
libraries.notes = {path = "notes"}
libraries.diary = {path = "diary", users = ["ann"]}
stores.own = {address = "own", per_user = true}
stores.desk = {address = "desk", users = ["ann"]}
users.ann.token = "token-of-ann"
users.bob.token = "token-of-bob"
server.hosts = ["facts.example"]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    for name, note in (("notes", CARL), ("diary", ANNA)):
        (folder / name).mkdir()
        (folder / name / f"{note['published']}.md").write_text(note["text"], encoding="utf-8")
    with serving(folder, CONFIGURATION) as served:
        yield served


def client(server: Served, token: str = "", **headers: str) -> Any:
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.Client(base_url=server.url, headers={**bearer, **headers}, timeout=60)


@pytest.fixture(scope="module")
def ann(server: Served) -> Any:
    return client(server, "token-of-ann")


@pytest.fixture(scope="module")
def bob(server: Served) -> Any:
    return client(server, "token-of-bob")


def run(who: Any, graph: str, given: dict[str, Any], *, thread: str = "", **more: Any) -> Any:
    """Run a graph to its end; an error comes as a dictionary too."""
    place = f"/threads/{thread}/runs/wait" if thread else "/runs/wait"
    return who.post(place, json={"assistant_id": graph, "input": given, **more}).json()


# -- who asks -------------------------------------------------------------------------------------

ROUTES = [
    ("GET", "/info"), ("GET", "/docs"), ("GET", "/openapi.json"), ("GET", "/metrics"), ("GET", "/deploy"),
    ("POST", "/deploy"), ("POST", "/internal/truncate"), ("GET", f"/internal/debug/thread/{uuid.UUID(int=7)}"),
    ("POST", "/assistants/search"), ("POST", "/threads"), ("POST", "/threads/search"), ("POST", "/runs/wait"),
    ("POST", "/runs/cancel"), ("POST", "/store/items/search"), ("POST", "/mcp"), ("POST", "/a2a/answer"),
    ("GET", "/ui/answer"), ("GET", "//info"), ("GET", "/"), ("GET", "/.well-known/agent-card.json"),
]  # fmt: skip
CREDENTIALS = [
    {}, {"Authorization": "Bearer token-of-eve"}, {"Authorization": "Bearer"}, {"Authorization": "Basic token-of-ann"},
    {"Authorization": "token-of-ann"}, {"x-auth-scheme": "langsmith"}, {"x-api-key": "token-of-ann"},
    {"Authorization": b"Bearer \xff"},
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_no_route_answers_without_a_token(server: Served, method: str, path: str) -> None:
    with client(server) as nobody:
        for headers in CREDENTIALS:
            answer = nobody.request(method, path, headers=headers)
            assert (answer.status_code, list(answer.json())) == (401, ["detail"])
            assert "Authorization: Bearer TOKEN" in answer.json()["detail"]


def test_only_whether_it_is_up_is_open(server: Served) -> None:
    assert client(server).get("/ok").json()["ok"] is True


@pytest.mark.parametrize(("method", "path"), [route for route in ROUTES if "/ok" not in route[1]])
def test_no_client_reaches_what_is_the_operators(ann: Any, method: str, path: str) -> None:
    if path.split("/")[1] in ("info", "assistants", "threads", "runs", "store"):
        return
    assert ann.request(method, path).status_code == 404


def test_a_token_may_be_the_first_part_of_the_path_and_is_in_no_log(server: Served, ann: Any) -> None:
    with httpx.Client(base_url=server.as_("token-of-ann"), timeout=60) as path:
        made = path.post("/threads", json={}).json()
        assert ann.get(f"/threads/{made['thread_id']}").json() == made
        assert path.get("/as/token-of-bob/info").status_code == 404
        missing = str(uuid.uuid4())
        assert path.get(f"/threads/{missing}").status_code == 404
    assert "token-of-" not in log_with(server, missing)


def log_with(server: Served, missing: str) -> str:
    """Return the log, once it tells that there is no such thread."""
    for _ in range(100):
        log = server.log.read_text(encoding="utf-8")
        if f"GET /threads/{missing} 404" in log:
            return log
        time.sleep(0.1)
    raise AssertionError(log[-3000:])


def test_no_path_forges_a_line_of_the_log(server: Served, ann: Any) -> None:
    forged = "%1b[31m%0d%0aFORGED%0a%c2%85%e2%80%a8%e2%80%ae"
    for who in (client(server), ann):
        for path in (f"/ok/{forged}", f"/ok{forged}", f"/threads/{forged}", f"/store/{forged}"):
            assert who.get(path).status_code == (404 if who is ann else 401)
    missing = str(uuid.uuid4())
    ann.get(f"/threads/{missing}")
    log = log_with(server, missing)
    assert "FORGED" not in log


async def test_the_sdk_takes_the_address_with_the_token(server: Served) -> None:
    path = sdk.get_client(url=server.as_("token-of-ann"))
    seen = [each.event async for each in path.runs.stream(None, "answer", input=WHO, context={"library": "notes"})]
    assert seen[-1] == "values"
    with pytest.raises(Exception, match="Authorization: Bearer TOKEN"):
        await sdk.get_client(url=server.as_("token-of-eve")).threads.create()


def test_without_any_token_configured_every_request_is_refused_with_the_fix(tmp_path: Path) -> None:
    with serving(tmp_path, "") as open_to_nobody, client(open_to_nobody) as nobody:
        for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer x"}):
            answer = nobody.post("/threads/search", json={}, headers=headers)
            assert answer.status_code == 401
            assert "start it with `make studio`, set DATELINE_TOKEN, or give dateline.toml [users]" in answer.text


# -- which page asks ------------------------------------------------------------------------------


def test_only_studio_may_read_from_another_origin(server: Served) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,authorization"}
    with client(server, "token-of-ann") as page:
        for origin in (
            "https://evil.example",
            "null",
            "http://localhost:3000",
            "https://smith.langchain.com.evil.example",
        ):
            assert "access-control-allow-origin" not in page.get("/info", headers={"Origin": origin}).headers
            preflight = page.options("/runs/wait", headers={"Origin": origin, **asks})
            assert (preflight.status_code, preflight.headers.get("access-control-allow-origin")) == (400, None)
        studio = {"Origin": "https://smith.langchain.com"}
        for answer in (page.get("/info", headers=studio), page.options("/as/x/runs/wait", headers={**studio, **asks})):
            assert answer.status_code == 200
            assert answer.headers["access-control-allow-origin"] == "https://smith.langchain.com"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8123", "127.0.0.1.evil.example", "localhost@evil", ""])
def test_a_foreign_name_of_the_server_is_refused(server: Served, host: str) -> None:
    with client(server, "token-of-ann", Host=host) as rebound:
        for path in ("/ok", "/info", "/threads/search"):
            assert rebound.get(path).status_code in (400, 421)


def test_the_servers_own_names_are_taken(server: Served) -> None:
    for host in ("localhost:8123", "LOCALHOST", "127.0.0.1", "[::1]:8123", "facts.example", "Facts.Example:443"):
        assert client(server, "token-of-ann", Host=host).get("/info").status_code == 200


def test_what_a_page_sends_without_asking_first_is_refused(ann: Any) -> None:
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/plain; a=application/json",
    ):
        answer = ann.post("/threads/search", content=b"{}", headers={"Content-Type": kind})
        assert (answer.status_code, "application/json" in answer.text) == (415, True)
    assert ann.post("/threads/search", content=b"{}").status_code == 415
    assert ann.post("/threads/search", content=iter([b"{}"])).status_code == 415


def test_a_body_has_a_size(ann: Any) -> None:
    body = b'{"values": {"a": "' + b"x" * (33 << 20) + b'"}}'
    assert ann.post("/threads/search", content=body, headers={"Content-Type": "application/json"}).status_code == 413


# -- two clients ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hers(ann: Any) -> dict[str, str]:
    """What Ann has on the server."""
    thread = ann.post("/threads", json={"metadata": {"topic": "secret"}}).json()["thread_id"]
    told = run(ann, "answer", WHO, thread=thread, context={"library": "diary"})
    assert told["report"]["answer"] == "Anna Berg"
    (made,) = ann.get(f"/threads/{thread}/runs").json()
    assistant = ann.post("/assistants", json={"graph_id": "answer", "context": {"library": "diary"}}).json()
    (state,) = ann.post(f"/threads/{thread}/history", json={"limit": 1}).json()
    return {
        "thread": thread,
        "run": made["run_id"],
        "assistant": assistant["assistant_id"],
        "checkpoint": state["checkpoint"]["checkpoint_id"],
    }


FOREIGN: list[tuple[str, str, Any]] = [
    ("GET", "/threads/{thread}", None),
    ("PATCH", "/threads/{thread}", {"metadata": {"owner": "bob"}}),
    ("GET", "/threads/{thread}/state", None),
    ("GET", "/threads/{thread}/state/{checkpoint}", None),
    ("POST", "/threads/{thread}/state/checkpoint", {"checkpoint": {"checkpoint_id": "{checkpoint}"}}),
    ("POST", "/threads/{thread}/state", {"values": {"question": "Hers?"}}),
    ("GET", "/threads/{thread}/history", None),
    ("POST", "/threads/{thread}/history", {"limit": 5}),
    ("POST", "/threads/{thread}/copy", None),
    ("GET", "/threads/{thread}/storage", None),
    ("POST", "/threads/prune", {"thread_ids": ["{thread}"]}),
    ("GET", "/threads/{thread}/stream?stream_modes=run_modes", None),
    ("GET", "/threads/{thread}/runs", None),
    ("GET", "/threads/{thread}/runs/{run}", None),
    ("GET", "/threads/{thread}/runs/{run}/join", None),
    ("GET", "/threads/{thread}/runs/{run}/stream", None),
    ("POST", "/threads/{thread}/runs/{run}/cancel", None),
    ("POST", "/threads/{thread}/runs", {"assistant_id": "answer", "input": WHO}),
    ("POST", "/threads/{thread}/runs/wait", {"assistant_id": "answer", "input": WHO}),
    ("POST", "/threads/{thread}/runs/stream", {"assistant_id": "answer", "command": {"resume": "approve"}}),
    ("POST", "/threads/{thread}/stream/events", {"channels": ["values"]}),
    ("DELETE", "/threads/{thread}/runs/{run}", None),
    ("DELETE", "/threads/{thread}", None),
    ("GET", "/assistants/{assistant}", None),
    ("GET", "/assistants/{assistant}/graph", None),
    ("GET", "/assistants/{assistant}/schemas", None),
    ("GET", "/assistants/{assistant}/subgraphs", None),
    ("POST", "/assistants/{assistant}/versions", {}),
    ("POST", "/assistants/{assistant}/latest", {"version": 1}),
    ("PATCH", "/assistants/{assistant}", {"metadata": {"owner": "bob"}, "name": "Mine"}),
    ("POST", "/runs/wait", {"assistant_id": "{assistant}", "input": WHO}),
    ("DELETE", "/assistants/{assistant}", None),
]


@pytest.mark.parametrize(("method", "path", "body"), FOREIGN)
def test_what_is_somebody_elses_answers_like_what_is_not_there(
    bob: Any, ann: Any, hers: dict[str, str], method: str, path: str, body: Any
) -> None:
    missing = {name: str(uuid.uuid4()) for name in hers}
    answers = []
    for ids in (missing, hers):
        sent = re.sub(r"\{(\w+)\}", lambda found: ids.get(found[1], found[0]), json.dumps(body))  # noqa: B023
        given = {} if body is None else {"json": json.loads(sent)}
        answer = bob.request(method, path.format(**ids), **given)
        text = answer.text
        for one in ids.values():
            text = text.replace(one, "ID")
        answers.append((answer.status_code, text))
    assert answers[0] == answers[1]
    assert ann.get(f"/threads/{hers['thread']}").json()["values"]["report"]["answer"] == "Anna Berg"
    assert ann.get(f"/assistants/{hers['assistant']}").json()["version"] == 1


def test_a_socket_tells_of_ones_own_threads_alone(server: Served, ann: Any, hers: dict[str, str]) -> None:
    client = pytest.importorskip("websockets.sync.client")
    errors = pytest.importorskip("websockets.exceptions")
    subscribe = {"id": 1, "method": "subscription.subscribe", "params": {"channels": ["values", "updates"]}}

    def heard(place: str, thread: str = hers["thread"], **more: Any) -> list[str]:
        """Whatever comes until the server closes, or nothing more comes, and how it closes.

        Whether a subscription is still confirmed before the server closes is chance, for any thread.
        """
        texts: list[str] = []
        try:
            address = f"{place.replace('http', 'ws')}/threads/{thread}/stream/events"
            with client.connect(address, **more) as socket:
                socket.send(json.dumps(subscribe))
                texts.append(socket.recv(timeout=10))
                told = run(ann, "answer", WHO, thread=hers["thread"], context={"library": "diary"})
                assert told["report"]["answer"] == "Anna Berg"
                while True:
                    texts.append(socket.recv(timeout=2))
        except TimeoutError:
            return texts
        except errors.ConnectionClosed as closed:
            return [*(text for text in texts if '"type":"success"' not in text), str(closed)]
        except errors.WebSocketException:
            return []

    assert "Anna Berg" in "".join(heard(server.as_("token-of-ann")))
    assert heard(server.url) == heard(server.as_("token-of-eve")) == []
    assert heard(server.as_("token-of-ann"), additional_headers={"Host": "evil.example"}) == []
    foreign, missing = (heard(server.as_("token-of-bob"), thread) for thread in (hers["thread"], str(uuid.uuid4())))
    assert foreign == missing
    assert "Anna Berg" not in "".join(foreign)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("run.start", {"assistant_id": "answer", "input": WHO}),
        ("input.respond", {"interrupt_id": "x", "namespace": [], "response": "approve"}),
        ("agent.getTree", {}),
    ],
)
def test_no_command_reaches_a_thread_of_another(
    bob: Any, ann: Any, hers: dict[str, str], method: str, params: dict[str, Any]
) -> None:
    place, before = f"/threads/{hers['thread']}", ann.get(f"/threads/{hers['thread']}").json()
    told = bob.post(f"{place}/commands", json={"id": 1, "method": method, "params": params})
    assert told.json()["type"] == "error" or told.json()["result"] == {}
    assert "Anna Berg" not in told.text
    assert ann.get(place).json() == before


def test_no_list_shows_what_is_somebody_elses(ann: Any, bob: Any, hers: dict[str, str]) -> None:
    for room, name in (("threads", "thread"), ("assistants", "assistant")):
        for query in ({}, {"metadata": {"owner": "ann"}}, {"limit": 100}):
            assert hers[name] not in bob.post(f"/{room}/search", json=query).text
        assert hers[name] in ann.post(f"/{room}/search", json={"limit": 100}).text
        assert bob.post(f"/{room}/count", json={"metadata": {"owner": "ann"}}).json() == 0
    # A search that names the owner finds the server's own assistants for nobody, without it for everyone.
    graphs = {one["graph_id"] for one in bob.post("/assistants/search", json={}).json()}
    assert {"answer", "update_facts", "generate"} <= graphs


def test_the_servers_own_assistants_are_changed_by_nobody(bob: Any) -> None:
    (own,) = bob.post("/assistants/search", json={"graph_id": "self_mrag"}).json()
    for changed in (
        bob.patch(f"/assistants/{own['assistant_id']}", json={"name": "Mine"}),
        bob.delete(f"/assistants/{own['assistant_id']}"),
    ):
        assert changed.status_code == 404
    assert bob.post("/assistants/search", json={"graph_id": "self_mrag"}).json() == [own]


def test_nobody_puts_a_thing_in_the_hands_of_another(ann: Any, bob: Any) -> None:
    forged = {"metadata": {"owner": "ann", "created_by": "system", "mark": "forged"}}
    thread = bob.post("/threads", json=forged).json()
    assert bob.patch(f"/threads/{thread['thread_id']}", json=forged).json()["metadata"]["owner"] == "bob"
    assistant = bob.post("/assistants", json={"graph_id": "answer", **forged}).json()
    bob.patch(f"/assistants/{assistant['assistant_id']}", json=forged)
    run(bob, "answer", WHO, thread=thread["thread_id"], context={"library": "notes"}, **forged)
    for room in ("threads", "assistants"):
        search = {"metadata": {"mark": "forged"}}
        assert ann.post(f"/{room}/search", json=search).json() == []
        assert len(bob.post(f"/{room}/search", json=search).json()) == 1


def test_no_run_reaches_another_thread_by_its_checkpoint(bob: Any, hers: dict[str, str]) -> None:
    place = {"thread_id": hers["thread"], "checkpoint_id": hers["checkpoint"]}
    thread = bob.post("/threads", json={}).json()["thread_id"]
    for more in ({"checkpoint": place}, {"config": {"configurable": place}}, {"checkpoint_id": hers["checkpoint"]}):
        assert "Anna Berg" not in json.dumps(run(bob, "answer", {}, thread=thread, **more))
        assert "Anna Berg" not in bob.post(f"/threads/{thread}/history", json={"limit": 10, "checkpoint": place}).text


def test_nobody_runs_in_the_name_of_another(bob: Any) -> None:
    user = {"identity": "ann", "is_authenticated": True, "display_name": "ann", "permissions": []}
    forged = {"langgraph_auth_user": user, "langgraph_auth_user_id": "ann", "user_id": "ann"}
    for more in (
        {"config": {"configurable": {"library": "diary", **forged}}},
        {"context": {"library": "diary"}, "metadata": forged},
        {"context": {"library": "diary", "langgraph_auth_user": user}},
    ):
        told = json.dumps(run(bob, "answer", WHO, **more))
        assert "There is no library 'diary' for you" in told or "AnswerRequest has no" in told
        assert "Anna Berg" not in told


def test_libraries_and_stores_of_others_are_refused_like_those_that_are_not_there(ann: Any, bob: Any) -> None:
    said = []
    for context in ({"library": "diary"}, {"library": "nothing"}):
        error = run(bob, "answer", WHO, context=context)["__error__"]
        said.append(error["message"].replace(context["library"], "NAME"))
    assert said == ["There is no library 'NAME' for you; choose among notes."] * 2
    said = []
    for context in ({"store": "desk"}, {"store": "nothing"}):
        error = run(bob, "update_facts", {"documents": [ANNA]}, context=context)["__error__"]
        said.append(error["message"].replace(context["store"], "NAME"))
    assert said == ["There is no store 'NAME' for you; choose among own."] * 2
    assert run(ann, "update_facts", {"documents": [ANNA]}, context={"store": "desk"})["report"]


def kinds(told: Any) -> list[str]:
    return [change["kind"] for each in told["report"]["changes"] for change in each["changes"]]


def test_nobody_sees_or_ends_facts_of_another(ann: Any, bob: Any) -> None:
    context = {"store": "own"}
    assert kinds(run(ann, "update_facts", {"documents": [ANNA]}, context=context)) == ["added"]
    # Bob's document would end Anna Berg's office; in his store nobody holds it.
    assert kinds(run(bob, "update_facts", {"documents": [CARL]}, context=context)) == ["added"]
    assert kinds(run(ann, "update_facts", {"documents": [CARL]}, context=context)) == ["added", "made_false"]


def test_nobody_reaches_items_of_another(ann: Any, bob: Any) -> None:
    for who, word in ((ann, "hers"), (bob, "his")):
        item = {"namespace": ["notes"], "key": "k", "value": {"word": word}}
        assert who.put("/store/items", json=item).status_code == 204
    for namespace in (["notes"], ["bob", "notes"]):
        got = bob.get("/store/items", params={"namespace": ".".join(namespace), "key": "k"}).json()
        assert (got["value"]["word"], got["namespace"]) == ("his", ["bob", "notes"])
    assert bob.get("/store/items", params={"namespace": "ann.notes", "key": "k"}).json() is None
    bob.request("DELETE", "/store/items", json={"namespace": ["ann", "notes"], "key": "k"})
    for prefix in ([], ["ann"], ["notes"]):
        assert "hers" not in bob.post("/store/items/search", json={"namespace_prefix": prefix}).text
    for query in ({}, {"prefix": []}, {"prefix": ["ann"]}):
        assert ["ann", "notes"] not in bob.post("/store/namespaces", json=query).json()["namespaces"]
    assert {first for first, *_ in bob.post("/store/namespaces", json={}).json()["namespaces"]} == {"bob"}
    assert ann.get("/store/items", params={"namespace": "notes", "key": "k"}).json()["value"] == {"word": "hers"}


def test_nothing_runs_on_a_schedule_or_calls_out(ann: Any) -> None:
    schedule = {"assistant_id": "answer", "schedule": "* * * * *", "input": WHO}
    assert ann.post("/runs/crons", json=schedule).status_code == 403
    assert ann.post("/runs/crons/search", json={}).status_code == 403
    with listening() as (port, heard):
        run(ann, "answer", WHO, context={"library": "notes"}, webhook=f"http://127.0.0.1:{port}/")
        assert heard == []


# -- what a client cannot name --------------------------------------------------------------------


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A PostgreSQL that asks whoever connects for a password in clear text."""
    heard: list[bytes] = []

    def listen() -> None:
        while True:
            try:
                connection, _ = asked.accept()
            except OSError:
                return
            with connection:
                heard.append(connection.recv(1024))
                connection.sendall(b"R\0\0\0\x08\0\0\0\x03")
                heard.append(connection.recv(1024))

    with socket.create_server(("127.0.0.1", 0)) as asked:
        threading.Thread(target=listen, daemon=True).start()
        yield asked.getsockname()[1], heard


FIELDS = ("store", "library", "model", "engine", "docs")
GRAPHS = {"answer": WHO, "update_facts": {"documents": [ANNA]}}


def test_no_address_of_a_client_is_connected(ann: Any) -> None:
    with listening() as (port, heard):
        address = f"postgresql+psycopg://me@127.0.0.1:{port}/facts"
        for graph, field in product(GRAPHS, FIELDS):
            assert "__error__" in run(ann, graph, {**GRAPHS[graph], field: address}, context={field: address})
        assert heard == []


def test_no_path_of_a_client_is_read_or_made(server: Served, ann: Any) -> None:
    secret = server.folder / "secret"
    secret.mkdir(exist_ok=True)
    (secret / "2020-01-01.md").write_text("Eve Holm is the director of the Northern Observatory.", encoding="utf-8")
    said = set()
    paths = (str(secret), str(server.folder / "new"), "secret")
    for graph, field, path in product(GRAPHS, FIELDS, paths):
        told = json.dumps(run(ann, graph, {**GRAPHS[graph], field: path}, context={field: path}))
        assert "__error__" in told
        assert "Eve Holm" not in told
        said.add((graph, field, told.replace(path, "PATH")))
    assert not (server.folder / "new").exists()
    assert sorted(each.name for each in secret.iterdir()) == ["2020-01-01.md"]
    # One answer for each place to write a path in: nothing of what is there shows in it.
    assert len(said) == len(GRAPHS) * len(FIELDS)
