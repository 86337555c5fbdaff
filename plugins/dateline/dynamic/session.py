"""Incremental encoding of one text in a model's key-value cache."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dateline.dynamic.answer import FloatArray
from dateline.dynamic.attention import LastLayer
from dateline.dynamic.sampling import Chooser

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class TokenStep:
    """The outcome of one forward pass.

    Attributes:
        token: the chosen next token.
        entropy: of the distribution it was chosen from, in nats (equation 1).
        probability: of the chosen token.
        row: the newest fed token's attention over everything so far, heads averaged, shape (fed tokens,);
            empty where nobody watches.
        likeliest: the likeliest tokens with their log-probabilities, as many as the session shows.
    """

    token: int
    entropy: float
    probability: float
    row: FloatArray
    likeliest: tuple[tuple[int, float], ...] = ()


class TokenSession:
    """A model and its cache; `fed` holds the tokens encoded so far.

    The cache keeps all keys, even where a layer uses a sliding window: a window that forgets cannot go back.

    Attributes:
        chooser: draws the next token.
        shown: how many of the likeliest tokens each step shows.
    """

    def __init__(self, model: Any, *, watch: LastLayer | None, chooser: Chooser) -> None:
        from transformers import DynamicCache

        self._model, self._watch = model, watch
        self.chooser, self.shown = chooser, 0
        self._cache: Any = DynamicCache()
        # What transformers called `past_key_values` has a new name in its later versions.
        named = inspect.signature(model.forward).parameters
        self._cache_name = "cache" if "cache" in named else "past_key_values"
        self.fed: list[int] = []
        self.passes = 0
        self.encoded = 0

    def feed(self, token: int) -> TokenStep:
        """Feed one token and return the next step."""
        return self._forward([token])

    def set(self, tokens: Sequence[int]) -> TokenStep:
        """Make `tokens` the text, reusing the cached common prefix.

        At least the last token is fed (again), since what comes next depends on it.
        """
        shared = 0
        for old, new in zip(self.fed, tokens[:-1], strict=False):
            if old != new:
                break
            shared += 1
        self.crop(shared)
        rest = list(tokens[shared:])
        self.encoded += len(rest)
        return self._forward(rest)

    def crop(self, length: int) -> None:
        """Forget everything after the first `length` tokens."""
        if (surplus := len(self.fed) - length) > 0:
            self._cache.crop(-surplus)
            del self.fed[length:]

    def alone(self, tokens: Sequence[int]) -> FloatArray:
        """Return the last layer's attention over `tokens` alone.

        This is a separate forward pass; the text stays as it is.

        Returns:
            An array of shape (heads, tokens, tokens).
        """
        import torch

        assert self._watch is not None
        self.passes += 1
        self.encoded += len(tokens)
        with torch.inference_mode(), self._watch.watching("all"):
            self._model(input_ids=self._tensor(tokens), use_cache=False, logits_to_keep=1)
            weights: FloatArray = self._watch.weights()[0].float().cpu().numpy()
        return weights

    def _forward(self, tokens: list[int]) -> TokenStep:
        import torch

        self.passes += 1
        with torch.inference_mode():
            if self._watch is None:
                return self._step(self._logits(tokens), tokens)
            with self._watch.watching():
                return self._step(self._logits(tokens), tokens, self._watch.weights()[0, :, -1].float().mean(dim=0))

    def _logits(self, tokens: list[int]) -> torch.Tensor:
        given = {"input_ids": self._tensor(tokens), self._cache_name: self._cache, "use_cache": True}
        logits: torch.Tensor = self._model(**given, logits_to_keep=1).logits
        return logits[0, -1].float()

    def _tensor(self, tokens: Sequence[int]) -> torch.Tensor:
        import torch

        return torch.tensor([list(tokens)], device=self._model.device)

    def _step(self, logits: torch.Tensor, tokens: list[int], row: torch.Tensor | None = None) -> TokenStep:
        import torch

        self.fed += tokens
        chosen = self.chooser.choose(logits)
        log_p = torch.log_softmax(logits, dim=-1)
        p = log_p.exp()
        # Where a probability is 0 its logarithm is minus infinity, and their product counts as 0.
        entropy = -(p * log_p.clamp_min(torch.finfo(log_p.dtype).min)).sum()
        figures = torch.stack([entropy, p[chosen]])
        both = (figures if row is None else torch.cat([figures, row])).cpu().numpy()  # one wait for the device
        likeliest = log_p.topk(min(self.shown, len(log_p))) if self.shown else ((), ())
        shown = tuple((int(token), float(log)) for log, token in zip(*likeliest, strict=True))
        return TokenStep(int(chosen), max(0.0, float(both[0])), float(both[1]), both[2:], shown)
