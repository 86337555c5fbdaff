"""`TemporalReranker`: nodes ranked by content and time (MRAG, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.embeddings import Embeddings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import ConfigDict, Field, PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from dateline import Question
from dateline.documents import DateFieldOption, evidence_of_all
from dateline.errors import BadInput
from dateline.evidence.knowledge import KEEP_LATER, visible
from dateline.options import checked_arguments
from dateline.protocols import Ranker
from dateline.ranking.hybrid import HybridRanker
from dateline.reading import local_reader
from dateline.reading.reading_ranker import READ, read_first
from dateline.temporal.as_of import AsOfField, ClockField, now
from dateline.temporal.decomposition import decompose
from llama_index.embeddings.dateline import as_embeddings
from llama_index.node_parser.dateline.parts import scored_nodes
from llama_index.postprocessor.dateline.asked import asked_fields, asked_of
from llama_index.postprocessor.dateline.nodes import scored_copy, without_later_entries


@checked_arguments
class TemporalReranker(BaseNodePostprocessor):
    """A node postprocessor that ranks by content and time.

    What was published after the asking moment is left out; the time asked about ranks and never filters, and undated
    nodes stay in play with a neutral score. Titles that a node keeps from encoders are not ranked by.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from llama_index.core.schema import NodeWithScore, TextNode
        >>> nodes = [NodeWithScore(node=TextNode(text=f"{who} leads Acme.", metadata={"date": when}))
        ...          for who, when in (("Ben", "2021"), ("Ana", "2015"))]
        >>> reranker = TemporalReranker(embeddings=LexicalEmbeddings(), top_n=1)
        >>> [each.text for each in reranker.postprocess_nodes(nodes, query_str="Who led Acme in 2015?")]
        ['Ana leads Acme.']
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    top_n: int | None = Field(default=None, ge=1, description="How many to keep; None keeps all.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the retriever's, else when called.")
    embeddings: BaseEmbedding | Embeddings | None = Field(
        default=None, exclude=True, description="LlamaIndex's or LangChain's; None: dateline's own default."
    )
    date_field: DateFieldOption = ()
    keep_later: bool = Field(default=False, description=KEEP_LATER)
    read: bool = Field(default=False, description=READ)
    clock: ClockField = now
    _ranker: Ranker = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Build the ranker once, so that a missing extra is refused now."""
        super().model_post_init(context)
        chosen = None if self.embeddings is None else as_embeddings(self.embeddings)
        ranker = HybridRanker(embeddings=chosen)
        self._ranker = read_first(ranker, reader=local_reader()) if self.read else ranker

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex serialises it under."""
        return "DatelineTemporalReranker"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        nodes = scored_nodes(nodes)
        if query_bundle is None:
            raise BadInput("TemporalReranker needs the question; pass query_str= or query_bundle=.")
        moment = asked_of(nodes, self.as_of, clock=self.clock)
        return self.rank(decompose(query_bundle.query_str, as_of=moment), nodes=nodes)

    def rank(self, question: Question, *, nodes: Sequence[NodeWithScore], k: int | None = None) -> list[NodeWithScore]:
        """Rank for a question that is taken apart already.

        `k` counts before the setting.
        """
        nodes = without_later_entries(
            nodes, as_of=question.as_of, date_field=self.date_field, keep_later=self.keep_later
        )
        # Two nodes may hold the same text: the position tells them apart.
        places = [str(place) for place in range(len(nodes))]
        evidence = evidence_of_all(nodes, date_field=self.date_field, ids=places, seen_by="encoder")
        seen = visible(evidence, as_of=question.as_of, keep_later=self.keep_later)
        ranked = self._ranker.rank(question, evidence=seen, k=k or self.top_n or len(nodes))
        asked = {} if self.keep_later else asked_fields(self.as_of, moment=question.as_of)
        return [scored_copy(nodes[int(r.evidence.id)], ranked=r, more=asked) for r in ranked]
