"""A report read back from what `asof ask --json` printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from asof import BadInput
from asof_graphs.report import REPORT_VERSION, AnswerReport


def read_report(text: str, *, name: str = "The text") -> AnswerReport:
    """The report in a JSON text; one inside `{"report": ...}`, as the graph leaves it, is found too.

    Lone surrogates, which JSON can spell and no file can hold, become U+FFFD.

    Args:
        name: what the text is called in errors.

    Raises:
        BadInput: for what is no JSON, no report, or a report of another version.
    """
    try:
        value = _printable(json.loads(text))
    except (ValueError, RecursionError) as cause:
        raise BadInput(f"{name} is not JSON; give what asof ask --json printed.") from cause
    if isinstance(value, Mapping) and isinstance(value.get("report"), Mapping):
        value = value["report"]
    if not isinstance(value, Mapping) or "version" not in value:
        raise BadInput(f"{name} holds no report; give what asof ask --json printed.")
    if value["version"] != REPORT_VERSION:
        raise BadInput(
            f"{name} is a report of version {str(value['version'])[:20]}, but this asof reads version {REPORT_VERSION}; "
            "ask again, or use the asof that wrote it."
        )
    try:
        return AnswerReport.model_validate(value)
    except ValidationError as cause:
        first = cause.errors()[0]
        place = ".".join(map(str, first["loc"]))[:80]
        raise BadInput(f"{name} is not a whole report: {place}: {first['msg']}; ask again with --json.") from cause


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_printable(item) for item in value]
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    return value
