"""A folder of dated documents as the search of FreshQA."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from dateline.protocols import Search
from dateline.records import Evidence
from dateline.search import FolderSearch, load_documents
from dateline.text import default_embeddings
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench import rows
from dateline_bench.benchmark import Progress


def search_over(path: Path, *, semantic: bool, progress: Progress | None) -> Search:
    """Make a search over a folder; `semantic` embeds every sentence."""
    encoder = default_embeddings() if semantic else LexicalEmbeddings()
    documents = _documents(path, progress)
    if isinstance(encoder, LexicalEmbeddings):
        return FolderSearch(documents, embeddings=encoder)
    embedded = partial(progress, "vectors") if progress else None
    return FolderSearch(documents, embeddings=CachedEmbeddings(encoder, name=encoder.name, progress=embedded))


def _documents(path: Path, progress: Progress | None) -> Sequence[Evidence]:
    """Load documents, unpacking gzipped JSON lines."""
    packed = sorted(path.glob("*.jsonl.gz")) if path.is_dir() else [path] if path.name.endswith(".jsonl.gz") else []
    if not packed:
        return load_documents(path, progress=progress).documents
    with TemporaryDirectory() as folder:
        for each in packed:
            rows.write(Path(folder, each.stem), rows.read(each))
        unpacked = load_documents(Path(folder), progress=progress).documents
    plain = path.is_dir() and any(each.is_file() and each not in packed for each in path.rglob("*"))
    return [*(load_documents(path, progress=progress).documents if plain else ()), *unpacked]
