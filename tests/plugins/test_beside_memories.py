"""The memories that LangGraph and LlamaIndex ship beside the fact store, on the same two messages.

As in `test_beside_built_in_components.py`, each test first shows the fault in the released version that is installed.
"""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("langgraph")
pytest.importorskip("llama_index.core")

from langgraph.store.memory import InMemoryStore
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.memory import FactExtractionMemoryBlock

from asof import Interval
from asof.facts import ExactIndex, FactStore, MemoryLedger
from asof.text.lexical import LexicalEmbeddings
from llama_index.memory.asof import FactMemoryBlock

OLD, NEW = (f"{name} is the director of the Northern Harbour." for name in ("Eva Holm", "Jon Lund"))
ASKED = ChatMessage("Who is the director of the Northern Harbour?")


def said(text: str, day: str) -> ChatMessage:
    return ChatMessage(content=text, additional_kwargs={"date": day})


def opened() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())


async def told(store: FactStore) -> FactMemoryBlock:
    """A memory of ours that has heard both messages, the older one last."""
    block = FactMemoryBlock(store=store)
    await block.aput([said(NEW, "2024-02-03")])
    await block.aput([said(OLD, "1999-02-03")])
    return block


class _Extracts(CustomLLM):
    """Gives each message back as a fact."""

    said: int = 0

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        self.said += 1
        return CompletionResponse(text=f"<fact>{NEW if self.said == 1 else OLD}</fact>")

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        yield self.complete(prompt)


async def test_what_arrives_late_does_not_take_the_place_of_what_is_newer() -> None:
    plain = InMemoryStore()
    plain.put(("harbour",), "director", {"text": NEW})
    plain.put(("harbour",), "director", {"text": OLD})
    item = plain.get(("harbour",), "director")
    assert item is not None
    assert item.value == {"text": OLD}, "the last write wins there, and nothing else is kept"
    store = opened()
    block = await told(store)
    recalled = await block.aget([ASKED])
    assert "Jon Lund" in recalled
    assert "Eva Holm" not in recalled
    (then,) = store.search(ASKED.content or "", as_of=Interval.parse("2005"), k=1)
    assert then.fact.text == OLD, "the old director is not forgotten either"


async def test_facts_that_exclude_each_other_are_not_recalled_side_by_side() -> None:
    block = FactExtractionMemoryBlock(llm=_Extracts())
    await block.aput([said(NEW, "2024-02-03")])
    await block.aput([said(OLD, "1999-02-03")])
    assert await block.aget([ASKED]) == f"<fact>{NEW}</fact>\n<fact>{OLD}</fact>", "both there, and neither has a date"
    ours = await told(opened())
    assert "Eva Holm" not in await ours.aget([ASKED])
    assert "Eva Holm" in await ours.aget([ChatMessage("Who was the director of the Northern Harbour in 2005?")])


async def test_a_memory_recalls_what_the_message_is_about_and_not_all_it_holds() -> None:
    block = FactExtractionMemoryBlock(llm=_Extracts(), facts=[f"Berth {number} is closed." for number in range(40)])
    assert (await block.aget([ASKED])).count("<fact>") == 40, "every fact goes into every prompt there"
    store = opened()
    ours = FactMemoryBlock(store=store, k=3)
    await ours.aput([said(f"The keeper of berth {number} is Ada Berg.", "2020-01-01") for number in range(40)])
    assert 1 <= (await ours.aget([ChatMessage("Who is the keeper of berth 7?")])).count("Ada Berg") <= 3
