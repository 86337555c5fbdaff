"""The judge of what ends as a torch module, and how it learns."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from fitting import fit
from half import half
from reader_model import MASK, SpanReader, encoded
from still_rows import UNKNOWN, Row, inputs
from torch import Tensor, nn

from dateline.protocols import ONSETS

HIDDEN = 0.08
"""Share of the words that are masked."""
SMOOTHING = 0.02
ONSET = 0.5
"""What onsets count beside effects. Chosen by hand."""


class StillModel(nn.Module):
    """(ids, mask, segments, marks), each (pairs, tokens), to (pairs, VERDICTS) and (pairs, ONSETS)."""

    def __init__(self, reader: SpanReader) -> None:
        super().__init__()
        self.encoder, self.marks, self.verdicts = reader.encoder, reader.marks, reader.verdicts
        self.onsets = nn.Linear(self.encoder.config.hidden_size, len(ONSETS))

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor, marks: Tensor) -> tuple[Tensor, Tensor]:
        hidden = encoded(self.encoder, self.marks, ids, mask, segments, marks)[:, 0]
        return self.verdicts(hidden), self.onsets(hidden)


def train(model: nn.Module, plan: Sequence[Sequence[Row]], *, rate: float, head_rate: float) -> None:
    """Fit `model` to rows, its encoder at `rate`, all else at `head_rate`."""
    inner = [one for name, one in model.named_parameters() if name.startswith("encoder") and one.requires_grad]
    outer = [one for name, one in model.named_parameters() if not name.startswith("encoder")]
    fit(model, plan, loss=lambda rows: _loss(model, rows), groups=[(inner, rate), (outer, head_rate)])


def _loss(model: nn.Module, rows: Sequence[Row]) -> Tensor:
    """Cross entropy of verdicts and of onsets, where either is known, or told by a teacher."""
    ids, mask, *rest = inputs(rows)
    ids = ids.masked_fill((torch.rand(ids.shape) < HIDDEN) & (ids > MASK), MASK)
    with half():
        verdicts, onsets = model(ids, mask, *rest)
    right = torch.tensor([(row.verdict, row.onset) for row in rows])
    effect, onset = (
        nn.functional.cross_entropy(
            told.float(), known, ignore_index=UNKNOWN, reduction="sum", label_smoothing=smoothing
        )
        for told, known, smoothing in ((verdicts, right[:, 0], SMOOTHING), (onsets, right[:, 1], 0.0))
    )
    return (effect + ONSET * onset + taught(verdicts.float(), rows)) / len(rows)


def taught(verdicts: Tensor, rows: Sequence[Row]) -> Tensor:
    """Cross entropy with what a teacher tells."""
    asked = [place for place, row in enumerate(rows) if row.chances]
    told = torch.tensor([rows[place].chances for place in asked]).reshape(len(asked), verdicts.shape[1])
    return -(told * verdicts[asked].log_softmax(dim=1)).sum()
