"""Count the model calls of an update, for documents around which 1, 10 and 100 facts are known.

    python benchmarks/updates.py [--related 1 10 100] [--documents 5] [--json FILE]

The model is scripted, so that nothing but the calls is measured. Each document changes every related fact, which is
the dearest case: facts stated, facts judged, facts rewritten. `fact_by_fact` are the passes as ERASE publishes them.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from updates_model import RuleModel

from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger
from dateline.facts.updating import UpdateMode
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.text.lexical import LexicalEmbeddings

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def document_of(topic: int, *, facts: int, keeper: str, year: int) -> Evidence:
    """A document that says who keeps each of a village's mills."""
    text = " ".join(f"The keeper of mill {mill} of village {topic} is {keeper}." for mill in range(facts))
    return Evidence.make(text, source="gazette", published=Interval.of_year(year))


def measure(related: int, *, documents: int, mode: UpdateMode) -> dict[str, float]:
    """Calls a document, each with a store of its own that holds so many related facts, all of which it changes."""
    found = []
    for topic in range(documents):
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        known = document_of(topic, facts=related, keeper="Ada Berg", year=2015)
        ChatUpdater(store, RuleModel(), piece_tokens=10_000).update([known], known_at=NOW)
        document = document_of(topic, facts=related, keeper="Bo Lind", year=2020)
        updater = ChatUpdater(store, RuleModel(), mode=mode, piece_tokens=10_000, related_tokens=10_000)
        (changes,) = updater.update([document], known_at=NOW)
        assert len(changes.made_false) == related, changes.skipped
        found.append(changes.cost)
    return {
        "max_model_calls": max(cost.model_calls for cost in found),
        "mean_model_calls": sum(cost.model_calls for cost in found) / documents,
        "mean_input_tokens": sum(cost.input_tokens for cost in found) / documents,
        "mean_output_tokens": sum(cost.output_tokens for cost in found) / documents,
        "mean_seconds": sum(cost.seconds for cost in found) / documents,
    }


def run(*, related: list[int], documents: int) -> dict[str, Any]:
    """Both modes on the same documents."""
    modes: tuple[UpdateMode, ...] = ("together", "fact_by_fact")
    found = {mode: {str(n): measure(n, documents=documents, mode=mode) for n in related} for mode in modes}
    calls = {mode: {n: figures["max_model_calls"] for n, figures in found[mode].items()} for mode in modes}
    return {
        "max_model_calls_per_document": max(calls["together"].values()),
        "max_model_calls_by_related_facts": calls["together"],
        "fact_by_fact_max_model_calls_by_related_facts": calls["fact_by_fact"],
        "documents": documents,
        "details": found,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--related", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--documents", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    result = run(related=options.related, documents=options.documents)
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
