from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pytest
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.retrievers import BaseRetriever as DocumentRetriever
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core.base.response.schema import Response
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import BadInput, Certainty, Evidence, Interval, Question, Reading
from dateline.certainty import Gate
from dateline.protocols import ReadResult, SearchResult
from dateline.reading import ExtractiveReader
from dateline.records import Cost
from dateline.temporal.as_of import now
from dateline.temporal.asking import asked_at, asking_moment
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import (
    AdaptiveRetriever,
    CertaintyCallbackHandler,
    CertaintyGate,
    TemporalReranker,
    TemporalRetriever,
)
from langchain_dateline import EvidenceRetriever as DocumentsOfSearch
from langchain_dateline.evidence import evidence_from
from langchain_dateline.io_fields import answer_in, question_in
from langchain_dateline.testing import AnsweringChatModel
from llama_index.callbacks.dateline import CertaintyEventHandler
from llama_index.postprocessor.dateline import DatedNodes
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
from llama_index.query_engine.dateline import CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import EvidenceRetriever
from llama_index.retrievers.dateline import TemporalRetriever as NodeRetriever
from llama_index.workflow.dateline import AnswerWorkflow

QUESTION = "Who leads the harbour board?"
DULL = [f"The harbour board met in week {number}." for number in range(6)]
TOLD = "Whoever asks who leads: Ada Berg."


class NamesAda:
    """Trusts an answer that names Ada; keeps how many pieces it was shown."""

    def __init__(self, reliable: float = 0.9) -> None:
        self.reliable, self.shown = reliable, 0

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        self.shown = len(evidence)
        reliable = self.reliable if "Ada" in reading.answer else 0.1
        return Certainty(reliable=reliable, misleading=0.0, uncertain=1 - reliable)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        return self.estimate(question, evidence=evidence, reading=reading)


