"""`CertaintyQueryEngine`: a retriever and a synthesiser with GrowOVER's gate and adaptive re-retrieval around them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from langchain_core.embeddings import Embeddings
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.callbacks import CallbackManager
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from dateline import Certainty, Cost, Evidence, Question, Reading
from dateline.certainty.batch_estimator import aestimate_each, estimate_each
from dateline.certainty.gate import Gate
from dateline.certainty.rerank import POOL, TOP_K
from dateline.certainty.rounds import Rounds
from dateline.certainty.second_reading import SecondReadingEstimator
from dateline.errors import BadInput
from dateline.evidence.knowledge import split_known
from dateline.protocols import Estimator
from dateline.temporal.as_of import AsOf, checked, now, read_moment
from dateline.temporal.decomposition import decompose
from dateline.text import default_embeddings
from llama_index.embeddings.dateline import as_embeddings
from llama_index.postprocessor.dateline.nodes import evidence_of_node

CERTAINTY = "dateline_certainty"
"""The key of a response's metadata that holds certainty, label, outcome, rounds and steps."""


class CertaintyQueryEngine(BaseQueryEngine):
    """Answers from each of the first `k` nodes alone, adopts the most reliable answer, or reads others, or abstains.

    The other nodes are the `k` best of the `pool` behind them by GrowOVER's eq. 3; the retriever must bring
    `k + pool` nodes itself (`similarity_top_k=23`). Nodes of after the asking day are not read. The response is the
    synthesiser's own for the answer that stands, its metadata with more under "dateline_certainty".
    """

    def __init__(
        self,
        retriever: BaseRetriever,
        *,
        response_synthesizer: BaseSynthesizer,
        estimator: Estimator | None = None,
        gate: Gate | None = None,
        embeddings: BaseEmbedding | Embeddings | None = None,
        k: int = TOP_K,
        pool: int = POOL,
        scale: float | None = None,
        abstention: str = "",
        as_of: AsOf = None,
        clock: Callable[[], datetime] = now,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Take the parts.

        Args:
            estimator: by default dateline's local reader reads the same node and is asked how far it agrees.
            gate: when to adopt or abstain, rounds and budgets; model calls and tokens are not seen from here.
            embeddings: E of eq. 3, LlamaIndex's or LangChain's; by default dateline's local ones.
            scale: lambda of eq. 2; `None`: by the encoder's name.
            abstention: what is said instead of an answer that is not to be trusted.
            as_of: the asking moment; `None`: when called.

        Raises:
            BadInput: for a `k` below 1 or a `pool` below 0.
        """
        if k < 1 or pool < 0:
            raise BadInput(f"k must be at least 1 and pool at least 0, not {k} and {pool}.")
        super().__init__(callback_manager)
        self._retriever, self._synthesizer = retriever, response_synthesizer
        self._estimator = estimator or SecondReadingEstimator()
        self._gate = gate or Gate()
        self._embeddings = default_embeddings() if embeddings is None else as_embeddings(embeddings)
        self._k, self._pool, self._scale = k, pool, scale
        self._abstention, self._as_of, self._clock = abstention, checked(as_of, clock=clock), clock

    @classmethod
    def from_engine(cls, engine: RetrieverQueryEngine, **options: Any) -> CertaintyQueryEngine:
        """Around the retriever, postprocessors and synthesiser of an engine that you have; `options` as for making one."""
        return cls(_Retrieving(engine), response_synthesizer=engine._response_synthesizer, **options)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"response_synthesizer": self._synthesizer}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        question, nodes, rounds = self._begin(query_bundle, self._retriever.retrieve(query_bundle))
        pieces: list[Evidence] = []
        readings: list[Reading] = []
        while rounds.pieces:
            given = [nodes[piece.id] for piece in rounds.pieces]
            responses = [_whole(self._synthesizer.synthesize(query_bundle, [node])) for node in given]
            pieces, readings = _more(pieces, readings, rounds, responses)
            found = estimate_each(
                self._estimator, question, evidence=pieces, readings=readings, known=len(pieces) - len(responses)
            )
            self._take(rounds, responses, found)
        return self._response(rounds)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        question, nodes, rounds = self._begin(query_bundle, await self._retriever.aretrieve(query_bundle))
        pieces: list[Evidence] = []
        readings: list[Reading] = []
        while rounds.pieces:
            given = [nodes[piece.id] for piece in rounds.pieces]
            made = await asyncio.gather(*(self._synthesizer.asynthesize(query_bundle, [node]) for node in given))
            responses = list(await asyncio.gather(*(_awhole(one) for one in made)))
            pieces, readings = _more(pieces, readings, rounds, responses)
            found = await aestimate_each(
                self._estimator, question, evidence=pieces, readings=readings, known=len(pieces) - len(responses)
            )
            # Ranking the rest embeds it, which must not block an event loop.
            await asyncio.to_thread(self._take, rounds, responses, found)
        return self._response(rounds)

    def _begin(
        self, query: QueryBundle, found: Sequence[NodeWithScore]
    ) -> tuple[Question, dict[str, NodeWithScore], Rounds[Response]]:
        question = decompose(query.query_str, as_of=read_moment(self._as_of, clock=self._clock))
        pieces = [evidence_of_node(node, id=node.node.node_id, mode=MetadataMode.LLM) for node in found]
        known: list[Evidence] = split_known(pieces, as_of=question.as_of)[0]
        rounds: Rounds[Response] = Rounds(
            question.text,
            candidates=known,
            gate=self._gate,
            embeddings=self._embeddings,
            k=self._k,
            pool=self._pool,
            scale=self._scale,
        )
        return question, {node.node.node_id: node for node in found}, rounds

    def _take(self, rounds: Rounds[Response], responses: Sequence[Response], found: Sequence[Certainty]) -> None:
        rounds.take(
            responses,
            texts=[_said(one) for one in responses],
            certainties=found,
            cost=Cost(searches=0 if rounds.steps else 1),
        )

    def _response(self, rounds: Rounds[Response]) -> RESPONSE_TYPE:
        best, certainty = rounds.best
        best = best or Response(response=None)
        told = {
            "certainty": certainty.model_dump(),
            "label": certainty.label,
            "outcome": rounds.outcome,
            "rounds": rounds.rounds,
            "steps": [step.model_dump(mode="json") for step in rounds.steps],
        }
        text = self._abstention if rounds.outcome == "abstain" else best.response
        metadata = {**(best.metadata or {}), CERTAINTY: told}
        return Response(response=text, source_nodes=list(best.source_nodes), metadata=metadata)


class _Retrieving(BaseRetriever):
    """An engine's own way to its nodes, postprocessors included."""

    def __init__(self, engine: RetrieverQueryEngine) -> None:
        super().__init__()
        self._engine = engine

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._engine.retrieve(query_bundle)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await self._engine.aretrieve(query_bundle)


def _more(
    pieces: Sequence[Evidence], readings: Sequence[Reading], rounds: Rounds[Response], responses: Sequence[Response]
) -> tuple[list[Evidence], list[Reading]]:
    """What was read so far, with this round behind it."""
    return [*pieces, *rounds.pieces], [*readings, *(Reading(answer=_said(one)) for one in responses)]


def _said(response: Response) -> str:
    text = (response.response or "").strip()
    return "" if text.lower() in ("empty response", "unknown", "none") else text


def _whole(response: RESPONSE_TYPE) -> Response:
    """A response that is all there: what is streamed is read to its end."""
    if isinstance(response, Response):
        return response
    made = response.get_response()
    return made if isinstance(made, Response) else Response(response=str(made))


async def _awhole(response: RESPONSE_TYPE) -> Response:
    if isinstance(response, Response):
        return response
    made = response.get_response()
    made = await made if asyncio.iscoroutine(made) else made
    return made if isinstance(made, Response) else Response(response=str(made))
