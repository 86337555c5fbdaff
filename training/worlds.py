"""Made-up worlds: passages about people and things with dated spells, and questions about any moment of them.

    examples(count, rng) -> Iterator[Example]

Each world has a subject and a row of spells (clubs, offices, owners, labels...). Passages tell them in several ways
(one sentence a spell, several in one sentence, dates only at the beginning, a date carried over to the next
sentence). Questions ask at a moment, over a stretch or after a time, and a part of them has its answer left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from timeqa import AS_OF, MONTHS, Example

from dateline.records import Evidence
from dateline.temporal.decomposition import decompose

UNANSWERABLE = 0.2

_STARTS = [
    "Bal",
    "Cor",
    "Dar",
    "El",
    "Fen",
    "Gar",
    "Hal",
    "Is",
    "Jor",
    "Kel",
    "Lam",
    "Mar",
    "Nor",
    "Ol",
    "Pel",
    "Quin",
    "Ros",
    "Sel",
    "Tar",
    "Ul",
    "Ver",
    "Wes",
    "Yar",
    "Zel",
    "Bren",
    "Cald",
    "Dun",
    "Har",
]
_MIDDLES = ["a", "e", "i", "o", "u", "ar", "en", "il", "on", "ul", "ing", "and", "er"]
_ENDS = [
    "by",
    "dale",
    "den",
    "field",
    "ford",
    "ham",
    "ia",
    "k",
    "ley",
    "lin",
    "mere",
    "mont",
    "more",
    "na",
    "ner",
    "rick",
    "s",
    "son",
    "stad",
    "ston",
    "ta",
    "ton",
    "vik",
    "well",
    "wick",
]
_FIRST = [
    "Ada",
    "Ahmed",
    "Aiko",
    "Boris",
    "Carla",
    "Chen",
    "Dario",
    "Elena",
    "Emeka",
    "Farid",
    "Freya",
    "Gustav",
    "Hana",
    "Igor",
    "Ines",
    "Ivan",
    "Jonas",
    "Kofi",
    "Laila",
    "Lars",
    "Maria",
    "Mateo",
    "Mina",
    "Nadia",
    "Olga",
    "Omar",
    "Paolo",
    "Petra",
    "Rosa",
    "Samir",
    "Sofia",
    "Tomas",
    "Uma",
    "Viktor",
    "Wanda",
    "Yusuf",
    "Zoe",
    "John",
    "William",
    "Sarah",
    "Anna",
    "George",
    "Henry",
]


@dataclass(frozen=True)
class Relation:
    """How spells of one kind are told and asked: `{s}` the subject, `{v}` the value, `{y}` `{z}` first and last time."""

    value: str
    person: bool
    tells: tuple[str, ...]
    asks: tuple[str, ...]


RELATIONS = (
    Relation(
        "club",
        True,
        (
            "{s} joined {v} in {y}",
            "In {y} , {s} signed for {v}",
            "{s} moved to {v} in {y} , where he stayed until {z}",
            "From {y} to {z} {s} played for {v}",
            "in {y} he was transferred to {v}",
        ),
        (
            "Which team did {s} play for {t}?",
            "{s} played for which club {t}?",
            "What club was {s} a member of {t}?",
            "{s} was a member of what team {t}?",
        ),
    ),
    Relation(
        "office",
        True,
        (
            "{s} was appointed {v} in {y}",
            "In {y} {s} became {v}",
            "{s} served as {v} from {y} to {z}",
            "from {y} until {z} he was {v}",
            "He was promoted to {v} in {y}",
        ),
        (
            "What position did {s} hold {t}?",
            "What was the position of {s} {t}?",
            "{s} held which office {t}?",
            "Which role did {s} have {t}?",
        ),
    ),
    Relation(
        "firm",
        True,
        (
            "{s} worked for {v} from {y} to {z}",
            "In {y} {s} joined {v}",
            "{s} left for {v} in {y}",
            "he was hired by {v} in {y}",
            "after {y} she worked at {v}",
        ),
        (
            "Who did {s} work for {t}?",
            "What was the name of the employer of {s} {t}?",
            "{s} was an employee for which organization {t}?",
            "Which company employed {s} {t}?",
        ),
    ),
    Relation(
        "school",
        True,
        (
            "{s} attended {v} from {y} to {z}",
            "{s} studied at {v} until {z}",
            "In {y} {s} enrolled at {v}",
            "he entered {v} in {y}",
        ),
        ("Where was {s} educated {t}?", "{s} went to which school {t}?", "Which school did {s} attend {t}?"),
    ),
    Relation(
        "name",
        True,
        (
            "{s} married {v} in {y}",
            "In {y} {s} wed {v}",
            "{s} and {v} were married from {y} to {z}",
            "the marriage to {v} lasted from {y} to {z}",
        ),
        ("Who was the spouse of {s} {t}?", "{s} was married to whom {t}?", "Who was {s}'s husband or wife {t}?"),
    ),
    Relation(
        "name",
        False,
        (
            "{v} bought {s} in {y}",
            "In {y} {s} passed to {v}",
            "{s} was owned by {v} from {y} to {z}",
            "In {y} it was sold to {v} , who kept it until {z}",
            "{v} acquired it in {y}",
        ),
        ("Who owned {s} {t}?", "{s} was owned by whom {t}?", "Who was the owner of {s} {t}?"),
    ),
    Relation(
        "name",
        False,
        (
            "{v} took over as head of {s} in {y}",
            "In {y} {v} became director of {s}",
            "{v} led {s} from {y} to {z}",
            "in {y} {v} succeeded as chairman of {s}",
            "{v} coached {s} until {z}",
        ),
        (
            "Who was the head of {s} {t}?",
            "Who led {s} {t}?",
            "{s} was headed by whom {t}?",
            "Who was in charge of {s} {t}?",
        ),
    ),
    Relation(
        "firm",
        False,
        (
            "{s} released records on {v} from {y} to {z}",
            "{s} was made by {v} from {y}",
            "In {y} production of {s} moved to {v}",
            "{s} signed with {v} in {y}",
            "it was operated by {v} until {z}",
        ),
        ("Which company operated {s} {t}?", "{s} was under which firm {t}?", "By what company was {s} run {t}?"),
    ),
    Relation(
        "place",
        False,
        (
            "{s} moved to {v} in {y}",
            "From {y} to {z} {s} had its seat in {v}",
            "In {y} {s} was transferred to {v}",
            "it stood in {v} until {z}",
        ),
        (
            "Where was {s} located {t}?",
            "{s} was in which place {t}?",
            "In what city was {s} {t}?",
            "{s} had its seat where {t}?",
        ),
    ),
)


@dataclass(frozen=True)
class Spell:
    """A value that held from the start of `first` to the start of `last`, both (year, month)."""

    value: str
    first: tuple[int, int]
    last: tuple[int, int]


def examples(count: int, *, rng: random.Random, size: int = 3) -> Iterator[Example]:
    """`count` groups of at most `size` pieces of evidence."""
    for _ in range(count):
        yield _history_example(rng, size)


def word(rng: random.Random) -> str:
    return rng.choice(_STARTS) + rng.choice(_MIDDLES) * rng.randint(0, 1) + rng.choice(_ENDS)


def name_of(rng: random.Random) -> str:
    """A person's name."""
    middle = f"{rng.choice('ABCDEFGHJKLMNPRSTW')} . " if rng.random() < 0.15 else ""
    return f"{rng.choice(_FIRST)} {middle}{word(rng)}"


