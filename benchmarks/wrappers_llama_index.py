"""LlamaIndex's drop-ins, each beside the piece inside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import HumanMessage
from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.llms import MockLLM
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.prompts.mixin import PromptDictType, PromptMixinType
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle, TextNode, TransformComponent
from llama_index_instrumentation import get_dispatcher
from wrappers_timing import Call, Case
from wrappers_world import NOW, Learner, Sure, World, metadata

from dateline import Evidence, Reading
from dateline.certainty import Gate, MarginEstimator
from dateline.certainty.batch_estimator import estimate_each
from dateline.documents.stamp import stamp_all
from dateline.evidence import in_order, prepare
from dateline.evidence.blocks import dated
from dateline.evidence.knowledge import split_known
from dateline.ranking import HybridRanker
from dateline.reading import local_reader
from llama_index.callbacks.dateline import (
    CertaintyEventHandler,
    CostEventHandler,
    EvidenceTraceEventHandler,
    FactStoreEventHandler,
    FreshnessEventHandler,
)
from llama_index.embeddings.dateline import LocalEmbedding, as_embeddings
from llama_index.llms.dateline import RetrievingLLM, as_chat_model
from llama_index.memory.dateline import FactMemoryBlock
from llama_index.node_parser.dateline import DateStamper
from llama_index.postprocessor.dateline import DatedNodes, TemporalReranker
from llama_index.query_engine.dateline import AnswerQueryEngine, CertaintyQueryEngine, RetrievingQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import EvidenceRetriever, FactStoreRetriever, TemporalRetriever
from llama_index.workflow.dateline import AnswerWorkflow
from llama_index.workflow.dateline.answer import POOL

BEST = 5
"""Nodes that a retriever returns."""

LOOP = asyncio.new_event_loop()
"""The one that an app of coroutines runs in."""


class Ready(BaseRetriever):
    """An instant retriever."""

    def __init__(self, found: list[NodeWithScore]) -> None:
        super().__init__()
        self.found = found

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self.found


class ReadyPostprocessor(BaseNodePostprocessor):
    """An instant postprocessor."""

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return nodes


class ReadyTransform(TransformComponent):
    """An instant transformation."""

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> Sequence[BaseNode]:
        """The nodes."""
        return nodes


class ReadySynthesizer(BaseSynthesizer):
    """An instant synthesiser."""

    def get_response(self, query_str: str, text_chunks: Sequence[str], **kwargs: Any) -> str:
        """Always the same."""
        return "x"

    async def aget_response(self, query_str: str, text_chunks: Sequence[str], **kwargs: Any) -> str:
        """The same."""
        return "x"

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        pass


class ReadyEngine(BaseQueryEngine):
    """An instant query engine."""

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return Response(response="x")

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return Response(response="x")


class ReadyEmbedding(BaseEmbedding):
    """Instant embeddings."""

    def _get_query_embedding(self, query: str) -> list[float]:
        return [1.0] * 384

    def _get_text_embedding(self, text: str) -> list[float]:
        return [1.0] * 384

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return [1.0] * 384


class ReadyBlock(BaseMemoryBlock[str]):
    """An instant memory."""

    async def _aget(self, messages: list[ChatMessage] | None = None, **kwargs: Any) -> str:
        return "x"

    async def _aput(self, messages: list[ChatMessage]) -> None:
        pass


class Silent(BaseEventHandler):
    """Hears everything, does nothing."""

    def handle(self, event: BaseEvent, **kwargs: Any) -> None:
        """Nothing."""


def llama_index_cases(world: World) -> dict[str, Callable[[], Case]]:
    """By name; each is made when it is its turn."""
    return {
        "TemporalReranker": lambda: _reranker(world),
        "TemporalRetriever, over a retriever": lambda: _over_a_retriever(world),
        "TemporalRetriever, over an index": lambda: _over_an_index(world),
        "EvidenceRetriever": lambda: _evidence(world),
        "FactStoreRetriever": lambda: _facts(world),
        "DatedNodes": lambda: _dated(world),
        "DateStamper": lambda: _stamper(world),
        "ReaderSynthesizer": lambda: _synthesizer(world),
        "CertaintyQueryEngine": lambda: _gate(world),
        "RetrievingQueryEngine": lambda: _generating_engine(world),
        "RetrievingLLM": lambda: _generating_model(world),
        "AnswerWorkflow": lambda: _workflow(world),
        "AnswerQueryEngine": lambda: _answer_engine(world),
        "FactMemoryBlock": lambda: _memory(world),
        "LocalEmbedding, a question": lambda: _embedding(world),
        "as_embeddings, a question": lambda: _bridged_embedding(world),
        "as_chat_model": lambda: _bridged_model(world),
        "the three event handlers together": lambda: _heard(
            world, [EvidenceTraceEventHandler(), FreshnessEventHandler(as_of=NOW), CostEventHandler()]
        ),
        "CertaintyEventHandler": lambda: _heard(world, [CertaintyEventHandler(Sure())], clock="thread"),
        "FactStoreEventHandler": lambda: _heard(world, [FactStoreEventHandler(Learner())], clock="thread"),
    }


def nodes_of(pieces: Sequence[Evidence]) -> list[NodeWithScore]:
    """Evidence as nodes of somebody's own."""
    return [NodeWithScore(node=TextNode(text=piece.text, metadata=metadata(piece)), score=0.5) for piece in pieces]


