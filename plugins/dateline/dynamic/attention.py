"""Attention weights of a model's last layer only (DRAGIN, equation 2).

transformers gives attentions of all layers or none, and under sdpa and flash attention none at all. Here the last
attention layer alone is told to run through `_watched`, which calls the model's own implementation and beside it
computes softmax(q k^T) for the rows that are wanted, from the queries and keys that the layer itself prepared: rotary
embeddings, norms, grouped heads, scaling, soft caps, windows and masks are the family's own.
"""

from __future__ import annotations

import copy
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dateline.errors import BadInput, require

if TYPE_CHECKING:
    import torch

Rows = Literal["last", "all"]
"""The newest token's weights only, or those of every token that is fed."""

_NAME = "dateline_watched"
_registering = threading.Lock()


@dataclass
class _Recorder(threading.local):
    """Per-thread recording state."""

    rows: Rows | None = None
    weights: torch.Tensor | None = None


_recorder = _Recorder()


class LastLayer:
    """The last attention layer of a model, recordable on demand.

    Weights are recorded only inside `watching()` and only for the thread that entered it.
    """

    def __init__(self, model: Any) -> None:
        """Find the layer.

        Raises:
            BadInput: when the model has none that goes through transformers' attention interface.
        """
        self.module = _last_attention(model)
        _register()
        self._lock = threading.Lock()
        self._watchers = 0
        self._own = self.module.config
        self._watched = _with_implementation(self._own)

    @contextmanager
    def watching(self, rows: Rows = "last") -> Iterator[None]:
        """Record the layer's weights during forward passes, for `weights()` to return."""
        with self._lock:
            self._watchers += 1
            self.module.config = self._watched
        _recorder.rows, _recorder.weights = rows, None
        try:
            yield
        finally:
            _recorder.rows = None
            with self._lock:
                self._watchers -= 1
                if not self._watchers:
                    self.module.config = self._own

    def weights(self) -> torch.Tensor:
        """Return the weights of this thread's last forward pass.

        Returns:
            A tensor of shape (batch, heads, rows, keys).

        Raises:
            BadInput: when the layer did not show any.
        """
        if _recorder.weights is None:
            raise BadInput(_unwatchable(self.module))
        return _recorder.weights


def _last_attention(model: Any) -> Any:
    found = [
        (module.layer_idx, number, module)
        for number, module in enumerate(model.modules())
        if isinstance(getattr(module, "layer_idx", None), int)
        and "attention" in type(module).__name__.lower()
        and hasattr(getattr(module, "config", None), "_attn_implementation")
        and not getattr(module, "is_cross_attention", False)
    ]
    if not found:
        raise BadInput(_unwatchable(model))
    return max(found, key=lambda each: each[:2])[2]


def _unwatchable(module: Any) -> str:
    return (
        f"{type(module).__name__} shows no attention weights; pass a causal language model of transformers whose layers "
        "use its attention interface (Llama, Qwen, Mistral, Gemma, GPT-2, ...), or a trigger and a query without attention."
    )


def _with_implementation(config: Any) -> Any:
    """Copy a layer's configuration, routing its attention through `_watched`."""
    changed = copy.copy(config)
    field = "_attn_implementation_internal" if hasattr(config, "_attn_implementation_internal") else None
    changed._dateline_inner = config._attn_implementation
    setattr(changed, field or "_attn_implementation", _NAME)
    return changed


def _register() -> None:
    utils: Any = require("transformers.modeling_utils", package="transformers", extra="transformers")
    with _registering:
        if _NAME not in utils.ALL_ATTENTION_FUNCTIONS:
            utils.ALL_ATTENTION_FUNCTIONS.register(_NAME, _watched)


def _watched(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **options: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Run the model's own attention and record its weights on request."""
    inner = _inner(module)
    output, weights = inner(module, query, key, value, attention_mask, **options)
    if _recorder.rows is not None:
        if weights is None:
            rows = 1 if _recorder.rows == "last" else query.shape[2]
            weights = _weights(module, query[:, :, -rows:], key, attention_mask, options)
        elif _recorder.rows == "last":
            weights = weights[:, :, -1:]
        _recorder.weights = weights
    return output, weights


def _inner(module: Any) -> Callable[..., tuple[torch.Tensor, torch.Tensor | None]]:
    # Another thread may have put the layer's own configuration back since the layer looked its attention up.
    name = getattr(module.config, "_dateline_inner", module.config._attn_implementation)
    eager = getattr(sys.modules[type(module).__module__], "eager_attention_forward", None)
    utils: Any = sys.modules["transformers.modeling_utils"]
    inner = utils.ALL_ATTENTION_FUNCTIONS.get(name, eager)
    if inner is None:
        raise BadInput(_unwatchable(module))
    return inner  # type: ignore[no-any-return]


def _weights(module: Any, query: torch.Tensor, key: torch.Tensor, mask: Any, options: dict[str, Any]) -> torch.Tensor:
    """Compute softmax(mask(q k^T * scaling)) of the last rows.

    Returns:
        A float32 tensor of shape (batch, heads, rows, keys).
    """
    import torch

    batch, heads, rows, size = query.shape
    groups = key.shape[1]
    scaling = options.get("scaling")
    scale = size**-0.5 if scaling is None else scaling
    # Heads that share their keys are multiplied with them together, not with copies.
    grouped = query.reshape(batch, groups, heads // groups * rows, size)
    logits = (grouped @ key.transpose(2, 3)).reshape(batch, heads, rows, key.shape[2]).float() * scale
    if (cap := options.get("softcap")) is not None:
        logits = torch.tanh(logits / cap) * cap
    logits = _masked(logits, mask, window=options.get("sliding_window"))
    if (sinks := options.get("s_aux")) is not None:
        column = sinks.reshape(1, -1, 1, 1).expand(batch, -1, rows, -1).float()
        return torch.softmax(torch.cat([logits, column], dim=-1), dim=-1)[..., :-1]
    return torch.softmax(logits, dim=-1)


def _masked(logits: torch.Tensor, mask: Any, *, window: int | None) -> torch.Tensor:
    """Mask logits where a row must not attend."""
    import torch

    rows, keys = logits.shape[-2:]
    if isinstance(mask, torch.Tensor) and mask.dim() == 4:
        mask = mask[:, :, -rows:, :keys]
        return logits.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else logits + mask.float()
    if isinstance(mask, torch.Tensor) and mask.dim() == 2:  # flash attention: which keys are no padding
        logits = logits.masked_fill(~mask[:, None, None, -keys:].bool(), float("-inf"))
    elif mask is not None:
        raise BadInput(f"A mask of type {type(mask).__name__} cannot be followed; load the model with sdpa or eager.")
    own = torch.arange(keys - rows, keys, device=logits.device)[:, None]
    others = torch.arange(keys, device=logits.device)[None, :]
    hidden = others > own
    if window is not None:
        hidden = hidden | (others <= own - window)
    return logits.masked_fill(hidden, float("-inf"))
