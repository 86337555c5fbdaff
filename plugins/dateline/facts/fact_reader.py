"""Statements of documents: self-contained sentences, tagged and embedded (ERASE, appendix A.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from dateline.documents.journal import without_day_heads
from dateline.facts.fact import Fact
from dateline.facts.index import Vectors
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slots import SlotPack
from dateline.handwritten.facts.standalone import is_headline, standalone
from dateline.handwritten.facts.statement import Statement
from dateline.language.assertion import EMPTY, asserted_part
from dateline.limits import shortened
from dateline.records import Evidence
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.text.assertions import ReadSentence, read_assertions
from dateline.text.embeddings import embed
from dateline.text.mail_heads import without_mail_heads
from dateline.text.tables import with_told_tables

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

_NO_VECTORS: Vectors = np.empty((0, 0), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class ReadDocument:
    """Statements of a document, before any fact store is asked.

    Attributes:
        facts: the statements, each once, in order.
        skipped: why other sentences are none.
        vectors: one a statement, shape (n, dimensions).
    """

    facts: tuple[Fact, ...]
    skipped: tuple[str, ...]
    vectors: Vectors


@dataclass(frozen=True)
class FactReader:
    """Reader of documents' statements; also the work of `dateline.bulk`.

    Attributes:
        embeddings: those of the fact store.
        headed, slots: as for `facts_of`.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> read = FactReader(LexicalEmbeddings()).read(Evidence.make("The mayor is Ada Berg. Lund is old."))
        >>> [fact.text for fact in read.facts], read.vectors.shape
        (['The mayor is Ada Berg.', 'Lund is old.'], (2, 1024))
    """

    embeddings: Embeddings
    headed: bool = False
    slots: SlotReader | None = None

    def read(self, document: Evidence) -> ReadDocument:
        """Read a document's statements and embed them."""
        facts, skipped = read_facts(document, headed=self.headed, slots=self.slots)
        vectors = embed([fact.text for fact in facts], embeddings=self.embeddings) if facts else _NO_VECTORS
        return ReadDocument(tuple(facts), tuple(skipped), vectors)

    def __call__(self, documents: Sequence[Evidence]) -> list[ReadDocument]:
        """Read a chunk of documents."""
        return [self.read(each) for each in documents]


def facts_of(document: Evidence, *, headed: bool = False, slots: SlotReader | None = None) -> list[Fact]:
    """Return a document's self-contained statements, each once, in order.

    See `standalone` for what is made of its sentences, and what is left out.

    Args:
        headed: where the title is a headline, it is a statement too, and every sentence stands behind it.
        slots: tells which slots a statement fills; by default those of the shipped pack, by its own words.
    """
    return read_facts(document, headed=headed, slots=slots)[0]


def stated_fact(text: str, *, published: Interval | None, slots: SlotReader, about: str = "") -> Fact:
    """Return the fact that a document would state by a text.

    Args:
        published: when the document was.
        slots: tells which slots it fills, mostly those of a store.
        about: the document's title.
    """
    read = facts_of(Evidence.make(text, published=published), slots=slots)
    return (read[0] if len(read) == 1 else Fact.make(text)).model_copy(update={"about": about})


def read_facts(
    document: Evidence, *, headed: bool = False, slots: SlotReader | None = None
) -> tuple[list[Fact], list[str]]:
    """Return a document's statements as `facts_of`, and why others are none."""
    title = document.title
    texts, skipped = [title] if headed and is_headline(title) and asserted_part(title) else [], []
    told = with_told_tables(without_day_heads(without_mail_heads(document.text)), title=title)
    for sentence in read_assertions(told, title=title):
        text = standalone(sentence.text, title=title, headed=headed)
        if not text or _is_only_time(text):
            continue
        if _is_asserted(sentence):
            texts.append(text)
        else:
            skipped.append(f"Not asserted as fact ({', '.join(sentence.kinds)}): {quoted(text)}")
    facts = (
        Fact.make(
            text,
            validity=_validity(text, anchor=document.published),
            tags=_tags(text, slots or slots_by_words()),
            about=title,
        )
        for text in texts
    )
    return list({fact.id: fact for fact in facts}.values()), skipped


def quoted(text: str) -> str:
    """Return a text between quotation marks, cut where it is long."""
    return f"“{shortened(text, limit=120)}”"


def _is_asserted(sentence: ReadSentence) -> bool:
    """Check that what the rules read in a sentence is asserted.

    One that they cannot read must say something at least.
    """
    slot = Statement.read_as_written(sentence.text).slot if sentence.kinds else None
    if slot is not None:
        return Statement.read_as_written(sentence.asserted).slot == slot
    return bool(sentence.asserted) or EMPTY.isdisjoint(sentence.kinds)


def _is_only_time(text: str) -> bool:
    """Check for a date and nothing else, such as an entry's head."""
    if not text[:1].isdigit():
        return False
    found = find_expressions(text)
    return len(found) == 1 and found[0].start == 0 and not any(map(str.isalnum, text[found[0].end :]))


def _tags(text: str, slots: SlotReader) -> tuple[str, ...]:
    slot = Statement.read(text).slot
    return (*(() if slot is None else (slot,)), *slots.tags(text))


@cache
def slots_by_words() -> SlotReader:
    """Return the shipped pack's reader, which tells attributes by words."""
    return SlotReader(SlotPack.shipped())


def _validity(text: str, *, anchor: Interval | None) -> Interval | None:
    """Return a text's only range of time ("since May"), or `None`."""
    ranges = [found.interval for found in find_expressions(text, anchor=anchor) if found.kind == "range"]
    return ranges[0] if len(ranges) == 1 else None
