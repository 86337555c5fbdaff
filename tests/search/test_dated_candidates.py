"""The right version is among the candidates of any store, however many versions there are."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from dateline.errors import SearchFailed
from dateline.flow import arun, run
from dateline.ranking.candidates import CandidateFilter
from dateline.search import RetrieverSearch
from dateline.search.over_fetch import dated_candidates
from dateline.search.store_filters import STORES, among_all, store_filter
from dateline.search.vector_store import VectorStoreCandidates
from dateline.temporal import decompose
from dateline.testing import ReadingEstimator
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import AdaptiveRetriever, CertaintyGate, DateStamper, TemporalReranker, TemporalRetriever

EMBEDDINGS = LexicalEmbeddings()
FIRST = date(1990, 1, 1)
WORDINGS = ("{} runs the ferry to Holm.", "The ferry to Holm is run by {}.", "At Holm, {} took over the ferry.")
ALIKE = ("{} runs the ferry to Vik.", "The kiosk of the ferry to Holm is run by {}.")


def history(number: int) -> list[Document]:
    """So many versions from 1990 to 2025, each followed by a look-alike, among notes about other things."""
    step = 35 * 365 / number
    found = []
    for place in range(number):
        for wordings, shift in ((WORDINGS, 0.0), (ALIKE, 0.4)):
            day = FIRST + timedelta(days=int((place + shift) * step))
            text = wordings[place % len(wordings)].format(f"Captain{place}")
            found.append(Document(text, metadata={"date": day.isoformat(), "state": wordings is WORDINGS}))
    others = [
        Document(f"Room {n} was painted in colour {n % 7}.", metadata={"date": (FIRST + timedelta(days=40 * n)).isoformat(), "state": False})
        for n in range(300)
    ]  # fmt: skip
    return found + others


def right(documents: Sequence[Document], day: date) -> Document:
    """The newest version published by a day."""
    known = [each for each in documents if each.metadata["state"] and each.metadata["date"] <= day.isoformat()]
    return max(known, key=lambda each: each.metadata["date"])


def stamped(documents: Sequence[Document]) -> list[Document]:
    return list(DateStamper().transform_documents(documents))


def filled(documents: Sequence[Document], kind: type[InMemoryVectorStore] = InMemoryVectorStore) -> InMemoryVectorStore:
    return kind.from_documents(list(documents), EMBEDDINGS)


def asked_of(store: VectorStore, question: str, day: date, **given: Any) -> list[Document]:
    asked = decompose(question, as_of=datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
    source = VectorStoreCandidates(store, asked.content, given=given)
    return run(dated_candidates(source, asked.content, asked=CandidateFilter.of(asked), k=50))


def yearly_prices() -> list[Document]:
    return [
        Document(f"The price of bread is {year % 100}.", metadata={"date": f"{year}-02-01"})
        for year in range(2015, 2025)
    ]


PRICE = "What is the price of bread?"
JUNE_2016 = datetime(2016, 6, 1, tzinfo=UTC)


def test_a_plain_retriever_of_a_store_is_asked_as_the_store_itself() -> None:
    retriever = filled(yearly_prices()).as_retriever(search_kwargs={"k": 1})
    dated = TemporalRetriever(retriever=retriever, reranker=TemporalReranker(embeddings=EMBEDDINGS), as_of=JUNE_2016)
    assert {each.metadata["date"][:4] for each in dated.invoke(PRICE)} == {"2015", "2016"}
    own = retriever.model_copy(update={"search_kwargs": {"k": 1, "filter": lambda note: "15" in note.page_content}})
    assert [each.metadata["date"][:4] for each in dated.model_copy(update={"retriever": own}).invoke(PRICE)] == ["2015"]
    searched = RetrieverSearch(own, embeddings=EMBEDDINGS).search(PRICE, as_of=JUNE_2016)
    assert [str(each.published) for each in searched.evidence] == ["2015-02-01"]


def test_a_plain_retriever_of_an_index_is_asked_as_the_index_with_its_filters() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import VectorStoreIndex
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores import MetadataFilter, MetadataFilters

    from llama_index.embeddings.dateline import LocalEmbedding
    from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
    from llama_index.retrievers.dateline import TemporalRetriever as NodeRetriever

    nodes = [TextNode(text=each.page_content, metadata=each.metadata) for each in stamped(yearly_prices())]
    index = VectorStoreIndex(nodes, embed_model=LocalEmbedding(EMBEDDINGS))
    only = MetadataFilters(filters=[MetadataFilter(key="date", value="2015-02-01")])
    for filters, years in ((None, {"2015", "2016"}), (only, {"2015"})):
        inner = index.as_retriever(similarity_top_k=1, filters=filters)
        # Few candidates, so that the index is asked with our filters, too.
        dated = NodeRetriever(inner, reranker=NodeReranker(embeddings=EMBEDDINGS), as_of=JUNE_2016, candidates=3)
        assert {each.metadata["date"][:4] for each in dated.retrieve(PRICE)} == years


def test_a_store_is_asked_for_as_many_as_are_wanted_where_the_candidates_are_fewer() -> None:
    notes = [Document(f"Room {number} was painted.", metadata={"date": "2016-01-01"}) for number in range(150)]
    for given in (notes, stamped(notes)):
        reranker = TemporalReranker(embeddings=EMBEDDINGS)
        rooms = TemporalRetriever(retriever=filled(given), reranker=reranker, k=100, candidates=10)
        assert len(rooms.invoke("Which room was painted?")) == 100
        assert len(rooms.invoke("Which room was painted?", k=120)) == 120


def test_an_index_is_asked_for_as_many_as_are_wanted_where_the_candidates_are_fewer() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import VectorStoreIndex
    from llama_index.core.schema import TextNode

    from llama_index.embeddings.dateline import LocalEmbedding
    from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
    from llama_index.retrievers.dateline import TemporalRetriever as NodeRetriever

    notes = [Document(f"Room {number} was painted.", metadata={"date": "2016-01-01"}) for number in range(150)]
    for given in (notes, stamped(notes)):
        nodes = [TextNode(text=each.page_content, metadata=each.metadata) for each in given]
        index = VectorStoreIndex(nodes, embed_model=LocalEmbedding(EMBEDDINGS))
        rooms = NodeRetriever(index, reranker=NodeReranker(embeddings=EMBEDDINGS), k=100, candidates=10)
        assert len(rooms.retrieve("Which room was painted?")) == 100
        assert len(rooms.at(k=120).retrieve("Which room was painted?")) == 120


def test_a_retriever_that_brought_only_what_is_later_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    class Nearest(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return yearly_prices()[-4:]

    reranker = TemporalReranker(embeddings=EMBEDDINGS)
    retriever = TemporalRetriever(retriever=Nearest(), reranker=reranker, as_of="2016-06-02")
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        assert retriever.invoke(PRICE) == retriever.invoke("The price?") == []
    assert [each.getMessage() for each in caplog.records] == [
        "All that Nearest brought for a question as of 2016-06-02 was published later; give its vector store or index in its "
        "place, or let it bring more."
    ]


DAYS = [date(1992, 7, 3), date(1999, 2, 20), date(2011, 11, 11), date(2025, 12, 30)]


@pytest.mark.parametrize(("number", "stamps"), [(10, True), (10, False), (50, True), (300, False), (1000, True)])
def test_the_right_one_of_many_versions_is_among_few_candidates(number: int, stamps: bool) -> None:
    documents = history(number)
    store = filled(stamped(documents) if stamps else documents)
    for day in DAYS:
        expected = right(documents, day).page_content
        for question in ("Who runs the ferry to Holm?", f"Who ran the ferry to Holm on {day:%-d %B %Y}?"):
            asked_on = day if "runs" in question else date(2026, 1, 1)
            found = asked_of(store, question, asked_on)
            assert expected in {each.page_content for each in found}, (day, question)
            assert len(found) <= 160


class Gone(InMemoryVectorStore):
    """A store that answers once, and whose server is gone then."""

    answered = False

    def similarity_search_with_score_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> Any:
        if self.answered:
            raise ConnectionError("refused")
        self.answered = True
        return super().similarity_search_with_score_by_vector(embedding, k, **given)


@pytest.mark.parametrize(
    "documents",
    [history(200), stamped(history(200)), stamped(yearly_prices())],
    ids=["without stamps", "with stamps", "few"],
)
async def test_a_store_that_is_gone_after_its_first_answer_fails_the_search(documents: list[Document]) -> None:
    said = "^Gone failed with ConnectionError"
    with pytest.raises(SearchFailed, match=said):
        RetrieverSearch(filled(documents, Gone), embeddings=EMBEDDINGS).search(PRICE, as_of=JUNE_2016)
    with pytest.raises(SearchFailed, match=said):
        await RetrieverSearch(filled(documents, Gone), embeddings=EMBEDDINGS).asearch(PRICE, as_of=JUNE_2016)


class Refusing(InMemoryVectorStore):
    """A store whose server does not know the filter."""

    def similarity_search_with_score_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> Any:
        if given.get("filter") is not None:
            raise RuntimeError("unknown operator, key=sk-abcdefghijklmnopqrstuvwxyz123456")
        return super().similarity_search_with_score_by_vector(embedding, k)


class Ignoring(InMemoryVectorStore):
    """A store that brings what the filter excludes."""

    def similarity_search_with_score_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> Any:
        return super().similarity_search_with_score_by_vector(embedding, k)


@pytest.mark.parametrize(
    ("kind", "told"),
    [(Refusing, "refused the filter with RuntimeError"), (Ignoring, "brings what the filter excludes")],
)
def test_a_store_that_does_not_filter_is_asked_for_more_and_that_is_said(
    kind: type[InMemoryVectorStore], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    documents = history(300)
    store = filled(stamped(documents), kind)
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        found = [asked_of(store, "Who runs the ferry to Holm?", day) for day in DAYS]
    for day, each in zip(DAYS, found, strict=True):
        assert right(documents, day).page_content in {one.page_content for one in each}
    assert told in caplog.text
    assert "sk-abcdef" not in caplog.text
    assert caplog.text.count("is asked for more documents") == 1


def test_documents_without_a_stamp_are_not_lost_among_stamped_ones() -> None:
    documents = history(60)
    store = filled([*stamped(documents[:100]), *documents[100:]])
    for day in DAYS:
        expected = right(documents, day).page_content
        assert expected in {each.page_content for each in asked_of(store, "Who runs the ferry to Holm?", day)}


def test_a_persons_own_filter_holds_for_every_query() -> None:
    store = filled(stamped(history(200)))
    found = asked_of(store, "Who runs the ferry to Holm?", DAYS[2], filter=lambda each: not each.metadata["state"])
    assert found
    assert not any(each.metadata["state"] for each in found)


async def test_asking_without_blocking_finds_the_same() -> None:
    store = filled(stamped(history(100)))
    asked = decompose("Who runs the ferry to Holm?", as_of=datetime(2011, 11, 11, tzinfo=UTC))
    source = VectorStoreCandidates(store, asked.content, given={})
    found = await arun(dated_candidates(source, asked.content, asked=CandidateFilter.of(asked), k=50))
    assert found == asked_of(store, asked.text, DAYS[2])


class Counting(LexicalEmbeddings):
    """Counts the questions it encodes."""

    asked = 0

    def embed_query(self, text: str) -> list[float]:
        Counting.asked += 1
        return super().embed_query(text)


def test_a_question_is_encoded_once_for_all_queries() -> None:
    store = InMemoryVectorStore.from_documents(stamped(history(200)), Counting())
    Counting.asked = 0
    asked_of(store, "Who runs the ferry to Holm?", DAYS[1])
    assert Counting.asked == 1


# -- real stores ----------------------------------------------------------------------------------


def check(store: VectorStore, documents: Sequence[Document]) -> None:
    for day in DAYS:
        found = asked_of(store, "Who runs the ferry to Holm?", day)
        assert right(documents, day).page_content in {each.page_content for each in found}
        assert len(found) <= 160


def test_chroma_on_disk_filters_by_the_stamps(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    chroma = pytest.importorskip("langchain_chroma").Chroma
    documents = history(200)
    # Chroma's usual graph misses one in twenty of what a filter lets through; a broad one finds all.
    broad = {"hnsw": {"ef_construction": 400, "max_neighbors": 64, "ef_search": 400}}
    store = chroma.from_documents(
        stamped(documents), EMBEDDINGS, persist_directory=str(tmp_path), collection_configuration=broad
    )
    check(store, documents)
    assert "asked for more" not in caplog.text
    found = asked_of(store, "Who runs the ferry to Holm?", DAYS[2], filter={"state": False})
    assert found
    assert not any(each.metadata["state"] for each in found)


def test_a_llama_index_filters_by_the_stamps(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import VectorStoreIndex
    from llama_index.core.schema import QueryBundle, TextNode

    from llama_index.embeddings.dateline import LocalEmbedding
    from llama_index.node_parser.dateline import DateStamper as NodeStamper
    from llama_index.retrievers.dateline.candidates import IndexCandidates

    documents = history(200)
    nodes = NodeStamper()([TextNode(text=each.page_content, metadata=each.metadata) for each in documents])
    index = VectorStoreIndex(nodes, embed_model=LocalEmbedding(EMBEDDINGS))
    for day in DAYS:
        asked = decompose("Who runs the ferry to Holm?", as_of=datetime(day.year, day.month, day.day, tzinfo=UTC))
        source = IndexCandidates(index.as_retriever(), QueryBundle(asked.content))
        found = run(dated_candidates(source, asked.content, asked=CandidateFilter.of(asked), k=50))
        assert right(documents, day).page_content in {each.text for each in found}
    assert "asked for more" not in caplog.text


ASKED = CandidateFilter(known_before=100, start=10, end=20, since=50)
NUMBERS = ["100", "49", "20", "10"]


def owns(name: str) -> Any:
    """A filter of a person's own that names 7, in a store's language."""
    if "Qdrant" in name:
        models = pytest.importorskip("qdrant_client.models")
        return models.Filter(must=[models.FieldCondition(key="a", match=models.MatchValue(value=7))])
    return "a == 7" if name in {"Milvus", "Zilliz"} else {"a": 7}


@pytest.mark.parametrize("name", STORES)
def test_every_condition_reaches_a_store_in_its_own_language(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_community", None)  # it is not needed
    store = type(name, (), {"metadata_payload_key": "metadata"})()
    own = owns(name)
    translated = store_filter(store)
    assert translated is not None
    ((key, ours),) = translated(ASKED, {}).items()
    assert all(number in str(ours) for number in NUMBERS)
    both = translated(ASKED, {key: own, "other": 1})
    assert "7" in str(both[key])
    assert all(number in str(both[key]) for number in NUMBERS)
    assert both["other"] == 1


def test_a_persons_own_alternatives_stay_together_in_milvus() -> None:
    translated = store_filter(type("Milvus", (), {})())
    assert translated is not None
    given = translated(CandidateFilter(known_before=100), {"expr": "a == 1 or b == 2"})
    assert given == {"expr": "(a == 1 or b == 2) and dateline_published < 100"}


@pytest.mark.parametrize("name", ["object", "Redis", "Weaviate", "SupabaseVectorStore", "MyScale"])
def test_a_store_whose_language_is_not_known_has_no_filter(name: str) -> None:
    assert store_filter(type(name, (), {})()) is None


def test_the_retriever_brings_the_right_version_first_or_among_its_five() -> None:
    documents = history(200)
    retriever = TemporalRetriever(retriever=filled(stamped(documents)), as_of="2011-11-11")
    found = retriever.invoke("Who runs the ferry to Holm?")
    assert all(each.metadata["date"] <= "2011-11-11" for each in found)


def answers(documents: Sequence[Document], stamps: bool) -> dict[str, Any]:
    """The two doors that take a store as it is."""
    store = filled(stamped(documents) if stamps else documents)
    return {
        "search": lambda day: [
            each.text
            for each in RetrieverSearch(store, embeddings=EMBEDDINGS).search(
                "Who runs the ferry to Holm?", as_of=datetime(day.year, day.month, day.day, 12, tzinfo=UTC), k=5
            ).evidence
        ],
        "adaptive": lambda day: [
            each.page_content
            for each in AdaptiveRetriever(retriever=store, embeddings=EMBEDDINGS, k=3).invoke(
                "Who runs the ferry to Holm?", as_of=day.isoformat(), answer="Nobody", reliable=0.0, read=[]
            )
        ],
    }  # fmt: skip


@pytest.mark.parametrize("stamps", [True, False])
def test_a_search_over_a_store_brings_the_right_one_of_many_versions(stamps: bool) -> None:
    documents = history(200)
    search = answers(documents, stamps)["search"]
    for day in DAYS:
        assert right(documents, day).page_content in search(day)


@pytest.mark.parametrize("stamps", [True, False])
def test_a_retriever_that_is_asked_again_brings_nothing_later_than_its_moment(stamps: bool) -> None:
    documents = history(200)
    later = {each.page_content for each in documents if each.metadata["date"] > DAYS[0].isoformat()}
    assert set(answers(documents, stamps)["adaptive"](DAYS[0])) & {each.page_content for each in documents}
    assert not later & set(answers(documents, stamps)["adaptive"](DAYS[0]))


def test_a_gate_asks_its_retriever_as_of_its_own_moment() -> None:
    documents = history(50)
    retriever = AdaptiveRetriever(retriever=filled(documents), embeddings=EMBEDDINGS, k=3)
    seen: list[Document] = []
    chain = retriever | RunnableLambda(lambda found: seen.extend(found) or "Ana")
    gate = CertaintyGate(chain=chain, retriever=retriever, estimator=ReadingEstimator(), as_of=DAYS[1])
    gate.invoke("Who runs the ferry to Holm?")
    assert seen
    assert max(each.metadata["date"] for each in seen) <= DAYS[1].isoformat()


def test_a_llama_index_is_searched_by_dates_too() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import VectorStoreIndex
    from llama_index.core.schema import TextNode

    from llama_index.embeddings.dateline import LocalEmbedding
    from llama_index.node_parser.dateline import DateStamper as NodeStamper

    documents = history(200)
    nodes = NodeStamper()([TextNode(text=each.page_content, metadata=each.metadata) for each in documents])
    index = VectorStoreIndex(nodes, embed_model=LocalEmbedding(EMBEDDINGS))
    search = RetrieverSearch(index, embeddings=EMBEDDINGS)
    for day in DAYS:
        found = search.search("Who runs the ferry to Holm?", as_of=datetime(day.year, day.month, day.day, tzinfo=UTC))
        assert right(documents, day).page_content in [each.text for each in found.evidence]


class Approximate(InMemoryVectorStore):
    """A store whose graph reaches a few of the nearest, unless a filter leads it."""

    def similarity_search_with_score_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> Any:
        few = k if given.get("filter") is not None else min(k, 30)
        return super().similarity_search_with_score_by_vector(embedding, few, **given)


class FAISS(InMemoryVectorStore):
    """A store that filters the few nearest, known by the name of its class."""

    @property
    def index(self) -> SimpleNamespace:
        return SimpleNamespace(ntotal=len(self.store))

    def _create_filter_func(self, own: dict[str, Any]) -> Callable[[dict[str, Any]], bool]:
        return lambda fields: all(fields[name] == value for name, value in own.items())

    def similarity_search_with_score_by_vector(
        self, embedding: list[float], k: int = 4, filter: Any = None, fetch_k: int = 20, **given: Any
    ) -> Any:
        found = super().similarity_search_with_score_by_vector(embedding, k if filter is None else fetch_k)
        passed = filter if callable(filter) else self._create_filter_func(filter or {})
        return [each for each in found if passed(each[0].metadata)][:k]


@pytest.mark.parametrize("day", DAYS)
def test_a_persons_own_filter_of_a_store_that_filters_the_few_nearest_holds_among_all(day: date) -> None:
    documents = history(200)
    found = asked_of(filled(stamped(documents), FAISS), "Who runs the ferry to Holm?", day, filter={"state": True})
    assert all(each.metadata["state"] for each in found)
    assert right(documents, day).page_content in {each.page_content for each in found}


def test_lance_filters_before_it_looks_for_the_nearest() -> None:
    store = type("LanceDB", (), {})()
    assert among_all(store, {"filter": "state", "name": "a"}) == {"filter": "state", "name": "a", "prefilter": True}
    assert among_all(store, {"filter": None}) == {"filter": None}
    assert among_all(object(), {"filter": "state"}) == {"filter": "state"}


class NearestOnly(InMemoryVectorStore):
    """A store that filters the few nearest, as OpenSearch does with its usual engine."""

    def similarity_search_with_score_by_vector(
        self, embedding: list[float], k: int = 4, filter: Any = None, **given: Any
    ) -> Any:
        found = super().similarity_search_with_score_by_vector(embedding, k)
        return [each for each in found if filter is None or filter(each[0])]


class PGVector(VectorStore):
    """A store in whose language no two conditions hold at once, as langchain-community's without `use_jsonb`."""

    def __init__(self, inner: InMemoryVectorStore) -> None:
        self._inner = inner

    @classmethod
    def from_texts(cls, *given: Any, **named: Any) -> Any:
        raise NotImplementedError

    def similarity_search(self, query: str, k: int = 4, filter: Any = None, **given: Any) -> list[Document]:
        if filter is None:
            return self._inner.similarity_search(query, k)
        if "$and" in filter:
            return []
        ((name, bound),) = filter.items()
        return self._inner.similarity_search(query, k, filter=lambda each: each.metadata[name] < bound["$lt"])


