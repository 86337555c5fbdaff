"""`DatedNodes`: what any synthesiser is shown, with dates, from oldest to newest (FreshLLMs, section 4.1)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from llama_index.core.bridge.pydantic import ConfigDict, Field, field_serializer, field_validator
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from dateline import Evidence
from dateline.documents.metadata import published_in
from dateline.evidence import in_order
from dateline.evidence.blocks import dated
from dateline.evidence.knowledge import split_known
from dateline.evidence.order import Order
from dateline.temporal.asking import asking_moment, now
from llama_index.node_parser.dateline.copies import with_metadata

AGE = "dated"
"""The field of metadata that tells a model the node's date and how long before the asking day that is."""


class DatedNodes(BaseNodePostprocessor):
    """The last postprocessor before a prompt that a language model of your own answers.

    Nodes come oldest to newest, undated ones first, each as a copy that tells the model its date and its age; encoders
    do not see that. What was published after the asking day is left out. Needs no model and no question.
    """

    model_config = ConfigDict(extra="forbid")

    as_of: datetime | None = Field(default=None, description="Asking moment or YYYY[-MM[-DD]]; None: when called.")
    order: Order = Field(default="time", description="time: oldest first; search: best last; random: by the seed.")
    seed: int = Field(default=0, description="For random order.")
    clock: Callable[[], datetime] = Field(default=now, exclude=True, description="What 'when called' means.")

    @field_validator("as_of", mode="before")
    @classmethod
    def _read_as_of(cls, value: Any) -> datetime | None:
        return asking_moment(value)

    @field_serializer("as_of")
    def _write_as_of(self, value: datetime | None) -> str | None:
        return None if value is None else value.isoformat()

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex serialises it under."""
        return "DatelineDatedNodes"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        moment = self.as_of or self.clock()
        # Dates alone: nothing here looks at a text.
        dates = (published_in(node.node.metadata) for node in nodes)
        pieces = [Evidence(id=str(place), text="", published=date) for place, date in enumerate(dates)]
        known = split_known(pieces, as_of=moment)[0]
        ordered = in_order(known, order=self.order, seed=self.seed)
        return [
            NodeWithScore(
                node=with_metadata(nodes[int(piece.id)].node, {AGE: dated(piece.published, moment)}),
                score=nodes[int(piece.id)].score,
            )
            for piece in ordered
        ]
