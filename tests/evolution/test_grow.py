"""Growing a benchmark: which paragraphs, what is kept, what is made, month after month."""

from __future__ import annotations

import json
import re
import time

import numpy as np
import pytest
from grow_parts import SameWords, article
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage

from dateline import BadInput
from dateline.records import Labelled, Labelling
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.growing.articles import GrowingArticle
from dateline_bench.growing.chat_maker import ChatMaker
from dateline_bench.growing.grown import GrownDialogue, GrownQuestion, GrownTurn
from dateline_bench.growing.growth import Growth
from dateline_bench.growing.kmeans import kmeans
from dateline_bench.growing.maintenance import maintain
from dateline_bench.growing.paragraphs import choose, is_informative
from dateline_bench.growing.tasks import consecutive, new_tasks, split_evenly
from dateline_bench.growing.template_maker import TemplateMaker
from langchain_dateline.testing import AnsweringChatModel

FILLER = "It lies where the river meets the sea, between two low hills that shelter the boats from the western wind, "
PARAGRAPH = (
    f"The population of Port Elwin is 5,100. {FILLER}and most of its houses were built of red brick in the years after the "
    "great flood. The mayor of Port Elwin is Greta Holm. The council meets in the old customs house every other week."
)


def question(*indices: int, id: str = "q") -> GrownQuestion:
    return GrownQuestion(
        id=id, article="elwin", title="Port Elwin", type="New", born="2024-01", question="Who?", answer="Greta",
        evidence=tuple(f"s{n}" for n in indices), indices=indices, made_by="template",
    )  # fmt: skip


def dialogue(*places: int) -> GrownDialogue:
    turns = [GrownTurn(type="New", user="And?", expert="So.", evidence=(f"s{n}",), indices=(n,)) for n in places]
    return GrownDialogue(id="d", article="elwin", title="Port Elwin", type="New", born="2024-01", modified="2024-01",
                         turns=tuple(turns), made_by="template")  # fmt: skip


def labelling(*labels: str) -> Labelling:
    found = [Labelled.model_validate({"index": n, "text": f"s{n}", "label": label}) for n, label in enumerate(labels)]
    return Labelling(old=(), sentences=tuple(found))


