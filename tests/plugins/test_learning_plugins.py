"""A fact store learns from what running LangChain and LlamaIndex apps retrieve."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool, create_retriever_tool, tool

from dateline import BadInput, Evidence, Interval
from dateline.facts import Changes, ExactIndex, FactStore, LocalUpdater, MemoryLedger, ReviewQueue
from dateline.facts.background_ingestor import BackgroundIngestor
from dateline.text.lexical import LexicalEmbeddings
from dateline.tools import Toolbox
from langchain_dateline import (
    FactStoreCallbackHandler,
    FactStoreRetriever,
    TemporalReranker,
    TemporalRetriever,
    dateline_tools,
)

NOW = datetime(2022, 1, 1, tzinfo=UTC)
ANNA = "The director of the Northern Observatory is Anna Berg."
CARL = "The director of the Northern Observatory is Carl Dahl."


class ListRetriever(BaseRetriever):
    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return self.documents


class FailingRetriever(BaseRetriever):
    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        raise RuntimeError("no")


RETRIEVER = ListRetriever(
    documents=[
        Document(ANNA, metadata={"published": "2015-03-01", "source": "Gazette"}),
        Document(CARL, metadata={"published": "2021-09-14", "source": "Courier"}),
    ]
)


@pytest.fixture
def store() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())


def true_in(store: FactStore, year: int) -> set[str]:
    return {history.fact.text for history in store.at(datetime(year, 7, 1, tzinfo=UTC))}


class Slow:
    """An updater that takes its time, and can be told to fail."""

    def __init__(self, seconds: float = 0.0, *, fails: bool = False) -> None:
        self.seconds, self.fails = seconds, fails
        self.seen: list[Evidence] = []
        self.threads: set[int] = set()

    def update(self, evidence: Sequence[Evidence], *, known_at: datetime) -> list[Changes]:
        time.sleep(self.seconds)
        self.threads.add(threading.get_ident())
        self.seen += evidence
        if self.fails:
            raise RuntimeError("api_key=verysecretvalue was refused")
        return []


def test_retrieved_documents_become_facts_in_the_background(store: FactStore) -> None:
    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        RETRIEVER.invoke("Who?", config={"callbacks": [handler]})
    assert true_in(store, 2018) == {ANNA}
    assert true_in(store, 2022) == {CARL}
    assert handler.ingestor.ingested == 2


async def test_asynchronous_runs_feed_it_too(store: FactStore) -> None:
    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        await RETRIEVER.ainvoke("Who?", config={"callbacks": [handler]})
    assert true_in(store, 2022) == {CARL}


def test_facts_that_the_store_itself_brought_are_not_learnt_again(store: FactStore) -> None:
    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        RETRIEVER.invoke("Who?", config={"callbacks": [handler]})
        handler.flush()
        FactStoreRetriever(store=store).invoke("Who is the director?", config={"callbacks": [handler]})
    assert len(store.documents()) == 2


def test_documents_of_a_retriever_inside_a_search_tool_are_learnt_once(store: FactStore) -> None:
    made = create_retriever_tool(RETRIEVER, "search_news", "Search.", response_format="content_and_artifact")
    call = {"type": "tool_call", "id": "1", "name": made.name, "args": {"query": "director"}}
    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        made.invoke(call, config={"callbacks": [handler]})
    assert true_in(store, 2022) == {CARL}
    assert len(store.documents()) == 2


def test_results_of_a_tool_that_looked_into_the_facts_first_are_learnt(store: FactStore) -> None:
    LocalUpdater(store).update([Evidence.make(ANNA, published=Interval.parse("2015-03-01"))], known_at=NOW)

    @tool
    def facts_or_web_search(query: str) -> list[dict[str, str]]:
        """Search."""
        assert FactStoreRetriever(store=store).invoke(query)
        return [
            {"title": "Observatory", "url": "https://example.org/a", "content": CARL, "published_date": "2021-09-14"}
        ]

    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        facts_or_web_search.invoke("director", config={"callbacks": [handler]})
    assert true_in(store, 2022) == {CARL}
    assert len(store.documents()) == 2


def own_tool(store: FactStore) -> BaseTool:
    (found,) = dateline_tools(Toolbox(facts=ReviewQueue(store), clock=lambda: NOW), only=["search_as_of"])
    return found


def retriever_tool(store: FactStore) -> BaseTool:
    retriever = FactStoreRetriever(store=store)
    return create_retriever_tool(retriever, "search_facts", "Search.", response_format="content_and_artifact")


@pytest.mark.parametrize("made", [own_tool, retriever_tool])
def test_facts_that_a_tool_brought_from_the_store_are_undone_with_their_document(
    store: FactStore, made: Callable[[FactStore], BaseTool]
) -> None:
    told = Evidence.make(CARL, published=Interval.parse("2021-09-14"))
    LocalUpdater(store).update([told], known_at=NOW)
    asked = {"query": "Who is the director of the Northern Observatory?"}
    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        found = made(store)
        call = {"type": "tool_call", "id": "1", "name": found.name, "args": asked}
        assert "Carl Dahl" in found.invoke(call, config={"callbacks": [handler]}).content
    assert not handler.ingestor.failures
    store.undo(told.id, known_at=NOW)
    assert true_in(store, 2022) == set()


@tool
def web_search(query: str) -> list[dict[str, str]]:
    """Search."""
    return [{"title": "Observatory", "url": "https://example.org/a", "content": CARL, "published_date": "2021-09-14"}]


@tool
def prose_search(query: str) -> str:
    """Search."""
    return "Nothing to see here, said the engine."


@tool
def weather(query: str) -> list[dict[str, str]]:
    """Not a search."""
    return [{"title": "Rain", "url": "https://example.org/b", "content": "It rains in Lundby."}]


async def test_results_of_search_tools_become_facts_and_other_tools_do_not(store: FactStore) -> None:
    with FactStoreCallbackHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        config: Any = {"callbacks": [handler]}
        web_search.invoke({"query": "x"}, config=config)
        await weather.ainvoke({"query": "x"}, config=config)
        web_search.invoke({"type": "tool_call", "id": "1", "name": "web_search", "args": {"query": "x"}}, config=config)
    assert true_in(store, 2022) == {CARL}


def test_tools_can_be_named_and_prose_is_left_out() -> None:
    slow = Slow()
    with FactStoreCallbackHandler(slow, tools=["prose_search", "weather"], clock=lambda: NOW) as handler:
        for each in (prose_search, weather, web_search):
            each.invoke({"query": "x"}, config={"callbacks": [handler]})
    assert [piece.text for piece in slow.seen] == ["It rains in Lundby."]
    assert len(handler.ingestor.failures) == 1


def test_the_app_does_not_wait_and_nothing_is_lost() -> None:
    slow = Slow(0.05)
    with FactStoreCallbackHandler(slow, clock=lambda: NOW) as handler:
        started = time.perf_counter()
        for _ in range(10):
            RETRIEVER.invoke("Who?", config={"callbacks": [handler]})
        waited = time.perf_counter() - started
        assert len(slow.seen) < 20
    assert waited < 0.5
    assert len(slow.seen) == 20
    assert slow.threads.isdisjoint({threading.get_ident()})
    assert len(slow.threads) == 1


def test_a_full_queue_waits_or_drops_as_told() -> None:
    def offered(ingestor: BackgroundIngestor) -> list[bool]:
        return [ingestor.offer(lambda: [Evidence.make(f"{time.perf_counter_ns()}")]) for _ in range(20)]

    patient = Slow(0.005)
    with BackgroundIngestor(patient, clock=lambda: NOW, capacity=2) as ingestor:
        assert all(offered(ingestor))
    assert len(patient.seen) == 20
    hasty = Slow(0.05)
    with BackgroundIngestor(hasty, clock=lambda: NOW, capacity=2, when_full="drop") as ingestor:
        accepted = sum(offered(ingestor))
    assert accepted < 20
    assert ingestor.dropped == 20 - accepted
    assert len(hasty.seen) == accepted


def test_many_threads_may_offer_and_the_thread_is_there_only_while_there_is_work() -> None:
    quick = Slow(0.0)
    with BackgroundIngestor(quick, clock=lambda: NOW, capacity=1) as ingestor, ThreadPoolExecutor(4) as threads:
        for number in range(200):
            threads.submit(ingestor.offer, lambda number=number: [Evidence.make(str(number))])
    assert sorted(int(piece.text) for piece in quick.seen) == list(range(200))
    for thread in [each for each in threading.enumerate() if each.name == "dateline-facts"]:
        thread.join(5.0)
        assert not thread.is_alive()


def test_a_document_that_fails_is_kept_and_the_next_ones_go_on() -> None:
    with BackgroundIngestor(Slow(fails=True), clock=lambda: NOW) as ingestor:
        ingestor.offer(lambda: [Evidence.make("One."), Evidence.make("Two.")])
    assert [failure.document.text for failure in ingestor.failures if failure.document] == ["One.", "Two."]
    assert "verysecretvalue" not in ingestor.failures[0].reason
    with pytest.raises(BadInput, match="closed"):
        ingestor.offer(list)
    ingestor.close()


def test_nothing_is_lost_when_the_interpreter_exits(tmp_path: Path) -> None:
    code = """
