"""Work is a resource: indexed once, off the event loop, stopped when nobody waits, within limits."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph

from dateline.errors import BadInput
from dateline.made_once import MadeOnce
from dateline.search import FolderLimits, FolderSearch, load_documents, shared_folder_search, watch
from dateline.stopping import Stopped, check_stop, in_thread
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions, answer_graph, components, components_for
from dateline_graphs.kit import bind

ASKED_AT = datetime(2024, 1, 1, tzinfo=UTC)
ASKED: Any = {"question": "Who is the mayor?", "as_of": "2024"}


class Counted(LexicalEmbeddings):
    """An encoder that says how many texts it was given, and takes its time."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(dimensions=64)
        self.texts: list[str] = []
        self._seconds = seconds

    def embed_array(self, texts: Any) -> Any:
        for text in texts:
            check_stop()
            self.texts.append(text)
            time.sleep(self._seconds)
        return super().embed_array(texts)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Forty dated notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(40):
        (folder / f"2020-01-{number % 28 + 1:02}-{number}.txt").write_text(f"Note {number}: Eva Lund is the mayor.")
    return folder


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders that are indexed, one entry each time."""
    monkeypatch.setattr(components, "default_embeddings", LexicalEmbeddings)
    opened: list[str] = []
    first = FolderSearch.open

    def counted(path: Any, **given: Any) -> FolderSearch:
        opened.append(str(path))
        time.sleep(0.2)
        return first(path, **given)

    monkeypatch.setattr(FolderSearch, "open", counted)
    return opened


def until(true: Callable[[], bool], *, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


def busy(name: str = "dateline-made-once") -> bool:
    return any(thread.name == name for thread in threading.enumerate())


def test_a_folder_is_indexed_once_whatever_the_other_options(notes: Path, built: list[str]) -> None:
    for budget in (1000, 2000, 3000, 4000, 5000):
        components_for(AnswerOptions(docs=str(notes), token_budget=budget, k=budget // 1000))
    components_for(AnswerOptions(docs=str(notes.parent / "." / "notes")))
    assert len(built) == 1


def test_many_first_runs_at_once_index_a_folder_once_in_threads_and_event_loops(notes: Path, built: list[str]) -> None:
    graph = answer_graph().compile()
    options = [AnswerOptions(docs=str(notes), token_budget=1000 + number % 4) for number in range(16)]

    async def together(these: list[AnswerOptions]) -> list[Any]:
        return await asyncio.gather(*(graph.ainvoke(ASKED, context=one) for one in these))

    with ThreadPoolExecutor(6) as threads:
        loops = [threads.submit(asyncio.run, together(part)) for part in (options[:6], options[6:12])]
        plain = [threads.submit(graph.invoke, ASKED, context=one) for one in options[12:]]
        reports = [*(report for loop in loops for report in loop.result()), *(one.result() for one in plain)]
    assert len(reports) == 16
    assert len(built) == 1


async def test_the_event_loop_goes_on_while_a_folder_is_indexed(notes: Path, built: list[str]) -> None:
    running = asyncio.create_task(answer_graph().compile().ainvoke(ASKED, context=AnswerOptions(docs=str(notes))))
    latest, longest = time.monotonic(), 0.0
    while not running.done():
        await asyncio.sleep(0.005)
        longest, latest = max(longest, time.monotonic() - latest), time.monotonic()
    assert (await running)["report"]
    assert longest < 0.5


async def test_a_cancelled_run_stops_indexing_within_a_second(notes: Path) -> None:
    encoder = Counted(seconds=0.02)

    def make(options: Any) -> Any:
        return shared_folder_search(notes, embeddings=encoder)

    def node(state: Any, live: Any) -> Any:
        return {}

    graph: Any = StateGraph(dict)
    graph.add_node("node", bind(node, make=make, begins=True))
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    task = asyncio.create_task(graph.compile().ainvoke({"a": 1}))
    while not encoder.texts:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(until, lambda: not busy(), seconds=1.0)
    told = len(encoder.texts)
    await asyncio.sleep(0.1)
    assert len(encoder.texts) == told < 80


async def test_an_index_that_another_run_waits_for_is_finished_when_the_first_is_cancelled(notes: Path) -> None:
    encoder = Counted(seconds=0.005)

    async def asks() -> FolderSearch:
        return await in_thread(shared_folder_search, notes, embeddings=encoder)

    first, second = asyncio.create_task(asks()), asyncio.create_task(asks())
    while not encoder.texts:
        await asyncio.sleep(0.005)
    first.cancel()
    assert len((await second).documents) == 40
    assert len(encoder.texts) == len(set(encoder.texts))


def test_a_build_that_failed_is_told_to_all_who_wait_and_not_kept() -> None:
    made: MadeOnce[str] = MadeOnce(size=2)
    tries: list[int] = []
    begun = threading.Barrier(4)

    def fails() -> str:
        tries.append(1)
        time.sleep(0.3)
        raise BadInput("No.")

    def ask() -> str:
        begun.wait()
        return made.get("key", fails)

    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(ask) for _ in range(4)]
        assert all(isinstance(each.exception(), BadInput) for each in asked)
    assert len(tries) == 1
    assert made.get("key", lambda: "made") == "made"


def test_only_the_latest_values_are_kept() -> None:
    made: MadeOnce[int] = MadeOnce(size=2)
    counts = iter(range(10))
    assert [made.get(key, lambda: next(counts)) for key in "abacab"] == [0, 1, 0, 2, 0, 3]


def test_waiting_for_one_folder_does_not_take_the_threads_that_others_need() -> None:
    made: MadeOnce[str] = MadeOnce(size=2)
    free = threading.Event()

    async def asked() -> str:
        slow = [asyncio.create_task(in_thread(made.get, "slow", lambda: str(free.wait(5)))) for _ in range(30)]
        await asyncio.sleep(0.05)
        other = await asyncio.wait_for(in_thread(made.get, "quick", lambda: "quick"), 2)
        free.set()
        await asyncio.gather(*slow)
        return other

    assert asyncio.run(asked()) == "quick"


def test_a_changed_folder_is_indexed_again(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "FRESH_SECONDS", 1e-6)
    encoder = LexicalEmbeddings()
    first = shared_folder_search(notes, embeddings=encoder)
    assert shared_folder_search(notes, embeddings=encoder) is first
    assert shared_folder_search(notes, embeddings=LexicalEmbeddings()) is not first
    (notes / "new.txt").write_text("Ole Dahl is the mayor.")
    assert len(shared_folder_search(notes, embeddings=encoder).documents) == 41


def test_a_folder_that_cannot_be_read_is_read_when_it_can(tmp_path: Path) -> None:
    encoder = LexicalEmbeddings()
    with pytest.raises(BadInput, match="no folder"):
        shared_folder_search(tmp_path / "later", embeddings=encoder)
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "a.txt").write_text("Eva Lund is the mayor.")
    assert shared_folder_search(tmp_path / "later", embeddings=encoder).documents


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (FolderLimits(files=30), "10 files from '2020-01-"),
        (FolderLimits(bytes=350), "at most 350 bytes of a folder"),
        (FolderLimits(passages=30), "at most 30 passages"),
    ],
)
def test_what_lies_beyond_a_limit_is_named_in_what_was_loaded_and_in_every_result(
    notes: Path, limits: FolderLimits, told: str
) -> None:
    loaded = load_documents(notes, limits=limits)
    assert 0 < len(loaded.documents) <= 30
    assert told in loaded.skipped[0] == loaded.beyond[0]
    search = FolderSearch.open(notes, embeddings=LexicalEmbeddings(), limits=limits)
    assert told in search.search("mayor", as_of=ASKED_AT).skipped[0]


def test_a_folder_that_takes_too_long_is_refused_in_a_sentence(notes: Path) -> None:
    with pytest.raises(BadInput, match=r"takes more than 0.05 s; give fewer documents, or more time"):
        FolderSearch.open(notes, embeddings=Counted(seconds=0.02), limits=FolderLimits(seconds=0.05))


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(BadInput, match="files must be above 0, not 0"):
        FolderLimits(files=0)


@pytest.mark.timeout(30)
def test_a_value_whose_thread_could_not_start_is_made_by_the_next_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    made: MadeOnce[str] = MadeOnce(size=2)

    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as short:
        short.setattr(threading.Thread, "start", refused)
        with pytest.raises(RuntimeError, match="can't start"):
            made.get("key", lambda: "first")
    assert made.get("key", lambda: "second") == "second"


def test_a_large_folder_in_which_something_happens_all_the_time_is_walked_through_now_and_then(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = watch.folder_state(notes)
    large = watch._watch(notes.resolve())
    if large.events is None:
        pytest.skip("this system tells of no events")
    large.took = 10.0
    (notes / "new.txt").write_text("Ole Dahl is the mayor.")
    assert watch.folder_state(notes) == first
    large.walked -= 10.0 * watch.SHARE
    assert watch.folder_state(notes).files == first.files + 1


def test_a_walk_that_is_cancelled_forgets_no_change(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = watch.folder_state(notes)
    if watch._watch(notes.resolve()).events is None:
        pytest.skip("this system tells of no events")
    (notes / "new.txt").write_text("Ole Dahl is the mayor.")

    def cancelled(path: Path) -> watch.FolderState:
        raise Stopped("nobody waits")

    with monkeypatch.context() as walk:
        walk.setattr(watch, "_walked", cancelled)
        with pytest.raises(Stopped):
            watch.folder_state(notes)
    assert watch.folder_state(notes).files == first.files + 1
