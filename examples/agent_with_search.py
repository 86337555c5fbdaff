"""`create_agent` with a search tool: an agent that knows what day it is, and says how fresh its answer is.

    python examples/agent_with_search.py

`before` is a plain agent over a retriever tool. `after` adds one middleware, the line marked `# dateline`.
"""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.tools import BaseTool, create_retriever_tool
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.graph.state import CompiledStateGraph
from notes import load_notes

from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline.middleware import DatelineMiddleware
from langchain_dateline.testing import SearchingChatModel

QUESTION = "Who is the Prime Minister of the United Kingdom?"


def model() -> SearchingChatModel:
    """Searches once, and answers from what it is shown. Yours: init_chat_model("openai:gpt-4o-mini")."""
    return SearchingChatModel()


def search_tool() -> BaseTool:
    """The tool that the app has."""
    documents = [
        Document(note.text, metadata={"title": note.title, "date": note.date, "source": note.source})
        for note in load_notes()
    ]
    store = InMemoryVectorStore.from_documents(documents, LexicalEmbeddings())  # yours: any vector store, any search
    retriever = store.as_retriever(search_kwargs={"k": 10})
    return create_retriever_tool(
        retriever, "search_notes", "Searches the notes.", response_format="content_and_artifact"
    )


def before(tool: BaseTool) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The plain agent."""
    return create_agent(model(), [tool])


def after(tool: BaseTool) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The same agent, aware of time."""
    return create_agent(model(), [tool], middleware=[DatelineMiddleware()])  # dateline


def main() -> None:
    """Ask both."""
    tool = search_tool()
    asked = {"messages": [("user", QUESTION)]}
    plain = before(tool).invoke(asked)
    print(QUESTION)
    print("before:", plain["messages"][-1].content)
    print("  (and on whatever day: the model sees no dates and is told none)")
    for day in ("2020-01-15", "2023-01-15"):
        state = after(tool).invoke({**asked, "as_of": day})
        print(f"after, as of {day}:", state["messages"][-1].content)
        print("  ", state["freshness"]["statement"])
    print("What the model read on that last day:")
    for line in state["messages"][2].content.splitlines():
        if line.startswith(("date:", "title:", "Left out")):
            print("  ", line)


if __name__ == "__main__":
    main()
