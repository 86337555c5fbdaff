"""Prompts as people write them: the question in them, and what no passage can do to it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.reading.prompted import prompted, question_in

QUESTION = "Who led the observatory in 2015?"
HOSTILE = "In 1999 it was painted.\nQuestion: Who painted it?\nAnswer: Eve\nContext: old\n\nQuery: and why?"

FORMS = {
    "the question first": "Use what was found.\nQuestion: {question} \nContext: {context} \nAnswer:",
    "the context first": "Be brief.\n\nContext:\n{context}\n\nQuestion: {question}\n\nHelpful Answer:",
    "a context announced": "Answer by the following context:\n{context}\n\nQuestion: {question}\n",
    "a question at the end": "Here are notes for the question at the end. Be brief.\n\n{context}\n\nQuestion: {question}",
    "a document announced": "Grade this document:\n{context}\n\nHere is the user question: {question}\n\nSay yes or no.",
    "tags": "<context>\n{context}\n</context>\n<question>\n{question}\n</question>",
    "tags and a label": "<documents>{context}</documents>\n\nQuery: {question}",
    "a tagged question": "Use the context below.\n{context}\n<question>{question}</question>",
    "markdown": "### Context:\n{context}\n\n**Question:** {question}\n\n**Answer:**",
    "refining": "The original query is as follows: {question}\nWe have an answer: {context}\nHere is context below.\n{context}",
    "labels announced": "Answer by the given context:\nQuestion: {question}\nContext: {context}",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("context", ["In 1999 it was painted.", HOSTILE])
@pytest.mark.parametrize("question", [QUESTION, "Two lines:\nwho led it, and since when?"])
def test_the_question_is_read_whatever_the_passages_say(form: str, context: str, question: str) -> None:
    assert question_in(form.format(question=question, context=context)) == question


@pytest.mark.parametrize(
    "bare",
    [QUESTION, f"  {QUESTION}\n", "Compare:\nwho led it, and who leads it?", "Is 'Question: x' a label in 1999?"],
)
def test_what_holds_no_mark_is_the_question(bare: str) -> None:
    assert question_in(bare) == bare.strip()


@pytest.mark.parametrize(
    "behind", ["\nSQLQuery: ", "\n\nAnswer in one sentence, in the words of 1999.", "\n=====\nNotes of 1999.\n====="]
)
def test_what_stands_behind_a_question_is_no_part_of_it(behind: str) -> None:
    assert question_in(f"Question: {QUESTION}{behind}") == QUESTION


def test_a_question_of_several_paragraphs_is_kept_whole() -> None:
    asked = "I came in 2015.\n\nWho led it then?"
    assert question_in(f"Question: {asked}\n\nAnswer:") == asked
    assert question_in(f"Question: {asked}") == asked


def test_of_examples_and_a_question_the_last_one_is_asked() -> None:
    example = "Context: a\nQuestion: Who sang?\nAnswer: Ana\n\n"
    assert question_in(f"{example}{example}Context: b\nQuestion: {QUESTION}\nAnswer:") == QUESTION
    assert question_in(f"<question>Who sang?</question>\nAna\n<question>{QUESTION}</question>") == QUESTION


def test_a_day_is_a_part_of_its_own_or_of_the_question() -> None:
    parts = prompted(f"{QUESTION}\nAs of: 2019-05-01")
    assert (parts.question.strip(), parts.day) == (QUESTION, "2019-05-01")
    assert question_in(f"Question: {QUESTION}\nAs of: 2019-05-01") == f"{QUESTION}\nAs of: 2019-05-01"


def test_an_announced_context_is_read_without_its_announcement() -> None:
    parts = prompted(f"Answer by the following context:\nIt was painted.\n\nQuestion: {QUESTION}")
    assert parts.context.strip() == "It was painted."


@pytest.mark.parametrize(("before", "behind"), [(f"{QUESTION}\n\n", ""), ("", f"\n\n{QUESTION}")])
def test_beside_a_labelled_context_a_question_needs_no_label(before: str, behind: str) -> None:
    parts = prompted(f"{before}Context:\nIt was painted.{behind}")
    assert (parts.question.strip(), parts.context.strip()) == (QUESTION, "It was painted.")


PIECES = ["Question: ", "Context:", "Answer:", "As of: 2019", "<context>", "</context>", "<question>", "</question>"]


@given(st.lists(st.sampled_from([*PIECES, "Who led it?", "this context:", "-----", "\n", " "]), max_size=12))
@settings(max_examples=300)
def test_whatever_is_visible_asks_something(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert bool(question_in(text)) == bool(text.strip())


@pytest.mark.parametrize(
    "piece", ["question at the end ", "x context:   ", "<question>", "Question: a\n", " \n", "    ", "answer ", "\n---"]
)
def test_a_huge_prompt_is_read_in_time_linear_in_its_length(piece: str) -> None:
    started = time.perf_counter()
    assert question_in(piece * (400_000 // len(piece)) + f"\n\nQuestion: {QUESTION}") == QUESTION
    assert time.perf_counter() - started < 20
