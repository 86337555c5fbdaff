"""LoCoMo as a stream: are the right turns found?

Files: the set's own conversations, `*.json`. Every turn is a document of its session's date, titled by its speaker, and
enters the store through the local updater in order of time. Questions without an answer (category 5) are left out, and those
whose gold turns the conversation does not have.

`evidence_R@k`: the share of a question's gold turns among the first k turns behind the nearest facts, asked at the end of
the conversation. `then_evidence_R@k`: asked as of the session of its last gold turn, with all later turns in the store.

Baselines on the same embeddings: `vectors`, a plain vector store of the same sentences without histories;
`vectors_dated`, the same without sentences of sessions after the asked date; `turns`, a plain store of whole turns.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from dateline.errors import BadInput
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.fact_reader import facts_of
from dateline.facts.index import Vectors
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched

DEPTHS = (5, 10)
UNANSWERABLE = 5
"""The category of questions whose premise never happened."""

_CANDIDATES = 5 * DEPTHS[-1]
_LEARNT = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class LocomoConversation:
    """The turns in order, and (question, gold turns) of what is asked."""

    turns: tuple[Evidence, ...]
    asked: tuple[tuple[str, frozenset[str]], ...]


@dataclass(frozen=True)
class LocomoVectors:
    """Baseline store without histories: texts, turns and times."""

    turns: Sequence[str]
    times: Any
    vectors: Vectors

    def nearest(self, query: Vectors, *, until: int | None = None) -> list[str]:
        scores = self.vectors @ query
        if until is not None:
            scores = np.where(self.times <= until, scores, -np.inf)
        order = np.argsort(-scores, kind="stable")[:_CANDIDATES]
        return [self.turns[row] for row in order if np.isfinite(scores[row])]


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure; `limit` questions of each conversation are drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, no question, or an option (there is none).
    """
    refuse_unknown(options)
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise BadInput(f"{folder} holds no conversation (*.json) of LoCoMo; see docs/benchmarks.md.")
    inner = default_embeddings()
    embeddings = RememberedEmbeddings(CachedEmbeddings(inner, name=inner.name))
    scores: dict[str, list[dict[str, float]]] = {}
    seconds, facts, turns = 0.0, 0, 0
    conversations = [load(path) for path in paths]
    if not any(conversation.asked for conversation in conversations):
        raise BadInput(f"{folder} holds no question with an answer and evidence.")
    for conversation in watched(conversations, stage="conversations", progress=progress):
        asked = list(conversation.asked)
        asked = drawn(asked, limit=limit, seed=seed)
        with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings) as store:
            # All at once, which is several times faster than one by one.
            embed([fact.text for turn in conversation.turns for fact in facts_of(turn)], embeddings=embeddings)
            embed([question for question, _ in asked], embeddings=embeddings)
            started = time.perf_counter()
            LocalUpdater(store).update(conversation.turns, known_at=_LEARNT)
            seconds += time.perf_counter() - started
            facts, turns = facts + len(store.at(which="any")), turns + len(conversation.turns)
            for name, rows in _measure(store, conversation, asked, embeddings=embeddings).items():
                scores.setdefault(name, []).extend(rows)
    figures = {
        name: {metric: 100 * mean(row[metric] for row in rows) for metric in rows[0]} for name, rows in scores.items()
    }
    return BenchmarkReport(
        benchmark="locomo",
        n=len(scores["dateline"]),
        configuration={"embeddings": embeddings.name, "turns": turns, "facts": facts, "seed": seed},
        metrics=figures.pop("dateline"),
        baselines=figures,
        cost={"stream_seconds": seconds, "milliseconds_per_turn": 1000 * seconds / turns},
    )


