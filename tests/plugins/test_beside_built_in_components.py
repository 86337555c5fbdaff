"""The frameworks' own time components beside ours, on the same input: what goes wrong there, and does not here.

Each test first shows the fault in the released version that is installed; where a release mends it, the test
fails at that line and the comparison is due for another look.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

pytest.importorskip("langchain_classic")
pytest.importorskip("llama_index.core")

from langchain_classic.retrievers import TimeWeightedVectorStoreRetriever
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.postprocessor import (
    EmbeddingRecencyPostprocessor,
    FixedRecencyPostprocessor,
    TimeWeightedPostprocessor,
)
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode

from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import TemporalReranker, TemporalRetriever
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker

ASKED = QueryBundle("Who is the director of the harbour?")
NOW = datetime(2024, 6, 1, tzinfo=UTC)
OLD = Document(page_content="The director of the harbour is Eva Holm.", metadata={"date": "1999-02-03"})
NEW = Document(page_content="The director of the harbour is Jon Lund.", metadata={"date": "2024-02-03"})
QUESTION = "Who is the director of the harbour?"


def ours(*documents: Document, k: int = 4) -> TemporalRetriever:
    """Ours over a store that was filled elsewhere."""
    store = InMemoryVectorStore.from_documents(list(documents), LexicalEmbeddings())
    reranker = TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())
    return TemporalRetriever(retriever=store, reranker=reranker, k=k)


def node(text: str, *, score: float = 0.5, **metadata: object) -> NodeWithScore:
    return NodeWithScore(node=TextNode(text=text, metadata=metadata), score=score)


def texts(nodes: list[NodeWithScore]) -> list[str]:
    return [each.node.get_content(metadata_mode=MetadataMode.NONE) for each in nodes]


def node_reranker() -> NodeReranker:
    return NodeReranker(as_of=NOW, embeddings=LexicalEmbeddings())


# -- LangChain's TimeWeightedVectorStoreRetriever ---------------------------------------------------


class _Scored(InMemoryVectorStore):
    """The in-memory store with the relevance scores that LangChain's retriever insists on."""

    def _select_relevance_score_fn(self):  # type: ignore[no-untyped-def]
        return lambda score: score


def theirs() -> TimeWeightedVectorStoreRetriever:
    return TimeWeightedVectorStoreRetriever(vectorstore=_Scored(LexicalEmbeddings()), k=2)


def test_the_date_of_the_document_decides_and_not_that_of_the_last_access() -> None:
    retriever = theirs()
    retriever.add_documents([OLD, NEW], current_time=datetime(2024, 6, 1))
    scores = [retriever._get_combined_score(d, 0.5, datetime(2024, 6, 1)) for d in retriever.memory_stream]
    assert scores[0] == scores[1], "1999 and 2024 score the same there"
    first, second = ours(OLD, NEW).invoke(QUESTION)
    assert first.page_content == NEW.page_content
    assert first.metadata["dateline_temporal"] > second.metadata["dateline_temporal"]


def test_a_store_that_was_filled_elsewhere_can_be_searched() -> None:
    store = _Scored.from_documents([OLD, NEW], LexicalEmbeddings())
    retriever = TimeWeightedVectorStoreRetriever(vectorstore=store, k=2)
    assert retriever.invoke(QUESTION) == [], "two documents lie in the store, none is found there"
    assert len(ours(OLD, NEW).invoke(QUESTION)) == 2


def test_dates_with_and_without_a_time_zone_live_side_by_side() -> None:
    retriever = theirs()
    aware = Document(page_content=NEW.page_content, metadata={"last_accessed_at": NOW})
    retriever.add_documents([aware], current_time=NOW)
    with pytest.raises(TypeError):
        retriever.invoke(QUESTION)
    mixed = [
        Document(page_content=OLD.page_content, metadata={"date": datetime(1999, 2, 3)}),
        Document(
            page_content=NEW.page_content, metadata={"date": datetime(2024, 2, 3, tzinfo=timezone(timedelta(hours=9)))}
        ),
    ]
    assert "Jon Lund" in ours(*mixed).invoke(QUESTION)[0].page_content


