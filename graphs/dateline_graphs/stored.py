"""Runs read back from what `dateline ask --json` and `dateline generate --json` printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from dateline import BadInput
from dateline.dynamic import Generation
from dateline_graphs.report import REPORT_VERSION, AnswerReport

_Run = TypeVar("_Run", bound=BaseModel)
_FIX = "give what dateline ask --json or dateline generate --json printed"


def read_run(text: str, *, name: str = "The text") -> AnswerReport | Generation:
    """Read the run that a JSON text holds.

    One inside `{"report": ...}` or `{"generation": ...}`, as a graph leaves it, is found, too.

    Lone surrogates, which JSON can spell and no file can hold, become U+FFFD.

    Args:
        name: what the text is called in errors.

    Raises:
        BadInput: for what is no JSON, no run, or a report of another version.
    """
    try:
        value = _printable(json.loads(text))
    except (ValueError, RecursionError) as cause:
        raise BadInput(f"{name} is not JSON; {_FIX}.") from cause
    for field in ("report", "generation"):
        if isinstance(value, Mapping) and isinstance(value.get(field), Mapping):
            value = value[field]
    if isinstance(value, Mapping) and {"tokens", "retrievals"} <= value.keys():
        return _whole(Generation, value, name=name)
    if not isinstance(value, Mapping) or "version" not in value:
        raise BadInput(f"{name} holds no run; {_FIX}.")
    if value["version"] != REPORT_VERSION:
        raise BadInput(
            f"{name} is a report of version {str(value['version'])[:20]}, but this dateline reads version {REPORT_VERSION}; "
            "ask again, or use the dateline that wrote it."
        )
    return _whole(AnswerReport, value, name=name)


def _whole(kind: type[_Run], value: Mapping[str, Any], *, name: str) -> _Run:
    try:
        return kind.model_validate(value)
    except ValidationError as cause:
        first = cause.errors()[0]
        place = ".".join(map(str, first["loc"]))[:80]
        raise BadInput(f"{name} is not a whole run: {place}: {first['msg']}; run it again with --json.") from cause


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_printable(item) for item in value]
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    return value
