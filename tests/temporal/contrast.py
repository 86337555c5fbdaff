"""Questions that differ in one thing only: the relation, its wording, the date, the ordinal, or where the constraint stands.

Each comes with what a decomposition must return. Stems are questions about well-known people and institutions;
a `|` marks where a constraint may stand in their middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

from dateline.temporal import Interval, Ordinal, Relation

AS_OF = datetime(2024, 6, 15, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Case:
    """A question and what must come out of it; `relation` is `None` where there is no constraint."""

    question: str
    content: str
    relation: Relation | None
    interval: Interval | None
    ordinal: Ordinal | None
    kind: str


STEMS: tuple[tuple[str, Ordinal | None], ...] = (
    ("Who | was the chancellor of Germany?", None),
    ("Who | was the mayor of London?", None),
    ("Which company | owned Instagram?", None),
    ("Which country | held the presidency of the Council of the European Union?", None),
    ("Who | was the manager of Manchester United?", None),
    ("What | was the capital of Kazakhstan called?", None),
    ("Which team | did Lionel Messi play for?", None),
    ("Who | was the secretary-general of the United Nations?", None),
    ("Where | did Albert Einstein live?", None),
    ("Which newspaper | did Boris Johnson work for?", None),
    ("Who | was the first woman to lead the party?", "first"),
    ("What | was the first studio album that Radiohead released?", "first"),
    ("Which rider | was the earliest to win three Grand Tours?", "first"),
    ("Who | was the first foreign coach of the England team?", "first"),
    ("Who | was the last winner of the Nobel Prize in Chemistry?", "last"),
    ("Which film | was the latest to win the Palme d'Or?", "last"),
    ("Which city | was the most recent host of the Summer Olympics?", "last"),
    ("Which driver | was the last to win for Ferrari?", "last"),
    ("Who | most recently won the Tour de France?", "last"),
    ("How many members | did the European Union have?", None),
)

DATES: tuple[tuple[str, Interval], ...] = (
    ("1987", Interval.of_year(1987)),
    ("2016", Interval.of_year(2016)),
    ("May 2011", Interval.of_month(2011, 5)),
    ("Sept. 1999", Interval.of_month(1999, 9)),
    ("August 2008", Interval.of_month(2008, 8)),
    ("6 May 2010", Interval.of_day(2010, 5, 6)),
    ("March 4, 1989", Interval.of_day(1989, 3, 4)),
    ("July 30 , 1995", Interval.of_day(1995, 7, 30)),
    ("2014-11-03", Interval.of_day(2014, 11, 3)),
    ("the 21st of June 2005", Interval.of_day(2005, 6, 21)),
)
VAGUE_DATES: tuple[tuple[str, Interval], ...] = (
    ("the 1990s", Interval.of_years(1990, 1999, "decade")),
    ("the early 2000s", Interval.of_years(2000, 2003)),
    ("the 19th century", Interval.of_years(1800, 1899, "century")),
    (
        "the third quarter of 2012",
        Interval(Interval.of_month(2012, 7).start, Interval.of_month(2012, 9).end, "quarter"),
    ),
    ("the summer of 1976", Interval(Interval.of_month(1976, 6).start, Interval.of_month(1976, 8).end, "season")),
    ("late 2013", Interval(Interval.of_month(2013, 9).start, Interval.of_month(2013, 12).end)),
)

WORDINGS: tuple[tuple[str, Relation], ...] = (
    ("as of {}", "as_of"),
    ("as at {}", "as_of"),
    ("before {}", "before"),
    ("prior to {}", "before"),
    ("earlier than {}", "before"),
    ("any time before {}", "before"),
    ("in the run-up to {}", "before"),
    ("in the years leading up to {}", "before"),
    ("after {}", "after"),
    ("later than {}", "after"),
    ("subsequent to {}", "after"),
    ("following {}", "after"),
    ("by {}", "by"),
    ("no later than {}", "by"),
    ("not later than {}", "by"),
    ("on or before {}", "by"),
    ("since {}", "since"),
    ("ever since {}", "since"),
    ("from {} onwards", "since"),
    ("no earlier than {}", "since"),
    ("starting in {}", "since"),
    ("until {}", "until"),
    ("up until {}", "until"),
    ("up to {}", "until"),
    ("up to and including {}", "until"),
    ("shortly after {}", "after"),
    ("just before {}", "before"),
    ("at any time before {}", "before"),
    ("as recently as {}", "at"),
    ("for most of {}", "at"),
    ("around {}", "around"),
    ("circa {}", "around"),
    ("at around {}", "around"),
)
WITHIN: dict[str, str] = {"day": "on {}", "month": "in {}", "year": "in {}"}

RANGES: tuple[tuple[str, Interval], ...] = (
    ("from 2013 to 2014", Interval.of_years(2013, 2014)),
    ("between 2001 and 2009", Interval.of_years(2001, 2009)),
    ("from May 1937 until 1941", Interval(Interval.of_month(1937, 5).start, Interval.of_year(1941).end)),
    ("between May and July 2019", Interval(Interval.of_month(2019, 5).start, Interval.of_month(2019, 7).end)),
    ("from Jul 2000 to Apr 2002", Interval(Interval.of_month(2000, 7).start, Interval.of_month(2002, 4).end)),
    ("in 1990-93", Interval.of_years(1990, 1993)),
    ("in 2019–22", Interval.of_years(2019, 2022)),
    ("during 1916-1920", Interval.of_years(1916, 1920)),
    (
        "between 3 June 1998 and 5 March 2001",
        Interval(Interval.of_day(1998, 6, 3).start, Interval.of_day(2001, 3, 5).end),
    ),
    ("in the period from 1961 to 1967", Interval.of_years(1961, 1967)),
    ("over the years 1984 to 1988", Interval.of_years(1984, 1988)),
)

KEPT_WHOLE: tuple[tuple[str, Ordinal | None], ...] = (
    ("Who is the current president of Brazil?", "last"),
    ("Who is the head coach of Juventus now?", "last"),
    ("Which team has won the most titles to date?", "last"),
    ("Who was the first person to walk on the moon?", "first"),
    ("What is the last name of the president's wife?", None),
    ("What was the role of the first lady?", None),
    ("Who fought in the First World War?", None),
    ("Who won the 2014 World Cup?", None),
    ("Who won the 2004-05 season?", None),
    ("Who hosted the 2012 Summer Olympics?", None),
    ("Who led the party after the 2010 elections?", None),
    ("Which stadium has more than 2000 seats?", None),
    ("How many of the 1,905 people voted?", None),
    ("What does section 2019 of the code say?", None),
    ("What replaced Windows 2000?", None),
    ("When was Theresa May elected?", None),
    ("Who may march in the parade?", None),
    ("What did he do during his second term?", None),
    ("Who was prime minister when the Berlin Wall fell?", None),
    ("Which office did she hold while Obama was president?", None),
    ("Did more people live in Rome in 1990 than in 2000?", None),
    ("Was unemployment in 2009 higher than in 2005?", None),
    ("Was inflation in 1980 the same as in 1981?", None),
    ("Who led the party in 2010 and who led it in 2015?", None),
    ("What was the price in 1999 compared to 2009?", None),
    ("Who wrote the novel published in 1960?", None),
    ("Who won the cup in 1990 and 2015?", None),
    ("Which engine powers the Boeing 747-8?", None),
    ("Who plays the lead in Blade Runner 2049?", None),
    ("What is the phone number 555-2019 used for?", None),
    ("How long did the battle last?", None),
    ("Who led the firm before he died in 1990?", None),
    ("Which papers must he sign before he retires in 2030?", None),
    ("How many years did the war take?", None),
)

NESTED: tuple[tuple[str, str, Relation, Interval], ...] = (
    (
        "Who was the owner from 2004 to 2006 of the bank founded in 1991?",
        "Who was the owner of the bank founded in 1991?",
        "between",
        Interval.of_years(2004, 2006),
    ),
    (
        "From 2004 to 2006, who was the owner of the bank founded in 1991?",
        "Who was the owner of the bank founded in 1991?",
        "between",
        Interval.of_years(2004, 2006),
    ),
    (
        "Which club did the striker who was born in 1978 play for in May 2003?",
        "Which club did the striker who was born in 1978 play for?",
        "at",
        Interval.of_month(2003, 5),
    ),
    (
        "The ship that was sunk in 1944 was commanded by whom as of June 1943?",
        "The ship that was sunk in 1944 was commanded by whom?",
        "as_of",
        Interval.of_month(1943, 6),
    ),
    (
        "In 1994 the team left the city. Which stadium did they play in from 1995 to 2015?",
        "In 1994 the team left the city. Which stadium did they play in?",
        "between",
        Interval.of_years(1995, 2015),
    ),
    (
        "Regarding the institute founded by Anna Weiss in 1969, who led it on 17 April 2000?",
        "Regarding the institute founded by Anna Weiss in 1969, who led it?",
        "at",
        Interval.of_day(2000, 4, 17),
    ),
    ("Who won the 2010 election as of May 2010?", "Who won the 2010 election?", "as_of", Interval.of_month(2010, 5)),
    ("Which team had 2000 seats in 1999?", "Which team had 2000 seats?", "at", Interval.of_year(1999)),
    ("What was Theresa May's job in May 2016?", "What was Theresa May's job?", "at", Interval.of_month(2016, 5)),
    ("Who won the cup last year?", "Who won the cup?", "at", Interval.of_year(2023)),
    ("Who was the coach three years ago?", "Who was the coach?", "at", Interval.of_year(2021)),
    ("Who was in office yesterday?", "Who was in office?", "at", Interval.of_day(2024, 6, 14)),
    (
        "Which school did the 2002 to 2008 head coach attend in May 1983?",
        "Which school did the 2002 to 2008 head coach attend?",
        "at",
        Interval.of_month(1983, 5),
    ),
    ("Who led it two years before 1990?", "Who led it?", "at", Interval.of_year(1988)),
    ("Who led it 3 months after May 1990?", "Who led it?", "at", Interval.of_month(1990, 8)),
    ("Who led it in the decade before 1990?", "Who led it?", "between", Interval.of_years(1980, 1989)),
    ("Who led it in the two years after 1990?", "Who led it?", "between", Interval.of_years(1991, 1992)),
    ("Who led it sometime between 2010 and 2012?", "Who led it?", "between", Interval.of_years(2010, 2012)),
    (
        "Who led it towards the end of 1999?",
        "Who led it?",
        "at",
        Interval(Interval.of_month(1999, 10).start, Interval.of_year(1999).end),
    ),
    ("Who led the town in 44 B.C.?", "Who led the town?", "at", Interval.of_year(-43)),
    ("Which bank (as of 2010) was the largest?", "Which bank was the largest?", "as_of", Interval.of_year(2010)),
    (
        "Who was in charge, as of May 2020, of the bank?",
        "Who was in charge of the bank?",
        "as_of",
        Interval.of_month(2020, 5),
    ),
    ("Who ruled on 1 May 1990 at the latest?", "Who ruled?", "by", Interval.of_day(1990, 5, 1)),
    ("Who led the club after the 2010 season?", "Who led the club?", "after", Interval.of_year(2010)),
    ("Who led the club in the 2004/05 season?", "Who led the club?", "between", Interval.of_years(2004, 2005)),
    (
        "Which product did the firm this week present?",
        "Which product did the firm present?",
        "at",
        Interval(Interval.of_day(2024, 6, 10).start, Interval.of_day(2024, 6, 16).end, "week"),
    ),
    ("Who won in 2009 or 2010?", "Who won?", "at", Interval.of_years(2009, 2010)),
    ("Who owned it in 2010 or later?", "Who owned it?", "since", Interval.of_year(2010)),
    ("Who owned it in 2010 or earlier?", "Who owned it?", "by", Interval.of_year(2010)),
)

MERGED: tuple[tuple[str, Interval], ...] = tuple(
    (f"Which {thing} appeared {words}?", Interval.of_years(2006, 2009))
    for thing in ("albums", "laws", "films")
    for words in ("after 2005 and before 2010", "before 2010 but after 2005", "since 2006 and before 2010")
)


def _placed(stem: str, words: str) -> Iterator[tuple[str, str, str]]:
    """The constraint in front, in the middle and at the end of a stem: (question, content, place)."""
    content = stem.replace("| ", "")
    bare = content.rstrip("?")
    yield f"{words[0].upper()}{words[1:]}, {bare[0].lower()}{bare[1:]}?", content, "front"
    yield stem.replace("|", words), content, "middle"
    yield f"{bare} {words}?", content, "end"


def cases() -> list[Case]:
    """All questions, in a fixed order."""
    made = list(_constrained())
    made += [Case(text, text, None, None, ordinal, "whole") for text, ordinal in KEPT_WHOLE]
    made += [Case(text, content, relation, interval, None, "nested") for text, content, relation, interval in NESTED]
    made += [Case(text, text, "between", interval, None, "merged") for text, interval in MERGED]
    return made


def _constrained() -> Iterator[Case]:
    turn = count()

    def stem() -> tuple[str, Ordinal | None]:
        return STEMS[next(turn) % len(STEMS)]

    def spread(words: str, relation: Relation, interval: Interval) -> Iterator[Case]:
        for place in range(3):
            text, ordinal = stem()
            question, content, name = list(_placed(text, words))[place]
            yield Case(question, content, relation, interval, ordinal, name)

    for number, (wording, relation) in enumerate(WORDINGS):
        for step in range(4):
            date, interval = DATES[(3 * number + 7 * step) % len(DATES)]
            yield from spread(wording.format(date), relation, interval)
    for date, interval in DATES:
        yield from spread(WITHIN[interval.granularity].format(date), "at", interval)
    for date, interval in VAGUE_DATES:
        yield from spread(f"in {date}", "at", interval)
        yield from spread(f"before {date}", "before", interval)
    for words, interval in RANGES:
        yield from spread(words, "between", interval)
