"""How fast the ranking is: sentences embedded a second, the temporal score of 1,000 sentences, one search.

    python benchmarks/ranking.py [--passages 2000]

The passages are made up, so no data set is needed.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np

from dateline.ranking import HybridRanker, PassageIndex
from dateline.ranking.hybrid import temporal_scores
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.text import default_embeddings

OFFICES = ("harbour master", "librarian", "head gardener", "town clerk", "choir leader")
PLACES = ("Westhaven", "Oldbrook", "Marlow Hill", "Saint Aubin", "Ferncliff", "Rivermouth")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=2000)
    options = parser.parse_args()
    embeddings = default_embeddings()
    evidence = [passage(number) for number in range(options.passages)]

    started = time.perf_counter()
    index = PassageIndex.build(evidence, embeddings=embeddings)
    spent = time.perf_counter() - started
    texts = len(index.passages.sentences) + len(evidence)
    print(f"index of {len(evidence)} passages with {embeddings.name}: {spent:.1f} s, {texts / spent:.0f} texts/s")

    question = decompose("Who was the harbour master of Westhaven in 1950?", as_of=datetime(2024, 1, 1, tzinfo=UTC))
    ranker = HybridRanker(embeddings=embeddings)
    sentences = np.arange(min(1000, len(index.passages.sentences)))
    sentence = index.passages.sentences[0]
    temporal = milliseconds(
        lambda: temporal_scores(question, timeline=index.passages.timeline, sentences=sentences, scorer=ranker.temporal)
    )
    print(f"temporal score of {len(sentences)} sentences: {temporal:.2f} ms")
    print(f"embedding of one sentence: {milliseconds(lambda: embeddings.embed_query(sentence)):.2f} ms")
    print(f"one search: {milliseconds(lambda: index.search(question, 10)):.1f} ms")


def passage(number: int) -> Evidence:
    place, office = PLACES[number % len(PLACES)], OFFICES[number // len(PLACES) % len(OFFICES)]
    first = 1850 + number * 7 % 160
    text = (
        f"Officer {number} was {office} of {place} from {first} to {first + 6}. "
        f"In {first + 2} a storm damaged the roof. The repairs were paid for by the parish."
    )
    return Evidence.make(text, title=f"{place} {office} {number // 30}")


def milliseconds(action: Callable[[], object], *, times: int = 25) -> float:
    """The median over some runs after a first one."""
    action()
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        action()
        spent.append(time.perf_counter() - started)
    return 1000 * statistics.median(spent)


if __name__ == "__main__":
    main()
