"""The grammar of single times in English, over token classes (`calendar_words`, `number_classes`)."""

from __future__ import annotations

from dateline.temporal import bare_years, calendar_dates, clock, distances, holidays, quarters, relative_rules, weeks
from dateline.temporal.grammar import Grammar, Rule

_MON = r"(?:[Mmz]|J\.?)"
_DAY = r"(?:[12]|o)"
_PART = r"(?:T?P(?:-?[>/]-?P)?(?:-|\+)?F?T?|T?%[-F]T?)?"
_YEAR = r"(?:4|9)"
_WEEKDAY = r"(?:[ij]{0,2}(?:W|a\.?),?)?"
_AMOUNT = r"(?:A|[123456]|n(?:-?n){0,4}|v|Av?F?)"

# Rules in the order in which they are tried at each token: the longest reading stands first.
_RULES: tuple[Rule, ...] = (
    ("iso", r"I|L|N", calendar_dates.iso),
    ("day_range", rf"(?:B{_DAY}&|<?{_DAY}[->]){_DAY}F?{_MON}(?:,?{_YEAR})?", calendar_dates.day_range),
    ("range_day", rf"{_MON}{_DAY}-{_DAY}(?:,?{_YEAR})?", calendar_dates.day_range),
    (
        "calendar_day",
        rf"{_WEEKDAY}T?(?:{_DAY}|O)F?{_MON},?F?{_YEAR}|{_WEEKDAY}{_MON}T?(?:{_DAY}|O),?{_YEAR}"
        rf"|[12]-{_MON}-(?:4|[123])|[12]/{_MON}/(?:4|[123])|4-{_MON}-[12]",
        calendar_dates.calendar_day,
    ),
    (
        "week_of",
        rf"(?:T?u(?:F|[x%])|ψ)(?:T?(?:{_DAY}|OF)F?{_MON}|{_MON}T?(?:{_DAY}|O))(?:,?{_YEAR})?",
        weeks.week_of,
    ),
    ("iso_week", r"ω", weeks.iso_week),
    (
        "numbered_week",
        rf"(?:(?:u|κ\.?)(?:[123](?:[->&][123])?|[oO])|γ)(?:,?F?{_YEAR}|F?[ijl]u)?|(?:u|κ\.?)[N6]|T?[oO]uF(?:4|[ijl]u)",
        weeks.numbered_week,
    ),
    (
        "counted_part",
        rf"T?(?:[oO]|l)(?:W|u|(?:n|[123]|v)[uQ])(?:F|\+)(?:T?{_MON}(?:,?F?{_YEAR})?|{_YEAR}|T?[ijl]?u)",
        weeks.counted_part,
    ),
    (
        "day_of_year",
        rf"{_WEEKDAY}T?(?:{_DAY}|OF)F?{_MON}|{_WEEKDAY}l?{_MON}T?(?:{_DAY}|O)(?!-?4)",
        calendar_dates.day_of_year,
    ),
    ("day_of_named_month", r"T?[oO]FT?[ijl]?u|T?[12o]ι\.?", distances.day_of_named_month),
    ("month_of_year", rf"{_PART}{_MON}[,-]?F?{_YEAR}", calendar_dates.month_of_year),
    ("month_of_early_year", rf"{_MON}5", bare_years.month_of_early_year),
    ("month_of_relative_year", rf"{_PART}{_MON}F?[ijl]u", calendar_dates.month_of_relative_year),
    ("part_of_century", r"T?[lj][HQ]-?[Ku]", distances.part_of_century),
    ("quarters", rf"q[->&]q(?:,?F?|[-/])(?:{quarters.FISCAL_YEAR}|[49Y])", quarters.quarters),
    (
        "quarter",
        rf"{_PART}(?:q(?:,?F?|[-/])(?:{quarters.FISCAL_YEAR}|[49Y])|{quarters.FISCAL_YEAR}(?:,|[-/])?q|[9Y][-/]?q|qF?T?[lij]u"
        rf"|fq(?:F?T?f?4)|[123]q|q[-/]?[123](?!-|/|\.[1-6])|φ|T?f?[oO]-?f?QF?T?{quarters.FISCAL_YEAR}|{quarters.FISCAL_YEAR}(?:'x)?,?[oO]-?Q"
        r"|T?[fG]?(?:O|o)-Q(?:F?f?4|F?[lij]u)?|T?f?(?:4f?(?:'x)?|[lij]u'x)?(?:O|o)f?Q(?:F?T?f?[49Y]|F?[lij]?u)?"
        r"|4[-/]?q(?!,?F?4(?![-/]?q)|[-/]4)|f?q)"
        rf"|T?l-?QF(?:T?{quarters.FISCAL_YEAR}|[49Y]|T?[ijl]?u)|T?[lij](?:Q|-Q)",
        quarters.quarter,
    ),
    ("holiday", r"[lij]?¡", holidays.holiday),
    ("period", r"Tx?(?:4|c|[lij]u'x)f?[QU]|Tx?cf?u|[TA]?x?u-[gr][QU]?", relative_rules.period),
    ("new_year", r"T¡u", distances.new_year),
    ("year_end", r"Tu-?%|u-?%", relative_rules.year_end),
    ("end_of_period", rf"η(?:F?{_YEAR})?", relative_rules.end_of_period),
    (
        "half",
        rf"T?(?:O|o|l)-?HF?(?:T?(?:{quarters.FISCAL_YEAR}|4|s|k|(?:o|O)-?K|[lij]?u)|{_MON}(?:,?F?{_YEAR})?)"
        rf"|h(?:,?F?|[-/])(?:{quarters.FISCAL_YEAR}|[49Y])|h[123](?!-|/|\.[1-6])|{quarters.FISCAL_YEAR}[,/-]?h"
        r"|4[-/]?h(?![-/]?4(?![-/]?h))",
        quarters.half,
    ),
    ("before_last", r"T(?:[uQWSp]|[Mm])\+[lj](?![uQWSMmpyJ¡])", distances.before_last),
    ("season", rf"{_PART}T?SF?(?:4-[123]|4|9|Y|n(?:-?n){{1,3}})|{_PART}(?:T|i?[ijl])?S", calendar_dates.season),
    ("whole_years", r"4-4(?!-[1-6])", calendar_dates.whole_years),
    ("years", r"4[-/][123](?![-/12345])|Y", calendar_dates.years),
    ("fiscal", rf"{_PART}T?{quarters.FISCAL_YEAR}", quarters.fiscal),
    ("decade", rf"{_PART}T?(?:s|k)|Txk", calendar_dates.decade),
    ("centuries", r"(?:B|<)?T?[oO][->&]T?[oO]-?K", calendar_dates.centuries),
    ("century", rf"{_PART}T?(?:o|O|n-O)-?KE?", calendar_dates.century),
    ("turn", r"T?τFT?(?:(?:[oO]-?)?K|x)", calendar_dates.turn),
    ("era", r"E[12345]|[12345]E", calendar_dates.era),
    ("early_years", r"(?:B5&|<5[->])5", bare_years.early_years),
    ("early_year", r"5", bare_years.early_year),
    ("spoken_year", r"(?:Tu)?n(?:-?n){1,4}(?![uQK-])", bare_years.spoken_year),
    ("from_day", rf"{_AMOUNT}u(?:g[ijl]?[yW]|[<+][ijl]?[yWa]|y)", distances.from_day),
    ("occasions_ago", rf"{_AMOUNT}[Sςw]g", distances.occasions_ago),
    ("this_time", r"(?:i|Tb)x(?:[lj]u|y)", distances.this_time),
    ("ago", rf"{_AMOUNT}-?[uQK](?:(?:xx)?[gr]|<Z)", relative_rules.ago),
    ("half_ago", r"HA[uK]g|[An123]u&AHg|[n123]&AHug", distances.half_ago),
    ("short_distance", r"δg", relative_rules.short_distance),
    (
        "shifted",
        rf"r?{_PART}T?(?:[ij]?[ijl])f?(?:n|[12356]|v)?[uQK](?!g)|{_PART}T?b{{1,2}}[uQ]",
        relative_rules.shifted,
    ),
    ("part_of_day", r"yp", clock.part_of_day),
    ("day_of_month", r"To|[Wa]\.?,?T?o", weeks.day_of_month),
    ("weekday_week", r"j?[yW]u", distances.weekday_week),
    (
        "opening_hours",
        r"[Wa]\.?[->][Wa]\.?[,:]?\+?(?:t~?|[12]~?)[->](?:t~?|[12]~?)",
        relative_rules.repeated,
    ),
    ("weekday_part", r"i?[ijl]?W,?p", clock.weekday_part),
    ("weekday_of_week", r"W,?F?[ijl]u", relative_rules.weekday_of_week),
    ("weekday", r"i?[ijl]?[Wa]", relative_rules.weekday),
    ("month_shifted", rf"{_PART}[ijl]{_MON}(?!\.?,?F?[49]|\.?[125o])", relative_rules.month_shifted),
    ("day_word", r"r?y|Py|Tu\+y", relative_rules.day_word),
    ("end_of_day", r"ε", relative_rules.end_of_day),
    ("day_listed", r"[12o],4|[12o](?![1-6n/%:'uQKxp~t-]|\+Tp)", calendar_dates.day_listed),
    ("day_part", r"r?[il]p|T[jl]p|T?b{1,2}p", clock.part_of_day),
    ("part_before_date", rf"T?pF(?={_WEEKDAY}T?(?:{_MON}|{_DAY}|W))", clock.part_before_date),
    ("zone_time", r"6x", clock.zone_time),
    ("year", rf"{_PART}(?:Tu)?4", bare_years.year),
    ("short_year", r"9", bare_years.short_year),
    ("on_the_hour", r"[12n]x'x", clock.on_the_hour),
    ("clock", r"t~?|[12]~|[12]\+Tp", clock.clock_time),
    ("noon", r"p", clock.noon),
    ("month", rf"{_PART}[Mmz]|{_PART}J(?!\.?[12o49])|J\.?(?=[->&/](?:[Mmz]|J))", calendar_dates.month),
    ("repeated", r"e[OA]?[Wu]|D|w", relative_rules.repeated),
    ("distance_ahead", rf"\+{_AMOUNT}-?[uQ](?:'x?x)?(?!-|[gr])", relative_rules.distance_ahead),
    ("duration", r"(?:n(?:-?n){0,4}|[123456]|v|Av?F?)-?[uQK]", relative_rules.duration),
    ("reference", r"Z|[T+]=|Tl(?=[.,)]|$)|Tx?V|Xu(?:&u)?", relative_rules.reference),
    ("current_unit", rf"{_PART}T[uQ]|Txu", relative_rules.current_unit),
)

ENGLISH_GRAMMAR = Grammar(
    _RULES,
    start=r"(?=[1-69abcehijklmnoqrstvyzBDGHIJLMNOPSWXYZEfu<p]|T[^x.,]|Tx[V4clijPuk]|[+T]=|\+[A1-6nv]|A[uvQKF]|[κωγεηψφδτ¡]|%[-F])",
    tried=(
        "calendar_day",
        "week_of",
        "numbered_week",
        "counted_part",
        "day_of_named_month",
        "part_of_century",
        "new_year",
        "before_last",
        "from_day",
        "this_time",
        "weekday_week",
        "distance_ahead",
        "day_of_month",
    ),
)
