"""A LangChain RAG chain that hears *when* a question is asked, and about when.

    python examples/langchain_chain.py

`before` is the chain of every tutorial. `after` differs in the lines marked `# dateline`; store, model and the rest stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from notes import load_notes

from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper, ReaderChatModel, TemporalReranker, TemporalRetriever, dated_context

EMBEDDINGS = LexicalEmbeddings()  # yours: OpenAIEmbeddings(), HuggingFaceEmbeddings(...), ...
MODEL = ReaderChatModel()  # yours: init_chat_model("openai:gpt-4o-mini"); this one reads locally, without a key

QUESTIONS = (
    "Who is the Prime Minister of the United Kingdom?",
    "Who was the Prime Minister of the United Kingdom in 2003?",
    "Who was the chief executive of Apple in 2009?",
    "Who was the chair of the Federal Reserve in 2010?",
    "Who was the chancellor of Germany in 2000?",
)

App = Runnable[dict[str, Any], str]
"""Question and asking day in, answer out."""


def before(documents: Sequence[Document]) -> App:
    """The plain chain."""
    store = InMemoryVectorStore.from_documents(list(documents), EMBEDDINGS)
    prompt = ChatPromptTemplate.from_template("Context: {context}\n\nQuestion: {question}")
    found = itemgetter("question") | store.as_retriever(search_kwargs={"k": 5}) | format_docs
    return RunnablePassthrough.assign(context=found) | prompt | MODEL | StrOutputParser()


def after(documents: Sequence[Document]) -> App:
    """The same chain, as of the day of each call."""
    stamped = DateStamper().transform_documents(documents)  # dateline: dates found once, for the store to filter by
    store = InMemoryVectorStore.from_documents(list(stamped), EMBEDDINGS)
    prompt = ChatPromptTemplate.from_template("Context: {context}\n\nQuestion: {question}")
    ranked = TemporalRetriever(retriever=store, reranker=TemporalReranker(embeddings=EMBEDDINGS))  # dateline
    found = ranked | dated_context  # dateline: takes the whole input, and tells the prompt its day
    return RunnablePassthrough.assign(context=found) | prompt | MODEL | StrOutputParser()


def format_docs(documents: Sequence[Document]) -> str:
    """Documents as the plain prompt takes them."""
    return "\n\n".join(document.page_content for document in documents)


def load_documents() -> list[Document]:
    """The documents that the app has."""
    return [
        Document(note.text, metadata={"title": note.title, "date": note.date, "source": note.source})
        for note in load_notes()
    ]


def main() -> None:
    """Ask both."""
    documents = load_documents()
    plain, timed = before(documents), after(documents)
    for question in QUESTIONS:
        print(question)
        print("  before:", plain.invoke({"question": question}))
        print("  after: ", timed.invoke({"question": question, "as_of": "2025-06-01"}))
    print("And the first of them on other days, by the same chain:")
    for day in ("2020-01-15", "2023-01-15"):
        print(f"  as of {day}:", timed.invoke({"question": QUESTIONS[0], "as_of": day}))


if __name__ == "__main__":
    main()