STORES_THAT_BRING_TOO_FEW: dict[str, Callable[[list[Document]], VectorStore]] = {
    "NearestOnly": lambda documents: filled(documents, NearestOnly),
    "PGVector": lambda documents: PGVector(filled(documents)),
}


@pytest.mark.parametrize("name", STORES_THAT_BRING_TOO_FEW)
def test_a_store_whose_filter_loses_documents_is_not_taken_at_its_word(name: str) -> None:
    documents = history(200)
    store = STORES_THAT_BRING_TOO_FEW[name](stamped(documents))
    for day in DAYS:
        expected = right(documents, day).page_content
        assert expected in {each.page_content for each in asked_of(store, "Who runs the ferry to Holm?", day)}, day


def test_a_store_that_filters_the_few_nearest_is_asked_for_more_through_its_filter(
    caplog: pytest.LogCaptureFixture,
) -> None:
    documents = history(200)
    store = filled(stamped(documents), NearestOnly)
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        for day in DAYS:
            expected = right(documents, day).page_content
            found = [
                asked_of(store, "Who runs the ferry to Holm?", day),
                asked_of(store, f"Who ran the ferry to Holm on {day:%-d %B %Y}?", date(2026, 1, 1)),
                asked_of(store, f"Who ran the ferry to Holm in {day.year}?", day),
            ]
            assert all(expected in {one.page_content for one in each} for each in found), day
    assert "asked for more" not in caplog.text


