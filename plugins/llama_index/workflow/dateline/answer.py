"""`AnswerWorkflow`: the answer job as a LlamaIndex workflow.

decompose -> search (one for each query, side by side) -> rank -> read -> gate -> read again, a bounded number of times
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from langchain_core.embeddings import Embeddings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.indices.base import BaseIndex
from llama_index.core.llms import LLM
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore
from llama_index.core.workflow import Context, StopEvent, Workflow, step

from dateline import Cost, Evidence, Question, RankedEvidence, SearchFailed, Step
from dateline.certainty import Gate, MarginEstimator, SecondReadingEstimator
from dateline.certainty.answer import NO_ANSWER, answer_of
from dateline.certainty.answering import (
    AnswerLoop,
    RankedSource,
    ReaderRounds,
    check_sizes,
    decide,
    decompose_step,
    gate_step,
    read_step,
)
from dateline.certainty.attempt import Attempt, earlier_runs, standing
from dateline.certainty.reranker import AnswerReranker, Rescorer
from dateline.documents import DateField
from dateline.documents.reading import unread_dates
from dateline.documents.rules import date_rules
from dateline.errors import BadInput
from dateline.evidence import prepare
from dateline.evidence.prepare import RANKED
from dateline.flow import arun
from dateline.options import checked_arguments
from dateline.protocols import Decomposer, Estimator, Reader, Search
from dateline.ranking.hybrid import HybridRanker
from dateline.reading import ChatReader, local_reader
from dateline.reading.reading_ranker import read_first
from dateline.search.over_fetch import tell_all_later
from dateline.search.sources import is_store
from dateline.secrets import without_secrets
from dateline.temporal.as_of import Clock, is_given, now, read_moment
from dateline.temporal.asking import asked_at, asking_moment
from dateline.temporal.decomposition import decompose, question_text
from dateline.text import default_embeddings
from dateline.text.memory_cache import RememberedEmbeddings
from llama_index.embeddings.dateline import as_embeddings
from llama_index.llms.dateline import as_chat_model
from llama_index.node_parser.dateline.parts import check_parts
from llama_index.postprocessor.dateline import TemporalReranker
from llama_index.postprocessor.dateline.nodes import shown_to_model, without_later_entries
from llama_index.retrievers.dateline import EvidenceRetriever, FactStoreRetriever, TemporalRetriever
from llama_index.workflow.dateline.events import Ask, Found, Read, ReadDone, SearchFor, StepTaken
from llama_index.workflow.dateline.outcome import response_of
from llama_index.workflow.dateline.packing import packed, unpacked


@checked_arguments
class AnswerWorkflow(Workflow):
    """A workflow that answers questions from your index, as of a date.

    `await AnswerWorkflow(index).run(question="Who is the mayor?", as_of="2020")` gives a LlamaIndex `Response`.

    Its source nodes are what was read, the best first; its metadata hold under "dateline" the answer, the question as it was
    understood, certainty, decision, freshness, evidence_ids, problems, steps and cost. What was published after the
    asking day is not read. Steps are streamed as `StepTaken` while they happen. Without an `llm` or reader of yours,
    dateline's local reader answers.

    Example:
        >>> import asyncio
        >>> from dateline import Evidence
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.testing import FixedSearch, ReadingEstimator
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> search = FixedSearch([Evidence.make("Ben Hall became director of Acme in 2021.")])
        >>> async def answer(question: str) -> str:
        ...     workflow = AnswerWorkflow(search, reader=ExtractiveReader(), embeddings=LexicalEmbeddings(),
        ...                               estimator=ReadingEstimator())
        ...     return str(await workflow.run(question=question, as_of="2024"))
        >>> asyncio.run(answer("Who is the director of Acme?"))
        'Ben Hall'
    """

    def __init__(
        self,
        source: BaseRetriever | BaseIndex[Any] | Search,
        *,
        llm: LLM | None = None,
        reader: Reader | None = None,
        embeddings: BaseEmbedding | Embeddings | None = None,
        estimator: Estimator | None = None,
        gate: Gate | None = None,
        reranker: AnswerReranker | None = None,
        decomposer: Decomposer | None = None,
        k: int = 5,
        candidates: int = 20,
        per_document: bool = False,
        abstention: str = NO_ANSWER,
        date_field: DateField = (),
        clock: Clock = now,
        timeout: float | None = 300.0,
        **kwargs: Any,
    ) -> None:
        """Take the parts.

        Args:
            source: your retriever or index, or any search of dateline's; a retriever decides how many nodes a query brings, a
                search or an index, or a plain retriever of a vector index, brings `k + candidates`.
            llm: a model of LlamaIndex's, asked with FreshPrompt.
            reader: a reader of dateline's in its place.
            embeddings: for ranking; by default dateline's local ones.
            estimator: how certain an answer is; by default what fits the local reader, and behind an `llm` or another
                reader a second reading by the local one.
            gate: when to adopt, read again or abstain.
            reranker: chooses the nodes of a further round; by default `rescore`.
            decomposer: by default rules; parts of a question that wait for one another's answers are searched as a whole.
            k: nodes read at a time; a further round reads them together with those before.
            candidates: how many more can be read in further rounds.
            per_document: read each node alone and take the most reliable answer (GrowOVER, equation 1).
            abstention: what is said where no answer is adopted; a guess that the gate keeps stands behind it, marked.
            date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
            clock: what "now" means.
            timeout, kwargs: go to LlamaIndex's own `Workflow`.

        Raises:
            BadInput: for a `k` below 1, `candidates` below 0, a part that is none, or a reader and an `llm` at once.
        """
        super().__init__(timeout=timeout, **kwargs)
        check_sizes(k, candidates)
        if reader is not None and llm is not None:
            raise BadInput("Give a reader or an llm, not both; the reader decides what is asked.")
        check_parts(reader=reader, estimator=estimator)
        encoder = RememberedEmbeddings(default_embeddings() if embeddings is None else as_embeddings(embeddings))
        self._date_field = date_rules(date_field)
        ranks = TemporalReranker(embeddings=encoder, date_field=self._date_field, clock=clock)
        self._source = _source(source, k=k + candidates, reranker=ranks)
        own = reader or local_reader()
        reads = own if llm is None else ChatReader(as_chat_model(llm), scout=own)
        local = reader is None and llm is None
        estimates = estimator or (MarginEstimator(reader=reads, ranked=True) if local else SecondReadingEstimator())
        self._loop = AnswerLoop(ReaderRounds(reads, per_document), estimates, gate or Gate(), per_document)
        self._reranker = reranker or Rescorer()
        self._ranker = read_first(HybridRanker(embeddings=encoder), reader=own)
        self._decomposer, self._k, self._candidates = decomposer, k, candidates
        self._abstention, self._clock = abstention, clock

    @step
    async def decompose(self, ctx: Context, ev: Ask) -> SearchFor | None:
        """Take the question apart."""
        started = time.perf_counter()
        ev.refuse_unknown()
        ahead = not is_given(ev.as_of) and _looks_ahead(self._source, clock=self._clock)
        own = self._source.as_of if isinstance(self._source, _Dated) and not ahead else None
        text, moment = question_text(ev.question), asking_moment(ev.as_of, own, clock=self._clock)
        if self._decomposer is None:
            question, cost = decompose(text, as_of=moment), Cost()
        else:
            taken = await self._decomposer.adecompose(text, as_of=moment)
            question, cost = taken.question, taken.cost
        whole = [question.content, *(part for part in question.sub_questions if "#" not in part)]
        queries = [*dict.fromkeys(whole)]
        for key, value in {
            "parsed": question.to_json(),
            "ahead": ahead,
            "choices": list(ev.choices),
            "queries": len(queries),
            "attempts": [],
            "steps": [],
        }.items():
            await ctx.store.set(key, value)
        await self._took(ctx, decompose_step(question, details={"queries": queries}, cost=cost), started)
        for query in queries:
            ctx.send_event(SearchFor(query=query))
        return None

    @step(num_workers=4)
    async def search(self, ctx: Context, ev: SearchFor) -> Found:
        """Run one query."""
        started = time.perf_counter()
        question = Question.from_json(await ctx.store.get("parsed"))
        nodes: list[NodeWithScore] = []
        problem = ""
        try:
            source = self._source
            if isinstance(source, _Dated) and not await ctx.store.get("ahead"):
                source = source.at(question.as_of)
            # One that ranks by the time in question has to be told it.
            whole = ev.query == question.content and isinstance(source, TemporalRetriever)
            # A retriever of theirs may hold one of ours, which is told the day by what it runs in.
            with asked_at(question.as_of, clock=lambda: question.as_of):
                nodes = await source.aretrieve(question.text if whole else ev.query)
        except SearchFailed as failure:
            problem = str(failure)
        except Exception as error:  # retrievers raise errors of their own kinds; the other queries go on
            problem = f"{type(self._source).__name__} failed with {type(error).__name__}: {without_secrets(str(error))}"
        told = f"failed: {problem}" if problem else f"found {len(nodes)} nodes"
        cost = Cost(searches=1, seconds=round(time.perf_counter() - started, 6))
        done = Step(name="search", summary=f"'{ev.query}' {told}", details={"query": ev.query}, cost=cost)
        ctx.write_event_to_stream(StepTaken(step=done))
        return Found(query=ev.query, nodes=packed(nodes), problem=problem, step=done)

    @step
    async def rank(self, ctx: Context, ev: Found) -> Read | None:
        """Rank what was known then, once each, by content and time."""
        found = ctx.collect_events(ev, [Found] * await ctx.store.get("queries"))
        if found is None:
            return None
        started = time.perf_counter()
        question = Question.from_json(await ctx.store.get("parsed"))
        await ctx.store.set(
            "steps", [*await ctx.store.get("steps"), *(one.step.model_dump(mode="json") for one in found)]
        )
        brought = [node for one in found for node in unpacked(one.nodes)]
        rules = self._date_field
        known = without_later_entries(brought, as_of=question.as_of, date_field=rules)
        nodes = {node.node.node_id: node for node in known}
        shown = shown_to_model(list(nodes.values()), date_field=rules)
        pool = prepare(shown, sizes=RANKED, as_of=question.as_of).evidence
        if not pool:
            tell_all_later(self._source, len(brought), as_of=question.as_of)
        ranked = await asyncio.to_thread(self._ranked, question, list(pool))
        await ctx.store.set("nodes", packed([nodes[one.evidence.id] for one in ranked]))
        await ctx.store.set("ranked", [one.model_dump(mode="json") for one in ranked])
        unread = unread_dates((node.node.metadata for node in nodes.values()), date_field=rules)
        await ctx.store.set("problems", [*(one.problem for one in found if one.problem), *unread])
        ids = [one.evidence.id for one in ranked[: self._k]]
        summary = f"kept {len(ranked)} of {sum(len(one.nodes) for one in found)} nodes"
        await self._took(ctx, Step(name="rank", summary=summary, details={"read": ids}), started)
        return Read(ids=ids)

    @step
    async def read(self, ctx: Context, ev: Read) -> ReadDone:
        """Answer from the chosen nodes, and estimate how certain that is."""
        started = time.perf_counter()
        question = Question.from_json(await ctx.store.get("parsed"))
        choices = await ctx.store.get("choices")
        pieces = {one.evidence.id: one.evidence for one in await self._pool(ctx)}
        attempts = await self._attempts(ctx)
        read = self._loop.round(
            question,
            evidence=[pieces[id] for id in ev.ids],
            choices=choices,
            earlier=earlier_runs(attempts, evidence=pieces),
        )
        attempt = (await arun(read)).attempt
        await self._took(ctx, read_step(attempt, name="read"), started)
        return ReadDone(attempt=attempt.model_dump(mode="json"))

    @step
    async def gate(self, ctx: Context, ev: ReadDone) -> Read | StopEvent:
        """Adopt the most certain answer so far, read other nodes, or abstain."""
        started = time.perf_counter()
        attempts = [*await self._attempts(ctx), Attempt.model_validate(ev.attempt)]
        await ctx.store.set("attempts", [one.model_dump(mode="json") for one in attempts])
        source = RankedSource(await self._pool(ctx), self._k, self._candidates, self._reranker)
        done = await self._steps(ctx)
        decision = decide(
            self._loop.gate,
            attempts,
            unread=bool(source.unread(attempts)),
            spent=sum((one.cost for one in done), Cost()),
            expected=done[-1].cost,
        )
        await self._took(ctx, gate_step(decision, attempts), started)
        question = Question.from_json(await ctx.store.get("parsed"))
        if decision.outcome == "retrieve":
            chosen = await arun(source.choose(question, attempts=attempts))
            return Read(ids=[one.evidence.id for one in chosen])
        answer = answer_of(
            question,
            attempts=attempts,
            decision=decision,
            evidence=[one.evidence for one in source.ranked],
            steps=await self._steps(ctx),
            problems=await ctx.store.get("problems"),
        )
        nodes = unpacked(await ctx.store.get("nodes"))
        shown = standing(attempts).shown
        return StopEvent(
            result=response_of(answer, shown=shown, ranked=source.ranked, nodes=nodes, nothing=self._abstention)
        )

    async def _attempts(self, ctx: Context) -> list[Attempt]:
        return [Attempt.model_validate(one) for one in await ctx.store.get("attempts")]

    async def _steps(self, ctx: Context) -> list[Step]:
        return [Step.model_validate(one) for one in await ctx.store.get("steps")]

    async def _pool(self, ctx: Context) -> list[RankedEvidence]:
        return [RankedEvidence.model_validate(one) for one in await ctx.store.get("ranked")]

    async def _took(self, ctx: Context, taken: Step, started: float) -> None:
        """Time a step, stream it and keep it."""
        cost = taken.cost.model_copy(update={"seconds": round(time.perf_counter() - started, 6)})
        taken = taken.model_copy(update={"cost": cost})
        ctx.write_event_to_stream(StepTaken(step=taken))
        await ctx.store.set("steps", [*await ctx.store.get("steps"), taken.model_dump(mode="json")])

    def _ranked(self, question: Question, pool: list[Evidence]) -> list[RankedEvidence]:
        return list(self._ranker.rank(question, evidence=pool, k=len(pool))) if pool else []


_Dated = (EvidenceRetriever, FactStoreRetriever, TemporalRetriever)
"""Retrievers that are told as of when they are asked."""


def _looks_ahead(source: BaseRetriever, *, clock: Clock) -> bool:
    """Return whether a retriever's own day is not over yet.

    Only facts can be asked for so; a question is asked now at the latest.
    """
    if not isinstance(source, FactStoreRetriever) or not is_given(source.as_of):
        return False
    return read_moment(source.as_of, clock=clock, future_ok=True) > clock()


def _source(source: BaseRetriever | BaseIndex[Any] | Search, *, k: int, reranker: TemporalReranker) -> BaseRetriever:
    if isinstance(source, BaseRetriever | BaseIndex) and is_store(source):
        return TemporalRetriever(source, k=k, reranker=reranker)
    if isinstance(source, BaseIndex):
        return source.as_retriever(similarity_top_k=k)
    if isinstance(source, BaseRetriever):
        return source
    if isinstance(source, Search):
        return EvidenceRetriever(source, k=k, order="search")
    raise BadInput(
        f"{type(source).__name__} finds nothing; pass a LlamaIndex retriever or index, or a search of dateline."
    )