class NamesNobody(NamesAda):
    """Trusts every answer as far as it is told."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        return Certainty(reliable=self.reliable, misleading=0.0, uncertain=1 - self.reliable)


class SaysAda:
    """A reader that finds Ada where she stands."""

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        found = any("Ada" in piece.text for piece in evidence)
        return ReadResult(Reading(answer="Ada Berg" if found else "nobody", probability=0.5), Cost())

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        return self.read(question, evidence=evidence, choices=choices)


def retriever(texts: Sequence[str] = (*DULL, TOLD), *, k: int = 3) -> AdaptiveRetriever:
    store = InMemoryVectorStore.from_documents([Document(text) for text in texts], LexicalEmbeddings())
    return AdaptiveRetriever(retriever=store, embeddings=LexicalEmbeddings(), k=k)


def answers(documents: Sequence[Document]) -> str:
    return "Ada Berg" if any("Ada" in each.page_content for each in documents) else "nobody"


def told(result: Any) -> tuple[str, str, str]:
    return result["answer"], result["dateline"]["decision"]["outcome"], result["dateline"]["label"]


def gate_steps(about: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for step in about["steps"] if step["name"] == "gate"]


def gated(made: AdaptiveRetriever, **options: Any) -> CertaintyGate:
    chain: Runnable[Any, Any] = made | RunnableLambda(answers)
    return CertaintyGate(chain=chain, retriever=made, **{"estimator": NamesAda(), "per_document": True, **options})


def test_a_chain_reads_each_document_alone_and_others_when_its_answer_is_not_trusted() -> None:
    result = gated(retriever(k=2), gate=Gate(max_rounds=5)).invoke(QUESTION)
    assert told(result) == ("Ada Berg", "adopt", "reliable")
    assert [document.page_content for document in result["documents"]] == [TOLD]
    about = result["dateline"]
    assert about["rounds"] == len(gate_steps(about)) - 1 >= 1
    assert about["cost"]["searches"] == 1
    assert about["evidence_ids"] == [Evidence.make(TOLD).id]


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (2, 2), (None, 3)])
async def test_so_many_runs_of_the_chain_go_on_at_once_as_the_config_allows(limit: int | None, most: int) -> None:
    running = peak = 0

    async def slowly(documents: Sequence[Document]) -> str:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.02)
        running -= 1
        return answers(documents)

    made = retriever(DULL, k=3)
    gate = CertaintyGate(chain=made | RunnableLambda(slowly), retriever=made, estimator=NamesAda(), per_document=True)
    await gate.ainvoke(QUESTION, {"max_concurrency": limit})
    assert peak == most


async def test_a_run_of_the_chain_that_fails_ends_the_others() -> None:
    begun, ended = list[str](), list[str]()

    async def fails(documents: Sequence[Document]) -> str:
        begun.append(documents[0].page_content)
        if len(begun) == 1:
            raise ValueError("no")
        await asyncio.sleep(0.05)
        ended.append(documents[0].page_content)
        return "nobody"

    made = retriever(DULL, k=3)
    gate = CertaintyGate(chain=made | RunnableLambda(fails), retriever=made, estimator=NamesAda(), per_document=True)
    with pytest.raises(ValueError, match="no"):
        await gate.ainvoke(QUESTION)
    await asyncio.sleep(0.1)
    assert ended == []


def test_no_document_is_read_twice_and_the_end_of_them_is_the_end() -> None:
    result = gated(retriever(DULL, k=2), gate=Gate(max_rounds=9)).invoke(QUESTION)
    read = [id for step in result["dateline"]["steps"] for id in step["details"].get("read", ())]
    assert len(read) == len(set(read)) == len(DULL)
    assert result["dateline"]["decision"]["outcome"] == "keep"
    guess = f"No answer in these documents. Best guess, not trusted: {result['dateline']['answer']}."
    assert result["answer"] == f"{guess} Why not trusted: {result['dateline']['doubt']}."


def test_an_answer_that_stays_untrusted_is_withheld_where_that_is_asked_for() -> None:
    result = gated(retriever(DULL), gate=Gate(abstain_below=0.5), abstention="I cannot tell.").invoke(QUESTION)
    assert (result["answer"], result["output"], result["dateline"]["decision"]["outcome"]) == (
        "I cannot tell.",
        None,
        "abstain",
    )
    assert result["dateline"]["certainty"]["reliable"] == pytest.approx(0.1)


async def test_async_and_batch_come_to_the_same_and_each_decision_is_an_event() -> None:
    gate = gated(retriever(k=2), gate=Gate(max_rounds=5))
    one = gate.invoke(QUESTION)
    for other in (await gate.ainvoke(QUESTION), *gate.batch([QUESTION, QUESTION]), *(await gate.abatch([QUESTION]))):
        assert (other["answer"], other["dateline"]["rounds"]) == (one["answer"], one["dateline"]["rounds"])
    events = [event async for event in gate.astream_events(QUESTION, version="v2")]
    told: list[Any] = [event["data"] for event in events if event["event"] == "on_custom_event"]
    assert [each["summary"] for each in told] == [step["summary"] for step in one["dateline"]["steps"]]


def test_model_calls_are_counted_and_bounded() -> None:
    made = retriever(DULL, k=2)
    model = AnsweringChatModel(respond=lambda messages: "nobody")
    chain = made | RunnableLambda(lambda documents: documents[0].page_content) | model
    gate = CertaintyGate(
        chain=chain, retriever=made, estimator=NamesAda(), per_document=True, gate=Gate(max_rounds=9, max_model_calls=5)
    )
    result = gate.invoke(QUESTION)
    assert result["dateline"]["cost"]["model_calls"] == len(model.history) == 4
    assert isinstance(result["output"], AIMessage)


def test_all_documents_of_a_round_may_go_to_one_run() -> None:
    estimator = NamesAda()
    gated(retriever(DULL), per_document=False, estimator=estimator, gate=Gate(max_rounds=0)).invoke(QUESTION)
    assert estimator.shown == 3


async def test_a_further_round_of_one_run_reads_the_earlier_documents_and_then_the_new_ones() -> None:
    rounds: list[list[str]] = []

    def keep(documents: Sequence[Document]) -> str:
        rounds.append([each.page_content for each in documents])
        return "nobody"

    made = retriever(DULL, k=2)
    gate = CertaintyGate(
        chain=made | RunnableLambda(keep), retriever=made, estimator=NamesAda(), gate=Gate(max_rounds=9)
    )
    about = gate.invoke(QUESTION)["dateline"]
    await gate.ainvoke(QUESTION)
    assert [len(each) for each in rounds] == [2, 4, 6] * 2
    assert rounds[1][:2] == rounds[0]
    assert rounds[2][:4] == rounds[1]
    assert set(rounds[2]) == set(DULL)
    assert [len(step["details"]["read"]) for step in about["steps"] if step["name"] == "answer"] == [2, 4, 6]
    assert about["decision"]["outcome"] == "keep"


def test_each_query_of_a_chain_is_served_its_own_earlier_documents_and_a_new_query_all_of_them() -> None:
    served: list[dict[str, list[str]]] = []
    store = [Document(f"Plum {number}.") for number in range(4)] + [Document(f"Fig {number}.") for number in range(4)]
    made = AdaptiveRetriever(
        retriever=InMemoryVectorStore.from_documents(store, LexicalEmbeddings()),
        embeddings=LexicalEmbeddings(),
        k=1,
    )

    def chain(_: str) -> str:
        queries = ["plum", "fig"] if len(served) < 2 else ["a pear"]
        served.append({query: [each.page_content for each in made.invoke(query)] for query in queries})
        return "nobody"

    CertaintyGate(chain=RunnableLambda(chain), retriever=made, estimator=NamesAda(), gate=Gate(max_rounds=2)).invoke(
        QUESTION
    )
    first, second, last = served
    for query in ("plum", "fig"):
        assert [len(first[query]), len(second[query])] == [1, 2]
        assert second[query][:1] == first[query]
        assert all(text.lower().startswith(query) for text in second[query])
    assert set(last["a pear"]) >= {*second["plum"], *second["fig"]}


def test_a_chain_with_another_retriever_and_an_input_without_a_question_are_refused() -> None:
    other = retriever()
    gate = CertaintyGate(chain=other | RunnableLambda(answers), retriever=retriever(), estimator=NamesAda())
    with pytest.raises(BadInput, match="never asked"):
        gate.invoke(QUESTION)
    with pytest.raises(BadInput, match="no question"):
        gate.invoke({"documents": []})


def test_outside_a_gate_the_retriever_is_a_retriever_that_can_be_asked_again() -> None:
    made = retriever(k=2)
    first = made.invoke(QUESTION)
    assert len(first) == 2
    again = made.invoke(QUESTION, answer="nobody", reliable=0.3)
    assert not {each.page_content for each in first} & {each.page_content for each in again}


def test_the_same_words_of_two_days_are_two_documents_and_the_best_of_copies_stays() -> None:
    closed = "The bridge is closed."
    notes = [
        Document(closed, metadata={"source": "b.md", "date": "2021"}),
        Document(closed, metadata={"source": "a.md", "date": "2015"}),
        Document(closed, metadata={"source": "b.md", "date": "2021", "copy": True}),
    ]
    made = AdaptiveRetriever(retriever=Brings(documents=notes), embeddings=LexicalEmbeddings(), k=3)
    served: list[list[Document]] = []
    chain = made | RunnableLambda(lambda documents: served.append(documents) or "nobody")
    CertaintyGate(chain=chain, retriever=made, estimator=NamesAda(), gate=Gate(max_rounds=0)).invoke("Is it closed?")
    told = [(one.metadata["source"], "copy" in one.metadata) for one in served[0]]
    assert told == [("b.md", False), ("a.md", False)]
    app = RunnableLambda(lambda _: {"answer": "Yes", "documents": notes})
    with CertaintyCallbackHandler(NamesAda()) as handler:
        app.invoke({"question": "Is it closed?"}, config={"callbacks": [handler]})
    assert [len(one.evidence) for one in handler.records] == [2]


class Brings(DocumentRetriever):
    """Brings the same documents."""

    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return self.documents


@pytest.mark.parametrize(
    "said", ["unknown", "Unknown.", "None", "Empty Response", "No answer in these documents", "I don't know."]
)
def test_a_chain_that_says_that_it_has_no_answer_gave_none(said: str) -> None:
    made = retriever()
    gate = CertaintyGate(
        chain=made | RunnableLambda(lambda _: said), retriever=made, estimator=NamesAda(), gate=Gate(max_rounds=0)
    )
    with CertaintyCallbackHandler(NamesAda()) as handler:
        result = gate.invoke(QUESTION, config={"callbacks": [handler]})
        gate.chain.invoke(QUESTION, config={"callbacks": [handler]})
    assert (result["answer"], result["dateline"]["answer"]) == ("No answer in these documents", "")
    assert handler.records == ()


@pytest.mark.parametrize("held", ["nobody", ""])
def test_of_an_output_that_marks_a_guess_the_guess_alone_is_judged(held: str) -> None:
    made = retriever()
    words = "No answer in these documents is certain. Not sure: nobody"
    chain = made | RunnableLambda(lambda _: {"answer": words, "dateline": {"answer": held}})
    gate = CertaintyGate(chain=chain, retriever=made, estimator=NamesAda(), gate=Gate(max_rounds=0))
    with CertaintyCallbackHandler(NamesAda()) as handler:
        result = gate.invoke(QUESTION, config={"callbacks": [handler]})
    assert result["dateline"]["answer"] == held
    assert [one.answer for one in handler.records] == ([held] if held else [])


def test_of_a_response_that_marks_a_guess_the_guess_alone_is_judged() -> None:
    class Marks(ReaderSynthesizer):
        """Says what a gate says."""

        def synthesize(self, *args: Any, **named: Any) -> Any:
            words = "No answer in these documents is certain. Not sure: Ada Berg"
            return Response(response=words, metadata={"dateline": {"answer": "Ada Berg"}})

    engine = CertaintyQueryEngine(Nodes(), response_synthesizer=Marks(SaysAda()), estimator=NamesAda())
    assert str(engine.query(QUESTION)) == "Ada Berg"


def test_an_engine_whose_synthesizer_says_that_it_has_no_answer_gave_none() -> None:
    class SaysNothing(SaysAda):
        """A reader that finds nothing."""

        def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
            return ReadResult(Reading(answer=""), Cost())

    for synthesizer in (
        ReaderSynthesizer(SaysNothing()),
        ReaderSynthesizer(SaysNothing(), empty_response="Nothing in the notes."),
        ReaderSynthesizer(SaysNothing(), empty_response="Nothing in the notes.", streaming=True),
    ):
        engine = CertaintyQueryEngine(
            Nodes(), response_synthesizer=synthesizer, estimator=NamesAda(), gate=Gate(max_rounds=0)
        )
        with CertaintyEventHandler(NamesAda()) as handler:
            response = engine.query(QUESTION)
        assert str(response) == "No answer in these documents"
        assert (response.metadata or {})["dateline"]["answer"] == ""
        assert handler.records == ()


async def test_fewer_than_one_document_cannot_be_asked_for_again() -> None:
    for wrong in (0, -1, "many"):
        with pytest.raises(BadInput, match="k must be a whole number of 1 or more"):
            retriever().invoke(QUESTION, k=wrong)
        with pytest.raises(BadInput, match="k must be a whole number of 1 or more"):
            await retriever().ainvoke(QUESTION, k=wrong)
    assert len(retriever().invoke(QUESTION, k="2")) == 2


def test_a_handler_records_every_answer_and_changes_none() -> None:
    made = retriever()
    chain = {"documents": made, "question": RunnablePassthrough()} | RunnableLambda(lambda x: answers(x["documents"]))
    with CertaintyCallbackHandler(NamesAda()) as handler:
        watched = [chain.invoke(QUESTION, config={"callbacks": [handler]}) for _ in range(2)]
        assert watched == [chain.invoke(QUESTION)] * 2
        handler.flush()
    assert [(one.question, one.answer, len(one.evidence)) for one in handler.records] == [(QUESTION, watched[0], 3)] * 2


def test_a_failing_chain_leaves_no_record() -> None:
    def broken(_: Any) -> str:
        raise ValueError("no")

    with CertaintyCallbackHandler(NamesAda()) as handler:
        with pytest.raises(ValueError, match="no"):
            RunnableLambda(broken).invoke(QUESTION, config={"callbacks": [handler]})
        handler.flush()
        assert handler.records == ()


@pytest.mark.parametrize(
    ("given", "question"),
    [
        (" Who? ", "Who?"),
        ({"input": "Who?"}, "Who?"),
        ({"messages": [HumanMessage("Who?"), AIMessage("Ada")]}, "Who?"),
        ({"query": HumanMessage("Who?")}, "Who?"),
        ({}, ""),
        (None, ""),
    ],
)
def test_the_question_is_found_in_the_shapes_that_apps_have(given: Any, question: str) -> None:
    assert question_in(given) == question


def test_the_answer_is_found_in_the_shapes_that_apps_have() -> None:
    shapes = ("Ada", AIMessage("Ada"), {"answer": "Ada"}, {"messages": [HumanMessage("Who?"), AIMessage("Ada")]})
    assert {answer_in(shape) for shape in shapes} == {"Ada"}
    assert answer_in(7) == ""
    assert [answer_in({"answer": number}) for number in (1998, 0, 2.5, True)] == ["1998", "0", "2.5", ""]


class Nodes(BaseRetriever):
    """Brings the same nodes."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text=text)) for text in (*DULL, TOLD)]


