"""Every prompt of the project: bad replies are not believed, raise nothing, and cost a bounded number of calls."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from dateline_bench.bad_replies.measuring import believes, calls_at_most, measure, own_tokens, table
from dateline_bench.bad_replies.prompts import PROMPTS, PromptCase

ROOT = Path(__file__).parents[2]
CASES = pytest.mark.parametrize("case", PROMPTS, ids=lambda case: case.name)


@CASES
def test_no_bad_reply_is_believed_raises_or_is_asked_for_without_end(case: PromptCase) -> None:
    figures = measure(case, replies=300, seed=7)
    assert figures.sound, figures
    assert set(figures.replies) == {"weak", "chatty", "refusing", "schema-less"}


@CASES
def test_a_good_reply_is_believed(case: PromptCase) -> None:
    assert believes(case, case.good)
    assert not believes(case, "")


@CASES
def test_a_prompt_is_within_its_bound_and_leaves_room_for_what_it_shows(case: PromptCase) -> None:
    assert 0 < own_tokens(case) < (case.most or 1_000) / 2 < 6_000
    assert calls_at_most(case) <= 5


def test_the_page_shows_every_prompt_with_the_figures_measured_now() -> None:
    assert table() in (ROOT / "docs" / "prompts.md").read_text(encoding="utf-8"), (
        "python benchmarks/bad_replies.py --table"
    )


def test_every_module_that_makes_requests_has_a_row() -> None:
    makers = {
        path.stem
        for path in (ROOT / "plugins").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "request"
    }
    used = (ROOT / "plugins" / "dateline_bench" / "bad_replies" / "cases.py").read_text(encoding="utf-8")
    classes = {
        "one_prompt": "read_case",
        "chat_stages": "ChatStages",
        "prompt": "Estimator",
        "rewriting": "ChatRewriter",
        "chat_decomposer": "ChatDecomposer",
        "judge": "ChatJudge",
        "fresheval": "FreshEvalJudge",
        "prompts": "ChatUpdater",
    }
    assert makers == set(classes), "a new prompt needs a case"
    assert all(re.search(rf"\b{name}\b", used) for name in classes.values())
