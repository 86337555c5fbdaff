"""FreshQA: changing and false-premise questions, judged relaxed and strict."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from langchain_core.language_models import BaseChatModel

from dateline.errors import check_least
from dateline.protocols import Reader, Search
from dateline.reading import ChatReader, ExtractiveReader
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn
from dateline_bench.fresh import FreshAnswerer, FreshJudges, FreshQuestion, evaluate, load_questions
from dateline_bench.fresh.corpus import search_over
from dateline_bench.fresh.options import FreshOptions
from dateline_bench.fresh.self_ask import ask_oneself
from dateline_bench.fresh.settings import FreshSettings
from dateline_bench.fresh.ways import FreshFindings, answer_alone, first_snippet, read_answer


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over published CSV files, each as of its day.

    Options:
        file: only that file of the folder.
        split: TEST or DEV; by default both.
        as_of: the asking day, instead of the one in each name.
        docs: a folder or JSONL file of dated documents to search; without it there is no evidence.
        embeddings: lexical, or semantic (`default_embeddings()`), which embeds every sentence of the documents first:
            minutes for a large corpus, kept on disk for the next time.
        model: a chat model by its LangChain name, `provider:model`; by default the local extractive reader answers.
        temperature: of that model; by default 0 as in the paper, `default` leaves it to the model.
        judge: rules, or a chat model by its LangChain name.
        order, cut, answer_box, related, sizes, evidences, demonstrations, snippets_only, premise_check, style: see
            `FreshSettings`; demonstrations, premise_check and style shape a prompt and need a model.
        self_ask, direct: yes or no, whether to run that baseline too where there is a model.
        at_once: questions under way at the same time.

    Raises:
        BadInput: for a missing or malformed file, or an unknown option or value.
        MissingExtra: when the model's package is not installed.
        ModelFailed: when no question at all could be answered.
    """
    chosen = FreshOptions.of(options)
    check_least(1, limit=limit)
    questions = load_questions(folder, file=chosen.file, split=chosen.split, as_of=chosen.day())
    questions = [questions[place] for place in sorted(drawn(range(len(questions)), limit=limit, seed=seed))]
    settings = chosen.settings(seed)
    model = chosen.chat_model(chosen.model) if chosen.model else None
    judge = FreshJudges.by_rules() if chosen.judge == "rules" else FreshJudges.by_model(chosen.chat_model(chosen.judge))
    semantic = chosen.embeddings == "semantic"
    search = search_over(Path(chosen.docs), semantic=semantic, progress=progress) if chosen.docs else None
    report = measure(
        questions,
        search=search,
        model=model,
        judge=judge,
        settings=settings,
        self_ask=chosen.self_ask == "yes",
        direct=chosen.direct == "yes",
        at_once=int(chosen.at_once) if chosen.at_once else None,
        progress=progress,
    )
    named = {"model": chosen.model, "judge": chosen.judge}
    named |= {"docs": Path(chosen.docs).name, "embeddings": chosen.embeddings} if chosen.docs else {}
    return report.model_copy(
        update={"configuration": {**report.configuration, **named, "split": chosen.split, "limit": limit, "seed": seed}}
    )


def measure(
    questions: Sequence[FreshQuestion],
    *,
    search: Search | None = None,
    model: BaseChatModel | None = None,
    judge: FreshJudges | None = None,
    settings: FreshSettings | None = None,
    self_ask: bool = True,
    direct: bool = True,
    at_once: int | None = None,
    progress: Progress | None = None,
) -> BenchmarkReport:
    """Our way of answering beside the baselines, over the same searches.

    Args:
        search: where evidence comes from; None: there is none.
        model: answers FreshPrompts; None: the local extractive reader.
        judge: by default `FreshJudges.by_rules()`.
        self_ask: whether to run that baseline too, where there is a model.
        direct: whether also to feed the model each question alone, without search, day or instruction (section 3).
        at_once: questions under way at the same time; by default 8 with a model, 1 without.

    Raises:
        BadInput: when there are no questions.
        ModelFailed: when no question at all could be answered.
    """
    started = time.perf_counter()
    settings, judge = settings or FreshSettings(), judge or FreshJudges.by_rules()
    at_once = at_once or (1 if model is None else 8)
    found = FreshFindings(search)
    reader: Reader = ExtractiveReader() if model is None else ChatReader(model, prompt=settings.prompt())
    ways: dict[str, FreshAnswerer] = {"first snippet": lambda asked: first_snippet(asked, found=found)}
    if model is not None and self_ask:
        ways["self_ask"] = lambda asked: ask_oneself(asked, found=found, model=model)
    if model is not None and direct:
        ways["direct"] = lambda asked: answer_alone(asked, model=model)
    ours = evaluate(
        questions,
        answer=lambda asked: read_answer(asked, found=found, reader=reader, settings=settings),
        judge=judge,
        at_once=at_once,
        progress=progress,
        stage="answers",
    )
    others = {
        name: evaluate(questions, answer=way, judge=judge, at_once=at_once, progress=progress, stage=name)
        for name, way in ways.items()
    }
    return BenchmarkReport(
        benchmark="freshqa",
        n=len(questions),
        configuration={
            "reader": type(reader).__name__,
            "search": "none" if search is None else type(search).__name__,
            "judges": type(judge.relaxed).__name__,
            **settings.configuration(),
        },
        metrics=ours.metrics(),
        baselines={name: other.metrics() for name, other in others.items()},
        cost={
            **ours.cost(),
            **{f"{name.replace(' ', '_')}_model_calls": other.cost()["model_calls"] for name, other in others.items()},
            "seconds": round(time.perf_counter() - started, 2),
        },
    )
