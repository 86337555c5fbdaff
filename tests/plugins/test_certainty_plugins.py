from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import BadInput, Certainty, Evidence, Question, Reading
from dateline.certainty import Gate
from dateline.protocols import ReadResult
from dateline.records import Cost
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import AdaptiveRetriever, CertaintyCallbackHandler, CertaintyGate
from langchain_dateline.io_fields import answer_in, question_in
from langchain_dateline.testing import AnsweringChatModel
from llama_index.callbacks.dateline import CertaintyEventHandler
from llama_index.query_engine.dateline import CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer

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
