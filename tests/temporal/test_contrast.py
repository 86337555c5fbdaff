"""Decomposition over a contrast set: same question, another relation, wording, date, ordinal or place."""

from __future__ import annotations

from collections import Counter

from contrast import AS_OF, Case, cases

from dateline.temporal import decompose

CASES = cases()


def _fields(case: Case) -> dict[str, bool]:
    question = decompose(case.question, as_of=AS_OF)
    constraint = question.constraint
    return {
        "content": question.content == case.content,
        "relation": (None if constraint is None else constraint.relation) == case.relation,
        "interval": (None if constraint is None else _ends(constraint.interval)) == _ends(case.interval),
        "ordinal": question.ordinal == case.ordinal,
    }


def _ends(interval: object) -> tuple[object, object] | None:
    return None if interval is None else (getattr(interval, "start", None), getattr(interval, "end", None))


def test_the_contrast_set_is_large_and_covers_every_relation_ordinal_and_place() -> None:
    assert len(CASES) >= 400
    assert len({case.question for case in CASES}) == len(CASES)
    assert {case.relation for case in CASES} >= {
        "before",
        "after",
        "between",
        "at",
        "around",
        "as_of",
        "by",
        "since",
        "until",
    }
    six = {(case.ordinal, case.relation) for case in CASES}
    assert six >= {(ordinal, relation) for ordinal in ("first", "last") for relation in ("before", "after", "between")}
    assert Counter(case.kind for case in CASES).keys() >= {"front", "middle", "end", "whole", "nested", "merged"}


def test_at_least_95_in_100_questions_are_taken_apart_without_any_mistake() -> None:
    wrong = [(case.question, [name for name, right in _fields(case).items() if not right]) for case in CASES]
    wrong = [entry for entry in wrong if entry[1]]
    assert 100 * (1 - len(wrong) / len(CASES)) >= 95, "\n".join(f"{text}: {fields}" for text, fields in wrong)
