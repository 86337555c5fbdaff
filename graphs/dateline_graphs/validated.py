"""Records behind the JSON of a state, validated once."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic_core import to_json

from dateline.latest import Latest
from dateline.records import Record

_Kind = TypeVar("_Kind", bound=Record)

KEPT = 4_096
"""Records that are remembered: those of about thirty runs, 10 MB. Chosen by hand."""


class Validated:
    """Memory of records by their JSON, the latest ones.

    Each node of a graph reads its records back from JSON, mostly those that the one before it wrote. JSON that was
    changed in between is another one, and validated.

    Example:
        >>> from dateline import Evidence
        >>> piece = Evidence.make("Bo Lind chairs Borth Council.")
        >>> kept = Validated()
        >>> kept.add(piece, piece.model_dump(mode="json"))
        >>> kept.read(Evidence, piece.model_dump(mode="json")) is piece
        True
    """

    def __init__(self) -> None:
        self._records = Latest[tuple[type[Record], bytes], Record](size=KEPT)

    def add(self, record: Record, value: Any) -> None:
        """Remember a record by the JSON that it was written as."""
        key = _key(type(record), value)
        if key is not None:
            self._records.put(key, record)

    def read(self, kind: type[_Kind], value: Any) -> _Kind:
        """Return the record of a JSON value."""
        key = _key(kind, value)
        known = None if key is None else self._records.get(key)
        if isinstance(known, kind):
            return known
        record = kind.model_validate(value)
        if key is not None:
            self._records.put(key, record)
        return record


def _key(kind: type[Record], value: Any) -> tuple[type[Record], bytes] | None:
    try:
        return kind, to_json(value)
    except ValueError:
        return None


VALIDATED = Validated()
"""Records of all graphs of the process."""
