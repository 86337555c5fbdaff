"""Settings of `dateline evaluate multihop`, read from its options."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from dateline.dynamic import MethodName
from dateline.dynamic.hyperparameters import TABLE_9, PaperDataset
from dateline.dynamic.methods import METHODS
from dateline.errors import BadInput, check_choice
from dateline_bench.reasoned.questions import DATASETS

Hops = Literal["1", "many"]

OPTIONS = (
    "model", "method", "beside", "threshold", "rate", "sample", "settings", "n", "k", "max_new_tokens",
    "demonstrations", "dataset", "passages", "layout", "device", "dtype", "hops", "items", "share",
)  # fmt: skip
LENGTH, QUERY_TOKENS, SAMPLE = 100, 25, 20


@dataclass(frozen=True, slots=True)
class MultihopSettings:
    """Settings of a run: its options, then table 9.

    Attributes:
        hops: "1" for questions of one step made from the passages, whose whole text is the answer.
        sample: questions to calibrate on.
        thresholds: of the methods that are given one.
        rate: retrievals a question that a threshold is calibrated to, where a method of `CALIBRATED` is given none.
        fl_n: tokens of fl-rag's windows; table 9's n is of the query of dragin alone (section 5.4: "the closest 25 tokens").
    """

    method: MethodName
    beside: tuple[MethodName, ...]
    hops: Hops
    sample: int
    thresholds: Mapping[MethodName, float]
    rate: float
    n: int
    fl_n: int
    k: int
    max_new_tokens: int


def settings_of(options: Mapping[str, str], *, dataset: PaperDataset) -> MultihopSettings:
    """Read the settings; options go before table 9.

    Raises `BadInput` for an unknown option.
    """
    chosen = _method(options.get("method", "dragin-published" if "settings" in options else "dragin"))
    thresholds = _thresholds(options, chosen)
    n, length = QUERY_TOKENS, LENGTH
    if (name := options.get("settings")) is not None:
        if name not in TABLE_9:
            raise BadInput(f"Table 9 has no model {name!r}; choose one of {', '.join(TABLE_9)}.")
        row = TABLE_9[name][dataset]
        n, length = row.n, row.generate_length
        thresholds = {"dragin-published": row.threshold, **thresholds}
    beside = _beside(options, thresholds)
    if "dragin-published" in (chosen, *beside) and "dragin-published" not in thresholds:
        raise BadInput(
            "dragin-published cannot be calibrated; give --option threshold=, or settings= with a model of table 9."
        )
    return MultihopSettings(
        method=chosen,
        beside=beside,
        hops=read_hops(options),
        sample=read_count(options, "sample", default=SAMPLE),
        thresholds=thresholds,
        rate=_rate(options),
        n=read_count(options, "n", default=n),
        fl_n=read_count(options, "n", default=QUERY_TOKENS),
        k=read_count(options, "k", default=3),
        max_new_tokens=read_count(options, "max_new_tokens", default=length),
    )


def _beside(options: Mapping[str, str], thresholds: Mapping[MethodName, float]) -> tuple[MethodName, ...]:
    """Read the baselines.

    `all` leaves out methods for models behind an API, and those whose threshold is missing.
    """
    given = options.get("beside", "wo-rag,sr-rag")
    if given != "all":
        return tuple(_method(each) for each in given.split(",") if each)
    left_out = {"entropy", "look-ahead", *({"dragin-published"} - set(thresholds))}
    return tuple(_method(each) for each in METHODS if each not in left_out)


def _thresholds(options: Mapping[str, str], chosen: MethodName) -> dict[MethodName, float]:
    """Read one number, the method's, or several behind their methods' names."""
    found: dict[MethodName, float] = {}
    for part in options.get("threshold", "").split(","):
        name, colon, level = part.rpartition(":")
        if part:
            found[_method(name) if colon else chosen] = _number({"threshold": level}, "threshold")
    return found


def read_hops(options: Mapping[str, str]) -> Hops:
    match options.get("hops", "many"):
        case "1":
            return "1"
        case "many":
            return "many"
        case other:
            raise BadInput(f"hops must be 1 or many, not {other!r}.")


def read_share(options: Mapping[str, str]) -> bool:
    match options.get("share", "no"):
        case "yes" | "no" as share:
            return share == "yes"
        case other:
            raise BadInput(f"share must be yes or no, not {other!r}.")


def read_dataset(options: Mapping[str, str]) -> PaperDataset | None:
    name = options.get("dataset")
    if name is not None:
        check_choice(name, name="dataset", choices=DATASETS)
    return cast("PaperDataset | None", name)


def _method(name: str) -> MethodName:
    check_choice(name, name="method", choices=METHODS)
    return cast(MethodName, name)


def _rate(options: Mapping[str, str]) -> float:
    rate = _number(options, "rate", default=1.0)
    if not 0 < rate < math.inf:
        raise BadInput(f"rate must be a number above 0, not {options['rate']!r}.")
    return rate


def _number(options: Mapping[str, str], name: str, *, default: float = 0.0) -> float:
    try:
        return float(options[name]) if name in options else default
    except ValueError:
        raise BadInput(f"{name} must be a number, not {options[name]!r}.") from None


def read_count(options: Mapping[str, str], name: str, *, default: int, least: int = 1) -> int:
    try:
        value = int(options[name]) if name in options else default
    except ValueError:
        value = least - 1
    if value < least:
        raise BadInput(f"{name} must be a whole number from {least} on, not {options[name]!r}.")
    return value
