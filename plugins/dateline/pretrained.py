"""Causal language models of transformers: where they lie, how they load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from dateline.errors import BadInput, require
from dateline.files import expanded
from dateline.made_once import made_once

GGUF = ".gguf"
"""Ending of llama.cpp's model files, which transformers turns back into ordinary weights."""


class Pretrained(NamedTuple):
    """A causal language model with its tokenizer.

    Example:
        >>> from dateline.testing import tiny_causal_model
        >>> Pretrained(*tiny_causal_model()).context_tokens
        2048
    """

    model: Any
    tokenizer: Any

    @property
    def context_tokens(self) -> int | None:
        """Length of the model's context, where its configuration tells it."""
        return context_tokens(self.model)

    @property
    def end_tokens(self) -> frozenset[int]:
        """Tokens that end an answer, of the model and the tokenizer."""
        return end_tokens(self.model, tokenizer=self.tokenizer)


def model_path(name: object) -> Path | None:
    """Return where a model's name points on this machine, else `None`.

    A folder counts, and so does a name that ends in .gguf: whether it is there is seen when it is loaded.

    Example:
        >>> model_path("openai:gpt-4o-mini"), model_path("models/small.gguf").name
        (None, 'small.gguf')
    """
    path = expanded(name) if isinstance(name, str | Path) and str(name) else None
    return path if path is not None and (path.suffix.lower() == GGUF or path.is_dir()) else None


def load_pretrained(name: str | Path, *, device: str = "cpu", dtype: str = "auto") -> Pretrained:
    """Load a model by folder, GGUF file or hub name.

    Folders hold what `save_pretrained` wrote, safetensors only. The weights of a GGUF file are dequantised, so that the
    model is an ordinary one. Nothing but a hub name needs a network.

    Raises:
        BadInput: when there is no such model, or not on this device.
        MissingExtra: without torch and transformers, for a GGUF file without gguf and accelerate.
    """
    require("torch", package="torch", extra="transformers")
    transformers = require("transformers", package="transformers", extra="transformers")
    path = model_path(name)
    source = str(path or name)
    given: dict[str, Any] = {"local_files_only": path is not None}
    if path is not None and path.suffix.lower() == GGUF:
        source, given = str(path.parent), {**given, "gguf_file": path.name}
        for package in ("gguf", "accelerate"):
            require(package, package=package, extra="gguf")
    try:
        with _without_bars(transformers.utils.logging):
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, **given)
            loader = transformers.AutoModelForCausalLM
            model = loader.from_pretrained(source, **given, dtype=dtype, use_safetensors="gguf_file" not in given)
    except (OSError, ValueError, KeyError) as cause:
        told = " ".join(str(cause).split())[:200] or type(cause).__name__
        raise BadInput(
            f"There is no causal language model at {name}: "
            f"give a folder that save_pretrained wrote, or a GGUF file ({told})."
        ) from cause
    if "gguf_file" in given:
        _forget_quantisation(model)
    try:
        model = model.to(device)
    except (RuntimeError, AssertionError) as cause:
        raise BadInput(
            f"The model cannot run on the device {device!r}; choose cpu, or cuda where torch has it."
        ) from cause
    return Pretrained(model.train(False), tokenizer)


@made_once(size=2)
def shared_pretrained(path: str) -> Pretrained:
    """Return the one loaded model of a folder or GGUF file."""
    return load_pretrained(path)


def context_tokens(model: Any) -> int | None:
    """Return a model's context length, where its configuration tells it."""
    config = getattr(model, "config", None)
    inner = getattr(config, "text_config", config)
    lengths = (getattr(inner, name, None) for name in ("max_position_embeddings", "n_positions", "max_seq_len"))
    return next((length for length in lengths if isinstance(length, int) and length > 0), None)


def end_tokens(model: Any, *, tokenizer: Any) -> frozenset[int]:
    """Return the end-of-answer tokens of a model and its tokenizer."""
    found: set[int] = set()
    for owner in (getattr(model, "generation_config", None), tokenizer):
        ids = getattr(owner, "eos_token_id", None)
        found |= {ids} if isinstance(ids, int) else set(ids or ())
    return frozenset(found)


def _forget_quantisation(model: Any) -> None:
    """Make a dequantised model an ordinary one, to save and move."""
    model.is_quantized, model.hf_quantizer = False, None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config


@contextmanager
def _without_bars(logging: Any) -> Iterator[None]:
    """Keep the loader from drawing over what a command shows."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()
