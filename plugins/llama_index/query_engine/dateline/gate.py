"""`CertaintyQueryEngine`: the answering loop around a retriever and a synthesizer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langchain_core.embeddings import Embeddings
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.callbacks import CallbackManager
from llama_index.core.indices.base import BaseIndex
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from dateline import Cost, Evidence, Question, RankedEvidence, Reading
from dateline.certainty.answer import METADATA_KEY, NO_ANSWER, announced_in, answer_held, said_nothing
from dateline.certainty.answering import AnswerLoop, RankedSource, check_sizes
from dateline.certainty.attempt import ReadRun
from dateline.certainty.gate import Gate
from dateline.certainty.rerank import POOL
from dateline.certainty.reranker import AnswerReranker, reranker_for
from dateline.certainty.second_reading import SecondReadingEstimator
from dateline.documents import DateField
from dateline.documents.rules import date_rules
from dateline.evidence.knowledge import split_known
from dateline.evidence.sanitize import MAX_SHOWN, inert
from dateline.flow import Flow, arun, call, run, together
from dateline.options import checked_arguments, wrong_part
from dateline.protocols import Estimator
from dateline.temporal.as_of import AsOf, Clock, checked, is_given, now
from dateline.temporal.asking import asking_moment, call_as_of
from dateline.temporal.decomposition import decompose
from llama_index.embeddings.dateline import as_embeddings
from llama_index.node_parser.dateline.parts import check_parts
from llama_index.postprocessor.dateline.asked import asked_of
from llama_index.postprocessor.dateline.dated import AGE
from llama_index.postprocessor.dateline.nodes import shown_to_model, without_later_entries
from llama_index.retrievers.dateline import TemporalRetriever
from llama_index.retrievers.dateline.evidence import scored_by_search


@checked_arguments
class CertaintyQueryEngine(BaseQueryEngine):
    """A query engine that adopts its answer, reads other nodes, or abstains.

    The first `k` nodes are read together, as the engine would. The nodes of a further round are the `k` best of the
    `candidates` behind them, ranked again with the answer; the retriever must bring `k + candidates` nodes itself
    (`similarity_top_k=25`). Nodes that `DatedNodes` or an `EvidenceRetriever` put in the order of their dates are chosen by
    their scores, and read in that order. Nodes published after the asking day are not read. The response is the
    synthesizer's own for the answer that stands; its metadata hold the whole `Answer` under "dateline".

    Example:
        >>> from dateline import Evidence
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.testing import FixedSearch
        >>> from llama_index.response_synthesizers.dateline import ReaderSynthesizer
        >>> from llama_index.retrievers.dateline import EvidenceRetriever
        >>> note = Evidence.make("Ben Hall became director of Acme in 2020.", published="2020-06-01")
        >>> retriever = EvidenceRetriever(FixedSearch([note]))
        >>> synthesizer = ReaderSynthesizer(reader=ExtractiveReader())
        >>> gated = CertaintyQueryEngine(retriever, response_synthesizer=synthesizer)
        >>> str(gated.query("Who is the director of Acme?"))
        'Ben Hall'
    """

    def __init__(
        self,
        retriever: BaseRetriever | BaseIndex[Any],
        *,
        response_synthesizer: BaseSynthesizer,
        estimator: Estimator | None = None,
        gate: Gate | None = None,
        embeddings: BaseEmbedding | Embeddings | None = None,
        k: int = 5,
        candidates: int = POOL,
        reranker: AnswerReranker | None = None,
        scale: float | None = None,
        per_document: bool = False,
        abstention: str = NO_ANSWER,
        as_of: AsOf = None,
        date_field: DateField = (),
        clock: Clock = now,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Take the parts.

        Args:
            retriever: an index stands for `TemporalRetriever(index, k=k + candidates, date_field=date_field)`.
            estimator: by default dateline's local reader reads the same node and is asked how far it agrees.
            gate: when to adopt or abstain, rounds and budgets; model calls and tokens are not seen from here.
            embeddings: rank unread nodes by GrowOVER's eq. 3, as published, with LlamaIndex's or LangChain's
                embeddings; `None`: by the retriever's scores and the answer (`rescore`).
            reranker: one of your own in their place.
            scale: lambda of eq. 2 for `embeddings`; `None`: by the encoder's name.
            per_document: read each node alone and take the most reliable answer (GrowOVER, equation 1): it costs a request for each
                node, and of two versions of a fact each alone is reliable.
            abstention: what is said where no answer is adopted; a guess that the gate keeps stands behind it, marked.
            as_of: the asking moment, of the retriever and the synthesizer too where they have none of their own; `None`: when
                called.
            date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names. A synthesizer or
                retriever of dateline's takes its own.

        Raises:
            BadInput: for a `k` below 1, `candidates` below 0, or a part that is none.
        """
        check_sizes(k, candidates)
        check_parts(estimator=estimator)
        super().__init__(callback_manager)
        if isinstance(retriever, BaseIndex):
            retriever = TemporalRetriever(retriever, k=k + candidates, date_field=date_field)
        if not callable(getattr(retriever, "retrieve", None)):
            raise wrong_part(retriever, name="retriever", give="a retriever or index of LlamaIndex")
        if not isinstance(response_synthesizer, BaseSynthesizer):
            raise wrong_part(response_synthesizer, name="response_synthesizer", give="one, such as ReaderSynthesizer()")
        self._retriever, self._synthesizer = retriever, response_synthesizer
        self._estimator = estimator or SecondReadingEstimator()
        self._gate = gate or Gate()
        encoder = None if embeddings is None else as_embeddings(embeddings)
        self._reranker = reranker or reranker_for(encoder, scale=scale)
        self._k, self._candidates, self._per_document = k, candidates, per_document
        self._abstention, self._as_of, self._clock = abstention, checked(as_of, clock=clock), clock
        self._date_field = date_rules(date_field)

    @classmethod
    def from_engine(cls, engine: RetrieverQueryEngine, **options: Any) -> CertaintyQueryEngine:
        """Take the retriever, postprocessors and synthesizer of an engine.

        `options` as for making one.

        Raises:
            BadInput: for an engine that is made of other parts, such as one around an engine.
        """
        synthesizer = getattr(engine, "_response_synthesizer", None)
        if not isinstance(engine, BaseQueryEngine) or not isinstance(synthesizer, BaseSynthesizer):
            give = "one with a retriever and a synthesizer of its own, such as index.as_query_engine(), or the engine inside"
            raise wrong_part(engine, name="engine", give=give)
        return cls(_Retrieving(engine), response_synthesizer=synthesizer, **options)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"response_synthesizer": self._synthesizer}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return run(self._answer(query_bundle))

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return await arun(self._answer(query_bundle))

    def _answer(self, query: QueryBundle) -> Flow[RESPONSE_TYPE]:
        found = yield from self._found(query)
        question = decompose(query.query_str, as_of=asked_of(found, self._as_of, clock=self._clock))
        found = without_later_entries(found, as_of=question.as_of, date_field=self._date_field)
        best_first = _best_first(found)
        pieces = shown_to_model(best_first or found, date_field=self._date_field)
        nodes = {node.node.node_id: node for node in found}
        rounds = _SynthesizerRounds(self._synthesizer, query, nodes, self._per_document, as_they_came=bool(best_first))
        source = _ranked(
            split_known(pieces, as_of=question.as_of)[0],
            found,
            k=self._k,
            candidates=self._candidates,
            reranker=self._reranker,
            cost=Cost(searches=1),
        )
        loop = AnswerLoop(rounds, self._estimator, self._gate, self._per_document)
        answer, run_ = yield from loop.answer(question, source=source)
        best = run_.output or Response(response=None)
        metadata = {**(best.metadata or {}), METADATA_KEY: answer.model_dump(mode="json")}
        return Response(
            response=answer.spoken(nothing=self._abstention), source_nodes=list(best.source_nodes), metadata=metadata
        )

    def _found(self, query: QueryBundle) -> Flow[list[NodeWithScore]]:
        if not is_given(self._as_of):
            return (yield from call(self._retriever.retrieve, query))
        moment = asking_moment(self._as_of, clock=self._clock)
        return (yield from call_as_of(moment, self._retriever.retrieve, query))


