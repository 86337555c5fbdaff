"""LangChain's own suites for every class that has one, and what LangChain expects of every component beside them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.load import dumpd
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import ConfigurableField, Runnable
from langchain_core.tools import BaseTool
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import (
    ChatModelIntegrationTests,
    EmbeddingsIntegrationTests,
    RetrieversIntegrationTests,
    ToolsIntegrationTests,
)
from langchain_tests.unit_tests import ChatModelUnitTests, EmbeddingsUnitTests, ToolsUnitTests

from dateline import BadInput, Evidence, Interval, Reading
from dateline.facts import Fact, FactStore
from dateline.facts.index import ExactIndex
from dateline.facts.ledger import MemoryLedger
from dateline.facts.operation import AddFact
from dateline.search import FolderSearch
from dateline.testing import FixedSearch, ScriptedReader
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.encoder import MiniLMEmbeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_graphs import AnswerOptions, ask_as_of
from dateline_graphs.components import default_components
from langchain_dateline import (
    AdaptiveRetriever,
    CertaintyGate,
    DateStamper,
    EvidenceRetriever,
    FactStoreRetriever,
    FreshEval,
    FreshPromptTemplate,
    ReaderChatModel,
    ReaderRunnable,
    StandaloneQuestion,
    TemporalReranker,
    TemporalRetriever,
)
from langchain_dateline.testing import ScriptedChatModel

NOW = datetime(2024, 5, 1, tzinfo=UTC)
QUESTION = "Which bridge crosses the Senn?"
PIECES = [
    Evidence.make(f"Bridge number {number} crosses the Senn.", published=Interval.of_year(2001 + number))
    for number in range(6)
]
NOTES = [Document(piece.text, metadata={"published": str(piece.published)}) for piece in PIECES]


def reranker() -> TemporalReranker:
    return TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())


def notes() -> InMemoryVectorStore:
    return InMemoryVectorStore.from_documents(NOTES, LexicalEmbeddings())


def facts() -> FactStore:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    for piece in PIECES:
        added = AddFact(document=piece.id, when=piece.published, known_at=NOW, fact=Fact.make(piece.text))
        store.apply(piece.id, [added])
    return store


# -- LangChain's suites -----------------------------------------------------------------------


class _Retrievers(RetrieversIntegrationTests):
    @property
    def retriever_query_example(self) -> str:
        return QUESTION


class TestEvidenceRetriever(_Retrievers):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return EvidenceRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"search": FolderSearch(PIECES, embeddings=LexicalEmbeddings()), "as_of": NOW}


class TestTemporalRetrieverOverAVectorStore(_Retrievers):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return TemporalRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"retriever": notes(), "reranker": reranker()}


class TestTemporalRetrieverOverARetriever(_Retrievers):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return TemporalRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"retriever": notes().as_retriever(search_kwargs={"k": 6}), "reranker": reranker()}


class TestFactStoreRetriever(_Retrievers):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return FactStoreRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"store": facts()}


class _ReaderModel:
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ReaderChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"as_of": NOW}


class TestReaderChatModelUnit(_ReaderModel, ChatModelUnitTests):
    pass


class TestReaderChatModelIntegration(_ReaderModel, ChatModelIntegrationTests):
    pass


class _ScriptedModel:
    """The fake that ships, for people's own tests."""

    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ScriptedChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"replies": ["Good day."]}


class TestScriptedChatModelUnit(_ScriptedModel, ChatModelUnitTests):
    has_tool_calling = False
    has_structured_output = False


class TestAskAsOfUnit(ToolsUnitTests):
    @property
    def tool_constructor(self) -> type[BaseTool] | BaseTool:
        return tool()

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION, "as_of": "2004-01-01"}


class TestAskAsOfIntegration(ToolsIntegrationTests):
    @property
    def tool_constructor(self) -> type[BaseTool] | BaseTool:
        return tool()

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION, "as_of": "2004-01-01"}


def tool() -> BaseTool:
    search = FixedSearch(PIECES)
    return ask_as_of(
        default_components(search=search, options=AnswerOptions(reader="rules"), embeddings=LexicalEmbeddings())
    )


class _Lexical:
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return LexicalEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"dimensions": 256}


class TestLexicalEmbeddingsUnit(_Lexical, EmbeddingsUnitTests):
    pass


class TestLexicalEmbeddingsIntegration(_Lexical, EmbeddingsIntegrationTests):
    pass


class _MiniLM:
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return MiniLMEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"threads": 1}


