"""Reliability diagrams: accuracy against confidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dateline.errors import BadInput, require
from dateline_bench.certainty_training.assessment import Assessment

DIAGRAM = "dateline certainty report"
"""The creator that every diagram names."""


def reliability_figure(assessments: Mapping[str, Assessment], *, path: str | Path, title: str = "") -> Path:
    """Draw one panel for each named assessment; return the path.

    A bar is a bin, labelled with its count; the diagonal is the aim.

    The file's ending decides the format (.png, .svg, .pdf).

    Raises:
        BadInput: when there is no assessment.
        MissingExtra: without matplotlib.
    """
    if not assessments:
        raise BadInput("A reliability diagram needs at least one assessment.")
    require("matplotlib", package="matplotlib", extra="figures").use("Agg")
    pyplot = require("matplotlib.pyplot", package="matplotlib", extra="figures")
    count = len(assessments)
    figure, axes = pyplot.subplots(
        1, count, figsize=(4.5 * count, 4.2), sharey=True, squeeze=False, layout="constrained"
    )
    for panel, (name, found) in zip(axes[0], assessments.items(), strict=True):
        panel.plot([0, 1], [0, 1], linestyle="--", color="grey", linewidth=1)
        for one in found.diagram:
            panel.bar(one.lower, one.accuracy, width=one.upper - one.lower, align="edge", color="#4c78a8", alpha=0.75)
            panel.plot(one.confidence, one.accuracy, marker="o", color="black", markersize=4)
            panel.annotate(
                str(one.count), (one.lower + (one.upper - one.lower) / 2, 0.015), ha="center", fontsize=8, color="black"
            )
        panel.set_title(
            f"{name} (n = {found.n})\nECE {100 * found.ece:.1f}, AUROC {100 * found.auroc:.1f}", fontsize=10
        )
        panel.set_xlim(0, 1)
        panel.set_ylim(0, 1.02)
        panel.set_xlabel("p(reliable)")
    axes[0][0].set_ylabel("share right")
    figure.suptitle(title)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120, metadata={"Creator": DIAGRAM})
    pyplot.close(figure)
    return path
