"""Multi-hop questions, answered by generation with retrieval (DRAGIN, table 2).

`DIR` holds `questions.jsonl` in the shape of 2WikiMultihopQA, HotpotQA, StrategyQA or IIRC, and `passages.jsonl`
(`{"title", "text"}`; without it the questions' own `context` paragraphs are the corpus), ranked by BM25. With `hops=1`
questions of one step are made from the passages instead. Options: `model=` a folder or name of transformers (needed),
`method=` (dragin, or another of table 1), `beside=` baselines in the same run (wo-rag,sr-rag; all), `threshold=` (0.3, or
dragin:0.3,flare:0.5) or `rate=` retrievals a question to calibrate to, on `sample=` other questions, `settings=` a model
of table 9 by name, `items=` a file that keeps each answer and with which a run that was cut off goes on, `n=`, `k=`,
`max_new_tokens=`, `demonstrations=`, `dataset=`, `passages=`, `layout=` (plain, chat), `device=`, `dtype=`, `share=yes`
where methods share what they write alike, which is quick and tells no seconds.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dateline.dynamic import Bm25Search, DynamicGenerator, MethodName, calibrate, method
from dateline.dynamic.hyperparameters import PaperDataset
from dateline.dynamic.methods import CALIBRATED
from dateline.dynamic.prompt import ChatLayout, Layout, PlainLayout
from dateline.dynamic.queries import QuestionQuery
from dateline.dynamic.triggers import Never
from dateline.errors import BadInput, check_least
from dateline.pretrained import load_pretrained
from dateline.records import Evidence
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, refuse_unknown
from dateline_bench.reasoned.answer_log import AnswerLog
from dateline_bench.reasoned.demonstrations import INSTRUCTION, INSTRUCTION_ALONE, demonstrations
from dateline_bench.reasoned.measuring import ReasonedQuestion, answered, averages
from dateline_bench.reasoned.one_hop import one_hop
from dateline_bench.reasoned.questions import load, passages_of
from dateline_bench.reasoned.settings import (
    OPTIONS,
    MultihopSettings,
    read_count,
    read_dataset,
    read_hops,
    read_share,
    settings_of,
)
from dateline_bench.reasoned.shared_steps import SharingGenerator

STOP_AT = ("\nQuestion:", "\n\n")

CHAT_STOP_AT = STOP_AT[:1]
"""A chat model ends its turn itself, and an empty line only parts its paragraphs."""

_OF_A_RUN = ("items", "method", "beside", "threshold")
"""Options that say what is run and where it is kept; thresholds are kept as they were read."""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` questions drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, an unknown option or value, or no model.
        MissingExtra: without transformers.
    """
    refuse_unknown(options, *OPTIONS)
    check_least(1, limit=limit)
    hops, passages = read_hops(options), read_passages(folder, options)
    dataset, every = _questions(folder, options, passages=passages, seed=seed)
    settings = settings_of(options, dataset=dataset)
    asked, rest = every[:limit], every[limit or len(every) :]
    started = time.perf_counter()
    configuration = {
        "dataset": dataset,
        "hops": hops,
        "model": options["model"] if options.get("model") else None,
        "n": settings.n,
        **({"fl_n": settings.fl_n} if settings.fl_n != settings.n else {}),
        "k": settings.k,
        "max_new_tokens": settings.max_new_tokens,
        "layout": options.get("layout", "plain"),
        "demonstrations": options.get("demonstrations"),
        "settings": options.get("settings"),
        "rate": settings.rate,
        "seed": seed,
    }
    if not options.get("model"):
        raise BadInput("multihop needs a model: give a folder, a GGUF file or a hub name with --option model=.")
    kept = AnswerLog(
        Path(options["items"]) if "items" in options else None,
        settings={**configuration, "given": _given(options, settings), "questions": _digest(every)},
    )
    generator = _generator(options, settings, passages=passages, dataset=dataset)
    names = list(dict.fromkeys((settings.method, *settings.beside)))
    used = {
        name: _with_method(generator, name, settings, sample=rest or asked, kept=kept, progress=progress)
        for name in names
    }
    _measure(asked, used, kept=kept, closing=hops == "many", progress=progress)
    ids = [each.id for each in asked]
    runs = {name: {**averages(kept.of(name, questions=ids)), **_level(one)} for name, one in used.items()}
    return BenchmarkReport(
        benchmark="multihop",
        n=len(asked),
        configuration={
            **configuration,
            "method": settings.method,
            "calibrated_on": _calibrated_on(settings, rest=rest),
        },
        metrics=runs[settings.method],
        baselines={name: row for name, row in runs.items() if name != settings.method},
        cost={"seconds": time.perf_counter() - started},
    )


