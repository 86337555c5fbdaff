"""Refusals of what is no part or node of LlamaIndex's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llama_index.core.schema import BaseNode, NodeWithScore

from dateline.options import wrong_part


def check_parts(*, reader: Any = None, estimator: Any = None) -> None:
    """Refuse what neither reads nor estimates; `None` is the usual one.

    Raises:
        BadInput: for a part of the wrong kind.
    """
    if reader is not None and not callable(getattr(reader, "read", None)):
        raise wrong_part(reader, name="reader", give="a reader of dateline's, such as ExtractiveReader()")
    if estimator is not None and not callable(getattr(estimator, "estimate", None)):
        raise wrong_part(
            estimator, name="estimator", give="an estimator of dateline's, such as SecondReadingEstimator()"
        )


def checked_nodes(nodes: Iterable[Any]) -> list[BaseNode]:
    """Return nodes as a list; a generator gives them but once.

    Raises:
        BadInput: for anything but nodes and documents of LlamaIndex.
    """
    return _all_of(BaseNode, nodes, give="a node or Document of LlamaIndex, such as TextNode(text=...)")


def scored_nodes(nodes: Iterable[Any]) -> list[NodeWithScore]:
    """Return retrieved nodes as a list; a generator gives them but once.

    Raises:
        BadInput: for anything but nodes with scores.
    """
    return _all_of(NodeWithScore, nodes, give="a NodeWithScore, as a retriever brings; write NodeWithScore(node=...)")


def _all_of(kind: type, nodes: Iterable[Any], *, give: str) -> list[Any]:
    given = list(nodes)
    for other in given:
        if not isinstance(other, kind):
            raise wrong_part(other, name="Each node", give=give)
    return given
