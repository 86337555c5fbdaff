"""Read a shipped graph back into the float weights of its torch module.

    unpack(path, names) -> {name: weights}

What quantising rounded away stays lost; what was evened out between a layer's inputs and its weights (`smooth.py`) is undone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import torch
from torch import Tensor


def unpack(path: Path, *, names: Iterable[str]) -> dict[str, Tensor]:
    """Return the weights called `names`, those of a state dict of the module that `export` was given.

    Raises:
        KeyError: for a name that the graph has no weights of.
    """
    graph = onnx.load(path).graph
    stored = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    products = {_layer(node.name): _source(node.input[1]) for node in graph.node if node.op_type.startswith("MatMul")}
    return {name: torch.from_numpy(_weights(name, stored, products).copy()) for name in names}


def _weights(name: str, stored: dict[str, np.ndarray], products: dict[str, str]) -> np.ndarray:
    if name in stored:
        return stored[name]
    layer = name.removesuffix(".weight")
    if layer in products:
        return (_floats(products[layer], stored) * stored[f"{layer}.inverse"][:, None]).T
    return _floats(name, stored)


def _floats(source: str, stored: dict[str, np.ndarray]) -> np.ndarray:
    scale = stored[f"{source}_scale"]
    if f"{source}_small" in stored:
        return stored[f"{source}_small"].astype(np.float32) * scale
    zero = stored[f"{source}_zero_point"].astype(np.float32)
    return (stored[f"{source}_quantized"].astype(np.float32) - zero) * scale


def _layer(node: str) -> str:
    """The module whose product a node is: /a/b.0/c/MatMul_quant is a.b.0.c."""
    return re.sub(r"/(Gemm_)?MatMul(_quant)?$", "", node).strip("/").replace("/", ".")


def _source(weights: str) -> str:
    return weights.removesuffix("_quantized")