class Bounded(InMemoryVectorStore):
    """A store that refuses to bring many."""

    def similarity_search_with_score_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> Any:
        if k > 60:
            raise RuntimeError("too many")
        return super().similarity_search_with_score_by_vector(embedding, k, **given)


def test_a_bound_on_how_many_a_store_brings_is_not_held_against_its_filter(caplog: pytest.LogCaptureFixture) -> None:
    documents = history(200)
    store = filled(stamped(documents), Bounded)
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        found = asked_of(store, "Who runs the ferry to Holm?", DAYS[0])
    assert right(documents, DAYS[0]).page_content in {each.page_content for each in found}
    assert caplog.messages == []


def test_a_stamp_that_a_store_gives_back_as_text_is_a_stamp(caplog: pytest.LogCaptureFixture) -> None:
    documents = stamped(history(200))
    texts = [Document(each.page_content, metadata={a: str(b) for a, b in each.metadata.items()}) for each in documents]
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        found = asked_of(filled(texts), "Who runs the ferry to Holm?", DAYS[1])
    assert right(history(200), DAYS[1]).page_content in {each.page_content for each in found}
    assert caplog.messages == []


class Hybrid(PGVector):
    """A store that searches by words too, and refuses a vector alone, as Milvus does with two fields."""

    embeddings = EMBEDDINGS

    def similarity_search(self, query: str, k: int = 4, filter: Any = None, **given: Any) -> list[Document]:
        return self._inner.similarity_search(query, k)

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, filter: Any = None, **given: Any
    ) -> list[Document]:
        raise AssertionError("two fields")


