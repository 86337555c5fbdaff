"""`dateline ask` as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dateline_cli.main import main
from dateline_graphs import AnswerReport

Run = Callable[..., "tuple[int, str, str]"]
QUESTION = "Who is the director of the Northern Observatory?"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_one_fact_that_changed_gives_each_date_its_own_answer(run: Run, changed_fact: Path) -> None:
    answers = {}
    for day in ("2016-05-01", "2022-05-01"):
        code, out, _ = run("ask", QUESTION, "--docs", str(changed_fact), "--as-of", day, "--json")
        assert code == 0
        answers[day] = AnswerReport.model_validate_json(out).answer
    assert answers == {"2016-05-01": "Anna Berg", "2022-05-01": "Carl Dahl"}


def test_a_date_in_the_question_counts_like_an_asking_date(run: Run, changed_fact: Path) -> None:
    code, out, _ = run(
        "ask", "Who was the director of the Northern Observatory in 2017?", "--docs", str(changed_fact), "--json"
    )
    assert code == 0
    assert json.loads(out)["answer"] == "Anna Berg"


def test_nothing_published_after_the_asking_date_is_known(run: Run, changed_fact: Path) -> None:
    _, out, _ = run("ask", QUESTION, "--docs", str(changed_fact), "--as-of", "2016", "--json")
    assert [source["date"] for source in json.loads(out)["evidence"]] == ["2015-03-02"]


def test_a_person_sees_answer_date_evidence_freshness_and_cost(run: Run, changed_fact: Path) -> None:
    code, out, err = run("ask", QUESTION, "--docs", str(changed_fact), "--as-of", "2022-05-01")
    assert code == 0
    assert err == ""
    assert out.splitlines()[0] == "Carl Dahl"
    for expected in (
        "As of 2022-05-01",
        "Evidence, oldest to newest",
        "2021-09-14",
        "newest evidence",
        "Cost: 0 model",
    ):
        assert expected in out
    assert out.index("2015-03-02") < out.index("2021-09-14")


def test_the_table_says_how_many_rounds_its_evidence_is_of(run: Run, changed_fact: Path) -> None:
    asked = ("ask", "How deep is the lake of Oberau?", "--docs", str(changed_fact), "--as-of", "2022-05-01", "-k", "1")
    assert "Evidence of 2 rounds, oldest to newest" in run(*asked)[1]
    assert "Evidence, oldest to newest" in run(*asked, "--max-rounds", "0")[1]


def test_where_nothing_is_adopted_that_is_said_first_and_the_guess_is_marked(run: Run, changed_fact: Path) -> None:
    asked = ("ask", "How deep is the lake of Oberau?", "--docs", str(changed_fact), "--as-of", "2022-05-01")
    _, out, _ = run(*asked)
    report = AnswerReport.model_validate_json(run(*asked, "--json")[1])
    assert (report.decision.outcome, report.headline) == ("keep", "No answer in these documents")
    first, second = out.splitlines()[:2]
    assert first == "No answer in these documents"
    assert second == f"Best guess, not trusted: {report.answer}"
    withheld = run(*asked, "--abstain")[1]
    assert withheld.splitlines()[0] == first
    assert report.answer not in withheld.splitlines()[1]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["ask", "", "--docs", "DOCS"], "question is empty"),
        (["ask", QUESTION], "--docs"),
        (["ask", QUESTION, "--docs", "no/such/folder"], "no/such/folder"),
        (["ask", QUESTION, "--docs", "EMPTY"], "document"),
        (["ask", QUESTION, "--docs", "DOCS", "--as-of", "2023-02-30"], "2023-02-30"),
        (["ask", QUESTION, "--docs", "DOCS", "--as-of", "yesterdayish"], "yesterdayish"),
        (["ask", QUESTION, "--docs", "DOCS", "--model", "nonsense"], "nonsense"),
        (["ask", QUESTION, "--docs", "DOCS", "--model", "nobody:gpt"], "nobody"),
        (["ask", QUESTION, "--docs", "DOCS", "--model", "openai:gpt-4o-mini"], "OPENAI_API_KEY|langchain-openai"),
        (["ask", QUESTION, "--search", "serpapi"], "SERPAPI_API_KEY"),
        (["ask", QUESTION, "--docs", "DOCS", "--search", "bing"], "bing"),
        (["ask", QUESTION, "--docs", "DOCS", "--max-rounds", "99"], "99"),
        (["ask", QUESTION, "--docs", "DOCS", "-k", "0"], "0"),
        (["ask", QUESTION, "--docs", "DOCS", "--checkpoints", "no/such/folder/run.sqlite"], "no/such/folder"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    run: Run, changed_fact: Path, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    facts = tmp_path / "facts"
    given = [str(changed_fact) if a == "DOCS" else str(empty) if a == "EMPTY" else a for a in arguments]
    code, out, err = run(*given, "--facts", str(facts))
    assert code == 2
    assert out == ""
    assert any(word in err for word in expected.split("|")), err
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert not facts.exists(), "nothing half-written is left behind"


def test_facts_learnt_from_an_answer_are_kept_and_shown(run: Run, changed_fact: Path, tmp_path: Path) -> None:
    arguments = ("ask", QUESTION, "--docs", str(changed_fact), "--as-of", "2022-05-01", "--json")
    _, first, _ = run(*arguments, "--facts", str(tmp_path / "facts"))
    _, second, _ = run(*arguments, "--facts", str(tmp_path / "facts"))
    assert any(json.loads(first)["facts"].values())
    assert not any(v for v in json.loads(second)["facts"].values() if isinstance(v, list)), "the same again: no change"


def test_only_the_result_reaches_a_pipe_and_a_killed_run_resumes(changed_fact: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dateline_cli", "ask", QUESTION, "--docs", str(changed_fact), "--json"]
    command += ["--as-of", "2022-05-01", "--checkpoints", str(tmp_path / "run.sqlite")]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    first = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    second = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert json.loads(first.stdout)["answer"] == json.loads(second.stdout)["answer"] == "Carl Dahl"
    assert first.stderr == ""


def test_the_strategy_can_be_chosen(run: Run, changed_fact: Path) -> None:
    code, out, _ = run("ask", QUESTION, "--docs", str(changed_fact), "--strategy", "self_mrag", "--json")
    assert (code, AnswerReport.model_validate_json(out).answer) == (0, "Carl Dahl")
    code, _, err = run("ask", QUESTION, "--docs", str(changed_fact), "--strategy", "direct")
    assert code == 2
    assert "give a model" in err


def test_rows_of_one_table_are_told_apart_by_what_they_say(run: Run, tmp_path: Path) -> None:
    rows = ["date,text"] + [f"20{year}-05-01,A single to Orsay costs {year} euros." for year in (17, 20, 23)]
    (tmp_path / "fares.csv").write_text("\n".join(rows), encoding="utf-8")
    _, out, _ = run("ask", "How much is a single to Orsay?", "--docs", str(tmp_path), "--as-of", "2024-01-01")
    shown = " ".join(out.split())
    assert all(f'"A single to Orsay costs {year} euros."' in shown for year in (17, 20, 23))


def test_a_used_document_shows_the_sentence_that_the_answer_stands_on(run: Run, changed_fact: Path) -> None:
    _, out, _ = run("ask", QUESTION, "--docs", str(changed_fact), "--as-of", "2022-05-01")
    used = out.split("*", 1)[1]
    assert '"' in used
    assert "Carl Dahl" in used


def test_checkpoints_that_cannot_be_written_midway_are_one_sentence(
    run: Run, changed_fact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    from langgraph.checkpoint.sqlite import SqliteSaver

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(SqliteSaver, "put", full)
    code, out, err = run("ask", QUESTION, "--docs", str(changed_fact), "--checkpoints", str(tmp_path / "run.sqlite"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "Cannot keep checkpoints" in err
    assert "disk is full" in err
