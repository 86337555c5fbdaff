"""The grammar of single times, over token classes (`calendar_words`, `tokens.number_class`)."""

from __future__ import annotations

import re
from collections.abc import Callable

from dateline.errors import BadInput
from dateline.temporal import bare_years, calendar_dates, clock, holidays, relative_rules
from dateline.temporal.interval import Interval
from dateline.temporal.points import RuleMatch, TimeMention
from dateline.temporal.tokens import Tokens

_MON = r"(?:[Mmz]|J\.?)"
_DAY = r"(?:[12]|o)"
_PART = r"(?:T?P(?:-|\+)?F?T?|T?%[-F]T?)?"
_YEAR = r"(?:4|9)"
_WEEKDAY = r"(?:[ij]{0,2}(?:W|a\.?),?)?"
_AMOUNT = r"(?:A|[123456]|n(?:-?n){0,4}|v|Av?F?)"

# Rules in the order in which they are tried at each token: the longest reading stands first.
_RULES: tuple[tuple[str, str, Callable[[RuleMatch], TimeMention | None]], ...] = (
    ("iso", r"I|L|N", calendar_dates.iso),
    ("day_range", rf"(?:B{_DAY}&|<?{_DAY}[->]){_DAY}F?{_MON}(?:,?{_YEAR})?", calendar_dates.day_range),
    ("range_day", rf"{_MON}{_DAY}-{_DAY}(?:,?{_YEAR})?", calendar_dates.day_range),
    (
        "calendar_day",
        rf"{_WEEKDAY}T?(?:{_DAY}|O)F?{_MON},?F?{_YEAR}|{_WEEKDAY}{_MON}T?(?:{_DAY}|O),?{_YEAR}",
        calendar_dates.calendar_day,
    ),
    ("week_of", rf"T?uF{_MON}{_DAY}(?:,?{_YEAR})?", calendar_dates.week_of),
    (
        "day_of_year",
        rf"{_WEEKDAY}T?(?:{_DAY}|OF)F?{_MON}|{_WEEKDAY}l?{_MON}T?(?:{_DAY}|O)(?!-?4)",
        calendar_dates.day_of_year,
    ),
    ("month_of_year", rf"{_PART}{_MON},?F?{_YEAR}", calendar_dates.month_of_year),
    ("month_of_early_year", rf"{_MON}5", bare_years.month_of_early_year),
    ("month_of_relative_year", rf"{_PART}{_MON}F?[ijl]u", calendar_dates.month_of_relative_year),
    (
        "quarter",
        r"T?[fG]?(?:O|o)-Q(?:F?f?4|F?[lij]u)?|T?f?(?:4f?(?:'x)?|[lij]u'x)?(?:O|o)f?QF?(?:T?f?4|[lij]?u)?"
        r"|T?[lij](?:Q|-Q)|q(?:,?F?|[-/])4|4[-/]?q(?!,?F?4(?![-/]?q)|[-/]4)|q",
        calendar_dates.quarter,
    ),
    ("holiday", rf"(?:!(?:'x)?|xu'x)(?:(?:u|W|x),?F?{_YEAR}|(?:u|W|x(?=[^x]|x|$))|,?F?{_YEAR})?", holidays.holiday),
    ("period", r"Tx?(?:4|c|[lij]u'x)f?[QU]|Tx?cf?u|[TA]?x?u-[gr][QU]?", relative_rules.period),
    ("year_end", r"Tu-?%|u-?%", relative_rules.year_end),
    (
        "half",
        r"T?(?:O|o|l)-?HF?T?(?:4|s|k|(?:o|O)-?K|[lij]?u)|h[-/]?4|4[-/]?h(?![-/]?4(?![-/]?h))",
        calendar_dates.half,
    ),
    ("season", rf"{_PART}T?SF?(?:4-[123]|4|Y|n(?:-?n){{1,3}})|{_PART}(?:T|i?[ijl])?S", calendar_dates.season),
    ("whole_years", r"4-4(?!-[1-6])", calendar_dates.whole_years),
    ("years", r"4[-/][123](?![-/12345])|Y", calendar_dates.years),
    ("fiscal", r"T?fu?(?:4|9)|G", calendar_dates.fiscal),
    ("decade", rf"{_PART}T?(?:s|k)", calendar_dates.decade),
    ("centuries", r"(?:B|<)?T?[oO][->&]T?[oO]-?K", calendar_dates.centuries),
    ("century", rf"{_PART}T?(?:o|O|n-O)-?KE?", calendar_dates.century),
    ("era", r"E[12345]|[12345]E", calendar_dates.era),
    ("early_years", r"(?:B5&|<5[->])5", bare_years.early_years),
    ("early_year", r"5", bare_years.early_year),
    ("spoken_year", r"(?:Tu)?n(?:-?n){1,4}(?![uQK-])", bare_years.spoken_year),
    ("ago", rf"{_AMOUNT}-?[uQK](?:(?:xx)?[gr]|<Z)", relative_rules.ago),
    (
        "shifted",
        rf"r?{_PART}T?(?:[ij]?[ijl])f?(?:n|[123]|v)?[uQK](?!g)|{_PART}T?b{{1,2}}[uQ]",
        relative_rules.shifted,
    ),
    ("part_of_day", r"yp", clock.part_of_day),
    ("weekday_part", r"i?[ijl]?W,?p", clock.weekday_part),
    ("weekday_of_week", r"W,?F?[ijl]u", relative_rules.weekday_of_week),
    ("weekday", r"i?[ijl]?[Wa]", relative_rules.weekday),
    ("month_shifted", rf"{_PART}[ijl]{_MON}(?!\.?,?F?[49]|\.?[125o])", relative_rules.month_shifted),
    ("day_word", r"r?y|Py|Tu\+y", relative_rules.day_word),
    ("day_listed", r"[12](?![1-6n/%:'uQKxp~t-]|\+Tp)", calendar_dates.day_listed),
    ("day_part", r"r?[il]p|T[jl]p|T?b{1,2}p", clock.part_of_day),
    ("part_before_date", rf"T?pF(?={_WEEKDAY}T?(?:{_MON}|{_DAY}|W))", clock.part_before_date),
    ("zone_time", r"6x", clock.zone_time),
    ("year", rf"{_PART}(?:Tu)?4", bare_years.year),
    ("short_year", r"9", bare_years.short_year),
    ("on_the_hour", r"[12n]x'x", clock.on_the_hour),
    ("clock", r"t~?|[12]~|[12]\+Tp", clock.clock_time),
    ("noon", r"p", clock.noon),
    ("month", rf"{_PART}[Mm]|J\.?(?=[->&/](?:[Mmz]|J))", calendar_dates.month),
    ("repeated", r"e[OA]?[Wu]|D|w", relative_rules.repeated),
    ("duration", r"(?:n(?:-?n){0,4}|[123456]|v|Av?F?)-?[uQK]", relative_rules.duration),
    ("reference", r"Z|[T+]=|Tl(?=[.,)]|$)|Tx?V|Xu(?:&u)?", relative_rules.reference),
    ("current_unit", rf"{_PART}T[uQ]|Txu", relative_rules.current_unit),
)
# Nothing starts with the other classes; asked first, so that ordinary words cost one look each.
_START = r"(?=[1-69abcehijklmnoqrstvyzBDGHIJLMNOPSWXYZEfu<p]|T[^x.,]|Tx[V4clijPu]|[+T]=|A[uvQKF]|!|%[-F]|xu'x)"
_GRAMMAR = re.compile(_START + "(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern, _ in _RULES) + ")")
_READERS = {name: reader for name, _, reader in _RULES}


def find_points(tokens: Tokens, *, anchor: Interval | None) -> list[TimeMention]:
    """Return the single times of a text, in order, not overlapping."""
    points: list[TimeMention] = []
    latest: TimeMention | None = None
    period: Interval | None = None
    classes, position = tokens.classes, 0
    while (match := _GRAMMAR.search(classes, position)) is not None:
        first, last = match.span()
        read = RuleMatch(tokens, first, last, anchor=anchor, latest=latest, period=period)
        try:
            point = _READERS[match.lastgroup or ""](read)
        except BadInput:
            point = None  # a day or month that the calendar does not have
        if point is None:
            position = first + 1
            continue
        points.append(point)
        position = last
        if point.interval is not None and point.kind == "date":
            latest = point
            if match.lastgroup in ("quarter", "current_unit") and point.interval.granularity == "quarter":
                period = relative_rules.reported(read, point.interval)
    return points
