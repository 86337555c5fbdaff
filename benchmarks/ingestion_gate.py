"""Count the model calls of learning a second snapshot whole, and through the gate of sentence labels.

    python benchmarks/ingestion_gate.py [--documents 40] [--sentences 24] [--share 0.15 0.05 0.3] [--json FILE]

The model is scripted and reads the text that it is given (`updates_model.py`). In every document of the second snapshot
a sentence has moved, so that none is the same text as before (the store would not look at it at all); in the given
share of the documents two values have changed and one fact is new. Final facts are compared one by one.
"""

from __future__ import annotations

import argparse
import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from updates_model import RuleModel

from dateline.evolution import IngestionGate, SentenceLabeller
from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger
from dateline.reading import RuleJudge
from dateline.records import Cost, Evidence
from dateline.temporal.interval import Interval
from dateline.text.lexical import LexicalEmbeddings

NOW = datetime(2025, 1, 1, tzinfo=UTC)
KEEPERS = ("Ada Berg", "Bo Lind", "Carl Dahl", "Dora Moe", "Eva Ruud", "Finn Aas", "Gro Vik", "Hans Lie")


def snapshots(documents: int, *, sentences: int, share: float, seed: int) -> tuple[list[Evidence], list[Evidence]]:
    """Both versions of a corpus, one document a village."""
    rng = random.Random(seed)
    changed = set(rng.sample(range(documents), round(share * documents)))
    old, new = [], []
    for village in range(documents):
        keepers = [rng.choice(KEEPERS) for _ in range(sentences)]
        old.append(_document(village, keepers, year=2020))
        if village in changed:
            for place in rng.sample(range(sentences), 2):
                keepers[place] = rng.choice([one for one in KEEPERS if one != keepers[place]])
            keepers.append(rng.choice(KEEPERS))
        new.append(_document(village, keepers, year=2023, first=rng.randrange(1, sentences)))
    return old, new


def _document(village: int, keepers: list[str], *, year: int, first: int = 0) -> Evidence:
    lines = [f"The keeper of mill {mill} of village {village} is {keeper}." for mill, keeper in enumerate(keepers)]
    lines.insert(0, lines.pop(first))
    return Evidence.make(
        " ".join(lines), title=f"Village {village}", source=f"village-{village}.txt", published=Interval.of_year(year)
    )


def learn(old: list[Evidence], new: list[Evidence], *, gated: bool) -> tuple[Cost, dict[str, bool | None], str]:
    """The cost of the second snapshot, the truth of every fact after it, and what the gate says of itself."""
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    updater = ChatUpdater(store, RuleModel())
    updater.update(old, known_at=NOW)
    said = ""
    if gated:
        labeller = SentenceLabeller(embeddings=LexicalEmbeddings(), judge=RuleJudge())
        result = IngestionGate(updater, labeller=labeller).update(new, since=old, known_at=NOW)
        changes, said = result.changes, result.summary()
    else:
        changes = tuple(updater.update(new, known_at=NOW))
    found = store.at(NOW)
    true = {one.fact.text: True for one in found}
    return sum((one.cost for one in changes), Cost()), dict(true), said


def measure(share: float, *, documents: int, sentences: int, seed: int) -> dict[str, Any]:
    """Both ways on the same snapshots."""
    old, new = snapshots(documents, sentences=sentences, share=share, seed=seed)
    whole, facts, _ = learn(old, new, gated=False)
    stated = {f"{line.strip()}." for one in new for line in one.text.split(".") if line.strip()}
    gated, gated_facts, said = learn(old, new, gated=True)
    return {
        "calls_whole": whole.model_calls,
        "calls_gated": gated.model_calls,
        "share_of_calls": gated.model_calls / whole.model_calls,
        "share_of_input_tokens": gated.input_tokens / whole.input_tokens,
        "same_final_facts": facts == gated_facts,
        "facts": len(facts),
        "wrong_facts_whole": len(facts.keys() ^ stated),
        "wrong_facts_gated": len(gated_facts.keys() ^ stated),
        "gate": said,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--sentences", type=int, default=24)
    parser.add_argument("--share", type=float, nargs="+", default=[0.15, 0.05, 0.3])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    runs = {
        f"{share:g}": measure(share, documents=options.documents, sentences=options.sentences, seed=options.seed)
        for share in options.share
    }
    result = {**runs[f"{options.share[0]:g}"], "by_share_of_documents_changed": runs}
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
