"""Retry and cache policies of a graph's nodes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from uuid import uuid4

from langgraph.graph import StateGraph
from langgraph.runtime import get_runtime
from langgraph.types import CachePolicy, RetryPolicy

from dateline import BadInput

Retries: TypeAlias = RetryPolicy | Sequence[RetryPolicy] | None
"""A retry policy of LangGraph's, or several, the first that fits an error; `None`: nothing is tried again."""

_USUAL: Any = CachePolicy().key_func
"""LangGraph's own key."""


@dataclass(frozen=True)
class NodePolicies:
    """Policies for the nodes of one graph.

    Attributes:
        retry: for every node, except those that wait for a person.
        cache: for the nodes of `cached`. A key function of its own is kept.
        cached: fields of the state that a node's result follows from.
        graph_id: keeps the entries of two graphs apart, whose parts differ.
        failures: how often a result of a key was a failure, by the key's hash.

    Example:
        >>> policies = NodePolicies(cache=CachePolicy(ttl=60), cached={"search": ("query",)})
        >>> [sorted(policies.of(name)) for name in ("search", "gate")]
        [['cache_policy', 'retry_policy'], ['retry_policy']]
    """

    retry: Retries = None
    cache: CachePolicy[Any] | None = None
    cached: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    graph_id: str = field(default_factory=lambda: uuid4().hex)
    failures: Counter[int] = field(default_factory=Counter)

    def of(self, name: str) -> dict[str, Any]:
        """Return a node's policies, as `add_node` takes them."""
        told: dict[str, Any] = {"retry_policy": self.retry}
        if self.cache is None or name not in self.cached:
            return told
        return {**told, "cache_policy": replace(self.cache, key_func=self._key(name))}

    def heard(self, name: str, state: Mapping[str, Any], error: Exception) -> None:
        """Note an error that a node tells as its result.

        Raises the error itself where the node is to be run again. A result that tells of it is never taken from the cache.
        """
        if self._runs_again(error):
            raise error
        if self.cache is not None:
            self.failures[hash(self._known(name, state))] += 1

    def adder(self, graph: StateGraph[Any, Any, Any, Any]) -> Callable[..., None]:
        """Return an `add_node` of a graph that adds the policies."""

        def add(name: str, step: Any, **more: Any) -> None:
            graph.add_node(name, step, **self.of(name), **more)

        return add

    def _key(self, name: str) -> Callable[[Any], str | bytes]:
        # LangGraph keeps whatever a node returns: after a failure another key is looked up.
        def key(state: Mapping[str, Any]) -> str | bytes:
            known = self._known(name, state)
            failed = self.failures[hash(known)]
            return f"{known!r} failed {failed}" if failed else known

        return key

    def _known(self, name: str, state: Mapping[str, Any]) -> str | bytes:
        """Return the key of a node's input."""
        assert self.cache is not None
        if self.cache.key_func is not _USUAL:
            own: str | bytes = self.cache.key_func(state)
            return own
        # LangGraph's own key pickles the whole state, with steps whose seconds are never the same.
        return json.dumps([self.graph_id, *(state.get(each) for each in self.cached[name])], sort_keys=True)

    def _runs_again(self, error: Exception) -> bool:
        policies = [self.retry] if isinstance(self.retry, RetryPolicy) else self.retry or ()
        fitting = next((each for each in policies if _fits(each, error)), None)
        info = get_runtime().execution_info
        return fitting is not None and info is not None and info.node_attempt < fitting.max_attempts


def _fits(policy: RetryPolicy, error: Exception) -> bool:
    kinds = policy.retry_on
    if isinstance(kinds, type):
        return isinstance(error, kinds)
    return isinstance(error, tuple(kinds)) if isinstance(kinds, Sequence) else kinds(error)


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
