"""A LlamaIndex query engine that hears *when* a question is asked, and when it asks about.

    python examples/llama_index_engine.py

`before` is the plain engine. `after` wraps its index in a retriever, the lines marked `# dateline`. Both answer with the same
reader; the plain one knows of no day.
Needs the extra "llama-index".
"""

from __future__ import annotations

from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import TextNode
from notes import load_notes

from dateline.temporal import asked_at
from dateline.text.lexical import LexicalEmbeddings
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.node_parser.dateline import DateStamper
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import TemporalRetriever

EMBEDDINGS = LocalEmbedding(LexicalEmbeddings())  # yours: OpenAIEmbedding(), ...
READER = ReaderSynthesizer()  # reads locally in the place of an LLM, without a key

ASKED = (
    ("Who is the Prime Minister of the United Kingdom?", ("2019-01-15", "2021-01-15")),
    ("Who is the president of France?", ("2000-06-01", "2010-06-01")),
    ("Which is the tallest building in the world?", ("2006-06-01",)),
    ("Who was the Prime Minister of Italy in 2015?", ("2025-06-01",)),
    ("Who was the chancellor of Germany in 2000?", ("2025-06-01",)),
)


def index() -> VectorStoreIndex:
    """The index that the app has."""
    nodes = [
        TextNode(text=note.text, metadata={"title": note.title, "date": note.date, "source": note.source})
        for note in load_notes()
    ]
    return VectorStoreIndex(DateStamper()(nodes), embed_model=EMBEDDINGS)  # dateline: stamped once


def before(notes: VectorStoreIndex) -> BaseQueryEngine:
    """The plain engine."""
    return RetrieverQueryEngine(notes.as_retriever(similarity_top_k=3), response_synthesizer=READER)


def after(notes: VectorStoreIndex) -> BaseQueryEngine:
    """The same engine, whose retriever asks the index as of the day."""
    retriever = TemporalRetriever(notes, k=3)  # dateline
    return RetrieverQueryEngine(retriever, response_synthesizer=READER)


def main() -> None:
    """Ask both, each question on its days."""
    notes = index()
    for question, days in ASKED:
        for day in days:
            print(f"{question} ({day})")
            told("before:", before(notes).query(question))
            with asked_at(day):  # dateline
                told("after: ", after(notes).query(question))


def told(name: str, response: RESPONSE_TYPE) -> None:
    """Print an answer with the dates of its nodes."""
    dates = ", ".join(node.node.metadata["date"] for node in response.source_nodes)
    print(f"  {name} {response}   (from notes of {dates})")


if __name__ == "__main__":
    main()
