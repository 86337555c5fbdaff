"""Turn a trained torch module into the int8 ONNX graph that ships, and state it in the manifest.

The module takes `ids`, `mask` and `segments` (or other inputs that are named), each (batch, tokens) of int64, and
returns one or more tensors.
Weights of every matrix product are quantised to 8 bits a channel and the embedding tables to 8 bits a table
(onnxruntime's dynamic quantisation); activations are quantised while it runs. With examples, what comes into each
layer is evened out first, and the layers named by `precise` keep their activations as floats: their weights are stored
in 8 bits as well, and multiplied out when the graph is loaded.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnx.numpy_helper
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from smooth import smooth

from dateline.reading.model_files import FOLDER, MANIFEST

INPUTS = ("ids", "mask", "segments")
OPSET = 17
MAX_BYTES = 30 * 10**6
"""What one graph may weigh in the package."""


def export(
    module: torch.nn.Module,
    *,
    name: str,
    outputs: Sequence[str],
    version: str,
    folder: Path = FOLDER,
    inputs: Sequence[str] = INPUTS,
    tokens: bool = False,
    examples: Sequence[tuple[torch.Tensor, ...]] = (),
    precise: str = "",
) -> Path:
    """Write `name`.onnx into `folder` and its hash, size and version into the manifest.

    Args:
        outputs: the names of the module's outputs, in their order.
        inputs: the names of its inputs, in their order; the first two are the tokens and the mask.
        examples: inputs from which the range of each layer's activations is learned.
        precise: a pattern for the names of the layers whose activations are not quantised; none where it is empty.
        tokens: whether the outputs have a token axis, (batch, tokens, ...), rather than (batch, ...).

    Raises:
        ValueError: when the graph is larger than `MAX_BYTES`.
    """
    module = module.eval().float().cpu()
    if examples:
        smooth(module, examples=examples)
    ids = torch.tensor([[101, 2023, 102], [101, 2003, 102]])
    example = (ids, torch.ones_like(ids), *(torch.zeros_like(ids) for _ in inputs[2:]))
    axes = {0: "batch", 1: "tokens"}
    named = dict.fromkeys(inputs, axes) | {key: axes if tokens else {0: "batch"} for key in outputs}
    with tempfile.TemporaryDirectory() as scratch:
        floats, ready, small = (str(Path(scratch) / f"{part}.onnx") for part in ("floats", "ready", "small"))
        torch.onnx.export(
            module,
            example,
            floats,
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=named,
            opset_version=OPSET,
            dynamo=False,
        )
        quant_pre_process(floats, ready, skip_symbolic_shape=True)
        # Seven bits of range: processors without VNNI add pairs of products in 16 bits, which would overflow with eight.
        kept = [node.name for node in onnx.load(ready).graph.node if precise and _is_product(node, precise)]
        quantize_dynamic(
            ready, small, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8, nodes_to_exclude=kept
        )
        model = onnx.load(small)
    _store_small(model.graph, kept)
    model.doc_string, model.producer_name = "", "dateline"
    data = model.SerializeToString(deterministic=True)
    if len(data) > MAX_BYTES:
        raise ValueError(f"The graph weighs {len(data)} bytes; at most {MAX_BYTES} may ship.")
    path = folder / f"{name}.onnx"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    state(path, version=version)
    return path


def _is_product(node: onnx.NodeProto, pattern: str) -> bool:
    return node.op_type == "MatMul" and re.search(pattern, node.name) is not None


def _store_small(graph: onnx.GraphProto, names: Sequence[str]) -> None:
    """Store the weights of these matrix products in 8 bits a column, with the nodes that make floats of them."""
    weights = {tensor.name: tensor for tensor in graph.initializer}
    for node in [node for node in graph.node if node.name in names]:
        name = node.input[1]
        values = onnx.numpy_helper.to_array(weights[name])
        scale = np.abs(values).max(axis=0) / 127
        small = np.round(values / scale).astype(np.int8)
        graph.initializer.remove(weights[name])
        graph.initializer.extend(
            [
                onnx.numpy_helper.from_array(small, f"{name}_small"),
                onnx.numpy_helper.from_array(scale.astype(np.float32), f"{name}_scale"),
            ]
        )
        made = [
            onnx.helper.make_node("Cast", [f"{name}_small"], [f"{name}_float"], to=onnx.TensorProto.FLOAT),
            onnx.helper.make_node("Mul", [f"{name}_float", f"{name}_scale"], [name]),
        ]
        for place, one in enumerate(made):
            graph.node.insert(place, one)


def state(path: Path, *, version: str) -> None:
    """Enter a file's hash, size and version into the manifest beside it."""
    manifest = path.with_name(MANIFEST)
    stated = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else {"files": {}}
    data = path.read_bytes()
    entry = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "version": version}
    stated["files"] = dict(sorted({**stated["files"], path.name: entry}.items()))
    manifest.write_text(json.dumps(stated, indent=2) + "\n", encoding="utf-8")
