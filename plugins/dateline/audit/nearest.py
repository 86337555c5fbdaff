"""Passages of a library nearest to a question, whatever their date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dateline.ranking.bm25 import top
from dateline.ranking.prepared import headed
from dateline.records import Evidence
from dateline.text.embeddings import embed

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


def nearest_passages(question: str, *, evidence: Sequence[Evidence], k: int, embeddings: Embeddings) -> list[Evidence]:
    """Return the `k` nearest by vectors alone, as a plain retriever would.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Evidence.make("Lund is old."), Evidence.make("The mayor is Ada Berg.")]
        >>> nearest_passages("Who is the mayor?", evidence=notes, k=1, embeddings=LexicalEmbeddings())[0].text
        'The mayor is Ada Berg.'
    """
    vectors = embed([question, *map(headed, evidence)], embeddings=embeddings)
    return [evidence[place] for place in top(vectors[1:] @ vectors[0], k)]