def _questions(
    folder: Path, options: Mapping[str, str], *, passages: Sequence[Evidence], seed: int
) -> tuple[PaperDataset, list[ReasonedQuestion]]:
    """Return the set's name and its questions, shuffled with `seed`."""
    if read_hops(options) == "1":
        made = one_hop(passages, seed=seed)
        if not made:
            raise BadInput(f"{folder} holds no passage of which a question of one step can be made.")
        return "2wikimultihopqa", made
    dataset, every = load(rows.find(folder, "questions"), dataset=read_dataset(options))
    random.Random(seed).shuffle(every)
    return dataset, every


def _given(options: Mapping[str, str], settings: MultihopSettings) -> dict[str, Any]:
    """Return what else an answer depends on.

    A method may be added to a file later, but not another threshold of one that it holds.
    """
    return {
        **{name: value for name, value in sorted(options.items()) if name not in _OF_A_RUN},
        "thresholds": dict(settings.thresholds),
    }


def _digest(asked: Sequence[ReasonedQuestion]) -> str:
    return hashlib.sha256("\n".join(f"{each.id} {each.text}" for each in asked).encode()).hexdigest()[:16]


def _measure(
    asked: Sequence[ReasonedQuestion],
    used: Mapping[MethodName, DynamicGenerator],
    *,
    kept: AnswerLog,
    closing: bool,
    progress: Progress | None,
) -> None:
    """Answer question by question with every method.

    A run that is cut off has then measured all alike.
    """
    for done, question in enumerate(asked):
        for name, generator in used.items():
            if not kept.has(name, question=question.id):
                told = answered(question, generator=generator, closing=closing)
                shared = isinstance(generator, SharingGenerator)
                figures = {key: value for key, value in told.figures.items() if not (shared and "seconds" in key)}
                kept.keep(name, question=question.id, figures=figures, text=told.generation.text)
            if progress is not None:
                progress(name, done + 1, len(asked))
        for generator in used.values():
            if isinstance(generator, SharingGenerator):
                generator.forget()


def _calibrated_on(settings: MultihopSettings, *, rest: Sequence[ReasonedQuestion]) -> str | None:
    if not any(name in CALIBRATED and name not in settings.thresholds for name in (settings.method, *settings.beside)):
        return None
    return f"{min(settings.sample, len(rest))} other questions" if rest else "the first of the same questions"


def _with_method(
    generator: DynamicGenerator,
    name: MethodName,
    settings: MultihopSettings,
    *,
    sample: Sequence[ReasonedQuestion],
    kept: AnswerLog,
    progress: Progress | None,
) -> DynamicGenerator:
    """Return a method's generator, calibrated where no threshold is known."""
    level = settings.thresholds.get(name, kept.threshold(name))
    calibrated = level is None and name in CALIBRATED
    n = settings.fl_n if name == "fl-rag" else settings.n
    trigger, query = method(name, threshold=0.0 if calibrated else level, n=n)
    used = generator.with_options(trigger=trigger, query=query)
    if not calibrated:
        return used
    questions = [one.text for one in sample[: settings.sample]]
    note = partial(progress, f"calibrate {name}") if progress else None
    found = calibrate(used, questions=questions, rate=settings.rate, note=note)
    kept.keep_threshold(name, threshold=found.level)
    return used.with_options(trigger=found.trigger)


def _level(generator: DynamicGenerator) -> dict[str, float]:
    level = getattr(generator.options.trigger, "threshold", None)
    return {} if level is None else {"threshold": float(level)}


def _generator(
    options: Mapping[str, str], settings: MultihopSettings, *, passages: Sequence[Evidence], dataset: PaperDataset
) -> DynamicGenerator:
    model, tokenizer = load_pretrained(
        options["model"], device=options.get("device", "cpu"), dtype=options.get("dtype", "auto")
    )
    made = SharingGenerator if read_share(options) else DynamicGenerator
    return made(
        model,
        tokenizer=tokenizer,
        retriever=Bm25Search(passages),
        trigger=Never(),
        query=QuestionQuery(),
        layout=_layout(options, tokenizer=tokenizer, dataset=dataset),
        k=settings.k,
        max_new_tokens=settings.max_new_tokens,
        stop_at=CHAT_STOP_AT if options.get("layout") == "chat" else STOP_AT,
    )


def _layout(options: Mapping[str, str], *, tokenizer: Any, dataset: PaperDataset) -> Layout:
    one_step = read_hops(options) == "1"
    count = 0 if one_step else None
    if "demonstrations" in options:
        count = read_count(options, "demonstrations", default=0, least=0)
    examples = demonstrations(dataset, count=count)
    alone = None if one_step else INSTRUCTION_ALONE
    instruction = INSTRUCTION if examples else alone
    match options.get("layout", "plain"):
        case "plain":
            return PlainLayout(demonstrations=examples, instruction=instruction)
        case "chat":
            given = f"{examples}\n\n{instruction}".strip() if instruction is not None else None
            return ChatLayout(tokenizer, instruction=given)
        case other:
            raise BadInput(f"Unknown layout {other!r}; choose plain or chat.")


def read_passages(folder: Path, options: Mapping[str, str]) -> list[Evidence]:
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
        found = list(passages_of(rows.find(folder, "questions")))
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