def test_a_store_that_searches_by_words_too_is_asked_by_its_text() -> None:
    found = asked_of(Hybrid(filled(yearly_prices())), PRICE, date(2016, 6, 1))
    assert len(found) == len(yearly_prices())


class OpenSearchVectorSearch(VectorStore):
    """A store whose search by text encodes the text, unless it is to search by words too."""

    def __init__(self, inner: InMemoryVectorStore) -> None:
        self._inner, self.by_text = inner, 0

    @property
    def embeddings(self) -> LexicalEmbeddings:
        return EMBEDDINGS

    @classmethod
    def from_texts(cls, *given: Any, **named: Any) -> Any:
        raise NotImplementedError

    def similarity_search(self, query: str, k: int = 4, **given: Any) -> list[Document]:
        self.by_text += 1
        return self.similarity_search_by_vector(EMBEDDINGS.embed_query(query), k)

    def similarity_search_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> list[Document]:
        return self._inner.similarity_search_by_vector(embedding, k)


@pytest.mark.parametrize(
    ("given", "is_by_text"),
    [({}, False), ({"search_type": "script_scoring"}, False), ({"search_type": "hybrid_search"}, True)],
)
def test_opensearch_is_asked_by_its_vector_unless_it_is_to_search_by_words_too(
    given: dict[str, Any], is_by_text: bool
) -> None:
    store = OpenSearchVectorSearch(filled(history(200)))
    assert asked_of(store, "Who runs the ferry to Holm?", DAYS[1], **given)
    assert (store.by_text > 1) == is_by_text
    assert is_by_text or store.by_text == 0