def _value(kind: str, rng: random.Random) -> str:
    match kind:
        case "club":
            return rng.choice(
                ["{} United", "{} Town", "FC {}", "{} City", "{}", "{} Rovers", "Sporting {}", "{} Tigers", "SV {}"]
            ).format(word(rng))
        case "office":
            office = rng.choice(
                [
                    "minister",
                    "secretary",
                    "professor",
                    "governor",
                    "ambassador",
                    "commander",
                    "captain",
                    "mayor",
                    "bishop",
                    "director",
                    "president",
                    "deputy",
                    "judge",
                    "lecturer",
                    "treasurer",
                    "chancellor",
                ]
            )
            return rng.choice(
                [
                    "{0} of {1}",
                    "{0}",
                    "deputy {0}",
                    "{0} for {1}",
                    "member of the {1} assembly",
                    "vice {0} of {1}",
                    "assistant {0}",
                ]
            ).format(office, word(rng))
        case "firm":
            return rng.choice(
                [
                    "{} Motors",
                    "{} & Sons",
                    "Bank of {}",
                    "{} Records",
                    "{} Group",
                    "{}",
                    "{} Ltd",
                    "Royal {} Company",
                    "{} Institute",
                ]
            ).format(word(rng))
        case "school":
            return rng.choice(
                ["University of {}", "{} College", "{} High School", "{} Academy", "St . {} School", "{} University"]
            ).format(word(rng))
        case "place":
            return rng.choice(["{}", "{}", "New {}", "{} Castle", "Port {}", "the {} Palace", "{} , {}"]).format(
                word(rng), word(rng)
            )
        case _:
            return name_of(rng)


