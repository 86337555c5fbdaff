"""Years among bare numbers: "in 2000", but not "2000 seats"."""

from __future__ import annotations

from dateline.language.word_lists import word_set
from dateline.temporal.interval import Interval
from dateline.temporal.points import RuleMatch, TimeMention, month_of
from dateline.temporal.year_words import full_year
from dateline.temporal.year_words import spoken_year as year_of_words

_COUNTED = word_set(
    "people seats members men women children soldiers troops students inhabitants residents votes voters copies units "
    "species points goals runs pounds dollars euros feet miles metres meters kilometres kilometers km kg acres hectares "
    "tons tonnes homes houses jobs workers employees players fans spectators books pages words songs items watts volts "
    "rpm m ft lb mph cc hp times shares yards casualties prisoners killed wounded more other additional different such "
    "percent per square cubic metric horsepower light nautical mm cm tracks stores shops cars aircraft ships guns horses "
    "families households passengers patients cases deaths rooms beds barrels bottles francs marks rupees yen"
)
"""What is counted, not dated."""

_NUMBERED = word_set(
    "section page pages pp no number nos vol volume chapter article room route highway flight model version"
)
"""A number after these is a label, whatever else speaks for a year."""

_MEASURED = word_set(
    "windows office line class type unit building level channel figure table grade lot item id code ext phone tel fax zip "
    "bus nearly almost over than least approximately roughly some exactly only total per of"
)
"""A number after these is more likely a name or an amount."""

_NOT_TEMPORAL = word_set("about for at within over to into throughout")
"""Prepositions that take amounts as readily as years."""

_EVENTS = word_set(
    "elections olympics games championships finals series awards playoffs paralympics census oscars riots seasons campaigns editions"
)
_COMPOUNDS = word_set("seat strong year mile foot meter metre member man page word day")
FUNCTION_WORDS = word_set(
    "and or he she they it who which what where when was were is did had has by under as the in at with"
)
_LEAST = 0.5
"""A number below this certainty is not reported."""


def year(read: RuleMatch) -> TimeMention | None:
    """Read years: "2019", "mid-2019", "the year 2019"."""
    interval = Interval.of_year(int(read.one("4") or ""))
    if read.one("P%u"):
        return read.make(interval)
    certainty = 0.0 if _is_label(read) or _is_amount(read) else _certainty(read)
    return read.make(interval, certainty=certainty) if certainty >= _LEAST else None


def _is_label(read: RuleMatch) -> bool:
    """Return whether a number belongs to a name, code, price or heading."""
    before_class, before = read.before()
    if before in ("$", "€", "£", "#", "№", "¥", "+") or before.lower() in _NUMBERED:
        return True
    if before == "." and read.before(1)[1].lower() in ("no", "nos", "vol", "pp", "p"):
        return True
    if not read.touches_before():
        return False
    if before == "-" and read.before(1)[0] in ("x", "6", "5"):
        return read.before(1)[1].lower() not in ("pre", "post")
    if before == "." and read.before(1)[0] in tuple("123456"):
        return True
    return before_class in "x/:" and before not in '([{"“‘*;~|_«…'


def _is_amount(read: RuleMatch) -> bool:
    after_class, after = read.after()
    if after in ("%", "$", "€", "£", "°") or (after_class in tuple("uQ") and after.lower() != "year"):
        return True
    if measures(read):
        return True
    if read.touches_after() and after == "-" and read.after(1)[1].lower() in _COMPOUNDS:
        return True
    return after in _COUNTED or after in _COMPOUNDS - {"year"}


def measures(read: RuleMatch) -> bool:
    """Return whether a number is a side of something: "1920 x 1080"."""
    return read.after()[1].lower() in ("x", "×") and read.after(1)[1][:1].isdigit()


def _certainty(read: RuleMatch) -> float:
    number = int(read.one("4") or "")
    if "π" in (read.before()[0], read.before(1)[0] if read.before()[0] == "-" else ""):
        return 0.95  # "pre-2015 models"
    before_class, before = read.before()
    lower, after = before.lower(), read.after()[1]
    is_round = number % 100 == 0
    plural = after.endswith("s") and after.islower() and len(after) > 3 and not _is_singular(after)
    if before_class != "" and before_class in "+^<>]BC" and lower not in _NOT_TEMPORAL:
        return 0.95 if 1500 <= number < 2100 else 0.45 if plural else 0.85
    if lower == "to" and read.before(1)[0] in tuple("49s"):
        return 0.8
    if lower in ("or", "and") and read.before(1)[0] == "4":
        return 0.7
    if lower == "least" and read.before(2)[0] in tuple("^<]"):
        return 0.8
    if before_class == "C" and not is_round and 1000 <= number < 2100 and _ends_phrase(read):
        return 0.6  # "about 1250 by monks"
    if lower == "than" and read.before(1)[0] == "r":
        return 0.9  # "no later than 2010"
    if lower in _MEASURED and before_class != "F":
        return 0.0
    if before_class == "" or before_class in "MmJFTA&,-(":
        certainty = 0.8 if 1600 <= number < 2100 else 0.6
    else:
        certainty = 0.7 if 1700 <= number < 2100 and not is_round else 0.4
    if plural and before_class != "T":
        certainty -= 0.4
    if is_round and (before_class == "" or before_class not in "(-T"):
        certainty -= 0.2
    return certainty


def _is_singular(word: str) -> bool:
    """Return whether a word in s is singular or an event.

    Examples: crisis, congress, elections.
    """
    return word in _EVENTS or word.endswith(("ss", "is", "us"))


def early_year(read: RuleMatch) -> TimeMention | None:
    """Read a three-digit year that ends its phrase: "in 632"."""
    if read.before()[1].lower() not in ("in", "since", "until", "from", "around", "year") or not _ends_phrase(read):
        return None
    return read.make(Interval.of_year(int(read.one("5") or "")), certainty=0.6)


def early_years(read: RuleMatch) -> TimeMention | None:
    """Read ranges of early years: "from 880 to 887"."""
    first, last = (int(word) for word in read.all("5"))
    if not first < last or not _ends_phrase(read):
        return None
    return read.make(Interval.of_years(first, last), kind="range", certainty=0.6)


def month_of_early_year(read: RuleMatch) -> TimeMention | None:
    """Read months of early years: "July 883"."""
    if not _ends_phrase(read):
        return None
    return read.make(Interval.of_month(int(read.one("5") or ""), month_of(read)), certainty=0.7)


def _ends_phrase(read: RuleMatch) -> bool:
    """Return whether nothing that could be counted follows."""
    after = read.after()[1]
    return not after or after in ".,;:?!)" or after.lower() in FUNCTION_WORDS


def short_year(read: RuleMatch) -> TimeMention | None:
    """Read "'94" after a preposition, month or season."""
    if read.before()[0] not in tuple("+^<>]BCFMmJ-&TS"):
        return None
    return read.make(Interval.of_year(full_year(read.one("9") or "")), certainty=0.8)


def spoken_year(read: RuleMatch) -> TimeMention | None:
    """Read spoken years after a preposition or "the year": "nineteen ninety-six"."""
    before_class, before = read.before()
    introduced = read.one("u") == "year"
    if not introduced and (before_class not in tuple("+^<>]F") or before.lower() in _NOT_TEMPORAL):
        return None
    number = year_of_words(read.all("n"))
    if number is None or (number % 100 == 0 and not introduced):
        return None
    return read.make(Interval.of_year(number), certainty=0.8)
