"""Other memories beside the fact store: those that LangGraph and LlamaIndex ship, and our side of `benchmarks/memories.py`.

As in `test_beside_built_in_components.py`, each test of the first kind shows the fault in the released version that is
installed. Graphiti, mem0 and LangMem are not: the benchmark runs them, and what needs none of them is tested here.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("langgraph")
pytest.importorskip("llama_index.core")

from langgraph.store.memory import InMemoryStore
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.memory import FactExtractionMemoryBlock

from dateline import Interval
from dateline.facts import ExactIndex, FactStore, MemoryLedger
from dateline.text.lexical import LexicalEmbeddings
from llama_index.memory.dateline import FactMemoryBlock

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


# -- our side of the benchmark beside Graphiti, mem0 and LangMem --------------------------------------


@pytest.fixture(scope="module")
def memories() -> Any:
    """The benchmark, imported from its folder."""
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
        import memories

        yield memories
    for name in set(sys.modules) - before:
        if name.startswith("memories"):
            sys.modules.pop(name)


@pytest.fixture(scope="module")
def ours(memories: ModuleType) -> dict[str, dict[str, dict[str, Any]]]:
    """What the checks find in our two memories."""
    return {title: each["findings"] for title, each in memories.ours().items()}


def wrong(findings: dict[str, dict[str, Any]]) -> set[str]:
    return {check for check, finding in findings.items() if finding["right"] is False}


def test_ours_gets_everything_right(ours: dict[str, Any]) -> None:
    assert {title: wrong(findings) for title, findings in ours.items()} == {"dateline": set(), "dateline, rules": set()}
    assert ours["dateline"]["calls"]["found"] == "3 / 3 / 3", "the calls do not grow with the number of facts"


class _Adds:
    """A memory that keeps every statement, and no time; it cannot be asked for anything else."""

    def __init__(self, reader: Any) -> None:
        self.texts: list[str] = []

    def add(self, document: Any) -> list[str]:
        added = [f"{text}." for text in document.text.rstrip(".").split(". ")]
        self.texts += added
        return added

    def search(self, question: str) -> list[str]:
        return self.texts

    current = propose = search

    def at(self, question: str, *, day: str) -> list[str]:
        return self.texts

    def everything(self) -> list[str]:
        return list(self.texts)

    def since(self, question: str) -> str:
        return "2019-01-01"

    def remove(self, added: list[str]) -> None:
        self.texts = [text for text in self.texts if text not in added]

    def preview(self, document: Any) -> int:
        return len(self.add(document))


def test_the_checks_tell_a_memory_that_only_adds_from_one_with_histories(memories: ModuleType) -> None:
    found = memories.findings(_Adds)
    faults = {
        "replaced",
        "replaced_current",
        "past",
        "late",
        "recurs",
        "year",
        "since_year",
        "again",
        "races",
        "preview",
    }
    assert wrong(found) == faults
    assert found["replaced"]["found"] == "10 of 10"
    assert found["races"]["found"] == "8 kept"


def test_what_a_memory_cannot_do_is_said_with_its_reason_and_counts_as_wrong(memories: ModuleType) -> None:
    from memories_checks import CannotError, needs_argument

    def add(text: str, *, dry_run: bool = False) -> None: ...

    with pytest.raises(CannotError, match="add has no argument for it"):
        needs_argument(add, called="add", words=("approv",))
    with pytest.raises(NotImplementedError, match="dry_run"):
        needs_argument(add, called="add", words=("dry",))

    class Timeless(_Adds):
        def since(self, question: str) -> str:
            raise CannotError("it keeps no time")

    found = memories.findings(Timeless)["year"]
    assert found == {"found": "no way: it keeps no time", "right": False}


def test_the_table_names_every_check_and_leaves_out_what_could_not_be_run(memories: ModuleType) -> None:
    findings = memories.findings(_Adds)
    assert set(memories.ROWS) == set(findings)
    lines = memories.table(
        {"Adds": {"version": "1.0", "findings": findings}, "Broken": {"failed": "no pip"}}
    ).splitlines()
    assert lines[0] == "| | right | Adds 1.0 |"
    assert len(lines) == 2 + len(findings)


def test_a_run_makes_no_connection_that_leaves_the_machine(memories: ModuleType) -> None:
    from memories_checks import offline

    with offline() as tried, socket.socket() as client, pytest.raises(OSError, match="makes no connection"):
        client.connect(("192.0.2.1", 80))
    assert tried == ["192.0.2.1"]


def test_the_page_shows_the_releases_that_the_benchmark_runs_and_what_ours_does_now(
    memories: ModuleType, ours: dict[str, Any]
) -> None:
    shown = memories.PAGE.read_text(encoding="utf-8").split(memories.BEGIN)[1].split(memories.END)[0]
    heads, _, *rows = shown.strip().splitlines()
    for peer in memories.PEERS.values():
        assert f"{peer.title} {peer.release.split('==')[1]}" in heads
    for row, check in zip(rows, memories.ROWS, strict=True):
        assert [cell.strip() for cell in row.split("|")[3:5]] == [each[check]["found"] for each in ours.values()]