import time, sys
from datetime import UTC, datetime
from pathlib import Path
from dateline import Evidence
from dateline.facts.background_ingestor import BackgroundIngestor
class Slow:
    def update(self, evidence, *, known_at):
        time.sleep(0.02)
        with Path(sys.argv[1]).open("a") as file:
            file.write(evidence[0].text + "\\n")
ingestor = BackgroundIngestor(Slow())
for number in range(10):
    ingestor.offer(lambda number=number: [Evidence.make(str(number))])
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "seen")], check=True)
    assert (tmp_path / "seen").read_text().split() == [str(number) for number in range(10)]


@pytest.mark.parametrize("wrong", [{"capacity": 0}, {"when_full": "explode"}])
def test_wrong_options_are_refused_while_building(wrong: Any) -> None:
    with pytest.raises(BadInput, match=str(next(iter(wrong.values())))):
        FactStoreCallbackHandler(Slow(), **wrong)


def test_a_store_in_place_of_its_updater_is_refused_while_building(store: FactStore) -> None:
    wrong: Any = store
    with pytest.raises(BadInput, match=r"updater must be .* not a FactStore"):
        FactStoreCallbackHandler(wrong)


async def test_llama_index_retrievals_become_facts(store: FactStore) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.retrievers import BaseRetriever as LlamaRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

    from llama_index.callbacks.dateline import FactStoreEventHandler

    class Fixed(LlamaRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            nodes = [TextNode(text=each.page_content, metadata=dict(each.metadata)) for each in RETRIEVER.documents]
            return [NodeWithScore(node=node, score=1.0) for node in nodes]

    with FactStoreEventHandler(LocalUpdater(store), clock=lambda: NOW) as handler:
        (first, _) = Fixed().retrieve("Who?")
        first.node.metadata.clear()
        handler.flush()
        assert true_in(store, 2018) == {ANNA}
        await Fixed().aretrieve("Who?")
    assert true_in(store, 2022) == {CARL}
    assert handler.ingestor.ingested == 4


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_candidates_that_a_retriever_left_out_are_not_learnt(asynchronous: bool) -> None:
    slow, reranker = Slow(), TemporalReranker(embeddings=LexicalEmbeddings())
    retriever = TemporalRetriever(retriever=RETRIEVER, reranker=reranker, k=1, as_of="2018")
    with FactStoreCallbackHandler(slow, clock=lambda: NOW) as handler:
        config: Any = {"callbacks": [handler]}
        asked = "Who is the director of the Northern Observatory?"
        (await retriever.ainvoke(asked, config)) if asynchronous else retriever.invoke(asked, config)
    assert [(piece.text, piece.channel) for piece in slow.seen] == [(ANNA, "TemporalRetriever")]


def test_a_retriever_in_a_chain_is_learnt_from_where_another_failed_before() -> None:
    slow = Slow()
    with FactStoreCallbackHandler(slow, clock=lambda: NOW) as handler:
        chain = FailingRetriever().with_fallbacks([RETRIEVER]) | RunnableLambda(len)
        assert chain.invoke("Who?", {"callbacks": [handler]}) == 2
    assert [piece.text for piece in slow.seen] == [ANNA, CARL]


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_candidates_that_a_llama_index_retriever_left_out_are_not_learnt(asynchronous: bool) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import VectorStoreIndex
    from llama_index.core.schema import TextNode

    from llama_index.callbacks.dateline import FactStoreEventHandler
    from llama_index.embeddings.dateline import LocalEmbedding
    from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
    from llama_index.retrievers.dateline import TemporalRetriever as NodeRetriever

    nodes = [TextNode(text=each.page_content, metadata=dict(each.metadata)) for each in RETRIEVER.documents]
    slow, embeddings = Slow(), LexicalEmbeddings()
    index = VectorStoreIndex(nodes, embed_model=LocalEmbedding(embeddings))
    retriever = NodeRetriever(index, k=1, reranker=NodeReranker(embeddings=embeddings, as_of="2018"))
    with FactStoreEventHandler(slow, clock=lambda: NOW):
        asked = "Who is the director of the Northern Observatory?"
        (await retriever.aretrieve(asked)) if asynchronous else retriever.retrieve(asked)
    assert [(piece.text, piece.channel) for piece in slow.seen] == [(ANNA, "TemporalRetriever")]
