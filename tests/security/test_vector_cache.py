"""The cache of vectors has a size, serves several processes, and never stands in the way."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dateline.errors import BadInput
from dateline.text.blob_cache import BlobCache
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.lexical import LexicalEmbeddings

SIZE = 256 * 1024


class Counted(LexicalEmbeddings):
    """An encoder that keeps what it was given."""

    def __init__(self) -> None:
        super().__init__(dimensions=256)
        self.texts: list[str] = []

    def embed_array(self, texts):  # type: ignore[no-untyped-def]
        self.texts += texts
        return super().embed_array(texts)


def texts(start: int, end: int) -> list[str]:
    return [f"Note {number}: the ferry runs daily." for number in range(start, end)]


def cached(folder: Path, inner: Counted, *, size: int = SIZE) -> CachedEmbeddings:
    return CachedEmbeddings(inner, name="counted", folder=folder, size=size)


def bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def test_the_file_never_grows_beyond_its_size(tmp_path: Path) -> None:
    embeddings = cached(tmp_path, Counted())
    for start in range(0, 2000, 20):
        embeddings.embed_array(texts(start, start + 20))
        assert bytes_in(tmp_path) <= SIZE
    assert bytes_in(tmp_path) > SIZE / 2


def test_reading_does_not_make_it_outgrow_its_size_either(tmp_path: Path) -> None:
    drawn, cache = random.Random(10), BlobCache(tmp_path / "kept.sqlite", size=SIZE)

    def some() -> list[bytes]:
        return [str(drawn.randrange(500)).encode() * 4 for _ in range(40)]

    for _ in range(80):
        asked = some()
        found = cache.read(asked)
        cache.write({key: b"v" * 1024 for key in asked if key not in found})
        cache.read(some())
        assert bytes_in(tmp_path) <= SIZE


def test_what_was_asked_for_least_recently_goes_first(tmp_path: Path) -> None:
    inner = Counted()
    embeddings = cached(tmp_path, inner)
    often = texts(0, 10)
    for start in range(10, 1000, 20):
        embeddings.embed_array([*often, *texts(start, start + 20)])
    inner.texts.clear()
    embeddings.embed_array(often)
    assert inner.texts == []
    embeddings.embed_array(texts(10, 30))
    assert len(inner.texts) == 20


def test_a_smaller_size_shrinks_a_file_that_is_there(tmp_path: Path) -> None:
    cached(tmp_path, Counted(), size=10 * SIZE).embed_array(texts(0, 1000))
    assert bytes_in(tmp_path) > SIZE
    cached(tmp_path, Counted()).embed_array(texts(1000, 1001))
    assert bytes_in(tmp_path) <= SIZE


def test_vectors_are_right_whether_or_not_they_fit(tmp_path: Path) -> None:
    for size in (1, 20_000, SIZE):
        given = texts(0, 300)
        np.testing.assert_allclose(
            cached(tmp_path, Counted(), size=size).embed_array(given), Counted().embed_array(given), atol=1e-6
        )


@pytest.mark.parametrize("place", ["damaged", "folder"])
def test_a_cache_that_cannot_be_used_is_no_error(tmp_path: Path, place: str) -> None:
    embeddings = cached(tmp_path, Counted())
    file = embeddings._kept.path
    if place == "damaged":
        file.write_bytes(b"no database" * 1000)
    else:
        file.mkdir(parents=True)
    assert embeddings.embed_array(texts(0, 3)).shape == (3, 256)


def test_a_size_below_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at least 1 byte, not 0"):
        cached(tmp_path, Counted(), size=0)


PROCESS = """
import sys
from pathlib import Path
import numpy as np
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.lexical import LexicalEmbeddings
inner = LexicalEmbeddings(dimensions=256)
embeddings = CachedEmbeddings(inner, name="counted", folder=Path(sys.argv[1]), size=int(sys.argv[2]))
for start in range(0, 400, 20):
    texts = [f"Note {number}: the ferry runs daily." for number in range(start, start + 40)]
    assert np.allclose(embeddings.embed_array(texts), inner.embed_array(texts), atol=1e-6)
"""


def test_several_processes_share_it(tmp_path: Path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", PROCESS, str(tmp_path), str(SIZE)], stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in started:
        _, told = process.communicate(timeout=100)
        assert (process.returncode, told) == (0, "")
    assert bytes_in(tmp_path) <= SIZE
