"""What an import costs, and what each wrapper adds to the piece inside it.

    python benchmarks/wrappers.py [--json FILE] [--n 100] [--imports 7]

Imports: a fresh interpreter for each, processor seconds and wall-clock seconds, medians; beside them the bare framework
that the name needs. Wrappers: the call of the piece inside and that of the wrapper one after the other, many times, the
order swapped each time; the overhead is the median of the differences over the median of the piece alone.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from asof import Evidence, Interval
from asof.evaluation.judging import RuleJudge
from asof.evidence import FreshPrompt
from asof.evidence.stamp import stamp
from asof.facts import AddFact, Fact, FactStore
from asof.facts.index import ExactIndex
from asof.facts.memory import MemoryLedger
from asof.ranking import HybridRanker
from asof.reading import local_reader
from asof.search import FolderSearch
from asof.temporal.decomposition import decompose
from asof.text import default_embeddings
from asof.text.remembered import RememberedEmbeddings
from asof_graphs import AnswerOptions, answer_graph
from asof_graphs.parts import default_parts
from asof_graphs.tool import ask_as_of
from langchain_asof import (
    CostCallbackHandler,
    DateStamper,
    EvidenceRetriever,
    EvidenceTraceCallbackHandler,
    FactStoreRetriever,
    FreshEval,
    FreshnessCallbackHandler,
    FreshPromptTemplate,
    ReaderChatModel,
    ReaderRunnable,
    TemporalReranker,
    TemporalRetriever,
)
from llama_index.node_parser.asof import DateStamper as NodeStamper
from llama_index.postprocessor.asof import TemporalReranker as NodeReranker
from llama_index.response_synthesizers.asof import ReaderSynthesizer
from llama_index.retrievers.asof import FactStoreRetriever as NodeFactRetriever
from llama_index.retrievers.asof import TemporalRetriever as NodeRetriever

NAMES = {
    "asof": "",
    "asof.facts": "",
    "langchain_asof": "langchain_core.retrievers, langchain_core.language_models, langchain_core.prompts",
    "langchain_asof.middleware": "langchain.agents",
    "asof_graphs": "langgraph.graph",
    "llama_index.retrievers.asof": "llama_index.core",
    "llama_index.postprocessor.asof": "llama_index.core",
    "llama_index.node_parser.asof": "llama_index.core",
    "llama_index.response_synthesizers.asof": "llama_index.core",
    "llama_index.callbacks.asof": "llama_index.core",
    "asof_cli": "",
    "asof_cli.main": "",
}
"""Each import name, and what of its framework it cannot do without."""

BAR = 0.10
NOW = datetime(2024, 6, 1, tzinfo=UTC)
QUESTION = "Who was the director of the observatory in 2010?"
PIECES = [
    Evidence.make(
        f"Person {year} became director of the observatory in {year}. The observatory stands on a hill above the town. "
        f"In {year - 3} its dome was painted, and visitors came by tram from the harbour.",
        title=f"Director {year}",
        published=Interval.of_year(year),
    )
    for year in range(1990, 2020)
]
NOTES = [Document(piece.text, metadata={"title": piece.title, "published": str(piece.published)}) for piece in PIECES]

Pair = tuple[Callable[[], Any], Callable[[], Any]]


class Fixed(BaseRetriever):
    """An instant retriever of somebody else's."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return NOTES


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--n", type=int, default=100)
    arguments.add_argument("--imports", type=int, default=7, help="interpreters a name; 0: leave imports out")
    given = arguments.parse_args()
    figures: dict[str, Any] = {"imports": {}, "n": given.n, "wrappers": {}}
    figures["machine"] = f"{platform.machine()}, Python {platform.python_version()}"
    for name in NAMES if given.imports else ():
        figures["imports"][name] = imported(name, runs=given.imports)
        print(name, figures["imports"][name], flush=True)
    for name, pair in pairs().items() if given.n else ():
        figures["wrappers"][name] = overhead(*pair, n=given.n)
        print(name, figures["wrappers"][name], flush=True)
    for name in BARE if given.n else ():
        figures["wrappers"][name] = overhead(*bare(name), n=given.n)
        print(name, figures["wrappers"][name], flush=True)
    missed = [name for name, each in figures["wrappers"].items() if each["overhead"] > BAR and name not in BARE]
    print("over the bar of 10 %:", ", ".join(missed) or "none")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


# -- imports ----------------------------------------------------------------------------------


