"""DRAGIN's tables 1 to 6 from public weights, on one GPU.

    python benchmarks/dragin_tables.py --model llama2-13b-chat=FOLDER --model vicuna-13b-v1.5=FOLDER \
        --data 2wikimultihopqa=DIR --data hotpotqa=DIR --data strategyqa=DIR --data iirc=DIR \
        --out DIR [--device cuda] [--dtype float16] [--limit 1000] [--tables 2,3]

Each data folder holds `questions.jsonl` as published and `passages.jsonl` (`{"title", "text"}`), or the questions' own
paragraphs in `context`, as `dateline evaluate multihop` reads them. `--passages FILE` is one corpus for all of them: the
paper's is Wikipedia in 21 million passages, of which BM25 here holds in memory what it is given. Thresholds, n and
lengths are those of table 9; a model that table 9 has not takes those of `--settings`. Its n is of DRAGIN's queries: FL-RAG
retrieves every 25 tokens with these (section 5.4), or as `--fl-n` says. FLARE's threshold, which the paper
does not tell, is `--flare`. Greedy; demonstrations of our own, as many as in the paper.

Answers are kept in `--out` as they come, a file a model and data set, and a run that was cut off goes on there. The tables
are written to `tables.md`, percent where the paper has shares.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast, get_args

from dateline.dynamic import AttentionQuery, Bm25Search, CertainSentence, Flare, MethodName, Query, Trigger, method
from dateline.dynamic.hyperparameters import TABLE_9, Hyperparameters, PaperDataset, PaperModel
from dateline.dynamic.prompt import PlainLayout
from dateline.dynamic.queries import FullContext, LastSentence, LastTokens, QuestionQuery
from dateline.dynamic.triggers import EverySentence, EveryTokens, Never, RindPublished
from dateline.pretrained import load_pretrained
from dateline_bench.benchmarks.multihop import STOP_AT, read_passages
from dateline_bench.reasoned import answered, averages
from dateline_bench.reasoned.answer_log import AnswerLog
from dateline_bench.reasoned.demonstrations import INSTRUCTION, demonstrations
from dateline_bench.reasoned.questions import load
from dateline_bench.reasoned.shared_steps import SharingGenerator
from dateline_bench.rows import find

METHODS: tuple[MethodName, ...] = ("wo-rag", "sr-rag", "fl-rag", "fs-rag", "flare", "dragin-published")
THETAS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TIMING, FORMULATION = "iirc", "hotpotqa"
"""The data sets of table 4, and of tables 5 and 6."""

Figures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Cell:
    """A trigger and a query that some table asks for, by a name of its own."""

    name: str
    trigger: Trigger
    query: Query


def cells(row: Hyperparameters, *, dataset: str, tables: Sequence[int], flare: float, fl_n: int) -> list[Cell]:
    """All that the tables ask for on one data set; what several ask for stands once."""
    theta, n = row.threshold, row.n
    sizes = {name: fl_n if name == "fl-rag" else n for name in METHODS}
    found: list[Cell] = []
    if {2, 3} & set(tables):
        found += [
            Cell(name, *method(name, threshold=flare if name == "flare" else theta, n=sizes[name])) for name in METHODS
        ]
    if 4 in tables and dataset == TIMING:
        timings = {"flare": Flare(flare, cut="sentence"), "fl-rag": EveryTokens(fl_n), "fs-rag": EverySentence()}
        timings["dragin-published"] = RindPublished(theta)
        found += [Cell(f"timing of {name}", trigger, LastSentence()) for name, trigger in timings.items()]
    if 5 in tables and dataset == FORMULATION:
        asked = AttentionQuery(n, scope="question and answer")
        found += [Cell(f"theta {each}", RindPublished(each), asked) for each in THETAS]
    if 6 in tables and dataset == FORMULATION:
        queries = {
            "flare": CertainSentence(flare), "full context": FullContext(), "fs-rag": LastSentence(),
            "fl-rag": LastTokens(fl_n), "dragin-published": AttentionQuery(n, scope="question and answer"),
        }  # fmt: skip
        found += [Cell(f"query of {name}", RindPublished(theta), query) for name, query in queries.items()]
    return found


@cache
def corpus(folder: Path, passages: Path | None) -> Bm25Search:
    """The passages of a data folder, or those of all."""
    options = {} if passages is None else {"passages": str(passages)}
    return Bm25Search(read_passages(folder, options))


def measure(name: str, *, folder: Path, options: argparse.Namespace) -> dict[PaperDataset, dict[str, Figures]]:
    """The figures of one model's cells by data set."""
    model, tokenizer = load_pretrained(folder, device=options.device, dtype=options.dtype)
    measured: dict[PaperDataset, dict[str, Figures]] = {}
    for given, place in options.data.items():
        dataset, asked = load(find(place, "questions"), dataset=given)
        random.Random(options.seed).shuffle(asked)
        row = TABLE_9[name if name in TABLE_9 else options.settings][dataset]
        length = options.length or row.generate_length
        generator = SharingGenerator(
            model,
            tokenizer=tokenizer,
            retriever=corpus(place, options.passages if options.passages else None),
            trigger=Never(),
            query=QuestionQuery(),
            layout=PlainLayout(demonstrations=demonstrations(dataset), instruction=INSTRUCTION),
            max_new_tokens=length,
            stop_at=STOP_AT,
        )
        settings = {"model": name, "dataset": dataset, "seed": options.seed, "length": length, "flare": options.flare}
        settings["fl_n"] = options.fl_n
        kept = AnswerLog(options.out / f"{name}--{dataset}.jsonl", settings=settings)
        wanted = cells(row, dataset=dataset, tables=options.tables, flare=options.flare, fl_n=options.fl_n)
        for done, question in enumerate(asked[: options.limit], start=1):
            for cell in wanted:
                if not kept.has(cell.name, question=question.id):
                    used = generator.with_options(trigger=cell.trigger, query=cell.query)
                    told = answered(question, generator=used)
                    kept.keep(cell.name, question=question.id, figures=told.figures, text=told.generation.text)
            generator.forget()
            print(f"{name}, {dataset}: {done} of {min(len(asked), options.limit)}", flush=True)
        ids = [each.id for each in asked[: options.limit]]
        measured[dataset] = {cell.name: averages(kept.of(cell.name, questions=ids)) for cell in wanted}
    return measured


