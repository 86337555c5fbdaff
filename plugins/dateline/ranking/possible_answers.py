"""Possible answers in a sentence, by the kind of answer asked for.

"Who was the captain?" is not answered by a sentence that names nobody but the ship. Rules are enough to see that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dateline.language.answer_type import AnswerKind
from dateline.language.calendar import CALENDAR
from dateline.language.names import name_words
from dateline.language.numbers import CARDINALS, SCALES
from dateline.language.offices import office_words
from dateline.ranking.groups import Places, any_in, bounds_of, members_of
from dateline.text.term_ids import Ids, term_ids
from dateline.text.words import STOPWORDS, content_words, stem, words

_OFFICES = frozenset(map(stem, office_words("office", "post", "rank", "degree", "occupation", "deputy")))
_NUMBERS = frozenset({"dozen", *CARDINALS, *SCALES}) - {"zero", "one"}
"""Number words; "one" is a pronoun more often than a count."""


@dataclass(frozen=True, slots=True)
class PossibleAnswers:
    """Possible answers in a sentence.

    Attributes:
        names: the stems of each run of capitalised words, without function words, months and weekdays.
        offices: stems of words for offices, ranks and professions.
        number: whether it holds a number other than a year.

    Example:
        >>> PossibleAnswers.of("They owned three boats.").number
        True
    """

    names: tuple[frozenset[str], ...]
    offices: frozenset[str]
    number: bool

    @classmethod
    def of(cls, sentence: str) -> PossibleAnswers:
        """Read one sentence."""
        held = words(sentence)
        return cls(
            names=tuple(_names(sentence)),
            offices=_OFFICES.intersection(map(stem, held)),
            number=any((word[0].isdigit() and len(word) != 4) or word in _NUMBERS for word in held),
        )


@dataclass(frozen=True)
class AnswerTable:
    """Possible answers of many sentences, as columns.

    Attributes:
        names: the words of all names as `term_ids`, name by name.
        name_sizes: the words of each name.
        name_counts: the names of each sentence, shape (sentences,).
        offices: words for offices as `term_ids`.
        office_counts: how many of them each sentence has, shape (sentences,).
        numbers: whether each sentence holds a number other than a year, shape (sentences,).

    Example:
        >>> table = AnswerTable.of(map(PossibleAnswers.of, ["Bo Winter led the crew.", "It rained."]))
        >>> table.has("person", known=(), sentences=np.arange(2)).tolist()
        [True, False]
    """

    names: Ids
    name_sizes: NDArray[np.uint32]
    name_counts: NDArray[np.uint32]
    offices: Ids
    office_counts: NDArray[np.uint32]
    numbers: NDArray[np.bool_]

    @classmethod
    def of(cls, sentences: Iterable[PossibleAnswers]) -> AnswerTable:
        """Put what was read of sentences into columns."""
        read = list(sentences)
        names = [sorted(name) for each in read for name in each.names]
        return cls(
            names=term_ids(word for name in names for word in name),
            name_sizes=np.array(list(map(len, names)), dtype=np.uint32),
            name_counts=np.array([len(each.names) for each in read], dtype=np.uint32),
            offices=term_ids(word for each in read for word in sorted(each.offices)),
            office_counts=np.array([len(each.offices) for each in read], dtype=np.uint32),
            numbers=np.array([each.number for each in read], dtype=np.bool_),
        )

    def has(self, kind: AnswerKind, *, known: Collection[str], sentences: Places) -> NDArray[np.bool_]:
        """Return which of `sentences` have an answer that adds to `known`."""
        match kind:
            case "date" | "yes_no":
                return np.ones(len(sentences), dtype=np.bool_)
            case "count" | "measure" | "money":
                return self.numbers[sentences]
            case "role":
                places, counts = members_of(self._bounds["offices"], sentences)
                return any_in(_unknown(self.offices[places], known), counts)
            case _:
                names, counts = members_of(self._bounds["names"], sentences)
                places, sizes = members_of(self._bounds["words"], names)
                adds = any_in(_unknown(self.names[places], known), sizes)
                return any_in(adds & (sizes > 1) if kind == "person" else adds, counts)

    @cached_property
    def _bounds(self) -> dict[str, Places]:
        groups = {"offices": self.office_counts, "names": self.name_counts, "words": self.name_sizes}
        return {name: bounds_of(sizes) for name, sizes in groups.items()}


def _unknown(words: Ids, known: Collection[str]) -> NDArray[np.bool_]:
    return np.isin(words, term_ids(known), invert=True)


def known_words(question: str, *, title: str) -> frozenset[str]:
    """Return the stems that an answer would not consist of."""
    return frozenset(content_words(question)) | frozenset(content_words(title))


def _names(sentence: str) -> list[frozenset[str]]:
    runs: list[set[str]] = []
    last = -1
    for match in name_words(sentence):
        word = match[0]
        folded = word.casefold()
        if folded in CALENDAR or folded in STOPWORDS:
            continue
        root = stem("".join(words(word)))
        if last >= 0 and not sentence[last : match.start()].strip(" ."):
            runs[-1].add(root)
        else:
            runs.append({root})
        last = match.end()
    return [frozenset(run) for run in runs]
