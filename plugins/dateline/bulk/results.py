"""File of results that a killed run goes on with."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from dateline.errors import BadInput
from dateline.files import locked, make_file, open_regular


class ResultsFile:
    """Results of bulk work as JSON lines, in order.

    Every line carries the key of its item. A run that was killed is called again with the same items and goes on behind the
    last whole line; a line that was cut short is written anew.

    Args:
        path: made when it is missing, for its owner alone.
        keys: one for each item; see `key_of`.

    Attributes:
        done: how many results it holds.
        failed: how many of them have an `error`.

    Raises:
        BadInput: where the file holds other results, another run writes it, or it cannot be written.

    Example:
        >>> from pathlib import Path
        >>> keys = [key_of("a"), key_of("b")]
        >>> ResultsFile(Path("done.jsonl"), keys=keys).write([{"length": 1}])
        1
        >>> ResultsFile(Path("done.jsonl"), keys=keys).done
        1
    """

    def __init__(self, path: Path, *, keys: Sequence[str]) -> None:
        self._path, self._keys, self.failed = path, keys, 0
        try:
            make_file(path)
            with open_regular(path) as file:
                self.done, self._size = self._read(file)
                self._seen = os.fstat(file.fileno()).st_size
        except OSError as cause:
            raise self._refused(cause) from cause

    def write(self, results: Iterable[Mapping[str, Any]]) -> int:
        """Write the missing results as they come; return how many."""
        return sum(1 for _ in self.written(results))

    def written(self, results: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """Write the missing results; yield each once it is written."""
        with ExitStack() as stack:
            with self._told():
                file = stack.enter_context(self._path.open("r+b"))
                stack.enter_context(locked(file, wait=False))
                if os.fstat(file.fileno()).st_size != self._seen:
                    raise BlockingIOError
                file.truncate(self._size)
                file.seek(self._size)
            # What the work raises is the work's own.
            for key, result in zip(islice(self._keys, self.done, None), results, strict=False):
                with self._told():
                    file.write(_written(key, result))
                    file.flush()
                self.done, self.failed = self.done + 1, self.failed + _has_failed(result)
                self._seen = self._size = file.tell()
                yield result

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except BlockingIOError as cause:
            raise BadInput(f"Another run writes {self._path}; wait for its end, or name another file.") from cause
        except OSError as cause:
            raise self._refused(cause) from cause

    def _read(self, file: BinaryIO) -> tuple[int, int]:
        """Count whole lines and their bytes; refuse what is of other items."""
        done = size = 0
        for line in file:
            held, key = _result(line), self._keys[done] if done < len(self._keys) else None
            if key is not None and _is_torn(line, key):
                break
            if key is None or held.get("key") != key:
                raise BadInput(
                    f"Line {done + 1} of {self._path} is no result of this work; name another file, or remove it."
                )
            done, size, self.failed = done + 1, size + len(line), self.failed + _has_failed(held)
        return done, size

    def _refused(self, cause: OSError) -> BadInput:
        return BadInput(f"Cannot write the results to {self._path}: {cause.strerror or cause}.")


def key_of(*parts: object) -> str:
    """Return one key for equal items under equal settings."""
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _has_failed(result: Mapping[str, Any]) -> bool:
    return bool(result.get("error"))


def _is_torn(line: bytes, key: str) -> bool:
    """Return whether a result of this key was cut short here."""
    begins = _written(key, {}).removesuffix(b"}\n")
    return not line.endswith(b"\n") and (line.startswith(begins) or begins.startswith(line))


def _written(key: str, result: Mapping[str, Any]) -> bytes:
    return json.dumps({"key": key, **result}, ensure_ascii=True).encode() + b"\n"


def _result(line: bytes) -> Mapping[str, Any]:
    """Return what a whole line holds, or nothing."""
    if not line.endswith(b"\n"):
        return {}
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
