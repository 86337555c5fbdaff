from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from dateline import Certainty, Cost
from dateline.certainty import Gate, keep_better
from dateline.certainty.gate import NOTHING

RELIABLE = Certainty(reliable=0.6, misleading=0.3, uncertain=0.1)
SHAKY = Certainty(reliable=0.3, misleading=0.5, uncertain=0.2)


def test_what_was_read_without_an_answer_is_called_so() -> None:
    assert (
        Gate(max_rounds=0).decide(NOTHING).reason
        == "No further retrieval is left; nothing that was read gives an answer."
    )


def test_a_reliable_answer_is_adopted_at_once() -> None:
    assert Gate().decide(RELIABLE).outcome == "adopt"


def test_an_unreliable_answer_is_looked_up_again_once_as_published() -> None:
    assert Gate().decide(SHAKY).outcome == "retrieve"
    assert Gate().decide(SHAKY, round=1).outcome == "keep"


def test_abstaining_is_only_for_those_who_ask() -> None:
    assert Gate(abstain_below=0.4).decide(SHAKY, round=1).outcome == "abstain"
    assert Gate(abstain_below=0.2).decide(SHAKY, round=1).outcome == "keep"


def test_a_threshold_replaces_the_label() -> None:
    assert Gate(threshold=0.25).decide(SHAKY).outcome == "adopt"
    assert Gate(threshold=0.7).decide(RELIABLE).outcome == "retrieve"


def test_a_threshold_of_0_adopts_every_answer_and_no_reading_without_one() -> None:
    everything = Gate(threshold=0.0)
    assert everything.decide(Certainty(reliable=0.0, misleading=0.9, uncertain=0.1)).outcome == "adopt"
    assert everything.decide(NOTHING).outcome == "retrieve"
    assert everything.decide(NOTHING, round=1).outcome == "keep"


@pytest.mark.parametrize(
    ("gate", "spent"),
    [
        (Gate(max_model_calls=3, max_rounds=9), Cost(model_calls=3)),
        (Gate(max_searches=1, max_rounds=9), Cost(searches=1)),
        (Gate(max_seconds=2.0, max_rounds=9), Cost(seconds=2.5)),
    ],
)
def test_a_used_budget_ends_the_rounds_and_says_so(gate: Gate, spent: Cost) -> None:
    decision = gate.decide(SHAKY, spent=spent)
    assert decision.outcome == "keep"
    assert "budget" in decision.reason


@given(st.floats(0, 1), st.floats(0, 1))
def test_what_is_more_likely_wrong_than_right_is_never_called_reliable(reliable: float, share: float) -> None:
    rest = 1 - reliable
    certainty = Certainty(reliable=reliable, misleading=rest * share, uncertain=rest * (1 - share))
    assert (certainty.label == "reliable") == (reliable >= 0.5)
    assert (Gate(max_rounds=0).decide(certainty).outcome == "adopt") == (reliable >= 0.5)


def test_the_most_probable_of_three_is_not_reliable_below_one_half() -> None:
    assert Certainty(reliable=0.4, misleading=0.25, uncertain=0.35).label == "uncertain"
    assert Certainty(reliable=0.4, misleading=0.3, uncertain=0.3).label == "uncertain"
    assert Certainty(reliable=0.4, misleading=0.35, uncertain=0.25).label == "misleading"


@given(st.floats(0, 1), st.integers(0, 5), st.integers(0, 5))
def test_no_gate_asks_for_more_rounds_than_it_has(reliable: float, rounds: int, done: int) -> None:
    certainty = Certainty(reliable=reliable, misleading=(1 - reliable) / 2, uncertain=(1 - reliable) / 2)
    if Gate(max_rounds=rounds).decide(certainty, round=done).outcome == "retrieve":
        assert done < rounds


def test_the_first_answer_stays_at_a_tie() -> None:
    assert keep_better(RELIABLE, RELIABLE) == 0
    assert keep_better(SHAKY, RELIABLE) == 1


def test_bad_limits_are_refused_while_building() -> None:
    with pytest.raises(ValidationError):
        Gate(threshold=1.5)
    with pytest.raises(ValidationError):
        Gate(max_rounds=-1)


def test_the_published_label_is_still_there_for_whoever_compares_with_the_paper() -> None:
    split = Certainty(reliable=0.4, misleading=0.3, uncertain=0.3)
    assert (split.label, split.most_probable) == ("uncertain", "reliable")
    assert Certainty(reliable=0.4, misleading=0.2, uncertain=0.4).most_probable == "uncertain"


def test_a_reliable_answer_that_has_likely_changed_is_retrieved_again_and_adopted_where_nothing_is_left() -> None:
    sure = Certainty(reliable=0.9, misleading=0.05, uncertain=0.05)
    gate = Gate(max_outdated=0.5)
    assert gate.decide(sure, outdated=0.4).outcome == "adopt"
    again = gate.decide(sure, outdated=0.8)
    assert again.outcome == "retrieve"
    assert "has changed since with p = 0.80" in again.reason
    last = gate.decide(sure, outdated=0.8, round=1)
    assert last.outcome == "adopt"
    assert "no further retrieval is left" in last.reason
    assert Gate().decide(sure, outdated=1.0).outcome == "adopt"


@given(st.floats(0, 1))
def test_what_is_shown_is_one_half_or_more_only_where_it_is_reliable(reliable: float) -> None:
    certainty = Certainty(reliable=reliable, misleading=0.0, uncertain=1.0 - reliable)
    assert (float(certainty.shown) >= 0.5) == (certainty.label == "reliable")
    assert abs(float(certainty.shown) - reliable) <= 0.01
