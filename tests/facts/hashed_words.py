"""Deterministic embeddings for the tests of the fact store."""

from __future__ import annotations

import hashlib

import numpy as np

DIMENSIONS = 256


class HashedWords:
    """Every word adds or takes one at one place; has the methods of LangChain's `Embeddings`."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector = [0.0] * DIMENSIONS
        for word in text.casefold().split():
            digest = hashlib.blake2b(word.strip(".?!").encode(errors="replace"), digest_size=2).digest()
            vector[digest[0] % DIMENSIONS] += 1.0 if digest[1] % 2 else -1.0
        return vector


class HashedTexts:
    """Every text has a direction of its own; only equal texts are similar."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        seed = int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=8).digest(), "big")
        vector: list[float] = np.random.default_rng(seed).standard_normal(DIMENSIONS).tolist()
        return vector
