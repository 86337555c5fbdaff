"""`DateStamper`: nodes' own dates and mentioned times, found while indexing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langchain_core.embeddings import Embeddings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import ConfigDict, Field
from llama_index.core.schema import BaseNode, MetadataMode, TransformComponent

from dateline.documents import DateFieldOption, evidence_of_all
from dateline.documents.stamp import stamp_entries
from dateline.options import checked_arguments
from dateline.ranking.prepared_cache import fill_cache
from dateline.stopping import in_thread
from llama_index.embeddings.dateline import as_embeddings
from llama_index.node_parser.dateline.copies import stamped_copies
from llama_index.node_parser.dateline.parts import checked_nodes


@checked_arguments
class DateStamper(TransformComponent):
    """A transformation that stamps copies of nodes with their dates.

    Put it behind the node parser in an `IngestionPipeline`.

    A journal, a table (CSV) or JSON with a date in each row that a reader gave as one document comes back as its entries, each
    with its own day and an id that follows from its words; their source is the document. What a row says beside its text is
    metadata. For such files put it before the node parser too, so that all nodes of an entry have its day.

    Stamping also prepares the nodes for ranking, in the user's cache, so that no question has to.

    The stamps are kept out of what is embedded; the model sees the date of publication alone.

    Example:
        >>> from llama_index.core.schema import TextNode
        >>> (node,) = DateStamper(date_field="issued")([TextNode(text="Closed.", metadata={"issued": "2019"})])
        >>> node.metadata["dateline_date"], node.metadata["dateline_published_from"]
        ('2019', 'field issued')
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    date_field: DateFieldOption = ()

    entries: bool = Field(
        default=True, description="Split journals and dated rows, each with its day; off: each node gives one."
    )
    embeddings: BaseEmbedding | Embeddings | None = Field(
        default=None, exclude=True, description="Those of the TemporalReranker; None: dateline's own default."
    )
    prepare: bool = Field(default=True, description="Prepare the nodes for ranking, which embeds their sentences once.")

    def __call__(self, nodes: Iterable[BaseNode], **kwargs: Any) -> list[BaseNode]:
        """Return stamped copies in order; dates are never guessed."""
        given = checked_nodes(nodes)
        texts = [(node.get_content(metadata_mode=MetadataMode.NONE), node.metadata) for node in given]
        found = stamp_entries(texts, date_field=self.date_field, split=self.entries)
        stamped = [copy for node, parts in zip(given, found, strict=True) for copy in stamped_copies(node, parts)]
        if self.prepare:
            chosen = None if self.embeddings is None else as_embeddings(self.embeddings)
            fill_cache(evidence_of_all(stamped, date_field=self.date_field, seen_by="encoder"), embeddings=chosen)
        return stamped

    async def acall(self, nodes: Iterable[BaseNode], **kwargs: Any) -> list[BaseNode]:
        """Stamp in a thread, so that the event loop is not blocked."""
        return await in_thread(self, nodes, **kwargs)
