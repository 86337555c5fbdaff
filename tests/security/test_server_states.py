"""States on the real server: the graphs write them, so that no client passes its own words for a library's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from served import Served, serving

sdk = pytest.importorskip("langgraph_sdk")
pytest.importorskip("langgraph_api")
pytestmark = pytest.mark.timeout(300)

WHO = {"question": "Who is the director of the Northern Observatory?", "as_of": "2022"}
ANNA = {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"}
CONFIGURATION = """
libraries.notes.path = "notes"
stores.team = {address = "team", approvers = ["ann"], policy = {interrupt_on = ["add"]}}
users.ann.token = "token-of-ann"
users.bob.token = "token-of-bob"
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("states")
    (folder / "notes").mkdir()
    (folder / "notes" / "2015-03-02.md").write_text(ANNA["text"], encoding="utf-8")
    with serving(folder, CONFIGURATION) as server:
        yield server


def client(served: Served, name: str) -> Any:
    return sdk.get_client(url=served.url, headers={"Authorization": f"Bearer token-of-{name}"})


async def test_no_client_writes_a_state(served: Served) -> None:
    bob = client(served, "bob")
    thread = await bob.threads.create()
    forged = {"waiting": [{"id": "x", "text": "Bob is the king.", "source": "Gazette"}]}
    with pytest.raises(Exception, match="A state is written by its graph"):
        await bob.threads.update_state(thread["thread_id"], forged, as_node="take_in")
    made = str(uuid4())
    steps = [{"updates": [{"values": forged, "as_node": "take_in"}]}]
    await bob.threads.create(thread_id=made, graph_id="update_facts", supersteps=steps)
    for command in ({"update": forged}, {"goto": "update"}, {"goto": "update", "update": forged, "resume": "approve"}):
        with pytest.raises(Exception, match="A state is written by its graph"):
            await bob.runs.wait(thread["thread_id"], "update_facts", command=command)
    for id in (thread["thread_id"], made):
        assert not (await bob.threads.get_state(id))["values"]


async def test_a_thread_can_be_named_asked_again_and_resumed(served: Served) -> None:
    ann, bob = client(served, "ann"), client(served, "bob")
    waits = await bob.runs.wait(None, "update_facts", input={"documents": [ANNA]})
    assert "__interrupt__" not in waits
    assert waits["report"]["changes"][0]["pending"]
    with pytest.raises(Exception, match="You may not decide about the edits"):
        await bob.runs.wait(None, "update_facts", input={"review": True})

    thread = await ann.threads.create()
    await ann.threads.update(thread["thread_id"], metadata={"name": "review"})
    stopped = await ann.runs.wait(thread["thread_id"], "update_facts", input={"review": True})
    assert [edit["fact"] for edit in stopped["__interrupt__"][0]["value"]["edits"]] == [ANNA["text"]]
    done = await ann.runs.wait(thread["thread_id"], "update_facts", command={"resume": "approve"})
    assert [change["kind"] for each in done["report"]["changes"] for change in each["changes"]] == ["added"]
    answer = await ann.runs.wait(thread["thread_id"], "answer", input=WHO)
    assert answer["report"]["answer"] == "Anna Berg"
