"""Everything about one passage that no question changes, and its bytes."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.ranking.groups import bounds_of
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.time_table import TimeTable
from dateline.records import Evidence
from dateline.stopping import until_stopped
from dateline.temporal.expressions import spans_of
from dateline.temporal.languages_told import passage_languages
from dateline.text.embeddings import embed
from dateline.text.sentences import split_sentences
from dateline.text.term_ids import Ids, term_ids
from dateline.text.words import content_words

VERSION = 4
"""Counts up when a passage is read another way, so that what was kept before is read anew."""

_HEADING_WORDS = 6
"""A heading that became a sentence ("Early life .") has at most so many words and no digit."""

_MAGIC = b"dlp1"
_HEADER = struct.Struct("<4sI16sQ")
"""Magic, version, key, checksum of all that follows; then the length of each column and the columns."""

_TYPES = {
    "words": "<u8",
    "title_words": "<u8",
    "sentence_words.roots": "<u8",
    "answers.names": "<u8",
    "answers.offices": "<u8",
    "times.start": "<f8",
    "times.end": "<f8",
    "spans": "<i4",
    "answers.name_sizes": "<u4",
    "answers.name_counts": "<u4",
    "answers.office_counts": "<u4",
    "time_counts": "<u4",
    "sentence_words.counts": "<u4",
    "sentence_words.marks": "<u2",
    "vectors": "<f2",
    "vector": "<f2",
    "times.granularity": "u1",
    "answers.numbers": "?",
    "headings": "?",
}
"""Each column's type, the widest first, so that all lie at multiples of their width."""

_COLUMNS = {name: np.dtype(kind) for name, kind in _TYPES.items()}
_ANSWERS = tuple(f"answers.{each.name}" for each in fields(AnswerTable))
_WORDS = tuple(f"sentence_words.{each.name}" for each in fields(SentenceWords))
_TIMES = tuple(f"times.{each.name}" for each in fields(TimeTable))
_LENGTHS = struct.Struct(f"<{len(_COLUMNS)}I")


@dataclass(frozen=True)
class PreparedPassage:
    """One passage, read, dated and embedded.

    It holds no text: sentences are places in it, words are hashed. Vectors are kept as numbers of 16 bits.

    Attributes:
        key: `passage_key` of what it was made of.
        spans: beginning and end of each sentence in the text, at least one, shape (sentences, 2).
        vectors: one a sentence, length 1, shape (sentences, dimensions).
        vector: that of title and text, shape (dimensions,).
        times: the times that the text states, in order.
        time_counts: how many of them each sentence states, shape (sentences,).
        answers: what each sentence could answer with.
        sentence_words: all words of each sentence.
        headings: which sentences are short enough for a heading, shape (sentences,).
        words: the content words of the text as `term_ids`, with repeats.
        title_words: those of the title.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> [passage] = prepare([Evidence.make("It opened in 1927. It runs daily.")], embeddings=LexicalEmbeddings())
        >>> passage.spans.tolist()
        [[0, 18], [19, 33]]
        >>> PreparedPassage.from_bytes(passage.to_bytes()).times.interval(0).isoformat()
        '1927'
    """

    key: bytes
    spans: NDArray[np.int32]
    vectors: NDArray[np.float16]
    vector: NDArray[np.float16]
    times: TimeTable
    time_counts: NDArray[np.uint32]
    answers: AnswerTable
    sentence_words: SentenceWords
    headings: NDArray[np.bool_]
    words: Ids
    title_words: Ids

    def __len__(self) -> int:
        return len(self.spans)

    def to_bytes(self) -> bytes:
        """Return it as bytes, for files and stores."""
        columns = [_column(self, name) for name in _COLUMNS]
        body = _LENGTHS.pack(*map(len, columns)) + b"".join(each.tobytes() for each in columns)
        return _HEADER.pack(_MAGIC, VERSION, self.key, zlib.crc32(body)) + body

    @classmethod
    def from_bytes(cls, data: bytes) -> PreparedPassage | None:
        """Read what `to_bytes` wrote; `None` for what is damaged or outdated."""
        try:
            magic, version, key, check = _HEADER.unpack_from(data)
            if (magic, version, check) != (_MAGIC, VERSION, zlib.crc32(memoryview(data)[_HEADER.size :])):
                return None
            column = dict(_columns(data))
        except (struct.error, ValueError, TypeError):
            return None
        return cls(
            key=key,
            spans=column["spans"].reshape(-1, 2),
            vectors=column["vectors"].reshape(len(column["time_counts"]), -1),
            vector=column["vector"],
            times=TimeTable(*[column[name] for name in _TIMES]),
            time_counts=column["time_counts"],
            answers=AnswerTable(*[column[name] for name in _ANSWERS]),
            sentence_words=SentenceWords(*[column[name] for name in _WORDS]),
            headings=column["headings"],
            words=column["words"],
            title_words=column["title_words"],
        )


