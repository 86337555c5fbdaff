"""Months of a benchmark to be asked, each beside the one before."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from dateline.errors import BadInput
from dateline.records import Evidence, Record
from dateline.temporal.as_of import read_moment
from dateline_bench.growing.articles import GrowingArticle, date_of
from dateline_bench.growing.benchmark_folder import months_in, read_articles
from dateline_bench.growing.grown import COUNTED, GrownQuestion
from dateline_bench.growing.published_form import read_instances
from dateline_bench.notes.questions import AFTER


class GrownStep(Record):
    """A month's questions, its documents and those of the month before.

    A document is a paragraph, dated by its month, and its source is the article's id. `gone` are the questions of the month before whose article is there no more, so that nothing answers them.
    """

    month: str
    questions: tuple[GrownQuestion, ...]
    gone: tuple[GrownQuestion, ...]
    documents: tuple[Evidence, ...]
    old_documents: tuple[Evidence, ...]

    @property
    def as_of(self) -> datetime:
        """Return the month's last moment."""
        return read_moment(date_of(self.month), clock=lambda: AFTER, future_ok=True)


def read_steps(folder: Path) -> list[GrownStep]:
    """Read a benchmark's months without the first, or one alone.

    Raises:
        BadInput: for a folder without a month that has one before it, and for what cannot be read.
    """
    given = folder.resolve()
    alone = (given / "qa.jsonl").is_file()
    home = given.parent if alone else given
    steps = [pair for pair in pairwise(months_in(home)) if not alone or pair[1] == given.name]
    if not steps:
        raise BadInput(
            f"{folder} holds no month that has one before it; make the first with dateline grow init, and a further "
            "one with dateline grow update."
        )
    return [_step(home, before=before, month=month) for before, month in steps]


def _step(home: Path, *, before: str, month: str) -> GrownStep:
    articles, old_articles = (read_articles(home, month=each) for each in (month, before))
    asked, earlier = (read_instances(home / each)[0] for each in (month, before))
    return GrownStep(
        month=month,
        questions=tuple(question for question in asked if question.type in COUNTED),
        gone=tuple(question for question in earlier if question.article not in articles),
        documents=_paragraphs(articles.values(), month=month),
        old_documents=_paragraphs(old_articles.values(), month=before),
    )


def _paragraphs(articles: Iterable[GrowingArticle], *, month: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence.make(
            " ".join(article.sentences[start:end]),
            title=article.title,
            source=article.id,
            published=date_of(month) or None,
        )
        for article in articles
        for start, end in article.paragraphs
    )
