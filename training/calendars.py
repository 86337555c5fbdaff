"""Write the words of the calendar that CLDR has: months, weekdays, units of time, "ago".

    uv run --group calendars python training/calendars.py

Unicode's Common Locale Data Repository is read through Babel, here and not at run time. Forms that search pages write and
CLDR does not have stand in `search_words.json` beside the file that is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from babel import Locale, localedata

CODES = (
    *("en", "es", "fr", "de", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "ro", "hu", "tr", "ru", "uk", "el"),
    *("id", "vi", "ar", "he", "hi", "th", "bg", "ca", "et", "hr", "lt", "lv", "ms", "sk", "sl"),
)
"""In the order in which a word is looked for where the language is not known."""
SHORT_WEEKDAYS = ("en", "es", "fr", "de", "it", "pt", "nl")
"""Languages whose search pages write short weekdays alone; in others they are too often ordinary words."""
SHORTEST = 3
"""Letters of an abbreviated unit; shorter ones are metres, grams and more in other languages."""
UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
DATA = Path(__file__).parent.parent / "plugins" / "dateline" / "language" / "data" / "calendar.json"
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])*")


def calendar(code: str) -> dict[str, Any]:
    """Return one language's words in small letters; months and weekdays as lists of forms in their order."""
    localedata._cache.clear()  # Babel mixes the aliases of languages that were read before.
    data = Locale.parse(code)
    before, behind = _shared(pattern for unit in UNITS for pattern in _pasts(data, unit))
    return {
        "months": [_forms(_named(data.months, month)) for month in range(1, 13)],
        "weekdays": [_forms(_named(data.days, day, short=code in SHORT_WEEKDAYS)) for day in range(7)],
        "units": {unit: _forms(_lengths(data, unit, before, behind)) for unit in UNITS},
        "ago": [(behind or before).lower()] if behind or before else [],
    }


def _named(names: Mapping[str, Any], number: int, *, short: bool = True) -> Iterator[str]:
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated") if short else ("wide",):
            yield names[context][width][number]


def _forms(words: Iterable[str]) -> list[str]:
    """Single words in small letters, without the stop of an abbreviation, each once."""
    plain = [re.sub(r"[.׳॰]$", "", word.strip()).lower() for word in words]
    return list(dict.fromkeys(word for word in plain if all(map(_WORD.fullmatch, word.split("-"))) and word))


def _pasts(data: Locale, unit: str) -> Iterator[str]:
    """All "{0} days ago" of a unit, written out."""
    patterns = dict(data._data["date_fields"].get(unit, {}).get("past", {})).values()
    yield from (pattern for pattern in patterns if "{0}" in pattern)


def _lengths(data: Locale, unit: str, before: str, behind: str) -> Iterator[str]:
    """All words for a unit: of "{0} days ago", of "{0} days", and the longer ones of "{0} min"."""
    for pattern in _pasts(data, unit):
        yield pattern.replace("{0}", " ").strip().removeprefix(before).removesuffix(behind)
    patterns = data._data["unit_patterns"][f"duration-{unit}"]
    for width in ("long", "short"):
        for name, pattern in dict(patterns.get(width, {})).items():
            word = pattern.replace("{0}", "").strip()
            if name != "per" and "{0}" in pattern and (width == "long" or len(word.strip(".")) >= SHORTEST):
                yield word


def _shared(patterns: Iterable[str]) -> tuple[str, str]:
    """The words that all patterns have before their number, and those that all have at their end."""
    halves = [pattern.split("{0}") for pattern in patterns]
    before = _begin([first.split() for first, _ in halves])
    behind = _begin([last.split()[::-1] for _, last in halves])
    return " ".join(before), " ".join(behind[::-1])


def _begin(rows: Sequence[Sequence[str]]) -> list[str]:
    """The words with which all rows begin."""
    return [words[0] for words in takewhile(lambda words: len(set(words)) == 1, zip(*rows, strict=False))]


def main() -> None:
    """Write the file."""
    found = {code: calendar(code) for code in CODES}
    lines = [f" {json.dumps(code)}: {json.dumps(words, ensure_ascii=False)}" for code, words in found.items()]
    DATA.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
