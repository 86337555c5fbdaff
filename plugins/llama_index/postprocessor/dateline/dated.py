"""`DatedNodes`: dated nodes for any synthesiser, oldest first (FreshLLMs, section 4.1)."""

from __future__ import annotations

from llama_index.core.bridge.pydantic import ConfigDict, Field
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from dateline import Evidence
from dateline.documents import DateFieldOption
from dateline.documents.fields import DATE
from dateline.documents.reading import dates_of_all
from dateline.evidence import in_order
from dateline.evidence.blocks import dated
from dateline.evidence.knowledge import KEEP_LATER, visible
from dateline.evidence.order import Order
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOfField, ClockField, now
from llama_index.node_parser.dateline.parts import scored_nodes
from llama_index.postprocessor.dateline.asked import asked_of
from llama_index.postprocessor.dateline.nodes import dated_copy, without_later_entries

AGE = "dated"
"""The field of metadata that tells a model the node's date and how long before the asking day that is."""


@checked_arguments
class DatedNodes(BaseNodePostprocessor):
    """A postprocessor that shows models the dates of nodes, oldest first.

    Put it last, before a prompt that a language model of your own answers.

    Nodes come oldest to newest, undated ones first, each as a copy that tells the model its date and its age; encoders
    do not see that. What was published after the asking moment is left out. Needs no model and no question.

    Example:
        >>> from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode
        >>> nodes = [NodeWithScore(node=TextNode(text=f"{who} leads.", metadata={"date": when}))
        ...          for who, when in (("Ben", "2021-03-02"), ("Ana", "2015-05-01"))]
        >>> dated = DatedNodes(as_of="2024").postprocess_nodes(nodes)
        >>> print(dated[0].node.get_content(MetadataMode.LLM))
        date: 2015-05-01
        dated: May 1, 2015 (3532 days before Dec 31, 2024)
        <BLANKLINE>
        Ana leads.
    """

    model_config = ConfigDict(extra="forbid")

    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    order: Order = Field(default="time", description="time: oldest first; search: best last; random: by the seed.")
    seed: int = Field(default=0, description="For random order.")
    date_field: DateFieldOption = ()
    keep_later: bool = Field(default=False, description=KEEP_LATER)
    clock: ClockField = now

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex serialises it under."""
        return "DatelineDatedNodes"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        nodes = scored_nodes(nodes)
        moment = asked_of(nodes, self.as_of, clock=self.clock)
        nodes = without_later_entries(nodes, as_of=moment, date_field=self.date_field, keep_later=self.keep_later)
        texts = [(each.node.get_content(MetadataMode.NONE), each.node.metadata) for each in nodes]
        found = dates_of_all(texts, date_field=self.date_field)
        pieces = [
            Evidence(id=str(place), text="", published=one.published, dated_by=one.by)
            for place, one in enumerate(found)
        ]
        known = visible(pieces, as_of=moment, keep_later=self.keep_later)
        ordered = in_order(known, order=self.order, seed=self.seed)
        return [
            dated_copy(
                nodes[int(piece.id)],
                {AGE: dated(piece.published, moment, alone=True)},
                evidence=piece,
                shown=[AGE],
                hidden=[DATE],
            )
            for piece in ordered
        ]