def test_few_that_came_later_are_not_taken_for_all_there_is() -> None:
    documents = history(200)
    store = filled(stamped(documents), Approximate)
    for day in DAYS[:3]:
        found = asked_of(store, "Who runs the ferry to Holm?", day)
        assert right(documents, day).page_content in {each.page_content for each in found}, day


def test_a_small_store_that_cannot_filter_is_asked_once_and_nothing_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        found = asked_of(filled(yearly_prices()), PRICE, date(2016, 6, 1))
    assert len(found) == len(yearly_prices())
    assert caplog.messages == []


def test_equal_passages_take_one_place_and_one_known_then_stays() -> None:
    address = {"url": "https://n.example/ferry"}
    copies = [
        Document("The ferry is free.", metadata={"date": f"{year}-01-01", **address}) for year in (2024, 2018, 2019)
    ]

    class Notes(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return [*copies, Document("Ana runs it.", metadata={"date": "2018-01-01"})]

    asked = datetime(2020, 1, 1, tzinfo=UTC)
    for retriever in (Notes(), filled([*copies, Document("Ana runs it.", metadata={"date": "2018-01-01"})])):
        found = RetrieverSearch(retriever, embeddings=EMBEDDINGS).search("Is the ferry free?", as_of=asked, k=2)
        assert {each.text for each in found.evidence} == {"The ferry is free.", "Ana runs it."}
