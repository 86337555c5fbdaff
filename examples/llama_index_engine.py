"""A LlamaIndex query engine that hears *when* a question asks about.

    python examples/llama_index_engine.py

`before` is `index.as_query_engine`. `after` adds one postprocessor, the lines marked `# dateline`. Both answer with the same
reader and the same dates; what differs is only which nodes it is given.
Needs the extra "llama-index".
"""

from __future__ import annotations

from llama_index.core import Settings, VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.llms import MockLLM
from llama_index.core.schema import TextNode
from notes import load_notes

from dateline.text.lexical import LexicalEmbeddings
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.postprocessor.dateline import TemporalReranker
from llama_index.response_synthesizers.dateline import ReaderSynthesizer

EMBEDDINGS = LocalEmbedding(LexicalEmbeddings())  # yours: OpenAIEmbedding(), ...
AS_OF = "2025-06-01"
Settings.llm = MockLLM()  # yours: OpenAI(...), and no READER
READER = ReaderSynthesizer(as_of=AS_OF)  # reads locally in the place of an LLM, without a key

QUESTIONS = (
    "Who was the Prime Minister of Italy in 2015?",
    "Who was the chancellor of Germany in 2000?",
    "Which was the tallest building in the world in 2006?",
    "Who was the president of France in 2010?",
)


def index() -> VectorStoreIndex:
    """The index that the app has."""
    nodes = [
        TextNode(text=note.text, metadata={"title": note.title, "date": note.date, "source": note.source})
        for note in load_notes()
    ]
    return VectorStoreIndex(nodes, embed_model=EMBEDDINGS)


def before(notes: VectorStoreIndex) -> BaseQueryEngine:
    """The plain engine."""
    return notes.as_query_engine(similarity_top_k=3, response_synthesizer=READER)


def after(notes: VectorStoreIndex) -> BaseQueryEngine:
    """The same engine: more candidates, of which the postprocessor keeps those that fit the question's time."""
    return notes.as_query_engine(
        similarity_top_k=50,  # dateline
        node_postprocessors=[TemporalReranker(top_n=3, as_of=AS_OF, embeddings=EMBEDDINGS)],  # dateline
        response_synthesizer=READER,
    )


def main() -> None:
    """Ask both."""
    notes = index()
    for question in QUESTIONS:
        print(question)
        for name, engine in (("before:", before(notes)), ("after: ", after(notes))):
            response = engine.query(question)
            dates = ", ".join(node.node.metadata["date"] for node in response.source_nodes)
            print(f"  {name} {response}   (from notes of {dates})")


if __name__ == "__main__":
    main()
