"""Figure of temporal scores against dates (after MRAG, figure 7)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dateline.errors import BadInput, require
from dateline.temporal.constraint import Constraint, Ordinal, Relation
from dateline.temporal.interval import Interval
from dateline.temporal.scoring import Spans, TemporalScorer

_FIRST, _LAST = 1920, 2040
_PANELS: tuple[tuple[Ordinal, Relation], ...] = (
    ("last", "before"),
    ("last", "after"),
    ("last", "between"),
    ("first", "before"),
    ("first", "after"),
    ("first", "between"),
)


def panel_constraint(ordinal: Ordinal, relation: Relation) -> Constraint:
    """Return a panel's constraint: around 1981, or 1970 to 1990."""
    interval = Interval.of_years(1970, 1990) if relation == "between" else Interval.of_year(1981)
    return Constraint(relation, interval, ordinal)


def scores_figure(scorers: Sequence[TemporalScorer], path: Path) -> Path:
    """Draw each scorer's scores, 1920 to 2040; return `path`.

    Raises:
        BadInput: when there is no scorer.
        MissingExtra: without matplotlib.
    """
    if not scorers:
        raise BadInput("A figure needs at least one scorer, for example [MragScorer(), IntervalScorer()].")
    require("matplotlib", package="matplotlib", extra="figures").use("Agg")
    pyplot = require("matplotlib.pyplot", package="matplotlib", extra="figures")
    years = range(_FIRST, _LAST + 1)
    spans = Spans.of([Interval.of_year(year) for year in years])
    figure, axes = pyplot.subplots(2, 3, figsize=(12, 6), sharey=True, layout="constrained")
    for panel, (ordinal, relation) in zip(axes.flat, _PANELS, strict=True):
        constraint = panel_constraint(ordinal, relation)
        for scorer in scorers:
            panel.plot(list(years), scorer.score(constraint, spans), label=scorer.name)
        panel.set_title(f"{ordinal} – {relation} – {'1970–1990' if relation == 'between' else 1981}")
        panel.set_ylim(0, 1.05)
        panel.set_xlabel("date in the text")
    axes[0][0].set_ylabel("temporal score")
    axes[0][0].legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
    return path
