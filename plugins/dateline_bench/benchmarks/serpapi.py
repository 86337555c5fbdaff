"""SerpAPI responses: dates read, and pieces of each kind."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from dateline.errors import BadInput
from dateline.evidence.dates import read_date
from dateline.evidence.json_text import text_of
from dateline.evidence.serp import SerpPage, parse_page
from dateline.temporal.interval import DAY, Interval, iso_of
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, watched
from dateline_bench.shares import share

DATE_FIELDS = frozenset({"date", "published_date", "published_at", "publish_date", "iso_date"})
TEXT_FIELDS = frozenset({"snippet", "answer", "result", "description", "question", "title"})
"""Fields looked for by their names alone, apart from what the parser knows of pages."""

NO_EVIDENCE = frozenset(
    [
        "search_metadata",
        "search_parameters",
        "search_information",
        "pagination",
        "serpapi_pagination",
        "related_searches",
        "menu_links",
        "sub_menu_links",
        "inline_images",
        "refine_this_search",
        "refine_search_filters",
        "inline_people_also_search_for",
        "ads",
        "filters",
        "about_this_result",
        "people_also_search_for",
        "see_results_about",
        "related_topics",
        "local_map",
        "shopping_results",
        "top_stories_link",
    ]
)
"""Components of a response that are no evidence: further searches, filters, pictures, advertisements."""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Parse every `.json` response in `folder`.

    Metrics: `dates_read`, the share of date strings anywhere in the responses that became a date; `texts_kept`, the
    share of snippets, answers, descriptions, questions and titles that stand in some piece of evidence;
    `pieces`, `dated`, `skipped`; milliseconds a page. The configuration lists dates and pages.

    Raises:
        BadInput: when there is no response, or an option is given.
    """
    if options:
        raise BadInput(f"The benchmark serpapi takes no option {next(iter(options))!r}.")
    paths = sorted(Path(folder).glob("*.json"))
    if not paths:
        raise BadInput(f"{folder} holds no .json file; save SerpAPI responses there, one a file.")
    paths = sorted(drawn(paths, limit=limit, seed=seed))
    dates: dict[tuple[str, str], str | None] = {}
    pages: dict[str, dict[str, int]] = {}
    texts = kept = pieces = dated = skipped = 0
    seconds: list[float] = []
    for path in watched(paths, stage="responses", progress=progress):
        response = _load(path)
        started = time.perf_counter()
        page = parse_page(response)
        seconds.append(time.perf_counter() - started)
        dates.update(_dates(response, page))
        shown = [text for name, text in _strings(response, TEXT_FIELDS) if text]
        evidence_text = "\n".join(f"{each.title}\n{each.text}" for each in page.evidence)
        texts += len(shown)
        kept += sum(text in evidence_text for text in shown)
        pages[path.stem] = dict(Counter(each.kind for each in page.evidence))
        pieces += len(page.evidence)
        dated += sum(each.published is not None for each in page.evidence)
        skipped += len(page.skipped)
    read = sum(date is not None for date in dates.values())
    return BenchmarkReport(
        benchmark="serpapi",
        n=len(paths),
        configuration={
            "dates": [{"text": text, "searched": day, "date": date} for (text, day), date in dates.items()],
            "pages": pages,
        },
        metrics={
            "dates_read": share(read, len(dates)),
            "texts_kept": share(kept, texts),
            "pieces": float(pieces),
            "dated": float(dated),
            "skipped": float(skipped),
            "ms_median": 1000 * statistics.median(seconds),
            "ms_max": 1000 * max(seconds),
        },
        baselines={},
        cost={"seconds": sum(seconds)},
    )


def date_text(published: Interval | None) -> str | None:
    """Write a date as short as its precision allows."""
    if published is None:
        return None
    if published.start is not None and published.granularity in ("second", "minute", "hour"):
        return iso_of(published.start // DAY * DAY)
    return published.isoformat()


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as cause:
        raise BadInput(f"{path} is not JSON; save a SerpAPI response as it came.") from cause


def _dates(response: Any, page: SerpPage) -> Iterator[tuple[tuple[str, str], str | None]]:
    """Return every distinct date string of a response with its date."""
    searched: datetime | None = page.searched_at
    day = "" if searched is None else searched.date().isoformat()
    for text, date in page.dates:
        yield (text, day), date_text(date)
    taken = {text for text, _ in page.dates}
    for _, text in _strings(response, DATE_FIELDS):
        if text and text not in taken:
            yield (text, day), date_text(read_date(text, now=searched))


def _strings(value: Any, names: frozenset[str], depth: int = 12) -> Iterator[tuple[str, str]]:
    if depth == 0:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in NO_EVIDENCE:
                continue
            if name in names and isinstance(inner, str):
                yield name, text_of(inner)
            else:
                yield from _strings(inner, names, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner, names, depth - 1)
