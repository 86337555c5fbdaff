"""`DateStamper`: finds each document's own date and the dates it speaks of, at indexing time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import BaseDocumentTransformer, Document

from dateline.documents.stamp import stamp


class DateStamper(BaseDocumentTransformer):
    """Stamps copies of documents with `dateline_published`, `dateline_times`, `dateline_start` and `dateline_end`.

    Run it once, before documents go into a vector store; `TemporalReranker` reads the stamps.
    """

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Copies in the same order; what a document does not tell is left out, never guessed."""
        return [
            document.model_copy(
                update={
                    "metadata": {
                        **document.metadata,
                        **stamp(document.page_content, metadata=document.metadata).metadata(),
                    }
                }
            )
            for document in documents
        ]
