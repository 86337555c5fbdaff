"""Constraints: their windows of event time, and their JSON."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.temporal import Constraint, Interval, Question, Relation
from dateline.temporal.constraint import RELATIONS

INTERVALS = st.builds(
    lambda first, length: Interval.of_years(first, first + length), st.integers(1, 2500), st.integers(0, 30)
)
CONSTRAINTS = st.builds(
    Constraint, st.sampled_from(RELATIONS), INTERVALS, st.sampled_from(["first", "last", None]), st.text()
)


@given(CONSTRAINTS)
def test_json_keeps_a_constraint(constraint: Constraint) -> None:
    assert Constraint.from_json(constraint.to_json()) == constraint


@given(CONSTRAINTS)
def test_the_window_lies_on_the_side_that_the_relation_names(constraint: Constraint) -> None:
    window, asked = constraint.window(), constraint.interval
    match constraint.relation:
        case "before":
            assert window.before(asked)
        case "after":
            assert window.after(asked)
        case "around":
            assert window.contains(asked)
            assert window != asked
        case _:
            assert window.contains(asked)


@given(st.sampled_from(RELATIONS), st.sampled_from([Interval(None, None), Interval(0, None), Interval(None, 0)]))
def test_open_intervals_have_windows_too(relation: Relation, interval: Interval) -> None:
    assert isinstance(Constraint(relation, interval).window(), Interval)


@given(CONSTRAINTS | st.none(), st.text(min_size=1), st.lists(st.text(), max_size=3))
def test_json_keeps_a_question(constraint: Constraint | None, text: str, parts: list[str]) -> None:
    question = Question(text, text, constraint, datetime(2024, 1, 1, tzinfo=UTC), sub_questions=tuple(parts))
    assert Question.from_json(question.to_json()) == question


def test_unknown_words_are_refused_while_building() -> None:
    with pytest.raises(BadInput, match="relation"):
        Constraint("near", Interval.of_year(2000))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="ordinal"):
        Constraint("at", Interval.of_year(2000), "second")  # type: ignore[arg-type]
