from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput, Interval
from dateline_bench.certainty_training.labelled import held_out, read_labelled

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def written(path: Path, *rows: Any) -> Path:
    file = path / "rows.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return file


def test_rows_hold_texts_or_dated_documents(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        {"question": "Who?", "document": "Ada.", "label": "reliable", "as_of": "2020-05"},
        "",
        {
            "question": "Who?",
            "documents": ["One.", {"text": "Two.", "title": "T", "published": "2019"}],
            "label": "uncertain",
        },
        {"question": "Who?", "documents": [], "label": "misleading"},
    )
    first, second, third = read_labelled(file, now=NOW)
    assert first.question.as_of.date().isoformat() == "2020-05-31"
    assert second.question.as_of == NOW
    assert [one.text for one in second.documents] == ["One.", "Two."]
    assert second.documents[1].published == Interval.of_year(2019)
    assert third.documents == ()


GOOD = {"question": "Who?", "document": "Ada.", "label": "reliable"}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{", "not JSON"),
        ([1], "not a JSON object"),
        ({**GOOD, "label": "right"}, "label must be one of"),
        ({**GOOD, "label": ["reliable"]}, "label must be one of"),
        ({**GOOD, "question": " "}, "question must be"),
        ({**GOOD, "documents": ["x"]}, "both"),
        ({"question": "Who?", "label": "reliable"}, "document must be"),
        ({**GOOD, "document": {"title": "x"}}, "an object with text"),
        ({**GOOD, "as_of": "soon"}, "soon"),
        ({**GOOD, "answer": "Ada"}, "'answer'"),
    ],
)
def test_the_first_bad_line_is_named_in_one_sentence(row: Any, told: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Line 2 of") as caught:
        read_labelled(written(tmp_path, GOOD, row), now=NOW)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_without_rows_or_none_at_all_is_refused(tmp_path: Path) -> None:
    for path in (written(tmp_path, ""), tmp_path / "none.jsonl"):
        with pytest.raises(BadInput):
            read_labelled(path, now=NOW)


@pytest.mark.parametrize("seed", range(8))
def test_the_rows_of_one_question_stay_together(seed: int, tmp_path: Path) -> None:
    labels = ("reliable", "misleading", "uncertain")
    asked = [
        {**GOOD, "question": f"Q{n}{mark}", "label": one}
        for n in range(10)
        for one, mark in zip(labels, ("?", "", " ?"), strict=True)
    ]
    kept, out = held_out(read_labelled(written(tmp_path, *asked), now=NOW), share=0.2, seed=seed)
    assert {row.question.text.strip("? ") for row in kept}.isdisjoint(row.question.text.strip("? ") for row in out)
    assert sorted(row.label for row in out) == sorted(labels * 2)


def test_of_a_label_with_several_questions_some_are_held_out_and_some_kept(tmp_path: Path) -> None:
    rows = [{**GOOD, "question": f"Q{n}?", "label": "reliable" if n < 2 else "misleading"} for n in range(4)] * 5
    kept, out = held_out(read_labelled(written(tmp_path, *rows), now=NOW), share=0.1, seed=0)
    assert {row.label for row in kept} == {row.label for row in out} == {"reliable", "misleading"}


def test_the_held_out_rows_have_every_label_and_are_never_trained_on(tmp_path: Path) -> None:
    labels = ["reliable"] * 10 + ["misleading"] * 4 + ["uncertain"] * 6
    rows = read_labelled(
        written(tmp_path, *({**GOOD, "question": f"Q{n}?", "label": label} for n, label in enumerate(labels))), now=NOW
    )
    kept, out = held_out(rows, share=0.2, seed=3)
    assert sorted(row.label for row in out) == ["misleading", "reliable", "reliable", "uncertain"]
    assert {row.question.text for row in kept} | {row.question.text for row in out} == {r.question.text for r in rows}
    assert len(kept) + len(out) == len(rows)
    assert held_out(rows, share=0.2, seed=3) == (kept, out)
    with pytest.raises(BadInput):
        held_out(rows, share=1.0, seed=3)
