"""Rows of tables and JSON are dated each by its own day, whatever the file calls it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from dateline.documents.separated import separated_rows
from dateline.documents.stamp import stamp_entries
from dateline.limits import DOCUMENT
from dateline.ranking.documents import document_numbers
from dateline.search import load_documents
from dateline_cli.main import main

EARLY, LATE = "The mayor of Lund is Ada Berg.", "The mayor of Lund is Cy Dahl."
ARTICLES = [{"text": EARLY, "published": "2018-03-01"}, {"text": LATE, "published": "2023-03-01"}]
DAYS = {EARLY: "2018-03-01", LATE: "2023-03-01"}

FILES: dict[str, str] = {
    "day.csv": f"Day,Note\n2018-03-01,{EARLY}\n2023-03-01,{LATE}\n",
    "entry_date.csv": f"note,entry_date\n{EARLY},2018-03-01\n{LATE},2023-03-01\n",
    "other language.csv": f"Datum;Notiz\n1.3.2018;{EARLY}\n1.3.2023;{LATE}\n",
    "a text and a day.csv": f"Datum,Text\n2018-03-01,{EARLY}\n2023-03-01,{LATE}\n",
    "without names.csv": f"2018-03-01,{EARLY}\n2023-03-01,{LATE}\n",
    "answer of a server.json": json.dumps({"status": "ok", "total": 2, "page": 1, "size": 9, "articles": ARTICLES}),
    "inside.json": json.dumps({"data": {"articles": ARTICLES}}),
    "hits.json": json.dumps(
        {
            "took": 3,
            "timed_out": False,
            "_shards": {"total": 1},
            "hits": {"total": {"value": 2}, "hits": [{"_id": "1", "_source": each} for each in ARTICLES]},
        }
    ),
    "a stray null.json": json.dumps([None, *ARTICLES]),
}


def days(folder: Path) -> dict[str, str]:
    """The day of each mayor's passage."""
    return {
        told: str(piece.published)
        for piece in load_documents(folder).documents
        for told in (EARLY, LATE)
        if told in piece.text
    }


