"""The day in an input is the day of everything that works on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableGenerator, RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core.schema import TextNode

from dateline import BadInput, Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.protocols import SearchResult
from dateline.reading import ExtractiveReader
from dateline.temporal import asked_at
from dateline.temporal.as_of import now
from dateline.temporal.asking import asking_moment
from dateline.testing import FixedSearch, ReadingEstimator
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main
from langchain_dateline import (
    AdaptiveRetriever,
    AskedAt,
    AuditedDocuments,
    CertaintyGate,
    EvidenceRetriever,
    FactStoreRetriever,
    FreshPromptTemplate,
    ReaderChatModel,
    ReaderRunnable,
    StandaloneQuestion,
    TemporalReranker,
    TemporalRetriever,
    dated_context,
)
from langchain_dateline.scores import ASKED
from langchain_dateline.testing import AnsweringChatModel
from llama_index.retrievers import dateline as llama_retrievers

EMBEDDINGS = LexicalEmbeddings()
QUESTION = "Who leads the choir?"
ASK = {"question": QUESTION, "as_of": "2020-05-01"}
NOTES = [
    Document("Ana Bell leads the choir.", metadata={"date": "2015-03-02"}),
    Document("Tom Reyes leads the choir.", metadata={"date": "2023-03-02"}),
]
PIECES = [Evidence.make(note.page_content, published=Interval.parse(note.metadata["date"])) for note in NOTES]


class KnownSearch(FixedSearch):
    """Brings the newest that was known."""

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        known = [piece for piece in PIECES if piece.published and piece.published.last_moment() <= as_of]
        return SearchResult(evidence=tuple(known[-k:]))

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        return self.search(query, as_of=as_of, k=k)


def store() -> InMemoryVectorStore:
    return InMemoryVectorStore.from_documents(NOTES, EMBEDDINGS)


def temporal(inner: Any = None) -> TemporalRetriever:
    return TemporalRetriever(retriever=inner or store(), reranker=TemporalReranker(embeddings=EMBEDDINGS))


def adaptive(inner: Any = None) -> AdaptiveRetriever:
    return AdaptiveRetriever(retriever=inner or store(), embeddings=EMBEDDINGS)


def gate(inner: Any = None, *, chain: Callable[[AdaptiveRetriever], Runnable[Any, Any]]) -> CertaintyGate:
    retriever = adaptive(inner)
    return CertaintyGate(chain=chain(retriever), retriever=retriever, estimator=ReadingEstimator())


def reading(retriever: AdaptiveRetriever) -> Runnable[Any, Any]:
    return RunnablePassthrough.assign(documents=retriever) | ReaderRunnable(reader=ExtractiveReader())


def texts(documents: Any) -> list[str]:
    return [each.page_content for each in documents]


def test_a_gate_follows_the_day_of_its_input() -> None:
    found = gate(chain=reading).invoke(ASK)
    assert found["dateline"]["asked"]["as_of"].startswith("2020-05-01")
    assert texts(found["documents"]) == ["Ana Bell leads the choir."]
    assert "Ana Bell" in found["answer"]


def test_a_gate_hands_the_day_to_a_chain_that_passes_on_the_question_alone() -> None:
    def alone(retriever: AdaptiveRetriever) -> Runnable[Any, Any]:
        seen = RunnableLambda(lambda _: {"answer": asking_moment(None, clock=now).date().isoformat()})
        return itemgetter("question") | retriever | seen

    assert "2020-05-01" in gate(chain=alone).invoke(ASK)["answer"]
    assert "2020-05-01" in asyncio.run(gate(chain=alone).ainvoke(ASK))["answer"]


@pytest.mark.parametrize("outer", [temporal, adaptive])
def test_a_retriever_within_a_retriever_is_asked_as_of_the_same_day(outer: Callable[[Any], Any]) -> None:
    inner = EvidenceRetriever(search=KnownSearch(), k=1)
    assert texts(outer(inner).invoke(ASK)) == ["Ana Bell leads the choir."]
    assert asyncio.run(outer(inner).ainvoke(ASK))[0].metadata[ASKED].startswith("2020-05-01")


def test_an_index_retriever_within_a_retriever_is_asked_as_of_the_same_day() -> None:
    inner = llama_retrievers.EvidenceRetriever(KnownSearch(), k=1)
    found = llama_retrievers.TemporalRetriever(inner).at("2020-05-01").retrieve(QUESTION)
    assert [each.node.get_content() for each in found if isinstance(each.node, TextNode)] == [
        "Ana Bell leads the choir."
    ]


def test_adaptive_documents_tell_what_stands_behind_them_the_day() -> None:
    assert "(1887 days before)" in (adaptive() | dated_context).invoke(ASK)


BEFORE_ITS_END = datetime(2024, 6, 1, 12, tzinfo=UTC)


def known_by(clock: Callable[[], datetime]) -> list[Any]:
    """Retrievers whose clock is their own, or that of their reranker or store."""
    facts = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=EMBEDDINGS, clock=clock)
    LocalUpdater(facts).update(PIECES, known_at=datetime(2023, 5, 1, tzinfo=UTC))
    return [
        TemporalRetriever(retriever=store(), reranker=TemporalReranker(embeddings=EMBEDDINGS, clock=clock)),
        AdaptiveRetriever(retriever=store(), embeddings=EMBEDDINGS, clock=clock),
        EvidenceRetriever(search=KnownSearch(), clock=clock),
        FactStoreRetriever(store=facts),
    ]


@pytest.mark.parametrize("number", range(4))
def test_the_day_of_a_config_is_read_by_the_clock_of_the_retriever(number: int) -> None:
    retriever = known_by(lambda: BEFORE_ITS_END)[number]
    config: Any = {"configurable": {"as_of": "2024"}}
    found = retriever.invoke({"question": QUESTION, "as_of": "2024"})
    assert retriever.invoke(QUESTION, config) == found
    assert asyncio.run(retriever.ainvoke(QUESTION, config)) == found
    assert "Tom Reyes" in " ".join(texts(found))


def test_a_retriever_with_a_day_of_its_own_keeps_it_inside_a_block_that_is_later_than_its_clock() -> None:
    retriever = EvidenceRetriever(
        search=KnownSearch(), as_of="2020-05-01", clock=lambda: datetime(2021, 1, 1, tzinfo=UTC)
    )
    with asked_at("2023-06-01"):
        assert texts(retriever.invoke(QUESTION)) == ["Ana Bell leads the choir."]


STEPS: dict[str, Runnable[Any, Any]] = {
    "gate": gate(chain=reading),
    "retriever": temporal(),
    "reader": ReaderRunnable(reader=ExtractiveReader()),
    "audit": AuditedDocuments(),
    "prompt": FreshPromptTemplate(),
    "standalone question": StandaloneQuestion(),
    "asked at": AskedAt(chain=temporal()),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_misspelt_day_is_refused_by_every_step(name: str) -> None:
    with pytest.raises(BadInput, match=r"The input holds 'asOf', which nothing reads; did you mean as_of\?"):
        STEPS[name].invoke({"question": QUESTION, "documents": NOTES, "asOf": "2020"})


PROMPT = ChatPromptTemplate.from_template("Context:\n{context}\n\nQuestion: {question}")


def common_chain() -> Runnable[Any, Any]:
    """The form of most tutorials: the retriever is handed the question alone."""
    found = itemgetter("question") | temporal() | dated_context
    return {"context": found, "question": itemgetter("question")} | PROMPT | ReaderChatModel(reader=ExtractiveReader())  # type: ignore[no-any-return]


def test_the_day_reaches_a_retriever_that_is_handed_the_question_alone() -> None:
    asked = AskedAt(chain=common_chain())
    assert common_chain().invoke(ASK).content == "Tom Reyes"
    assert asked.invoke(ASK).content == "Ana Bell"
    assert asked.batch([ASK, {**ASK, "as_of": "2024"}])[1].content == "Tom Reyes"
    assert "".join(each.content for each in asked.stream(ASK)) == "Ana Bell"


def test_the_day_reaches_the_retriever_of_a_retrieval_chain() -> None:
    seen = RunnableLambda(lambda given: texts(given["context"]))
    chain = AskedAt(chain=create_retrieval_chain(temporal(), seen))
    assert chain.invoke({"input": QUESTION, "as_of": "2020-05-01"})["answer"] == ["Ana Bell leads the choir."]


def test_a_day_that_did_not_reach_the_retriever_is_told(caplog: pytest.LogCaptureFixture) -> None:
    chain = create_retrieval_chain(temporal(), RunnableLambda(lambda given: FreshPromptTemplate().invoke(given)))
    asked = {"input": QUESTION, "as_of": "2020-05-02"}
    with caplog.at_level("WARNING"):
        AskedAt(chain=chain).invoke(asked)
        assert not caplog.records
        chain.invoke(asked)
    told = (
        f"Documents that were retrieved as of {now().date()} are read as of 2020-05-02; give the day once, with AskedAt"
    )
    assert [one.getMessage().startswith(told) for one in caplog.records] == [True]


def test_the_day_reaches_it_without_blocking_and_piece_by_piece() -> None:
    asked = AskedAt(chain=common_chain())

    async def both() -> tuple[str, list[str], str]:
        whole = await asked.ainvoke(ASK)
        pieces, around = [], ""
        async for piece in asked.astream(ASK):
            pieces.append(piece.content)
            around = asking_moment(None, clock=now).date().isoformat()
        return whole.content, pieces, around

    whole, pieces, around = asyncio.run(both())
    assert (whole, "".join(pieces)) == ("Ana Bell", "Ana Bell")
    assert around == now().date().isoformat()
    assert len(pieces) > 1, "it streams as the chain does"


def test_a_stream_that_is_closed_early_closes_the_chains() -> None:
    closed: list[str] = []

    async def words(given: Any) -> Any:
        try:
            async for _ in given:
                yield "one"
                yield "two"
        finally:
            closed.append(asking_moment(None, clock=now).date().isoformat())

    async def first() -> list[str]:
        stream = AskedAt(chain=RunnableGenerator(words)).astream(ASK)
        async for _ in stream:
            break
        await stream.aclose()  # type: ignore[attr-defined]
        return list(closed)

    assert asyncio.run(first()) == ["2020-05-01"]


def test_a_blocking_stream_that_is_closed_early_closes_the_chains_too() -> None:
    closed: list[str] = []

    def words(given: Any) -> Any:
        try:
            for _ in given:
                yield "one"
                yield "two"
        finally:
            closed.append(asking_moment(None, clock=now).date().isoformat())

    stream: Any = AskedAt(chain=RunnableGenerator(words)).stream(ASK)
    next(stream)
    stream.close()
    assert closed == ["2020-05-01"]


def test_between_the_pieces_of_a_stream_the_day_is_that_of_the_reader_of_the_stream() -> None:
    chain = AskedAt(chain=PROMPT | AnsweringChatModel(respond=lambda messages: "one two three"))
    for _ in chain.stream({"context": "", **ASK}):
        assert asking_moment(None, clock=now).date() == now().date()


@pytest.mark.parametrize("day", ["", "  "])
def test_a_block_without_its_day_is_refused_as_the_command_refuses_it(
    day: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput, match="is empty; give a date such as 2024-05-01"), asked_at(day):
        pass
    assert main(["ask", "Who?", "--docs", ".", "--as-of", day]) == 2
    assert "is empty; give a date such as 2024-05-01" in capsys.readouterr().err
