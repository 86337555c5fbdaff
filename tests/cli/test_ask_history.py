"""`dateline ask --history`: a follow-up question as a person asks it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dateline_cli.main import main

CHAT = [
    {"role": "user", "content": "Who was the director of the Northern Observatory in 2016?"},
    {"role": "assistant", "content": "Anna Berg"},
]


def test_a_follow_up_is_understood_and_shown(
    changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chat = tmp_path / "chat.json"
    chat.write_text(json.dumps(CHAT), encoding="utf-8")
    arguments = ["ask", "And in 2022?", "--docs", str(changed_fact), "--history", str(chat), "--reader", "rules"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Carl Dahl"
    assert lines[1].startswith("Understood as: Who was the director of the Northern Observatory")
    chat.write_text(json.dumps({"messages": CHAT}), encoding="utf-8")
    assert main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["asked"]["said"] == "And in 2022?"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON"),
        ("5", "list of turns"),
        ('[{"role": "narrator", "content": "x"}]', "'narrator'"),
        (None, "Cannot read"),
    ],
)
def test_a_history_that_is_none_is_one_sentence_and_exit_code_2(
    changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, said: str
) -> None:
    chat = tmp_path / "chat.json"
    if content is not None:
        chat.write_text(content, encoding="utf-8")
    assert main(["ask", "And in 2022?", "--docs", str(changed_fact), "--history", str(chat)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
