"""`TemporalReranker`: documents ranked by content and time (MRAG, section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.embeddings import Embeddings
from pydantic import ConfigDict, Field, PrivateAttr

from dateline import Question
from dateline.documents import DateFieldOption
from dateline.evidence.knowledge import KEEP_LATER, visible
from dateline.options import checked_arguments
from dateline.protocols import Ranker
from dateline.ranking.hybrid import HybridRanker
from dateline.reading import local_reader
from dateline.reading.reading_ranker import READ, read_first
from dateline.temporal.as_of import AsOfField, ClockField, now
from dateline.temporal.decomposition import decompose
from langchain_dateline.documents import asked_of, checked, numbered, without_later_entries
from langchain_dateline.scores import renumbered, scored_copy


@checked_arguments
class TemporalReranker(BaseDocumentCompressor):
    """A document compressor that ranks by content and time.

    Use it inside `ContextualCompressionRetriever`, or call `compress_documents` yourself. What was published after the
    asking moment is left out; the time asked about ranks and never filters, and undated documents stay in play with a
    neutral score.

    Example:
        >>> from langchain_core.documents import Document
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Document(f"{who} leads Acme.", metadata={"date": when})
        ...          for who, when in (("Ben", "2021"), ("Ana", "2015"))]
        >>> reranker = TemporalReranker(embeddings=LexicalEmbeddings(), top_n=1)
        >>> [each.page_content for each in reranker.compress_documents(notes, "Who led Acme in 2015?")]
        ['Ana leads Acme.']
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    top_n: int | None = Field(default=None, ge=1, description="How many to keep; None keeps all.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the retriever's, else when called.")
    embeddings: Embeddings | None = Field(default=None, description="None: dateline's own default.")
    date_field: DateFieldOption = ()
    keep_later: bool = Field(default=False, description=KEEP_LATER)
    read: bool = Field(default=False, description=READ)
    clock: ClockField = now
    _ranker: Ranker = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Build the ranker once, so that a missing extra is refused now."""
        ranker = HybridRanker(embeddings=self.embeddings)
        self._ranker = read_first(ranker, reader=local_reader()) if self.read else ranker

    def compress_documents(
        self, documents: Iterable[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """Copies of the documents, best first, with `dateline_score`, `dateline_semantic`, `dateline_temporal`, `dateline_matched`.

        `dateline_asked` and `dateline_date` tell what comes behind as of when was asked, and which date was read.
        """
        given = checked(documents)
        moment = asked_of(given, self.as_of, clock=self.clock)
        return self.rank(decompose(query, as_of=moment), documents=given)

    def rank(self, question: Question, *, documents: Iterable[Document], k: int | None = None) -> list[Document]:
        """Rank for a question that is taken apart already.

        `k` counts before the setting.
        """
        documents = without_later_entries(
            documents, as_of=question.as_of, date_field=self.date_field, keep_later=self.keep_later
        )
        evidence = numbered(documents, date_field=self.date_field)
        seen = visible(evidence, as_of=question.as_of, keep_later=self.keep_later)
        ranked = self._ranker.rank(question, evidence=seen, k=k or self.top_n or len(documents))
        moment = None if self.keep_later else question.as_of
        return renumbered([scored_copy(documents[int(r.evidence.id)], ranked=r, as_of=moment) for r in ranked])
