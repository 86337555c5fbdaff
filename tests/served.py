"""The real LangGraph server over `langgraph.json`, with a configuration of the test's."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent


class Served(NamedTuple):
    """A server that runs."""

    url: str
    log: Path
    folder: Path
    """Where its configuration lies."""

    def as_(self, token: str) -> str:
        """The address of a client with a token."""
        return f"{self.url}/as/{token}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_langgraph(folder: Path, more: Mapping[str, Any] | None = None) -> None:
    """Write our langgraph.json for a server that runs elsewhere and keeps nothing."""
    server = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))
    graphs = {name: {**one, "path": str(ROOT / one["path"])} for name, one in server["graphs"].items()}
    more = more or {}
    own = {**server, "disable_persistence": True, **more, "graphs": {**graphs, **more.get("graphs", {})}}
    (folder / "langgraph.json").write_text(json.dumps(own), encoding="utf-8")


@contextmanager
def serving(
    folder: Path,
    configuration: str,
    *,
    options: Sequence[str] = (),
    more: Mapping[str, Any] | None = None,
    **environment: str,
) -> Iterator[Served]:
    """Start the server, wait until it answers, and stop it in the end.

    `options` are of `langgraph dev`, `more` what langgraph.json says besides.
    """
    config = folder / "dateline.toml"
    config.write_text(configuration, encoding="utf-8")
    write_langgraph(folder, more or {})
    port = free_port()
    served = Served(f"http://127.0.0.1:{port}", folder / "server.log", folder)
    command = [
        str(Path(sys.executable).with_name("langgraph")),
        *("dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port), *options),
    ]
    inherited = {name: value for name, value in os.environ.items() if name != "DATELINE_TOKEN"}
    env = {**inherited, "LANGSMITH_TRACING": "false", "DATELINE_CONFIG": str(config), **environment}
    with served.log.open("w") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, env=env)
        try:
            _wait(served, process)
            yield served
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait(served: Served, process: subprocess.Popen[bytes]) -> None:
    for _ in range(400):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{served.url}/ok", timeout=1):
                return
        except OSError:
            time.sleep(0.25)
    pytest.fail(served.log.read_text(encoding="utf-8")[-3000:])
