"""The judge of what ends upon a larger base, all-mpnet-base-v2: it teaches the small one (`told.py`).

It reads the windows of the small one, token for token: both vocabularies are BERT's, in another order.
"""

from __future__ import annotations

from pathlib import Path

import torch
from reader_model import base_model
from torch import Tensor, nn
from transformers import AutoModel

from dateline.protocols import ONSETS
from dateline.reading.temporal_tags import MARKS
from dateline.reading.verdicts import VERDICTS

SEGMENTS = 2
FRAME = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>", "[MASK]": "<mask>"}
"""Tokens of the small vocabulary that the large one calls otherwise."""
VOCABULARY = "vocab.txt"


class LargeStill(nn.Module):
    """As `StillModel`: (ids, mask, segments, marks) to (pairs, VERDICTS) and (pairs, ONSETS).

    Args:
        base: a folder that holds all-mpnet-base-v2 with its vocabulary.
        frozen: so many of its layers stay as they are, which saves their part of each step.
    """

    def __init__(self, base: Path, *, frozen: int = 0) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base, add_pooling_layer=False, local_files_only=True)
        for module in self.encoder.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        for layer in self.encoder.encoder.layer[:frozen]:
            layer.requires_grad_(False)
        width = self.encoder.config.hidden_size
        self.marks, self.segments = nn.Embedding(MARKS, width), nn.Embedding(SEGMENTS, width)
        for table in (self.marks, self.segments):
            nn.init.normal_(table.weight, std=0.02)
        self.verdicts, self.onsets = nn.Linear(width, len(VERDICTS)), nn.Linear(width, len(ONSETS))
        self.places: Tensor
        self.register_buffer("places", torch.tensor(_places(base)))

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor, marks: Tensor) -> tuple[Tensor, Tensor]:
        words = self.encoder.embeddings.word_embeddings(self.places[ids])
        embedded = words + self.marks(marks) + self.segments(segments)
        hidden = self.encoder(inputs_embeds=embedded, attention_mask=mask, return_dict=True).last_hidden_state[:, 0]
        return self.verdicts(hidden), self.onsets(hidden)


def _places(base: Path) -> list[int]:
    """Where each token of the small vocabulary stands in the large one."""
    large = {token: place for place, token in enumerate((base / VOCABULARY).read_text("utf-8").splitlines())}
    small = (base_model() / VOCABULARY).read_text("utf-8").splitlines()
    return [large[FRAME.get(token, token)] for token in small]
