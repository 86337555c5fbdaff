"""Retry and cache policies of a graph's nodes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from uuid import uuid4

from langgraph.graph import StateGraph
from langgraph.types import CachePolicy, RetryPolicy

from dateline import BadInput

Retries: TypeAlias = RetryPolicy | Sequence[RetryPolicy] | None
"""A retry policy of LangGraph's, or several, the first that fits an error; `None`: nothing is tried again."""


@dataclass(frozen=True)
class NodePolicies:
    """Policies for the nodes of one graph.

    Attributes:
        retry: for every node, except those that wait for a person.
        cache: for the nodes of `cached`. A key function of its own is kept.
        cached: fields of the state that a node's result follows from.
        graph_id: keeps the entries of two graphs apart, whose parts differ.

    Example:
        >>> policies = NodePolicies(cache=CachePolicy(ttl=60), cached={"search": ("query",)})
        >>> [sorted(policies.of(name)) for name in ("search", "gate")]
        [['cache_policy', 'retry_policy'], ['retry_policy']]
    """

    retry: Retries = None
    cache: CachePolicy[Any] | None = None
    cached: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    graph_id: str = field(default_factory=lambda: uuid4().hex)

    def of(self, name: str) -> dict[str, Any]:
        """Return a node's policies, as `add_node` takes them."""
        told: dict[str, Any] = {"retry_policy": self.retry}
        if self.cache is None or name not in self.cached:
            return told
        own_key = self.cache.key_func is not CachePolicy().key_func
        policy = self.cache if own_key else replace(self.cache, key_func=self._key(self.cached[name]))
        return {**told, "cache_policy": policy}

    def adder(self, graph: StateGraph[Any, Any, Any, Any]) -> Callable[..., None]:
        """Return an `add_node` of a graph that adds the policies."""

        def add(name: str, step: Any, **more: Any) -> None:
            graph.add_node(name, step, **self.of(name), **more)

        return add

    def _key(self, fields: Sequence[str]) -> Callable[[Any], str]:
        # LangGraph's own key pickles the whole state, with steps whose seconds are never the same.
        def key(state: Mapping[str, Any]) -> str:
            return json.dumps([self.graph_id, *(state.get(name) for name in fields)], sort_keys=True)

        return key


def cache_checked(cache: CachePolicy[Any] | None, *, parts: Any) -> CachePolicy[Any] | None:
    """Return a cache policy where the graph's parts are fixed.

    Raises:
        BadInput: where they are made from each run's options, which no key of a cache holds.
    """
    if cache is not None and parts is None:
        raise BadInput(
            "A cache needs fixed parts: two runs with other options would share its entries; give components as well."
        )
    return cache
