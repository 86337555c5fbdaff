"""Token sampling: greedy, or drawn with a seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dateline.errors import BadInput

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sampling parameters; RIND always scores the untempered distribution.

    Attributes:
        temperature: above 0; the logits are divided by it.
        top_k: how many of the likeliest tokens stay in; 0 for all.
        top_p: the likeliest tokens that together reach this probability stay in; 1 for all.
        seed: two generations with one seed draw alike.

    Example:
        >>> Sampling(temperature=0.7, top_p=0.9, seed=1).top_k
        0
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise BadInput(
                f"temperature must be above 0, not {self.temperature}; leave sampling out for greedy decoding."
            )
        if self.top_k < 0:
            raise BadInput(f"top_k must be 0 (all) or more, not {self.top_k}.")
        if not 0 < self.top_p <= 1:
            raise BadInput(f"top_p must lie above 0 and be at most 1, not {self.top_p}.")


class Chooser:
    """Draws the tokens of one generation."""

    def __init__(self, sampling: Sampling | None, *, device: torch.device) -> None:
        import torch

        self.sampling = sampling
        self._random = torch.Generator(device=device)
        self._random.manual_seed(0 if sampling is None else sampling.seed)

    def choose(self, logits: torch.Tensor) -> torch.Tensor:
        """Return the next token, shape (), from logits of shape (vocabulary,)."""
        import torch

        if self.sampling is None:
            return logits.argmax()
        probabilities = torch.softmax(self._kept(logits / self.sampling.temperature), dim=-1)
        return torch.multinomial(probabilities, 1, generator=self._random)[0]

    def _kept(self, logits: torch.Tensor) -> torch.Tensor:
        assert self.sampling is not None
        if 0 < self.sampling.top_k < len(logits):
            least = logits.topk(self.sampling.top_k).values[-1]
            logits = logits.masked_fill(logits < least, float("-inf"))
        if self.sampling.top_p < 1:
            ordered, order = logits.sort(descending=True)
            shares = ordered.softmax(dim=-1)
            beyond = shares.cumsum(dim=-1) - shares >= self.sampling.top_p
            logits = logits.masked_fill(beyond.scatter(0, order, beyond), float("-inf"))
        return logits
