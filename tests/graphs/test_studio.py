"""The real LangGraph server over `langgraph.json`, driven with its own client."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sdk = pytest.importorskip("langgraph_sdk")
pytest.importorskip("langgraph_api")

ROOT = Path(__file__).parent.parent.parent
CORPUS = ROOT / "examples" / "corpus"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    log = (tmp_path_factory.mktemp("server") / "log").open("w+")
    command = [
        str(Path(sys.executable).with_name("langgraph")),
        *("dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)),
    ]
    environment = {**os.environ, "LANGSMITH_TRACING": "false"}
    process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env=environment)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            assert process.poll() is None, Path(log.name).read_text(encoding="utf-8")[-3000:]
            try:
                with urllib.request.urlopen(f"{url}/ok", timeout=1):
                    break
            except OSError:
                time.sleep(0.25)
        else:
            pytest.fail(Path(log.name).read_text(encoding="utf-8")[-3000:])
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


async def test_the_answer_graph_is_listed_and_drawn_with_its_nodes(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="answer")
    drawn = await client.assistants.get_graph(assistant["assistant_id"])
    names = {node["id"] for node in drawn["nodes"]}
    assert {"decompose", "search", "evidence", "rerank", "answer", "gate", "update_facts", "finish"} <= names


async def test_a_person_can_fill_in_the_input_and_the_options(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="answer")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == {"question", "as_of", "choices", "history"}
    assert {"docs", "search", "model", "facts", "k", "max_rounds"} <= set(schemas["context_schema"]["properties"])
    assert set(schemas["output_schema"]["properties"]) == {"report"}


async def test_a_run_streams_its_steps_and_ends_in_a_report(server: str) -> None:
    client = sdk.get_client(url=server)
    thread = await client.threads.create()
    steps: list[str] = []
    async for part in client.runs.stream(
        thread["thread_id"],
        "answer",
        input={"question": "Who is the Prime Minister of the United Kingdom?", "as_of": "2019-01-15"},
        context={"docs": str(CORPUS)},
        stream_mode=["custom", "updates"],
    ):
        assert part.event != "error", part.data
        if part.event == "custom":
            steps.append(part.data["name"])
    assert steps[0] == "decompose"
    assert "gate" in steps
    state: Any = await client.threads.get_state(thread["thread_id"])
    assert state["values"]["report"]["answer"] == "Theresa May"
    assert state["values"]["schema_version"] == 1


async def test_passages_of_ones_own_are_read_by_the_self_mrag_graph(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="self_mrag")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == {"question", "as_of", "evidence", "choices"}
    assert {"model", "passages", "tries", "token_budget"} == set(schemas["context_schema"]["properties"])
    thread = await client.threads.create()
    passages = [
        {"text": "Ana Bell led the choir from 2011 to 2018.", "published": "2019-02-03"},
        {"text": "Tom Reyes has led the choir since 2019.", "published": "2023-02-03"},
    ]
    asked = {"question": "Who led the choir in 2020?", "as_of": "2024-05-01", "evidence": passages}
    result: Any = await client.runs.wait(thread["thread_id"], "self_mrag", input=asked)
    assert result["reading"]["answer"] == "Tom Reyes"
    assert [step["name"] for step in result["trace"]][-1] == "combine"


async def test_the_update_graph_waits_for_a_person_and_goes_on_when_told(server: str, tmp_path: Path) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="update_facts")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == {"documents", "docs", "known_at"}
    assert {"facts", "updater", "model", "ask"} <= set(schemas["context_schema"]["properties"])
    documents = [
        {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"},
        {"text": "Carl Dahl is the director of the Northern Observatory.", "published": "2021-09-14"},
    ]
    context = {"facts": str(tmp_path / "facts"), "ask": ["make_false"]}
    thread = await client.threads.create()
    asked: Any = await client.runs.wait(
        thread["thread_id"], "update_facts", input={"documents": documents}, context=context
    )
    ((interrupt,), *_) = [asked["__interrupt__"]]
    assert interrupt["value"]["edits"][0]["fact"] == documents[0]["text"]
    done: Any = await client.runs.wait(
        thread["thread_id"], "update_facts", command={"resume": "approve"}, context=context
    )
    kinds = [change["kind"] for each in done["report"]["changes"] for change in each["changes"]]
    assert kinds == ["added", "added", "made_false"]


async def test_a_month_of_a_benchmark_is_grown_from_articles_filled_in_by_hand(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="grow")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    given = {"articles", "before", "docs", "docs_before", "month", "questions", "dialogues"}
    assert set(schemas["input_schema"]["properties"]) == given
    assert {"model", "seed", "clusters"} <= set(schemas["context_schema"]["properties"])
    thread = await client.threads.create()
    before = [{"title": "Port Elwin", "text": "The mayor of Port Elwin is Greta Holm."}]
    articles = [{"title": "Port Elwin", "text": "The mayor of Port Elwin is Nils Aker."}]
    asked = {"month": "2024-02", "before": before, "articles": articles}
    result: Any = await client.runs.wait(thread["thread_id"], "grow", input=asked)
    (question,) = result["report"]["questions"]
    assert (question["type"], question["answer"], question["previous_answer"]) == ("Changed", "Nils Aker", "Greta Holm")
