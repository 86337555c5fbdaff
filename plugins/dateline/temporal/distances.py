"""Rules for distances: "a week ago today", "the year before last"."""

from __future__ import annotations

from dateline.language.calendar import MONTHS
from dateline.temporal import relative
from dateline.temporal.calendar_words import DAY_PARTS, SEASONS, UNITS, WEEKDAYS
from dateline.temporal.interval import DAY, Granularity, Interval, civil_from_days, month_start
from dateline.temporal.points import RuleMatch, TimeMention, number_of
from dateline.temporal.relative_rules import DAYS_AWAY, amount, unit_of, weekend_of

_LONG: tuple[Granularity, ...] = ("day", "week", "month", "year")


def before_last(read: RuleMatch) -> TimeMention | None:
    """Read what lies two steps away: "the week before last"."""
    step = {("before", "last"): -2, ("after", "next"): 2}.get((read.one("+") or "", read.one("lj") or ""))
    if step is None or read.anchor is None:
        return None
    word = read.words()[1]
    if word in UNITS:
        moved = relative.shifted(read.anchor, UNITS[word], step)
        return read.make(weekend_of(moved) if word == "weekend" else moved, certainty=0.9)
    if word in WEEKDAYS:
        day = relative.weekday(read.anchor, WEEKDAYS[word], "past" if step < 0 else "next")
        return read.make(relative.shifted(day, "day", 7 * (step // 2)), certainty=0.9)
    if word in SEASONS:
        return read.make(_season(read.anchor, word, step), certainty=0.8)
    if word in DAY_PARTS:
        return read.at_clock(DAY_PARTS[word], day=relative.shifted(read.anchor, "day", step))
    near = relative.month(read.anchor, MONTHS[word], step)
    return read.make(relative.shifted(near, "month", 12 * (step // 2)), certainty=0.8)


def _season(anchor: Interval, word: str, steps: int) -> Interval:
    """Return a season years away from the running or coming one."""
    coming = relative.likely_part(anchor, month=SEASONS[word], unit="season", ahead=True)
    running = coming if steps < 0 or coming.overlaps(anchor) else _years_later(coming, -1)
    return _years_later(running, steps)


def _years_later(season: Interval, years: int) -> Interval:
    year, month, _ = civil_from_days(relative.start_of(season) // DAY)
    return Interval(month_start(year + years, month), month_start(year + years, month + 3), "season")


def occasions_ago(read: RuleMatch) -> TimeMention | None:
    """Read counted seasons and weekdays: "two winters ago", "three Fridays ago"."""
    number, word = amount(read), (read.one("Sςw") or "").removesuffix("s")
    if number is None or read.anchor is None:
        return None
    if word in SEASONS:
        return read.make(_season(read.anchor, word, -number), certainty=0.8)
    latest = relative.weekday(read.anchor, WEEKDAYS[word], "past")
    return read.make(relative.shifted(latest, "day", 7 * (1 - number)), certainty=0.8)


def from_day(read: RuleMatch) -> TimeMention | None:
    """Read an amount counted from a day: "a week ago today"."""
    (unit, size), number, side = unit_of(read), amount(read), read.one("<+>T")
    if number is None or unit not in _LONG or side not in (None, "on", "in", "from", "effective", "to", "the"):
        return None
    past = read.one("gΓ") is not None
    word = read.one("yWa") or ""
    if side is None and not past and "Δ" not in read.classes and (unit != "week" or word not in ("today", "tomorrow")):
        return None  # "a year today" is often just that long
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    if word in WEEKDAYS:
        day = relative.weekday(read.anchor, WEEKDAYS[word], "past" if past else "next")
    else:
        day = relative.shifted(read.anchor, "day", DAYS_AWAY.get(word, 0))
    moved = relative.shifted_moment(relative.start_of(day), unit, (-number if past else number) * size)
    return read.make(Interval(moved, moved + DAY, "day"), certainty=0.9)


def weekday_week(read: RuleMatch) -> TimeMention | None:
    """Read a day and a week more: "tomorrow week", "Monday fortnight"."""
    unit, size = unit_of(read)
    after = read.after()[1]
    if unit != "week" or read.one("u") not in ("week", "fortnight") or (after and after not in ".,;:?!)"):
        return None
    word = read.one("yW") or ""
    if word == "yesterday" or word.endswith("s") or read.anchor is None:
        return None
    if word in WEEKDAYS:
        day = relative.weekday(read.anchor, WEEKDAYS[word], "next")
    else:
        day = relative.shifted(read.anchor, "day", DAYS_AWAY.get(word, 0))
    return read.make(relative.shifted(day, "day", 7 * size), certainty=0.8)


def this_time(read: RuleMatch) -> TimeMention | None:
    """Read "this time last year", "the same time tomorrow": about that day."""
    if read.one("x") not in ("time", "day") or read.anchor is None:
        return None
    word = read.one("uy") or ""
    if word in DAYS_AWAY:
        return read.make(relative.shifted(read.anchor, "day", DAYS_AWAY[word]), certainty=0.7)
    unit = UNITS.get(word)
    if unit not in _LONG:
        return None
    moved = relative.shifted_moment(relative.start_of(read.anchor), unit, read.shift())
    day = Interval(moved, moved + DAY, "day")
    about: dict[str, Granularity] = {"year": "month", "month": "week"}
    return read.make(relative.shifted(day, about.get(unit, "day"), 0), certainty=0.7)


def half_ago(read: RuleMatch) -> TimeMention | None:
    """Read distances with a half: "half a century ago"."""
    unit = UNITS[read.one("uK") or ""]
    halves = HALVES.get(unit)
    if halves is None:
        return None
    number = 0 if read.classes.startswith("H") else amount(read)
    if read.anchor is None or number is None:
        return read.make(None, certainty=0.7)
    size, of = halves
    return read.make(relative.shifted(read.anchor, of, -size * (2 * number + 1)), certainty=0.8)


HALVES: dict[str, tuple[int, Granularity]] = {"year": (6, "month"), "decade": (5, "year"), "century": (50, "year")}
"""What half of a unit is."""


_YEARS_IN = {"century": 100, "decade": 10}
_PARTS_IN = {"half": 2, "quarter": 4}


def part_of_century(read: RuleMatch) -> TimeMention | None:
    """Read "the past half-century", "the next quarter century", as lasting to now."""
    years, part = _YEARS_IN.get(UNITS.get(read.one("Ku") or "", "")), _PARTS_IN.get(read.one("HQ") or "")
    if years is None or part is None or read.anchor is None:
        return None
    step = -1 if read.one("l") else 1
    return read.make(relative.stretch(read.anchor, "month", step * years * 12 // part), kind="duration", certainty=0.7)


_SENT: dict[str, int] = {"ult": -1, "inst": 0, "prox": 1}
"""Of letters: of last month, of this month, of next month."""


def day_of_named_month(read: RuleMatch) -> TimeMention | None:
    """Read days of named months: "the 2nd of this month"."""
    day = next(number_of(word) for word in read.all("12oO"))
    sent = read.one("ι")
    if not 1 <= day <= 31 or (sent is None and read.one("u") != "month"):
        return None
    if sent is None and read.one("12") and read.letter(1) not in "FT." and read.one("ijl") is None:
        return None
    if read.anchor is None:
        return read.make(None, certainty=0.7)
    month = relative.shifted(read.anchor, "month", read.shift() if sent is None else _SENT[sent])
    start = relative.start_of(month) + (day - 1) * DAY
    if month.end is None or start >= month.end:
        return None
    return read.make(Interval(start, start + DAY, "day"), certainty=0.8)


_LIKELY_NEW = 7
"""From this month on, "the new year" is the next one (chosen by hand)."""


def new_year(read: RuleMatch) -> TimeMention | None:
    """Read "the new year": to come, or just begun."""
    if read.words()[-2] != "new" or read.one("u") != "year" or read.anchor is None:
        return None
    if read.after()[1].lower() in ("'", "’"):
        return None  # "the New Year's concert"
    year, month, _ = civil_from_days(relative.start_of(read.anchor) // DAY)
    return read.make(Interval.of_year(year + (month >= _LIKELY_NEW)), certainty=0.6)


_ONE_WORD: dict[str, tuple[Granularity, int]] = {
    f"{lead}{unit}": (unit, step)
    for lead, step in (("this-", 0), ("last-", -1), ("next-", 1))
    for unit in ("week", "month", "quarter", "year")
}


def one_word(read: RuleMatch) -> TimeMention | None:
    """Read periods in one word: "heuer", "Vorjahr", "Folgemonat"."""
    unit, step = _ONE_WORD[read.one("λ") or ""]
    base = (read.mentioned if step else None) or read.anchor
    return read.make(None if base is None else relative.shifted(base, unit, step), certainty=0.7)