async def test_a_query_engine_reads_on_until_it_is_sure() -> None:
    synthesizer = ReaderSynthesizer(SaysAda())
    options = {"estimator": NamesAda(), "gate": Gate(max_rounds=5), "embeddings": LexicalEmbeddings(), "k": 2}
    engine = CertaintyQueryEngine(Nodes(), response_synthesizer=synthesizer, **options)  # type: ignore[arg-type]
    response = engine.query(QUESTION)
    assert str(response) == "Ada Berg"
    assert response.metadata is not None
    assert response.metadata["dateline"]["decision"]["outcome"] == "adopt"
    assert response.metadata["dateline"]["rounds"] >= 1
    assert TOLD in [node.node.get_content() for node in response.source_nodes]
    again = await engine.aquery(QUESTION)
    assert again.metadata is not None
    assert (str(again), again.metadata["dateline"]["rounds"]) == ("Ada Berg", response.metadata["dateline"]["rounds"])
    around = CertaintyQueryEngine.from_engine(
        RetrieverQueryEngine(Nodes(), response_synthesizer=synthesizer), **{**options, "gate": Gate(max_rounds=0)}
    )
    assert str(around.query(QUESTION)).startswith("No answer in these documents. Best guess, not trusted: nobody. Why")
    withheld = CertaintyQueryEngine(
        Nodes(),
        response_synthesizer=synthesizer,
        **{**options, "gate": Gate(max_rounds=0, abstain_below=0.5)},  # type: ignore[arg-type]
        abstention="I cannot tell.",
    )
    assert str(withheld.query(QUESTION)) == "I cannot tell."
    silent = CertaintyQueryEngine(
        Nodes(), response_synthesizer=synthesizer, **{**options, "gate": Gate(max_rounds=0, abstain_below=0.5)}
    )
    assert str(silent.query(QUESTION)) == "No answer in these documents"


