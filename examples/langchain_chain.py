"""A LangChain RAG chain that hears *when* a question asks about.

    python examples/langchain_chain.py

`before` is the chain of every tutorial. `after` changes its two lines marked `# dateline`; index and model stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from notes import load_notes

from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import FreshPromptTemplate, ReaderChatModel, TemporalReranker, TemporalRetriever

EMBEDDINGS = LexicalEmbeddings()  # yours: OpenAIEmbeddings(), HuggingFaceEmbeddings(...), ...
MODEL = ReaderChatModel()  # yours: init_chat_model("openai:gpt-4o-mini"); this one reads locally, without a key

QUESTIONS = (
    "Who is the Prime Minister of the United Kingdom?",
    "Who was the Prime Minister of the United Kingdom in January 2019?",
    "Who was the chief executive of Apple in 2009?",
    "Who was the chair of the Federal Reserve in 2016?",
    "Who was the chancellor of Germany in 2000?",
)


def index() -> VectorStore:
    """The vector store that the app has."""
    documents = [
        Document(note.text, metadata={"title": note.title, "date": note.date, "source": note.source})
        for note in load_notes()
    ]
    return InMemoryVectorStore.from_documents(documents, EMBEDDINGS)


def shown(documents: Sequence[Document]) -> str:
    """Documents as the plain prompt takes them."""
    return "\n\n".join(document.page_content for document in documents)


def before(store: VectorStore) -> Runnable[str, str]:
    """The plain chain."""
    prompt = ChatPromptTemplate.from_template("Answer from the context.\n\nContext: {context}\n\nQuestion: {question}")
    retriever = store.as_retriever(search_kwargs={"k": 5})
    return {"question": RunnablePassthrough(), "context": retriever | shown} | prompt | MODEL | StrOutputParser()


def after(store: VectorStore, *, as_of: str) -> Runnable[str, str]:
    """The same chain, as of a day."""
    prompt = FreshPromptTemplate(as_of=as_of)  # dateline
    retriever = TemporalRetriever(
        retriever=store, as_of=as_of, reranker=TemporalReranker(embeddings=EMBEDDINGS)
    )  # dateline
    return {"question": RunnablePassthrough(), "documents": retriever} | prompt | MODEL | StrOutputParser()


def main() -> None:
    """Ask both."""
    store = index()
    plain, timed = before(store), after(store, as_of="2025-06-01")
    for question in QUESTIONS:
        print(question)
        print("  before:", plain.invoke(question))
        print("  after: ", timed.invoke(question))
    print("And the first of them on another day, without touching the index:")
    for day in ("2019-01-15", "2023-01-15"):
        print(f"  as of {day}:", after(store, as_of=day).invoke(QUESTIONS[0]))


if __name__ == "__main__":
    main()