def test_a_store_that_an_earlier_process_filled_can_be_searched_after_a_restart() -> None:
    retriever = theirs()
    retriever.add_documents([OLD, NEW], current_time=datetime(2024, 6, 1))
    restarted = TimeWeightedVectorStoreRetriever(vectorstore=retriever.vectorstore, k=2)
    with pytest.raises(IndexError):
        restarted.invoke(QUESTION)
    reranker = TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())
    again = TemporalRetriever(retriever=retriever.vectorstore, reranker=reranker, k=2)
    assert "Jon Lund" in again.invoke(QUESTION)[0].page_content


def test_any_vector_store_will_do_and_not_only_those_with_relevance_scores() -> None:
    plain = TimeWeightedVectorStoreRetriever(vectorstore=InMemoryVectorStore(LexicalEmbeddings()), k=2)
    plain.add_documents([OLD, NEW], current_time=datetime(2024, 6, 1))
    with pytest.raises(NotImplementedError):
        plain.invoke(QUESTION)
    assert len(ours(OLD, NEW).invoke(QUESTION)) == 2


class _Full(_Scored):
    """A store that takes nothing more."""

    def add_documents(self, documents: list[Document], ids: list[str] | None = None, **kwargs: Any) -> list[str]:
        raise OSError("No space left.")


def test_what_the_store_did_not_take_is_not_found() -> None:
    retriever = TimeWeightedVectorStoreRetriever(vectorstore=_Full(LexicalEmbeddings()), k=2)
    with pytest.raises(OSError, match="No space"):
        retriever.add_documents([OLD], current_time=datetime(2024, 6, 1))
    assert [each.page_content for each in retriever.invoke(QUESTION)] == [OLD.page_content], "it is found there"
    full = _Full(LexicalEmbeddings())
    with pytest.raises(OSError, match="No space"):
        full.add_documents([OLD])
    reranker = TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())
    assert TemporalRetriever(retriever=full, reranker=reranker).invoke(QUESTION) == []


# -- LlamaIndex's recency postprocessors ------------------------------------------------------------


def test_relevance_counts_beside_recency() -> None:
    off_topic = node("Fish is sold on Fridays.", score=0.01, date="2024-05-01")
    on_topic = node(NEW.page_content, score=0.99, date="2024-02-03")
    built_in = FixedRecencyPostprocessor(top_k=1, date_key="date")
    assert texts(built_in.postprocess_nodes([on_topic, off_topic], query_bundle=ASKED)) == [
        "Fish is sold on Fridays."
    ], "0.01 wins there"
    assert texts(node_reranker().postprocess_nodes([off_topic, on_topic], query_str=QUESTION))[0] == NEW.page_content


def test_an_undated_node_stays_in_play() -> None:
    nodes = [node(NEW.page_content, date="2024-02-03"), node("The harbour has a director and a deputy.")]
    with pytest.raises(KeyError):
        FixedRecencyPostprocessor(top_k=2, date_key="date").postprocess_nodes(nodes, query_bundle=ASKED)
    assert len(node_reranker().postprocess_nodes(nodes, query_str=QUESTION)) == 2


def test_nodes_of_different_time_zones_can_be_compared() -> None:
    nodes = [
        node(OLD.page_content, date="1999-02-03T10:00:00+09:00"),
        node(NEW.page_content, date="2024-02-03T10:00:00"),
    ]
    with pytest.raises((ValueError, TypeError)):
        FixedRecencyPostprocessor(top_k=2, date_key="date").postprocess_nodes(nodes, query_bundle=ASKED)
    assert texts(node_reranker().postprocess_nodes(nodes, query_str=QUESTION))[0] == NEW.page_content


