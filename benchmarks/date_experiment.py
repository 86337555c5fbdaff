"""Score against the date in the text, for one question in several relations (after MRAG, appendix A).

    python benchmarks/date_experiment.py [--out docs/figures]

Draws `dates.png`: how MiniLM's cosine of the whole question, the paper's score and ours place the same sentence when
nothing but its year differs; and `scores.png`, the bare temporal scores for the six classes of MRAG's figure 7.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import matplotlib as mpl
import numpy as np

from dateline import Evidence
from dateline.ranking import HybridRanker
from dateline.temporal.decomposition import decompose
from dateline.temporal.scoring import IntervalScorer, MragScorer
from dateline.text.embeddings import embed
from dateline.text.encoder import MiniLMEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.score_figure import scores_figure

AS_OF = datetime(2024, 1, 1, tzinfo=UTC)
YEARS = range(1950, 1976)
RELATIONS = ("before 1962", "after 1962", "as of 1962", "in 1962", "around 1962", "between 1958 and 1966")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs" / "figures")
    out: Path = arguments.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    scores_figure([MragScorer(), IntervalScorer()], out / "scores.png")

    mpl.use("Agg")
    from matplotlib import pyplot

    embeddings = RememberedEmbeddings(MiniLMEmbeddings())
    texts = [f"Anna Berg became director of the Northern Observatory in May {year}." for year in YEARS]
    undated = "Anna Berg became director of the Northern Observatory."
    rankers = {
        "paper's score x MiniLM": HybridRanker(embeddings=embeddings, temporal=MragScorer()),
        "dateline": HybridRanker(embeddings=embeddings),
    }
    figure, axes = pyplot.subplots(2, 3, figsize=(12, 6.5), sharey=True, layout="constrained")
    for panel, relation in zip(axes.flat, RELATIONS, strict=True):
        question = f"Who was director of the Northern Observatory {relation}?"
        vectors = embed([question, *texts, undated], embeddings=embeddings)
        _draw(panel, "MiniLM, whole question", vectors[1:] @ vectors[0])
        asked = decompose(question, as_of=AS_OF)
        for name, ranker in rankers.items():
            # One sentence at a time: nothing but its own date speaks for it.
            alone = [ranker.rank(asked, evidence=[Evidence.make(text)], k=1)[0].score for text in [*texts, undated]]
            _draw(panel, name, np.array(alone))
        panel.set_title(relation)
        panel.set_xlabel("year in the text")
    axes[0][0].set_ylabel("score, highest = 1")
    axes[0][0].legend(fontsize=8)
    figure.savefig(out / "dates.png", dpi=110)


def _draw(panel: mpl.axes.Axes, name: str, scores: Sequence[float] | np.ndarray) -> None:
    """One line; the score of the undated sentence is the dotted one of the same colour."""
    scaled = np.asarray(scores) / max(scores)
    (line,) = panel.plot(list(YEARS), scaled[:-1], label=name)
    panel.axhline(scaled[-1], color=line.get_color(), linestyle=":", linewidth=1)


if __name__ == "__main__":
    main()