@pytest.mark.parametrize("name", FILES)
def test_each_row_has_its_own_day(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    assert days(tmp_path) == DAYS


@pytest.mark.parametrize("name", ["day.csv", "entry_date.csv", "other language.csv", "a text and a day.csv"])
def test_a_table_that_a_loader_gave_as_text_is_stamped_row_by_row(name: str) -> None:
    ((first, second),) = stamp_entries([(FILES[name], {})])
    assert [str(each.stamp.published) for each in (first, second)] == list(DAYS.values())


@pytest.mark.parametrize("name", ["deadline", "birthday", "deadline_date"])
def test_a_date_of_another_kind_beside_texts_is_no_day_of_publication(name: str, tmp_path: Path) -> None:
    (tmp_path / "grants.csv").write_text(f"text,{name}\n{EARLY},2027-03-01\n{LATE},2027-04-01\n", encoding="utf-8")
    assert [piece.published for piece in load_documents(tmp_path).documents] == [None, None]


def test_a_text_with_commas_and_days_is_no_table() -> None:
    text = "Dear Ada, dear Bo,\nwe met on\n3 May 2019, 4 May 2019, and\n5 May 2019, in Lund.\n"
    assert [[part.text for part in parts] for parts in stamp_entries([(text, {})])] == [[text]]


def test_a_later_row_answers_no_earlier_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.csv").write_text(FILES["day.csv"], encoding="utf-8")
    for as_of, mayor in (("2019", "Ada Berg"), ("2024", "Cy Dahl")):
        assert main(["ask", "Who is the mayor of Lund?", "--docs", str(tmp_path), "--as-of", as_of, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["answer"] == mayor


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "Name,Since\nAda,2018-03-01\nBo,unknown\nCy,2023-03-01\nDi,\nEd,\n"),
        ("a.csv", "Item,2018-03-01,2023-03-01\nOil,40,60\nGas,20,35\n"),
        ("a.json", json.dumps({"a": ARTICLES, "b": ARTICLES})),
        ("a.json", json.dumps({"w": 1, "x": 2, "y": 3, "rows": [["2018-03-01", EARLY], ["2023-03-01", LATE]]})),
        ("a.yaml", f"a: 1\nb: [[2018-03-01, {EARLY}], [2023-03-01, {LATE}]]\n"),
    ],
)
def test_rows_that_are_one_document_are_dated_by_the_latest(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert {str(piece.published) for piece in load_documents(tmp_path).documents} == {"2023-03-01"}


def test_a_date_of_the_files_name_goes_before(tmp_path: Path) -> None:
    (tmp_path / "2024-05-06 mayors.csv").write_text("Name,Since\nAda,2018-03-01\nBo,\nCy,2023-03-01\nDi,\nEd,\n")
    assert {str(piece.published) for piece in load_documents(tmp_path).documents} == {"2024-05-06"}


def test_what_stands_beside_a_list_of_dated_objects_is_read_too(tmp_path: Path) -> None:
    place: dict[str, Any] = {"label": "Lund", "country": "Sweden", "people": 90_000, "mayors": ARTICLES}
    (tmp_path / "lund.json").write_text(json.dumps(place), encoding="utf-8")
    assert days(tmp_path) == DAYS
    assert any("country: Sweden" in piece.text for piece in load_documents(tmp_path).documents)


def test_columns_called_by_days_keep_their_names() -> None:
    assert list(separated_rows("Item,2018-03-01,2023-03-01\nOil,40,60\n")) == [
        {"Item": "Oil", "2018-03-01": "40", "2023-03-01": "60"}
    ]


def test_a_value_may_hold_any_character_that_ends_no_line_of_a_file() -> None:
    value = "one\u2028two\u2029three\x85four\x0cfive\x0bsix"
    assert list(separated_rows(f'date,text\r\n2024-03-01,{value}\r2024-03-02,"two\nlines"\n')) == [
        {"date": "2024-03-01", "text": value},
        {"date": "2024-03-02", "text": "two\nlines"},
    ]


def test_one_long_value_loses_no_other_row(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text(f'date,text\n2018-03-01,{EARLY}\n2023-03-01,"{"word " * 40_000}"\n')
    assert days(tmp_path)[EARLY] == "2018-03-01"
    [longest, _] = separated_rows(f"text\n{'a' * DOCUMENT}\nb")
    assert len(longest["text"]) == DOCUMENT


def test_fields_beside_the_one_list_of_an_object_are_read_and_date_what_has_no_day(tmp_path: Path) -> None:
    bare = [{"text": EARLY}, {"text": LATE}]
    (tmp_path / "a.json").write_text(json.dumps({"date": "2020-05-06", "place": "Lund", "mayors": bare}))
    (whole,) = load_documents(tmp_path).documents
    assert str(whole.published) == "2020-05-06"
    assert all(each in whole.text for each in (EARLY, LATE, "Lund"))
    (tmp_path / "a.json").write_text(json.dumps({"date": "2024-05-06", "place": "Lund", "mayors": ARTICLES}))
    assert days(tmp_path) == DAYS
    beside = [piece for piece in load_documents(tmp_path).documents if "place: Lund" in piece.text]
    assert [str(piece.published) for piece in beside] == ["2024-05-06"]
    (tmp_path / "a.json").write_text(json.dumps({"place": "Lund", "mayors": bare}))
    assert {piece.text for piece in load_documents(tmp_path).documents} == {EARLY, LATE, "place: Lund"}


@pytest.mark.parametrize("header", ["text", '"text, of the notice"'])
def test_a_table_of_one_column_keeps_its_texts_whole_whatever_signs_stand_in_them(header: str) -> None:
    told = ["The price is 5; the fee is 3.", "Open on Monday | Tuesday.", "Closed\ton Sunday; in May; in June."]
    rows = list(separated_rows("\n".join([header, *told])))
    assert [[*row.values()] for row in rows] == [[each] for each in told]


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_the_rows_of_a_table_under_a_title_are_dated_each_by_its_own_day(separator: str, tmp_path: Path) -> None:
    rows = [["Note", "Day"], [EARLY, "2018-03-01"], [LATE, "2023-03-01"]]
    lines = ["Members 2024", *map(separator.join, rows)]
    assert [[*row.values()] for row in separated_rows("\n".join(lines))] == rows
    (tmp_path / "members.csv").write_text("\n".join(lines), encoding="utf-8")
    assert days(tmp_path) == DAYS


def test_rows_without_titles_are_each_a_document_and_a_long_one_stays_whole(tmp_path: Path) -> None:
    long = "\n\n".join(f"Paragraph {number} of the minutes. {'The council met. ' * 40}" for number in range(4))
    for name, rows in (("log.jsonl", 3), ("log.json", 3), ("log.csv", 3)):
        texts = [EARLY, long, LATE]
        lines = [{"text": text, "date": "2019-05-06"} for text in texts]
        out = io.StringIO()
        writer = csv.DictWriter(out, ["text", "date"])
        writer.writeheader()
        writer.writerows(lines)
        written = {
            "log.jsonl": "\n".join(map(json.dumps, lines)),
            "log.json": json.dumps(lines),
            "log.csv": out.getvalue(),
        }
        (tmp_path / name).write_text(written[name], encoding="utf-8")
        documents = load_documents(tmp_path / name).documents
        numbers = document_numbers(documents).tolist()
        assert len(documents) > rows
        assert [numbers[0], *dict.fromkeys(numbers[1:-1]), numbers[-1]] == [0, 1, 2]


def test_rows_that_share_a_title_or_an_address_are_one_document(tmp_path: Path) -> None:
    for further in ({"title": "Lund"}, {"url": "https://lund.example/mayors"}):
        (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({**each, **further}) for each in ARTICLES))
        documents = load_documents(tmp_path / "a.jsonl").documents
        assert document_numbers(documents).tolist() == [0, 0]
        assert {each.row for each in documents} == {None}


def test_lines_within_the_values_of_a_table_do_not_decide_its_separator(tmp_path: Path) -> None:
    value = "First, it rained,\nsecond, it hailed,\nthird, it snowed."
    assert list(separated_rows(f'date;text\n2018-03-01;"{value}"\n')) == [{"date": "2018-03-01", "text": value}]
