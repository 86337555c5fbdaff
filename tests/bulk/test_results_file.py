"""A file of results that a killed run goes on with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.bulk import OneProcess, ResultsFile
from dateline.bulk.results import key_of
from dateline.errors import BadInput

KEYS = [key_of(number) for number in range(5)]
RESULTS = [{"text": f"é\n{number}"} for number in range(5)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "results.jsonl"
    assert ResultsFile(path, keys=KEYS).write(RESULTS) == 5
    return path.read_bytes()


@given(data=st.data())
def test_a_run_that_was_cut_anywhere_ends_with_the_file_of_one_that_was_not(
    whole: bytes, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("cut") / "results.jsonl"
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    file = ResultsFile(path, keys=KEYS)
    file.write(RESULTS[file.done :])
    assert path.read_bytes() == whole


def test_what_is_there_is_not_done_again(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    file = ResultsFile(path, keys=KEYS)
    asked: list[int] = []
    file.write(OneProcess().map(range(file.done, 5), work=lambda chunk: asked.extend(chunk) or RESULTS[3:], chunk=9))
    assert asked == [3, 4]


def test_what_failed_is_counted_while_it_is_written_and_when_it_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultsFile(path, keys=KEYS)
    file.write([{"error": "no model"}, {"error": ""}, {}])
    again = ResultsFile(path, keys=KEYS)
    assert (file.failed, again.failed, again.done) == (1, 1, 3)
    again.write([{"error": "no model"}])
    assert again.failed == 2


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("content", [b"notes", b'{"key": "another"}', b'{"key": "another", "te', b"{}", b"[1]"])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, content: bytes, end: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content + end)
    with pytest.raises(BadInput, match="no result of this work"):
        ResultsFile(path, keys=KEYS)
    assert path.read_bytes() == content + end


def test_what_stands_behind_the_last_result_is_left_as_it_is(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(whole + b"mine")
    with pytest.raises(BadInput, match=r"Line 6 .* no result of this work"):
        ResultsFile(path, keys=KEYS)
    assert path.read_bytes() == whole + b"mine"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="link"):
        ResultsFile(tmp_path / "link", keys=KEYS)


def test_two_runs_write_no_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    first = ResultsFile(path, keys=KEYS).written(RESULTS)
    next(first)
    with pytest.raises(BadInput, match="Another run"):
        ResultsFile(path, keys=KEYS).write(RESULTS[1:])
    assert list(first) == RESULTS[1:]
    assert len(path.read_text().splitlines()) == 5


@pytest.mark.parametrize("fault", [ConnectionRefusedError, BlockingIOError])
def test_what_the_work_raises_is_not_told_as_a_fault_of_the_file(tmp_path: Path, fault: type[OSError]) -> None:
    def work() -> Iterator[dict[str, int]]:
        yield {"length": 1}
        raise fault("the server is away")

    results = ResultsFile(tmp_path / "results.jsonl", keys=KEYS)
    with pytest.raises(fault, match="the server is away"):
        results.write(work())
    assert results.done == 1


def test_a_run_that_is_killed_loses_no_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    code = (
        "import os, signal, sys; from pathlib import Path; from dateline.bulk import ResultsFile;"
        "file = ResultsFile(Path(sys.argv[1]), keys=list('abcde')).written({'n': n} for n in range(5));"
        "next(file); next(file); os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], env={**os.environ}, check=False)
    assert done.returncode < 0
    file = ResultsFile(path, keys=list("abcde"))
    assert file.done >= 2
    file.write({"n": n} for n in range(file.done, 5))
    assert [json.loads(line)["n"] for line in path.read_text().splitlines()] == list(range(5))
