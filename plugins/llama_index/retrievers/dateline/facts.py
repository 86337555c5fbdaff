"""`FactStoreRetriever`: facts with their histories, as of any date."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline.errors import check_least
from dateline.facts import FactStore
from dateline.facts.emptiness import tell_emptiness
from dateline.facts.fact import FoundFact
from dateline.facts.store import Which
from dateline.facts.windows import AskedTime
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, checked, is_given
from llama_index.postprocessor.dateline.asked import asked_fields


@checked_arguments
class FactStoreRetriever(BaseRetriever):
    """A retriever of the facts nearest to a question at one moment.

    Both clocks may be set: when a fact was true, and when that was known.

    A node's text is the fact with its history in brackets (ERASE, appendix A.3); its metadata hold fact_id, true,
    since, validity, tags, score and history, and stay out of what is embedded or shown to a model.

    Args:
        as_of: when the facts were true; `None`: now. A later time is read where it is named.
        during: a period: facts that were true at some time in it.
        before: the same, of all the time before a moment or period.
        after: the same, of the time after one, up to `as_of`.
        known_at: by what was known then, with a time zone; `None`: by all that is known.
        k: how many facts to bring.
        which: "any" brings facts that were false there as well.
        threshold: the least cosine of question and fact.
        sources: only facts of which one of these spoke.
        fact_tags: only facts that carry one of these.
        kwargs: go to LlamaIndex's own `BaseRetriever`.

    Raises:
        BadInput: for an unreadable date, a datetime without a time zone, a window without a moment, or a `k` below 1.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline import Evidence, Interval
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> news = Evidence.make("The mayor is Ada Berg.", published=Interval.of_year(2019))
        >>> changes = LocalUpdater(store).update([news], known_at=datetime(2024, 1, 1, tzinfo=UTC))
        >>> [each.text for each in FactStoreRetriever(store, as_of="2020").retrieve("Who is the mayor?")]
        ['The mayor is Ada Berg. (true at 2019)']
    """

    def __init__(
        self,
        store: FactStore,
        *,
        as_of: AsOf = None,
        during: AsOf = None,
        before: AsOf = None,
        after: AsOf = None,
        known_at: AsOf = None,
        k: int = 10,
        which: Which = "true",
        threshold: float = -1.0,
        sources: Sequence[str] = (),
        fact_tags: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        check_least(1, k=k)
        self._store = store
        self._options: dict[str, Any] = {
            "as_of": checked(as_of),
            "during": checked(during),
            "before": checked(before),
            "after": checked(after),
            "known_at": checked(known_at),
            "k": k,
            "which": which,
            "threshold": threshold,
            "sources": sources,
            "fact_tags": fact_tags,
        }

    @property
    def as_of(self) -> AsOf:
        """Return the asking moment that it was made with."""
        own: AsOf = self._options["as_of"]
        return own

    def at(self, as_of: AsOf = None, **options: Any) -> FactStoreRetriever:
        """Return a retriever that reads the store at another point.

        `None` leaves the moment as it is; `options` replace those of the constructor.
        """
        moment = as_of if is_given(as_of) else self._options["as_of"]
        return FactStoreRetriever(
            self._store, callback_manager=self.callback_manager, **{**self._options, "as_of": moment, **options}
        )

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        options = dict(self._options)
        times = {name: options.pop(name) for name in ("as_of", "during", "before", "after")}
        asked = AskedTime.of(times.pop("as_of"), **times, clock=self._store.clock)
        found = self._store.search(query_bundle.query_str, tags=options.pop("fact_tags"), **asked.options, **options)
        if not found:
            tell_emptiness(self._store)
        return [_node(fact, more=asked_fields(self.as_of, moment=asked.moment)) for fact in found]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(found: FoundFact, *, more: Mapping[str, Any]) -> NodeWithScore:
    metadata = {**found.metadata(), **more}
    node = TextNode(
        id_=found.fact.id,
        text=found.describe(),
        metadata=metadata,
        excluded_embed_metadata_keys=list(metadata),
        excluded_llm_metadata_keys=list(metadata),
    )
    return NodeWithScore(node=node, score=found.similarity)
