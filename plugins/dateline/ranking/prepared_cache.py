"""Prepared passages kept from question to question, and from process to process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any

from langchain_core.embeddings import Embeddings

from dateline.errors import BadInput
from dateline.latest import Latest
from dateline.ranking.prepared import PreparedPassage, encoder_name, passage_keys, prepare
from dateline.records import Evidence
from dateline.text.blob_cache import BlobCache
from dateline.text.cache_folder import cache_folder
from dateline.text.embeddings import default_embeddings

MEMORY = 128 * 2**20
"""Bytes held by one process: some 14,000 passages of 100 words with MiniLM's vectors; chosen by hand."""

DISK = 2 * 2**30
"""Bytes of the file in the user's cache, which all processes share: some 200,000 such passages; chosen by hand."""

_CHUNK = 512
"""Passages made at a time, so that an interruption loses little."""

_OVERHEAD = 2500
"""Bytes of a passage's arrays beside what they hold; measured."""

_READERS = (
    "temporal/**/*",
    "language/**/*",
    "text/**/*",
    "ranking/prepared.py",
    "ranking/possible_answers.py",
    "ranking/sentence_words.py",
)
"""The sources that decide how a passage is read."""


class PreparedCache:
    """Passages prepared once, in memory and, for named encoders, on disk.

    Safe to share between threads, the file between processes. It holds no text (`PreparedPassage`). Sent to another
    process, it arrives empty.

    Args:
        memory: bytes in memory at most, those asked for least recently going first.
        disk: where they outlive the process; `None`: nowhere. Passages of encoders without a name never do.

    Raises:
        BadInput: when `memory` is below 1.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes, cache = [Evidence.make("It opened in 1927.")], PreparedCache()
        >>> first = cache.prepare(notes, embeddings=LexicalEmbeddings())
        >>> cache.prepare(notes, embeddings=LexicalEmbeddings())[0] is first[0]
        True
    """

    def __init__(self, *, memory: int = MEMORY, disk: BlobCache | None = None) -> None:
        if memory < 1:
            raise BadInput(f"The cache's memory must be at least 1 byte, not {memory}.")
        self._size, self._disk = memory, disk
        self._held = Latest[bytes, PreparedPassage](size=memory)
        self._nameless: Embeddings | None = None
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(PreparedCache, memory=self._size, disk=self._disk), ()

    def prepare(self, evidence: Sequence[Evidence], *, embeddings: Embeddings) -> list[PreparedPassage]:
        """Return the passages prepared, made where they are not known yet."""
        keys, disk = passage_keys(evidence, embeddings=embeddings), self._disk
        if encoder_name(embeddings) is None:
            self._welcome(embeddings)
            disk = None
        places = dict(zip(keys, range(len(keys)), strict=True))
        known = self._recall(places)
        known |= self._read([key for key in places if key not in known], disk)
        missing = [evidence[place] for key, place in places.items() if key not in known]
        for start in range(0, len(missing), _CHUNK):
            known |= self._keep(prepare(missing[start : start + _CHUNK], embeddings=embeddings), disk)
        return [known[key] for key in keys]

    def remember(self, passages: Iterable[PreparedPassage]) -> None:
        """Hold passages that are kept elsewhere, for whoever ranks them next."""
        for passage in passages:
            self._hold(passage, passage.vectors.nbytes + passage.vector.nbytes + passage.words.nbytes)

    def _welcome(self, embeddings: Embeddings) -> None:
        """Forget another nameless encoder's vectors, which keys do not tell apart."""
        with self._lock:
            if self._nameless is not None and self._nameless is not embeddings:
                self._held.clear()
            self._nameless = embeddings

    def _recall(self, keys: Iterable[bytes]) -> dict[bytes, PreparedPassage]:
        return {key: passage for key in keys if (passage := self._held.get(key)) is not None}

    def _read(self, keys: Sequence[bytes], disk: BlobCache | None) -> dict[bytes, PreparedPassage]:
        if disk is None or not keys:
            return {}
        kept = disk.read(map(_row, keys))
        found: dict[bytes, PreparedPassage] = {}
        for key in keys:
            passage = PreparedPassage.from_bytes(kept.get(_row(key), b""))
            if passage is not None and passage.key == key:
                found[key] = passage
                self._hold(passage, len(kept[_row(key)]))
        return found

    def _keep(self, made: Sequence[PreparedPassage], disk: BlobCache | None) -> dict[bytes, PreparedPassage]:
        kept = {passage.key: passage.to_bytes() for passage in made}
        if disk is not None:
            disk.write({_row(key): data for key, data in kept.items()})
        for passage in made:
            self._hold(passage, len(kept[passage.key]))
        return {passage.key: passage for passage in made}

    def _hold(self, passage: PreparedPassage, size: int) -> None:
        self._held.put(passage.key, passage, weight=size + _OVERHEAD)


def cache_for(embeddings: Embeddings) -> PreparedCache:
    """Return the cache for an encoder.

    Those with a name share one. Another encoder's is its own and ends with it, since nobody knows what else bears its name.
    """
    return PreparedCache() if encoder_name(embeddings) is None else _shared(cache_folder())


def fill_cache(evidence: Sequence[Evidence], *, embeddings: Embeddings | None = None) -> None:
    """Prepare passages before they are asked about.

    Those of an encoder without a name are left alone: nobody would find them.
    """
    chosen = default_embeddings() if embeddings is None else embeddings
    if encoder_name(chosen) is not None:
        cache_for(chosen).prepare(evidence, embeddings=chosen)


@lru_cache(maxsize=1)
def _shared(folder: Path) -> PreparedCache:
    return PreparedCache(disk=BlobCache(folder / "passages.sqlite", size=DISK))


def _row(key: bytes) -> bytes:
    return key + reader_version()


def reader_version() -> bytes:
    """Return a hash of the code that reads passages.

    Other code reads them anew.
    """
    return code_version(*_READERS)


@cache
def code_version(*patterns: str) -> bytes:
    """Return a hash of the files of this package that patterns name."""
    root, digest = Path(__file__).parents[1], hashlib.blake2b(digest_size=8)
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.read_bytes())
    return digest.digest()
