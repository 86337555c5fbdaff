from __future__ import annotations

import logging
import threading

import pytest

from dateline import BadInput
from dateline.background import Background


class Jobs(Background):
    def do(self, job: object) -> bool:
        assert callable(job)
        return self._queue(job)


def test_jobs_are_done_in_the_order_in_which_they_were_queued() -> None:
    done: list[int] = []
    with Jobs("jobs") as jobs:
        for number in range(50):
            assert jobs.do(lambda number=number: done.append(number))
    assert done == list(range(50))


def test_a_job_that_raises_is_logged_and_those_behind_it_are_done(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []

    def fails() -> None:
        raise ValueError("a job")

    with caplog.at_level(logging.ERROR), Jobs("jobs") as jobs:
        jobs.do(fails)
        jobs.do(lambda: done.append("behind"))
        jobs.flush()
        jobs.do(lambda: done.append("later"))
    assert done == ["behind", "later"]
    assert "A job of jobs failed." in caplog.text


def test_what_finds_no_room_is_counted_where_it_may_be_dropped() -> None:
    go, running = threading.Event(), threading.Event()
    jobs = Jobs("jobs", capacity=1, when_full="drop")
    jobs.do(lambda: (running.set(), go.wait(10)))
    assert running.wait(10)
    assert jobs.do(lambda: None)
    assert not jobs.do(lambda: None)
    go.set()
    jobs.close()
    assert jobs.dropped == 1
    with pytest.raises(BadInput, match="closed"):
        jobs.do(lambda: None)
