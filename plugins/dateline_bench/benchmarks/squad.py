"""SQuAD 1.1: spans read in one undated paragraph.

File: `questions.jsonl` with context, question and answers ({"text"}), the paragraph being all the evidence. Option
`articles=validation` keeps to the articles (title) that the shipped reader was not trained on.

`EM` and `F1` are the set's own (Rajpurkar et al., 2016): the best of the accepted answers, after normalisation. The baseline is the
paragraph's first sentence.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

from pydantic import BaseModel, ConfigDict, Field

from dateline.errors import BadInput
from dateline.evaluation.metrics import exact_match, normalise, token_f1
from dateline.reading.local import local_reader
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.text.sentences import split_sentences
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.held_out import held_out, read_part

AS_OF = datetime(2016, 6, 16, tzinfo=UTC)
"""The day the set was published."""


class SquadAnswer(BaseModel):
    """One accepted answer."""

    model_config = ConfigDict(frozen=True)

    text: str


class SquadQuestion(BaseModel):
    """One question with its paragraph and accepted answers."""

    model_config = ConfigDict(frozen=True)

    title: str = ""
    context: str
    question: str = Field(min_length=1)
    answers: tuple[SquadAnswer, ...] = Field(min_length=1)

    @property
    def golds(self) -> list[str]:
        """Return the accepted answers' texts."""
        return [answer.text for answer in self.answers]


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure the local reader over `limit` questions drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, or an unknown option or value.
    """
    articles = read_part(options, "articles")
    refuse_unknown(options, "articles")
    asked = [
        one
        for one in rows.read_as(SquadQuestion, rows.find(folder, "questions"))
        if articles == "all" or held_out(one.title)
    ]
    if not asked:
        raise BadInput(f"{folder} holds no questions{' on such articles' if articles == 'validation' else ''}.")
    asked = drawn(asked, limit=limit, seed=seed)
    reader, read = local_reader(), []
    started = time.perf_counter()
    for one in watched(asked, stage="read", progress=progress):
        evidence = [Evidence.make(one.context)]
        read.append(reader.read(decompose(one.question, as_of=AS_OF), evidence=evidence).reading.answer)
    seconds = time.perf_counter() - started
    return BenchmarkReport(
        benchmark="squad",
        n=len(asked),
        configuration={"reader": type(reader).__name__, "articles": articles, "seed": seed, "limit": limit},
        metrics=scores(asked, read),
        baselines={"first sentence": scores(asked, [_first_sentence(one.context) for one in asked])},
        cost={"seconds": seconds, "milliseconds_per_question": 1000 * seconds / len(asked)},
    )


def scores(asked: Sequence[SquadQuestion], answers: Sequence[str]) -> dict[str, float]:
    """Return exact match and token F1 in percent."""
    pairs = list(zip(asked, answers, strict=True))
    return {
        "EM": 100 * mean(exact_match(answer, golds=one.golds) for one, answer in pairs),
        # Version 1.1 gives no F1 to an answer of which normalisation leaves nothing; version 2 does.
        "F1": 100 * mean(token_f1(answer, golds=one.golds) if normalise(answer) else 0.0 for one, answer in pairs),
    }


def _first_sentence(text: str) -> str:
    return next((sentence.text for sentence in split_sentences(text)), "")
