"""Transformers NLI models as judges, such as RoBERTa on MultiNLI (extra "transformers")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dateline.errors import BadInput, check_least, require
from dateline.protocols import Verdict

_NAMES: Mapping[str, Verdict] = {"entail": "supports", "contradict": "contradicts", "neutral": "neither"}


class NliJudge:
    """Sequence classifier over three classes; implements the `Judge` protocol.

    Which output is which class is read from the model's own `id2label`: published models differ in it.

    Args:
        model: a name or folder that transformers can load; nothing is downloaded where it is offline.
        batch: pairs a forward pass, at least 1.
        max_tokens: of a pair; longer ones are cut.

    Raises:
        BadInput: for a model whose labels name no entailment, contradiction and neutral, or a `batch` below 1.
        MissingExtra: without the extra "transformers".
    """

    def __init__(self, model: str, *, batch: int = 32, max_tokens: int = 256) -> None:
        check_least(1, batch=batch)
        transformers = require("transformers", package="transformers", extra="transformers")
        self._torch = require("torch", package="torch", extra="transformers")
        self.name = model
        self._batch, self._max_tokens = batch, max_tokens
        self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(model)
        self._model: Any = transformers.AutoModelForSequenceClassification.from_pretrained(model).train(False)
        self._verdicts = verdicts_of(self._model.config.id2label)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        """Return a verdict for each (premise, hypothesis)."""
        verdicts: list[Verdict] = []
        for start in range(0, len(pairs), self._batch):
            premises, hypotheses = zip(*pairs[start : start + self._batch], strict=True)
            given = self._tokenizer(
                list(premises),
                list(hypotheses),
                split_special_tokens=True,
                padding=True,
                truncation=True,
                max_length=self._max_tokens,
                return_tensors="pt",
            )
            with self._torch.inference_mode():
                best = self._model(**given).logits.argmax(dim=-1).tolist()
            verdicts += [self._verdicts[index] for index in best]
        return verdicts


def verdicts_of(id2label: Mapping[Any, str]) -> tuple[Verdict, ...]:
    """Return each output's verdict; raise `BadInput` for labels other than NLI's."""
    ordered = [str(id2label[key]) for key in sorted(id2label, key=int)]
    found = [verdict for label in ordered for start, verdict in _NAMES.items() if start in label.lower()]
    if len(found) != len(ordered) or set(found) != set(_NAMES.values()):
        raise BadInput(
            f"The model's labels are {', '.join(ordered)}; give an NLI model whose config names entailment, contradiction "
            "and neutral."
        )
    return tuple(found)
