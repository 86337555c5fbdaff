"""A shipped graph, run on several inputs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from numpy.typing import NDArray

Item = TypeVar("Item")
Result = TypeVar("Result")

_SLOW = "SkipLayerNormFusion"
"""The fused operator takes five times as long on one thread as an addition and a normalisation."""


class ModelSession:
    """An onnxruntime session that gives each input one thread.

    Inputs are of one sentence or window each, too short to be shared out well: of 82 tokens one by one, two threads take 13.0 ms and
    21.1 of processor time together, side by side 7.4 and 14.6 (medians of 15 runs of six, two cores).

    Args:
        graph: the model.
        threads: how many inputs are run at once, by all who call, at least 1.
    """

    def __init__(self, graph: bytes, *, threads: int) -> None:
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = InferenceSession(
            graph, options, providers=["CPUExecutionProvider"], disabled_optimizers=[_SLOW]
        )
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="dateline-model")

    def run(self, outputs: Sequence[str], given: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Run one input in the thread of the caller."""
        found: list[NDArray[Any]] = self._session.run(list(outputs), dict(given))
        return found

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Do some work with each item; results keep their order.

        Work that waits for other work of this session may wait for ever.
        """
        return list(self._threads.map(work, items))
