"""Possible answers in a sentence, by the kind of answer asked for.

"Who was the captain?" is not answered by a sentence that names nobody but the ship. Rules are enough to see that.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from dateline.language.answer_type import AnswerKind
from dateline.language.calendar import CALENDAR
from dateline.language.names import name_words
from dateline.language.numbers import CARDINALS, SCALES
from dateline.language.offices import office_words
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
        >>> PossibleAnswers.of("Bo Winter led the crew.").has("person", known=())
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

    def has(self, kind: AnswerKind, *, known: Collection[str]) -> bool:
        """Return whether an answer of that kind adds to `known`."""
        match kind:
            case "date" | "yes_no":
                return True
            case "count" | "measure" | "money":
                return self.number
            case "role":
                return any(office not in known for office in self.offices)
            case "person":
                return any(len(name) > 1 and not name.issubset(known) for name in self.names)
            case _:
                return any(not name.issubset(known) for name in self.names)


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
