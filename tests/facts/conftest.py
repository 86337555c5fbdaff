"""Servers that the tests start themselves: Chroma's, and Debian's PostgreSQL where it is installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import servers


@pytest.fixture(scope="session")
def chroma_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of a Chroma server on this machine."""
    pytest.importorskip("chromadb")
    if servers.chroma_program() is None:
        pytest.skip("the command chroma is not installed beside this Python")
    with servers.chroma(tmp_path_factory.mktemp("chroma")) as client:
        yield client


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a database: DATELINE_TEST_POSTGRES, or one on a server of our own."""
    given = os.environ.get("DATELINE_TEST_POSTGRES")
    if given:
        yield given
        return
    pytest.importorskip("psycopg")
    if servers.postgres_programs() is None:
        pytest.skip("install Debian's postgresql, or set DATELINE_TEST_POSTGRES to a database URL")
    with servers.postgres() as url:
        yield url


@pytest.fixture
def empty_tables(postgres_url: str) -> None:
    """The database as nobody has used it yet."""
    engine = sqlalchemy.create_engine(postgres_url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE IF EXISTS dateline_operations, dateline_schema, dateline_notes")
    engine.dispose()