def test_a_document_of_yesterday_is_not_worthless() -> None:
    hours = 60 * 60
    old, fresh = NOW.timestamp() - 24 * hours, NOW.timestamp()
    nodes = [
        node(NEW.page_content, score=0.9, __last_accessed__=old),
        node("Fish is sold on Fridays.", score=0.05, __last_accessed__=fresh),
    ]
    built_in = TimeWeightedPostprocessor(top_k=1, now=fresh, time_access_refresh=False)
    assert texts(built_in.postprocess_nodes(nodes)) == ["Fish is sold on Fridays."], "a day is a lifetime there"
    again = [node(NEW.page_content, timestamp=old), node("Fish is sold on Fridays.", timestamp=fresh)]
    assert texts(node_reranker().postprocess_nodes(again, query_str=QUESTION))[0] == NEW.page_content


def test_the_question_decides_which_time_is_wanted() -> None:
    nodes = [node(OLD.page_content, date="1999-02-03"), node(NEW.page_content, date="2024-02-03")]
    built_in = FixedRecencyPostprocessor(top_k=1, date_key="date")
    asked = QueryBundle("Who was the director of the harbour in 2003?")
    assert texts(built_in.postprocess_nodes(nodes, query_bundle=asked)) == [NEW.page_content], "always the newest there"
    assert texts(node_reranker().postprocess_nodes(nodes, query_bundle=asked))[0] == OLD.page_content


class _Letters(BaseEmbedding):
    """dateline's lexical vectors as LlamaIndex has them."""

    def _get_query_embedding(self, query: str) -> list[float]:
        return LexicalEmbeddings().embed_query(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_query_embedding(text)


def test_a_node_is_compared_with_itself_and_not_with_the_one_that_stood_in_its_place() -> None:
    pytest.importorskip("pandas")
    stale = node("The director of the harbour is Jon Lund, says the note.", date="2021-02-03")
    unrelated = node("Fish is sold on Fridays.", date="2019-05-01")
    fresh = node(NEW.page_content, date="2024-02-03")
    built_in = EmbeddingRecencyPostprocessor(
        embed_model=_Letters(), similarity_cutoff=0.5, query_embedding_tmpl="{context_str}"
    )
    kept = texts(built_in.postprocess_nodes([stale, unrelated, fresh], query_bundle=ASKED))
    assert kept == texts([fresh, stale]), "the stale twin stays there, and the node that has nothing to do with it goes"
    ranked = texts(node_reranker().postprocess_nodes([stale, unrelated, fresh], query_str=QUESTION))
    assert ranked[0] == NEW.page_content
    assert len(ranked) == 3, "ranked, and nothing dropped"


def test_an_undated_node_is_not_taken_for_one_of_now() -> None:
    now = NOW.timestamp()
    undated = node("Fish is sold on Fridays.", score=0.3)
    dated = node(NEW.page_content, score=0.9, __last_accessed__=now - 60 * 60, date="2024-06-01")
    built_in = TimeWeightedPostprocessor(top_k=1, now=now, time_access_refresh=False)
    assert texts(built_in.postprocess_nodes([dated, undated])) == ["Fish is sold on Fridays."], (
        "no date is the newest there"
    )
    assert texts(node_reranker().postprocess_nodes([undated, dated], query_str=QUESTION))[0] == NEW.page_content


def test_looking_at_nodes_does_not_change_them() -> None:
    nodes = [node(NEW.page_content, date="2024-02-03")]
    TimeWeightedPostprocessor(top_k=1).postprocess_nodes(nodes)
    assert "__last_accessed__" in nodes[0].node.metadata, "it writes into the caller's node there"
    nodes = [node(NEW.page_content, date="2024-02-03")]
    before = nodes[0].model_copy(deep=True)
    node_reranker().postprocess_nodes(nodes, query_str=QUESTION)
    assert nodes[0] == before
