"""CLARK's two halves on a stream of our own and on made-up worlds."""

from __future__ import annotations

import argparse
import json
import random
from datetime import date
from pathlib import Path

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel

from dateline import BadInput
from dateline_bench.benchmark import needs_folder
from dateline_bench.benchmarks import clark, clark_conversations
from dateline_bench.commands import evaluate
from dateline_bench.conversations import RELATIONS, conversation, make_world, questions, rewrite, sample
from dateline_bench.conversations.questions import TEMPLATES

STREAM = [
    ("2020-01-01", "Lundby United keeper Ada Berg saved a penalty."),
    ("2020-03-01", "Jon Aske, the Minister for Harbours, opened a pier."),
    ("2021-01-01", "Vera Holt rides for Team Felsen."),
    ("2022-01-01", "Ada Berg signs for Oberau Rovers."),
    ("2023-01-01", "Vera Holt has joined Karsund Wheels."),
    ("2023-06-01", "Jon Aske was named Minister for Railways."),
]


def item(question: str, *answers: tuple[str, str, str | None]) -> dict[str, object]:
    known = [{"answer": answer, "from": start, "to": end} for answer, start, end in answers]
    return {"question": question, "choices": sorted({answer for answer, _, _ in answers}), "answers": known}


ITEMS = [
    item(
        "What sports team is Ada Berg a member of?",
        ("Lundby United", "2020-01-01", "2022-01-01"),
        ("Oberau Rovers", "2022-01-01", None),
    ),
    item(
        "What government position does Jon Aske hold?",
        ("Minister for Harbours", "2020-03-01", "2023-06-01"),
        ("Minister for Railways", "2023-06-01", None),
    ),
    item(
        "What sports team is Vera Holt a member of?",
        ("Team Felsen", "2021-01-01", "2023-01-01"),
        ("Karsund Wheels", "2023-01-01", None),
    ),
]


@pytest.fixture
def news(tmp_path: Path) -> Path:
    stream = [{"date": day, "text": text, "url": ""} for day, text in STREAM]
    for name, found in (("stream", stream), ("items", ITEMS)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in found))
    return tmp_path


def test_the_store_keeps_up_with_a_stream_of_news(news: Path) -> None:
    report = clark.run(news)
    assert report.n == 3
    assert [report.metrics[f"accuracy_at_{step}"] for step in clark.STEPS] == [100] * 5
    assert report.metrics["first_state_at_end"] == 100
    gain = report.metrics["accuracy_at_100"] - report.metrics["passages_at_100"]
    assert report.metrics["gain_over_passages_at_100"] == gain
    assert report.baselines["passages"]["first_state_at_end"] <= 100


def test_a_step_counts_changed_and_unchanged_answers_apart_and_balances_both(news: Path) -> None:
    report = clark.run(news)
    asked = report.configuration["questions"]
    assert asked["20"] == {"changed": 2, "unchanged": 0}
    assert asked["40"] == asked["100"] == {"changed": 1, "unchanged": 2}
    for figures in (report.metrics, *report.baselines.values()):
        assert "unchanged_at_20" not in figures
        assert figures["balanced_at_20"] == figures["changed_at_20"] == figures["accuracy_at_20"]
        for step in clark.STEPS[1:]:
            changed, unchanged = figures[f"changed_at_{step}"], figures[f"unchanged_at_{step}"]
            assert figures[f"balanced_at_{step}"] == pytest.approx((changed + unchanged) / 2)
            assert figures[f"accuracy_at_{step}"] == pytest.approx((changed + 2 * unchanged) / 3)


def test_the_first_state_is_asked_on_its_own_day_and_again_at_the_end(news: Path) -> None:
    report = clark.run(news)
    for figures in (report.metrics, *report.baselines.values()):
        start, end = figures["first_state_at_start"], figures["first_state_at_end"]
        assert start == 100
        assert figures["first_state_loss"] == start - end
    assert report.baselines["passages"]["first_state_loss"] > report.metrics["first_state_loss"] == 0


def test_steps_are_the_days_on_which_shares_of_the_changes_are_known(news: Path) -> None:
    _, items = clark.load(news)
    assert clark.steps_of(items) == {
        20: date(2020, 3, 1),
        40: date(2021, 1, 1),
        60: date(2022, 1, 1),
        80: date(2023, 1, 1),
        100: date(2023, 6, 1),
    }
    assert items[0].answer(date(2021, 12, 31)) == "Lundby United"
    assert items[0].answer(date(2019, 1, 1)) is None


def test_what_the_states_say_is_never_read(news: Path) -> None:
    (news / "stream.jsonl").write_text(
        "\n".join(
            json.dumps({"date": day, "text": "Nothing.", "states": ["Ada Berg", "team", "x"]}) for day, _ in STREAM
        )
    )
    documents, _ = clark.load(news)
    assert not any("Ada" in document.model_dump_json() for document in documents)


