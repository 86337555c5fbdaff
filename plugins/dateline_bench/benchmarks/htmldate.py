"""Dates of web pages, with and without the extra `web`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from dateline.documents.raw import RawDocument
from dateline.errors import BadInput
from dateline.formats.html_page import read_html
from dateline.formats.web_page import web_extra, with_extra
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched

ITEMS = '"said": '
"""What every line of verdicts holds."""


class DatedPage(BaseModel):
    """A page as it was fetched, with its day of publication."""

    url: str
    date: str | float | None
    html: str

    @property
    def day(self) -> str:
        """The day as `2021-05-06`; empty for a page without one."""
        return self.date[:10] if isinstance(self.date, str) else ""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `pages.jsonl[.gz]`: {url, date, html}.

    A page is read as a file of a folder is, without its address. A day that is right counts as found, another as wrong, and
    none, or a mere month, as missed. `precision` is found of those given a day, `recall` found of found and missed, as
    htmldate's own evaluation counts. With the extra `web` installed, the figures are those with it, and the baseline is the
    reader alone. Option: `items`, a file to which each verdict is written.
    """
    refuse_unknown(options, "items")
    pages = drawn(list(rows.read_as(DatedPage, rows.find(folder, "pages"))), limit=limit, seed=seed)
    if not pages:
        raise BadInput(f"{folder} holds no page; each line of pages.jsonl is a page.")
    begun = time.perf_counter()
    alone, extra = list[RawDocument](), list[RawDocument]()
    for page in watched(pages, stage="pages", progress=progress):
        alone.append(read_html(page.html))
        if web_extra():
            is_dated = alone[-1].dated(None).published is not None
            extra.append(with_extra(alone[-1], page.html, is_dated=is_dated))
    without = _figures(pages, alone)
    best = _figures(pages, extra) if extra else without
    if "items" in options:
        rows.write(Path(options["items"]), _verdicts(pages, extra or alone))
    return BenchmarkReport(
        benchmark="htmldate",
        n=len(pages),
        configuration={"extra": web_extra()},
        metrics={**best, "F_without_extra": without["F"]},
        baselines={"without the extra": without} if extra else {},
        cost={"seconds": time.perf_counter() - begun},
    )


def _day(raw: RawDocument) -> str:
    found = raw.dated(None, by_text=True).published
    said = found.isoformat() if found is not None else ""
    return said[:10] if len(said) >= 10 and "/" not in said[:10] else ""


def _figures(pages: Sequence[DatedPage], raws: Sequence[RawDocument]) -> dict[str, float]:
    given = [(page.day, _day(raw)) for page, raw in zip(pages, raws, strict=True)]
    found = sum(day == said != "" for day, said in given)
    wrong = sum(said not in ("", day) for day, said in given)
    missed = sum(day != "" == said for day, said in given)
    precision, recall = found / max(found + wrong, 1), found / max(found + missed, 1)
    f = 2 * precision * recall / (precision + recall) if found else 0.0
    return {"precision": 100 * precision, "recall": 100 * recall, "F": 100 * f}


def _verdicts(pages: Sequence[DatedPage], raws: Sequence[RawDocument]) -> list[dict[str, Any]]:
    return [
        {"url": page.url, "date": page.day, "said": _day(raw), "by": raw.dated(None, by_text=True).by}
        for page, raw in zip(pages, raws, strict=True)
    ]
