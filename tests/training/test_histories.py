"""Training examples from corpora in which much changes."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
TRAINING = Path(__file__).parents[2] / "training"


@pytest.fixture
def histories(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(TRAINING)
    import histories

    return histories


NOTES = {
    "2021-05-04-key.md": "Ada Holm keeps the key of the boathouse.",
    "2022-03-01-key.md": "The key of the boathouse goes from Ada Holm to Bo Lind today.",
    "2023-02-02-key.md": "The key of the boathouse: nobody has taken over from Bo Lind.",
    "2023-06-01-ferry.md": "The ferry runs daily, the boathouse is open.",
}


def asked(question: str, day: str, match: str, gold: list[object], docs: list[str]) -> dict[str, object]:
    return {
        "id": f"{day} {question}",
        "corpus": "boathouse",
        "category": "current",
        "question": question,
        "as_of": day,
        "match": match,
        "gold": gold,
        "gold_docs": docs,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = tmp_path / "corpora" / "boathouse"
    corpus.mkdir(parents=True)
    for name, text in NOTES.items():
        (corpus / name).write_text(text)
    who = "Who keeps the key of the boathouse?"
    questions = [
        asked(who, "2021-12-01", "any", ["Ada Holm", "Ada"], ["2021-05-04-key.md"]),
        asked(who, "2023-07-01", "any", ["nobody", "nobody has taken over"], ["2023-02-02-key.md"]),
        asked("Is the boathouse open?", "2023-07-01", "yesno", ["yes"], ["2023-06-01-ferry.md"]),
        asked("How many boats are there?", "2023-07-01", "none", [], []),
        asked("How many people have had the key?", "2023-07-01", "any", ["two", "2"], ["2022-03-01-key.md"]),
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)))
    return tmp_path


def test_a_group_holds_the_answer_beside_other_versions(histories: Any, folder: Path) -> None:
    made = list(histories.examples(folder, rng=random.Random(0), size=3))
    first, vacant, open_, none = made  # what stands nowhere word for word is left out
    assert (first.answers, len(first.evidence)) == (("Ada Holm",), 1)  # nothing later was known
    assert vacant.answers == ("nobody has taken over",)
    assert [NOTES["2023-02-02-key.md"] in vacant.evidence[place].text for place in vacant.gold] == [True]
    assert len(vacant.evidence) == 3
    assert (open_.verdict, open_.answers) == ("yes", ())
    assert not none.gold
    assert none.verdict is None


def test_all_histories_that_ship_can_be_read(histories: Any) -> None:
    from dateline_bench.benchmarks.notes import load

    questions = load(histories.HISTORIES)
    assert len({item.id for item in questions}) == len(questions) > 1_000


def test_a_question_is_asked_in_any_of_its_ways(
    histories: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = tmp_path / "otherwise.jsonl"
    told = {
        "corpus": "boathouse",
        "question": "Is the boathouse open?",
        "otherwise": ["Can one get into the boathouse?"],
    }
    ways.write_text(json.dumps(told))
    monkeypatch.setattr(histories, "OTHERWISE", ways)
    rng = random.Random(0)
    made = {
        each.question.text for _ in range(8) for each in histories.examples(folder, rng=rng, size=3) if each.verdict
    }
    assert made == {told["question"], *told["otherwise"]}


def test_the_other_ways_that_ship_ask_questions_that_there_are(histories: Any) -> None:
    from dateline_bench.benchmarks.notes import load

    folders = (histories.HISTORIES, histories.FIELDS, histories.TURNS)
    asked = {(item.corpus, item.question) for folder in folders for item in load(folder)}
    ways = histories.otherwise()
    assert ways.keys() <= asked
    assert all(way.endswith("?") and way != question for (_, question), each in ways.items() for way in each)


def test_beside_a_question_one_for_yes_or_no_is_asked_of_the_same_notes(
    histories: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"corpus": "boathouse", "id": "2021-12-01 Who keeps the key of the boathouse?"}
    told |= {"yes": "Is the key of the boathouse with Ada Holm?", "no": "Is the key of the boathouse with Bo Lind?"}
    file = tmp_path / "affirmed.jsonl"
    file.write_text(json.dumps(told))
    monkeypatch.setattr(histories, "AFFIRMED", file)
    rng = random.Random(0)
    made = [each for _ in range(8) for each in histories.examples(folder, rng=rng, size=3)]
    asked_so = {(each.question.text, each.verdict) for each in made if "with" in each.question.text}
    assert asked_so == {(told["yes"], "yes"), (told["no"], "no")}


def test_the_questions_for_yes_or_no_that_ship_stand_beside_questions_that_there_are(histories: Any) -> None:
    from dateline_bench.benchmarks.notes import load

    folders = (histories.HISTORIES, histories.FIELDS, histories.TURNS)
    asked = {(item.corpus, item.id) for folder in folders for item in load(folder)}
    told = histories.affirmed()
    assert told.keys() <= asked
    assert all(
        one["yes"].endswith("?") and one["no"].endswith("?") and one["yes"] != one["no"] for one in told.values()
    )
