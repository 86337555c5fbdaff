"""Multi-hop questions, answered by generation with retrieval (DRAGIN, table 2).

`DIR` holds `questions.jsonl` in the shape of 2WikiMultihopQA, HotpotQA, StrategyQA or IIRC, and `passages.jsonl`
(`{"title", "text"}`; without it the questions' own `context` paragraphs are the corpus), ranked by BM25. Options:
`model=` a folder or name of transformers (needed), `method=` (dragin, or another of table 1), `beside=` baselines in the
same run (wo-rag,sr-rag), `threshold=` or `rate=` retrievals a question to calibrate to, `settings=` a model of table 9
by name, `n=`, `k=`, `max_new_tokens=`, `demonstrations=`, `dataset=`, `passages=`, `layout=` (plain, chat), `device=`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast, get_args

from dateline.dynamic import Bm25Search, DynamicGenerator, MethodName, calibrate, method
from dateline.dynamic.hyperparameters import TABLE_9, PaperDataset
from dateline.dynamic.methods import CALIBRATED, METHODS
from dateline.dynamic.prompt import ChatLayout, Layout, PlainLayout
from dateline.dynamic.queries import QuestionQuery
from dateline.dynamic.triggers import Never
from dateline.errors import BadInput
from dateline.pretrained import Pretrained, load_pretrained
from dateline.records import Evidence
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, refuse_unknown
from dateline_bench.reasoned.demonstrations import INSTRUCTION, demonstrations
from dateline_bench.reasoned.measuring import ReasonedQuestion, answer_all, summary
from dateline_bench.reasoned.questions import DATASETS, load, passages_of

OPTIONS = (
    "model", "method", "beside", "threshold", "rate", "settings", "n", "k", "max_new_tokens", "demonstrations",
    "dataset", "passages", "layout", "device",
)  # fmt: skip
LENGTH, QUERY_TOKENS, SAMPLE = 100, 25, 20
STOP_AT = ("\nQuestion:", "\n\n")


@dataclass(frozen=True, slots=True)
class MultihopSettings:
    """Settings of a run: its options, then table 9.

    Attributes:
        thresholds: of the methods that are given one.
        rate: retrievals a question that a threshold is calibrated to, where a method of `CALIBRATED` is given none.
    """

    method: MethodName
    beside: tuple[MethodName, ...]
    thresholds: Mapping[MethodName, float]
    rate: float
    n: int
    k: int
    max_new_tokens: int


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` questions drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, an unknown option or value, or no model.
        MissingExtra: without transformers.
    """
    refuse_unknown(options, *OPTIONS)
    if limit is not None and limit < 1:
        raise BadInput(f"limit must be at least 1, not {limit}.")
    path = rows.find(folder, "questions")
    dataset, every = load(path, dataset=_dataset(options))
    settings = settings_of(options, dataset=dataset)
    random.Random(seed).shuffle(every)
    asked, rest = every[:limit], every[limit or len(every) :]
    started = time.perf_counter()
    generator = _generator(options, settings, passages=_passages(folder, path, options), dataset=dataset)
    runs = {}
    for name in dict.fromkeys((settings.method, *settings.beside)):
        used, how = _with_method(generator, name, settings, sample=rest or asked)
        note = partial(progress, name) if progress else None
        runs[name] = {**summary(answer_all(asked, generator=used, note=note)), **how}
    return BenchmarkReport(
        benchmark="multihop",
        n=len(asked),
        configuration={
            "dataset": dataset,
            "model": options["model"],
            "method": settings.method,
            "n": settings.n,
            "k": settings.k,
            "max_new_tokens": settings.max_new_tokens,
            "settings": options.get("settings"),
            "calibrated_on": _calibrated_on(settings, rest=rest),
            "seed": seed,
        },
        metrics=runs[settings.method],
        baselines={name: row for name, row in runs.items() if name != settings.method},
        cost={"seconds": time.perf_counter() - started},
    )


def _calibrated_on(settings: MultihopSettings, *, rest: Sequence[ReasonedQuestion]) -> str | None:
    if not any(name in CALIBRATED and name not in settings.thresholds for name in (settings.method, *settings.beside)):
        return None
    return f"{min(SAMPLE, len(rest))} other questions" if rest else "the first of the same questions"


def settings_of(options: dict[str, str], *, dataset: PaperDataset) -> MultihopSettings:
    """Read the settings; options go before table 9.

    Raises `BadInput` for an unknown option.
    """
    chosen = _method(options.get("method", "dragin-published" if "settings" in options else "dragin"))
    beside = tuple(_method(each) for each in options.get("beside", "wo-rag,sr-rag").split(",") if each)
    thresholds: dict[MethodName, float] = {}
    n, length = QUERY_TOKENS, LENGTH
    if (name := options.get("settings")) is not None:
        if name not in TABLE_9:
            raise BadInput(f"Table 9 has no model {name!r}; choose one of {', '.join(TABLE_9)}.")
        row = TABLE_9[name][dataset]
        n, length, thresholds["dragin-published"] = row.n, row.generate_length, row.threshold
    if "threshold" in options:
        thresholds[chosen] = _number(options, "threshold")
    if "dragin-published" in (chosen, *beside) and "dragin-published" not in thresholds:
        raise BadInput(
            "dragin-published cannot be calibrated; give --option threshold=, or settings= with a model of table 9."
        )
    return MultihopSettings(
        method=chosen,
        beside=beside,
        thresholds=thresholds,
        rate=_number(options, "rate", default=1.0),
        n=_count(options, "n", default=n),
        k=_count(options, "k", default=3),
        max_new_tokens=_count(options, "max_new_tokens", default=length),
    )


