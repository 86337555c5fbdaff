"""Chats in LangChain: `StandaloneQuestion` in front of a retriever, and readers that take the chat before a question."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import BadInput
from dateline.reading import ExtractiveReader
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import ReaderChatModel, ReaderRunnable, StandaloneQuestion, TemporalRetriever
from langchain_dateline.testing import ScriptedChatModel

NOTES = [
    Document("Anna Berg became director of the choir in March 2015.", metadata={"date": "2015-03-02"}),
    Document("Carl Dahl became director of the choir in 2021.", metadata={"date": "2021-09-14"}),
]
CHAT = [HumanMessage("Who was the director of the choir in 2018?"), AIMessage("Anna Berg")]
AS_OF = datetime(2024, 1, 1, tzinfo=UTC)
AGAIN: Any = {"input": "And in 2022?", "chat_history": CHAT}
MEANT = "Who was the director of the choir in 2022?"


async def test_a_question_of_a_chat_stands_alone_in_front_of_a_retriever() -> None:
    step = StandaloneQuestion(as_of=AS_OF)
    assert step.invoke(AGAIN) == MEANT == await step.ainvoke({"question": "And in 2022?", "history": CHAT})
    store = InMemoryVectorStore.from_documents(NOTES, LexicalEmbeddings())
    found = (step | TemporalRetriever(retriever=store, k=1)).invoke(AGAIN)
    assert found[0].page_content == NOTES[1].page_content


def test_the_question_may_be_a_message() -> None:
    assert (
        StandaloneQuestion(as_of=AS_OF).invoke({"input": HumanMessage("And in 2022?"), "chat_history": CHAT}) == MEANT
    )
    assert StandaloneQuestion(as_of=AS_OF).invoke({"question": HumanMessage("Who?")}) == "Who?"


async def test_a_model_may_make_it_stand_alone() -> None:
    model = ScriptedChatModel(replies=[f'{{"question": "{MEANT}"}}'])
    assert await StandaloneQuestion(model=model).ainvoke(AGAIN) == MEANT
    assert len(model.history) == 1


async def test_the_reader_as_a_step_takes_the_chat() -> None:
    step = ReaderRunnable(reader=ExtractiveReader(), as_of=AS_OF)
    given: Any = {**AGAIN, "context": NOTES}
    assert step.invoke(given)["answer"] == (await step.ainvoke(given))["answer"] == "Carl Dahl"
    assert step.invoke(cast(Any, {**given, "chat_history": [], "input": CHAT[0].text}))["answer"] == "Anna Berg"


def test_the_reader_as_a_chat_model_reads_the_messages_before_the_last() -> None:
    context = "\n\n".join(f"date: {note.metadata['date']}\n{note.page_content}" for note in NOTES)
    model = ReaderChatModel(reader=ExtractiveReader(), as_of=AS_OF)
    said = model.invoke([HumanMessage(f"Context:\n{context}\n\nQuestion: {CHAT[0].text}"), CHAT[1],
                         HumanMessage(f"Context:\n{context}\n\nQuestion: And in 2022?")])  # fmt: skip
    assert said.text == "Carl Dahl"


def test_input_without_a_question_or_with_a_strange_chat_is_refused() -> None:
    with pytest.raises(BadInput, match="no question"):
        StandaloneQuestion().invoke({"chat_history": CHAT})
    with pytest.raises(BadInput, match=r'input is a str; give {"input"'):
        StandaloneQuestion().invoke("And in 2022?")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="list of turns"):
        StandaloneQuestion().invoke({"input": "And?", "chat_history": "Anna"})  # type: ignore[typeddict-item]
