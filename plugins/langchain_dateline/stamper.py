"""`DateStamper`: documents' own dates and mentioned times, found while indexing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.embeddings import Embeddings

from dateline.documents import DateField
from dateline.documents.stamp import stamp_entries
from dateline.options import checked_arguments
from dateline.ranking.prepared_cache import fill_cache
from langchain_dateline.documents import checked, numbered, stamped_copies


@checked_arguments
class DateStamper(BaseDocumentTransformer):
    """A transformer that stamps copies of documents with their dates.

    The stamps for people: `dateline_date` and `dateline_times`; for a store's filters: `dateline_published`,
    `dateline_valid_from` and `dateline_valid_until`, as seconds since 1970.

    Run it once on the whole corpus, before documents go into a vector store. `TemporalRetriever` then asks the store
    for what was known at the asking moment alone.

    A journal, a table (CSV) or JSON with a date in each row that a loader gave as one document comes back as its entries, each
    with its own day; of what has an id, each has one that follows from its words. What a row says beside its text is metadata.

    Stamping also prepares the documents for ranking, in the user's cache, so that no question has to: stamp the pieces
    that go into the store, behind a text splitter. Such files are stamped before it too, so that all pieces of an entry have
    its day.

    Args:
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        embeddings: those of the `TemporalReranker`; `None`: dateline's own default.
        entries: whether journals and dated rows are split; off: each document gives one.
        prepare: whether the documents are prepared for ranking, which embeds their sentences once.

    Example:
        >>> from langchain_core.documents import Document
        >>> from langchain_dateline import DateStamper
        >>> (note,) = DateStamper(date_field="issued").transform_documents([Document("Closed.", metadata={"issued": "2019"})])
        >>> note.metadata["dateline_date"], note.metadata["dateline_published_from"]
        ('2019', 'field issued')
    """

    def __init__(
        self,
        *,
        date_field: DateField = (),
        embeddings: Embeddings | None = None,
        entries: bool = True,
        prepare: bool = True,
    ) -> None:
        self.date_field, self.embeddings, self.entries, self.prepare = date_field, embeddings, entries, prepare

    def transform_documents(self, documents: Iterable[Document], **kwargs: Any) -> list[Document]:
        """Return stamped copies in order; dates are never guessed."""
        given = checked(documents)
        texts = [(each.page_content, each.metadata) for each in given]
        found = stamp_entries(texts, date_field=self.date_field, split=self.entries)
        stamped = [copy for each, parts in zip(given, found, strict=True) for copy in stamped_copies(each, parts)]
        if self.prepare:
            fill_cache(numbered(stamped, date_field=self.date_field), embeddings=self.embeddings)
        return stamped
