"""`dateline evaluate squad`, over paragraphs written here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput
from dateline_bench.benchmarks import squad
from dateline_bench.held_out import held_out
from dateline_bench.rows import write


def row(
    question: str, *answers: str, context: str = "Ada Berg built the lighthouse at Borth in 1888."
) -> dict[str, Any]:
    return {
        "id": "1",
        "context": context,
        "question": question,
        "answers": [{"text": text, "start": 0} for text in answers],
    }


def asked(*answers: str) -> list[squad.SquadQuestion]:
    return [squad.SquadQuestion.model_validate(row("Who?", *answers))]


def test_the_paragraph_is_read_and_both_figures_are_given(tmp_path: Path) -> None:
    write(tmp_path / "questions.jsonl.gz", [row("Who built the lighthouse at Borth?", "Ada Berg")] * 3)
    report = squad.run(tmp_path, limit=2)
    assert report.n == 2
    assert report.metrics == {"EM": 100.0, "F1": 100.0}
    assert report.baselines["first sentence"]["EM"] == 0.0


@pytest.mark.parametrize(
    ("said", "golds", "exact", "overlap"),
    [
        ("The Ada Berg!", ["ada berg"], 100, 100),
        ("Ada Berg of Borth", ["Ada Berg"], 0, 2 * 0.5 / 1.5 * 100),
        ("Bo", ["Ada Berg", "Bo"], 100, 100),
        ("", ["Bo"], 0, 0),
        # Version 1.1 counts tokens that are the same, of which there are none here.
        ("the", ["The"], 100, 0),
    ],
)
def test_the_best_accepted_answer_counts(said: str, golds: list[str], exact: float, overlap: float) -> None:
    assert squad.scores(asked(*golds), [said]) == {"EM": exact, "F1": pytest.approx(overlap)}


def test_articles_that_the_reader_was_trained_on_can_be_left_out(tmp_path: Path) -> None:
    titles = [f"Article {number}" for number in range(40)]
    asked = [{**row("Who built the lighthouse at Borth?", "Ada Berg"), "title": title} for title in titles]
    write(tmp_path / "questions.jsonl", asked)
    assert squad.run(tmp_path, articles="validation").n == sum(map(held_out, titles)) > 0
    write(tmp_path / "questions.jsonl", [one for one in asked if not held_out(one["title"])])
    with pytest.raises(BadInput, match="no questions on such articles"):
        squad.run(tmp_path, articles="validation")
    with pytest.raises(BadInput, match="choose all or validation"):
        squad.run(tmp_path, articles="others")


def test_a_row_without_answers_is_told_by_its_number(tmp_path: Path) -> None:
    write(tmp_path / "questions.jsonl", [row("Who?", "Bo"), row("Who?")])
    with pytest.raises(BadInput, match=r"Line 2 .*answers"):
        squad.run(tmp_path)
    with pytest.raises(BadInput, match="option"):
        squad.run(tmp_path, pages="all")
