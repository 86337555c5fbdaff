"""The answer job as a LlamaIndex workflow, run by LlamaIndex's own test runner, and as a query engine."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import VectorStoreIndex
from llama_index.core.base.response.schema import Response
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import QueryEngineTool
from llama_index.core.workflow import Context, JsonSerializer

from dateline import BadInput, Certainty, Evidence, Interval, Reading, SearchFailed, Step
from dateline.certainty import Gate, ReaderRounds
from dateline.protocols import Decomposed
from dateline.reading import ChatReader, ExtractiveReader
from dateline.reading.reading_ranker import ReadingRanker
from dateline.reading.trained_reader import TrainedReader
from dateline.temporal.decomposition import decompose
from dateline.testing import FixedSearch, ScriptedReader
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions
from dateline_graphs.components import default_components
from langchain_dateline.testing import ScriptedChatModel
from llama_index.callbacks.dateline import CertaintyEventHandler
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.postprocessor.dateline import TemporalReranker
from llama_index.query_engine.dateline import AnswerQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import EvidenceRetriever, TemporalRetriever
from llama_index.workflow.dateline import AnswerWorkflow, Ask, Found, Read, ReadDone, SearchFor, StepTaken
from llama_index.workflow.dateline.packing import packed, unpacked

NOW, MUCH_LATER = datetime(2024, 6, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
ASKED = "Who leads the choir?"
NAMES = {"new": ("Tom Reyes", "2023-02-03"), "old": ("Ana Bell", "2019-02-03"), "later": ("Mia Lund", "2025-02-03")}
LEXICAL = LexicalEmbeddings()


def nodes() -> list[NodeWithScore]:
    return [
        NodeWithScore(node=TextNode(text=f"{name} leads the choir.", id_=id, metadata={"date": day}), score=0.5)
        for id, (name, day) in NAMES.items()
    ]


class Everything(BaseRetriever):
    def __init__(self, found: list[NodeWithScore] | Exception | None = None) -> None:
        super().__init__()
        self.found, self.asked = nodes() if found is None else found, list[str]()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.asked.append(query_bundle.query_str)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


class Sure:
    """Trusts the readings it is told to."""

    def __init__(self, *reliable: float) -> None:
        self.left = list(reliable)

    def estimate(self, *_: Any, **__: Any) -> Certainty:
        reliable = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        return Certainty(reliable=reliable, misleading=0.0, uncertain=1 - reliable)

    async def aestimate(self, *_: Any, **__: Any) -> Certainty:
        return self.estimate()


def workflow(source: Any = None, **parts: Any) -> AnswerWorkflow:
    given = {"reader": ExtractiveReader(), "estimator": Sure(0.9), "embeddings": LEXICAL, "clock": lambda: NOW}
    return AnswerWorkflow(source or Everything(), **{**given, **parts})


@pytest.mark.parametrize(
    ("as_of", "answer"), [("2020", "Ana Bell"), (None, "Tom Reyes"), ("", "Tom Reyes"), ("2026", "Mia Lund")]
)
async def test_a_question_is_answered_as_of_a_date(as_of: str | None, answer: str) -> None:
    response = await workflow(clock=lambda: MUCH_LATER if as_of == "2026" else NOW).run(question=ASKED, as_of=as_of)
    assert isinstance(response, Response)
    assert str(response) == answer
    about = (response.metadata or {})["dateline"]
    used = next(id for id, (name, _) in NAMES.items() if name == answer)
    assert about["evidence_ids"] == [used]
    assert NAMES[used][1] == about["freshness"]["newest"]
    assert json.loads(json.dumps(about)) == about


@pytest.mark.parametrize(("as_of", "day"), [(None, "2020-12-31"), ("", "2020-12-31"), ("2018", "2018-12-31")])
async def test_the_day_of_the_call_counts_first_and_then_the_retrievers_own(as_of: str | None, day: str) -> None:
    pieces = [Evidence.make(f"{name} leads the choir.", published=Interval.parse(at)) for name, at in NAMES.values()]
    reranker = TemporalReranker(embeddings=LEXICAL, clock=lambda: NOW)
    for source in (
        EvidenceRetriever(FixedSearch(pieces), as_of="2020", clock=lambda: NOW),
        TemporalRetriever(Everything(), reranker=reranker, as_of="2020"),
    ):
        response = await workflow(source).run(question=ASKED, as_of=as_of)
        assert response.metadata["dateline"]["asked"]["as_of"][:10] == day
        assert all("Ana Bell" in node.text for node in response.source_nodes)


async def test_what_was_published_later_is_neither_read_nor_shown() -> None:
    response = await workflow().run(question=ASKED, as_of="2020")
    assert [node.node.node_id for node in response.source_nodes] == ["old"]


async def test_nodes_are_left_as_they_are() -> None:
    source = Everything()
    before = [node.model_dump_json() for node in nodes()]
    response = await workflow(source).run(question=ASKED)
    assert isinstance(source.found, list)
    assert [node.model_dump_json() for node in source.found] == before
    assert "dateline_score" in response.source_nodes[0].node.metadata


async def test_every_step_is_streamed_and_kept() -> None:
    testing = pytest.importorskip("workflows.testing", reason="LlamaIndex's runner came with a later version")
    result = await testing.WorkflowTestRunner(workflow()).run(
        Ask(question="Who led the choir in 2019?"), expose_internal=False
    )
    streamed = [event.step for event in result.collected if isinstance(event, StepTaken)]
    assert [step.name for step in streamed] == ["decompose", "search", "rank", "read", "gate"]
    kept = result.result.metadata["dateline"]["steps"]
    assert [step["summary"] for step in kept] == [step.summary for step in streamed]
    assert "at 2019" in streamed[0].summary
    assert all(step.cost.seconds >= 0 for step in streamed)


def test_a_person_sees_the_whole_job_in_its_events() -> None:
    assert {Ask, SearchFor, Found, Read, ReadDone} <= set(workflow().events)
    assert workflow().start_event_class is Ask
    assert set(Ask.model_json_schema()["properties"]) >= {"question", "as_of", "choices"}


async def test_a_run_can_be_kept_as_json_and_read_again() -> None:
    job = workflow()
    handler = job.run(question=ASKED, as_of="2020")
    await handler
    assert handler.ctx is not None
    kept = json.loads(json.dumps(handler.ctx.to_dict(serializer=JsonSerializer())))
    again = Context.from_dict(job, kept, serializer=JsonSerializer())
    assert (await again.store.get("parsed"))["as_of"].startswith("2020")
    assert [node.node.node_id for node in unpacked(await again.store.get("nodes"))] == ["old"]
    event = Found(query=ASKED, nodes=packed(nodes()), step=Step(name="search", summary=""))
    serializer = JsonSerializer()
    read = serializer.deserialize(serializer.serialize(event))
    assert [node.model_dump() for node in unpacked(read.nodes)] == [node.model_dump() for node in nodes()]


async def test_the_gate_reads_more_nodes_a_bounded_number_of_times_and_the_reading_of_all_counts() -> None:
    readings = [Reading(answer=f"answer {number}") for number in range(9)]
    reader = ScriptedReader(readings)
    job = workflow(reader=reader, estimator=Sure(0.2, 0.4, 0.1), gate=Gate(max_rounds=2), k=1, clock=lambda: MUCH_LATER)
    response = await job.run(question=ASKED)
    assert response.metadata["dateline"]["answer"] == "answer 2"
    assert [len({piece.id for piece in shown}) for _, shown in reader.history] == [1, 2, 3]
    assert response.metadata["dateline"]["rounds"] == 2


async def test_the_gate_stops_where_nothing_is_left_to_read() -> None:
    reader = ScriptedReader([Reading(answer="Tom Reyes")])
    await workflow(reader=reader, estimator=Sure(0.1), gate=Gate(max_rounds=5)).run(question=ASKED)
    assert len(reader.history) == 1


async def test_an_answer_that_is_not_to_be_trusted_is_withheld() -> None:
    job = workflow(estimator=Sure(0.1), gate=Gate(max_rounds=0, abstain_below=0.5), abstention="no idea")
    response = await job.run(question=ASKED)
    assert str(response) == "no idea"
    assert response.metadata["dateline"]["answer"] == ""
    assert response.metadata["dateline"]["decision"]["outcome"] == "abstain"


def test_an_engine_and_its_tool_mark_a_guess_that_nobody_should_trust() -> None:
    engine = AnswerQueryEngine(workflow(estimator=Sure(0.1), gate=Gate(max_rounds=0)))
    response = engine.query(ASKED)
    assert str(response).startswith("No answer in these documents is certain. Not sure: Tom Reyes. Why not trusted: ")
    assert response.metadata["dateline"]["answer"] == "Tom Reyes"
    tool = QueryEngineTool.from_defaults(engine, name="choir", description="Knows who leads the choir.")
    assert tool.call(input=ASKED).content == str(response)


def test_a_handler_judges_the_guess_and_not_the_words_around_it() -> None:
    engine = AnswerQueryEngine(workflow(estimator=Sure(0.1), gate=Gate(max_rounds=0)))
    with CertaintyEventHandler(Sure(0.1)) as handler:
        engine.query(ASKED)
    assert [one.answer for one in handler.records] == ["Tom Reyes"]


async def test_nodes_can_be_read_each_alone() -> None:
    reader = ScriptedReader([Reading(answer="Tom Reyes")])
    await workflow(reader=reader, per_document=True, clock=lambda: MUCH_LATER).run(question=ASKED)
    assert [len(shown) for _, shown in reader.history] == [1, 1, 1]


async def test_an_answer_can_be_one_of_given_choices() -> None:
    response = await workflow().run(question=ASKED, choices=["Mia Lund", "Tom Reyes"])
    assert response.metadata["dateline"]["choice"] == 1


async def test_several_queries_run_side_by_side_and_one_that_fails_stops_none() -> None:
    class Components:
        async def adecompose(self, text: str, *, as_of: datetime) -> Decomposed:
            from dateline import Cost, Question

            plain = decompose(text, as_of=as_of)
            question = Question(text, plain.content, None, as_of, sub_questions=("Who sings?", "Who plays with #1?"))
            return Decomposed(question=question, by="model", reason="", cost=Cost(model_calls=1))

    class Sometimes(Everything):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            found = super()._retrieve(query_bundle)
            if query_bundle.query_str == "Who sings?":
                raise RuntimeError("boom, key sk-abcdefghijklmnopqrstuvwxyz123456")
            return found

    source = Sometimes()
    response = await workflow(source, decomposer=Components()).run(question=ASKED)
    assert sorted(source.asked) == [ASKED, "Who sings?"]
    assert str(response) == "Tom Reyes"
    (problem,) = response.metadata["dateline"]["problems"]
    assert "Sometimes failed with RuntimeError: boom" in problem
    assert "sk-abc" not in problem
    assert response.metadata["dateline"]["cost"]["model_calls"] == 1


async def test_where_nothing_is_found_it_says_so() -> None:
    response = await workflow(Everything([])).run(question=ASKED)
    assert str(response) == "No answer in these documents"
    assert response.source_nodes == []


async def test_sources_of_every_kind_do() -> None:
    plain = [node.node for node in nodes()]
    index = VectorStoreIndex(plain, embed_model=LocalEmbedding(LEXICAL))
    pieces = [Evidence.make(f"{name} leads the choir.", published=Interval.parse(day)) for name, day in NAMES.values()]
    for source in (index, index.as_retriever(similarity_top_k=3), FixedSearch(pieces)):
        assert str(await workflow(source).run(question=ASKED, as_of="2020")) == "Ana Bell"


async def test_a_search_without_an_answer_is_told() -> None:
    response = await workflow(FixedSearch(error=SearchFailed("The quota is used up."))).run(question=ASKED)
    assert response.metadata["dateline"]["problems"] == ["The quota is used up."]


async def test_a_model_of_llama_index_answers_behind_freshprompt() -> None:
    response = await workflow(reader=None, llm=MockLLM()).run(question=ASKED)
    assert response.metadata["dateline"]["cost"]["model_calls"] >= 1


def test_a_model_is_asked_with_the_parts_that_the_answer_graph_gives_it() -> None:
    made = workflow(reader=None, llm=MockLLM(), estimator=None)
    options = AnswerOptions(model=ScriptedChatModel(replies=["x"]))
    graph = default_components(search=FixedSearch([]), options=options, embeddings=LEXICAL)
    reading = made._loop.reading
    assert isinstance(reading, ReaderRounds)
    assert isinstance(graph.reader, ChatReader)
    synthesizer = ReaderSynthesizer(llm=MockLLM())._reader
    for reader in (reading.reader, synthesizer):
        assert isinstance(reader, ChatReader)
        assert type(reader.scout) is type(graph.reader.scout) is TrainedReader
    assert type(made._ranker) is type(graph.ranker) is ReadingRanker
    assert type(made._loop.estimator) is type(graph.estimator)


async def test_wrong_questions_and_parts_are_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="question is empty"):
        await workflow().run(question="  ")
    with pytest.raises(BadInput, match="Cannot read 'soon'"):
        await workflow().run(question=ASKED, as_of="soon")
    with pytest.raises(BadInput, match=r"run has no 'asof'; did you mean as_of\?"):
        await workflow().run(question=ASKED, asof="2020")
    for wrong in ({"k": 0}, {"candidates": -1}, {"llm": MockLLM()}):
        with pytest.raises(BadInput):
            workflow(**wrong)
    with pytest.raises(BadInput, match="finds nothing"):
        AnswerWorkflow("notes/")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"str is no workflow; write AnswerQueryEngine\(AnswerWorkflow"):
        AnswerQueryEngine("notes/")  # type: ignore[arg-type]


async def test_it_fits_wherever_a_query_engine_does() -> None:
    engine = AnswerQueryEngine(workflow(), as_of="2020")
    assert str(engine.query(ASKED)) == "Ana Bell"
    assert str(await engine.aquery(ASKED)) == "Ana Bell"
    tool = QueryEngineTool.from_defaults(engine, name="choir", description="Knows the choir.")
    assert "Ana Bell" in str(tool.call(input=ASKED).content)
    assert "Ana Bell" in str((await tool.acall(input=ASKED)).content)
