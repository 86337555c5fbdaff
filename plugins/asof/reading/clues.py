"""The sentences of the evidence, each with its words and how far they speak of what is asked."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from asof.records import Evidence
from asof.text.sentences import split_sentences
from asof.text.words import content_words, words

MAX_SENTENCES = 60
"""Sentences read of one piece of evidence; the rest of a long document is not looked at."""

_OWN, _NEAR, _PASSAGE = 0.5, 0.3, 0.2
"""Shares of a sentence's relevance: question words in it, in it or beside it, anywhere in its passage."""

_NUMBERS = {
    name: str(value)
    for value, name in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_SCALES = {"bn": " billion", "m": " million", "k": " thousand", "%": " percent"}
_SCALED = re.compile(r"(?<=\d)\s?(bn|m|k|%)(?!\w)", re.I)
_COMMA, _POINT = re.compile(r"(?<=\d),(?=\d{3})"), re.compile(r"(?<=\d)\.(?=\d)")


@dataclass(frozen=True, slots=True)
class Clue:
    """One sentence of the evidence.

    Attributes:
        text: the sentence.
        source: index of its evidence.
        keys: its content words, as `keys` gives them.
        relevance: how much of the question's weight stands in it or around it, 0 to 1.
        folded: its words in order between single spaces, for whole-word search.
    """

    text: str
    source: int
    keys: frozenset[str]
    relevance: float = 0.0
    folded: str = field(default="", repr=False)


def find_clues(question: str, *, evidence: Sequence[Evidence]) -> list[Clue]:
    """Every sentence of `evidence`, titles first, with its relevance to `question`, in reading order."""
    texts = [(source, text) for source, piece in enumerate(evidence) for text in _sentences(piece)]
    found = [frozenset(keys(text)) for _, text in texts]
    sources = np.array([source for source, _ in texts], dtype=np.int64)
    relevance = _relevance(list(dict.fromkeys(keys(question))), found, sources)
    return [
        Clue(text, source, own, float(score), folded(text))
        for (source, text), own, score in zip(texts, found, relevance, strict=True)
    ]


def keys(text: str) -> list[str]:
    """The content words by which texts are matched: stems cut to a common root, numbers in one spelling.

    "Ukrainians" meets "Ukraine", "six" meets "6", "$1.5bn" meets "1.5 billion".
    """
    return [_NUMBERS.get(stem, _root(stem)) for stem in content_words(_spell_numbers(text))]


def folded(text: str) -> str:
    """The words of a text in order, with a space before and behind each."""
    return f" {' '.join(words(_spell_numbers(text)))} "


def rarity(terms: Iterable[str], *, counts: Mapping[str, int], total: int) -> dict[str, float]:
    """Inverse sentence frequency of each term."""
    return {term: math.log(1 + (total + 1) / (counts.get(term, 0) + 0.5)) for term in terms}


def _sentences(piece: Evidence) -> list[str]:
    texts = [piece.title] if piece.title.strip() else []
    texts += [sentence.text for sentence in split_sentences(piece.text)[:MAX_SENTENCES]]
    return list(dict.fromkeys(texts))


def _root(stem: str) -> str:
    return stem[:5] if len(stem) > 6 and stem.isalpha() else stem


def _spell_numbers(text: str) -> str:
    if not any(map(str.isdigit, text)):
        return text
    text = _SCALED.sub(lambda match: _SCALES[match.group(1).lower()], text)
    return _POINT.sub("d", _COMMA.sub("", text))


def _relevance(
    asked: Sequence[str], found: Sequence[frozenset[str]], sources: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """For each sentence, the weighted share of the question's words in, beside and around it."""
    if not asked or not found:
        return np.zeros(len(found))
    counts = Counter(key for own in found for key in own)
    weights = np.array(list(rarity(asked, counts=counts, total=len(found)).values()))
    own = np.array([[key in present for key in asked] for present in found], dtype=np.float64)
    same = (sources[1:] == sources[:-1])[:, None]
    near = own.copy()
    near[1:] = np.maximum(near[1:], own[:-1] * same)
    near[:-1] = np.maximum(near[:-1], own[1:] * same)
    passage = np.zeros_like(own)
    for source in np.unique(sources):
        passage[sources == source] = own[sources == source].max(axis=0)
    mixed: np.ndarray[tuple[int], np.dtype[np.float64]] = (_OWN * own + _NEAR * near + _PASSAGE * passage) @ (
        weights / weights.sum()
    )
    return mixed
