"""The folder search answers only with what was known on the asking day."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dateline.errors import BadInput
from dateline.protocols import Search
from dateline.records import Evidence
from dateline.search import FolderSearch
from dateline.temporal.interval import Interval

BRIDGE_OLD = Evidence.make("The bridge carries trams.", title="Bridge", published=Interval.of_year(2012))
BRIDGE_NEW = Evidence.make("The bridge carries bicycles.", title="Bridge", published=Interval.of_day(2020, 6, 1))
UNDATED = Evidence.make("A bridge is a structure.", title="Bridges")
OTHER = Evidence.make("Bread rises in the oven.", title="Bread", published=Interval.of_day(2015, 1, 1))
DOCUMENTS = (OTHER, BRIDGE_OLD, UNDATED, BRIDGE_NEW)


def at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def test_it_is_a_search() -> None:
    assert isinstance(FolderSearch(DOCUMENTS), Search)


def test_later_documents_are_not_known_and_counted() -> None:
    result = FolderSearch(DOCUMENTS).search("What does the bridge carry?", as_of=at(2016))
    assert BRIDGE_NEW.id not in {each.id for each in result.evidence}
    assert result.skipped == ("1 passage was published after 2016-01-01",)


def test_a_document_of_the_asking_day_is_known() -> None:
    result = FolderSearch(DOCUMENTS).search("bridge", as_of=at(2020, 6, 1))
    assert BRIDGE_NEW.id in {each.id for each in result.evidence}


def test_undated_documents_stay() -> None:
    result = FolderSearch(DOCUMENTS).search("bridge structure", as_of=at(1990))
    assert [each.id for each in result.evidence] == [UNDATED.id]


@pytest.mark.parametrize("name", ["bridge.txt", "bridge.md", "bridge.jsonl"])
def test_a_folder_without_any_date_is_searched_by_content_at_every_asking_date(tmp_path: Path, name: str) -> None:
    texts = ("The bridge carries trams.", "Bread rises in the oven.")
    for number, text in enumerate(texts):
        (tmp_path / f"{number}-{name}").write_text(
            json.dumps({"text": text}) if name.endswith("jsonl") else text, encoding="utf-8"
        )
    search = FolderSearch.open(tmp_path)
    for year in (1, 1990, 9999):
        result = search.search("What does the bridge carry?", as_of=at(year))
        assert result.evidence[0].text == texts[0]
        assert result.skipped == ()
        assert all(each.published is None for each in result.evidence)


def test_what_fits_comes_first_with_its_position() -> None:
    result = FolderSearch(DOCUMENTS).search("What does the bridge carry?", as_of=at(2024), k=3)
    assert [each.position for each in result.evidence] == [0, 1, 2]
    assert OTHER.id not in {each.id for each in result.evidence}


async def test_the_async_twin_finds_the_same() -> None:
    search = FolderSearch(DOCUMENTS)
    assert (await search.asearch("bridge", as_of=at(2024))).evidence == search.search("bridge", as_of=at(2024)).evidence


def test_no_documents_are_refused() -> None:
    with pytest.raises(BadInput, match="at least one document"):
        FolderSearch(())


def test_a_window_asks_for_its_own_time() -> None:
    early = Evidence.make("In 2012 the iron bridge was repaired by Arden and Sons.", title="Annual report")
    late = Evidence.make("In 2019 the iron bridge was repaired by the Brindle company.", title="Council notes")
    search = FolderSearch([early, late])
    for window in (Interval.of_year(2012), Interval(None, Interval.of_year(2012).end)):
        result = search.search("Who repaired the iron bridge?", as_of=at(2024), window=window)
        assert [each.id for each in result.evidence] == [early.id, late.id]


def test_a_window_up_to_the_asking_day_asks_for_nothing_more() -> None:
    search = FolderSearch(DOCUMENTS)
    everything = Interval(None, Interval.of_day(2024, 1, 1).end)
    plain = search.search("What does the bridge carry?", as_of=at(2024))
    assert search.search("What does the bridge carry?", as_of=at(2024), window=everything).evidence == plain.evidence
