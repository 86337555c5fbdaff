"""Pieces of a document, with numbered sentences, that fit a model's context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dateline.evidence.sanitize import sanitize
from dateline.language.assertion import asserted_part
from dateline.records import Evidence
from dateline.text.assertions import read_assertions
from dateline.text.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """Consecutive sentences, from S1, each on one line and safe for prompts."""

    document: Evidence
    sentences: tuple[str, ...]
    asserted: tuple[str, ...]
    """The part of each sentence that its author states as fact, mostly all of it, sometimes nothing."""

    @property
    def title(self) -> str:
        return sanitize(self.document.title)

    @property
    def text(self) -> str:
        return " ".join((self.title, *self.sentences)).strip()


def split_document(document: Evidence, *, tokens: int, count: TokenCounter) -> list[DocumentPart]:
    """Split a document into pieces of at most `tokens`; cut longer sentences."""
    packed: list[list[tuple[str, str]]] = []
    room = 0
    for sentence, asserted in _sentences(document, tokens=tokens, count=count):
        size = count(sentence)
        if not packed or size > room:
            packed.append([])
            room = tokens
        packed[-1].append((sentence, asserted))
        room -= size
    return [DocumentPart(document, *map(tuple, zip(*sentences, strict=True))) for sentences in packed]


def _sentences(document: Evidence, *, tokens: int, count: TokenCounter) -> Iterator[tuple[str, str]]:
    for sentence in read_assertions(document.text, title=document.title):
        text = _safe(sentence.text)
        if not any(map(str.isalnum, text)):
            continue
        if count(text) <= tokens:
            yield text, text if sentence.asserted == sentence.text else _safe(sentence.asserted)
        else:
            for part in _cut(text.split(), tokens=tokens, count=count):
                yield part, asserted_part(part) if sentence.asserted else ""


def _safe(text: str) -> str:
    return sanitize(text, limit=max(1, len(text) * 2))


def _cut(words: Sequence[str], *, tokens: int, count: TokenCounter) -> Iterator[str]:
    """Cut a long sentence between words; shorten a word too long."""
    part: list[str] = []
    room = tokens
    for word in words:
        size = count(word) + 1
        if part and size > room:
            yield " ".join(part)
            part, room = [], tokens
        part.append(word if size <= tokens else word[:tokens])
        room -= size
    if part:
        yield " ".join(part)
