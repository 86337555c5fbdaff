"""Nodes as JSON and back, each of its own class."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from llama_index.core.schema import BaseNode, NodeWithScore

from dateline.errors import BadInput

_KIND = "dateline_kind"
"""The key of what JSON has no form for; its value stands under "value"."""

_KINDS: Mapping[str, tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "datetime": (datetime, datetime.isoformat, datetime.fromisoformat),
    "date": (date, date.isoformat, date.fromisoformat),
    "bytes": (bytes, lambda value: b64encode(value).decode(), b64decode),
    "set": (set | frozenset, list, set),
    "tuple": (tuple, list, tuple),
}
"""What is written in another form, how, and how it is read."""


def packed(nodes: Sequence[NodeWithScore]) -> list[dict[str, Any]]:
    """Write nodes as JSON.

    Dates, sets, tuples and bytes in them come back as what they are; anything else that JSON has no form for comes back as text.
    """
    return [
        {
            "classes": [_name(each) for each in type(one.node).__mro__ if issubclass(each, BaseNode)],
            "node": _written(one.node.to_dict()),
            "score": one.score,
        }
        for one in nodes
    ]


def unpacked(values: Sequence[Mapping[str, Any]]) -> list[NodeWithScore]:
    """Read nodes that `packed` wrote.

    Each is of its own class where the program has loaded that, else of the nearest one above: what is stored imports nothing.

    Raises:
        BadInput: for a node of which no class is loaded.
    """
    loaded = {_name(each): each for each in _below(BaseNode)}
    return [NodeWithScore(node=_node(one, loaded), score=one["score"]) for one in values]


def _node(value: Mapping[str, Any], loaded: Mapping[str, type[BaseNode]]) -> BaseNode:
    fields = _read(value["node"])
    for kind in filter(None, map(loaded.get, value["classes"])):
        try:
            return kind.from_dict(fields)
        except (TypeError, ValueError):  # a class that is not made of its fields
            continue
    raise BadInput(f"A node of the class {value['classes'][0]} cannot be read; import that class first.")


def _below(kind: type[Any]) -> Iterator[type[BaseNode]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _written(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        return [_written(each) for each in value]
    for name, (kind, write, _) in _KINDS.items():
        if isinstance(value, kind):
            return {_KIND: name, "value": _written(write(value))}
    if not isinstance(value, Mapping):
        return str(value)
    plain = {key if isinstance(key, str) else str(key): _written(each) for key, each in value.items()}
    return {_KIND: "fields", "value": plain} if _KIND in plain else plain


def _read(value: Any) -> Any:
    if isinstance(value, list):
        return [_read(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    kind = str(value.get(_KIND, ""))
    if kind in _KINDS:
        return _KINDS[kind][2](_read(value["value"]))
    return {name: _read(each) for name, each in (value["value"] if kind else value).items()}
