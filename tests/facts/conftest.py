"""A Chroma server that the tests start themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import servers


@pytest.fixture(scope="session")
def chroma_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of a Chroma server on this machine."""
    pytest.importorskip("chromadb")
    if servers.chroma_program() is None:
        pytest.skip("the command chroma is not installed beside this Python")
    with servers.chroma(tmp_path_factory.mktemp("chroma")) as client:
        yield client
