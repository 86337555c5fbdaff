"""What comes at once for one document is done once: one holds the turn, the others wait for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier, Event, Lock

import pytest
from hashed_words import HashedWords
from langchain_core.messages import BaseMessage

from dateline.errors import ModelFailed
from dateline.facts import Changes, ChatUpdater, ExactIndex, FactStore, MemoryLedger, open_store
from dateline.facts.keyed_lock import KeyedLock
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from langchain_dateline.testing import AnsweringChatModel

NOW = datetime(2025, 1, 1, tzinfo=UTC)
AL = "Al Moor is the chief executive of Acme."
NEWS = Evidence.make(AL, source="gazette", published=Interval.parse("2015-01-01"))
STATED = json.dumps({"facts": [AL]})
NO_VERDICTS = json.dumps({"verdicts": []})
AT_ONCE = 8


def updater_of(respond: Callable[..., str], *, store: FactStore | None = None) -> ChatUpdater:
    store = store or FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    return ChatUpdater(store, AnsweringChatModel(respond=respond))


def calls(updater: ChatUpdater) -> int:
    model = updater._settings.loop.model
    assert isinstance(model, AnsweringChatModel)
    return len(model.history)


def entries(store: FactStore) -> list[int]:
    """How many entries each fact has."""
    return [len(history.entries) for history in store.at(which="any")]


class Slow:
    """Replies when all who could ask have had the time to."""

    def __init__(self, *, fails: int = 0) -> None:
        self.started, self.go_on = Event(), Event()
        self._fails = fails
        self._lock = Lock()

    def __call__(self, messages: object) -> str:
        self.started.set()
        self.go_on.wait(timeout=10)
        with self._lock:
            self._fails -= 1
            if self._fails >= 0:
                raise RuntimeError("overloaded")
        return STATED


def threads(updater: ChatUpdater, slow: Slow) -> list[Changes | ModelFailed]:
    """Eight threads bring the same document while the model takes its time."""
    together = Barrier(AT_ONCE)

    def bring() -> Changes | ModelFailed:
        together.wait(timeout=10)
        try:
            return updater.update([NEWS], known_at=NOW)[0]
        except ModelFailed as failed:
            return failed

    with ThreadPoolExecutor(AT_ONCE) as pool:
        brought = [pool.submit(bring) for _ in range(AT_ONCE)]
        assert slow.started.wait(timeout=10)
        slow.go_on.wait(timeout=0.2)  # time for the others to ask, if they would
        slow.go_on.set()
        return [each.result(timeout=10) for each in brought]


def test_threads_that_bring_a_document_at_once_pay_for_it_once() -> None:
    slow = Slow()
    updater = updater_of(slow)
    found = threads(updater, slow)
    assert calls(updater) == 1
    assert sorted(len(each.changes) for each in found if isinstance(each, Changes)) == [0] * (AT_ONCE - 1) + [1]
    assert entries(updater.store) == [1]


def test_where_the_first_one_fails_the_next_one_tries() -> None:
    slow = Slow(fails=2)  # one that brings a document asks twice: a model that fails is asked again without a schema
    updater = updater_of(slow)
    found = threads(updater, slow)
    assert calls(updater) == 3
    assert sum(isinstance(each, ModelFailed) for each in found) == 1
    assert entries(updater.store) == [1]


async def test_tasks_that_bring_a_document_at_once_pay_for_it_once() -> None:
    slow = Slow()
    updater = updater_of(slow)
    tasks = [asyncio.create_task(updater.aupdate([NEWS], known_at=NOW)) for _ in range(AT_ONCE)]
    await asyncio.to_thread(slow.started.wait, 10)
    await asyncio.sleep(0.2)
    slow.go_on.set()
    found = [changes for (changes,) in await asyncio.gather(*tasks)]
    assert calls(updater) == 1
    assert sum(len(each.changes) for each in found) == 1
    assert entries(updater.store) == [1]


async def test_a_task_that_is_cancelled_leaves_its_turn_to_a_thread_that_waits() -> None:
    slow = Slow()
    updater = updater_of(slow)
    task = asyncio.create_task(updater.aupdate([NEWS], known_at=NOW))
    await asyncio.to_thread(slow.started.wait, 10)
    waiting = asyncio.create_task(asyncio.to_thread(updater.update, [NEWS], known_at=NOW))
    await asyncio.sleep(0.1)
    assert calls(updater) == 1, "the thread waits"
    task.cancel()
    slow.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    (changes,) = await waiting
    assert len(changes.changes) == 1
    assert entries(updater.store) == [1]


def test_other_documents_do_not_wait() -> None:
    both = Barrier(2)

    def respond(messages: list[BaseMessage]) -> str:
        if "KNOWN FACTS" in messages[1].text:
            return NO_VERDICTS
        both.wait(timeout=10)  # broken, where the second one never comes
        return STATED

    updater = updater_of(respond)
    other = Evidence.make(AL, source="courier", published=Interval.parse("2016-01-01"))
    with ThreadPoolExecutor(2) as pool:
        brought = [pool.submit(updater.update, [document], known_at=NOW) for document in (NEWS, other)]
        assert all(each.result(timeout=10) for each in brought)


def test_another_process_that_brings_the_document_meanwhile_leaves_one_fact_with_one_entry(tmp_path: Path) -> None:
    with (
        open_store(tmp_path, embeddings=HashedWords()) as theirs,
        open_store(tmp_path, embeddings=HashedWords()) as mine,
    ):
        # Two stores over one folder share what two processes share: the files.
        faster = updater_of(lambda messages: STATED, store=theirs)

        def respond(messages: list[BaseMessage]) -> str:
            faster.update([NEWS], known_at=NOW)
            if "KNOWN FACTS" in messages[1].text:
                return NO_VERDICTS
            return json.dumps({"facts": ["Al Moor leads Acme as chief executive."]})

        updater = updater_of(respond, store=mine)
        (changes,) = updater.update([NEWS], known_at=NOW)
        assert changes.changes == ()
        assert changes.cost.model_calls == 2, "what was paid all the same is told"
        assert [history.fact.text for history in mine.at(which="any")] == [AL]
        assert entries(mine) == [1]


# -- turns ----------------------------------------------------------------------------------------


def test_one_without_patience_goes_on_and_takes_nobodys_turn() -> None:
    lock = KeyedLock(patience=0.05)
    with lock.hold("a"):
        with lock.hold("a"):
            pass
        assert set(lock._held) == {"a"}, "it is still the first one's"
    assert not lock._held


async def test_a_task_without_patience_goes_on_too() -> None:
    lock = KeyedLock(patience=0.05)
    async with lock.ahold("a"), lock.ahold("a"), lock.ahold("b"):
        assert set(lock._held) == {"a", "b"}
    assert not lock._held


async def test_a_task_and_a_thread_wait_for_each_other() -> None:
    lock, order = KeyedLock(), list[str]()

    def thread() -> None:
        with lock.hold("a"):
            order.append("thread")

    async with lock.ahold("a"):
        waiting = asyncio.create_task(asyncio.to_thread(thread))
        await asyncio.sleep(0.05)
        order.append("task")
    await waiting
    assert order == ["task", "thread"]
    assert not lock._held


def test_only_one_of_many_threads_is_inside() -> None:
    lock, inside, most = KeyedLock(), 0, 0

    def work() -> None:
        nonlocal inside, most
        with lock.hold("a"):
            inside += 1
            most = max(most, inside)
            Event().wait(0.002)
            inside -= 1

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for each in [pool.submit(work) for _ in range(5 * AT_ONCE)]:
            each.result(timeout=10)
    assert most == 1
