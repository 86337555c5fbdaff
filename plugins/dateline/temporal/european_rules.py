"""The grammar of single times in six languages.

One word order that is wide enough for all.
"""

from __future__ import annotations

from dateline.temporal import (
    calendar_dates,
    clock,
    distances,
    european_readers,
    holidays,
    quarters,
    relative_rules,
    weeks,
)
from dateline.temporal.first_letters import first_letters
from dateline.temporal.grammar import Grammar, Rule

_MON = r"(?:M|J\.?)"
_DAY = r"(?:[12]|[oO])"
_OF = r"F?T?"
_PART = r"(?:P-?F?T?)?"
_YEAR = r"(?:4|9)"
_OF_YEAR = rf",?{_OF}(?:u?F?){_YEAR}"
_SHIFTED = r"(?:[ijl]u|u[ijl])"
_WEEKDAY = r"(?:[Wa]\.?,?T?)?"
_AMOUNT = r"(?:A?v|A|[123456]|n(?:-?n){0,4})"

_RULES: tuple[Rule, ...] = (
    ("iso", r"I|L|N", calendar_dates.iso),
    (
        "day_range",
        rf"(?:[BΔ]T?{_DAY}&|[B<F]?T?{_DAY}[]>-])T?{_DAY}F?{_MON}(?:{_OF_YEAR})?",
        calendar_dates.day_range,
    ),
    ("numeric_day", r"ν", european_readers.numeric_day),
    (
        "calendar_day",
        rf"{_WEEKDAY}{_DAY}F?{_MON}{_OF_YEAR}|[12]-{_MON}-(?:4|[123])|[12]/{_MON}/(?:4|[123])|4-{_MON}-[12]",
        calendar_dates.calendar_day,
    ),
    ("week_of", rf"uFT?{_DAY}F?{_MON}(?:{_OF_YEAR})?", weeks.week_of),
    ("iso_week", r"ω", weeks.iso_week),
    (
        "numbered_week",
        rf"(?:u|κ\.?)[123](?:[]>&-][123])?(?:{_OF_YEAR}|{_OF}{_SHIFTED})?|γ(?:{_OF_YEAR})?|(?:u|κ\.?)[N6]"
        rf"|[oO]κ(?:{_OF_YEAR})?|[oO]u{_OF}(?:u?4|{_SHIFTED})",
        weeks.numbered_week,
    ),
    (
        "counted_part",
        rf"(?:[oOl](?:W|u)(?:F|\+)T?|(?:[oOl](?:n|[123])|(?:n|[123])[oOl])[uQ]{_OF})"
        rf"(?:{_MON}(?:{_OF_YEAR})?|u?F?{_YEAR}|{_SHIFTED}|(?<=T)u)",
        weeks.counted_part,
    ),
    ("day_of_named_month", rf"(?:[12]\.?|[oO]){_OF}{_SHIFTED}|[12]\.?{_OF}ι\.?|[oO]FTu", distances.day_of_named_month),
    ("day_of_year", rf"{_WEEKDAY}{_DAY}F?{_MON}[jl]?", calendar_dates.day_of_year),
    ("month_of_year", rf"{_PART}{_MON}(?:{_OF_YEAR}|[/-]{_YEAR})", calendar_dates.month_of_year),
    ("month_of_relative_year", rf"{_PART}{_MON}{_OF}{_SHIFTED}", calendar_dates.month_of_relative_year),
    ("quarters", rf"q[]>&-]q(?:,?{_OF}|[-/])[49]", quarters.quarters),
    (
        "quarter",
        rf"{_PART}(?:q(?:,?{_OF}u?|[-/])[49]|4[-/]?q|q[-/]?[123](?!-|/|\.[1-6])|[oO]Q(?:,?{_OF}u?[49]|{_OF}{_SHIFTED})?|lQ{_OF}(?:u?[49]|{_SHIFTED})|q)"
        r"|[ijl]Q|Q[ijl]",
        quarters.quarter,
    ),
    ("holiday", r"[lij]?¡[lij]?", holidays.holiday),
    (
        "half",
        rf"[oO]H(?:{_OF}u?4|{_OF}(?:s|[oO]K|{_SHIFTED}|{_MON}(?:{_OF_YEAR})?))|h(?:,?{_OF}|[-/])[49]|h[123](?!-|/|\.[1-6])|4[-/]?h",
        quarters.half,
    ),
    ("season", rf"{_PART}[ijl]?S[lj]?(?:{_OF}u?(?:4-[123]|4|9|Y))?", european_readers.season),
    ("whole_years", r"4-4(?!-[1-6])", calendar_dates.whole_years),
    ("years", r"4[-/][123](?![-/12345])|Y", calendar_dates.years),
    ("decade", rf"{_PART}T?(?:s|k)(?:-?u)?|Tx[sk]", calendar_dates.decade),
    ("decade_of_years", rf"{_PART}u(?:F?T?u?)(?:[3459]|n)", european_readers.decade_of_years),
    ("centuries", r"[B<F]?T?[oO][]>&-]T?[oO]K", calendar_dates.centuries),
    ("century", rf"{_PART}(?:[oO]KE?|K[oO12]E?)", calendar_dates.century),
    ("era", r"[12345]E", calendar_dates.era),
    (
        "from_day",
        rf"[yW](?:[ΓΔ]|[+>T](?=n)){_AMOUNT}u|y{_AMOUNT}ug|Γ{_AMOUNT}uy|Γy{_AMOUNT}u",
        distances.from_day,
    ),
    ("occasions_ago", rf"Γ{_AMOUNT}[Sς]|{_AMOUNT}[Sς]g", distances.occasions_ago),
    ("one_word", r"λ", distances.one_word),
    ("lasting", rf"(?:\^Γ?|<){_AMOUNT}u", european_readers.lasting),
    ("half_ago", r"ΓA?½[uK]|A?½[uK]g|A?Hg", european_readers.half_ago),
    ("or_so", r"ΔAuxn(?!u)|Auxng", european_readers.or_so),
    ("ago", rf"[ΓΔ]{_AMOUNT}u|{_AMOUNT}u[gr]", relative_rules.ago),
    ("weekday_of_week", rf"W,?{_OF}{_SHIFTED}|{_SHIFTED},?W", relative_rules.weekday_of_week),
    (
        "shifted",
        rf"{_PART}(?:[ijl]{{1,2}}(?:n|[12356]|v)?[uQK]|(?:n|[12356]|v)[lj][uQK]|[uQK][ijl])",
        relative_rules.shifted,
    ),
    ("part_of_day", r"yp", clock.part_of_day),
    ("weekdays", r"[<F]?W[]>-]T?W", relative_rules.repeated),
    ("weekday_part", r"[ijl]?W[lj]?,?p", clock.weekday_part),
    ("weekday", r"W[ijl]|[ijl]?W|[ijl]a", european_readers.weekday),
    ("month_shifted", rf"{_PART}(?:[jl]{_MON}|{_MON}[jl])(?!\.?,?F?[49])", relative_rules.month_shifted),
    ("day_word", r"y", relative_rules.day_word),
    ("day_part", r"[il]p", clock.part_of_day),
    ("part_of_unit", rf"P{_OF}[uQ](?!F?[49])", european_readers.part_of_unit),
    ("end_of_period", rf"η(?:F?{_YEAR})?", relative_rules.end_of_period),
    ("year", rf"{_PART}(?:u)?4", european_readers.year),
    ("short_year", r"9", relative_rules.reference),
    ("clock", r"tü?|[12]ü|6[üu]|[üu]6", european_readers.clock_time),
    ("noon", r"p", clock.noon),
    ("month", rf"{_PART}{_MON}", european_readers.month),
    ("repeated", r"eT?[OA12]?[Wuw]|D|w", relative_rules.repeated),
    ("ahead", rf"\+{_AMOUNT}u", european_readers.ahead),
    ("duration", rf"{_AMOUNT}-?[uQK]", relative_rules.duration),
    ("reference", r"Z", relative_rules.reference),
)
_BEGINNINGS = "".join(sorted(frozenset().union(*(first_letters(pattern) for _, pattern, _ in _RULES))))
EUROPEAN_GRAMMAR = Grammar(
    _RULES,
    start="[" + _BEGINNINGS.replace("^", r"\^") + "]",
    tried=(
        "week_of",
        "numbered_week",
        "counted_part",
        "calendar_day",
        "day_of_named_month",
        "from_day",
        "or_so",
        "clock",
        "ahead",
        "decade_of_years",
        "quarter",
        "half",
        "season",
        "month",
    ),
)
