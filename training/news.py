"""Made-up news: dated reports of who came into an office, a title, a price; several subjects of one kind side by side.

    examples(count, rng, size) -> Iterator[Example]

A report names no date: its day of publication does. The question is asked as of a day, or names one. What holds is what
the last report before that day says of the *same* subject; reports on others of its kind, later reports, reports
that only mention the subject and the one who leaves stand beside it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from timeqa import AS_OF, MONTHS, Example
from worlds import UNANSWERABLE, name_of, word

from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval, civil_from_days


@dataclass(frozen=True)
class Beat:
    """A kind of news: `{s}` the subject, `{v}` who or what comes in, `{w}` who or what goes out.

    `subject` and `value` say what they are; `mentions` name the subject and somebody else without saying who holds it.
    """

    subject: str
    value: str
    reports: tuple[str, ...]
    mentions: tuple[str, ...]
    asks: tuple[str, ...]


def _office(title: str, place: str, verb: str) -> Beat:
    """Reports on an office over a place or a firm."""
    of = "at" if place == "firm" else "of"
    return Beat(
        subject=place,
        value="name",
        reports=(
            f"{{v}} became {title} of {{s}} today after {verb}.",
            f"{{v}} was sworn in as {title} of {{s}} this morning, succeeding {{w}}.",
            f"{{w}} has stepped down as {title} of {{s}}. {{v}} takes over with immediate effect.",
            f"{{s}} has a new {title}: {{v}}, who replaces {{w}}.",
            f"After weeks of talks {{v}} was named {title} {of} {{s}}. {{w}} had held the post for years.",
            f"{{s}} named {{v}} {title} on Monday. {{w}} will stay on as an adviser.",
            f'{{s}} {title} {{v}} announced a new plan. "We begin at once," {{v}} said.',
            f"{{v}}, the {title} of {{s}}, opened the meeting.",
            f"Parliament confirmed {{v}} as the {title} of {{s}}, and {{w}} left the building through a side door.",
            f"{{w}} lost to {{v}}, who will be the next {title} of {{s}} and took the oath at noon.",
        ),
        mentions=(
            "{x} visited {s} and praised its people.",
            f"{{x}}, a former {title} of {{s}}, published a book.",
            "{x} of {o} met officials from {s} to discuss trade.",
            f"{{x}} said that being {title} of {{s}} was never a goal.",
        ),
        asks=(
            f"Who is the {title} of {{s}}?",
            f"Who is {{s}}'s {title}?",
            f"What is the name of the {title} of {{s}}?",
            f"Who leads {{s}} as {title}?",
        ),
    )


BEATS = (
    *(_office(title, "land", "winning the election") for title in ("prime minister", "president", "chancellor", "head of state")),
    *(_office(title, "firm", "a vote of the board") for title in ("chief executive", "CEO", "chair", "chairman")),
    *(_office(title, "body", "a vote of its members") for title in ("president", "secretary-general", "director", "head coach")),
    Beat(
        "contest",
        "team",
        ("{v} won the {s} on Sunday, beating {w} in the final.", "{v} are the new holders of the {s} after a 2-1 win over {w}.", "The {s} went to {v}; last year's winner {w} came third.", "{v} took the {s} from {w} tonight."),
        ("{x} hopes to win the {s} next year.", "Tickets for the {s} sold out within an hour, said {x}.", "{x} pulled out of the {s} with an injury."),
        ("Who holds the {s}?", "Who is the holder of the {s}?", "Who are the {s} champions?", "Which team won the {s}?"),
    ),
    Beat(
        "goods",
        "price",
        ("The price of {s} rose from {w} to {v} today.", "{s} now costs {v}, up from {w}.", "From this morning {s} sells at {v} instead of {w}.", "A cut brings {s} down to {v}; it had cost {w}."),
        ("{x} complained about the price of {s}.", "Demand for {s} grew by 12 percent, said {x}."),
        ("What does {s} cost?", "What is the price of {s}?", "How much does {s} cost?"),
    ),
    Beat(
        "product",
        "version",
        ("{s} {v} was released today, replacing {w}.", "Version {v} of {s} is out. Users of {w} should upgrade.", "The makers of {s} published {v} this week; support for {w} ends."),
        ("{x} uses {s} every day.", "A bug in {s} was found by {x}."),
        ("What is the latest version of {s}?", "Which version of {s} is current?"),
    ),
    Beat(
        "record",
        "name",
        ("{v} set a new record in the {s}, breaking that of {w}.", "{v} now holds the record in the {s}. {w} had held it since long ago.", "In the {s} {v} beat the mark of {w} by two hundredths."),
        ("{x} trained for the {s} all winter.", "{x} withdrew from the {s}."),
        ("Who holds the record in the {s}?", "Who is the record holder in the {s}?"),
    ),
    Beat(
        "firm",
        "land",
        ("{s} moved its headquarters from {w} to {v} today.", "{s} opened its new head office in {v} and closed the one in {w}.", "{s} is now based in {v}, having left {w}."),
        ("{x} of {s} travelled to {o}.", "{s} opened a branch in {o}, said {x}."),
        ("Where is {s} based?", "Where does {s} have its headquarters?", "In which place is {s} based?"),
    ),
)  # fmt: skip


def examples(count: int, *, rng: random.Random, size: int = 4) -> Iterator[Example]:
    """`count` groups of at most `size` reports."""
    for _ in range(count):
        yield _example(rng, size)


def thing(kind: str, rng: random.Random) -> str:
    """Make up a thing of a kind."""
    match kind:
        case "name":
            return name_of(rng)
        case "land":
            return rng.choice(["{}", "{}ia", "the Republic of {}", "{}land", "South {}"]).format(word(rng))
        case "firm":
            return rng.choice(["{}", "{} Motors", "{} Group", "{}soft", "Bank of {}", "{} & Co"]).format(word(rng))
        case "body":
            return rng.choice(
                ["the {} Union", "the {} Federation", "the Council of {}", "{} United", "the {} Academy"]
            ).format(word(rng))
        case "contest":
            return rng.choice(["{} Cup", "{} Open", "{} Trophy", "World {} Championship", "{} League"]).format(
                word(rng)
            )
        case "team":
            return rng.choice(["{}", "{} Rovers", "{} City"]).format(word(rng)) if rng.random() < 0.5 else name_of(rng)
        case "goods":
            return rng.choice(["a {} stamp", "a ticket to {}", "the {} pass", "a litre of {} oil"]).format(word(rng))
        case "price":
            return rng.choice(["${}.{:02d}", "£{}.{:02d}", "{}.{:02d} euros"]).format(
                rng.randint(1, 90), rng.randint(0, 99)
            )
        case "product":
            return rng.choice(["{}OS", "{}", "{} Studio", "{} Linux"]).format(word(rng))
        case "version":
            return rng.choice(["{}", "{}.0", "{}.1"]).format(rng.randint(2, 40))
        case _:
            return rng.choice(["{} metres", "{} Marathon", "{} relay"]).format(word(rng))


def _example(rng: random.Random, size: int) -> Example:
    beat = rng.choice(BEATS)
    subject = thing(beat.subject, rng)
    days = sorted(rng.sample(range(3_000, 18_500), 4))
    holders = [thing(beat.value, rng) for _ in days]
    asked = rng.randrange(1, 3)  # between the reports number `asked` and `asked` + 1
    day = rng.randint(days[asked], days[asked + 1] - 1)
    answerable = rng.random() >= UNANSWERABLE
    own = [
        (
            _report(
                beat,
                subject,
                holders[place],
                holders[place - 1] if place else thing(beat.value, rng),
                days[place],
                rng,
            ),
            place,
        )
        for place in range(len(days))
    ]
    before = [report for report, place in own if place < asked][-2:]
    after = [report for report, place in own if place == asked + 1]
    beside = [_about_another(beat, subject, rng, day), _mention(beat, subject, rng, day)]
    pool = (
        [report for report in before if rng.random() < 0.8]
        + [report for report in after if rng.random() < 0.5]
        + beside
        + [_about_another(beat, subject, rng, day)]
    )
    chosen = ([own[asked][0]] if answerable else []) + rng.sample(
        pool if answerable else beside + after, min(size - 1, len(pool if answerable else beside + after))
    )
    rng.shuffle(chosen)
    gold = frozenset(place for place, report in enumerate(chosen) if answerable and report is own[asked][0])
    return Example(
        _asked(beat, subject, day, rng), tuple(chosen), (holders[asked],) if answerable else (), gold, "news"
    )


def _asked(beat: Beat, subject: str, day: int, rng: random.Random):  # type: ignore[no-untyped-def]
    text = rng.choice(beat.asks).format(s=subject.removeprefix("the ") if rng.random() < 0.3 else subject)
    year, month, number = civil_from_days(day)
    if rng.random() < 0.65:
        return decompose(text, as_of=datetime(year, month, number, tzinfo=UTC))
    when = rng.choice([f"as of {number} {MONTHS[month - 1]} {year}", f"on {number} {MONTHS[month - 1]} {year}"])
    return decompose(f"{text.rstrip('?')} {when}?", as_of=AS_OF)


def told(beat: Beat, subject: str, rng: random.Random, *, value: str | None = None, former: str | None = None) -> str:
    """One sentence of news on a subject."""
    coming, going = value or thing(beat.value, rng), former or thing(beat.value, rng)
    return capital(rng.choice(beat.reports).format(s=subject, v=coming, w=going))


def mentioned(beat: Beat, subject: str, rng: random.Random) -> str:
    """One sentence that names a subject and somebody else."""
    return capital(rng.choice(beat.mentions).format(s=subject, x=name_of(rng), o=thing("land", rng)))


def capital(text: str) -> str:
    """Begin a text with a capital."""
    return text[0].upper() + text[1:]


def _report(beat: Beat, subject: str, value: str, former: str, day: int, rng: random.Random) -> Evidence:
    line = told(beat, subject, rng, value=value, former=former)
    return _piece(line, rng, day, title=rng.choice(["", f"News from {subject}", line.split(",")[0].split(".")[0][:60]]))


def _about_another(beat: Beat, subject: str, rng: random.Random, day: int) -> Evidence:
    """The same kind of news about another subject, before or after."""
    other = thing(beat.subject, rng)
    line = told(beat, other, rng)
    return _piece(line, rng, day + rng.randint(-1500, 800), title=rng.choice(["", f"News from {other}"]))


def _mention(beat: Beat, subject: str, rng: random.Random, day: int) -> Evidence:
    line = mentioned(beat, subject, rng)
    return _piece(line, rng, day - rng.randint(0, 900), title="")


def _piece(line: str, rng: random.Random, day: int, *, title: str) -> Evidence:
    year, month, number = civil_from_days(day)
    extra = [_filler(rng) for _ in range(rng.randint(0, 2))]
    parts = [line, *extra]
    if rng.random() < 0.3:
        rng.shuffle(parts)
    return Evidence.make(" ".join(parts), title=title, published=Interval.of_day(year, month, number))


def _filler(rng: random.Random) -> str:
    name, place = name_of(rng), word(rng)
    return rng.choice(
        [
            f"Reporters from {place} were not admitted.",
            f"{name} welcomed the news.",
            f"The ceremony in {place} lasted an hour.",
            f"Analysts at {place} Bank had expected it, and {name} called it a good day.",
            f"It is the third change in {rng.randint(2, 9)} years.",
            f"{name} declined to comment when asked in {place}.",
            "Rain kept most of the crowd away.",
        ]
    )
