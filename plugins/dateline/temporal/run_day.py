"""The asking day that a run of LangChain or LangGraph carries."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from dateline.errors import BadInput
from dateline.temporal.as_of import AsOf, is_given

FIELD = "as_of"
"""The field of a config's `configurable`, of a chain's input and of a graph's state that holds the day."""
_BLOCK = "dateline_as_of"
"""The field of a config's `metadata` in which a block's day travels on: LangGraph drops `configurable` before a `thread_id`."""

Config = Mapping[str, Any]


def day_in(given: Any) -> AsOf:
    """Return the asking day of an input or of settings, as given.

    `None` where they name none.

    Raises:
        BadInput: for a misspelt `as_of`, which would mean now.
    """
    if not isinstance(given, Mapping):
        return None
    names = (name for name in given if isinstance(name, str) and name != FIELD)
    wrong = next((name for name in names if "".join(filter(str.isalpha, name)).lower() == "asof"), None)
    if wrong is not None:
        raise BadInput(f"The input holds {wrong!r}, which nothing reads; did you mean as_of?")
    day: AsOf = given.get(FIELD)
    return day


def day_of_run(config: Config | None) -> AsOf:
    """Return the asking day in a run's config.

    That of its `configurable`, else of the block in which it began.

    Raises:
        BadInput: as `day_in`.
    """
    told = config or {}
    day = day_in(told.get("configurable"))
    return day if is_given(day) else (told.get("metadata") or {}).get(_BLOCK)


def without_day(config: Any) -> Any:
    """Return a config whose `configurable` names no day."""
    told = (config or {}).get("configurable") or {}
    if FIELD not in told:
        return config
    return {**config, "configurable": {name: value for name, value in told.items() if name != FIELD}}


def config_with(config: Any, day: str) -> Any:
    """Return a config of a block's day."""
    told = without_day(config) or {}
    return {**told, "metadata": {**(told.get("metadata") or {}), _BLOCK: day}}


def run_config() -> Any:
    """Return the config that runs beginning here inherit."""
    return None if (ambient := _ambient()) is None else ambient.get()


def set_run_config(config: Any) -> None:
    """Let runs that begin in this context inherit a config."""
    if (ambient := _ambient()) is not None:
        ambient.set(config)


def _ambient() -> ContextVar[Any] | None:
    """Return LangChain's own variable, where a program has imported LangChain.

    No other program waits for its import.
    """
    return getattr(sys.modules.get("langchain_core.runnables.config"), "var_child_runnable_config", None)
