"""Identity of a chat model: all that decides how it replies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from langchain_core.runnables.base import RunnableBindingBase

from dateline.pretrained import model_path
from dateline.secrets import masked

_ADDRESSES = (
    "base_url",
    "openai_api_base",
    "api_base",
    "azure_endpoint",
    "anthropic_api_url",
    "endpoint_url",
    "endpoint",
)
"""Fields in which LangChain's packages keep a server's address."""


def model_identity(model: object) -> str:
    """Return a model's class, name, parameters and place as text.

    Keys are left out, so that a new key is the same model. A local model's place is its resolved folder or file.

    Example:
        >>> from langchain_core.language_models import FakeListChatModel
        >>> model = FakeListChatModel(responses=["7"])
        >>> model_identity(model) == model_identity(FakeListChatModel(responses=["7"]))
        True
        >>> model_identity(model) == model_identity(model.bind(temperature=1.0))
        False
    """
    return masked(json.dumps(_told(model), default=_plain, skipkeys=True))


def _told(model: object) -> list[Any]:
    if isinstance(model, RunnableBindingBase):
        return [*_told(model.bound), model.kwargs]
    name = getattr(model, "model_name", None) or getattr(model, "model", None)
    parameters = getattr(model, "_identifying_params", None)
    addresses = [getattr(model, field, None) for field in _ADDRESSES]
    return [
        type(model).__name__,
        name if isinstance(name, str) else "",
        dict(parameters) if isinstance(parameters, Mapping) else {},
        [str(each) for each in addresses if isinstance(each, str)],
        _folder(getattr(model, "model", None)),
    ]


def _folder(given: object) -> str:
    """Return where a local model lies, given by path or loaded."""
    loaded = given[0] if isinstance(given, tuple) and given else given
    path = model_path(getattr(loaded, "name_or_path", loaded))
    return "" if path is None else str(path.resolve())


def _plain(value: object) -> str:
    # What has no plain form may be written with its place in memory, which is another one in each process.
    return str(value) if isinstance(value, PurePath) else type(value).__name__
