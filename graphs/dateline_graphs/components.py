"""Live components of the answer graph, made from options."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, get_args

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel

from dateline import BadInput, Cost
from dateline.certainty import AnswerReranker, Gate, MarginEstimator, Rescorer, SecondReadingEstimator
from dateline.errors import check_choice
from dateline.evidence import FreshPrompt, Sizes
from dateline.evidence.prepare import RANKED
from dateline.made_once import made_once as once
from dateline.protocols import Decomposed, Decomposer, Estimator, Judge, Ranker, Reader, Search
from dateline.ranking import HybridRanker
from dateline.reading import ChatDecomposer, ChatJudge, ChatReader, RuleJudge, local_reader
from dateline.reading.reading_ranker import read_first
from dateline.reading.rewriting import ChatRewriter, Rewriter, RuleRewriter
from dateline.reading.strategies import reader_for
from dateline.search import SerpApiSearch, shared_folder_search
from dateline.temporal.as_of import Clock, now
from dateline.temporal.decomposition import decompose
from dateline.text import default_embeddings
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_graphs.kit import made_once
from dateline_graphs.models import chat_model
from dateline_graphs.options import AnswerOptions, UpdaterName

if TYPE_CHECKING:
    from dateline.facts import FactStore, Policy, Updater


class RuleDecomposer:
    """Decomposer by rules alone; `dateline.reading.ChatDecomposer` asks a chat model."""

    def decompose(self, text: str, *, as_of: datetime) -> Decomposed:
        """Take `text` apart as of a moment."""
        return Decomposed(decompose(text, as_of=as_of), by="rules", reason="No chat model is at hand.", cost=Cost())

    async def adecompose(self, text: str, *, as_of: datetime) -> Decomposed:
        """Decompose asynchronously."""
        return self.decompose(text, as_of=as_of)


@dataclass(frozen=True)
class Components:
    """Everything the nodes work with; replace any of it with `dataclasses.replace`.

    Attributes:
        search: where evidence comes from.
        ranker: orders evidence by its fit to the question.
        reader: answers from evidence.
        estimator: says how certain the answer is.
        gate: adopts, asks for another retrieval, or abstains.
        decomposer: takes the question apart.
        rewriter: makes the question stand alone where a chat came before it.
        sizes: how many pieces of each kind stay in the pool that is ranked.
        updater: lets a fact store learn from adopted evidence; `None`: none is kept.
        judge: decides whether evidence bears out what a question takes for granted; `None`: that is not checked.
        clock: what "now" means where the asking date is left out.
        k: how many pieces the reader sees at a time.
        candidates: how many further pieces each search brings.
        per_document: whether each piece is read alone, and the most reliable answer taken (GrowOVER, equation 1).
        reranker: chooses the evidence of a further round.
    """

    search: Search
    ranker: Ranker
    reader: Reader
    estimator: Estimator
    gate: Gate
    decomposer: Decomposer = field(default_factory=RuleDecomposer)
    rewriter: Rewriter = field(default_factory=RuleRewriter)
    sizes: Sizes = RANKED
    updater: Updater | None = None
    judge: Judge | None = None
    clock: Clock = now
    k: int = 5
    candidates: int = 20
    per_document: bool = False
    reranker: AnswerReranker = field(default_factory=Rescorer)


def default_components(*, search: Search, options: AnswerOptions, embeddings: Embeddings | None = None) -> Components:
    """Make the components that options describe around a search of your own.

    Without a model among the options they need no key and no network.

    Raises:
        BadInput: where `search` is no search of dateline's; else as `components_for` does.
        MissingExtra: as `components_for` does.
    """
    if not isinstance(search, Search):
        raise BadInput(
            f"{type(search).__name__} is no search of dateline; put a retriever into dateline.search.RetrieverSearch."
        )
    embeddings = embeddings or shared_embeddings()
    components = _local(search, options=options, embeddings=embeddings)
    if options.model:
        components = _with_model(components, options=options)
    else:
        reader = reader_for(options.strategy, reader=components.reader, passages=options.k)
        components = replace(components, reader=reader)
    if options.facts:
        # Last, so that nothing is left on disk when another option is refused.
        updater = updater_for(
            options.updater,
            model=options.model,
            policy=options.policy(),
            store=lambda: options.open_facts(embeddings=embeddings),
        )
        components = replace(components, updater=updater)
    return components


def _local(search: Search, *, options: AnswerOptions, embeddings: Embeddings) -> Components:
    reader = local_reader(options.reader)
    return Components(
        search=search,
        ranker=read_first(HybridRanker(embeddings=embeddings), reader=reader),
        reader=reader,
        estimator=MarginEstimator(reader=reader, ranked=True),
        gate=gate_for(options),
        per_document=options.per_document,
        judge=RuleJudge() if options.check_premise else None,
        k=options.k,
        candidates=options.candidates,
    )


def _with_model(components: Components, *, options: AnswerOptions) -> Components:
    model = chat_model(options.model)
    prompt = FreshPrompt(budget=options.token_budget, check_premise=options.check_premise)
    reader: Reader = ChatReader(model, prompt=prompt, scout=components.reader)
    if options.strategy != "fresh_prompt":
        reader = reader_for(options.strategy, model=model, passages=options.k, budget=options.token_budget)
    return replace(
        components,
        reader=reader,
        estimator=SecondReadingEstimator(reader=components.reader),
        judge=ChatJudge(model) if options.check_premise else None,
        decomposer=ChatDecomposer(model),
        rewriter=ChatRewriter(model),
    )


def gate_for(options: AnswerOptions) -> Gate:
    """Make the gate with the options' rounds, budgets and abstention."""
    return Gate(
        max_rounds=options.max_rounds,
        abstain_below=options.abstain_below if options.abstain else 0.0,
        max_outdated=options.max_outdated,
        max_model_calls=options.max_model_calls or None,
        max_tokens=options.max_tokens or None,
        max_seconds=options.max_seconds or None,
    )


