"""Which paragraphs questions and dialogues are made of (GrowOVER, section 3.1)."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from langchain_core.embeddings import Embeddings

from dateline.text.embeddings import embed
from dateline_bench.growing.articles import GrowingArticle
from dateline_bench.growing.kmeans import kmeans

FEWER_SENTENCES, SHORTEST, LONGEST = 5, 300, 600
"""A paragraph is informative with fewer than five sentences and 300 to 600 characters."""

CLUSTERS = 4
"""Paragraphs of an article at most; of more than so many one is drawn from each cluster."""


def is_informative(article: GrowingArticle, paragraph: tuple[int, int]) -> bool:
    """Return whether a paragraph is neither too short nor too long."""
    start, end = paragraph
    return end - start < FEWER_SENTENCES and SHORTEST <= len(" ".join(article.sentences[start:end])) <= LONGEST


def choose(
    article: GrowingArticle,
    paragraphs: Sequence[tuple[int, int]],
    *,
    embeddings: Embeddings,
    seed: int,
    clusters: int = CLUSTERS,
) -> list[tuple[int, int]]:
    """Choose at most `clusters` different paragraphs, in order.

    The same article and seed give the same choice.
    """
    if len(paragraphs) <= clusters:
        return list(paragraphs)
    rng = np.random.default_rng([seed, zlib.crc32(article.id.encode(errors="replace"))])
    texts = [" ".join(article.sentences[start:end]) for start, end in paragraphs]
    labels = kmeans(embed(texts, embeddings=embeddings), clusters=clusters, rng=rng)
    drawn = [int(rng.choice(np.flatnonzero(labels == cluster))) for cluster in range(clusters)]
    return [paragraphs[place] for place in sorted(drawn)]