DIRECTORS = [
    Evidence.make(f"{name} leads the choir.", published=day)
    for name, day in (("Ana", "2015"), ("Ben", "2021"), ("Carl", "2023"))
]


class Wrapped(BaseRetriever):
    """A retriever of one's own around another."""

    def __init__(self, inner: BaseRetriever) -> None:
        super().__init__()
        self.inner = inner

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self.inner.retrieve(query_bundle)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await self.inner.aretrieve(query_bundle)


class Newest(FixedSearch):
    """Brings the newest that were known."""

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        known = [piece for piece in DIRECTORS if piece.published and piece.published.last_moment() <= as_of]
        return SearchResult(evidence=tuple(known[-k:]))

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        return self.search(query, as_of=as_of, k=k)


def newest_two() -> BaseRetriever:
    return EvidenceRetriever(Newest(), k=2)


@pytest.mark.parametrize("wrap", [lambda inner: inner, Wrapped])
async def test_the_day_of_an_engine_and_of_a_run_is_the_day_of_their_retriever(wrap: Any) -> None:
    question, reader = "Who leads the choir?", ExtractiveReader()
    engine = CertaintyQueryEngine(
        wrap(newest_two()),
        response_synthesizer=ReaderSynthesizer(reader),
        estimator=NamesNobody(0.9),
        k=2,
        as_of="2018",
    )
    workflow = AnswerWorkflow(
        wrap(newest_two()), reader=reader, estimator=NamesNobody(0.9), embeddings=LexicalEmbeddings()
    )
    assert str(engine.query(question)) == str(await engine.aquery(question)) == "Ana"
    assert str(await workflow.run(question=question, as_of="2018")) == "Ana"


