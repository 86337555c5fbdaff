"""Claims of an answer, each linked to sentences of the evidence.

The link is by words, not by meaning: it shows a person where to look, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from dateline.records import Evidence, Record
from dateline.text import content_words, split_sentences, words

ENOUGH = 0.5
"""The share of a claim's words that a sentence must hold to be shown beside it."""

MAX_CLAIMS = 40
"""Sentences of an answer that are linked; the last of them takes the rest of the answer."""


class Support(Record):
    """Place in a piece of evidence that supports a claim."""

    evidence_id: str
    sentence: str = Field(description="The sentence with most of the claim's words; empty: none holds enough of them.")
    share: float = Field(description="The share of the claim's words in that sentence, 0 to 1.")


class Claim(Record):
    """One sentence of the answer."""

    text: str
    support: tuple[Support, ...] = Field(description="The evidence it stands on, the closest first; may be empty.")


def claims_of(answer: str, *, used: Iterable[Evidence]) -> tuple[Claim, ...]:
    """Link each sentence of an answer to the evidence used.

    A piece of evidence supports a sentence when it holds at least half of its words.

    Of pieces that hold equally many, the one given first comes first. An answer of one sentence stands on every piece
    used, whatever words they share: the reader said so.
    """
    pieces = [(piece.id, [(said, _roots(said)) for said in _sentences(piece.text)]) for piece in used]
    sentences = _sentences(answer)
    texts = [*sentences[: MAX_CLAIMS - 1], " ".join(sentences[MAX_CLAIMS - 1 :])] if sentences else []
    texts = [text for text in texts if text]
    return tuple(Claim(text=text, support=_support(text, pieces, whole=len(texts) == 1)) for text in texts)


def _support(
    text: str, pieces: Sequence[tuple[str, list[tuple[str, frozenset[str]]]]], *, whole: bool
) -> tuple[Support, ...]:
    asked = _roots(text)
    found: list[Support] = []
    for id, sentences in pieces:
        share, sentence = max(
            ((len(asked & held) / len(asked), said) for said, held in sentences if asked),
            key=lambda each: each[0],
            default=(0.0, ""),
        )
        if share >= ENOUGH:
            found.append(Support(evidence_id=id, sentence=sentence, share=round(share, 4)))
        elif whole:
            found.append(Support(evidence_id=id, sentence="", share=round(share, 4)))
    return tuple(sorted(found, key=lambda each: -each.share))


def _sentences(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


def _roots(text: str) -> frozenset[str]:
    """Return stems of the content words, or of all words."""
    return frozenset(content_words(text) or words(text))
