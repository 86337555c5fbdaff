"""Made-up states: sentences that state them, and look-alikes that do not, from `state_fields.txt`."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from news import BEATS, capital, mentioned, thing, told

FIELDS = Path(__file__).parent / "state_fields.txt"

_FIRST = "Ana Ben Cora Dirk Edda Finn Greta Hugo Iris Jonas Kira Liam Mona Nils Olga Paul Rosa Sven Tara Uwe Vera Wim Yara Zeno".split()
_LAST = (
    "Lee Ek Falk Lindqvist Moreau Sato Okafor Varga Novak Brandt Quill Harlow Costa Dubois Haas Iyer Jansen Kaur Lund "
    "Meyer Nyman Osei Petrov Reyes Silva Tanaka Ueda Vogel Winter Young"
).split()
_BODIES = (
    "Argent Bellweather Corvus Dovetail Evergreen Fairlight Galdor Hexham Ironwood Juniper Kestrel Lodestar".split()
)
_TRADES = ("Foods", "Logistics", "Energy", "Bank", "Studios", "Partners", "& Sons", "Works", "Insurance", "")
_PLACES = "Aldermoor Birkholm Castelvern Drossen Eastmere Fellbach Grunwick Hartleigh Ilmenau Jarrow Kessel Lowick Marstrand Nesbo".split()
_PRODUCTS = "Quartz Obsidian Tundra Merlin Saffron Pelican Onyx Basalt Cobalt Heron".split()

_BEFORE = (
    "",
    "",
    "",
    "On Tuesday, ",
    "From Monday on, ",
    "According to the office, ",
    "Update: ",
    "With immediate effect, ",
    "In the end, ",
    "After a long search, ",
    "For now, ",
    "On short notice, ",
    "In other news, ",
)
_TAILS = (
    "",
    "",
    "",
    "",
    "",
    "",
    ", the board said on Friday",
    ", as announced this week",
    " after a long debate",
    ", according to the minutes",
    ", the local paper reports",
)


@dataclass
class Field:
    """One kind of state with its subjects and wordings."""

    name: str
    kind: str
    subjects: list[tuple[str, ...]] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    look_alikes: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Line:
    """A sentence with the kind of what it says: "state", a kind of look-alike, or "far"."""

    text: str
    kind: str
    title: str = ""


@dataclass(frozen=True)
class Pool:
    """A question about a state, with the sentences that compete for it."""

    field: str
    question: str
    lines: tuple[Line, ...]


def fields(path: Path = FIELDS) -> list[Field]:
    """Read the fields."""
    found: list[Field] = []
    for line in path.read_text("utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "field":
            name, kind = rest.split()
            found.append(Field(name, kind))
        elif mark == "e:":
            found[-1].subjects.append(tuple(part.strip() for part in rest.split(" / ")))
        elif mark == "q:":
            found[-1].questions.append(rest)
        elif mark == "s:":
            found[-1].statements.append(rest)
        elif mark == "x":
            kind, _, text = rest.partition(": ")
            found[-1].look_alikes.append((kind, text))
    return found


def reports(count: int, *, seed: int = 0) -> Iterator[Pool]:
    """Make pools of news: reports on one subject among those on others of its kind, and lines that only name it."""
    choice = random.Random(seed)
    for _ in range(count):
        beat = choice.choice(BEATS)
        subject = thing(beat.subject, choice)
        lines = [Line(told(beat, subject, choice), "state") for _ in range(6)]
        for _ in range(4):
            other = thing(beat.subject, choice)
            lines += [Line(told(beat, other, choice), "other entity") for _ in range(3)]
        lines += [Line(mentioned(beat, subject, choice), "mention") for _ in range(4)]
        for away in choice.choices([one for one in BEATS if one.asks != beat.asks], k=6):
            lines.append(Line(told(away, thing(away.subject, choice), choice), "far"))
        choice.shuffle(lines)
        yield Pool(f"news {BEATS.index(beat)}", capital(choice.choice(beat.asks).format(s=subject)), tuple(lines))


def value(kind: str, choice: random.Random) -> str:
    """Make up what a state says."""
    match kind:
        case "person":
            return f"{choice.choice(_FIRST)} {choice.choice(_LAST)}"
        case "org":
            return f"{choice.choice(_BODIES)} {choice.choice(_TRADES)}".strip()
        case "money":
            return choice.choice(("€{}", "${}", "£{}", "{} euros", "{} crowns")).format(choice.randrange(2, 90))
        case "percent":
            return f"{choice.randrange(1, 9)}.{choice.choice((25, 5, 75))}"
        case "number":
            return str(choice.choice((8, 12, 18, 20, 25, 30, 45, 50, 60, 70, 80, 90, 120, 140, 300, 450)))
        case "version":
            return f"{choice.randrange(1, 9)}.{choice.randrange(10)}"
        case "place":
            return choice.choice(_PLACES)
        case "hour":
            return f"{choice.randrange(6, 23)}:{choice.choice(('00', '15', '30', '45'))}"
        case "status":
            return choice.choice(("open", "closed", "closed to all traffic", "open again", "out of service"))
        case "status2":
            return choice.choice(("allowed", "forbidden", "welcome", "not admitted", "allowed on a lead"))
        case _:
            return choice.choice(_PRODUCTS)


def pools(path: Path = FIELDS, *, seed: int = 0, rounds: int = 2) -> Iterator[Pool]:
    """Make pools of every field, subject and question."""
    choice = random.Random(seed)
    every = fields(path)
    for one in every:
        for subject in (way for names in one.subjects for way in _cased(names)):
            for question in one.questions:
                for _ in range(rounds):
                    lines = [*_lines(one, subject, question, choice), *_far(every, one, choice)]
                    choice.shuffle(lines)
                    yield Pool(one.name, capital(question.format(e=subject[0])), tuple(lines))


_COMMON = (
    "Bridge Museum Foundation Theatre Cinema Hotel Club Festival Conference School College Library Hall Kitchen Road Harbour "
    "Granary Tannery Marathon Baths Sauna League Race Hospital Clinic Ward Tunnel Reserves Valley Avenue Close"
).split()


def _cased(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The names as they are, and where a common noun ends the first one, with all such nouns written small."""
    yield names
    if names[0].split()[-1] in _COMMON:
        yield tuple(" ".join(word.lower() if word in _COMMON else word for word in name.split()) for name in names)


