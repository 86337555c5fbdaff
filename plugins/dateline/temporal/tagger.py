"""Trained tagger: a time, or a name, title or number?

Logistic regression over the shapes and words beside a candidate. `data/time_names.json` is fitted by
`training/time_names.py` on sentences and texts written for it and on times of open pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from dateline.language.offices import office_words
from dateline.language.word_lists import json_data, word_set
from dateline.temporal.bare_years import FUNCTION_WORDS
from dateline.temporal.name_features import features
from dateline.temporal.tokens import Tokens
from dateline.temporal.vocabulary import ENGLISH

JUDGED: Mapping[str, str] = {
    "year": "n",
    "whole_years": "n",
    "years": "n",
    "iso": "i",
    "numeric_day": "i",
    "clock": "c",
    "numbered_week": "w",
    "month": "m",
    "season": "s",
    "weekday": "d",
    "weekday_part": "d",
    "day_word": "y",
    "quarter": "q",
    "holiday": "h",
    "century": "k",
    "day_of_year": "e",
    "calendar_day": "f",
    **dict.fromkeys(
        word_set("shifted day_part part_of_day current_unit noon from_day ago before_last this_time turn"), "o"
    ),
}
"""The rules whose candidates are judged, each with the letter that its features begin with."""

_LEAST: Mapping[str, float] = {"n": 0.5, "d": 0.0, "m": -0.5, **dict.fromkeys("ceihsq", -1.0)}
_DATED = frozenset("4f9GuφlijY")
"""Token classes with which a quarter tells its year."""
_PARTS = frozenset("Pu%")
"""Token classes of parts of a period, which only a time has: "the end of 2019", "mid-May"."""
_FAR_LEAST = -2.0
"""Below these sums a candidate is no time; what is rarely anything else needs more to speak against it. Chosen by hand, on the whole
texts of training/ and `benchmarks/times/second`."""


@cache
def weights() -> Mapping[str, float]:
    """Return the weight of each feature; positive speaks for a time."""
    return {name: float(weight) for name, weight in json_data("time_names").items()}


def is_time(tokens: Tokens, first: int, last: int, *, rule: str, asked: bool = False) -> bool:
    """Return whether a candidate, tokens `first` to `last`, is a time.

    Where the text is `asked`, a question, less speaks against its only year.

    Example:
        >>> tokens = Tokens("He drives a Renault 2017 since 2017.")
        >>> is_time(tokens, 4, 5, rule="year"), is_time(tokens, 6, 7, rule="year")
        (False, True)
    """
    if rule not in JUDGED:
        return True
    letter = judged_letter(tokens, first, last, rule=rule)
    if letter is None or is_plain(tokens, first, last, letter=letter):
        return True
    if asked and rule == "year" and _is_year_asked_for(tokens, first):
        return True
    return accepts(features(tokens, first, last, letter=letter), table=weights())


def judged_letter(tokens: Tokens, first: int, last: int, *, rule: str) -> str | None:
    """Return the letter of a candidate's features, `None` where none are needed.

    A mark before it tells other languages, whose words and capitals mean something else.
    """
    letter, vocabulary, within = JUDGED.get(rule), tokens.vocabulary, tokens.classes[first:last]
    if letter is None or (letter == "q" and not _DATED.isdisjoint(within)):
        return None
    begins = within[0]
    if letter in "oyk" and not tokens.originals[last - 1][0].isupper():
        return None  # in lower case no part of a name, as "This Week" and "20th Century" may be
    if begins == "I" or (letter in "ds" and begins in "lij") or (letter in "nms" and _PARTS.intersection(within)):
        return None  # "2024-06-12", "last Friday", "early 2019", "mid-May"
    if letter == "c" and "~" in within:
        return None  # "6:30 p.m."
    if vocabulary is ENGLISH:
        return None if letter == "f" or (letter == "e" and not _is_beside_name(tokens, first, last)) else letter
    if letter in "oqwk" or begins in "lij" or (letter == "f" and not _has_capital_month(tokens, first, last)):
        return None
    return ("ß" if vocabulary.capital_months else "~") + letter


def _has_capital_month(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a month has a capital: "place du 8 Mai"."""
    words = tokens.originals[first:last]
    return not tokens.vocabulary.capital_months and any(word[0].isupper() for word in words)


