"""Many users at once: runs go side by side on the real server, and threads lie in PostgreSQL where that is configured."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from dateline.errors import BadInput
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.testing import FixedSearch
from dateline_graphs import answer_graph
from dateline_graphs.components import default_components
from dateline_graphs.options import AnswerOptions
from dateline_graphs.server.checkpoints import open_checkpoints
from dateline_graphs.validated import Validated
from served import Served, serving

RUNS = 8
SLOW = f"""
import threading
from dataclasses import replace
from typing import Any

from langchain_core.language_models import SimpleChatModel

from dateline.reading import ChatReader
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.testing import FixedSearch
from dateline_graphs import AnswerOptions, answer_graph
from dateline_graphs.components import default_components

TOGETHER = threading.Barrier({RUNS}, timeout=200)


class Waits(SimpleChatModel):
    _llm_type: str = "waits"

    def _call(self, *_: Any, **__: Any) -> str:
        TOGETHER.wait()
        return "answer: Bo Lind\\nevidence: E1"


search = FixedSearch([Evidence.make("Bo Lind chairs Borth Council.")])
parts = default_components(search=search, options=AnswerOptions(reader="rules", max_rounds=0))
slow = answer_graph(replace(parts, reader=ChatReader(Waits()))).compile(name="slow")
"""
ASKED = {"question": "Who chairs Borth Council?", "as_of": "2024"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, pgvector_url: str) -> Iterator[Served]:
    pytest.importorskip("langgraph_api")
    folder = tmp_path_factory.mktemp("served")
    (folder / "slow.py").write_text(SLOW, encoding="utf-8")
    more = {
        "graphs": {"slow": {"path": str(folder / "slow.py") + ":slow"}},
        "checkpointer": {"path": "dateline_graphs.server.checkpoints.checkpointer"},
    }
    configuration = 'users.ann.token = "token-of-ann"\nserver.checkpoints = "env:CHECKPOINTS"'
    jobs = ("--n-jobs-per-worker", str(RUNS))
    with serving(folder, configuration, options=jobs, more=more, CHECKPOINTS=pgvector_url) as served:
        yield served


@pytest.mark.timeout(300)
async def test_runs_that_wait_for_a_slow_model_go_side_by_side_and_their_threads_lie_in_the_database(
    server: Served, pgvector_url: str
) -> None:
    httpx = pytest.importorskip("httpx")
    # Each run waits inside the model until all of them are there.
    async with httpx.AsyncClient(base_url=server.as_("token-of-ann"), timeout=250) as ann:
        threads = [(await ann.post("threads", json={})).json()["thread_id"] for _ in range(RUNS)]
        body = {"assistant_id": "slow", "input": ASKED}
        runs = [ann.post(f"threads/{thread}/runs/wait", json=body) for thread in threads]
        replies = [reply.json() for reply in await asyncio.gather(*runs)]
    assert [reply.get("report", reply).get("answer", reply) for reply in replies] == ["Bo Lind"] * RUNS
    async with open_checkpoints(pgvector_url) as saver:
        kept = await saver.aget_tuple({"configurable": {"thread_id": threads[0]}})
    assert kept is not None
    assert kept.checkpoint["channel_values"]["report"]["answer"] == "Bo Lind"


async def test_programs_that_open_the_checkpoints_at_once_share_them(pgvector_url: str) -> None:
    async def asked(thread: str) -> Any:
        async with open_checkpoints(pgvector_url) as saver:
            search = FixedSearch([Evidence.make("Bo Lind chairs Borth Council.")])
            parts = default_components(search=search, options=AnswerOptions(reader="rules"))
            graph = answer_graph(parts).compile(checkpointer=saver)
            return (await graph.ainvoke(ASKED, {"configurable": {"thread_id": thread}}))["report"]["answer"]

    threads = [str(uuid.uuid4()) for _ in range(4)]
    assert await asyncio.gather(*map(asked, threads)) == ["Bo Lind"] * 4
    async with open_checkpoints(pgvector_url) as saver:
        assert all([await saver.aget_tuple({"configurable": {"thread_id": thread}}) for thread in threads])


@pytest.mark.parametrize("address", ["", "notes", "sqlite:///notes.db"])
async def test_checkpoints_of_a_server_lie_in_postgresql_alone(address: str) -> None:
    with pytest.raises(BadInput, match="PostgreSQL"):
        async with open_checkpoints(address):
            pass


async def test_a_database_that_is_not_there_is_said_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg_pool")
    monkeypatch.setattr("dateline_graphs.server.checkpoints._WAIT", 0.5)
    with pytest.raises(BadInput, match="Cannot keep checkpoints") as refused:
        async with open_checkpoints("postgresql://ann:geheim@127.0.0.1:1/none"):
            pass
    assert "geheim" not in str(refused.value)


def test_a_state_that_was_changed_is_read_as_it_is_now() -> None:
    piece = Evidence.make("Bo Lind chairs Borth Council.", published=Interval.of_year(2020))
    kept, written = Validated(), piece.model_dump(mode="json")
    kept.add(piece, written)
    assert kept.read(Evidence, written) is piece
    assert kept.read(Evidence, json.loads(json.dumps(written))) is piece
    written["published"] = Interval.of_year(2021).to_json()
    assert kept.read(Evidence, written).published == Interval.of_year(2021)
    assert kept.read(Evidence, piece.model_dump(mode="json")) is piece
    with pytest.raises(ValidationError):
        kept.read(Evidence, {"text": 7})