# -- retrieval --------------------------------------------------------------------------------


def _reranker(world: World) -> Case:
    ranker, nodes = HybridRanker(embeddings=world.embeddings), nodes_of(world.pieces)
    reranker, ready = TemporalReranker(as_of=NOW, embeddings=world.embeddings), ReadyPostprocessor()
    return Case(
        lambda i: ranker.rank(world.asked(i), evidence=world.pieces, k=len(nodes)),
        lambda i: reranker.postprocess_nodes(nodes, query_str=world.question(i)),
        lambda i: ready.postprocess_nodes(nodes, query_str=world.question(i)),
    )


def _over_a_retriever(world: World) -> Case:
    ranker, nodes = HybridRanker(embeddings=world.embeddings), nodes_of(world.pieces)
    inner = Ready(nodes)
    retriever = TemporalRetriever(inner, reranker=TemporalReranker(as_of=NOW, embeddings=world.embeddings), k=BEST)

    def found_and_ranked(i: int) -> Any:
        question = world.asked(i)
        inner.retrieve(question.content)
        return ranker.rank(question, evidence=world.pieces, k=BEST)

    return Case(found_and_ranked, lambda i: retriever.retrieve(world.question(i)), _ready(nodes[:BEST]))


def _over_an_index(world: World) -> Case:
    ranker = HybridRanker(embeddings=world.embeddings)
    world.embed(ranker)
    index = _index(world)
    inner = index.as_retriever(similarity_top_k=world.sizes.candidates)
    retriever = TemporalRetriever(inner, reranker=TemporalReranker(as_of=NOW, embeddings=world.embeddings), k=BEST)
    places = {piece.text: piece for piece in world.stored}

    def found_and_ranked(i: int) -> Any:
        question = world.asked(i)
        found = inner.retrieve(question.content)
        return ranker.rank(question, evidence=[places[each.text] for each in found], k=BEST)

    return Case(
        found_and_ranked, lambda i: retriever.retrieve(world.question(i)), _ready(nodes_of(world.pieces[:BEST]))
    )


def _index(world: World) -> VectorStoreIndex:
    nodes = [each.node for each in nodes_of(world.stored)]
    return VectorStoreIndex(nodes, embed_model=LocalEmbedding(world.embeddings))


def _evidence(world: World) -> Case:
    retriever = EvidenceRetriever(world.search, as_of=NOW)
    return Case(
        lambda i: world.search.search(world.question(i), as_of=NOW, k=10),
        lambda i: retriever.retrieve(world.question(i)),
        _ready(retriever.retrieve(world.question(0))),
    )