def _is_beside_name(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a capital stands beside it, a text's first aside."""
    words = tokens.originals
    return (last < len(words) and words[last][0].isupper()) or (first > 1 and words[first - 1][0].isupper())


def is_plain(tokens: Tokens, first: int, last: int, *, letter: str) -> bool:
    """Return whether a preposition of time settles it: "in 2019"."""
    words = tokens.originals
    if not first or letter[-1] not in "nmdsef":
        return False
    if tokens.vocabulary is ENGLISH:
        settled = words[first - 1].lower() in (_SETTLING_YEARS if letter == "n" else _SETTLING)
    else:
        before = tokens.classes[first - 1]
        settled = before in _SETTLING_CLASSES or (before == "&" and tokens.classes[max(first - 2, 0)] == "4")
        settled = settled or _is_behind_bound(tokens, first, last)
    if len(words[first - 1]) > 1 and words[first - 1].isupper():
        return False  # "NF EN 1992"
    if first > 2 and _JOINED.fullmatch(tokens.classes, first - 3, first):
        return True
    leading = [word.lower() for word in words[max(first - 2, 0) : first]]
    settled = settled or leading == ["as", "of"]
    if letter == "n" and _is_bound(tokens, first, last):
        return True  # "no later than 2018"
    if letter == "e" and (settled or leading[-1] in _BEFORE_DAY):
        return True  # "from 5 July Ada leads"
    return settled and (last >= len(words) or not words[last][0].isupper())


def _is_behind_bound(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a bound settles it: "avant 1950", not "voor 1850 woningen"."""
    place = max(first - 2, 0) if tokens.classes[first - 1] == "T" else first - 1
    return tokens.originals[place].lower() in tokens.vocabulary.bounding and not tokens.is_other_word(last)


def _is_bound(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a year ends a bound: "up to 2018"."""
    words, year = tokens.originals, tokens.originals[first]
    if last != first + 1 or not _FIRST_YEAR <= year < _LAST_YEAR or year.endswith("00"):
        return False
    if last < len(words) and words[last] not in _ENDS_PHRASE and words[last] not in FUNCTION_WORDS:
        return False
    before, earlier = words[first - 1].lower(), words[first - 2].lower() if first > 1 else ""
    return before in _BOUNDS or earlier in _BOUNDS_OF.get(before, ())


def _is_year_asked_for(tokens: Tokens, first: int) -> bool:
    """Return whether a question's only number is a year.

    Offices change hands ("acme director 2016"); other names have numbers ("Space 1999").
    """
    if tokens.classes.count("4") != 1 or not _FIRST_YEAR <= tokens.originals[first] < _LAST_YEAR:
        return False
    if tokens.vocabulary is ENGLISH:
        return any(word.lower() in _OFFICES for word in tokens.originals)
    before = tokens.originals[first - 1] if first else ""
    return tokens.vocabulary.bare_years and before.islower() and before in tokens.vocabulary.common


_OFFICES = office_words("office", "post")
_FIRST_YEAR, _LAST_YEAR = "1500", "2100"
_ENDS_PHRASE = frozenset(".,;:?!)")
_BOUNDS = frozenset(["through", "beyond", "before", "after", "till", "by"])
_BOUNDS_OF = {
    "than": ("later", "earlier"),
    "to": ("up", "prior", "subsequent"),
    "as": ("early", "late", "recently"),
    "at": ("as",),
}
"""The word before a year, and before that one those with which it bounds a time."""
_JOINED = re.compile("[B<]4[]&>-]")
"""Token classes before the later year of "between 2017 and 2020", "from 1974 to 1996"."""
_SETTLING = frozenset(["in", "between", "since", "until", "during", "on", "last", "next"])
"""Before a candidate and with no name behind it, these make a look at its features needless."""
_BEFORE_DAY = frozenset(["from", "on", "until", "till", "since", "by"])
"""Before a day of a month, whatever stands behind it."""
_SETTLING_YEARS = _SETTLING - {"on", "last", "next"}
_SETTLING_CLASSES = frozenset("+^]<BW")
"""The same for other languages, by class."""


def accepts(seen: Iterable[str], *, table: Mapping[str, float]) -> bool:
    """Return whether features, the candidate's letter first, speak for a time."""
    total, letter = 0.0, ""
    for name in seen:
        letter = letter or name[-1]
        total += table.get(name, 0.0)
    return total >= _LEAST.get(letter, _FAR_LEAST)