def load(path: Path) -> LocomoConversation:
    """Read one conversation. Raises `BadInput` when it is none."""
    try:
        original = json.loads(path.read_text(encoding="utf-8"))
        sessions = original["conversation"]
        names = [name for name in sessions if re.fullmatch(r"session_\d+", name)]
        turns = [
            Evidence(
                id=turn["dia_id"],
                text=turn["text"],
                title=turn["speaker"],
                source=name,
                published=_date(sessions[f"{name}_date_time"]),
            )
            for name in sorted(names, key=lambda name: int(name.split("_")[1]))
            for turn in sessions[name]
        ]
        known = {turn.id for turn in turns}
        asked = [
            (str(row["question"]), gold)
            for row in original["qa"]
            if row["category"] != UNANSWERABLE and (gold := gold_turns(row["evidence"]) & known)
        ]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as cause:
        raise BadInput(f"{path} is no conversation of LoCoMo: {type(cause).__name__} {cause}.") from cause
    return LocomoConversation(tuple(turns), tuple(asked))


def gold_turns(evidence: Sequence[str]) -> frozenset[str]:
    """Return the turns that a question names; the set writes some together.

    Example:
        >>> sorted(gold_turns(["D8:6; D9:17", "D:11:26", "D9:1 D4:4"]))
        ['D11:26', 'D4:4', 'D8:6', 'D9:1', 'D9:17']
    """
    named = re.findall(r"D:?(\d+):(\d+)", " ".join(evidence))
    return frozenset(f"D{int(session)}:{int(turn)}" for session, turn in named)


def _date(text: str) -> Interval:
    """ "1:56 pm on 8 May, 2023" """
    return Interval.of_moment(datetime.strptime(text.rpartition(" on ")[2], "%d %B, %Y").date())


def _measure(
    store: FactStore, conversation: LocomoConversation, asked: Sequence[tuple[str, frozenset[str]]], *, embeddings: Any
) -> dict[str, list[dict[str, float]]]:
    """For every system a row of figures for each question."""
    said = {turn.id: _start(turn) for turn in conversation.turns}
    days = {turn.id: turn.published for turn in conversation.turns}
    end = max(said, key=said.__getitem__)
    pieces = [(turn.id, fact.text) for turn in conversation.turns for fact in facts_of(turn)]
    sentences = _plain(pieces, said=said, embeddings=embeddings)
    whole = _plain([(t.id, f"{t.title}: {t.text}") for t in conversation.turns], said=said, embeddings=embeddings)

    def recall(query: Vectors, last: str) -> dict[str, Callable[[], list[str]]]:
        return {
            "dateline": lambda: _turns_behind(store, query, as_of=days[last]),
            "vectors": lambda: sentences.nearest(query),
            "vectors_dated": lambda: sentences.nearest(query, until=said[last]),
            "turns": lambda: whole.nearest(query),
        }

    rows: dict[str, list[dict[str, float]]] = {}
    for question, gold in asked:
        query = embed([question], embeddings=embeddings)[0]
        found: dict[str, dict[str, float]] = {}
        for prefix, last in (("", end), ("then_", max(gold, key=said.__getitem__))):
            for name, search in recall(query, last).items():
                turns = list(dict.fromkeys(search()))
                found.setdefault(name, {}).update(
                    {f"{prefix}evidence_R@{k}": len(gold & set(turns[:k])) / len(gold) for k in DEPTHS}
                )
        for name, row in found.items():
            rows.setdefault(name, []).append(row)
    return rows


def _turns_behind(store: FactStore, query: Vectors, *, as_of: Interval | None) -> list[str]:
    """Return the turns behind the nearest facts, nearest first."""
    (found,) = store.search_vectors(query[np.newaxis], as_of=as_of, k=_CANDIDATES)
    return [entry.document for fact in found for entry in reversed(fact.entries) if entry.true]


def _plain(pieces: Sequence[tuple[str, str]], *, said: dict[str, int], embeddings: Any) -> LocomoVectors:
    turns = [turn for turn, _ in pieces]
    return LocomoVectors(
        turns, np.array([said[turn] for turn in turns]), embed([text for _, text in pieces], embeddings=embeddings)
    )


def _start(turn: Evidence) -> int:
    return 0 if turn.published is None or turn.published.start is None else turn.published.start