class TestMiniLMEmbeddingsUnit(_MiniLM, EmbeddingsUnitTests):
    pass


class TestMiniLMEmbeddingsIntegration(_MiniLM, EmbeddingsIntegrationTests):
    pass


class TestRememberedEmbeddingsIntegration(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return lambda: RememberedEmbeddings(LexicalEmbeddings())  # type: ignore[return-value]


class TestCachedEmbeddingsIntegration(EmbeddingsIntegrationTests):
    @pytest.fixture(autouse=True)
    def own_cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    @property
    def embeddings_class(self) -> type[Embeddings]:
        return lambda: CachedEmbeddings(LexicalEmbeddings(), name="standard")  # type: ignore[return-value]


# -- retrievers, beyond the suite -------------------------------------------------------------

RETRIEVERS: dict[str, Callable[[], BaseRetriever]] = {
    "evidence": lambda: EvidenceRetriever(search=FolderSearch(PIECES, embeddings=LexicalEmbeddings()), as_of=NOW, k=2),
    "temporal": lambda: TemporalRetriever(retriever=notes(), reranker=reranker(), k=2),
    "facts": lambda: FactStoreRetriever(store=facts(), k=2),
}
each_retriever = pytest.mark.parametrize("name", RETRIEVERS)


class Seen(BaseCallbackHandler):
    """Keeps tags, metadata and names of the runs it hears of."""

    def __init__(self) -> None:
        self.runs: list[tuple[str, tuple[str, ...], dict[str, Any]]] = []

    def on_retriever_start(self, serialized: Any, query: str, **kwargs: Any) -> None:
        self._saw(kwargs)

    def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> None:
        self._saw(kwargs)

    def _saw(self, told: dict[str, Any]) -> None:
        self.runs.append((str(told.get("name")), tuple(told.get("tags") or ()), told.get("metadata") or {}))


@each_retriever
async def test_batches_and_streams_bring_what_a_call_brings(name: str) -> None:
    retriever = RETRIEVERS[name]()
    texts = [each.page_content for each in retriever.invoke(QUESTION)]
    found = [*retriever.batch([QUESTION] * 2), *await retriever.abatch([QUESTION] * 2)]
    found += list(retriever.stream(QUESTION))
    found += [each async for each in retriever.astream(QUESTION)]
    assert [[each.page_content for each in documents] for documents in found] == [texts] * 6


@each_retriever
def test_k_is_a_configurable_field(name: str) -> None:
    retriever = RETRIEVERS[name]().configurable_fields(k=ConfigurableField(id="k"))
    assert len(retriever.invoke(QUESTION)) == 2
    assert len(retriever.invoke(QUESTION, {"configurable": {"k": 4}})) == 4


@pytest.mark.parametrize(
    "component",
    [
        *(AdaptiveRetriever, EvidenceRetriever, FactStoreRetriever, TemporalRetriever, TemporalReranker),
        *(CertaintyGate, FreshEval, FreshPromptTemplate, ReaderRunnable, StandaloneQuestion),
    ],
)
def test_a_setting_that_is_none_is_refused(component: Any) -> None:
    with pytest.raises(BadInput, match="has no 'keep'"):
        component(keep=3)


def test_a_question_that_is_no_text_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="must be text, not a list"):
        TemporalRetriever(retriever=notes()).invoke([QUESTION])  # type: ignore[arg-type]


@each_retriever
async def test_fewer_than_one_document_cannot_be_asked_for(name: str) -> None:
    with pytest.raises(BadInput, match=r"1 or more, not 0|at least 1, not 0"):
        RETRIEVERS[name]().invoke(QUESTION, k=0)
    with pytest.raises(BadInput, match=r"1 or more, not 0|at least 1, not 0"):
        await RETRIEVERS[name]().ainvoke(QUESTION, k=0)


@each_retriever
def test_the_asking_day_can_be_set_and_given_with_the_call_as_text(name: str) -> None:
    retriever = RETRIEVERS[name]()
    by_call = retriever.invoke(QUESTION, as_of="2003-06-01")
    set_before = retriever.configurable_fields(as_of=ConfigurableField(id="as_of"))
    by_config = set_before.invoke(QUESTION, {"configurable": {"as_of": "2003-06-01"}})
    assert [each.page_content for each in by_call] == [each.page_content for each in by_config]
    with pytest.raises(BadInput):
        retriever.invoke(QUESTION, as_of="soon")


