"""`dateline ask --batch` as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from dateline.temporal import asked_at
from dateline_cli.main import main
from dateline_graphs import AnswerOptions
from dateline_graphs.batch import read_batch

Run = Callable[..., tuple[int, str, str]]
QUESTION = "Who is the director of the Northern Observatory?"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], changed_fact: Path) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["ask", *arguments, "--docs", str(changed_fact)])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def questions(path: Path, *rows: Any) -> str:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return str(path)


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_each_question_has_an_answer_of_its_own_date_in_order(run: Run, tmp_path: Path) -> None:
    days = ("2022-05-01", "2016-05-01", "2022-05-01")
    rows = [{"question": QUESTION, "as_of": day, "id": day} for day in days]
    code, out, err = run("--batch", questions(tmp_path / "rows.jsonl", *rows))
    assert (code, err) == (0, "")
    assert [(line["id"], line["answer"]) for line in lines(out)] == [
        (day, "Anna Berg" if day < "2020" else "Carl Dahl") for day in days
    ]
    assert all(line["report"][name] == line[name] for line in lines(out) for name in ("answer", "headline"))


def test_a_text_file_holds_one_question_a_line_all_asked_at_one_date(run: Run, tmp_path: Path) -> None:
    file = questions(tmp_path / "questions.txt", QUESTION, "", QUESTION)
    _, out, _ = run("--batch", file, "--as-of", "2016-05-01")
    assert [(line["line"], line["answer"]) for line in lines(out)] == [(1, "Anna Berg"), (3, "Anna Berg")]


def test_a_question_that_cannot_be_asked_is_a_line_of_its_own(run: Run, tmp_path: Path) -> None:
    good = {"question": QUESTION, "as_of": "2022-05-01"}
    wrong: list[tuple[Any, str]] = [
        ({**good, "as_of": "yesterdayish"}, "yesterdayish"),
        ({"question": " "}, "empty"),
        ({"as_of": "2020"}, "no question"),
        ({"question": QUESTION, "asof": "2020"}, "as_of"),
        ({**good, "choices": "Anna"}, "choices"),
        ({**good, "history": "hello"}, "history"),
        ("no JSON", "JSON"),
        ("[1]", "object"),
    ]
    code, out, _ = run("--batch", questions(tmp_path / "rows.jsonl", *(row for row, _ in wrong), good))
    found = lines(out)
    assert code == 1
    for line, (_, expected) in zip(found, wrong, strict=False):
        assert expected in line["error"]
        assert line["report"] is None
    assert (found[-1]["answer"], found[-1]["error"]) == ("Carl Dahl", "")


def test_a_killed_run_goes_on_behind_its_last_whole_line(run: Run, tmp_path: Path) -> None:
    rows = [{"question": QUESTION, "as_of": day} for day in ("2016-05-01", "2022-05-01")]
    batch, out = questions(tmp_path / "rows.jsonl", *rows), tmp_path / "answers.jsonl"
    assert run("--batch", batch, "--out", str(out))[0] == 0
    first, second = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(first + second[:100])
    _, told, _ = run("--batch", batch, "--out", str(out))
    assert "1 done before" in told
    assert out.read_bytes().startswith(first)
    assert [line["answer"] for line in lines(out.read_text())] == ["Anna Berg", "Carl Dahl"]
    code, _, err = run("--batch", batch, "--out", str(out), "-k", "3")
    assert (code, "another file" in err) == (2, True), "answers under other options are other answers"


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("", "2024-06-01T09:00:00+00:00"),
        ("today", "2024-06-01T09:00:00+00:00"),
        ("2024", "2024-06-01T09:00:00+00:00"),
        ("yesterday", "2024-05-31T23:59:59+00:00"),
        ("now", "2024-06-01T09:00:00+00:00"),
    ],
)
def test_a_day_that_hangs_on_now_is_settled_once_and_a_later_run_goes_on_that_day_only(
    tmp_path: Path, written: str, asked: str
) -> None:
    batch = Path(questions(tmp_path / "rows.jsonl", {"question": QUESTION, "as_of": written}))
    nine = datetime(2024, 6, 1, 9, tzinfo=UTC)
    ((first,), (evening,), (morrow,)) = (
        read_batch(batch, clock=lambda after=after: nine + timedelta(hours=after)) for after in (0, 10, 24)
    )
    assert first.asked["as_of"] == asked
    assert first.key(AnswerOptions()) == evening.key(AnswerOptions()) != morrow.key(AnswerOptions())


def test_a_day_that_is_over_stays_as_written(tmp_path: Path) -> None:
    days = ["2018", "2022-05-01", "2022-05-01T10:00", 2019]
    batch = Path(questions(tmp_path / "rows.jsonl", *({"question": QUESTION, "as_of": day} for day in days)))
    early, late = (read_batch(batch, clock=lambda year=year: datetime(year, 6, 1, tzinfo=UTC)) for year in (2024, 2025))
    assert [each.asked["as_of"] for each in early] == days
    assert early == late


def test_a_question_without_a_day_follows_the_block_around(tmp_path: Path) -> None:
    batch = Path(questions(tmp_path / "rows.jsonl", {"question": QUESTION}))
    with asked_at("2016"):
        (question,) = read_batch(batch)
    assert (question.asked["as_of"], question.day) == ("2016-12-31T23:59:59+00:00", "2016-12-31")


def test_a_run_of_the_same_file_again_still_says_what_failed(run: Run, tmp_path: Path) -> None:
    batch = questions(tmp_path / "rows.jsonl", {"question": " "}, {"question": QUESTION, "as_of": "2022-05-01"})
    out = tmp_path / "answers.jsonl"
    codes, told, _ = zip(*(run("--batch", batch, "--out", str(out)) for _ in range(2)), strict=True)
    assert codes == (1, 1)
    assert [each.partition(": ")[0] for each in told] == [
        "2 questions, 1 with an error",
        "2 questions, 2 done before, 1 with an error",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((QUESTION, "--batch", "FILE"), "question"),
        (("--batch", "FILE", "--report", "page.html"), "--report"),
        ((QUESTION, "--out", "answers.jsonl"), "--out"),
        ((QUESTION, "--ray"), "--ray"),
        (("--batch", "FILE", "--actors", "2"), "--ray"),
        (("--batch", "FILE", "--out", "answers.jsonl", "--json"), "--out takes no --json"),
        (("--batch", "FILE", "--ray", "nowhere"), "nowhere"),
        (("--batch", "no/such/file"), "no/such/file"),
        (("--batch", "EMPTY"), "no question"),
        ((), "no question"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    places = {"FILE": questions(tmp_path / "a.txt", QUESTION), "EMPTY": questions(tmp_path / "b.txt", "")}
    code, out, err = run(*(places.get(each, each) for each in arguments))
    assert (code, out) == (2, "")
    assert expected in err
    assert err.count("\n") == 1
