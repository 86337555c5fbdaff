"""Made-up states say what they are labelled as."""

from __future__ import annotations

import re

import pytest

from tiny_model import of_training


def test_reports_on_a_subject_name_it_and_reports_on_others_do_not() -> None:
    for pool in of_training("state_worlds").reports(30):
        stated, others = (
            [set(re.findall(r"\w+", line.text.lower())) for line in pool.lines if line.kind == kind]
            for kind in ("state", "other entity")
        )
        assert set.intersection(*stated) - set.union(*others), pool.question


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_seed_makes_the_same_pools(seed: int) -> None:
    made = of_training("state_worlds")
    assert list(made.reports(5, seed=seed)) == list(made.reports(5, seed=seed))
    assert list(made.reports(5, seed=seed)) != list(made.reports(5, seed=seed + 2))


def test_a_common_noun_of_a_subject_is_also_written_small() -> None:
    asked = {pool.question for pool in of_training("state_worlds").pools(rounds=1)}
    assert any("the Bay bridge" in question for question in asked)
    assert any("the Bay Bridge" in question for question in asked)
    assert not any("summit climbing" in question for question in asked)