_PARTS = (
    "shop café archive museum annex garden youth|team association foundation workshop car|park website choir depot "
    "kitchen branch newsletter academy laboratory mobile|app support|desk night|shift"
).split()
_MODIFIERS = (
    "deputy junior night weekend regional honorary annual monthly outdoor temporary student technical visiting second "
    "artistic weekly half children's medical private minor summer assistant digital reserve emergency"
).split()
_FOR = "children lorries students members visitors tourists music sport horses trainees pensioners guests sales research".split()


def _lines(one: Field, subject: tuple[str, ...], question: str, choice: random.Random) -> Iterator[Line]:
    told = choice.sample(one.statements, k=max(3, len(one.statements) - 2))
    for text in [*told, *told[:4]]:
        yield _line(one, subject, "state", text, choice)
    for kind, text in one.look_alikes:
        yield _line(one, subject, kind, text, choice)
    for _ in range(4):
        yield _line(one, (_part(subject[0], choice), *subject[1:]), "part", choice.choice(one.statements), choice)
    for _ in range(4):
        yield _line(one, (_headed(subject[0], choice), *subject[1:]), "head", choice.choice(one.statements), choice)
    nouns = {word for word in re.findall(r"[a-z]{4,}", question.replace("{e}", "")) if word not in _PLAIN}
    open_to = [text for text in one.statements if any(f" {noun}" in text for noun in nouns)]
    for _ in range(5 if open_to else 0):
        text = choice.choice(open_to)
        noun = choice.choice(sorted(each for each in nouns if f" {each}" in text))
        if choice.random() < 0.7:
            yield _line(
                one, subject, "rank", text.replace(f" {noun}", f" {choice.choice(_MODIFIERS)} {noun}", 1), choice
            )
        else:
            yield _line(
                one,
                subject,
                "qualifier",
                re.sub(rf" ({noun}\w*)", rf" \1 for {choice.choice(_FOR)}", text, count=1),
                choice,
            )


_HEADS = (
    "ferry tunnel market school road park bank clinic shop archive mill harbour tower inn choir press lab Studio Cloud Mobile Server Kids North"
).split()


def _headed(subject: str, choice: random.Random) -> str:
    """Another thing of the same name: "the Bay ferry" for "the Bay Bridge", "Quill Server" for "Quill"."""
    words, head = subject.split(), choice.choice(_HEADS)
    longer = len(words) < 2 or choice.random() < 0.4
    return " ".join([*(words if longer else words[:-1]), head])


_PLAIN = "what which when does much many current latest must have they their time home most".split()


def _part(subject: str, choice: random.Random) -> str:
    part, bare = choice.choice(_PARTS).replace("|", " "), subject.removeprefix("the ")
    return choice.choice(
        (
            f"{subject}'s {part}",
            f"the {bare} {part}",
            f"the {part} of {subject}",
            f"the {bare} {part} in {choice.choice(_PLACES)}",
        )
    )


def _line(one: Field, subject: tuple[str, ...], kind: str, text: str, choice: random.Random) -> Line:
    filled = capital(text.format(e=subject[0], o=choice.choice(subject[1:]), v=value(one.kind, choice)))
    if choice.random() < 0.3:
        front = choice.choice(_BEFORE)
        filled = front + (
            filled
            if not front or filled[:2].isupper() or "{v}" in text[:4]
            else filled[0].lower() * text.startswith(("The ", "A "))
            + filled[0] * (not text.startswith(("The ", "A ")))
            + filled[1:]
        )
        filled = filled.removesuffix(".") + choice.choice(_TAILS) + "."
    return Line(filled, kind, "")


def _far(every: list[Field], one: Field, choice: random.Random) -> Iterator[Line]:
    for _ in range(12):
        other = choice.choice([each for each in every if each is not one])
        yield _line(
            other,
            choice.choice(other.subjects),
            "far",
            choice.choice([*other.statements, *(t for _, t in other.look_alikes)]),
            choice,
        )
