"""Default embeddings, and embeddings as unit-length arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dateline.stopping import check_stop

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    from dateline.text.encoder import MiniLMEmbeddings
    from dateline.text.lexical import LexicalEmbeddings


@runtime_checkable
class ArrayEmbeddings(Protocol):
    """Embeddings that give an array directly."""

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of shape (len(texts), dimensions)."""
        ...


def default_embeddings() -> MiniLMEmbeddings | LexicalEmbeddings:
    """Return the best embeddings installed.

    all-MiniLM-L6-v2 with the extra "embeddings", else lexical vectors; `.name` says which.
    """
    from dateline.text import encoder

    if encoder.available():
        return encoder.MiniLMEmbeddings()
    from dateline.text.lexical import LexicalEmbeddings

    return LexicalEmbeddings()


_NAMING = ("name", "model", "model_name", "model_id")
"""Where embeddings of LangChain keep the name of their model."""


def name_of(embeddings: object) -> str:
    """Return the name of the model that embeddings run, else their class."""
    named = (getattr(embeddings, each, None) for each in _NAMING)
    return next((name for name in named if isinstance(name, str) and name), type(embeddings).__name__)


BATCH = 2048
"""Texts embedded at a time, between two looks at the flag that stops the work; chosen by hand."""


def embed(texts: Sequence[str], *, embeddings: Embeddings) -> NDArray[np.float32]:
    """Embed texts as vectors of length 1.

    The result has the shape (len(texts), dimensions); texts without any vector stay 0. Equal texts are embedded once.
    """
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    if len(places) < len(texts):
        once = embed(list(places), embeddings=embeddings)
        return once[[places[text] for text in texts]]
    if len(texts) > BATCH:
        # By length, as encoders batch them, so that equal ones stay together.
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        parts = [[texts[place] for place in order[start : start + BATCH]] for start in range(0, len(order), BATCH)]
        found = np.concatenate([embed(part, embeddings=embeddings) for part in parts])
        result: NDArray[np.float32] = np.empty_like(found)
        result[order] = found
        return result
    check_stop()
    if isinstance(embeddings, ArrayEmbeddings):
        vectors = embeddings.embed_array(texts)
    elif not texts:
        vectors = np.zeros((0, 0), dtype=np.float32)  # lists without a vector do not tell how long one is
    else:
        vectors = np.asarray(embeddings.embed_documents(list(texts)), dtype=np.float32)
        vectors = vectors.reshape(len(texts), -1)
    return unit_length(vectors)


def cosines(rows: Sequence[str], *, columns: Sequence[str], embeddings: Embeddings) -> NDArray[np.float32]:
    """Return the cosines of texts, shape (rows, columns)."""
    if not rows or not columns:
        return np.zeros((len(rows), len(columns)), dtype=np.float32)
    found: NDArray[np.float32] = embed(rows, embeddings=embeddings) @ embed(columns, embeddings=embeddings).T
    return found


def unit_length(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale the rows of an array to length 1, except zeros."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    result: NDArray[np.float32] = (vectors / np.where(norms > 0, norms, 1)).astype(np.float32, copy=False)
    return result
