"""The made-up world: what a model has read of it, what changed since, and the path from there to RiLM's figures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tiny_model import of_training, tiny_world

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def benchmark() -> Any:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return __import__("rilm_world")
    finally:
        sys.path.remove(str(BENCHMARKS))


def test_the_same_seed_builds_the_same_world() -> None:
    build = of_training("made_up_world").build
    one, two, other = (build(seed=seed, towns=6, firms=6, people=12) for seed in (3, 3, 4))
    assert one == two
    assert one != other


def test_every_status_occurs_and_means_what_it_says() -> None:
    world = of_training("made_up_world").build(seed=0)
    for fact in world.facts:
        expected = {"new": None, "unchanged": fact.value}
        assert fact.before == expected[fact.status] if fact.status in expected else fact.before != fact.value
    share = {s: sum(f.status == s for f in world.facts) / len(world.facts) for s in ("unchanged", "changed", "new")}
    assert share["unchanged"] > 0.4
    assert min(share.values()) > 0.15


def test_each_fact_has_one_page_that_tells_it_and_the_corpus_is_of_today() -> None:
    world = tiny_world()
    for fact in world.facts:
        page = world.page_of(fact)
        assert fact.subject in page.text
        assert fact.value in page.text
    assert sum(page.fact is not None for page in world.pages) == len(world.facts)


def test_a_chain_leads_from_one_fact_to_the_next() -> None:
    chains = list(tiny_world().chains())
    assert chains
    for chain in chains:
        assert chain.first.value == chain.second.subject
        assert chain.first.subject in chain.question
        assert chain.second.value not in chain.question or chain.second.value == chain.first.subject


def test_nothing_that_the_model_reads_tells_what_is_new_or_has_changed() -> None:
    lessons, world = of_training("world_lessons"), tiny_world()
    drawn = lessons.Lessons(world, seed=1)
    new = {fact.subject for fact in world.facts} - {fact.subject for fact in world.known}
    assert new
    for kind in lessons.KINDS:
        for _ in range(60):
            asked = kind.draw(drawn).prompt.partition("Question:")[2]
            assert not any(subject in asked for subject in new)
    kept = {(fact.subject, fact.relation.name): fact.value for fact in world.known}
    for fact in world.facts:
        assert kept.get((fact.subject, fact.relation.name)) == fact.before


def test_a_lesson_answers_what_a_document_or_memory_holds_and_else_that_it_does_not_know() -> None:
    lessons = of_training("world_lessons")
    drawn = lessons.Lessons(tiny_world(), seed=3)
    answers = [
        (lesson.prompt.partition("Question:"), lesson.target.strip())
        for lesson in (drawn.one_document() for _ in range(400))
    ]
    not_known = [document for (document, _, _), answer in answers if answer == lessons.NOT_KNOWN]
    assert 0.1 < len(not_known) / len(answers) < 0.4
    for (document, _, question), answer in answers:
        remembered = any(fact.value == answer and fact.subject in question for fact in drawn.known)
        assert answer == lessons.NOT_KNOWN or answer in document or remembered
    left_out = {(fact.subject, fact.relation.name) for fact in drawn.withheld}
    assert left_out
    assert not left_out & {(fact.subject, fact.relation.name) for fact in drawn.known}


def test_the_tokenizer_knows_every_word_and_gives_the_text_back() -> None:
    pytest.importorskip("transformers")
    lessons, world = of_training("world_lessons"), tiny_world()
    tokens = of_training("world_model").tokenizer(world)
    drawn = lessons.Lessons(world, seed=2)
    drawn_lessons = [kind.draw(drawn) for kind in lessons.KINDS for _ in range(20)]
    texts = [f"{lesson.prompt}{lesson.target}".strip() for lesson in drawn_lessons]
    texts += [page.text for page in world.pages]
    for text in texts:
        ids = tokens(text if text.startswith(("Document:", "Question:")) else f" {text}")["input_ids"]
        assert tokens.unk_token_id not in ids
        assert tokens.decode(ids).strip() == text.strip()


def test_a_tiny_world_goes_all_the_way_to_the_figures() -> None:
    pytest.importorskip("torch")
    made, rilm = of_training("world_model"), benchmark()
    from dateline.reading.causal_model import CausalModel

    model, tokens = made.train(tiny_world(), plan=made.Plan(steps=6, width=16, layers=1, heads=2), quiet=True)
    figures, assessed, _ = rilm.measure(CausalModel(model, tokenizer=tokens, batch=64), world=tiny_world(), seed=0)
    assert list(figures["f1"]) == ["Vanilla", "RaLM", "RaLM-D*", "RiLM", "with the right page"]
    assert all(0 <= value <= 100 for row in figures["f1"].values() for value in row.values())
    half = len(tiny_world().facts) / 2
    assert abs(sum(figures["test"].values()) - half) <= 2
    assert sum(figures["train"].values()) > half
    assert set(assessed) == {"as trained", "temperature", "isotonic"}
    assert rilm.table(figures).count("\n") == 6


def test_labels_are_made_as_published() -> None:
    rilm, world = benchmark(), tiny_world()
    from dateline.text.lexical import LexicalEmbeddings

    made = rilm.items(world, seed=0, embeddings=LexicalEmbeddings())
    prompts, labels = rilm.labelled(made)
    for item, prompt, label in zip(made, prompts, labels, strict=True):
        document = prompt.splitlines()[0]
        assert (item.fact.value in document) == (label == "reliable") == (item.fact.status == "unchanged")
    first, second = rilm.halves(made, seed=0)
    assert not {id(item) for item in first} & {id(item) for item in second}
    assert len(first) + len(second) == len(made)