def prepare(evidence: Sequence[Evidence], *, embeddings: Embeddings) -> list[PreparedPassage]:
    """Read, date and embed passages, each by itself."""
    return list(_made(evidence, embeddings=embeddings))


def passage_keys(evidence: Sequence[Evidence], *, embeddings: Embeddings) -> list[bytes]:
    """Return what tells prepared passages apart: text, title, publication and encoder."""
    encoder = encoder_name(embeddings) or ""
    return [_key(each, encoder) for each in evidence]


def encoder_name(embeddings: Embeddings) -> str | None:
    """Return the name under which vectors may outlive the process.

    dateline's own encoders have one, and `CachedEmbeddings`, whose maker gave it. Of others nobody knows whether they
    are the same tomorrow: `None`.
    """
    name = getattr(embeddings, "kept_as", None)
    return name if isinstance(name, str) else None


def headed(evidence: Evidence) -> str:
    """Return a passage with its title, as embedded and indexed."""
    return f"{evidence.title}\n{evidence.text}" if evidence.title else evidence.text


def _key(evidence: Evidence, encoder: str) -> bytes:
    day = evidence.published
    dated = None if day is None else (day.start, day.end, day.granularity)
    parts = repr((encoder, dated, evidence.title, evidence.text)).encode(errors="replace")
    return hashlib.blake2b(parts, digest_size=16).digest()


def _made(evidence: Sequence[Evidence], *, embeddings: Embeddings) -> Iterator[PreparedPassage]:
    keys = passage_keys(evidence, embeddings=embeddings)
    split = [_sentences(each.text) for each in until_stopped(evidence)]
    texts = [each.text[start:end] for each, spans in zip(evidence, split, strict=True) for start, end in spans]
    vectors = embed([*texts, *map(headed, evidence)], embeddings=embeddings).astype(np.float16)
    bounds = bounds_of(np.array(list(map(len, split)), dtype=np.int64)).tolist()
    for number, (start, end) in enumerate(pairwise(bounds)):
        each, sentences = evidence[number], texts[start:end]
        languages = passage_languages(each.text)
        times = [spans_of(sentence, each.published, languages=languages) for sentence in until_stopped(sentences)]
        yield PreparedPassage(
            key=keys[number],
            spans=np.array(split[number], dtype=np.int32),
            # Copies, since a row would keep the vectors of all passages alive.
            vectors=vectors[start:end].copy(),
            vector=vectors[bounds[-1] + number].copy(),
            times=TimeTable.of([time for own in times for time in own]),
            time_counts=np.array(list(map(len, times)), dtype=np.uint32),
            answers=AnswerTable.of(map(PossibleAnswers.of, sentences)),
            sentence_words=SentenceWords.of(sentences),
            headings=np.array(list(map(_is_heading, sentences)), dtype=np.bool_),
            words=term_ids(content_words(each.text)),
            title_words=term_ids(content_words(each.title)),
        )


def _is_heading(sentence: str) -> bool:
    return len(sentence.split()) <= _HEADING_WORDS and not any(map(str.isdecimal, sentence))


def _sentences(text: str) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in split_sentences(text)] or [(0, len(text))]


def _column(passage: PreparedPassage, name: str) -> NDArray[Any]:
    value: Any = passage
    for part in name.split("."):
        value = getattr(value, part)
    return np.asarray(value, dtype=_COLUMNS[name]).ravel()


def _columns(data: bytes) -> Iterator[tuple[str, NDArray[Any]]]:
    place = _HEADER.size + _LENGTHS.size
    for (name, kind), length in zip(_COLUMNS.items(), _LENGTHS.unpack_from(data, _HEADER.size), strict=True):
        yield name, np.frombuffer(data, kind, length, place)
        place += length * kind.itemsize
