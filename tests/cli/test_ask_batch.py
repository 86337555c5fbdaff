"""`dateline ask --batch` as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dateline_cli.main import main

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