def _facts(world: World) -> Case:
    retriever = FactStoreRetriever(world.facts)
    return Case(
        lambda i: world.facts.search(world.question(i), k=10),
        lambda i: retriever.retrieve(world.question(i)),
        _ready(retriever.retrieve(world.question(0))),
    )


def _dated(world: World) -> Case:
    nodes, ready = nodes_of(world.pieces), ReadyPostprocessor()
    postprocessor = DatedNodes(as_of=NOW)

    def by_hand(i: int) -> Any:
        known = split_known(world.pieces, as_of=NOW)[0]
        return [dated(piece.published, NOW) for piece in in_order(known, order="time")]

    return Case(by_hand, lambda i: postprocessor.postprocess_nodes(nodes), lambda i: ready.postprocess_nodes(nodes))


def _stamper(world: World) -> Case:
    nodes = [each.node for each in nodes_of(world.pieces)]
    stamper, ready = DateStamper(), ReadyTransform()
    return Case(
        lambda i: [one.metadata() for one in stamp_all([(node.get_content(), node.metadata) for node in nodes])],
        lambda i: stamper(nodes),
        lambda i: ready(nodes),
    )


def _ready(found: list[NodeWithScore]) -> Call:
    ready = Ready(found)
    return lambda i: ready.retrieve("a question")


# -- answers ----------------------------------------------------------------------------------


def _synthesizer(world: World) -> Case:
    reader, few = local_reader(), world.few
    synthesizer, ready = ReaderSynthesizer(reader=reader, as_of=NOW), ReadySynthesizer(llm=MockLLM())
    nodes = nodes_of(few)
    return Case(
        lambda i: reader.read(world.asked(i), evidence=few),
        lambda i: synthesizer.synthesize(world.question(i), nodes=nodes),
        lambda i: ready.synthesize(world.question(i), nodes=nodes),
    )


def _gate(world: World) -> Case:
    """One round over three nodes, each read alone."""
    nodes, estimator = nodes_of(world.pieces), Sure()
    inner, synthesizer = Ready(nodes), ReaderSynthesizer(reader=local_reader(), as_of=NOW)
    engine = CertaintyQueryEngine(
        inner,
        response_synthesizer=synthesizer,
        estimator=estimator,
        gate=Gate(max_rounds=0),
        embeddings=world.embeddings,
        per_document=True,
        as_of=NOW,
    )
    evidence = world.pieces[:3]

    def by_hand(i: int) -> Any:
        question = world.asked(i)
        inner.retrieve(question.text)
        responses = [synthesizer.synthesize(question.text, nodes=[node]) for node in nodes[:3]]
        readings = [Reading(answer=str(response)) for response in responses]
        return estimate_each(estimator, question, evidence=evidence, readings=readings)

    return Case(by_hand, lambda i: engine.query(world.question(i)), _ready_engine())


def _generating_engine(world: World) -> Case:
    generator = world.generator()
    engine = RetrievingQueryEngine(generator, as_of=NOW)
    return Case(
        lambda i: generator.generate(world.asked(i)),
        lambda i: engine.query(world.question(i)),
        _ready_engine(),
        waited=world.writing,
    )


def _generating_model(world: World) -> Case:
    generator = world.generator()
    model, ready = RetrievingLLM(generator, as_of=NOW), MockLLM()
    return Case(
        lambda i: generator.generate(world.asked(i)),
        lambda i: model.complete(world.question(i)),
        lambda i: ready.complete(world.question(i)),
        waited=world.writing,
    )


def _workflow(world: World) -> Case:
    """The same steps by hand: search, choose, rank, read, estimate; one round."""
    search, reader, estimator = world.search, local_reader(), MarginEstimator()
    ranker = HybridRanker(embeddings=world.embeddings)
    workflow = AnswerWorkflow(
        search, reader=reader, embeddings=world.embeddings, estimator=estimator, gate=Gate(max_rounds=0)
    )

    def by_hand(i: int) -> Any:
        question = world.asked(i)
        found = search.search(question.content, as_of=NOW, k=25).evidence
        pool = prepare(found, sizes=POOL, as_of=NOW).evidence
        shown = [one.evidence for one in ranker.rank(question, evidence=pool, k=len(pool))[:5]]
        reading = reader.read(question, evidence=shown).reading
        return estimator.estimate(question, evidence=shown, reading=reading)

    async def run(i: int) -> Any:
        return await workflow.run(question=world.question(i), as_of=NOW)

    return Case(by_hand, lambda i: LOOP.run_until_complete(run(i)))


