"""One answering loop behind every face: the same evidence, reader and estimator, the same answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

pytest.importorskip("llama_index.core")

from llama_index.core.retrievers import BaseRetriever as NodeRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import Candidate, Certainty, Cost, Evidence, Question, Reading
from dateline.certainty import Answer, CheckedReader, Gate, PublishedReranker
from dateline.protocols import ReadResult
from dateline.ranking import HybridRanker
from dateline.temporal import decompose
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions, answer_graph
from dateline_graphs.components import default_components
from langchain_dateline import AdaptiveRetriever, CertaintyGate
from langchain_dateline.testing import AnsweringChatModel
from llama_index.query_engine.dateline import CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.workflow.dateline import AnswerWorkflow

NOW = datetime(2024, 6, 1, tzinfo=UTC)
ASKED = "Who leads the harbour board?"
LEXICAL = LexicalEmbeddings()
TEXTS = [
    *(f"The harbour board met in week {number}." for number in range(5)),
    "Ann Hale leads the harbour.",
    "Whoever asks who leads: Bo Lind.",
    "Bo Lind leads a board.",
]
K, CANDIDATES = 2, 5


def named(text: str) -> str:
    return next((name for name in ("Ann Hale", "Bo Lind") if name in text), "")


class Names:
    """A reader that finds the names it knows."""

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        (piece,) = evidence
        answer = named(piece.text)
        candidates = (Candidate(answer=answer, probability=0.5),) if answer else ()
        ids = (piece.id,) if answer else ()
        return ReadResult(
            Reading(answer=answer, probability=0.5, evidence_ids=ids, candidates=candidates), Cost(model_calls=1)
        )

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        return self.read(question, evidence=evidence, choices=choices)


class Trusts:
    """An estimator that trusts names as far as it is told."""

    def __init__(self, trust: dict[str, float]) -> None:
        self.trust = trust

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        reliable = self.trust.get(reading.answer, 0.0)
        return Certainty(reliable=reliable, misleading=0.0, uncertain=1 - reliable)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        return self.estimate(question, evidence=evidence, reading=reading)


class FixedDocuments(BaseRetriever):
    texts: list[str]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [Document(text) for text in self.texts]


class FixedNodes(NodeRetriever):
    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__()
        self.texts = texts

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text=text)) for text in self.texts]


def ranked_texts() -> list[str]:
    """The texts in the order in which the graph and the workflow rank them: what every face is given."""
    question = decompose(ASKED, as_of=NOW)
    pool = [Evidence.make(text) for text in TEXTS]
    return [one.evidence.text for one in HybridRanker(embeddings=LEXICAL).rank(question, evidence=pool, k=len(pool))]


def by_reader(estimator: Trusts, gate: Gate) -> Answer:
    checked = CheckedReader(Names(), estimator=estimator, gate=gate, embeddings=LEXICAL, k=K, candidates=CANDIDATES)
    return checked.check(decompose(ASKED, as_of=NOW), evidence=[Evidence.make(text) for text in ranked_texts()])


def by_chain(estimator: Trusts, gate: Gate) -> Answer:
    inner = FixedDocuments(texts=ranked_texts())
    retriever = AdaptiveRetriever(retriever=inner, embeddings=LEXICAL, k=K, candidates=CANDIDATES)

    def respond(messages: Sequence[BaseMessage]) -> str:
        return named(str(messages[-1].content))

    model = AnsweringChatModel(respond=respond)
    chain = retriever | RunnableLambda(lambda documents: documents[0].page_content) | model
    made = CertaintyGate(
        chain=chain, retriever=retriever, estimator=estimator, gate=gate, per_document=True, clock=lambda: NOW
    )
    return Answer.model_validate(made.invoke(ASKED)["dateline"])


def by_engine(estimator: Trusts, gate: Gate) -> Answer:
    engine = CertaintyQueryEngine(
        FixedNodes(ranked_texts()),
        response_synthesizer=ReaderSynthesizer(Names()),
        estimator=estimator,
        gate=gate,
        embeddings=LEXICAL,
        k=K,
        candidates=CANDIDATES,
        per_document=True,
        clock=lambda: NOW,
    )
    return Answer.model_validate((engine.query(ASKED).metadata or {})["dateline"])


async def by_workflow(estimator: Trusts, gate: Gate) -> Answer:
    job = AnswerWorkflow(
        FixedNodes(TEXTS),
        reader=Names(),
        estimator=estimator,
        gate=gate,
        embeddings=LEXICAL,
        reranker=PublishedReranker(LEXICAL),
        k=K,
        candidates=CANDIDATES,
        per_document=True,
        clock=lambda: NOW,
    )
    return Answer.model_validate((await job.run(question=ASKED)).metadata["dateline"])


def by_graph(estimator: Trusts, gate: Gate) -> Answer:
    search = FixedSearch([Evidence.make(text) for text in TEXTS])
    components = replace(
        default_components(search=search, options=AnswerOptions(), embeddings=LEXICAL),
        reader=Names(),
        estimator=estimator,
        gate=gate,
        reranker=PublishedReranker(LEXICAL),
        k=K,
        candidates=CANDIDATES,
        per_document=True,
        clock=lambda: NOW,
    )
    report = answer_graph(components).compile().invoke({"question": ASKED})["report"]
    return Answer.model_validate({name: report[name] for name in Answer.model_fields})


FACES: tuple[Callable[[Trusts, Gate], Answer], ...] = (by_chain, by_engine, by_graph)


@pytest.mark.parametrize(
    ("trust", "gate"),
    [
        ({"Bo Lind": 0.9}, Gate(max_rounds=3)),
        ({"Ann Hale": 0.3, "Bo Lind": 0.4}, Gate(max_rounds=3)),
        ({"Ann Hale": 0.4, "Bo Lind": 0.3}, Gate(max_rounds=1, abstain_below=0.5)),
        ({"Ann Hale": 0.9}, Gate(max_rounds=0)),
        ({"Bo Lind": 0.9}, Gate(max_rounds=9, threshold=0.95)),
    ],
)
async def test_every_face_gives_the_same_answer_in_the_same_rounds_at_the_same_cost(
    trust: dict[str, float], gate: Gate
) -> None:
    one = by_reader(Trusts(trust), gate)
    others = [face(Trusts(trust), gate) for face in FACES] + [await by_workflow(Trusts(trust), gate)]
    for other in others:
        assert other.answer == one.answer
        assert (other.decision, other.rounds, other.certainty) == (one.decision, one.rounds, one.certainty)
        assert other.asked == one.asked
        assert (other.freshness, other.problems) == (one.freshness, ())
    # What a synthesizer's model is asked cannot be seen from the query engine.
    calls = [other.cost.model_calls for other in others]
    assert calls == [one.cost.model_calls, 0, one.cost.model_calls, one.cost.model_calls]


def test_a_budget_ends_the_rounds_of_every_face_alike() -> None:
    gate = Gate(max_rounds=9, max_model_calls=5)
    one = by_reader(Trusts({}), gate)
    assert one.cost.model_calls == 4
    for face in (by_chain, by_graph):
        other = face(Trusts({}), gate)
        assert (other.rounds, other.decision, other.cost.model_calls) == (one.rounds, one.decision, 4)
