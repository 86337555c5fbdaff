"""Contract of a store of passages, searched without being loaded."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dateline.errors import BadInput
from dateline.evidence.knowledge import published_from
from dateline.ranking.candidates import CandidateFilter
from dateline.ranking.prepared import PreparedPassage
from dateline.records import Evidence

Vector = NDArray[np.float32]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]
"""Content words as `dateline.text.term_ids`, with repeats."""

TextKind = Literal["passage", "document", "title"]
"""A kind of text whose words are counted: passages with their titles, whole documents, titles alone."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredPassage:
    """A passage with all that no question changes.

    Attributes:
        evidence: the passage itself.
        place: how many passages stand before it in its document; 0 begins the next document.
        vector: its own vector, of length 1, shape (dimensions,).
        words: its content words.
        title_words: those of its title.
        valid_from: the first second that it is about; that of its publication where it states no time.
        valid_until: the second behind the last one that it is about.
        prepared: the bytes of its `PreparedPassage`; a store keeps them and knows nothing of them.
    """

    evidence: Evidence
    place: int
    vector: Vector
    words: Words
    title_words: Words
    valid_from: int
    valid_until: int
    prepared: bytes

    @property
    def known_from(self) -> int:
        """Return the second from which it was known; undated: a far past."""
        return published_from(self.evidence)


@dataclass(frozen=True, eq=False)
class FoundPassage:
    """A passage as it is read from a store."""

    evidence: Evidence
    place: int
    prepared: bytes

    @cached_property
    def passage(self) -> PreparedPassage | None:
        """Return what it holds, or `None` where that is damaged."""
        return PreparedPassage.from_bytes(self.prepared)


@dataclass(frozen=True, slots=True)
class PartState:
    """A file, or a part of it, as it was indexed.

    Attributes:
        stamp: the file's size and times then; with another stamp it is read again.
        digest: a hash of what was read; where it is the same again, nothing is indexed anew.
        passages: how many passages it gave.
        skipped: lines about what could not be read of it.
        orders: what its dates show about 03/04/2019: the day first (True), the month first (False), neither or both.
        ambiguous: whether it has dates that could be read in two ways.
        day_first: how those were read; `None`: only their year is certain.
    """

    stamp: tuple[int, ...]
    digest: str
    passages: int = 0
    skipped: tuple[str, ...] = ()
    orders: tuple[bool, ...] = ()
    ambiguous: bool = False
    day_first: bool | None = None

    def to_json(self) -> str:
        """Return it as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> PartState:
        """Read what `to_json` wrote. Raises `ValueError`, `TypeError` or `KeyError` for anything else."""
        given = json.loads(text)
        return cls(**{**given, **{name: tuple(given[name]) for name in ("stamp", "skipped", "orders")}})


@dataclass(frozen=True, slots=True, eq=False)
class PartChange:
    """The new state and passages of a part.

    They replace all that is stored of it. Without a state, the part leaves; with a state and `passages=None`, its
    passages stay as they are. Passages come in reading order, those of one document after each other.
    """

    part: str
    state: PartState | None = None
    passages: Sequence[StoredPassage] | None = ()


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Found passages, the best first.

    Attributes:
        numbers: the store's own numbers of them, shape (n,).
        scores: the cosine or BM25 score of each, shape (n,).
        began: the second since when each holds: its publication, or where a store knows it, a later time that it states.
    """

    numbers: Numbers
    scores: Vector
    began: Numbers

    def since(self) -> list[tuple[int, int]]:
        """Return each number with the second since when it holds."""
        return list(zip(self.numbers.tolist(), self.began.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class WordStatistics:
    """Counts over all texts of one kind, for BM25.

    Attributes:
        size: how many texts there are.
        length: the mean number of content words of a text.
        frequencies: in how many texts each asked word occurs, shape (words,).
    """

    size: int
    length: float
    frequencies: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class StoredDocument:
    """A document's passages and words.

    Attributes:
        passages: the numbers of its passages, in reading order.
        words: how often each asked word occurs in its title and passages together, the title once, shape (words,).
        length: the number of content words of title and passages together.
        title_words: how often each asked word occurs in its title, shape (words,).
        title_length: the number of content words of its title.
    """

    passages: Numbers
    words: Numbers
    length: int
    title_words: Numbers
    title_length: int


_SAID = {"reader": "the version of dateline", "formats": "the file formats that are read"}
"""What settings are to people, where their name does not say it."""


def check_settings(found: Mapping[str, Any], given: Mapping[str, Any], *, where: str, fix: str) -> None:
    """Refuse a store that was made with other settings.

    Raises:
        BadInput: naming those that differ.
    """
    given = json.loads(json.dumps(given))
    other = [name for name in sorted({*found, *given}) if found.get(name) != given.get(name)]
    if other:
        named = ", ".join(_SAID.get(name, name) for name in other)
        raise BadInput(f"{where} was made with other settings ({named}); {fix}.")


class PassageStore(ABC):
    """Passages on disk or a server, with vectors, words and dates.

    It is opened in a moment: nothing is loaded that a question does not need. One writes at a time (`writing`), others
    wait; any number of threads and processes read meanwhile. What `change` was given is kept when it returns. After a
    kill within it, the store holds the parts before or after the change, or lacks their states, so that they are
    indexed again; it never holds a state without its passages.

    Every search takes a `CandidateFilter`: only what was known by then is found, and where the filter has a period, only
    what is about it (`CandidateFilter.without_period` asks for all that was known); where it has `since`, only what
    holds since then. The numbers of passages are never used again; one whose passage has gone is left out by `read`.
    """

    # -- what is stored --------------------------------------------------------------------------

    @property
    @abstractmethod
    def settings(self) -> Mapping[str, Any]:
        """Return what it was made with, as JSON.

        Encoder, date rules, the library's name."""

    @abstractmethod
    def parts(self) -> Mapping[str, PartState]:
        """Return the states of all parts, by name.

        The first part of a file is named by its path within the folder, escaped to ASCII.
        """

    @abstractmethod
    def writing(self, *, wait: float = 60.0) -> AbstractContextManager[None]:
        """Become the one who writes; wait `wait` seconds for another.

        Raises:
            StoreFailed: when the other takes too long.
        """

    @abstractmethod
    def change(self, changes: Sequence[PartChange]) -> None:
        """Replace what is stored of some parts, inside of `writing`.

        Many small ones in one call cost as much as one.
        """

    @abstractmethod
    def tidy(self) -> None:
        """Fold what many changes left behind, inside of `writing`.

        Searches are quicker afterwards."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""

    # -- what is searched ------------------------------------------------------------------------

    @abstractmethod
    def count(self, asked: CandidateFilter | None = None) -> int:
        """Count all passages, or those that the filter lets through."""

    @abstractmethod
    def nearest(self, vector: Vector, *, count: int, asked: CandidateFilter) -> Hits:
        """Return the passages of the highest cosine with a vector.

        Exact, or nearly so."""

    @abstractmethod
    def worded(self, words: Words, *, count: int, asked: CandidateFilter) -> Hits:
        """Return the passages of the highest BM25 scores.

        Titles count as text. A repeated word counts once.
        """

    @abstractmethod
    def read(self, numbers: Sequence[int]) -> Mapping[int, FoundPassage]:
        """Read passages by their numbers."""

    @abstractmethod
    def documents(self, numbers: Sequence[int], *, words: Words) -> Sequence[StoredDocument]:
        """Return the documents that hold some passages, each once.

        They come with counts of the asked words."""

    @abstractmethod
    def statistics(self, words: Words) -> Mapping[TextKind, WordStatistics]:
        """Return counts over all texts of each kind, for some words."""
