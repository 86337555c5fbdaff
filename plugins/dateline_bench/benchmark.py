"""Registry of benchmarks: modules of `benchmarks`, converters in `originals`.

Adding one is adding one module: its name is the benchmark's name, the first line of its docstring its description.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from dateline.errors import BadInput

T = TypeVar("T")

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total)."""


class BenchmarkReport(BaseModel):
    """The figures of one run. Percentages run from 0 to 100."""

    model_config = ConfigDict(frozen=True)

    benchmark: str
    n: int
    configuration: dict[str, Any]
    metrics: dict[str, float]
    baselines: dict[str, dict[str, float]]
    cost: dict[str, float]


class Benchmark(Protocol):
    """Interface of a benchmark's module.

    `options` are the benchmark's own flags, as strings from the command line.
    """

    def run(
        self, folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
    ) -> BenchmarkReport:
        """Measure over `folder`; the same seed gives the same figures.

        Raises `BadInput` in one sentence for a missing or malformed file or an unknown option.
        """
        ...


class Converter(Protocol):
    """A module of `dateline_bench.originals`, named as its benchmark."""

    def build(self, source: Path, out: Path) -> dict[Path, int]:
        """Convert the public original; return files with their row counts.

        Raises `BadInput` in one sentence when the original is missing or in another format.
        """
        ...


def names() -> list[str]:
    """The names of all benchmarks, sorted."""
    import dateline_bench.benchmarks as package

    return _modules(package.__path__)


def convertible() -> list[str]:
    """The names of the benchmarks whose public originals can be converted, sorted."""
    import dateline_bench.originals as package

    return _modules(package.__path__)


def load(name: str) -> Benchmark:
    """The benchmark of that name. Raises `BadInput` for an unknown one."""
    if name not in names():
        raise BadInput(f"There is no benchmark {name!r}; choose one of {', '.join(names())}.")
    return cast(Benchmark, importlib.import_module(f"dateline_bench.benchmarks.{name}"))


def needs_folder(benchmark: Benchmark) -> bool:
    """Return whether a benchmark reads files, by its parameter `folder`."""
    return inspect.signature(benchmark.run).parameters["folder"].default is inspect.Parameter.empty


def items_mark(benchmark: Benchmark) -> str | None:
    """Return what its file of answers holds in its beginning.

    `None`: it goes on with a file that is there, or writes none.
    """
    return getattr(benchmark, "ITEMS", None)


def converter(name: str) -> Converter:
    """The converter of that benchmark. Raises `BadInput` for one that has none."""
    if name not in convertible():
        raise BadInput(f"There is nothing to build for {name!r}; choose one of {', '.join(convertible())}.")
    return cast(Converter, importlib.import_module(f"dateline_bench.originals.{name}"))


def refuse_unknown(options: Iterable[str], *known: str) -> None:
    """Raise `BadInput` for an option that a benchmark does not have."""
    for name in sorted(set(options) - set(known)):
        raise BadInput(f"Unknown option {name!r}; this benchmark has {' and '.join(known) or 'no option'}.")


def drawn(items: Sequence[T], *, limit: int | None, seed: int) -> list[T]:
    """Draw at most `limit` items, or return all in their order."""
    return list(items) if limit is None or limit >= len(items) else random.Random(seed).sample(list(items), limit)


def watched(items: Iterable[T], *, stage: str, progress: Progress | None, total: int | None = None) -> Iterator[T]:
    """Yield each item, and tell of it once it is done with.

    Args:
        total: how many there are, where `items` has no length.
    """
    count = len(items) if isinstance(items, Sized) else total or 0
    for done, item in enumerate(items, start=1):
        yield item
        if progress is not None:
            progress(stage, done, count)


def _modules(path: Iterable[str]) -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(path) if not module.ispkg)