def _with_method(
    generator: DynamicGenerator, name: MethodName, settings: MultihopSettings, *, sample: Sequence[ReasonedQuestion]
) -> tuple[DynamicGenerator, dict[str, float]]:
    """Return a method's generator and threshold, calibrated if not given."""
    level = settings.thresholds.get(name)
    calibrated = level is None and name in CALIBRATED
    trigger, query = method(name, threshold=0.0 if calibrated else level, n=settings.n)
    used = generator.with_options(trigger=trigger, query=query)
    if calibrated:
        found = calibrate(used, questions=[one.text for one in sample[:SAMPLE]], rate=settings.rate)
        used, trigger = used.with_options(trigger=found.trigger), found.trigger
    level = getattr(trigger, "threshold", None)
    return used, {} if level is None else {"threshold": float(level)}


def _generator(
    options: dict[str, str], settings: MultihopSettings, *, passages: Sequence[Evidence], dataset: PaperDataset
) -> DynamicGenerator:
    model, tokenizer = _loaded(options)
    return DynamicGenerator(
        model,
        tokenizer=tokenizer,
        retriever=Bm25Search(passages),
        trigger=Never(),
        query=QuestionQuery(),
        layout=_layout(options, tokenizer=tokenizer, dataset=dataset),
        k=settings.k,
        max_new_tokens=settings.max_new_tokens,
        stop_at=STOP_AT,
    )


def _loaded(options: dict[str, str]) -> Pretrained:
    if not options.get("model"):
        raise BadInput("multihop needs a model: give a folder, a GGUF file or a hub name with --option model=.")
    return load_pretrained(options["model"], device=options.get("device", "cpu"))


def _layout(options: dict[str, str], *, tokenizer: Any, dataset: PaperDataset) -> Layout:
    count = None if "demonstrations" not in options else _count(options, "demonstrations", default=0, least=0)
    examples = demonstrations(dataset, count=count)
    match options.get("layout", "plain"):
        case "plain":
            return PlainLayout(demonstrations=examples, instruction=INSTRUCTION)
        case "chat":
            return ChatLayout(tokenizer, instruction=f"{examples}\n\n{INSTRUCTION}".strip())
        case other:
            raise BadInput(f"Unknown layout {other!r}; choose plain or chat.")


def _passages(folder: Path, questions: Path, options: dict[str, str]) -> list[Evidence]:
    """Read passages from the file, the folder, or the questions."""
    path: Path | None
    if "passages" in options:
        path = Path(options["passages"])
        if not path.is_file():
            raise BadInput(f"There is no file {options['passages']!r}; give passages as JSON lines of title and text.")
    else:
        given = [folder / f"passages{suffix}" for suffix in (".jsonl", ".jsonl.gz")]
        path = next((each for each in given if each.is_file()), None)
    if path is None:
        found = list(passages_of(questions))
    else:
        found = [_passage(row, path, number) for number, row in enumerate(rows.read(path), start=1)]
    if not found:
        raise BadInput(f"{folder} holds no passages.jsonl, and its questions no context; give --option passages=FILE.")
    return found


def _passage(row: dict[str, Any], path: Path, number: int) -> Evidence:
    text = row.get("text", row.get("contents"))
    if not isinstance(text, str) or not text.strip():
        raise BadInput(f"Passage {number} of {path} has no text.")
    return Evidence.make(text, title=str(row.get("title") or ""))


def _dataset(options: dict[str, str]) -> PaperDataset | None:
    name = options.get("dataset")
    if name is not None and name not in DATASETS:
        raise BadInput(f"Unknown dataset {name!r}; choose one of {', '.join(DATASETS)}.")
    return cast("PaperDataset | None", name)


def _method(name: str) -> MethodName:
    if name not in METHODS:
        raise BadInput(f"Unknown method {name!r}; choose one of {', '.join(get_args(MethodName))}.")
    return cast(MethodName, name)


def _number(options: dict[str, str], name: str, *, default: float = 0.0) -> float:
    try:
        return float(options[name]) if name in options else default
    except ValueError:
        raise BadInput(f"{name} must be a number, not {options[name]!r}.") from None


def _count(options: dict[str, str], name: str, *, default: int, least: int = 1) -> int:
    try:
        value = int(options[name]) if name in options else default
    except ValueError:
        value = least - 1
    if value < least:
        raise BadInput(f"{name} must be a whole number from {least} on, not {options[name]!r}.")
    return value