def _answer_engine(world: World) -> Case:
    workflow = AnswerWorkflow(world.search, embeddings=world.embeddings)
    engine = AnswerQueryEngine(workflow, as_of=NOW)

    async def run(i: int) -> Any:
        return await workflow.run(question=world.question(i), as_of=NOW)

    return Case(lambda i: LOOP.run_until_complete(run(i)), lambda i: engine.query(world.question(i)), _ready_engine())


def _ready_engine() -> Call:
    ready = ReadyEngine(None)
    return lambda i: ready.query("a question")


# -- memory, models, embeddings ---------------------------------------------------------------


def _memory(world: World) -> Case:
    block = FactMemoryBlock(store=world.facts, as_of=NOW)
    ready = ReadyBlock(name="ready")

    def message(i: int) -> list[ChatMessage]:
        return [ChatMessage(role="user", content=world.question(i))]

    def by_hand(i: int) -> Any:
        world.asked(i)
        return [fact.describe() for fact in world.facts.search(world.question(i), as_of=NOW, k=10, threshold=0.0)]

    return Case(
        by_hand,
        lambda i: LOOP.run_until_complete(block.aget(message(i))),
        lambda i: LOOP.run_until_complete(ready.aget(message(i))),
    )


def _embedding(world: World) -> Case:
    inside = world.own if world.sizes.facts else world.embeddings
    model, ready = LocalEmbedding(inside), ReadyEmbedding()
    return Case(
        lambda i: inside.embed_query(world.question(i)),
        lambda i: model.get_query_embedding(world.question(i)),
        lambda i: ready.get_query_embedding(world.question(i)),
    )


def _bridged_embedding(world: World) -> Case:
    model = LocalEmbedding(world.own if world.sizes.facts else world.embeddings)
    bridge = as_embeddings(model)
    return Case(
        lambda i: model.get_query_embedding(world.question(i)),
        lambda i: bridge.embed_query(world.question(i)),
    )


def _bridged_model(world: World) -> Case:
    model = MockLLM()
    bridge = as_chat_model(model)
    text = "\n\n".join(piece.text for piece in world.few)
    return Case(
        lambda i: model.chat([ChatMessage(role="user", content=text)]),
        lambda i: bridge.invoke([HumanMessage(text)]),
        waited=world.sizes.wait,
    )


# -- callbacks --------------------------------------------------------------------------------


def _heard(world: World, handlers: list[Any], *, clock: Any = "processor") -> Case:
    """On an engine that ranks what a retriever finds and lists it."""
    retriever = TemporalRetriever(
        Ready(nodes_of(world.pieces)), reranker=TemporalReranker(as_of=NOW, embeddings=world.embeddings), k=BEST
    )
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM())
    dispatcher, ready, silent = get_dispatcher(), ReadyEngine(None), [Silent() for _ in handlers]

    def heard(i: int) -> Any:
        for handler in handlers:
            _attach(handler)
        try:
            return engine.query(world.question(i))
        finally:
            for handler in handlers:
                _detach(handler)

    def bare(i: int) -> Any:
        for handler in silent:
            dispatcher.add_event_handler(handler)
        try:
            return ready.query(world.question(i))
        finally:
            for handler in silent:
                _detach(handler)

    return Case(lambda i: engine.query(world.question(i)), heard, bare, clock=clock)


def _attach(handler: Any) -> None:
    if hasattr(handler, "attach"):
        handler.attach()
    else:
        get_dispatcher().add_event_handler(handler)


def _detach(handler: Any) -> None:
    if hasattr(handler, "detach"):
        handler.detach()
    else:
        dispatcher = get_dispatcher()
        dispatcher.event_handlers = [one for one in dispatcher.event_handlers if one is not handler]
