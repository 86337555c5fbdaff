"""Score the sentences of the evidence by their words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dateline.handwritten.reading.vocabulary import GENERIC
from dateline.language.countries import ADJECTIVES
from dateline.language.names import WORD, LetterPattern
from dateline.language.numbers import CARDINALS
from dateline.language.offices import TITLE_WORDS
from dateline.language.quantities import written_out
from dateline.records import Evidence
from dateline.remember import remember
from dateline.text.sentences import split_sentences
from dateline.text.words import content_words, spaced, stem

MAX_SENTENCES = 60
"""Sentences read of one piece of evidence; the rest of a long document is not looked at."""

_SHARES = {"rarity": (0.5, 0.3, 0.2), "names": (0.35, 0.3, 0.35)}
"""Shares of a sentence's relevance: question words in it, in it or beside it, anywhere in its passage."""

_CONTRASTS = (
    ("men", "women"),
    ("man", "women"),
    ("man", "woman"),
    ("men", "woman"),
    ("summer", "winter"),
    ("north", "south"),
)
_TOPIC = 0.6
"""Share of a title's words that a question holds when it asks about what the title names."""
_CONTRADICTED = 0.4
"""What is left of the relevance of a piece about women where men are asked for."""

Weighting = Literal["rarity", "names"]
_NAME_WEIGHT, _GENERIC_WEIGHT = 3.0, 0.4
_CAPITALISED = LetterPattern(rf"(?<=\s){WORD}")

_NUMBERS = {stem(word): str(value) for word, value in CARDINALS.items()}
_SAME = (
    (re.compile(r"\b(?:CEO|chief executive officer)\b"), "chief executive"),
    (re.compile(r"\b(?:U\.S\.A?\.?|USA?)(?!\w)"), "United States"),
    (re.compile(r"\b(?:U\.K\.|UK\b|Britain\b)"), "United Kingdom"),
    (re.compile(r"\bUN\b|\bU\.N\."), "United Nations"),
    (re.compile(r"\bEU\b"), "European Union"),
    (re.compile(r"\b(?:PM|[Pp]remier)\b"), "prime minister"),
    (re.compile(r"\bnewest\b", re.I), "latest"),
    (re.compile(r"\bbiggest\b", re.I), "largest"),
)
"""What is written in more than one way, and the one that is matched."""
_DEMONYM = re.compile(rf"\b({'|'.join(sorted(ADJECTIVES, key=len, reverse=True))})s?\b")
_COMMA, _POINT = re.compile(r"(?<=\d),(?=\d{3})"), re.compile(r"(?<=\d)\.(?=\d)")


@dataclass(frozen=True, slots=True)
class ScoredSentence:
    """One sentence of the evidence.

    Attributes:
        text: the sentence.
        source: index of its evidence.
        keys: its content words, as `keys` gives them.
        relevance: how much of the question's weight stands in it or around it, 0 to 1.
        coverage: how much of the question's weight stands anywhere in its passage, 0 to 1.
        folded: its words in order between single spaces, for whole-word search.
    """

    text: str
    source: int
    keys: frozenset[str]
    relevance: float = 0.0
    coverage: float = 0.0
    folded: str = field(default="", repr=False)


def find_clues(question: str, *, evidence: Sequence[Evidence], weighting: Weighting = "names") -> list[ScoredSentence]:
    """Every sentence of `evidence`, titles first, with its relevance to `question`, in reading order.

    `weighting` says what a word of the question counts: "rarity" by how few sentences hold it, which
    suits mixed evidence; "names" double for names, which suits evidence that a search has chosen
    already, where the rare words are the ones that do not matter.
    """
    texts = [(source, text) for source, piece in enumerate(evidence) for text in _sentences(piece)]
    found = [frozenset(_keys(text)) for _, text in texts]
    sources = np.array([source for source, _ in texts], dtype=np.int64)
    asked = list(dict.fromkeys(keys(question)))
    counts = Counter(key for own in found for key in own)
    weights = rarity(asked, counts=counts, total=len(found)) if weighting == "rarity" else _by_name(asked, question)
    read = found if weighting == "rarity" else _with_topic(found, evidence, sources, asked)
    relevance, coverage = _relevance(weights, read, sources, shares=_SHARES[weighting])
    for source in np.unique(sources):
        here = sources == source
        if _contradicts(asked, frozenset().union(*(found[index] for index in np.flatnonzero(here)))):
            relevance[here] *= _CONTRADICTED
            coverage[here] *= _CONTRADICTED
    return [
        ScoredSentence(text, source, own, float(score), float(around), folded(text))
        for (source, text), own, score, around in zip(texts, found, relevance, coverage, strict=True)
    ]


