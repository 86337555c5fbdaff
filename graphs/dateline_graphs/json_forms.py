"""JSON schemas of records as fields of a graph's state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, WithJsonSchema

Schema = dict[str, Any]


def json_form(record: type[BaseModel], *, told: str) -> WithJsonSchema:
    """Return the schema of a record's JSON, for an annotation.

    Args:
        told: what the field holds, in place of the record's own description.

    Example:
        >>> from dateline import Cost
        >>> sorted(json_form(Cost, told="What it cost.").json_schema["properties"])
        ['input_tokens', 'model_calls', 'output_tokens', 'searches', 'seconds']
    """
    return WithJsonSchema({**without_references(record.model_json_schema(mode="serialization")), "description": told})


def without_references(schema: Mapping[str, Any]) -> Schema:
    """Put definitions in the place of references to them.

    What refers to itself is any value there.
    """
    return {name: value for name, value in _filled(schema, schema.get("$defs", {}), ()).items() if name != "$defs"}


def fields_of(schema: Mapping[str, Any]) -> Schema:
    """Return the fields of an object, or of what may be one."""
    own: Schema = schema.get("properties", {})
    return own or {name: field for one in schema.get("anyOf", ()) for name, field in fields_of(one).items()}


def _filled(value: Any, definitions: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    if isinstance(value, list):
        return [_filled(one, definitions, within) for one in value]
    if not isinstance(value, Mapping):
        return value
    filled = {name: _filled(one, definitions, within) for name, one in value.items() if name not in ("$ref", "$defs")}
    if not isinstance(value.get("$ref"), str):
        return filled
    name = value["$ref"].rpartition("/")[2]
    if name in within:
        return filled
    return {**_filled(definitions.get(name, {}), definitions, (*within, name)), **filled}
