"""The made-up world of several steps: what is asked, what is learnt of it, and the path from there to DRAGIN's table."""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tiny_model import of_training

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def benchmark(name: str = "dragin_world") -> Any:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return __import__(name)
    finally:
        sys.path.remove(str(BENCHMARKS))


@cache
def small() -> Any:
    return of_training("multihop_world").build(seed=1, towns=8, firms=8, people=16)


def test_the_same_seed_builds_the_same_world_and_every_fact_is_told_by_one_page() -> None:
    build = of_training("multihop_world").build
    assert build(seed=2, towns=6, firms=6, people=12) == build(seed=2, towns=6, firms=6, people=12)
    for fact in small().world.facts:
        told = {text.replace("{s}", fact.subject).replace("{v}", fact.value) for text in fact.relation.told}
        assert sum(any(each in page for each in told) for page in small().pages) == 1


def test_a_question_names_its_way_and_the_reasoning_walks_it_to_the_answer() -> None:
    from dateline_bench.reasoned import final_answer

    rng = random.Random(0)
    for route in small().asked(40, rng=rng):
        assert 2 <= len(route.facts) <= 3
        for fact, following in zip(route.facts, route.facts[1:], strict=False):
            assert fact.value == following.subject
        assert route.facts[0].subject in route.question
        assert route.answer not in route.question
        reasoning = route.reasoning(rng)
        assert final_answer(reasoning) == route.answer
        assert [reasoning.index(fact.subject) for fact in route.facts] == sorted(
            reasoning.index(fact.subject) for fact in route.facts
        )


def test_no_lesson_asks_what_is_kept_or_tells_what_is_never_told() -> None:
    world, made = small(), of_training("multihop_model")
    lessons = made.Lessons(world, seed=3)
    kept = {route.question for hops in (2, 3) for route in world.routes(hops=hops) if route.kept}
    assert kept
    seen = {}
    for draw in (lessons.article, lessons.from_memory, lessons.with_pages):
        for _ in range(150):
            lesson = draw()
            assert not any(f"Question: {question}\n" in lesson.prompt for question in kept)
            seen[draw.__name__] = lesson
    subjects = {subject for taken in world.names.taken.values() for subject in taken}
    for _ in range(200):
        lesson = lessons.from_memory()
        known = [s for s in subjects if lesson.prompt.endswith(f"of {s}?\nAnswer:")]
        steps = lesson.target.split(" So the answer is ")[0]
        for subject in known:
            mine = [
                fact for fact in world.world.facts if fact.subject == subject and world.familiarity[fact] != "never"
            ]
            said = [text.replace("{s}", f.subject).replace("{v}", f.value) for f in mine for text in f.relation.told]
            assert any(each in steps for each in said)


def test_the_tokenizer_knows_every_word_of_the_lessons_and_pages() -> None:
    pytest.importorskip("transformers")
    made = of_training("multihop_model")
    tokens, lessons = made.tokenizer(small()), made.Lessons(small(), seed=4)
    texts = [f"{one.prompt}{one.target}" for draw in (lessons.article, lessons.with_pages) for one in (draw(), draw())]
    for text in [*texts, *(made.prompt_of("What is the home?", pages=[page]) for page in small().pages)]:
        ids = tokens(text, add_special_tokens=False)["input_ids"]
        assert tokens.unk_token_id not in ids
        assert tokens.decode(ids).strip() == text.strip()


def test_a_tiny_model_goes_all_the_way_to_the_table_and_the_figure(tmp_path: Path, monkeypatch: Any) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    from dateline.dynamic.methods import METHODS

    made, dragin, common = of_training("multihop_model"), benchmark(), of_training("world_model")
    plan = common.Plan(steps=4, width=16, layers=1, heads=2)
    model, tokens = made.train(small(), plan=plan, quiet=True)
    monkeypatch.setattr(dragin, "SWEEP", (0.0, 1.0))
    monkeypatch.setattr(dragin, "NEW_TOKENS", 8)
    for name, tries in dragin.TRIES.items():
        monkeypatch.setitem(dragin.TRIES, name, tries[:2])
    figures = dragin.measure(model, tokens=tokens, world=small(), seed=0, questions=4, tuning=2)
    methods = figures["methods"]
    assert set(methods) - {dragin.MIXED} <= set(METHODS)
    assert set(methods) == set(dragin.TRIES)
    assert methods["wo-rag"]["retrievals"] == 0
    assert methods["sr-rag"]["retrievals"] == 1
    assert figures["n"] == 4
    assert set(figures["scopes"]) == set(dragin.SCOPES)
    assert set(figures["minus"]["dragin-sentence"]) == set(methods) - {"dragin-sentence"}
    few = dragin.measure(model, tokens=tokens, world=small(), seed=0, questions=2, tuning=2, only=["wo-rag"])
    assert list(few["methods"]) == ["wo-rag"]
    assert dragin.table(figures).count("\n") == len(methods) + 1
    dragin.draw(figures, path=tmp_path / "theta.png")
    assert (tmp_path / "theta.png").read_bytes().startswith(b"\x89PNG")


def test_every_method_with_a_setting_has_the_same_number_of_tries() -> None:
    counts = {len(tries) for tries in benchmark().TRIES.values()}
    assert len(counts - {1}) == 1


def test_after_a_while_only_what_the_model_knows_well_has_changed_and_pages_tell_it() -> None:
    outdated = benchmark("dragin_outdated")
    now = outdated.today(small(), seed=0)
    assert now == outdated.today(small(), seed=0)
    changed = [fact for fact in now.world.facts if fact.value != fact.before]
    assert {now.familiarity[fact] for fact in changed} == {"well"}
    well = [fact for fact in now.world.facts if now.familiarity[fact] == "well"]
    assert 0.15 < len(changed) / len(well) < 0.5
    assert [fact.before for fact in now.world.facts] == [fact.value for fact in small().world.facts]
    for fact in changed:
        told = {text.replace("{s}", fact.subject).replace("{v}", fact.value) for text in fact.relation.told}
        assert any(each in page for page in now.pages for each in told)
    [page] = outdated.edition(now.pages[:1], year=2026)
    assert (page.text, page.title) == (now.pages[0], "Almanac of 2026")
