"""The fact store's benchmarks, on small sets of our own in the formats of the public ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dateline import BadInput
from dateline_bench.benchmarks import locomo, pat_questions


def pat(relation: str, subject: str, question: str, answer: str) -> dict[str, Any]:
    template = question.replace(subject, "{subject}")
    return {
        question: {
            "question": question,
            "subject": {"subject": "Q0", "subLabel": subject},
            "text answers": [answer],
            "relations": [relation],
            "template": template,
        }
    }


@pytest.fixture
def two_dates(tmp_path: Path) -> Path:
    for folder, mayor, club in (("Dec2021", "Ines Maar", "Oberau Rovers"), ("Dec2023", "Jon Aske", "Oberau Rovers")):
        entries = {
            **pat("P6", "Lundby", "Who is the head of the government of Lundby currently?", mayor),
            **pat("P54", "Vera Holt", "Which team does Vera Holt play for currently?", club),
            **pat("P6", "Lundby", "Who was the previous head of the government of Lundby?", "Nobody"),
        }
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "PAT-singlehop.json").write_text(json.dumps(entries))
    return tmp_path


def test_the_store_answers_as_of_each_date_where_plain_vectors_cannot(two_dates: Path) -> None:
    report = pat_questions.run(two_dates)
    assert report.n == 4
    assert report.configuration["made_false"] == 1
    assert report.metrics["changed_answer_R@1"] == 100
    assert report.metrics["stale@1"] == 0
    assert report.baselines["vectors"]["changed_answer_R@1"] == 50


def test_pat_questions_needs_two_dates(two_dates: Path) -> None:
    (two_dates / "Dec2023" / "PAT-singlehop.json").unlink()
    with pytest.raises(BadInput, match="two folders"):
        pat_questions.run(two_dates)
    with pytest.raises(BadInput, match="no option"):
        pat_questions.run(two_dates, hops="all")


def turn(id: str, speaker: str, text: str) -> dict[str, str]:
    return {"dia_id": id, "speaker": speaker, "text": text}


@pytest.fixture
def conversation(tmp_path: Path) -> Path:
    original = {
        "conversation": {
            "speaker_a": "Ines",
            "speaker_b": "Jon",
            "session_1_date_time": "1:05 pm on 8 May, 2023",
            "session_1": [
                turn("D1:1", "Ines", "I bought a wooden boat."),
                turn("D1:2", "Jon", "My brother Ole sails a lot."),
            ],
            "session_2_date_time": "7:40 pm on 2 July, 2023",
            "session_2": [turn("D2:1", "Ines", "I sold the wooden boat to a museum.")],
        },
        "qa": [
            {"question": "What did Ines buy?", "answer": "a boat", "evidence": ["D1:1"], "category": 4},
            {"question": "Who bought the wooden boat?", "answer": "a museum", "evidence": ["D2:1"], "category": 4},
            {"question": "What did Jon sell?", "adversarial_answer": "a boat", "evidence": ["D2:1"], "category": 5},
        ],
    }
    (tmp_path / "one.json").write_text(json.dumps(original))
    return tmp_path


def test_turns_of_a_conversation_are_found_by_questions(conversation: Path) -> None:
    report = locomo.run(conversation)
    assert report.n == 2
    assert report.configuration["turns"] == 3
    assert report.metrics["evidence_R@5"] == 100
    assert set(report.baselines) == {"vectors", "vectors_dated", "turns"}


def test_what_is_no_conversation_is_refused(conversation: Path) -> None:
    (conversation / "two.json").write_text("{}")
    with pytest.raises(BadInput, match=r"two\.json is no conversation"):
        locomo.run(conversation)
    with pytest.raises(BadInput, match="holds no conversation"):
        locomo.run(conversation / "nowhere")
