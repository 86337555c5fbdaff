"""The benchmarks of time: their scoring, on small documents of our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dateline.errors import BadInput
from dateline.temporal import Interval, find_expressions
from dateline_bench.benchmark import load
from dateline_bench.benchmarks.tempeval3 import TempevalMention, pairs, read_document
from dateline_bench.timex import timex_type, timex_value

TIMEML = """<?xml version="1.0" ?>
<TimeML><DOCID>one</DOCID>
<DCT><TIMEX3 tid="t0" type="DATE" value="2021-12-01" functionInDocument="CREATION_TIME">20211201</TIMEX3></DCT>
<TEXT>The shop <EVENT eid="e1">opened</EVENT> <TIMEX3 tid="t1" type="DATE" value="2021-11-30">yesterday</TIMEX3> and
<EVENT eid="e2">closes</EVENT> in <TIMEX3 tid="t2" type="DATE" value="2023-05">May 2023</TIMEX3>, after
<TIMEX3 tid="t3" type="DURATION" value="P2Y">two years</TIMEX3>, on <TIMEX3 tid="t4" type="DATE" value="2024">a whim</TIMEX3>.
</TEXT></TimeML>
"""


@pytest.fixture
def timeml(tmp_path: Path) -> Path:
    (tmp_path / "one.tml").write_text(TIMEML, encoding="utf-8")
    return tmp_path


def test_a_document_keeps_its_text_offsets_and_creation_time(timeml: Path) -> None:
    document = read_document(timeml / "one.tml")
    assert document.created == Interval.of_day(2021, 12, 1)
    assert [document.text[mention.start : mention.end] for mention in document.mentions] == [
        "yesterday",
        "May 2023",
        "two years",
        "a whim",
    ]


def test_two_of_three_dates_found_and_right_make_an_f1_of_80(timeml: Path) -> None:
    report = load("tempeval3").run(timeml)
    assert report.metrics["relaxed_recall"] == pytest.approx(100 * 2 / 3)
    assert report.metrics["relaxed_precision"] == 100
    for name in ("strict_f1", "relaxed_f1", "value_f1", "type_f1"):
        assert report.metrics[name] == pytest.approx(80)


def test_each_mention_is_used_once_and_same_extents_go_first() -> None:
    gold = [TempevalMention(0, 10, "", "DATE", ""), TempevalMention(4, 8, "", "DATE", "")]
    found = [TempevalMention(4, 8, "", "DATE", ""), TempevalMention(6, 12, "", "DATE", "")]
    assert {(id(g), id(f)) for g, f in pairs(gold, found)} == {(id(gold[1]), id(found[0])), (id(gold[0]), id(found[1]))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in 2019", ("DATE", "2019")),
        ("in May 2019", ("DATE", "2019-05")),
        ("on 6 May 2019", ("DATE", "2019-05-06")),
        ("last week", ("DATE", "2021-W47")),
        ("the third quarter", ("DATE", "2021-Q3")),
        ("the first half of 2010", ("DATE", "2010-H1")),
        ("last summer", ("DATE", "2021-SU")),
        ("the 1990s", ("DATE", "199")),
        ("the early 1990s", ("DATE", "199")),
        ("the 19th century", ("DATE", "18")),
        ("this evening", ("TIME", "2021-12-01TEV")),
        ("at 10:35 a.m. yesterday", ("TIME", "2021-11-30T10:35")),
        ("now", ("DATE", "PRESENT_REF")),
        ("recently", ("DATE", "PAST_REF")),
        ("in the near future", ("DATE", "FUTURE_REF")),
        ("for two years", ("DURATION", "")),
        ("every Monday", ("SET", "")),
    ],
)
def test_expressions_are_written_as_timeml_writes_them(text: str, expected: tuple[str, str]) -> None:
    (found,) = find_expressions(text, anchor=Interval.of_day(2021, 12, 1))
    assert (timex_type(found), timex_value(found)) == expected


@pytest.mark.parametrize("name", ["tempeval3", "situatedqa"])
def test_a_folder_without_data_and_an_unknown_option_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        load(name).run(tmp_path)
    with pytest.raises(BadInput, match="no option"):
        load(name).run(tmp_path, colour="red")


def test_broken_timeml_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.tml").write_text("<TimeML><TEXT>", encoding="utf-8")
    with pytest.raises(BadInput, match=r"bad\.tml"):
        load("tempeval3").run(tmp_path)


def test_situatedqa_counts_a_question_only_when_content_and_date_both_came_out(tmp_path: Path) -> None:
    made = [
        {
            "question": "who runs the mill",
            "edited_question": "who runs the mill as of May 03, 2011",
            "date": "May 03, 2011",
        },
        {"question": "who runs the mill", "edited_question": "who ran the mill as of 2012", "date": "2012"},
        {"question": "who runs the mill", "edited_question": "who runs the mill", "date": "2012"},
        {"question": "who owns the mill", "edited_question": "who owns the mill as of 1999", "date": "1999"},
    ]
    (tmp_path / "temporal.jsonl").write_text("\n".join(map(json.dumps, made)), encoding="utf-8")
    report = load("situatedqa").run(tmp_path)
    assert report.n == 4
    assert report.metrics["decomposition_accuracy"] == 50
    assert report.metrics["constraint_accuracy"] == 75


@pytest.mark.parametrize(
    "wrong",
    [
        {"gold": [{"span": "year 2019", "interval": "2019-01-01/2020-01-01"}]},
        {"gold": [{"span": "2019", "interval": "2019-01-01"}]},
        {"gold": [{"span": "2019", "interval": "soon/2020-01-01"}]},
        {"anchor": "soon"},
    ],
)
def test_a_time_item_that_cannot_be_judged_is_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    item = {"id": "0", "kind": "expression", "anchor": "2021-12-01", "text": "In 2019 it rained.", **wrong}
    (tmp_path / "hand_written.jsonl").write_text(json.dumps(item), encoding="utf-8")
    with pytest.raises(BadInput, match=r"^Line 1 of .*does not fit"):
        load("time").run(tmp_path)


def test_time_items_are_judged_by_place_value_and_what_else_is_found(tmp_path: Path) -> None:
    made = [
        {
            "kind": "expression",
            "text": "in May 2021",
            "gold": [{"span": "May 2021", "interval": "2021-05-01/2021-06-01"}],
        },
        {
            "kind": "expression",
            "text": "late 2021",
            "gold": [{"span": "2021", "interval": "2021-01-01/2022-01-01", "within": True}],
        },
        {
            "kind": "expression",
            "text": "in 2021 and 2022",
            "gold": [{"span": "2021", "interval": "2021-01-01/2022-01-01"}],
        },
        {"kind": "expression", "text": "in 2021", "gold": [{"span": "2021", "interval": "2020-01-01/2021-01-01"}]},
        {"kind": "trap", "text": "It is a hall with 2000 seats."},
        {"kind": "trap", "text": "It opened in 2019."},
        {"kind": "question", "text": "Who led it in 2019?", "relations": ["at"], "interval": "2019-01-01/2020-01-01"},
        {"kind": "question", "text": "Who leads it?", "relations": [None, "as_of"]},
        {
            "kind": "question",
            "text": "Who led it in 2019?",
            "relations": ["before"],
            "interval": "2019-01-01/2020-01-01",
        },
        {"kind": "question", "text": "Was it more in 2023 than in 2021?", "relations": ["?"]},
    ]
    rows = [json.dumps({"id": str(number), "anchor": "2021-12-01", **item}) for number, item in enumerate(made)]
    (tmp_path / "hand_written.jsonl").write_text("\n".join(rows), encoding="utf-8")
    metrics = load("time").run(tmp_path, items=str(tmp_path / "verdicts.jsonl")).metrics
    assert metrics["sentences_right"] == 50
    assert metrics["traps_clean"] == 50
    assert metrics["questions_right"] == 75
    assert metrics["values_right"] == 75
    assert len((tmp_path / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()) == len(made)
