"""A support bot with a memory: what a customer said last year is not what is true today.

    python examples/support_bot.py

`before` remembers by adding: every message goes into a vector store, and what is alike comes back, old and new. `after`
remembers facts with their histories, the lines marked `# dateline`: what was said later ends what it contradicts, and the past
stays known.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import FactStoreRetriever, ReaderChatModel

EMBEDDINGS = LexicalEmbeddings()  # yours: any embeddings
MODEL = ReaderChatModel()  # yours: init_chat_model("openai:gpt-4o-mini"); this one reads locally, without a key

CUSTOMER = "Mia Torres"
SAID = (
    ("2022-03-01", "Hello! I live in Leeds. My address is 1 High Street, Leeds."),
    ("2022-11-20", "The printer that you sent me jams all the time."),
    ("2023-06-02", "My email is mia@example.org, please send the invoice there."),
    (
        "2024-05-05",
        "We moved house and everything is upside down. I live in York now. My address is 5 Mill Lane, York.",
    ),
)
QUESTION = f"Where does {CUSTOMER} live?"

Memory = Callable[[str], list[Document]]


def reply(question: str, recalled: list[Document]) -> str:
    """The bot's own line: answer from what was recalled."""
    memories = "\n\n".join(document.page_content for document in recalled)
    asked: list[BaseMessage] = [HumanMessage(f"Context:\n{memories}\n\nQuestion: {question}")]
    return str(MODEL.invoke(asked).content)


def before() -> Memory:
    """The plain memory: add, and search."""
    store = InMemoryVectorStore(EMBEDDINGS)
    for _, text in SAID:
        store.add_documents([Document(f"{CUSTOMER}: {text}")])
    return lambda question: store.similarity_search(question, k=3)


def after(*, as_of: str) -> Memory:
    """A memory of facts."""
    store = FactStore(
        MemoryLedger(), index=ExactIndex(), embeddings=EMBEDDINGS
    )  # dateline; to keep it: open_store(folder)
    updater = LocalUpdater(store)  # dateline
    for day, text in SAID:
        said = Evidence.make(text, title=CUSTOMER, source="chat", published=Interval.parse(day))
        updater.update([said], known_at=datetime(2024, 6, 1, tzinfo=UTC))  # dateline
    retriever = FactStoreRetriever(store=store, k=3, as_of=as_of)  # dateline
    return lambda question: retriever.invoke(question)


def main() -> None:
    """Recall with both."""
    print(QUESTION)
    for name, memory in (
        ("before", before()),
        ("after, as of 2024-06-01", after(as_of="2024-06-01")),
        ("after, as of 2022-12-01, when the printer jammed", after(as_of="2022-12-01")),
    ):
        recalled = memory(QUESTION)
        print(f"{name}: {reply(QUESTION, recalled)}")
        for document in recalled:
            print("   ", document.page_content)


if __name__ == "__main__":
    main()
