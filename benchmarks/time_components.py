"""TimeQA with the time components that LangChain and LlamaIndex bring, on the same passages and embeddings.

    python benchmarks/time_components.py FOLDER [--limit N] [--json FILE]

Both look at a date in the metadata. The passages have none, so the latest year that a passage names is its date.
The first twenty passages by embeddings are reordered: by LlamaIndex's `FixedRecencyPostprocessor`, and by the score of
LangChain's `TimeWeightedVectorStoreRetriever` (cosine plus recency, its default rate of decay).
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from langchain_classic.retrievers import TimeWeightedVectorStoreRetriever
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core.postprocessor import FixedRecencyPostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline.ranking.bm25 import top
from dateline.ranking.index import PassageIndex
from dateline.ranking.passages import Passages
from dateline.temporal.constraint import Question
from dateline.temporal.interval import DAY, Interval, civil_from_days
from dateline.text.embeddings import embed
from dateline_bench.benchmarks import timeqa

DEPTH = max(timeqa.DEPTHS)
UNDATED = 1700
"""The year of a passage that names none; pandas, which the postprocessor sorts with, begins in 1678."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    corpus, questions = timeqa.load(options.folder, limit=options.limit)
    index = timeqa.build_index(corpus)
    components = Components(index)
    figures = {}
    for name, system in {
        "dateline": timeqa.ours(index),
        "embeddings": components.nearest,
        "llama_index_fixed_recency": components.fixed_recency,
        "langchain_time_weighted": components.time_weighted,
    }.items():
        figures[name] = timeqa.measure(system, corpus=corpus, questions=questions, stage=name)
        print(name, {metric: round(value, 1) for metric, value in figures[name].items() if "perturbed" in metric})
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


class Components:
    """The first passages by embeddings, reordered by each framework."""

    def __init__(self, index: PassageIndex) -> None:
        self._index = index
        self._dates = [datetime(year, 1, 1, tzinfo=UTC) for year in latest_years(index.passages)]
        self._recency = FixedRecencyPostprocessor(top_k=DEPTH, date_key="date")
        embeddings = index.ranker.embeddings
        self._weighted = TimeWeightedVectorStoreRetriever(vectorstore=InMemoryVectorStore(embeddings))

    def nearest(self, question: Question) -> list[int]:
        return [place for place, _ in self._nearest(question)]

    def fixed_recency(self, question: Question) -> list[int]:
        nodes = [
            NodeWithScore(
                node=TextNode(id_=str(place), text="", metadata={"date": self._dates[place].date().isoformat()}),
                score=cosine,
            )
            for place, cosine in self._nearest(question)
        ]
        ordered = self._recency.postprocess_nodes(nodes, query_bundle=QueryBundle(question.text))
        return [int(node.node.node_id) for node in ordered]

    def time_weighted(self, question: Question) -> list[int]:
        scores = {
            place: self._weighted._get_combined_score(
                Document("", metadata={"last_accessed_at": self._dates[place]}), cosine, question.as_of
            )
            for place, cosine in self._nearest(question)
        }
        return sorted(scores, key=lambda place: -scores[place])

    def _nearest(self, question: Question) -> list[tuple[int, float]]:
        vector = embed([question.text], embeddings=self._index.ranker.embeddings)[0]
        cosines = self._index.passages.passage_vectors @ vector
        return [(int(place), float(cosines[place])) for place in top(cosines, DEPTH)]


def latest_years(passages: Passages) -> list[int]:
    """The latest year that each passage names, never after that of the questions."""
    timeline = passages.timeline
    bounds = timeline.bounds[passages.bounds]
    found = []
    for start, end in pairwise(bounds):
        own = [timeline.intervals[place] for place in range(start, end) if not timeline.borrowed[place]]
        found.append(max([UNDATED, *(year for one in own if (year := last_year(one)) is not None)]))
    return found


def last_year(interval: Interval) -> int | None:
    moment = interval.start if interval.end is None else interval.end - 1
    return None if moment is None else min(civil_from_days(moment // DAY)[0], timeqa.AS_OF.year)


if __name__ == "__main__":
    main()
