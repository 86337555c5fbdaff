"""Half precision where the processor multiplies in it; elsewhere it takes four times as long as floats."""

from __future__ import annotations

import torch


def half(device: str = "cpu") -> torch.autocast:
    """Context in which a model calculates in bfloat16, if `device` can."""
    able = device != "cpu" or any(on and name.endswith("bf16") for name, on in torch.cpu.get_capabilities().items())
    return torch.autocast(device, dtype=torch.bfloat16, enabled=able)
