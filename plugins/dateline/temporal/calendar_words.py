"""Calendar words with the one-letter classes of the time grammar."""

from __future__ import annotations

from dateline.language.calendar import CALENDAR, MONTH_NAMES, MONTHS, WEEKDAY_NAMES, calendar_words
from dateline.language.calendar import WEEKDAYS as SINGLE_WEEKDAYS
from dateline.language.numbers import CARDINALS, ORDINALS, SCALES
from dateline.temporal.holiday_dates import HOLIDAYS
from dateline.temporal.interval import Granularity

WEEKDAYS: dict[str, int] = dict(SINGLE_WEEKDAYS) | {f"{name.lower()}s": day for day, name in enumerate(WEEKDAY_NAMES)}
"""With their plurals; Monday is 0."""

SEASONS: dict[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month in which a season starts (northern, meteorological)."""

_UNITS: tuple[Granularity, ...] = ("minute", "hour", "day", "week", "month", "quarter", "year", "decade", "century")
UNITS: dict[str, Granularity] = {
    **{word: unit for unit in _UNITS for word in (unit, f"{unit}s")},
    "centuries": "century",
    "weekend": "week",
    "weekends": "week",
    "fortnight": "week",
    "fortnights": "week",
}

SPELLINGS: dict[str, str] = {
    short: word
    for word, shorts in {
        "tomorrow": "tmrw tmr tmw tomoz tomorow 2moro 2morrow",
        "yesterday": "yday ystd yest",
        "tonight": "tonite 2nite 2night",
        "today": "2day",
        "week": "wk",
        "weeks": "wks",
        "month": "mth",
        "months": "mths mos",
        "year": "yr",
        "years": "yrs",
        "hour": "hr",
        "hours": "hrs",
        "minutes": "mins",
        "quarter": "qtr",
        "noughties": "naughties aughts noughts",
    }.items()
    for short in shorts.split()
}
"""What people write in haste, and the word they mean."""

NUMBERS: dict[str, int] = {word: value for word, value in CARDINALS.items() if value} | {
    word: SCALES[word] for word in ("hundred", "thousand")
}

_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties"
DECADES: dict[str, int] = {word: 10 * place for place, word in enumerate(_DECADES.split(), start=2)} | {
    "noughties": 100
}
"""The first year of each, counted from 1900."""

HOUR = 3600
DAY_PARTS: dict[str, tuple[int, int]] = {
    "morning": (6 * HOUR, 12 * HOUR),
    "noon": (12 * HOUR, 13 * HOUR),
    "midday": (12 * HOUR, 13 * HOUR),
    "afternoon": (12 * HOUR, 18 * HOUR),
    "evening": (18 * HOUR, 24 * HOUR),
    "night": (18 * HOUR, 24 * HOUR),
    "midnight": (0, HOUR),
    "dawn": (5 * HOUR, 7 * HOUR),
}
"""Seconds after midnight, end exclusive."""

# Months that are also ordinary words or names, and abbreviations, stand for a month only beside a number or a preposition.
_NAMELIKE_MONTHS = "march april may june august"
_FULL_MONTHS = [name.lower() for name in MONTH_NAMES if name.lower() not in _NAMELIKE_MONTHS.split()]

_CLASSES: dict[str, str] = {
    "M": " ".join(_FULL_MONTHS),
    "m": _NAMELIKE_MONTHS,
    "J": " ".join(word for word in MONTHS if word not in CALENDAR),
    "W": " ".join(WEEKDAY_NAMES).lower(),
    "w": " ".join(f"{name}s" for name in WEEKDAY_NAMES).lower(),
    "a": " ".join(word for word in SINGLE_WEEKDAYS if word not in CALENDAR),
    "S": " ".join(SEASONS),
    "ς": "springs summers autumns winters",
    "u": "minute minutes hour hours day days week weeks weekend weekends fortnight fortnights month months year years decade decades",
    "Q": "quarter quarters",
    "H": "half",
    "K": "century centuries",
    "n": " ".join(NUMBERS),
    "O": " ".join(ORDINALS),
    "k": " ".join(DECADES),
    "v": "several few couple many some dozen dozens",
    "A": "a an",
    "T": "the",
    "i": "this these current",
    "l": "last past previous preceding prior",
    "j": "next coming following upcoming",
    "b": "that same",
    "g": "ago",
    "r": "earlier later",
    "U": "period",
    "y": "yesterday today tomorrow tonight",
    "p": " ".join(DAY_PARTS),
    "P": "early mid late",
    "%": "beginning start end middle",
    "τ": "turn",
    "Z": "now currently recently nowadays",
    "=": "present",
    "V": "future",
    "X": "recent",
    "c": "latest",
    "E": "bc ad bce ce a.d a.d. b.c b.c. b.c.e b.c.e. c.e c.e.",
    "C": "circa ca c about around approximately roughly approx",
    "F": "of",
    "B": "between",
    "<": "from",
    ">": "to through thru",
    "]": "until till",
    "&": "and",
    "^": "since",
    "+": "in on during by at for before after within throughout over into",
    "e": "every each",
    "D": "daily weekly monthly annually yearly hourly quarterly annual",
    "~": "am pm a.m p.m a.m. p.m.",
    "f": "fiscal financial fy",
    "@": "onwards onward",
    "κ": "kw cw",
    "ε": "eod cob eob",
    "η": "eoy eom eoq eow",
    "π": "pre post",
    "ψ": "w/c w/e",
    "ι": "inst ult prox",
    "¡": " ".join(sorted({name.split()[0] for name in HOLIDAYS})),
}
_LETTER_OF = {word: letter for letter, words in _CLASSES.items() for word in words.split()}
CLASS_OF: dict[str, str] = {
    **{word: letter for letter, words in _CLASSES.items() for word in words.split()},
    **{short: _LETTER_OF[word] for short, word in SPELLINGS.items()},
    **dict.fromkeys("-–—−‐‑", "-"),
    **dict.fromkeys("'’", "'"),
    **{mark: mark for mark in "/,.:()&"},
}
"""The class of a lower-case word or punctuation mark; anything else is class `x`, numbers see `number_classes`."""

_FULL_NAMES_IN = ("de", "fr", "es", "it", "pt", "nl")
FOREIGN_MONTHS: dict[str, str] = {
    form: MONTH_NAMES[number - 1].lower()
    for code in _FULL_NAMES_IN
    for form, number in calendar_words(code).months.items()
    if form not in CLASS_OF
    and (len(form) > 4 or form in ("märz", "juni", "juli", "juin", "août", "aout", "mayo", "mai", "mei"))
}
"""Months of other languages that stand in English texts beside a number ("notes from maggio 2025")."""

FOREIGN_CLASSES: dict[str, str] = {
    "penultimate": "l",
    "overnext": "j",
    "ereyesterday": "y",
    "overmorrow": "y",
    "effective": "<",
    "ago …": "Γ",
    "in …": "Δ",
    "o'clock": "ü",
    "ninety": "n",
    "demi": "½",
    **{f"{lead}-{unit}": "λ" for lead in ("this", "last", "next") for unit in ("week", "month", "quarter", "year")},
}
"""Words of the grammar for what English has no single word: "vorletzte", "vorgestern"; those before an amount end in "…"."""
