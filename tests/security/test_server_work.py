"""The real server while a large library is indexed: it answers, and stops when the runs are cancelled."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from served import Served, serving

httpx = pytest.importorskip("httpx")
pytest.importorskip("langgraph_api")

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="The server's processor time is read from /proc."),
]

CONFIGURATION = """
libraries.large = {path = "large"}
users.ann.token = "token-of-ann"
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "large").mkdir()
    for number in range(3000):
        text = " ".join(
            f"In {1900 + each} the ferry number {number} of {each} was sold to a firm." for each in range(80)
        )
        (folder / "large" / f"{number}.md").write_text(text, encoding="utf-8")
    with serving(folder, CONFIGURATION, XDG_CACHE_HOME=str(folder / "cache")) as served:
        yield served


@pytest.fixture
def ann(server: Served) -> Any:
    return httpx.Client(base_url=server.url, headers={"Authorization": "Bearer token-of-ann"}, timeout=30)


def process_of(server: Served) -> int:
    port = server.url.rpartition(":")[2]
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().endswith(f"--port\0{port}\0".encode()):
                return int(path.parent.name)
        except OSError:
            continue
    pytest.fail("The server's process is not there.")


def seconds_of(process: int) -> float:
    """The processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def until_busy(process: int) -> None:
    for _ in range(60):
        before = seconds_of(process)
        time.sleep(0.5)
        if seconds_of(process) - before > 0.2:
            return
    pytest.fail("Nothing is indexed.")


def test_it_answers_while_it_indexes_and_the_work_ends_with_the_runs(server: Served, ann: Any) -> None:
    process = process_of(server)
    runs = []
    for budget in (1000, 2000, 3000):
        thread = ann.post("/threads", json={}).json()["thread_id"]
        given = {"question": "Who bought the ferry?", "as_of": "2024"}
        asked = {"assistant_id": "answer", "input": given, "context": {"token_budget": budget}}
        runs.append((thread, ann.post(f"/threads/{thread}/runs", json=asked).json()["run_id"]))
    time.sleep(2)
    until_busy(process)
    waits = []
    for _ in range(10):
        started = time.monotonic()
        assert ann.get("/ok").status_code == 200
        waits.append(time.monotonic() - started)
        time.sleep(0.1)
    assert statistics.median(waits) < 0.5
    for thread, run in runs:
        assert ann.post(f"/threads/{thread}/runs/{run}/cancel").status_code in (202, 204)
    time.sleep(2)  # The server looks for cancelled runs once in a while; the work then ends within a second.
    before = seconds_of(process)
    time.sleep(2)
    assert seconds_of(process) - before < 0.5
    assert {ann.get(f"/threads/{thread}/runs/{run}").json()["status"] for thread, run in runs} == {"interrupted"}