# -- tables -----------------------------------------------------------------------------------


def markdown(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table under its title."""
    lines = [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join([f"## {title}", "", *lines, ""])


def shown(figures: Figures, *names: str) -> list[str]:
    """Figures by name; a dash for what a data set has not."""
    return [f"{figures[name]:.2f}" if name in figures else "-" for name in names]


def table_1() -> str:
    """What each method does, from the methods themselves."""
    made = {name: method(name, threshold=1.0) for name in METHODS}
    rows = [[name, each.trigger.name, each.query.name] for name, each in made.items()]
    return markdown("Table 1: when to retrieve, and what to ask", ["method", "trigger", "query"], rows)


def written(figures: Mapping[str, Mapping[PaperDataset, Mapping[str, Figures]]], *, tables: Sequence[int]) -> str:
    """All tables that were asked for."""
    parts = [table_1()] if 1 in tables else []
    datasets = list(dict.fromkeys(dataset for of_model in figures.values() for dataset in of_model))
    if 2 in tables:
        head = ["model", "method", *(f"{each} {what}" for each in datasets for what in ("EM", "F1", "accuracy"))]
        parts.append(markdown("Table 2: quality", head, [
            [model, name, *(one for each in datasets for one in shown(of[each][name], "EM", "F1", "accuracy"))]
            for model, of in figures.items() for name in METHODS
        ]))  # fmt: skip
    if 3 in tables:
        parts.append(markdown("Table 3: retrievals a question", ["model", "method", *datasets], [
            [model, name, *(shown(of[each][name], "retrievals")[0] for each in datasets)]
            for model, of in figures.items() for name in METHODS[2:]
        ]))  # fmt: skip
    for number, dataset, start, title in (
        (4, TIMING, "timing of ", "when to retrieve, the query being the last sentence"),
        (5, FORMULATION, "theta ", "theta of RIND"),
        (6, FORMULATION, "query of ", "what to ask, the trigger being RIND"),
    ):
        if number in tables and dataset in datasets:
            rows = [
                [model, name.removeprefix(start), *shown(row, "EM", "F1", "precision", "retrievals")]
                for model, of in figures.items()
                for name, row in of[cast(PaperDataset, dataset)].items()
                if name.startswith(start)
            ]
            head = ["model", start.strip(), "EM", "F1", "precision", "retrievals"]
            parts.append(markdown(f"Table {number}: {title} ({dataset})", head, rows))
    return "\n".join(parts)


def named(pairs: Sequence[str], *, parser: argparse.ArgumentParser) -> dict[Any, Path]:
    """NAME=FOLDER pairs."""
    found = {}
    for pair in pairs:
        name, equals, folder = pair.partition("=")
        if not equals or not Path(folder).is_dir():
            parser.error(f"write NAME=FOLDER with a folder that is there, not {pair!r}")
        found[name] = Path(folder)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--data", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--passages", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tables", default="1,2,3,4,5,6")
    parser.add_argument("--settings", default="llama2-7b-chat", choices=get_args(PaperModel))
    parser.add_argument("--flare", type=float, default=0.4)
    parser.add_argument("--fl-n", type=int, default=25, help="tokens of FL-RAG's windows and queries")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--length", type=int, help="tokens of an answer, instead of table 9's")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="auto")
    options = parser.parse_args(arguments)
    options.tables = [int(each) for each in options.tables.split(",")]
    models, options.data = named(options.model, parser=parser), named(options.data, parser=parser)
    if unknown := sorted(set(options.data) - set(get_args(PaperDataset))):
        parser.error(f"no data set {unknown[0]!r}; choose among {', '.join(get_args(PaperDataset))}")
    options.out.mkdir(parents=True, exist_ok=True)
    figures = {name: measure(name, folder=folder, options=options) for name, folder in models.items()}
    text = written(figures, tables=options.tables)
    (options.out / "tables.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