async def test_the_day_of_an_engine_is_the_day_of_its_synthesizer() -> None:
    class Remembers(ReaderSynthesizer):
        """Keeps the day as of which it is asked."""

        def synthesize(self, *args: Any, **named: Any) -> Any:
            days.append(asking_moment(None, clock=now).year)
            return super().synthesize(*args, **named)

        async def asynthesize(self, *args: Any, **named: Any) -> Any:
            days.append(asking_moment(None, clock=now).year)
            return await super().asynthesize(*args, **named)

    days: list[int] = []
    engine = CertaintyQueryEngine(Nodes(), response_synthesizer=Remembers(SaysAda()), as_of="2018", k=2)
    engine.query(QUESTION)
    await engine.aquery(QUESTION)
    assert set(days) == {2018}


class Years(BaseRetriever):
    """Brings a node of each year, the newest best."""

    def __init__(self, *, scored: bool = True) -> None:
        super().__init__()
        self.scored = scored

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(
                node=TextNode(text=f"It is {year}.", id_=str(year), metadata={"date": str(year)}),
                score=year / 3000 if self.scored else None,
            )
            for year in range(2022, 2014, -1)
        ]


class ShownTo(SaysAda):
    """A reader that keeps the years it was shown, in the order in which they stood."""

    def __init__(self) -> None:
        self.rounds: list[list[str]] = []

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        self.rounds.append([str(piece.published) for piece in evidence])
        return super().read(question, evidence=evidence, choices=choices)


