"""Searches kept on disk: a daily cache, and recordings to replay."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal, get_args

from dateline.errors import BadInput, SearchFailed, check_choice
from dateline.files import make_folder, read_bytes, write_whole
from dateline.flow import Flow, call, twins
from dateline.protocols import Search, SearchResult
from dateline.records import Cost
from dateline.temporal.interval import Interval

Mode = Literal["cache", "record", "replay"]
"""`cache`: ask only for what is not kept; `record`: ask always and keep it; `replay`: never ask."""


class RecordedSearch:
    """A search whose results are cached in a folder.

    One file for each engine, query, asking day, `k` and window.

    Example:
        >>> from dateline.search import EngineSearch
        >>> from dateline.temporal.as_of import now
        >>> engine = EngineSearch(lambda query: [{"snippet": "Ada Berg is mayor.", "date": "2021-05-01"}])
        >>> search = RecordedSearch(engine, folder=Path("searches"), engine="notes")
        >>> [search.search("mayor", as_of=now()).cost.searches for _ in range(2)]
        [1, 0]
    """

    def __init__(self, search: Search | None, *, folder: Path, engine: str, mode: Mode = "cache") -> None:
        """Keep the results of `search` in `folder`.

        `engine` is its name there.

        Raises:
            BadInput: for an unknown mode, or without a search where one is needed.
        """
        check_choice(mode, name="mode", choices=get_args(Mode))
        if search is None and mode != "replay":
            raise BadInput(f"The mode {mode!r} needs a search to ask; without one, use mode='replay'.")
        self._asked = search
        self._folder = Path(folder)
        self._engine = engine
        self._mode = mode

    def _search(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> Flow[SearchResult]:
        """Return the kept result at no cost, or a fresh one.

        Raises:
            SearchFailed: when replaying what was never recorded.
        """
        path = self._path(query, as_of, k, window)
        if self._mode != "record" and (kept := (yield from call(_read, path))) is not None:
            return kept.model_copy(update={"cost": Cost()})
        if self._asked is None or self._mode == "replay":
            raise self._missing(query, as_of)
        result = yield from call(self._asked.search, query, as_of=as_of, k=k, window=window)
        yield from call(_write, path, result)
        return result

    search, asearch = twins(_search)

    def _path(self, query: str, as_of: datetime, k: int, window: Interval | None) -> Path:
        asked = [
            self._engine, " ".join(query.split()), as_of.date().isoformat(), k, None if window is None else str(window)
        ]  # fmt: skip
        digest = hashlib.blake2b(json.dumps(asked).encode(), digest_size=16).hexdigest()
        return self._folder / f"{digest}.json"

    def _missing(self, query: str, as_of: datetime) -> SearchFailed:
        return SearchFailed(
            f"{self._folder} holds no recording of {query[:100]!r} as of {as_of.date().isoformat()} by {self._engine}; "
            "record it with mode='record'."
        )


def _read(path: Path) -> SearchResult | None:
    """Read a stored result; `None` if missing or damaged."""
    try:
        return SearchResult.model_validate_json(read_bytes(path))
    except (OSError, ValueError):
        return None


def _write(path: Path, result: SearchResult) -> None:
    """Write a file atomically.

    A full or read-only disk costs the cache, not the answer.
    """
    with suppress(OSError):
        make_folder(path.parent)
        write_whole(path, result.model_dump_json())
