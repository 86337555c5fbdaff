"""Inputs of a shipped graph, run side by side."""

from __future__ import annotations

import threading

import pytest

from dateline.reading.model_files import load_session


@pytest.mark.parametrize("threads", [1, 3])
def test_as_many_inputs_are_run_at_once_as_there_are_threads(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    session, meeting = load_session("judge", threads=threads), threading.Barrier(threads)
    lock, busy, most = threading.Lock(), 0, 0

    def work(number: int) -> int:
        nonlocal busy, most
        with lock:
            busy += 1
            most = max(most, busy)
        meeting.wait(timeout=60)  # never over, were fewer run
        with lock:
            busy -= 1
        return number

    assert session.each(work, range(12)) == list(range(12))
    assert most == threads


def test_what_one_input_raises_reaches_the_caller() -> None:
    def work(number: int) -> int:
        if number == 2:
            raise ValueError("no such input")
        return number

    with pytest.raises(ValueError, match="no such input"):
        load_session("judge").each(work, range(4))
