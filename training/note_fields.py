"""Sheets of made-up fields (`note_fields.txt`): attributes with the ways in which people ask for them and tell them.

A field begins with "field NAME"; "e:" names its subjects, "f:" sentences about other matters. An attribute begins with
"a: LABEL | KIND"; "q:" are questions, "h:" sentences that tell the value {v}, "c:" that it was {w} and is {v} now, "n:" that it will
be {v} from {d} on, "o:" sentences with another value {u}, "x:" that there is none any more. {e} is the subject.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from state_worlds import value as state_value
from worlds import name_of, word

FIELDS = Path(__file__).parent / "note_fields.txt"


@dataclass
class Attribute:
    """What can be said of a subject; `lines` by their mark."""

    label: str
    kind: str
    lines: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def usable(self) -> bool:
        return all(self.lines[mark] for mark in "qhc")


@dataclass
class Field:
    """Subjects much alike, their attributes, and what else is said there."""

    name: str
    subjects: list[str] = field(default_factory=list)
    fillers: list[str] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)


def read_fields(path: Path = FIELDS) -> list[Field]:
    """Read the sheets; attributes without questions or sentences are left out."""
    found: list[Field] = []
    for line in path.read_text("utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        rest = rest.partition("   #")[0].strip()
        match mark:
            case "field":
                found.append(Field(rest))
            case "e:":
                found[-1].subjects += [each.strip() for each in rest.split(" / ")]
            case "f:":
                found[-1].fillers.append(rest)
            case "a:":
                label, _, kind = rest.partition(" | ")
                found[-1].attributes.append(Attribute(label.strip(), kind.strip()))
            case "q:" | "h:" | "c:" | "n:" | "o:" | "x:" | "y:":
                found[-1].attributes[-1].lines[mark[0]].append(rest)
    for each in found:
        each.attributes = [one for one in each.attributes if one.usable]
    return [each for each in found if each.attributes and len(each.subjects) > 1]


def values(kind: str, rng: random.Random) -> Callable[[], str]:
    """Return what makes up values of one kind, alike in unit and form."""
    name, _, more = kind.partition(" ")
    if name in ("status", "choice"):
        words = [each.strip() for each in more.split("|")]
        return lambda: rng.choice(words)
    if name == "measure":
        size = rng.choice((1, 1, 5, 10, 50))
        return lambda: f"{_number(rng, size)} {more}"
    form = rng.choice(_FORMS.get(name, ["{}"]))
    return lambda: form.format(_plain(name, rng))


def _number(rng: random.Random, size: int) -> str:
    number = size * rng.randint(1, 60)
    return f"{number / 10:.1f}" if rng.random() < 0.15 else f"{number:,}" if rng.random() < 0.8 else str(number)


_FORMS: Mapping[str, list[str]] = {
    "money": ["€{}", "${}", "£{}", "{} euros", "{} EUR", "EUR {}", "{} francs", "{} kr", "{} dollars", "{},00 €"],
    "percent": ["{} %", "{}%", "{} percent", "{} per cent"],
    "room": ["room {}", "Room {}", "{}", "R {}"],
    "version": ["{}", "v{}", "version {}"],
    "phone": ["{}"],
    "email": ["{}"],
}
_COLOURS = "red blue green yellow grey white black orange brown purple turquoise beige".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def _plain(kind: str, rng: random.Random) -> str:
    match kind:
        case "money":
            return str(
                rng.choice(
                    (
                        rng.randint(2, 99),
                        10 * rng.randint(1, 90),
                        f"{rng.randint(1, 60)}.{rng.choice((50, 20, 90, 95))}",
                    )
                )
            )
        case "percent":
            return str(rng.choice((rng.randint(1, 99), f"{rng.randint(1, 20)}.{rng.randint(1, 9)}")))
        case "count":
            return rng.choice(
                (
                    str(rng.randint(2, 60)),
                    str(rng.randint(60, 900)),
                    f"{rng.randint(1, 30)},{rng.randint(0, 999):03}",
                    rng.choice(_NUMBERS),
                )
            )
        case "person":
            return name_of(rng) if rng.random() < 0.5 else state_value("person", rng)
        case "organisation":
            return rng.choice(
                (
                    state_value("org", rng),
                    f"{word(rng)} {rng.choice(('Ltd', 'AG', 'Services', 'Brothers', 'Print', 'Group'))}",
                    word(rng),
                )
            )
        case "place":
            return rng.choice((word(rng), f"{rng.choice(('North', 'Upper', 'Port', 'Bad', 'St'))} {word(rng)}"))
        case "address":
            return (
                f"{rng.randint(1, 190)} {word(rng)} {rng.choice(('Street', 'Road', 'Lane', 'Square'))}"
                if rng.random() < 0.7
                else f"{word(rng)}strasse {rng.randint(1, 90)}"
            )
        case "room":
            return rng.choice(
                (
                    f"{rng.randint(1, 5)}.{rng.randint(1, 40):02}",
                    str(rng.randint(1, 420)),
                    f"{rng.choice('ABCDE')}{rng.randint(1, 40)}",
                )
            )
        case "date":
            return f"{rng.randint(1, 28)} {rng.choice(_MONTHS)}"
        case "time":
            return rng.choice(
                (
                    f"{rng.randint(5, 22)}:{rng.choice(('00', '15', '30', '45'))}",
                    f"{rng.randint(1, 12)} {rng.choice(('am', 'pm', 'a.m.', 'p.m.'))}",
                )
            )
        case "weekday":
            return rng.choice(_DAYS)
        case "hours":
            first, last = rng.randint(6, 12), rng.randint(13, 22)
            return rng.choice(
                (
                    f"{first} to {last}",
                    f"{first}:00–{last}:00",
                    f"{first} am to {last - 12} pm",
                    f"{first}.30 to {last}.30",
                )
            )
        case "version":
            return ".".join(str(rng.randint(0, 12)) for _ in range(rng.randint(1, 3)))
        case "code":
            letters = "".join(rng.choice("ABCDEFGHKLMNPRSTVWXZ") for _ in range(rng.randint(1, 3)))
            return rng.choice(
                (
                    f"{letters}-{rng.randint(10, 9999)}",
                    f"{letters}{rng.randint(100, 99999)}",
                    f"{rng.randint(10, 99)}/{letters}/{rng.randint(1, 99)}",
                )
            )
        case "phone":
            return rng.choice(
                (
                    f"0{rng.randint(20, 99)} {rng.randint(100, 999)} {rng.randint(100, 999)}",
                    f"ext. {rng.randint(10, 999)}",
                    f"+{rng.randint(30, 49)} {rng.randint(100, 999)} {rng.randint(10000, 99999)}",
                )
            )
        case "email":
            return f"{rng.choice(('office', 'info', 'desk', word(rng).lower()))}@{word(rng).lower()}.{rng.choice(('org', 'example', 'net'))}"
        case "colour":
            return rng.choice(_COLOURS)
        case _:
            return word(rng)


_NUMBERS = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty".split()
_MONTHS = "January February March April May June July August September October November December".split()