@once(size=1)
def shared_embeddings() -> Embeddings:
    """Return the one cached object of the default embeddings."""
    encoder = default_embeddings()
    # Lexical vectors are made faster than they are looked up on disk.
    lexical = isinstance(encoder, LexicalEmbeddings)
    return RememberedEmbeddings(encoder if lexical else CachedEmbeddings(encoder, name=encoder.name))


@made_once(AnswerOptions)
def components_for(options: AnswerOptions) -> Components:
    """Make the components that options describe, once for each set.

    Raises:
        BadInput: for an unreadable folder, an unknown model or a missing key.
        MissingExtra: when a named part needs a package that is not installed.
    """
    return default_components(search=_search_for(options, embeddings=shared_embeddings()), options=options)


def updater_for(
    name: UpdaterName, *, model: str | BaseChatModel, policy: Policy, store: Callable[[], FactStore]
) -> Updater:
    """Make an updater by its name.

    The store is opened last, so that nothing is left on disk when another option is refused.

    Raises:
        BadInput: for an unknown name, or a chat updater without a model.
    """
    from dateline.facts import ChatUpdater, LocalUpdater

    check_choice(name, name="updater", choices=get_args(UpdaterName))
    if name == "local":
        return LocalUpdater(store(), policy=policy)
    if not model:
        raise BadInput("The chat updater needs a model; set model, for instance to openai:gpt-4o-mini.")
    chosen = chat_model(model)
    return ChatUpdater(store(), chosen, policy=policy)


def _search_for(options: AnswerOptions, *, embeddings: Embeddings) -> Search:
    if options.search == "serpapi":
        key = os.environ.get("SERPAPI_API_KEY", "")
        if not key:
            raise BadInput("SERPAPI_API_KEY is not set; set it to your key, or search your own documents with docs.")
        return SerpApiSearch(api_key=key)
    if not options.docs:
        raise BadInput(
            "No documents are given; set docs in context= to a folder of dated documents, or search to serpapi; a resumed run "
            "needs its context again."
        )
    return shared_folder_search(
        options.docs, name=options.docs_name, trust_sources=options.trust_sources, embeddings=embeddings
    )
