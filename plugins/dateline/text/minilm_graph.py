"""The ONNX graph of all-MiniLM-L6-v2, built from weights without torch.

The architecture is BERT's (Devlin et al., 2019): embeddings, six post-norm layers of self-attention and
a feed-forward network with the exact GELU, then the mean over the tokens (Reimers and Gurevych, 2019),
scaled to length 1. onnxruntime's fused operators ("com.microsoft") do each step in one pass over memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.errors import require

LAYERS = 6
HEADS = 12
EPSILON = 1e-12
"""The model's config.json: num_hidden_layers, num_attention_heads, layer_norm_eps."""

_FUSED = "com.microsoft"


def build_graph(weights: Path) -> bytes:
    """Return the model as ONNX bytes.

    It maps `ids`, `mask` (batch, tokens; int32) to `vectors` (batch, 384).

    Raises:
        MissingExtra: without the packages onnx and safetensors.
    """
    graph = _Graph(weights)
    hidden = graph.embed()
    for layer in range(LAYERS):
        hidden = graph.encode(hidden, layer=layer)
    graph.pool(hidden)
    return graph.serialize()


class _Graph:
    """Nodes and weights of the model as they come together."""

    def __init__(self, weights: Path) -> None:
        self._onnx: Any = require("onnx", package="onnx", extra="embeddings")
        tensors = require("safetensors.numpy", package="safetensors", extra="embeddings")
        self._tensors: dict[str, NDArray[np.float32]] = tensors.load_file(weights)
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def embed(self) -> str:
        """Return words and positions.

        Every token is of the first segment, whose vector joins the positions'.
        """
        prefix = "embeddings."
        segment = self._tensors[f"{prefix}token_type_embeddings.weight"]
        positions = self._tensors[f"{prefix}position_embeddings.weight"] + segment[0]
        return self._node(
            "EmbedLayerNormalization",
            "ids",
            "",
            self._constant("words", self._tensors[f"{prefix}word_embeddings.weight"]),
            self._constant("positions", positions),
            "",
            *self._norm(f"{prefix}LayerNorm"),
            fused=True,
            outputs=2,
            epsilon=EPSILON,
        )

    def encode(self, hidden: str, *, layer: int) -> str:
        """Return one layer: attention, add and norm, feed-forward, add and norm."""
        prefix = f"encoder.layer.{layer}."
        roles = [f"{prefix}attention.self.{role}" for role in ("query", "key", "value")]
        attended = self._node(
            "Attention",
            hidden,
            self._constant(f"{prefix}qkv", np.concatenate([self._tensors[f"{r}.weight"].T for r in roles], axis=1)),
            self._constant(f"{prefix}qkv.bias", np.concatenate([self._tensors[f"{role}.bias"] for role in roles])),
            "mask",
            fused=True,
            num_heads=HEADS,
        )
        hidden = self._add_and_norm(attended, hidden, prefix=f"{prefix}attention.output")
        wide = self._node("MatMul", hidden, self._matrix(f"{prefix}intermediate.dense"))
        wide = self._node("BiasGelu", wide, self._bias(f"{prefix}intermediate.dense"), fused=True)
        return self._add_and_norm(wide, hidden, prefix=f"{prefix}output")

    def pool(self, hidden: str) -> None:
        """Return the mean over the tokens, scaled to length 1."""
        axis = self._constant("token_axis", np.array([1], dtype=np.int64))
        last = self._constant("last_axis", np.array([-1], dtype=np.int64))
        floor = self._constant("floor", np.array(1e-9, dtype=np.float32))
        weights = self._node("Cast", "mask", to=self._onnx.TensorProto.FLOAT)
        weights = self._node("Unsqueeze", weights, last)
        total = self._node("ReduceSum", self._node("Mul", hidden, weights), axis, keepdims=0)
        mean = self._node("Div", total, self._node("ReduceSum", weights, axis, keepdims=0))
        length = self._node("Max", self._node("ReduceL2", mean, last, keepdims=1), floor)
        self._node("Div", mean, length, name="vectors")

    def serialize(self) -> bytes:
        """Return the checked model as bytes."""
        helper, kinds = self._onnx.helper, self._onnx.TensorProto
        shape = ["batch", "tokens"]
        graph = helper.make_graph(
            self._nodes,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info(name, kinds.INT32, shape) for name in ("ids", "mask")],
            [helper.make_tensor_value_info("vectors", kinds.FLOAT, ["batch", 384])],
            initializer=self._constants,
        )
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid(_FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="dateline")
        data: bytes = model.SerializeToString()
        return data

    def _add_and_norm(self, inner: str, outer: str, *, prefix: str) -> str:
        projected = self._node("MatMul", inner, self._matrix(f"{prefix}.dense"))
        norm = self._norm(f"{prefix}.LayerNorm")
        bias = self._bias(f"{prefix}.dense")
        return self._node("SkipLayerNormalization", projected, outer, *norm, bias, fused=True, epsilon=EPSILON)

    def _norm(self, name: str) -> tuple[str, str]:
        gain, shift = f"{name}.weight", f"{name}.bias"
        return self._constant(gain, self._tensors[gain]), self._constant(shift, self._tensors[shift])

    def _matrix(self, name: str) -> str:
        return self._constant(f"{name}.weight", self._tensors[f"{name}.weight"].T)

    def _bias(self, name: str) -> str:
        return self._constant(f"{name}.bias", self._tensors[f"{name}.bias"])

    def _constant(self, name: str, value: NDArray[Any]) -> str:
        self._constants.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _node(
        self, kind: str, *inputs: str, name: str | None = None, fused: bool = False, outputs: int = 1, **attributes: Any
    ) -> str:
        first = name or f"step{len(self._nodes)}"
        names = [first, *(f"{first}.{number}" for number in range(1, outputs))]
        domain = _FUSED if fused else ""
        self._nodes.append(self._onnx.helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return first
