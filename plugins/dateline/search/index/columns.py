"""Numbers about stored passages, small enough to hold for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dateline.ranking.bm25 import length_norms
from dateline.ranking.candidates import CandidateFilter
from dateline.search.index.store import StoredPassage
from dateline.text.signs import SIGNS, Bits, signs_of

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]
Counts = NDArray[np.uint32]

_TYPES = {
    "numbers": "<i8",
    "known_from": "<i8",
    "valid_from": "<i8",
    "valid_until": "<i8",
    "places": "<u4",
    "sizes": "<u4",
    "lengths": "<u4",
    "title_lengths": "<u4",
    "bits": "<u8",
}


@dataclass(frozen=True)
class Columns:
    """Dates, lengths and signs of passages, about 120 bytes each.

    Attributes:
        numbers: their numbers in the store, shape (n,).
        known_from: the second from which each was known.
        valid_from: the first second that each is about.
        valid_until: the second behind the last one.
        places: how many passages stand before each in its document.
        sizes: how many passages its document has.
        lengths: content words of text and title.
        title_lengths: content words of the title.
        bits: the signs of its vector, shape (8, n).
    """

    numbers: Integers
    known_from: Integers
    valid_from: Integers
    valid_until: Integers
    places: Counts
    sizes: Counts
    lengths: Counts
    title_lengths: Counts
    bits: Bits

    @classmethod
    def of(cls, passages: Sequence[StoredPassage], *, first: int) -> Columns:
        """Take them from passages, numbered from `first` on."""
        places = np.array([each.place for each in passages], dtype=np.uint32)
        starts = np.flatnonzero(places == 0)
        sizes = np.diff(np.append(starts, len(places)))
        vectors = np.stack([each.vector for each in passages]).astype(np.float32)
        return cls(
            numbers=np.arange(first, first + len(places), dtype=np.int64),
            known_from=np.array([each.known_from for each in passages], dtype=np.int64),
            valid_from=np.array([each.valid_from for each in passages], dtype=np.int64),
            valid_until=np.array([each.valid_until for each in passages], dtype=np.int64),
            places=places,
            sizes=np.repeat(sizes, sizes).astype(np.uint32),
            lengths=np.array([len(each.words) + len(each.title_words) for each in passages], dtype=np.uint32),
            title_lengths=np.array([len(each.title_words) for each in passages], dtype=np.uint32),
            bits=signs_of(vectors),
        )

    @classmethod
    def joined(cls, parts: Sequence[Columns]) -> Columns:
        """Put several behind each other."""
        given = [*parts] or [cls.from_bytes(b"")]
        return cls(**{name: np.concatenate([getattr(each, name) for each in given], axis=-1) for name in _TYPES})

    @classmethod
    def from_bytes(cls, data: bytes) -> Columns:
        """Read what `to_bytes` wrote. Raises `ValueError` for anything else."""
        widths = {
            name: np.dtype(kind).itemsize * (SIGNS // 64 if name == "bits" else 1) for name, kind in _TYPES.items()
        }
        count, rest = divmod(len(data), sum(widths.values()))
        if rest:
            raise ValueError("the columns of a segment are of different lengths")
        found, start = {}, 0
        for name, kind in _TYPES.items():
            length = count * widths[name] // np.dtype(kind).itemsize
            found[name] = np.frombuffer(data, dtype=kind, count=length, offset=start)
            start += found[name].nbytes
        found["bits"] = found["bits"].reshape(SIGNS // 64, count)
        return cls(**found)

    def to_bytes(self) -> bytes:
        """Return them as bytes."""
        return b"".join(
            np.ascontiguousarray(getattr(self, name), dtype=kind).tobytes() for name, kind in _TYPES.items()
        )

    def take(self, rows: Integers | slice) -> Columns:
        """Return some rows."""
        return Columns(**{each.name: getattr(self, each.name)[..., rows] for each in fields(self)})

    def began(self, rows: Integers, *, until: int) -> Integers:
        """Return since when each of some rows holds.

        That is its publication, or a later time in it before `until`."""
        known, stated = self.known_from[rows], self.valid_from[rows]
        return np.where(stated < until, np.maximum(known, stated), known)

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Catalogue:
    """Columns of all segments of a store at one moment.

    Attributes:
        generation: counts the changes of the store.
        segments: the rows of each segment, by its id.
        columns: one row for each passage.
        alive: which rows still count, shape (n,).
    """

    generation: int
    segments: dict[int, range]
    columns: Columns
    alive: Mask

    def allowed(self, asked: CandidateFilter | None) -> Mask:
        """Mark the rows that a filter lets through."""
        if asked is None:
            return self.alive
        mask: Mask = self.alive & (self.columns.known_from < asked.known_before)
        if asked.end is not None:
            mask &= self.columns.valid_from < asked.end
        if asked.start is not None:
            mask &= self.columns.valid_until > asked.start
        if asked.since is not None:
            known, stated = self.columns.known_from, self.columns.valid_from
            mask &= (known >= asked.since) | ((stated >= asked.since) & (stated < asked.latest))
        return mask

    def rows_of(self, numbers: Integers) -> Integers:
        """Return the living rows of some numbers; others are left out."""
        if not len(self.columns):
            return np.zeros(0, dtype=np.int64)
        places = np.searchsorted(self.columns.numbers, numbers, sorter=self._order)
        rows = np.minimum(places, len(self.columns) - 1)
        rows = rows if self._order is None else self._order[rows]
        return np.asarray(rows[(self.columns.numbers[rows] == numbers) & self.alive[rows]], dtype=np.int64)

    @cached_property
    def heads(self) -> Mask:
        """Mark the living first passages of documents."""
        return np.asarray(self.alive & (self.columns.places == 0), dtype=np.bool_)

    @cached_property
    def norms(self) -> NDArray[np.float32]:
        """Return BM25's length norm of each row."""
        lengths = self.columns.lengths
        return length_norms(lengths, mean=float(lengths[self.alive].mean()) if self.alive.any() else 1.0)

    @cached_property
    def _order(self) -> Integers | None:
        numbers = self.columns.numbers
        return None if bool(np.all(numbers[1:] > numbers[:-1])) else np.argsort(numbers, kind="stable")
