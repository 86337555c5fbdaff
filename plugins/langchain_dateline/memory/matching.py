"""Conditions of a LangGraph store: filters of values, patterns of namespaces."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langgraph.store.base import MatchCondition, NamespacePath

from dateline.errors import BadInput
from dateline.facts.item import Namespace

_ORDER: dict[str, Callable[[float, float], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_OPERATORS = ("$eq", "$ne", *_ORDER)


def matches(value: Mapping[str, Any], filter: Mapping[str, Any] | None) -> bool:
    """Check that a value fulfils every condition of a filter.

    Raises:
        BadInput: for an operator that stores do not know.

    Example:
        >>> [matches({"age": age}, {"age": {"$gte": 18}}) for age in (17, 18, None)]
        [False, True, False]
    """
    return all(_fulfils(value.get(key), wanted) for key, wanted in (filter or {}).items())


def lies_in(namespace: Namespace, conditions: Sequence[MatchCondition] | None) -> bool:
    """Check that a namespace fits every pattern; "*" fits any label."""
    return all(_fits(namespace, each) for each in conditions or ())


def literal_prefix(conditions: Sequence[MatchCondition] | None) -> Namespace:
    """Return the longest beginning that the patterns demand."""
    beginnings = [_literal(each.path) for each in conditions or () if each.match_type == "prefix"]
    return max(beginnings, key=len, default=())


def _fulfils(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(key.startswith("$") for key in wanted):
            return all(_compares(value, name, operand) for name, operand in wanted.items())
        return isinstance(value, Mapping) and matches(value, wanted)
    if isinstance(wanted, (list, tuple)):
        return isinstance(value, (list, tuple)) and len(value) == len(wanted) and all(map(_fulfils, value, wanted))
    return bool(value == wanted)


def _compares(value: Any, name: str, operand: Any) -> bool:
    if name not in _OPERATORS:
        raise BadInput(f"Unknown operator {name!r} in a filter; choose one of {', '.join(_OPERATORS)}.")
    if name in ("$eq", "$ne"):
        return bool(value == operand) == (name == "$eq")
    try:
        return _ORDER[name](float(value), float(operand))
    except (TypeError, ValueError):  # what is no number is neither more nor less
        return False


def _fits(namespace: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    labels = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :] if path else ()
    return len(labels) == len(path) and all(wanted in ("*", label) for label, wanted in zip(labels, path, strict=True))


def _literal(path: NamespacePath) -> Namespace:
    return tuple(path[: path.index("*")]) if "*" in path else tuple(path)
