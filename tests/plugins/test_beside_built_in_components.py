"""The frameworks' own time components beside ours, on the same input: what goes wrong there, and does not here.

Each test first shows the fault in the released version that is installed; where a release mends it, the test
fails at that line and the comparison is due for another look.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

pytest.importorskip("langchain_classic")
pytest.importorskip("llama_index.core")

from langchain_classic.retrievers import TimeWeightedVectorStoreRetriever
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core.postprocessor import FixedRecencyPostprocessor, TimeWeightedPostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode

from asof.text.lexical import LexicalEmbeddings
from langchain_asof import TemporalReranker, TemporalRetriever
from llama_index.postprocessor.asof import TemporalReranker as NodeReranker

ASKED = QueryBundle("Who is the director of the harbour?")
NOW = datetime(2024, 6, 1, tzinfo=UTC)
OLD = Document(page_content="The director of the harbour is Eva Holm.", metadata={"date": "1999-02-03"})
NEW = Document(page_content="The director of the harbour is Jon Lund.", metadata={"date": "2024-02-03"})
QUESTION = "Who is the director of the harbour?"


def ours(*documents: Document, k: int = 4) -> TemporalRetriever:
    """Ours over a store that was filled elsewhere."""
    store = InMemoryVectorStore.from_documents(list(documents), LexicalEmbeddings())
    reranker = TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())
    return TemporalRetriever(inner=store, reranker=reranker, k=k)


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
    assert first.metadata["asof_temporal"] > second.metadata["asof_temporal"]


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
