"""LangMem behind the checks of `memories_checks.py`, on LangGraph's store in memory; runs in an environment of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.store.memory import InMemoryStore
from langmem import create_memory_store_manager
from memories_checks import LOOKING, WAITING, CannotError, needs_argument, report
from memories_world import DIMENSIONS, Document, Reader, statements, vector_of
from pydantic import ConfigDict

NAMESPACE = ("memories",)
EXISTING = re.compile(r"<instance id=(\S+) schema_type=\"\w+\">\n(.*?)\n</instance>", re.S)


class ReaderModel(BaseChatModel):
    """The scripted model. It does as LangMem's instructions say: what is outdated is updated, what is new is inserted."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    reader: Reader

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        prompt = "\n".join(str(message.content) for message in messages)
        self.reader.called(prompt)
        (session,) = re.findall(r"<session_\S+>\n(.*?)\n</session_", prompt, re.S)
        known = {id: ast.literal_eval(value)["content"] for id, value in EXISTING.findall(prompt)}
        calls = []
        for each in statements(session):
            outdated = [id for id, text in known.items() if self.reader.contradicts(each[0], text)]
            calls += [_patch(id, each[0]) for id in outdated]
            if not outdated and each[0] not in known.values():
                calls.append({"name": "Memory", "args": {"content": each[0]}, "id": str(uuid4())})
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=calls))])


class LangMemMemory:
    """A store that LangMem's manager fills in the background, as in its guide."""

    def __init__(self, reader: Reader) -> None:
        vectors = {"dims": DIMENSIONS, "embed": lambda texts: [vector_of(text) for text in texts]}
        self.store = InMemoryStore(index=vectors)
        self.manager = create_memory_store_manager(ReaderModel(reader=reader), namespace=NAMESPACE, store=self.store)

    def add(self, document: Document) -> Any:
        return self.manager.invoke({"messages": [{"role": "user", "content": document.text}]})

    def search(self, question: str) -> list[str]:
        return _texts(self.store.search(NAMESPACE, query=question))

    def current(self, question: str) -> list[str]:
        return self.search(question)

    def at(self, question: str, *, day: str) -> list[str]:
        needs_argument(self.store.search, called="search", words=("time", "date", "when", "as_of", "valid"))
        raise AssertionError

    def everything(self) -> list[str]:
        return sorted(_texts(self.store.search(NAMESPACE, limit=100)))

    def since(self, question: str) -> str:
        raise CannotError("a memory has no time of its own but that of its writing")

    def remove(self, added: Any) -> None:
        for put in added:
            self.store.delete(NAMESPACE, put["key"])

    def propose(self, document: Document) -> None:
        needs_argument(create_memory_store_manager, called="create_memory_store_manager", words=WAITING)

    def preview(self, document: Document) -> int:
        needs_argument(create_memory_store_manager, called="create_memory_store_manager", words=LOOKING)
        raise AssertionError


def _patch(id: str, text: str) -> dict[str, Any]:
    patches = [{"op": "replace", "path": "/content", "value": text}]
    arguments = {"json_doc_id": id, "planned_edits": "Update the outdated memory.", "patches": patches}
    return {"name": "PatchDoc", "args": arguments, "id": str(uuid4())}


def _texts(items: Sequence[Any]) -> list[str]:
    return [item.value["content"]["content"] for item in items]


if __name__ == "__main__":
    report(LangMemMemory, package="langmem")
