"""Even out the inputs of linear layers before they are quantised to 8 bits while the model runs (SmoothQuant, Xiao et al., 2023).

A transformer's activations have a few channels that are far larger than the others; one scale for all of them leaves the
others next to nothing. So each input channel is divided by a factor, and the layer's weights are multiplied by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn

STRENGTH = 0.85
"""How much of the unevenness moves from the activations to the weights (SmoothQuant's alpha)."""
_LEAST = 1e-5


class SmoothedLinear(nn.Module):
    """The same function as `linear`, its input divided by `factors`, shape (inputs,), and its weights multiplied."""

    def __init__(self, linear: nn.Linear, factors: Tensor) -> None:
        super().__init__()
        self.inverse = nn.Parameter(1 / factors, requires_grad=False)
        self.weight = nn.Parameter(linear.weight.detach() * factors, requires_grad=False)
        self.bias = linear.bias

    def forward(self, given: Tensor) -> Tensor:
        return nn.functional.linear(given * self.inverse, self.weight, self.bias)


def smooth(module: nn.Module, *, examples: Iterable[tuple[Tensor, ...]]) -> None:
    """Replace every linear layer in `module`, by what comes into it when it is called with `examples`."""
    largest: dict[str, Tensor] = {}

    def watch(name: str) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
        def hook(_: nn.Module, given: tuple[Tensor, ...]) -> None:
            seen = given[0].detach().abs().reshape(-1, given[0].shape[-1]).amax(dim=0)
            largest[name] = torch.maximum(largest[name], seen) if name in largest else seen

        return hook

    layers = {name: layer for name, layer in module.named_modules() if isinstance(layer, nn.Linear)}
    hooks = [layer.register_forward_pre_hook(watch(name)) for name, layer in layers.items()]
    with torch.no_grad():
        for example in examples:
            module(*example)
    for hook in hooks:
        hook.remove()
    for name, layer in layers.items():
        if name in largest:
            parent, _, last = name.rpartition(".")
            weights = layer.weight.detach().abs().amax(dim=0).clamp(min=_LEAST)
            factors = (largest[name].clamp(min=_LEAST) ** STRENGTH / weights ** (1 - STRENGTH)).clamp(min=_LEAST)
            setattr(module.get_submodule(parent), last, SmoothedLinear(layer, factors))