def years_read(retriever: BaseRetriever, postprocessors: Sequence[Any] = ()) -> list[list[str]]:
    reader = ShownTo()
    engine = RetrieverQueryEngine(
        retriever, response_synthesizer=ReaderSynthesizer(reader), node_postprocessors=list(postprocessors)
    )
    options: dict[str, Any] = {"estimator": NamesAda(), "gate": Gate(max_rounds=1), "k": 3}
    CertaintyQueryEngine.from_engine(engine, **options).query(QUESTION)
    return reader.rounds


def test_the_best_nodes_are_read_in_the_order_in_which_dated_nodes_put_them() -> None:
    first, second = years_read(Years(), [DatedNodes()])
    assert first == ["2020", "2021", "2022"]
    assert second == [str(year) for year in range(2017, 2023)]


def test_the_best_of_a_search_are_read_oldest_first() -> None:
    pieces = [Evidence.make(f"It is {year}.", published=str(year)) for year in range(2022, 2014, -1)]
    assert years_read(EvidenceRetriever(FixedSearch(pieces)))[0] == ["2020", "2021", "2022"]


async def test_the_best_of_a_search_are_read_first_by_an_adaptive_retriever_and_its_gate() -> None:
    pieces = [Evidence.make(f"It is {year}.", published=str(year)) for year in (2023, 1995, 2019, 2005)]
    adaptive = AdaptiveRetriever(
        retriever=DocumentsOfSearch(search=FixedSearch(pieces), k=4), embeddings=LexicalEmbeddings(), k=2
    )
    best = [each.text for each in pieces[:2]]
    for documents in (adaptive.invoke(QUESTION), await adaptive.ainvoke(QUESTION)):
        assert [each.page_content for each in documents] == best
    rounds: list[list[str]] = []

    def answered(documents: list[Document]) -> str:
        rounds.append([each.text for each in evidence_from(documents)])
        return "nobody"

    chain: Runnable[Any, Any] = adaptive | RunnableLambda(answered)
    gate = CertaintyGate(chain=chain, retriever=adaptive, estimator=NamesAda(), gate=Gate(max_rounds=1))
    gate.invoke(QUESTION)
    assert rounds[0] == best
    # The second round's documents stand behind the first one's.
    assert rounds[1][:2] == rounds[0]
    assert len(rounds[1]) == 4


async def test_the_order_of_a_reranker_around_a_search_stays_in_an_adaptive_retriever() -> None:
    class Reversed(BaseDocumentCompressor):
        """Puts the last document first, and leaves its rank as it is."""

        def compress_documents(
            self, documents: Sequence[Document], query: str, callbacks: Any = None
        ) -> Sequence[Document]:
            return documents[::-1]

    pieces = [Evidence.make(f"It is {year}.", published=str(year)) for year in (1995, 2005, 2019)]
    inner = ContextualCompressionRetriever(
        base_compressor=Reversed(), base_retriever=DocumentsOfSearch(search=FixedSearch(pieces))
    )
    adaptive = AdaptiveRetriever(retriever=inner, embeddings=LexicalEmbeddings(), k=1)
    for documents in (adaptive.invoke(QUESTION), await adaptive.ainvoke(QUESTION)):
        assert [each.page_content for each in documents] == ["It is 2019."]


