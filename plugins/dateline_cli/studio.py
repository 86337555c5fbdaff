"""`dateline studio`: the graphs served on this machine, with a token."""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dateline import BadInput, DatelineError
from dateline.errors import MissingExtra
from dateline.files import make_folder, write_whole
from dateline_cli.values import port, whole

OWN = Path(".dateline", "studio", "dateline.toml")
"""The configuration that is written where there is none, below the working directory."""

JOBS = 16
"""Runs side by side: most of them wait for a chat model. Chosen by hand."""

STARTING = 120
"""Seconds within which the server answers, on a slow machine too; chosen by hand."""

SERVER = "langgraph_cli"
"""The package that serves, of the extra `studio`."""

EXAMPLES = Path("examples", "corpus")
STUDIO = "https://smith.langchain.com/studio/?baseUrl="


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "studio",
        help="serve the graphs to LangGraph Studio on this machine",
        description=__doc__,
        epilog="Without dateline.toml the library is examples/corpus, and facts are kept in .dateline/studio.",
    )
    command.add_argument("--port", type=port, metavar="N", default=8123, help="the port (default: 8123)")
    command.add_argument(
        "--jobs", type=whole(1), metavar="N", default=JOBS, help=f"how many runs go on side by side (default: {JOBS})"
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until it is stopped; print the address with the token."""
    from dateline_graphs.server import read_config
    from dateline_graphs.server.config import FILE
    from dateline_graphs.server.config import VARIABLE as CONFIG
    from dateline_graphs.server.tokens import token_of_start

    if not Path("langgraph.json").is_file():
        raise BadInput("There is no langgraph.json here; go to the folder that has it, or make one with: dateline init")
    if find_spec(SERVER) is None:
        raise MissingExtra(SERVER, extra="studio")
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", arguments.port)) == 0:
            raise BadInput(f"The port {arguments.port} is taken; give another with --port.")
    # Threads are kept in .langgraph_api, facts in the store's folder: nobody else reads them.
    os.umask(0o077)
    if not os.environ.get(CONFIG) and not Path(FILE).is_file():
        os.environ[CONFIG] = str(_own_configuration().resolve())
    config = read_config()
    token = "TOKEN" if config.users else token_of_start()
    os.environ |= {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}
    serve = [sys.executable, "-m", SERVER, "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1"]
    serve += ["--n-jobs-per-worker", str(arguments.jobs)]
    address = f"http://127.0.0.1:{arguments.port}"
    # Whoever ends this process ends the server with it.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with subprocess.Popen([*serve, "--port", str(arguments.port)]) as server:
        try:
            if _up(server, address):
                print(f"\nOpen in a browser: {STUDIO}{address}/as/{token}", flush=True)
                if config.users:
                    print("TOKEN is yours out of [users] of the configuration.", flush=True)
            return server.wait()
        finally:
            server.terminate()


def _own_configuration() -> Path:
    if not OWN.exists():
        make_folder(OWN.parent)
        library = f"libraries.examples.path = {json.dumps(str(EXAMPLES.resolve()), ensure_ascii=False)}\n"
        text = f'{library if EXAMPLES.is_dir() else ""}stores.facts.address = "facts"\n'
        write_whole(OWN, f"# Written by dateline studio; a dateline.toml of yours takes its place.\n{text}")
    return OWN


def _up(server: subprocess.Popen[bytes], address: str) -> bool:
    """Wait until the server answers; return whether it does, or has ended.

    Raises:
        DatelineError: where it does neither in time.
    """
    # This machine is asked itself, whatever proxy stands before others.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    began = time.monotonic()
    while server.poll() is None:
        with suppress(OSError), direct.open(f"{address}/ok", timeout=5):
            return True
        if time.monotonic() - began > STARTING:
            raise DatelineError(f"No server answered at {address} within {STARTING} s; see above what it said.")
        time.sleep(0.2)
    return False
