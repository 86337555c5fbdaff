"""Certainty from a language model's last hidden state (GrowOVER, section 4.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from dateline.certainty.rerank import most_reliable
from dateline.errors import BadInput, require
from dateline.files import make_folder, open_regular, write_whole
from dateline.flow import Flow, call, twins
from dateline.reading.causal_model import CausalModel, Floats
from dateline.reading.document_prompt import DocumentPrompt
from dateline.records import Certainty, CertaintyLabel, Evidence, Reading
from dateline.softmax import softmax
from dateline.temporal.constraint import Question

LABELS: tuple[CertaintyLabel, ...] = get_args(CertaintyLabel)
"""The order of the layer's outputs: reliable, misleading, uncertain."""

_FORMAT = "dateline certainty 1"
_ABOUT = frozenset({"model", "hidden_size", "fingerprint", "prompt"})
_KEY = "dateline"
"""Of the metadata: JSON with the format, the model's name, width and fingerprint, the labels and the prompt."""


@dataclass(frozen=True, slots=True)
class LinearHead:
    """A linear layer with softmax: weight (3, hidden size), bias (3,)."""

    weight: Floats
    bias: Floats

    def __post_init__(self) -> None:
        if self.weight.ndim != 2 or self.weight.shape[0] != len(LABELS) or self.bias.shape != (len(LABELS),):
            raise BadInput(
                f"A certainty layer has a weight of 3 x hidden size and 3 biases, not {self.weight.shape} "
                f"and {self.bias.shape}."
            )

    def probabilities(self, states: Floats) -> NDArray[np.float64]:
        """(n, hidden size) -> (n, 3)."""
        return softmax((states @ self.weight.T + self.bias).astype(np.float64)).astype(np.float64)


class HiddenStateEstimator:
    """Estimates certainty from the state before the answer's first token.

    Each piece that the reading stands on is judged alone, as it was read, and the most reliable one
    counts (eq. 1); the answer itself is not looked at. With the `CausalModel` and the prompt of a
    `TransformersReader` the state is that of the reading, and no second pass is made.

        estimator = HiddenStateEstimator.load("certainty.safetensors", model="path/of/the/model")
    """

    def __init__(self, model: CausalModel, *, head: LinearHead, prompt: DocumentPrompt | None = None) -> None:
        if head.weight.shape[1] != model.hidden_size:
            raise BadInput(
                f"This certainty layer is {head.weight.shape[1]} wide, the states of {model.name} are "
                f"{model.hidden_size}; use the model that it was trained on, or train another."
            )
        self.model, self.head, self.prompt = model, head, prompt or DocumentPrompt()

    @classmethod
    def load(cls, path: str | Path, *, model: CausalModel | str | Path) -> HiddenStateEstimator:
        """Load a file of `save` or of `dateline certainty train`.

        `model` is its model, or the path of it.

        Raises:
            BadInput: when the file is no such file, or was trained on other weights than `model` has.
            MissingExtra: without torch, transformers or safetensors.
        """
        head, about = _read(Path(path))
        model = model if isinstance(model, CausalModel) else CausalModel.load(model)
        if about["fingerprint"] != model.fingerprint:
            raise BadInput(
                f"{path} was trained on the states of {about['model']} ({about['hidden_size']} wide), and "
                f"{model.name} ({model.hidden_size} wide) has other weights; "
                "load that model, or train on this one: dateline certainty train."
            )
        return cls(model, head=head, prompt=DocumentPrompt.loads(about["prompt"]))

    def save(self, path: str | Path) -> None:
        """Write the layer as safetensors with its model's marks and prompt."""
        safetensors = require("safetensors.numpy", package="safetensors", extra="transformers")
        about = {
            "format": _FORMAT,
            "model": self.model.name,
            "hidden_size": str(self.model.hidden_size),
            "fingerprint": self.model.fingerprint,
            "labels": ",".join(LABELS),
            "prompt": self.prompt.dumps(),
        }
        make_folder(Path(path).parent)
        # One entry: several are written in any order, and the same training should give the same file.
        metadata = {_KEY: json.dumps(about, sort_keys=True)}
        tensors = {"weight": self.head.weight, "bias": self.head.bias}
        write_whole(Path(path), safetensors.save(tensors, metadata=metadata))

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the probabilities for the document with the most reliable state."""
        own = set(reading.evidence_ids)
        pieces = [piece for piece in evidence if piece.id in own] or list(evidence)
        prompts = [self.prompt.render(question, evidence=[piece], plain=self.model.plain) for piece in pieces]
        found = yield from call(self.judge, prompts or [self.prompt.render(question, plain=self.model.plain)])
        return found[most_reliable(found)]

    estimate, aestimate = twins(_estimate)

    def judge(self, prompts: Sequence[str]) -> list[Certainty]:
        """Return the certainty of each rendered prompt."""
        rows = self.head.probabilities(self.model.states(prompts))
        return [certainty_of(row) for row in rows]


def certainty_of(row: Sequence[float] | NDArray[np.float64]) -> Certainty:
    """Three probabilities in the order of `LABELS`, kept within 0 and 1."""
    reliable, misleading, uncertain = (min(1.0, max(0.0, float(value))) for value in row)
    return Certainty(reliable=reliable, misleading=misleading, uncertain=uncertain)


def _read(path: Path) -> tuple[LinearHead, dict[str, str]]:
    safetensors = require("safetensors", package="safetensors", extra="transformers")
    try:
        open_regular(path).close()  # a pipe would be waited for
        with safetensors.safe_open(str(path), framework="numpy") as file:
            about = json.loads((file.metadata() or {}).get(_KEY, "{}"))
            if about.get("format") != _FORMAT or about.get("labels") != ",".join(LABELS) or not set(about) >= _ABOUT:
                raise BadInput(f"{path} is no certainty layer of dateline; make one with: dateline certainty train.")
            return LinearHead(file.get_tensor("weight"), file.get_tensor("bias")), about
    except BadInput:
        raise
    except (OSError, ValueError, safetensors.SafetensorError) as cause:
        raise BadInput(f"{path} cannot be read as safetensors; make one with: dateline certainty train.") from cause