def test_clark_says_what_is_wrong_with_a_file(news: Path) -> None:
    with pytest.raises(BadInput, match="no option"):
        clark.run(news, reader="chat")
    (news / "items.jsonl").write_text(json.dumps({"question": "Who?", "choices": [], "answers": []}))
    with pytest.raises(BadInput, match=r"^Line 1 of .* choices"):
        clark.run(news)
    (news / "stream.jsonl").write_text(json.dumps({"date": "May", "text": "x"}))
    with pytest.raises(BadInput, match=r"^Line 1 of .* date"):
        clark.run(news)
    (news / "stream.jsonl").unlink()
    with pytest.raises(BadInput, match="stream"):
        clark.run(news)


def test_the_same_seed_makes_the_same_world_and_conversation() -> None:
    one, other = (conversation(random.Random(7), setting="single") for _ in range(2))
    assert one == other
    assert one != conversation(random.Random(8), setting="single")


@pytest.mark.parametrize("seed", range(20))
def test_every_transition_changes_something_and_keeps_the_family_sound(seed: int) -> None:
    rng = random.Random(seed)
    world = make_world(rng)
    for _ in range(12):
        transition = sample(world, rng)
        assert transition.changed()
        world = transition.after
        for person in world.people:
            assert all(world.spouse(other) == {person} for other in world.spouse(person))
            assert person not in world.siblings(person) | world.parents_of(person) | world.spouse(person)
            assert len(world.parents_of(person)) <= 2
            assert all(person in world.coworkers(other) for other in world.coworkers(person))
            assert all(person in world.children(parent) for parent in world.parents_of(person))


@pytest.mark.parametrize("seed", range(5))
def test_a_single_hop_chunk_says_all_that_changed_and_a_multi_hop_one_only_what_happened(seed: int) -> None:
    for setting in ("single", "multi"):
        chunks = conversation(random.Random(seed), setting=setting)
        assert len(chunks) == 13
        for chunk in chunks:
            if chunk.transition is None:
                continue
            new = {
                value
                for person, relation in chunk.transition.changed()
                for value in chunk.world.values(person, relation) - chunk.transition.before.values(person, relation)
            }
            told = chunk.text.casefold()
            missing = {value for value in new if value.casefold() not in told and value not in dict(chunk.lines)}
            assert not missing if setting == "single" else len(chunk.lines) == 3


def test_as_many_unchanged_questions_are_asked_as_changed_ones() -> None:
    rng = random.Random(3)
    chunks = conversation(rng, setting="single")
    for at, chunk in enumerate(chunks):
        asked = questions(chunks, at, rng=rng)
        assert bool(asked) == (chunk.transition is not None)
        assert all(one.answers <= set(one.choices) and one.relation in RELATIONS for one in asked)
        if chunk.transition is not None:
            differing = {TEMPLATES[relation].format(subject=person) for person, relation in chunk.transition.changed()}
            changed = [one for one in asked if one.question in differing]
            assert len(asked) == 2 * len(changed)
            assert len({one.question for one in asked}) == len(asked)


def test_an_unchanged_list_may_be_empty_and_a_single_value_never_is() -> None:
    asked = []
    for seed in range(5):
        rng = random.Random(seed)
        chunks = conversation(rng, setting="single")
        asked += [one for at in range(len(chunks)) for one in questions(chunks, at, rng=rng)]
    assert all(one.several or len(one.answers) == 1 for one in asked)
    assert any(one.several and not one.answers and not one.updates for one in asked)


def test_a_list_is_asked_for_among_values_of_all_kinds_and_none_that_is_still_to_come() -> None:
    rng = random.Random(3)
    chunks = conversation(rng, setting="single")
    for at, chunk in enumerate(chunks):
        known = {
            value
            for each in chunks[: at + 1]
            for person in each.world.people
            for relation in RELATIONS
            for value in each.world.values(person, relation)
        }
        for one in questions(chunks, at, rng=rng):
            assert not one.several or set(one.choices) == known
            assert not one.several or {chunk.world.company(chunk.world.people[0]).name, "full-time"} & set(one.choices)


def test_a_chat_model_words_a_chunk_and_its_omissions_cost_nothing() -> None:
    chunk = conversation(random.Random(1), setting="single", steps=1)[2]
    echo = "\n".join(f"**{speaker}:** Well, {said}" for speaker, said in chunk.lines)
    model = FakeListChatModel(responses=[echo, "I cannot do that."])
    worded = rewrite(chunk, model=model)
    assert [said for _, said in worded.lines] == [f"Well, {said}" for _, said in chunk.lines]
    assert rewrite(chunk, model=model) == chunk


def test_edits_beat_no_edits_where_everything_is_said() -> None:
    report = clark_conversations.run(worlds="1", steps="3", seed=1)
    assert report.metrics["single_1"] > report.baselines["no_edits"]["single_1"]
    assert report.metrics["single_0"] >= report.baselines["no_edits"]["single_0"] - 3


def test_only_a_benchmark_that_makes_its_own_needs_no_folder() -> None:
    assert not needs_folder(clark_conversations)
    assert needs_folder(clark)
    with pytest.raises(BadInput, match="give their folder"):
        evaluate.run(argparse.Namespace(name="clark", folder=None))


def test_conversations_refuse_unknown_options() -> None:
    with pytest.raises(BadInput, match="has rules and steps and worlds"):
        clark_conversations.run(people="3")
    with pytest.raises(BadInput, match="at least 1"):
        clark_conversations.run(worlds="none")