# -- paragraphs -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentences", "characters", "informative"),
    [(4, 300, True), (4, 600, True), (5, 400, False), (4, 299, False), (4, 601, False), (1, 400, True)],
)
def test_paragraphs_of_fewer_than_five_sentences_and_300_to_600_characters_are_informative(
    sentences: int, characters: int, informative: bool
) -> None:
    lengths = [characters // sentences] * sentences
    texts = ["x" * (length - (n > 0)) for n, length in enumerate(lengths)]
    texts[0] += "x" * (characters - len(" ".join(texts)))
    made = GrowingArticle(id="a", title="A", sentences=tuple(texts), paragraphs=((0, sentences),))
    assert is_informative(made, (0, sentences)) == informative


def test_of_more_than_four_paragraphs_one_is_drawn_from_each_cluster_and_the_seed_decides_which() -> None:
    topics = [
        "ferries cross the river mouth",
        "choirs sing in old halls",
        "telescopes watch distant stars",
        "bakers sell bread",
    ]
    sentences = [f"{topic} number {n}" for topic in topics for n in range(5)]
    made = GrowingArticle(
        id="a", title="A", sentences=tuple(sentences), paragraphs=tuple((n, n + 1) for n in range(20))
    )
    drawn = [choose(made, made.paragraphs, embeddings=LexicalEmbeddings(), seed=seed) for seed in range(6)]
    for places in drawn:
        assert [start // 5 for start, _ in places] == [0, 1, 2, 3]
    assert len({tuple(places) for places in drawn}) > 1
    assert drawn[0] == choose(made, made.paragraphs, embeddings=LexicalEmbeddings(), seed=0)


@settings(max_examples=25)
@given(st.integers(1, 30), st.integers(1, 6), st.integers(0, 99), st.booleans())
def test_k_means_leaves_no_cluster_empty_and_repeats_itself(rows: int, clusters: int, seed: int, equal: bool) -> None:
    vectors = np.random.default_rng(seed).normal(size=(rows, 3)).astype(np.float32) * (not equal)
    labels = kmeans(vectors, clusters=clusters, rng=np.random.default_rng(seed))
    assert set(labels) == set(range(min(rows, clusters)))
    assert (labels == kmeans(vectors, clusters=clusters, rng=np.random.default_rng(seed))).all()


# -- groups ---------------------------------------------------------------------------------------


@given(st.integers(1, 60), st.integers(1, 9))
def test_long_runs_of_new_sentences_are_split_into_groups_of_nearly_one_size(length: int, most: int) -> None:
    run = tuple(range(length))
    groups = split_evenly(run, most=most)
    assert tuple(place for group in groups for place in group) == run
    sizes = [len(group) for group in groups]
    assert max(sizes) <= most
    assert max(sizes) - min(sizes) <= 1
    assert len(groups) == -(-length // most)


def test_each_group_of_consecutive_new_sentences_is_one_task_with_what_stands_around_it() -> None:
    made = GrowingArticle(id="a", title="A", sentences=tuple(f"s{n}" for n in range(12)), paragraphs=((0, 3), (3, 12)))
    tasks = new_tasks(made, labelling("new", "unchanged", "undecided", "changed", "unchanged", *["new"] * 7))
    assert [one.indices for one in tasks] == [(0,), (5, 6, 7), (8, 9, 10, 11)]
    assert tasks[0].context == ("s1", "s2")
    assert consecutive([]) == []


# -- maintenance ----------------------------------------------------------------------------------


def test_instances_are_kept_at_their_new_place_while_all_their_evidence_is_unchanged() -> None:
    new = GrowingArticle(id="elwin", title="Port Elwin", sentences=("n0", "n1", "n2", "n3"), paragraphs=((0, 4),))
    moves = {0: (1,), 1: (2, 3)}
    kept = maintain([question(0, 1, id="both"), question(1, 2, id="half")], dialogues=[dialogue(0, 2, 1)], article=new,
                    moves=moves, month="2024-02")  # fmt: skip
    (stays,) = kept.questions
    assert (stays.id, stays.type, stays.indices, stays.evidence) == ("both", "Unchanged", (1, 2, 3), ("n1", "n2", "n3"))
    assert [gone.id for gone in kept.dropped_questions] == ["half"]
    (talk,) = kept.dialogues
    assert [turn.type for turn in talk.turns] == ["Unchanged", "Deleted", "Unchanged"]
    assert (talk.modified, kept.deleted_turns) == ("2024-02", 1)


def test_a_question_that_stays_after_a_change_has_no_previous_answer_any_more() -> None:
    new = GrowingArticle(id="elwin", title="Port Elwin", sentences=("n0",), paragraphs=((0, 1),))
    changed = question(0).model_copy(update={"type": "Changed", "previous_answer": "Greta Holm"})
    (stays,) = maintain([changed], dialogues=[], article=new, moves={0: (0,)}, month="2024-03").questions
    assert (stays.type, stays.previous_answer) == ("Unchanged", "")


def test_a_turn_that_went_stays_gone_and_a_dialogue_goes_with_its_last_turn() -> None:
    new = GrowingArticle(id="elwin", title="Port Elwin", sentences=("n0",), paragraphs=((0, 1),))
    once = maintain([], dialogues=[dialogue(0, 1)], article=new, moves={0: (0,)}, month="2024-02")
    again = maintain([], dialogues=once.dialogues, article=new, moves={0: (0,), 1: (0,)}, month="2024-03")
    assert [turn.type for turn in again.dialogues[0].turns] == ["Unchanged", "Deleted"]
    assert (again.dialogues[0].modified, again.deleted_turns) == ("2024-02", 0)
    gone = maintain([question(0)], dialogues=again.dialogues, article=None, moves={}, month="2024-04")
    assert (gone.questions, gone.dialogues, gone.deleted_turns) == ((), (), 1)


@pytest.mark.parametrize(
    ("sentence", "shorter", "asked", "answer"),
    [
        ("It was built in 1912 and rebuilt in 1931.", "It was built in 1912.", "When was the mill rebuilt?", "1931"),
        ("Ada Berg and Jon Holm built it.", "Ada Berg built it.", "Who built it?", "Ada Berg and Jon Holm"),
    ],
)
def test_a_question_goes_when_a_shorter_sentence_no_longer_holds_its_answer(
    sentence: str, shorter: str, asked: str, answer: str
) -> None:
    new = GrowingArticle(id="elwin", title="Port Elwin", sentences=(shorter,), paragraphs=((0, 1),))
    lost = question(0).model_copy(update={"evidence": (sentence,), "question": asked, "answer": answer})
    stays = lost.model_copy(update={"id": "stays", "answer": "built"})
    kept = maintain([lost, stays], dialogues=[], article=new, moves={0: (0,)}, month="2024-02")
    assert [each.id for each in kept.questions] == ["stays"]
    assert kept.dropped_questions == (lost,)


def test_a_turn_goes_when_the_expert_says_more_than_is_left_of_its_evidence() -> None:
    sentences = ("It was built in 1912.", "It is built of red brick.")
    new = GrowingArticle(id="elwin", title="Port Elwin", sentences=sentences, paragraphs=((0, 2),))
    said = [
        ("It was built in 1912 and rebuilt in 1931.", "In 1912, and once more in 1931."),
        ("It is made of red brick.", "Red brick it is made of, and nothing else at all, as people like to say here."),
    ]
    turns = [
        turn.model_copy(update={"evidence": (evidence,), "expert": expert})
        for turn, (evidence, expert) in zip(dialogue(0, 1).turns, said, strict=True)
    ]
    talk = dialogue(0).model_copy(update={"turns": tuple(turns)})
    kept = maintain([], dialogues=[talk], article=new, moves={0: (0,), 1: (1,)}, month="2024-02")
    assert [turn.type for turn in kept.dialogues[0].turns] == ["Deleted", "Unchanged"]
    assert kept.deleted_turns == 1


# -- months ---------------------------------------------------------------------------------------


@pytest.fixture
def growth() -> Growth:
    return Growth(TemplateMaker(), labeller=SameWords(), embeddings=LexicalEmbeddings())


def test_a_first_month_makes_a_question_and_a_dialogue_of_each_paragraph(growth: Growth) -> None:
    grown = growth.grow(growth.start(article(f"{PARAGRAPH}\n\nToo short."), month="2024-01"))
    (asked,) = grown.questions
    assert (asked.question, asked.answer, asked.type) == ("What is the population of Port Elwin?", "5,100", "New")
    assert (asked.indices, asked.made_by) == ((0,), "template")
    (talk,) = grown.dialogues
    assert [turn.indices for turn in talk.turns] == [(0,), (1,), (2,), (3,)]
    assert {turn.type for turn in talk.turns} == {"New"}


def test_a_changed_sentence_renews_its_question_with_the_old_and_the_new_answer(growth: Growth) -> None:
    old = article(PARAGRAPH)
    new = article(f"A first line that nobody wrote before.\n\n{PARAGRAPH.replace('5,100', '5,240')}")
    first = growth.grow(growth.start(old, month="2024-01"))
    plan = growth.carry(new, labelling=growth.label(old, new=new), month="2024-02", questions=first.questions,
                        dialogues=first.dialogues)  # fmt: skip
    grown = growth.grow(plan)
    (asked,) = grown.questions
    assert (asked.type, asked.question) == ("Changed", first.questions[0].question)
    assert (asked.previous_answer, asked.answer) == ("5,100", "5,240")
    assert (asked.indices, asked.evidence) == ((1,), ("The population of Port Elwin is 5,240.",))
    assert asked.replaces == grown.dropped == (first.questions[0].id,)
    kept, made = grown.dialogues
    assert [turn.type for turn in kept.turns] == ["Deleted", "Unchanged", "Unchanged", "Unchanged"]
    assert [turn.indices for turn in kept.turns[1:]] == [(2,), (3,), (4,)]
    assert [turn.type for turn in made.turns] == ["Changed", "Unchanged", "Unchanged", "Unchanged"]
    assert len(grown.notes) == 1


def test_nothing_new_makes_nothing_and_keeps_everything(growth: Growth) -> None:
    old = article(PARAGRAPH)
    first = growth.grow(growth.start(old, month="2024-01"))
    plan = growth.carry(old, labelling=growth.label(old, new=old), month="2024-02", questions=first.questions,
                        dialogues=first.dialogues)  # fmt: skip
    assert plan.tasks == plan.dropped == ()
    assert [each.id for each in plan.questions] == [each.id for each in first.questions]
    assert [each.id for each in plan.dialogues] == [each.id for each in first.dialogues]


async def test_the_asynchronous_twin_makes_the_same(growth: Growth) -> None:
    plan = growth.start(article(PARAGRAPH), month="2024-01")
    assert await growth.agrow(plan) == growth.grow(plan)


async def test_a_models_replies_find_their_tasks_whatever_order_they_come_in() -> None:
    def respond(messages: list[BaseMessage]) -> str:
        lines = str(messages[1].content).splitlines()
        time.sleep(0.02 if "first" in lines[1] else 0)
        named = re.findall(r"Captain (\w+)", lines[1])[0]
        return json.dumps({"question": f"Who was {lines[1].split()[1]}?", "answer": named, "first": 1, "last": 1})

    growth = Growth(ChatMaker(AnsweringChatModel(respond=respond)), embeddings=LexicalEmbeddings())
    names = ["first Captain Berg", "second Captain Dahl", "third Captain Holm"]
    made = GrowingArticle(id="a", title="A", sentences=tuple(names), paragraphs=((0, 3),))
    mixed = labelling("new", "unchanged", "new")
    plan = growth.carry(made, labelling=mixed, month="2024-02")
    for grown in (growth.grow(plan), await growth.agrow(plan)):
        assert [(each.question, each.answer) for each in grown.questions] == [
            ("Who was first?", "Berg"),
            ("Who was third?", "Holm"),
        ]


def test_what_cannot_grow_is_refused_when_it_is_made() -> None:
    with pytest.raises(BadInput, match="clusters"):
        Growth(TemplateMaker(), clusters=0)
    with pytest.raises(BadInput, match="seed"):
        Growth(TemplateMaker(), seed=-1)
    with pytest.raises(BadInput, match="labeller"):
        Growth(TemplateMaker()).label(article(PARAGRAPH), new=article(PARAGRAPH))