def test_an_order_that_nobody_scored_and_one_that_a_postprocessor_made_stay() -> None:
    class Turned(BaseNodePostprocessor):
        """Puts the worst first, and leaves the scores as they are, as RankGPT does."""

        def _postprocess_nodes(
            self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
        ) -> list[NodeWithScore]:
            return nodes[::-1]

    assert years_read(Years(scored=False), [DatedNodes()])[0] == ["2015", "2016", "2017"]
    assert years_read(Years(), [Turned()])[0] == ["2015", "2016", "2017"]


class Everybody(BaseRetriever):
    """Brings a director and her successor."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text=name)) for name in ("Ada Berg", "Carl Dahl")]


class NamesTheLast(SaysAda):
    """A reader to which the last piece is the newest."""

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        return ReadResult(Reading(answer=evidence[-1].text, probability=0.5), Cost())


def test_a_gate_around_an_engine_keeps_the_answer_that_the_engine_gives_to_all_nodes() -> None:
    engine = RetrieverQueryEngine(Everybody(), response_synthesizer=ReaderSynthesizer(NamesTheLast()))
    options: dict[str, Any] = {"estimator": NamesAda(), "gate": Gate(max_rounds=0, threshold=0.05)}
    assert str(engine.query(QUESTION)) == "Carl Dahl"
    assert str(CertaintyQueryEngine.from_engine(engine, **options).query(QUESTION)) == "Carl Dahl"
    alone = CertaintyQueryEngine.from_engine(engine, per_document=True, **options)
    assert str(alone.query(QUESTION)) == "Ada Berg"


def test_an_event_handler_records_every_answer_of_an_engine() -> None:
    engine = RetrieverQueryEngine(Nodes(), response_synthesizer=ReaderSynthesizer(SaysAda()))
    with CertaintyEventHandler(NamesAda()) as handler:
        response = engine.query(QUESTION)
        handler.flush()
        assert [(one.question, one.answer) for one in handler.records] == [(QUESTION, str(response))]
        assert len(handler.records[0].evidence) == 7


# -- the day as of which an answer is judged -------------------------------------------------------

ASKED_LAST_YEAR = "Who led Acme last year?"
LEADERS = [
    Document(f"{who} leads Acme.", metadata={"date": str(year)})
    for who, year in (("Ana", 2012), ("Ada", 2016), ("Eva", 2023))
]


class Judges(NamesAda):
    """Keeps the questions that it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[Question] = []

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        self.questions.append(question)
        return super().estimate(question, evidence=evidence, reading=reading)


def ranked_by_time(**settings: Any) -> TemporalRetriever:
    reranker = TemporalReranker(embeddings=LexicalEmbeddings())
    return TemporalRetriever(retriever=Brings(documents=LEADERS), reranker=reranker, **settings)


def told_in_the_input(config: Any) -> None:
    app: Runnable[Any, Any] = RunnableLambda(lambda _: {"answer": "Ada", "documents": LEADERS})
    app.invoke({"question": ASKED_LAST_YEAR, "as_of": "2020"}, config)


def told_by_the_output(config: Any) -> None:
    held = {"answer": "Ada", "asked": {"as_of": "2020-12-31T23:59:59+00:00"}}
    app: Runnable[Any, Any] = RunnableLambda(lambda _: {"answer": "Ada", "dateline": held, "documents": LEADERS})
    app.invoke({"question": ASKED_LAST_YEAR}, config)


def told_by_the_documents(config: Any) -> None:
    (ranked_by_time(as_of="2020") | RunnableLambda(lambda _: "Ada")).invoke(ASKED_LAST_YEAR, config)


def told_around(config: Any) -> None:
    app: Runnable[Any, Any] = RunnableLambda(lambda _: {"answer": "Ada", "documents": LEADERS})
    with asked_at("2020"):
        app.invoke({"question": ASKED_LAST_YEAR}, config)


@pytest.mark.parametrize("ask", [told_in_the_input, told_by_the_output, told_by_the_documents, told_around])
def test_an_answer_is_judged_as_of_the_day_for_which_it_was_asked(ask: Any) -> None:
    with CertaintyCallbackHandler(judge := Judges()) as handler:
        ask({"callbacks": [handler]})
    (record,), (question,) = handler.records, judge.questions
    assert record.as_of.startswith("2020-12-31T23:59:59")
    assert question.constraint is not None
    assert question.constraint.interval.isoformat() == "2019"
    assert len(record.evidence) == 2, "what was published in 2023 was not known"


