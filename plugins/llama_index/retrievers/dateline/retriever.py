"""`TemporalRetriever`: any retriever or index, ranked by content and time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from copy import copy
from typing import Any, Self

from llama_index.core.indices.base import BaseIndex
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from dateline import Question
from dateline.documents import DateField
from dateline.errors import BadInput, check_least
from dateline.flow import Flow, arun, run
from dateline.options import checked_arguments, wrong_part
from dateline.ranking.candidates import CandidateFilter
from dateline.search.over_fetch import dated_candidates, tell_all_later
from dateline.search.sources import is_store
from dateline.temporal.as_of import AsOf, checked, is_given
from dateline.temporal.asking import asking_moment, call_as_of
from dateline.temporal.decomposition import decompose
from llama_index.postprocessor.dateline import TemporalReranker
from llama_index.retrievers.dateline.candidates import IndexCandidates


@checked_arguments
class TemporalRetriever(BaseRetriever):
    """Your own retriever or index, ranked by content and time.

    The inner one is asked for the question's main content, without its date, so that it does not match
    the words of the date (MRAG, section 4); what it brings is then ranked by content and time. What was published after
    the asking moment is left out.

    A vector index is asked for the nearest of what was known, and beside it for the nearest of the period in question
    and for the newest: by `MetadataFilters` where `DateStamper` stamped its nodes, else by asking for more of them.

    Args:
        retriever: where candidates come from; a plain retriever of a vector index is that index, with its filters.
        reranker: by default `TemporalReranker()`.
        k: how many nodes to return, fewer where the reranker keeps fewer; `None`: all that it keeps.
        candidates: how many to ask an index for, at least `k`; a retriever decides itself.
        as_of: the asking moment; `None`: the reranker's, else when called.
        date_field: the name or names of the date's field, or `DateRules`; empty: the reranker's.
        keep_later: keep documents published after the asking moment, which nobody knew then.
        kwargs: go to LlamaIndex's own `BaseRetriever`.

    Raises:
        BadInput: for an unreadable date, a `k` or `candidates` below 1, or a retriever or reranker that is none.

    Example:
        >>> from llama_index.core import VectorStoreIndex
        >>> from llama_index.core.schema import TextNode
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from llama_index.embeddings.dateline import LocalEmbedding
        >>> nodes = [TextNode(text=f"{who} leads Acme.", metadata={"date": when})
        ...          for who, when in (("Ana", "2015"), ("Ben", "2021"))]
        >>> index = VectorStoreIndex(nodes, embed_model=LocalEmbedding(LexicalEmbeddings()))
        >>> reranker = TemporalReranker(embeddings=LexicalEmbeddings())
        >>> TemporalRetriever(index, reranker=reranker, k=1).retrieve("Who led Acme in 2015?")[0].text
        'Ana leads Acme.'
    """

    def __init__(
        self,
        retriever: BaseRetriever | BaseIndex[Any],
        *,
        reranker: TemporalReranker | None = None,
        k: int | None = 5,
        candidates: int = 50,
        as_of: AsOf = None,
        date_field: DateField = (),
        keep_later: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        check_least(1, k=k, candidates=candidates)
        if not isinstance(retriever, BaseRetriever | BaseIndex):
            raise BadInput(f"{type(retriever).__name__} finds nothing; pass a LlamaIndex retriever or index.")
        self._inner = (
            retriever.as_retriever(similarity_top_k=max(k or 0, candidates))
            if isinstance(retriever, BaseIndex)
            else retriever
        )
        self._store: Any = self._inner if is_store(self._inner) else None
        self._candidates = candidates
        if reranker is not None and not isinstance(reranker, TemporalReranker):
            raise wrong_part(reranker, name="reranker", give="a TemporalReranker of llama_index.postprocessor.dateline")
        reranker = _at(reranker or TemporalReranker(), as_of)
        own: dict[str, Any] = {"date_field": date_field} if date_field else {}
        own |= {"keep_later": True} if keep_later else {}
        self._reranker = reranker.model_copy(update=own) if own else reranker
        self._k = k

    @property
    def as_of(self) -> AsOf:
        """Return the asking moment that it was made with."""
        return self._reranker.as_of

    def at(self, as_of: AsOf = None, *, k: int | None = None) -> Self:
        """Return the retriever for another asking moment or number of nodes.

        `None` leaves it as it is.
        """
        check_least(1, k=k)
        other = copy(self)
        other._reranker = _at(self._reranker, as_of)
        other._k = self._k if k is None else k
        return other

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        question = self._asked(query_bundle)
        found = run(self._found(question, query=_content(query_bundle, question)))
        return self._ranked(question, found)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        question = self._asked(query_bundle)
        found = await arun(self._found(question, query=_content(query_bundle, question)))
        return await asyncio.to_thread(self._ranked, question, found)

    def _ranked(self, question: Question, found: Sequence[NodeWithScore]) -> list[NodeWithScore]:
        ranked = self._reranker.rank(question, nodes=found, k=self._kept)
        if not ranked and self._store is None:
            tell_all_later(self._inner, len(found), as_of=question.as_of)
        return ranked

    def _found(self, question: Question, *, query: QueryBundle) -> Flow[list[NodeWithScore]]:
        """Ask an index by date, and a retriever as it is."""
        if self._store is None:
            return (yield from call_as_of(question.as_of, self._inner.retrieve, query))
        asked = CandidateFilter.of(question, keep_later=self._reranker.keep_later)
        source = IndexCandidates(self._store, query)
        k, date_field = max(self._kept or 0, self._candidates), self._reranker.date_field
        return (yield from dated_candidates(source, query.query_str, asked=asked, k=k, date_field=date_field))

    def _asked(self, query: QueryBundle) -> Question:
        return decompose(query.query_str, as_of=asking_moment(self._reranker.as_of, clock=self._reranker.clock))

    @property
    def _kept(self) -> int | None:
        """So many nodes, or fewer where the reranker keeps fewer; `None`: all."""
        return min((k for k in (self._k, self._reranker.top_n) if k is not None), default=None)


def _content(query: QueryBundle, question: Question) -> QueryBundle:
    """Return the question without its date, to be embedded anew.

    What else is to be embedded, as a HyDE transform writes it, stays.
    """
    if question.content == query.query_str:
        return query
    embedded = [question.content if each == query.query_str else each for each in query.custom_embedding_strs or ()]
    return QueryBundle(question.content, image_path=query.image_path, custom_embedding_strs=embedded or None)


def _at(reranker: TemporalReranker, as_of: AsOf) -> TemporalReranker:
    """The reranker for another asking moment, where one is given."""
    if not is_given(as_of):
        return reranker
    return reranker.model_copy(update={"as_of": checked(as_of, clock=reranker.clock)})
