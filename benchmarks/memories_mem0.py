"""mem0 (open source) behind the checks of `memories_checks.py`, on Qdrant in a folder; runs in an environment of its own."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from mem0 import Memory as Mem0
from memories_checks import LOOKING, WAITING, CannotError, needs_argument, report
from memories_world import DIMENSIONS, Document, Reader, statements, tells, vector_of
from pydantic import ConfigDict

USER = "reader"


class ReaderModel(BaseChatModel):
    """The scripted model: it gives every statement of the new messages as a memory to add, which is all it is asked for."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    reader: Reader

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        prompt = str(messages[-1].content)
        self.reader.called(prompt)
        (new,) = re.findall(r"^## New Messages\n(.*?)(?=^## |^# )", prompt, re.S | re.M)
        found = [{"id": str(place), "text": each[0]} for place, each in enumerate(statements(new))]
        return ChatResult(generations=[ChatGeneration(message=AIMessage(json.dumps({"memory": found})))])


class SharedEmbeddings(Embeddings):
    """The vectors that all memories are given."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector_of(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return vector_of(text)


class Mem0Memory:
    """Memories of one user. The day of a document goes into the metadata, by which a search can filter."""

    def __init__(self, reader: Reader) -> None:
        folder = Path(tempfile.mkdtemp(dir=tempfile.gettempdir()))
        store = {"path": str(folder / "qdrant"), "embedding_model_dims": DIMENSIONS, "on_disk": True}
        self.memory = Mem0.from_config(
            {
                "llm": {"provider": "langchain", "config": {"model": ReaderModel(reader=reader)}},
                "embedder": {
                    "provider": "langchain",
                    "config": {"model": SharedEmbeddings(), "embedding_dims": DIMENSIONS},
                },
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(folder / "history.db"),
            }
        )

    def add(self, document: Document) -> list[str]:
        added = self.memory.add(document.text, user_id=USER, metadata={"day": _number(document.day)})
        return [each["id"] for each in added["results"]]

    def search(self, question: str) -> list[str]:
        return _texts(self.memory.search(question, filters={"user_id": USER}))

    def current(self, question: str) -> list[str]:
        return self.search(question)

    def at(self, question: str, *, day: str) -> list[str]:
        until = {"user_id": USER, "day": {"lte": _number(day)}}
        return _texts(self.memory.search(question, filters=until))

    def everything(self) -> list[str]:
        return sorted(_texts(self.memory.get_all(filters={"user_id": USER}, top_k=100)))

    def since(self, question: str) -> str:
        raise CannotError("a memory has no time of its own but that of its writing")

    def remove(self, added: Any) -> None:
        for memory_id in added:
            self.memory.delete(memory_id)

    def propose(self, document: Document) -> None:
        needs_argument(Mem0.add, called="add", words=WAITING)

    def preview(self, document: Document) -> int:
        needs_argument(Mem0.add, called="add", words=LOOKING)
        raise AssertionError


def remarks() -> dict[str, str]:
    """What becomes of the two arguments for time, and which day the model is told instead."""
    reader = Reader()
    memory = Mem0Memory(reader)
    document = tells(("Northern Harbour", "Eva Holm"), day="1999-02-03")
    memory.add(document)
    (observed,) = re.findall(r"^## Observation Date\n(.*)$", reader.prompts[-1], re.M)
    return {
        "observation date of a document of 1999": observed,
        "timestamp": _refusal(lambda: memory.memory.add(document.text, user_id=USER, timestamp=document.day)),
        "reference_date": _refusal(
            lambda: memory.memory.search("Who?", filters={"user_id": USER}, reference_date=document.day)
        ),
    }


def _refusal(attempt: Any) -> str:
    try:
        attempt()
    except ValueError as error:
        return f"ValueError: {error}"
    return "taken"


def _number(day: str) -> int:
    """A day as a number, which range filters compare."""
    return int(f"{day}-01-01"[:10].replace("-", ""))


def _texts(answer: dict[str, Any]) -> list[str]:
    results: Sequence[dict[str, Any]] = answer["results"]
    return [each["memory"] for each in results]


if __name__ == "__main__":
    report(Mem0Memory, package="mem0ai", remarks=remarks)