def imported(name: str, *, runs: int) -> dict[str, float]:
    """Medians of fresh interpreters: the name, and the bare framework below it."""
    mine = _import_times(name, runs=runs)
    below = _import_times(NAMES[name], runs=runs) if NAMES[name] else (0.0, 0.0)
    return {"cpu_s": mine[0], "wall_s": mine[1], "framework_alone_cpu_s": below[0]}


@cache
def _import_times(names: str, *, runs: int) -> tuple[float, float]:
    code = (
        "import time; c, w = time.process_time(), time.perf_counter(); "
        f"import {names}; print(time.process_time() - c, time.perf_counter() - w)"
    )
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, capture_output=True)  # writes byte code, warms the disk
    said = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(runs)]
    cpu, wall = ([float(one[place]) for one in said] for place in (0, 1))
    return round(statistics.median(cpu), 3), round(statistics.median(wall), 3)


# -- wrappers ---------------------------------------------------------------------------------


def overhead(inside: Callable[[], Any], wrapper: Callable[[], Any], *, n: int) -> dict[str, float]:
    """Milliseconds of the piece alone, what the wrapper adds, and their ratio."""
    for _ in range(3):
        inside()
        wrapper()
    alone, added = [], []
    for number in range(n):
        first, second = (inside, wrapper) if number % 2 else (wrapper, inside)
        times = {first: _timed(first), second: 0.0}
        times[second] = _timed(second)
        alone.append(times[inside])
        added.append(times[wrapper] - times[inside])
    base, more = statistics.median(alone), statistics.median(added)
    return {
        "inside_ms": round(base, 3),
        "added_ms": round(more, 3),
        "overhead": round(more / base, 4) if base > 0.01 else 0.0,
    }


def _timed(call: Callable[[], Any]) -> float:
    # Processor time: what other programs on the machine do is not the wrapper's.
    started = time.process_time()
    call()
    return (time.process_time() - started) * 1000


def pairs() -> dict[str, Pair]:
    """For each wrapper: the piece inside, and the wrapper around the same piece with the same input."""
    embeddings = RememberedEmbeddings(default_embeddings())
    return {
        **_ranking(embeddings),
        **_searching(embeddings),
        **_reading(),
        **_prompts(),
        **_graphs(embeddings),
        **_llama_index(embeddings),
    }


def bare(name: str) -> Pair:
    """An instant piece, and nothing but the framework around it: what no wrapper can go below."""
    from llama_index.core.retrievers import BaseRetriever as NodeBase

    class Nodes(NodeBase):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return []

    made: dict[str, Callable[[], Any]] = {
        "langchain BaseRetriever, bare": lambda: langchain.invoke(QUESTION),
        "langchain RunnableLambda, bare": lambda: runnable.invoke(QUESTION),
        "llama_index BaseRetriever, bare": lambda: nodes.retrieve(QUESTION),
    }
    langchain, runnable, nodes = Fixed(), RunnableLambda(lambda given: given), Nodes()
    return (lambda: None), made[name]


BARE = ("langchain BaseRetriever, bare", "langchain RunnableLambda, bare", "llama_index BaseRetriever, bare")


def _ranking(embeddings: RememberedEmbeddings) -> dict[str, Pair]:
    ranker, reranker = HybridRanker(embeddings=embeddings), TemporalReranker(as_of=NOW, embeddings=embeddings)
    over = TemporalRetriever(inner=Fixed(), reranker=reranker)
    store = InMemoryVectorStore.from_documents(NOTES, embeddings)
    over_store = TemporalRetriever(inner=store, reranker=reranker)

    def ranked() -> Any:
        return ranker.rank(decompose(QUESTION, as_of=NOW), evidence=PIECES, k=len(PIECES))

    def found_and_ranked() -> Any:
        question = decompose(QUESTION, as_of=NOW)
        store.similarity_search(question.content, k=50)
        return ranker.rank(question, evidence=PIECES, k=len(PIECES))

    handlers: Any = [EvidenceTraceCallbackHandler(), FreshnessCallbackHandler(), CostCallbackHandler()]
    return {
        "langchain TemporalReranker": (ranked, lambda: reranker.compress_documents(NOTES, QUESTION)),
        "langchain TemporalRetriever over a retriever": (ranked, lambda: over.invoke(QUESTION)),
        "langchain TemporalRetriever over a vector store": (found_and_ranked, lambda: over_store.invoke(QUESTION)),
        "langchain callbacks, three together": (
            lambda: over.invoke(QUESTION),
            lambda: over.invoke(QUESTION, {"callbacks": handlers}),
        ),
    }


