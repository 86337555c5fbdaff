"""The benchmark over saved SerpAPI responses lists what became of every date and page."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from serp_pages import GOOGLE

from dateline.errors import BadInput
from dateline_bench.benchmarks import serpapi


def test_every_date_string_is_listed_with_its_date(tmp_path: Path) -> None:
    (tmp_path / "page.json").write_text(json.dumps(GOOGLE), encoding="utf-8")
    report = serpapi.run(tmp_path)
    dates = {each["text"]: each["date"] for each in report.configuration["dates"]}
    expected = {
        "Jun 3, 2024": "2024-06-03",
        "Aug 2, 2023": "2023-08-02",
        "6 May 2019": "2019-05-06",
        "2 hours ago": "2025-09-25",
        "13 hours ago": "2025-09-25",
        "3 months ago": "2025-06",
        "2 years ago": "2023",
    }
    assert expected.items() <= dates.items()
    assert report.metrics["dates_read"] == 100
    assert report.configuration["pages"]["page"]["organic"] == 5
    assert (report.n, report.benchmark) == (1, "serpapi")


def test_a_folder_without_responses_and_unknown_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"holds no \.json file"):
        serpapi.run(tmp_path)
    with pytest.raises(BadInput, match="takes no option 'x'"):
        serpapi.run(tmp_path, x="1")
    (tmp_path / "page.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadInput, match="is not JSON"):
        serpapi.run(tmp_path)


def test_a_limit_takes_some_and_progress_counts_them(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.json").write_text(json.dumps(GOOGLE), encoding="utf-8")
    seen: list[tuple[str, int, int]] = []
    assert serpapi.run(tmp_path, limit=2, seed=3, progress=lambda *step: seen.append(step)).n == 2
    assert seen == [("responses", 1, 2), ("responses", 2, 2)]