@dataclass(frozen=True, slots=True)
class _SynthesizerRounds:
    """Reads rounds with a synthesizer.

    Attributes:
        as_they_came: whether the chosen nodes are read in their first order, or the best first.
    """

    synthesizer: BaseSynthesizer
    query: QueryBundle
    nodes: Mapping[str, NodeWithScore]
    per_document: bool
    as_they_came: bool

    def read_round(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[list[ReadRun]]:
        groups = [(piece,) for piece in evidence] if self.per_document else [tuple(evidence)]
        return (yield from together(self._read(group, question.as_of) for group in groups))

    def _read(self, pieces: tuple[Evidence, ...], as_of: datetime) -> Flow[ReadRun]:
        chosen = [piece.id for piece in pieces]
        if self.as_they_came:
            chosen = [id for id in self.nodes if id in chosen]
        nodes = [self.nodes[id] for id in chosen]
        made = yield from call_as_of(as_of, self.synthesizer.synthesize, self.query, nodes)
        response = yield from call_as_of(as_of, _whole, made)
        answer = _said(response)
        reading = Reading(
            answer=answer,
            evidence_ids=tuple(piece.id for piece in pieces) if answer else (),
            announced=announced_in((response.metadata or {}).get(METADATA_KEY)),
        )
        return ReadRun(pieces, reading, output=response)


class _Retrieving(BaseRetriever):
    """An engine's own way to its nodes, postprocessors included."""

    def __init__(self, engine: RetrieverQueryEngine) -> None:
        super().__init__()
        self._engine = engine

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._engine.retrieve(query_bundle)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await self._engine.aretrieve(query_bundle)


def _best_first(found: Sequence[NodeWithScore]) -> list[NodeWithScore]:
    """Return nodes by their scores, where dates put them in order.

    Empty where these did not: other postprocessors put the best first, and some leave the scores as they were.
    """
    dated = all(AGE in node.node.metadata or scored_by_search(node) for node in found)
    if not dated or any(node.score is None for node in found):
        return []
    return sorted(found, key=lambda node: node.score or 0.0, reverse=True)


def _ranked(pieces: Sequence[Evidence], found: Sequence[NodeWithScore], **options: Any) -> RankedSource:
    """Take pieces with their nodes' scores, or by their order without."""
    scores = {node.node.node_id: node.score for node in found}
    known = [score for piece in pieces if (score := scores[piece.id]) is not None]
    if len(known) < len(pieces):
        return RankedSource.in_order(pieces, **options)
    scored = [RankedEvidence(evidence=piece, score=max(0.0, score)) for piece, score in zip(pieces, known, strict=True)]
    return RankedSource(scored, **options)


def _said(response: Response) -> str:
    held = answer_held(response.metadata)
    # A record counts before the words, which may mark a guess or be a sentence of the app's for none.
    text = (response.response or "").strip() if held is None else inert(held, limit=MAX_SHOWN)
    return "" if said_nothing(text) else text


def _whole(response: RESPONSE_TYPE) -> Response:
    """Return a whole response; a streamed one is read to its end."""
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