def _searching(embeddings: RememberedEmbeddings) -> dict[str, Pair]:
    search = FolderSearch(PIECES, embeddings=embeddings)
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings)
    for piece in PIECES:
        fact = Fact.make(piece.text)
        store.apply(piece.id, [AddFact(document=piece.id, when=piece.published, known_at=NOW, fact=fact)])
    evidence, facts = EvidenceRetriever(engine=search, as_of=NOW), FactStoreRetriever(store=store)
    nodes = NodeFactRetriever(store)
    return {
        "langchain EvidenceRetriever": (
            lambda: search.search(QUESTION, as_of=NOW, k=10),
            lambda: evidence.invoke(QUESTION),
        ),
        "langchain FactStoreRetriever": (lambda: store.search(QUESTION, k=10), lambda: facts.invoke(QUESTION)),
        "llama_index FactStoreRetriever": (lambda: store.search(QUESTION, k=10), lambda: nodes.retrieve(QUESTION)),
    }


def _reading() -> dict[str, Pair]:
    reader, few = local_reader(), PIECES[15:25]
    step, model = ReaderRunnable(reader=reader, as_of=NOW), ReaderChatModel(reader=reader, as_of=NOW)
    passages = "\n\n".join(f"date: {piece.published}\ntitle: {piece.title}\n{piece.text}" for piece in few)
    messages = [HumanMessage(f"Context:\n{passages}\n\nQuestion: {QUESTION}")]
    synthesizer = ReaderSynthesizer(reader=reader, as_of=NOW)
    nodes = _nodes(few)

    def read() -> Any:
        return reader.read(decompose(QUESTION, as_of=NOW), evidence=few)

    return {
        "langchain ReaderRunnable": (read, lambda: step.invoke({"question": QUESTION, "documents": NOTES[15:25]})),
        "langchain ReaderChatModel": (read, lambda: model.invoke(messages)),
        "llama_index ReaderSynthesizer": (read, lambda: synthesizer.synthesize(QUESTION, nodes=nodes)),
    }


def _prompts() -> dict[str, Pair]:
    prompt, template = FreshPrompt(), FreshPromptTemplate(as_of=NOW)
    judge, eval_ = RuleJudge("relaxed"), FreshEval()
    case: Any = {
        "question": QUESTION,
        "answer": "Person 2010 was, as the town's own records of the time say.",
        "golds": ["Person 2010"],
    }
    stamper = DateStamper()
    return {
        "langchain FreshPromptTemplate": (
            lambda: prompt.build(decompose(QUESTION, as_of=NOW), evidence=PIECES).messages(),
            lambda: template.invoke({"question": QUESTION, "evidence": PIECES}),
        ),
        "langchain FreshEval": (lambda: judge.judge(**case), lambda: eval_.invoke(case)),
        "langchain DateStamper": (
            lambda: [stamp(note.page_content, metadata=note.metadata).metadata() for note in NOTES],
            lambda: stamper.transform_documents(NOTES),
        ),
    }


def _graphs(embeddings: RememberedEmbeddings) -> dict[str, Pair]:
    search = FolderSearch(PIECES, embeddings=embeddings)
    parts = default_parts(search=search, options=AnswerOptions(), embeddings=embeddings)
    graph, tool = answer_graph(parts).compile(), ask_as_of(parts)
    asked = {"question": QUESTION, "as_of": "2024-06-01"}
    return {"asof_graphs ask_as_of": (lambda: graph.invoke(asked), lambda: tool.invoke(asked))}


def _llama_index(embeddings: RememberedEmbeddings) -> dict[str, Pair]:
    from llama_index.core.retrievers import BaseRetriever as NodeBase

    class FixedNodes(NodeBase):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return nodes

    nodes = _nodes(PIECES)
    ranker, reranker = HybridRanker(embeddings=embeddings), NodeReranker(as_of=NOW, embeddings=embeddings)
    over, stamper = NodeRetriever(FixedNodes(), reranker=reranker), NodeStamper()

    def ranked() -> Any:
        return ranker.rank(decompose(QUESTION, as_of=NOW), evidence=PIECES, k=len(PIECES))

    return {
        "llama_index TemporalReranker": (ranked, lambda: reranker.postprocess_nodes(nodes, query_str=QUESTION)),
        "llama_index TemporalRetriever": (ranked, lambda: over.retrieve(QUESTION)),
        "llama_index DateStamper": (
            lambda: [stamp(note.page_content, metadata=note.metadata).metadata() for note in NOTES],
            lambda: stamper([node.node for node in nodes]),
        ),
    }


def _nodes(pieces: list[Evidence]) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode(text=piece.text, metadata={"title": piece.title, "published": str(piece.published)})
        )
        for piece in pieces
    ]


if __name__ == "__main__":
    main()