def _spells(relation: Relation, rng: random.Random) -> list[Spell]:
    year, month = rng.randint(1820, 2008), rng.randint(1, 12)
    spells = []
    for _ in range(rng.randint(2, 5)):
        length = rng.randint(8, 100)
        last = (year + (month - 1 + length) // 12, (month - 1 + length) % 12 + 1)
        if last > (2020, 12):
            break
        spells.append(Spell(_value(relation.value, rng), (year, month), last))
        year, month = last
        if rng.random() < 0.15:
            year += rng.randint(1, 3)
    return spells or _spells(relation, rng)


def _said(moment: tuple[int, int], rng: random.Random, *, exact: bool) -> str:
    year, month = moment
    if not exact:
        return str(year)
    return rng.choice([f"{MONTHS[month - 1]} {year}", str(year), f"{rng.randint(1, 28)} {MONTHS[month - 1]} {year}"])


def _asked_time(spell: Spell, rng: random.Random) -> str:
    """Words for a time within the spell, or for its whole."""
    (y1, m1), (y2, m2) = spell.first, spell.last
    months = (y2 - y1) * 12 + m2 - m1
    one, other = sorted((rng.randint(1, months - 1), rng.randint(1, months - 1)))
    year, month = y1 + (m1 - 1 + one) // 12, (m1 - 1 + one) % 12 + 1
    year2, month2 = y1 + (m1 - 1 + other) // 12, (m1 - 1 + other) % 12 + 1
    name, name2 = MONTHS[month - 1], MONTHS[month2 - 1]
    forms = [
        f"in {name} {year}",
        f"as of {name} {year}",
        f"on {rng.randint(1, 28)} {name} {year}",
        f"from {y1} to {y2}",
        f"in {name[:3]} {year}",
        f"as of {name} {rng.randint(1, 28)}, {year}",
    ]
    if months > 30:
        forms += [f"around {year}", f"as of {y1 + 1}", f"in {y1 + 1}", f"in {y1 + 1}"]
    if other - one > 2:
        forms += [f"between {name[:3]} {year} and {name2[:3]} {year2}"] * 2
    return rng.choice(forms)


def _subject(relation: Relation, rng: random.Random) -> str:
    if relation.person:
        return _value("name", rng)
    return rng.choice(
        [
            "{} House",
            "the {} Bridge",
            "{} Theatre",
            "{} Football Club",
            "{} Hall",
            "the {}",
            "{} Institute",
            "{} ( ship )",
        ]
    ).format(word(rng))


def _history_example(rng: random.Random, size: int) -> Example:
    relation = rng.choice(RELATIONS)
    subject, spells = _subject(relation, rng), _spells(relation, rng)
    exact = rng.random() < 0.5
    sentences: list[tuple[str, Spell | None]] = []
    for spell in spells:
        tell = rng.choice(relation.tells)
        line = tell.format(
            s=subject if rng.random() < 0.5 else _pronoun(relation, subject),
            v=spell.value,
            y=_said(spell.first, rng, exact=exact),
            z=_said(spell.last, rng, exact=exact),
        )
        if "{y}" not in tell:
            line += rng.choice(["", f" , having begun in {_said(spell.first, rng, exact=exact)}"])
        sentences.append((line[0].upper() + line[1:] + " .", spell))
        if rng.random() < 0.5:
            sentences.append((_filler(subject, relation, rng), None))
    asked = rng.choice(spells)
    question = _question(relation, subject, asked, spells, rng)
    answerable = rng.random() >= UNANSWERABLE
    if not answerable:
        sentences = [one for one in sentences if one[1] is not asked] or [(_filler(subject, relation, rng), None)]
    cut = (
        sorted(rng.sample(range(1, len(sentences)), min(size - 1, len(sentences) - 1, rng.randint(0, 2))))
        if len(sentences) > 1
        else []
    )
    parts = [sentences[a:b] for a, b in zip([0, *cut], [*cut, len(sentences)], strict=True)]
    evidence = tuple(Evidence.make(" ".join(text for text, _ in part), title=subject) for part in parts)
    gold = frozenset(n for n, part in enumerate(parts) if any(spell is asked for _, spell in part))
    return Example(decompose(question, as_of=AS_OF), evidence, (asked.value,) if answerable else (), gold, "world")


def _pronoun(relation: Relation, subject: str) -> str:
    return "he" if relation.person else "it" if not subject.startswith("the ") else subject


def _question(relation: Relation, subject: str, asked: Spell, spells: Sequence[Spell], rng: random.Random) -> str:
    ask = rng.choice(relation.asks)
    place = list(spells).index(asked)
    if rng.random() < 0.1 and place > 0:
        return (
            ask.format(s=subject, t=f"after {MONTHS[asked.first[1] - 1]} {asked.first[0]}")
            if place == len(spells) - 1
            else ask.format(s=subject, t=_asked_time(asked, rng))
        )
    return ask.format(s=subject, t=_asked_time(asked, rng))


def _filler(subject: str, relation: Relation, rng: random.Random) -> str:
    other = _value(rng.choice(["name", "firm", "place", "club"]), rng)
    year = rng.randint(1820, 2020)
    return rng.choice(
        [
            f"Critics praised the work of {other} in that time .",
            f"In {year} a fire damaged the archive in {other} .",
            f"{other} wrote later that nothing else was expected .",
            f"The numbers rose to {rng.randint(20, 9000)} by {year} .",
            f"{subject} received a medal in {year} .",
            f"A street in {other} carries the name .",
            f"During {year} there were talks with {other} , which failed .",
        ]
    )