def keys(text: str) -> list[str]:
    """The content words by which texts are matched: stems cut to a common root, numbers in one spelling.

    "Ukrainians" meets "Ukraine", "six" meets "6", "$1.5bn" meets "1.5 billion".
    """
    return list(_keys(text))


@remember
def _keys(text: str) -> tuple[str, ...]:
    return tuple(_NUMBERS.get(root, _root(root)) for root in content_words(_spell(text)))


@remember
def folded(text: str) -> str:
    """The words of a text in order, with a space before and behind each."""
    return spaced(_spell(text))


def rarity(terms: Iterable[str], *, counts: Mapping[str, int], total: int) -> dict[str, float]:
    """Inverse sentence frequency of each term."""
    return {term: math.log(1 + (total + 1) / (counts.get(term, 0) + 0.5)) for term in terms}


def _with_topic(
    found: Sequence[frozenset[str]], evidence: Sequence[Evidence], sources: NDArray[np.int64], asked: Sequence[str]
) -> list[frozenset[str]]:
    """Each sentence's words and its title's, where the title is what the question is about: "She" is its subject."""
    titles = [frozenset(keys(piece.title)) for piece in evidence]
    topics = [title if title and len(title & set(asked)) >= _TOPIC * len(title) else frozenset() for title in titles]
    return [own | topics[source] for own, source in zip(found, sources.tolist(), strict=True)]


def _contradicts(asked: Sequence[str], present: frozenset[str]) -> bool:
    """Whether a text speaks of women where men are asked for, or the like."""
    return any(
        ours in asked and theirs not in asked and theirs in present and ours not in present
        for pair in _CONTRASTS
        for ours, theirs in (pair, pair[::-1])
    )


def _by_name(asked: Sequence[str], question: str) -> dict[str, float]:
    names = {key for word in _CAPITALISED.findall(question) if word.lower() not in TITLE_WORDS for key in keys(word)}
    generic = _generic()
    return {key: _NAME_WEIGHT if key in names else _GENERIC_WEIGHT if key in generic else 1.0 for key in asked}


@cache
def _generic() -> frozenset[str]:
    return frozenset(key for word in GENERIC for key in keys(word))


def _sentences(piece: Evidence) -> list[str]:
    texts = [piece.title] if piece.title.strip() else []
    texts += [sentence.text for sentence in split_sentences(piece.text)[:MAX_SENTENCES]]
    return list(dict.fromkeys(texts))


def _root(stem: str) -> str:
    return stem[:5] if len(stem) > 6 and stem.isalpha() else stem


def _spell(text: str) -> str:
    """The text with numbers and common abbreviations in one spelling."""
    for pattern, usual in _SAME:
        text = pattern.sub(usual, text)
    text = _DEMONYM.sub(lambda match: ADJECTIVES[match.group(1)], text)
    if not any(map(str.isdigit, text)):
        return text
    return _POINT.sub("d", _COMMA.sub("", written_out(text)))


def _relevance(
    weighted: Mapping[str, float],
    found: Sequence[frozenset[str]],
    sources: NDArray[np.int64],
    *,
    shares: tuple[float, float, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each sentence, the weighted share of the question's words in, beside and around it; and around it alone."""
    if not weighted or not found:
        return np.zeros(len(found)), np.zeros(len(found))
    weights = np.array(list(weighted.values())) / sum(weighted.values())
    own = np.array([[key in present for key in weighted] for present in found], dtype=np.float64)
    same = (sources[1:] == sources[:-1])[:, None]
    near = own.copy()
    near[1:] = np.maximum(near[1:], own[:-1] * same)
    near[:-1] = np.maximum(near[:-1], own[1:] * same)
    passage = np.zeros_like(own)
    for source in np.unique(sources):
        passage[sources == source] = own[sources == source].max(axis=0)
    inside, beside, around = shares
    return (inside * own + beside * near + around * passage) @ weights, passage @ weights
