"""The real LangGraph server under hostile questions and documents: how soon `/ok` answers meanwhile."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hostile_texts import KINDS, name_of, question_of, text_of
from servers import free_port

ROOT = Path(__file__).parent.parent
TOKEN = "token-of-ann"
CONFIGURATION = f"""
libraries.hostile = {{path = "library"}}
stores.notes = {{address = "notes"}}
users.ann.token = "{TOKEN}"
"""
DOCUMENTS = 40
"""Of the library that questions are answered from."""

FINE = {"done", "BadInput", "status 422"}
"""Ends of a run: an answer, and the refusals by us and by the server."""

EVERY = 0.05
"""Seconds between two looks at `/ok`."""


def server_figures(runs: int, *, seed: int = 0) -> dict[str, Any]:
    """Send so many runs, half questions and half documents for a store, and ask `/ok` all the while."""
    if not runs:
        return {}
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, _served(Path(name), chance) as url:
        ended: Counter[str] = Counter()
        sender = threading.Thread(target=_send, args=(url, chance, runs, ended), daemon=True)
        sender.start()
        waits = []
        while sender.is_alive():
            waits.append(_seconds(lambda: _request(f"{url}/ok", seconds=30)))
            time.sleep(EVERY)
    return {
        "server_runs": dict(ended),
        "server_raised": sum(count for end, count in ended.items() if end not in FINE),
        "ok_asked": len(waits),
        "ok_median_seconds": round(statistics.median(waits), 4),
        "ok_slowest_seconds": round(max(waits), 3),
    }


def _send(url: str, chance: random.Random, runs: int, ended: Counter[str]) -> None:
    for number in range(runs):
        text = question_of(chance) if number % 2 else text_of(chance)
        known: dict[str, Any] = {"question": text, "as_of": "2024-06-01"}
        news: dict[str, Any] = {"documents": [{"text": text, "published": "2024-05-01"}]}
        given, graph, context = (known, "answer", {}) if number % 2 else (news, "update_facts", {"store": "notes"})
        body = {"assistant_id": graph, "input": given, "context": context}
        try:
            answer = json.loads(_request(f"{url}/as/{TOKEN}/runs/wait", body=body, seconds=300))
            ended[answer["__error__"]["error"] if "__error__" in answer else "done"] += 1
        except urllib.error.HTTPError as error:
            ended[f"status {error.code}"] += 1
        except OSError as error:
            ended[type(error).__name__] += 1


def _seconds(step: Callable[[], object]) -> float:
    begun = time.monotonic()
    step()
    return time.monotonic() - begun


def _request(url: str, *, body: Any = None, seconds: float) -> bytes:
    # Written in ASCII, for a half of a character has no bytes of its own.
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        content: bytes = answer.read()
    return content


@contextmanager
def _served(folder: Path, chance: random.Random) -> Iterator[str]:
    library = folder / "library"
    library.mkdir()
    for number in range(DOCUMENTS):
        ending, text = chance.choice(KINDS)(chance)
        (library / name_of(chance, ending, number)).write_bytes(text.encode("utf-8", errors="surrogatepass"))
    (folder / "dateline.toml").write_text(CONFIGURATION, encoding="utf-8")
    server = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    graphs = {name: {**one, "path": str(ROOT / one["path"])} for name, one in server["graphs"].items()}
    own = {**server, "graphs": graphs, "disable_persistence": True}
    (folder / "langgraph.json").write_text(json.dumps(own), encoding="utf-8")
    port = free_port()
    program = str(Path(sys.executable).with_name("langgraph"))
    command = [program, "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
    env = {**os.environ, "LANGSMITH_TRACING": "false", "DATELINE_CONFIG": str(folder / "dateline.toml")}
    log = (folder / "server.log").open("w")
    with log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, env=env) as process:
        try:
            _until_ok(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _until_ok(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(400):
        if process.poll() is not None:
            break
        try:
            _request(f"{url}/ok", seconds=1)
        except OSError:
            time.sleep(0.25)
        else:
            return
    raise SystemExit("The LangGraph server did not start; install the extra 'studio'.")
