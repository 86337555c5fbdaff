"""`AuditedNodes`: an audit of retrieved nodes before the prompt."""

from __future__ import annotations

from llama_index.core.bridge.pydantic import ConfigDict, Field
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from dateline.audit import Auditor, AuditStatus
from dateline.audit.auditor import shared_auditor
from dateline.audit.result import DROPPED
from dateline.documents import DateFieldOption, evidence_of_all
from dateline.documents.writing import AUDIT_FIELDS, audit_fields
from dateline.errors import BadInput
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOfField, ClockField, now
from dateline.temporal.decomposition import asked_question
from llama_index.node_parser.dateline.parts import scored_nodes
from llama_index.postprocessor.dateline.asked import asked_of
from llama_index.postprocessor.dateline.nodes import dated_copy, without_later_entries


@checked_arguments
class AuditedNodes(BaseNodePostprocessor):
    """A postprocessor that marks outdated nodes, and says why.

    Nodes keep their order and scores; each is a copy with `dateline_status` and `dateline_reasons` in its metadata. Models
    see the status where it is not ok, encoders see neither. What was published after the asking moment is left out; `drop` leaves out more.

    Raises:
        BadInput: while running, without the question.

    Example:
        >>> from llama_index.core.schema import TextNode
        >>> nodes = [NodeWithScore(node=TextNode(text=f"The mayor is {who}.", metadata={"date": when}))
        ...          for who, when in (("Ada Berg", "2020"), ("Jon Holm", "2023"))]
        >>> audited = AuditedNodes(as_of="2024").postprocess_nodes(nodes, query_str="Who is the mayor?")
        >>> [(each.text, each.metadata["dateline_status"]) for each in audited]
        [('The mayor is Ada Berg.', 'outdated'), ('The mayor is Jon Holm.', 'ok')]
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    auditor: Auditor = Field(
        default_factory=shared_auditor, exclude=True, description="Holds encoder, judge and limit."
    )
    drop: tuple[AuditStatus, ...] = Field(default=DROPPED, description="Nodes with these statuses are left out.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    date_field: DateFieldOption = ()
    clock: ClockField = now

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex serialises it under."""
        return "DatelineAuditedNodes"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        nodes = scored_nodes(nodes)
        if query_bundle is None:
            raise BadInput("AuditedNodes needs the question; pass query_str= or query_bundle=.")
        question = asked_question(query_bundle.query_str, as_of=asked_of(nodes, self.as_of, clock=self.clock))
        nodes = without_later_entries(nodes, as_of=question.as_of, date_field=self.date_field)
        evidence = evidence_of_all(nodes, date_field=self.date_field, ids=[each.node.node_id for each in nodes])
        found = self.auditor.audit(question, evidence=evidence)
        return [
            dated_copy(
                nodes[each.place],
                audit_fields(each.metadata()),
                evidence=each.evidence,
                shown=() if each.status == "ok" else AUDIT_FIELDS[:1],
            )
            for each in found.kept(drop=self.drop)
        ]
