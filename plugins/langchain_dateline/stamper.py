"""`DateStamper`: documents' own dates and mentioned times, found while indexing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.embeddings import Embeddings

from dateline.documents import DateField
from dateline.documents.stamp import stamp_all
from dateline.options import checked_arguments
from dateline.ranking.prepared_cache import fill_cache
from langchain_dateline.documents import checked, numbered


@checked_arguments
class DateStamper(BaseDocumentTransformer):
    """A transformer that stamps copies of documents with their dates.

    The stamps for people: `dateline_date` and `dateline_times`; for a store's filters: `dateline_published`,
    `dateline_valid_from` and `dateline_valid_until`, as seconds since 1970.

    Run it once on the whole corpus, before documents go into a vector store. `TemporalRetriever` then asks the store
    for what was known at the asking moment alone.

    Stamping also prepares the documents for ranking, in the user's cache, so that no question has to: stamp the pieces
    that go into the store, behind a text splitter.

    Args:
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        embeddings: those of the `TemporalReranker`; `None`: dateline's own default.
        prepare: whether the documents are prepared for ranking, which embeds their sentences once.

    Example:
        >>> from langchain_core.documents import Document
        >>> from langchain_dateline import DateStamper
        >>> (note,) = DateStamper(date_field="issued").transform_documents([Document("Closed.", metadata={"issued": "2019"})])
        >>> note.metadata["dateline_date"], note.metadata["dateline_published_from"]
        ('2019', 'field issued')
    """

    def __init__(
        self, *, date_field: DateField = (), embeddings: Embeddings | None = None, prepare: bool = True
    ) -> None:
        self.date_field, self.embeddings, self.prepare = date_field, embeddings, prepare

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        """Return stamped copies in order; dates are never guessed."""
        checked(documents)
        found = stamp_all([(each.page_content, each.metadata) for each in documents], date_field=self.date_field)
        stamped = [
            document.model_copy(update={"metadata": {**document.metadata, **one.metadata()}})
            for document, one in zip(documents, found, strict=True)
        ]
        if self.prepare:
            fill_cache(numbered(stamped, date_field=self.date_field), embeddings=self.embeddings)
        return stamped