async def test_an_async_answer_is_judged_as_of_the_day_around_it() -> None:
    app: Runnable[Any, Any] = RunnableLambda(lambda _: {"answer": "Ada", "documents": LEADERS})
    with CertaintyCallbackHandler(Judges()) as handler:
        with asked_at("2020"):
            await app.ainvoke({"question": ASKED_LAST_YEAR}, {"callbacks": [handler]})
        handler.flush()
    assert [each.as_of[:4] for each in handler.records] == ["2020"]


def test_an_answer_of_a_day_that_nobody_can_read_is_counted_and_the_app_goes_on() -> None:
    app: Runnable[Any, Any] = RunnableLambda(lambda _: {"answer": "Ada", "documents": LEADERS})
    with CertaintyCallbackHandler(Judges()) as handler:
        output = app.invoke({"question": ASKED_LAST_YEAR, "as_of": "soon"}, {"callbacks": [handler]})
    assert output["answer"] == "Ada"
    assert (handler.records, handler.log.dropped) == ((), 1)


def engine_of_a_block() -> Any:
    with asked_at("2018"):
        return RetrieverQueryEngine(Years(), response_synthesizer=ReaderSynthesizer(SaysAda())).query(QUESTION)


def engine_of_a_dated_retriever() -> Any:
    dated = NodeRetriever(Years(), reranker=NodeReranker(embeddings=LexicalEmbeddings()), k=8, as_of="2018")
    return RetrieverQueryEngine(dated, response_synthesizer=ReaderSynthesizer(SaysAda())).query(QUESTION)


def engine_of_a_day() -> Any:
    options: dict[str, Any] = {"estimator": NamesAda(), "gate": Gate(max_rounds=0), "k": 8, "as_of": "2018"}
    return CertaintyQueryEngine(Years(), response_synthesizer=ReaderSynthesizer(SaysAda()), **options).query(QUESTION)


@pytest.mark.parametrize("ask", [engine_of_a_block, engine_of_a_dated_retriever, engine_of_a_day])
def test_an_answer_of_an_engine_is_judged_as_of_the_day_for_which_it_was_asked(ask: Any) -> None:
    with CertaintyEventHandler(Judges()) as handler:
        ask()
        handler.flush()
    (record,) = handler.records
    assert record.as_of.startswith("2018-12-31T23:59:59")
    assert len(record.evidence) == 4, "what was published from 2019 on was not known"


def test_of_a_retriever_inside_another_only_what_the_outer_one_brought_is_judged() -> None:
    with CertaintyCallbackHandler(judge := NamesAda()) as handler:
        (ranked_by_time(k=1) | RunnableLambda(lambda _: "Ada")).invoke(ASKED_LAST_YEAR, {"callbacks": [handler]})
    assert [len(each.evidence) for each in handler.records] == [judge.shown] == [1]


# -- how many documents a call asks for ------------------------------------------------------------


def test_a_call_that_asks_for_more_documents_gets_them() -> None:
    notes = [Document(f"Note {number}.") for number in range(50)]
    for inner in (Brings(documents=notes), InMemoryVectorStore.from_documents(notes, LexicalEmbeddings())):
        made = AdaptiveRetriever(retriever=inner, embeddings=LexicalEmbeddings(), k=3, candidates=4)
        assert len(made.invoke("Which note?", k=30)) == 30


def test_a_number_of_documents_that_a_gate_would_not_heed_is_refused() -> None:
    made = retriever(k=2)
    chain: Runnable[Any, Any] = RunnableLambda(lambda question: answers(made.invoke(question, k=5)))
    with pytest.raises(BadInput, match="k=5 of a call does not count in a CertaintyGate"):
        CertaintyGate(chain=chain, retriever=made, estimator=NamesAda()).invoke(QUESTION)


# -- values without a truth ------------------------------------------------------------------------


def test_a_table_under_a_known_name_is_no_text_and_the_next_name_counts() -> None:
    table = np.arange(3)
    assert question_in({"input": table}) == answer_in({"output": table}) == ""
    assert question_in({"input": table, "query": "Who?"}) == "Who?"
    assert answer_in({"output": table, "result": np.int64(3)}) == "3"