@each_retriever
def test_tags_metadata_and_names_reach_the_run(name: str) -> None:
    seen = Seen()
    retriever = RETRIEVERS[name]().model_copy(update={"tags": ["own"], "metadata": {"team": "bridges"}})
    config: Any = {"callbacks": [seen], "tags": ["call"], "metadata": {"user": "7"}, "run_name": "bridges"}
    retriever.invoke(QUESTION, config)
    (run_name, tags, metadata) = seen.runs[0]
    assert run_name == "bridges"
    assert {"own", "call"} <= set(tags)
    assert (metadata["team"], metadata["user"]) == ("bridges", "7")


# -- the other runnables ----------------------------------------------------------------------

READING = Reading(answer="number 5", probability=0.8)
RUNNABLES: dict[str, tuple[Callable[[], Runnable[Any, Any]], Any]] = {
    "reader": (
        lambda: ReaderRunnable(reader=ScriptedReader([READING]), as_of=NOW),
        {"question": QUESTION, "documents": NOTES},
    ),
    "fresh_eval": (FreshEval, {"question": QUESTION, "answer": "Bridge 5", "golds": ["Bridge 5"]}),
    "fresh_prompt": (lambda: FreshPromptTemplate(as_of=NOW), {"question": QUESTION, "documents": NOTES}),
}


@pytest.mark.parametrize("name", RUNNABLES)
async def test_every_runnable_runs_in_each_of_the_ways(name: str) -> None:
    make, given = RUNNABLES[name]
    runnable = make()
    once = runnable.invoke(given)
    results = [*runnable.batch([given] * 2), *await runnable.abatch([given] * 2), await runnable.ainvoke(given)]
    results += list(runnable.stream(given))
    results += [each async for each in runnable.astream(given)]
    assert results == [once] * 7


@pytest.mark.parametrize("name", RUNNABLES)
def test_tags_metadata_and_names_reach_the_run_of_every_runnable(name: str) -> None:
    make, given = RUNNABLES[name]
    seen = Seen()
    config: Any = {"callbacks": [seen], "tags": ["call"], "metadata": {"user": "7"}, "run_name": "mine"}
    make().invoke(given, config)
    (run_name, tags, metadata) = seen.runs[0]
    assert (run_name, tags, metadata["user"]) == ("mine", ("call",), "7")


@pytest.mark.parametrize("name", ["reader", "fresh_prompt"])
def test_the_asking_day_is_a_configurable_field_of_every_runnable_that_has_one(name: str) -> None:
    make, given = RUNNABLES[name]
    runnable: Any = make()
    told = runnable.configurable_fields(as_of=ConfigurableField(id="as_of")).invoke(
        given, {"configurable": {"as_of": "2003-06-01"}}
    )
    assert "2003-06-01" in str(told) or "Jun 1, 2003" in str(told)


# -- sending them elsewhere -------------------------------------------------------------------

SENT: dict[str, Callable[[], Any]] = {
    **{name: make for name, make in RETRIEVERS.items() if name != "facts"},
    "reranker": reranker,
    "stamper": DateStamper,
    "fresh_prompt": RUNNABLES["fresh_prompt"][0],
    "fresh_eval": FreshEval,
    "reader": RUNNABLES["reader"][0],
    "trained_reader": lambda: ReaderRunnable(as_of=NOW),
    "minilm": lambda: TemporalReranker(as_of=NOW, embeddings=RememberedEmbeddings(MiniLMEmbeddings(threads=1))),
}


def did(component: Any) -> Any:
    """What a component does, to compare."""
    if isinstance(component, BaseRetriever):
        return [each.page_content for each in component.invoke(QUESTION)]
    if isinstance(component, TemporalReranker):
        return [each.metadata["dateline_score"] for each in component.compress_documents(NOTES, QUESTION)]
    if isinstance(component, DateStamper):
        return component.transform_documents(NOTES)
    given = next(given for make, given in RUNNABLES.values() if type(make()) is type(component))
    result = component.invoke(given)
    return {**result, "cost": None} if isinstance(result, dict) else result


@pytest.mark.parametrize("name", SENT)
def test_components_can_be_sent_to_another_process(name: str) -> None:
    component = SENT[name]()
    again = pickle.loads(pickle.dumps(component))  # noqa: S301  our own bytes
    assert did(again) == did(component)


@pytest.mark.parametrize("name", [*RETRIEVERS, *RUNNABLES])
def test_tracers_can_write_down_every_component(name: str) -> None:
    make = RETRIEVERS.get(name) or RUNNABLES[name][0]
    written = dumpd(make())
    assert written["type"] in ("not_implemented", "constructor")
    assert written["id"][-1] == type(make()).__name__
