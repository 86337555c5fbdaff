"""How well a judge of what ends finds the ends in archives and fields that are left out in training.

measure(model, tokens)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from asked_changes import asked_changes
from changes import ARCHIVES, Change, changes
from half import half
from histories import FIELDS
from still_questions import HELD
from still_rows import inputs, row
from torch import nn

from dateline.certainty import auroc
from dateline.reading.encoding import TextTokens
from dateline.reading.verdicts import VERDICTS

LEFT_OUT = 6
"""Every sixth of the fields is left out."""


def measure(model: nn.Module, tokens: TextTokens) -> None:
    """Print how well the ends in archives and fields left out are found."""
    fields = asked_changes((FIELDS,), without=[name for name in _fields() if name not in left_out()])
    for name, pairs in {"archives": held_archives(), "fields": fields}.items():
        print(f"{name} left out: {_found(model, pairs, tokens)}", flush=True)


def left_out() -> list[str]:
    """The names of the fields to measure by."""
    return _fields()[LEFT_OUT - 1 :: LEFT_OUT]


def _fields() -> list[str]:
    return sorted(one.name for one in (FIELDS / "corpora").iterdir())


def held_archives() -> list[Change]:
    """Pairs of the archives left out."""
    others = [file.stem for file in (ARCHIVES / "archives").glob("*.json") if file.stem not in HELD]
    return changes(ARCHIVES / "archives", seed=0, without=others)


def _found(model: nn.Module, pairs: Sequence[Change], tokens: TextTokens) -> str:
    """AUROC of an end, and ends found where one in a hundred of the others would be, and two."""
    rows = [row(pair, tokens) for pair in dict.fromkeys(pairs) if pair.effect != "restates"]
    with torch.no_grad(), half():
        logits = np.concatenate([model(*inputs([one]))[0].float().numpy() for one in rows])
    no, yes, unsaid = (logits[:, VERDICTS.index(said)] for said in ("no", "yes", "unsaid"))
    worths = no - np.logaddexp(yes, unsaid)
    ends = np.array([one.verdict == VERDICTS.index("no") for one in rows])
    found = [float(np.mean(worths[ends] >= np.quantile(worths[~ends], 1 - share))) for share in (0.01, 0.02)]
    return (
        f"{len(ends)} pairs, {ends.sum()} ends, AUROC {100 * auroc(worths, correct=ends):.1f}, "
        f"found {100 * found[0]:.1f} and {100 * found[1]:.1f} %"
    )
