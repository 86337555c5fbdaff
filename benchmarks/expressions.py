"""Compare dateline's time expressions with dateparser and dateutil: sentences a second, and values that are right.

Usage: python benchmarks/expressions.py [--json FILE] [--seconds 3]

A value is right when exactly the expected times are found and each lies where it should: dateline must give the very
interval; dateparser and dateutil, which know only points, need any moment inside it.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path

from dateline.temporal import Interval, find_expressions
from dateline.temporal.interval import seconds_of

ANCHOR = datetime(2021, 12, 1)
SENTENCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The treaty was signed on 6 May 2021 in Geneva.", ("2021-05-06",)),
    ("She was born on July 30 , 1931 in a village near Turin .", ("1931-07-30",)),
    ("The museum opened in March 2015 after long delays.", ("2015-03",)),
    ("He chaired the board between 2017 and 2020.", ("2017-01-01/2021-01-01",)),
    ("From May 1937 until 1941 she taught mathematics.", ("1937-05-01/1942-01-01",)),
    ("In the 2010-11 season the club finished third.", ("2010-01-01/2012-01-01",)),
    ("The company has been listed since 2015.", ("2015/..",)),
    ("The hall has 2000 seats and two balconies.", ()),
    ("May was elected by a large margin.", ()),
    ("Call 555-2019-22 for further details.", ()),
    ("The bridge was built in the early 1990s.", ("1990-01-01/1994-01-01",)),
    ("Profits fell in the third quarter of 2012.", ("2012-07-01/2012-10-01",)),
    ("The mill dates from the 18th century.", ("1700-01-01/1800-01-01",)),
    ("The minister resigned three weeks ago.", ("2021-11-08/2021-11-15",)),
    ("The parliament voted yesterday.", ("2021-11-30",)),
    ("The two sides met last Tuesday.", ("2021-11-30",)),
    ("Sales doubled this year.", ("2021",)),
    ("The law of 12 March 1999 was repealed on 2003-07-01.", ("1999-03-12", "2003-07-01")),
    ("It was measured at 10 places over the course of the study.", ()),
    ("Version 2.10.4 replaced Windows 2000 in our offices.", ()),
    ("Caesar was killed in 44 BC.", ("-0043",)),
    ("The fair takes place from 3 to 7 June 2010.", ("2010-06-03/2010-06-08",)),
    ("He played there from July 1999 to August 2003.", ("1999-07-01/2003-09-01",)),
    ("The war lasted two years.", ()),
    ("The committee meets every Monday.", ()),
    ("The house was sold in late 2013.", ("2013-09-01/2014-01-01",)),
    ("She is the daughter of a carpenter and a nurse.", ()),
    ("The river is 2010 km long.", ()),
    ("In 1066 the duke crossed the sea.", ("1066",)),
    ("The contract runs until 2030.", ("../2031-01-01",)),
)
FOREIGN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Der Vertrag wurde am 6. Mai 2021 in Genf unterzeichnet.", ("2021-05-06",)),
    ("Der Minister ist vor drei Wochen zurückgetreten.", ("2021-11-08/2021-11-15",)),
    ("Die Halle hat 2000 Plätze und zwei Balkone.", ()),
    ("Le musée a ouvert en mars 2015 après de longs retards.", ("2015-03",)),
    ("Le pont date du début des années 1990.", ("1990-01-01/1994-01-01",)),
    ("La guerre a duré deux ans.", ()),
    ("Presidió el consejo entre 2017 y 2020.", ("2017-01-01/2021-01-01",)),
    ("El molino es del siglo XVIII.", ("1700-01-01/1800-01-01",)),
    ("La feria es del 3 al 7 de junio de 2010.", ("2010-06-03/2010-06-08",)),
    ("I ricavi sono calati nel terzo trimestre del 2012.", ("2012-07-01/2012-10-01",)),
    ("La società è quotata dal 2015.", ("2015/..",)),
    ("Il parlamento ha votato ieri.", ("2021-11-30",)),
    ("As vendas duplicaram no ano passado.", ("2020",)),
    ("Jogou lá de julho de 1999 a agosto de 2003.", ("1999-07-01/2003-09-01",)),
    ("O comité reúne-se todas as segundas-feiras.", ()),
    ("Het huis werd eind 2013 verkocht.", ("2013-09-01/2014-01-01",)),
    ("Het contract loopt tot 2030.", ("../2031-01-01",)),
    ("De rivier is 2010 km lang.", ()),
)
"""The same in the other languages, three each."""


def dateline_values(text: str) -> list[Interval]:
    anchor = Interval.of_moment(ANCHOR)
    return [
        found.interval for found in find_expressions(text, anchor=anchor) if found.interval and found.kind != "duration"
    ]


class Unremembered:
    """dateline reading each sentence anew: every time as of another day, so that nothing it remembers helps."""

    def __init__(self) -> None:
        self._days = cycle([Interval.of_moment(ANCHOR + timedelta(days=day)) for day in range(1009)])

    def __call__(self, text: str) -> list[Interval]:
        return [found.interval for found in find_expressions(text, anchor=next(self._days)) if found.interval]


def with_dateparser() -> Callable[[str], list[datetime]]:
    search = importlib.import_module("dateparser.search").search_dates
    settings = {"RELATIVE_BASE": ANCHOR}
    return lambda text: [moment for _, moment in search(text, languages=["en"], settings=settings) or []]


def with_dateutil() -> Callable[[str], list[datetime]]:
    parse = importlib.import_module("dateutil.parser").parse

    def values(text: str) -> list[datetime]:
        try:
            return [parse(text, fuzzy=True, default=ANCHOR)]
        except (ValueError, OverflowError):
            return []

    return values


def is_right(expected: tuple[str, ...], found: Iterable[Interval | datetime]) -> bool:
    """Whether the found times are the expected ones, in order."""
    times = list(found)
    return len(times) == len(expected) and all(map(_fits, expected, times))


def _fits(expected: str, found: Interval | datetime) -> bool:
    if isinstance(found, Interval):
        return str(found) == expected
    whole = _interval(expected)
    moment = seconds_of(found.replace(tzinfo=None))
    return (whole.start is None or whole.start <= moment) and (whole.end is None or moment < whole.end)


def _interval(text: str) -> Interval:
    if "/" not in text:
        return Interval.of_year(int(text)) if text.startswith("-") else Interval.parse(text)
    start, end = text.split("/")
    return Interval(None if start == ".." else Interval.parse(start).start, None if end == ".." else seconds_of(end))


def measure(
    values: Callable[[str], Iterable[Interval | datetime]],
    seconds: float,
    *,
    timed: Callable[[str], Iterable[Interval | datetime]] | None = None,
    sentences: Sequence[tuple[str, tuple[str, ...]]] = SENTENCES,
) -> dict[str, float]:
    """Percentage of sentences read right, and sentences a second of processor time over at least `seconds`."""
    right = sum(is_right(expected, values(text)) for text, expected in sentences)
    read, begun, rounds = timed or values, time.process_time(), 0
    while time.process_time() - begun < seconds:
        for text, _ in sentences:
            read(text)
        rounds += 1
    return {
        "right": 100 * right / len(sentences),
        "sentences_per_second": rounds * len(sentences) / (time.process_time() - begun),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    figures = {
        "dateline": measure(dateline_values, options.seconds, timed=Unremembered()),
        "six languages": measure(dateline_values, options.seconds, timed=Unremembered(), sentences=FOREIGN),
    }
    for name, build in (("dateparser", with_dateparser), ("dateutil", with_dateutil)):
        try:
            values = build()
        except ImportError:
            print(f"{name} is not installed; left out.")
            continue
        figures[name] = measure(values, options.seconds)
    for name, row in figures.items():
        print(f"{name:13} {row['right']:6.1f} % right {row['sentences_per_second']:10.0f} sentences/s")
    if options.json:
        options.json.write_text(
            json.dumps({"sentences": len(SENTENCES), "readers": figures}, indent=2), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
