"""Missing and foreign values in a date's field leave a document undated, or date it; none breaks the call."""

from __future__ import annotations

import logging
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from langchain_core.documents import Document

from dateline.documents import evidence_of, evidence_of_all
from dateline.documents.plain_values import plain
from dateline.documents.stamp import stamp_all


def dates(value: Any) -> set[str]:
    """What a document is dated with a value in a usual field, and in a named one, by each door."""
    read = [
        *(evidence_of(each).published for each in (Document("x", metadata={"date": value}), {"text": "x", "date": value})),
        evidence_of({"text": "x", "about": {"day": value}}, date_field="about.day").published,
        stamp_all([("x", {"date": value})])[0].published,
    ]  # fmt: skip
    return set(map(str, read))


def test_a_missing_value_is_no_date_and_no_error() -> None:
    missing = [
        None,
        "",
        float("nan"),
        np.float64("nan"),
        np.datetime64("NaT"),
        Decimal("NaN"),
        Decimal("sNaN"),
        [],
        [None],
    ]
    assert [dates(value) for value in missing] == [{"None"}] * len(missing)
    assert evidence_of_all([{"text": "x", "date": value} for value in missing], strict=True)


def test_what_pandas_has_for_a_missing_date_is_no_date_and_no_error() -> None:
    pandas = pytest.importorskip("pandas")
    for value in (pandas.NaT, pandas.NA):
        assert dates(value) == {"None"}
        assert plain(value) is None
    assert dates(pandas.Timestamp("2019-03-04")) == {"2019-03-04"}


@pytest.mark.parametrize("value", [np.array([1, 2]), np.array([]), np.array(["2019-03-04"] * 2)])
def test_an_array_in_a_dates_field_cannot_be_read_and_breaks_nothing(value: Any) -> None:
    assert dates(value) == {"None"}


@pytest.mark.parametrize(
    ("value", "date"),
    [
        (np.int64(2019), "2019"),
        (np.datetime64("2019-03-04"), "2019-03-04"),
        (np.datetime64("2019-03"), "2019-03"),
        (np.datetime64("2019-03-04T12:30", "ns"), "2019-03-04T12:30:00"),
        (["2019-03-04"], "2019-03-04"),
        (("4 March 2019",), "2019-03-04"),
        (Decimal("2019"), "2019"),
        (Decimal("1551657600"), "2019-03-04"),
        ({"$date": {"$numberLong": "1551657600000"}}, "2019-03-04"),
        ({"$date": ["2019-03-04"]}, "2019-03-04"),
    ],
)
def test_a_value_of_a_database_or_a_table_is_read_as_the_date_it_is(value: Any, date: str) -> None:
    assert dates(value) == {date}


def test_a_list_of_two_dates_is_none() -> None:
    assert dates(["2019-03-04", "2020-03-04"]) == {"None"}


def test_a_list_that_is_no_date_stays_a_list() -> None:
    assert evidence_of({"text": "x", "highlights": ["one"]}).highlights == ("one",)


def test_a_missing_value_does_not_hide_the_date_at_the_head_of_the_text() -> None:
    for missing in (None, "", float("nan")):
        assert (
            str(evidence_of(Document("---\ndate: 2022-09-01\n---\nx", metadata={"date": missing})).published)
            == "2022-09-01"
        )


def test_a_date_of_the_metadata_is_believed_before_one_at_the_head_of_the_text_however_it_is_spelled() -> None:
    assert (
        str(evidence_of(Document("Date: 2022-09-01\n\nx", metadata={"date": "2019-01-01"})).published) == "2019-01-01"
    )


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dateline.documents.unread_dates._WARNED", set())


def told(caplog: pytest.LogCaptureFixture, documents: list[Document], field: str) -> list[str]:
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="dateline"):
        evidence_of_all(documents, date_field=field)
        evidence_of_all(documents, date_field=field)
    return [each.getMessage() for each in caplog.records]


def test_a_named_field_that_no_document_has_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    documents = [Document("x", metadata={"date": "2019", "author": "Ana"}), Document("y", metadata={"date": "2020"})]
    assert told(caplog, documents, "dte") == ["No document has the field 'dte'; they hold 'date'."]
    bare = [Document("x", metadata={"author": "Ana"}), Document("y")]
    assert told(caplog, bare, "dte") == ["No document has the field 'dte'; they hold 'author'."]


def test_a_named_field_that_one_document_has_is_not_missed(caplog: pytest.LogCaptureFixture) -> None:
    documents = [Document("x", metadata={"date": "2019"}), Document("y", metadata={"issued": "2020"})]
    assert told(caplog, documents, "issued") == []
    stamped = Document("x", metadata={"dateline_date": "2019"})
    assert told(caplog, [stamped], "dtx") == []
