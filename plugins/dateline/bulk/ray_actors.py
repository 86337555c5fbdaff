"""Bulk work by Ray Data, on one machine or many."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic

from dateline.bulk.mapping import In, Out, Work
from dateline.errors import BadInput, StoreFailed, check_least, require
from dateline.secrets import without_secrets

_ADDRESS = re.compile(r"local|auto|(ray://)?[\w.\[\]:-]+:\d{1,5}")

_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
"""Ray reports its use to its makers, and warns on standard error, unless it is told not to."""


@dataclass(frozen=True)
class RayActors:
    """Bulk work by actors of Ray Data.

    Each actor holds the work once. An index in memory is sent to a machine once and shared by its actors; one on disk is
    opened by each.

    Args:
        address: `local` starts Ray on this machine, for this process alone; else a cluster's address, such as
            `ray://head:10001`, where the same version of dateline is installed.
        actors: how many; 0: one for each processor.

    Raises:
        BadInput: for an address that Ray cannot read.

    Example:
        >>> RayActors(address="nowhere")
        Traceback (most recent call last):
        dateline.errors.BadInput: Cannot read the address 'nowhere' of Ray; write local, or a cluster's host:port.
    """

    address: str = "local"
    actors: int = 0

    def __post_init__(self) -> None:
        if not _ADDRESS.fullmatch(self.address):
            raise BadInput(f"Cannot read the address {self.address!r} of Ray; write local, or a cluster's host:port.")
        check_least(0, actors=self.actors)

    def map(self, items: Sequence[In], *, work: Work[In, Out], chunk: int) -> Iterator[Out]:
        """Yield one result for each item, in order.

        Raises:
            MissingExtra: when Ray is not installed.
            StoreFailed: when the cluster cannot be reached or gives the work up.
        """
        if not items:
            return
        with _cluster(self.address) as ray:
            processors = int(ray.cluster_resources().get("CPU", 1))
            actors = min(self.actors or processors, -(-len(items) // chunk))
            rows = ray.data.from_items(
                [{"parcel": _Parcel(each)} for each in items], override_num_blocks=-(-len(items) // chunk)
            ).map_batches(
                _Actor,
                fn_constructor_args=((ray.put(work),),),
                batch_size=chunk,
                compute=ray.data.ActorPoolStrategy(size=actors),
                num_cpus=share_of_actor(_processors(ray.nodes()), actors=actors),
            )
            try:
                for row in rows.iter_rows():
                    yield row["parcel"].content
            except ray.exceptions.RayError as cause:
                raise StoreFailed(f"Ray gave the work up: {without_secrets(str(cause))}") from cause


def share_of_actor(machines: Sequence[float], *, actors: int) -> float:
    """Return the most processors of an actor with which all fit.

    An actor lies on one machine. Where each machine could spare one processor, one stays free wherever the actors come
    to lie: Ray's own tasks else wait for ever.

    Args:
        machines: the processors of each.

    Example:
        >>> share_of_actor([4, 4], actors=1), share_of_actor([4, 4], actors=8)
        (3.0, 0.75)
    """
    # In hundredths, rounded down: a share rounded up would take what is to stay free.
    free = [int(100 * max(each - 1, 0)) for each in machines]
    shares = {each // parts for each in free for parts in range(1, actors + 1)} - {0}
    return max((share for share in shares if sum(each // share for each in free) >= actors), default=0) / 100


def _processors(nodes: Sequence[Mapping[str, Any]]) -> list[float]:
    return [node["Resources"].get("CPU", 0.0) for node in nodes if node["Alive"]]


@dataclass(frozen=True)
class _Parcel(Generic[In]):
    """An item that Ray leaves as it is.

    Lists and numbers it would turn into arrays.
    """

    content: In


class _Actor:
    """Work held by one process of Ray."""

    def __init__(self, held: Sequence[Any]) -> None:
        # In a sequence, so that Ray hands over the reference, and the work comes from the memory that actors share.
        self._work: Work[Any, Any] = _ray().get(held[0])

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[_Parcel[Any]]]:
        return {"parcel": [_Parcel(each) for each in self._work([parcel.content for parcel in batch["parcel"]])]}


def _ray() -> Any:
    return require("ray", package="ray[data]", extra="ray")


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """Connect to Ray, unless this process is connected already."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    ray = _ray()
    require("ray.data", package="ray[data]", extra="ray")
    mine = not ray.is_initialized()
    if mine:
        try:
            ray.init(address=address, include_dashboard=None if address != "local" else False, **_LOGGING)
        except Exception as cause:  # Ray raises bare ones too, such as for a start that takes too long
            ray.shutdown()
            raise StoreFailed(f"Ray at {address} cannot be reached: {without_secrets(str(cause))}") from cause
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray
    finally:
        if mine:
            ray.shutdown()


_LOGGING: Mapping[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
