"""Made-up notes of many fields: what holds, what changes, what is announced, called off, put right, given up or only said.

    examples(count, rng, size) -> Iterator[Example]

A story of one attribute of one subject is told over several notes; others tell the same attribute of a sibling, other
attributes of the subject, and values that are none. The question is asked as of a day or names one; what holds then
follows from the story. Each sentence's kind is known, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from note_fields import Attribute, Field, read_fields, values
from timeqa import AS_OF, MONTHS, Example
from worlds import name_of

from dateline.reading.verdicts import Said
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval, civil_from_days

StateKind = Literal["other", "holds", "begins", "ends", "announced", "withdrawn", "reported", "conditional"]
KINDS: tuple[StateKind, ...] = get_args(StateKind)

UNANSWERABLE, WHEN, DATED, JOURNALS, YES_OR_NO, STILL = 0.15, 0.08, 0.3, 0.12, 0.15, 0.15
"""Shares of questions whose story is left out, that ask when, that name their day, whose story stands in one note, that ask for
yes or no, and of these, that say "still". Chosen by hand."""

_GENERIC: dict[str, tuple[str, ...]] = {
    "holds": (
        "{L}: {v}",
        "- {l}: {v}",
        "| {l} | {v} |",
        "{L} ({e}): {v}",
        "{E}, {l}: {v}.",
        "As for the {l} of {e}, it is {v}.",
        "Reminder: {l} at {e} is still {v}.",
    ),
    "begins": (
        "{L}: {v} (was {w})",
        "- {l} {w} -> {v}",
        "{L} of {e} is now {v}, no longer {w}.",
        "New {l} for {e}: {v}, replacing {w}.",
        "Effective today, {l} at {e} goes from {w} to {v}.",
        "| {l} | ~~{w}~~ {v} |",
    ),
    "announced": (
        "From {d} the {l} of {e} will be {v}; until then {w} applies.",
        "{L}: {v} from {d} (today: {w})",
        "With effect from {d}: {l} of {e} {v}.",
        "As of {d}, {l} at {e} changes to {v}.",
        "Starting {d} we will have {v} as {l} at {e}; at present it is {w}.",
    ),
    "withdrawn": (
        "The new {l} for {e} announced for {d} is off. {w} stays.",
        "Forget what was said about the {l} of {e}: it remains {w}.",
        "The change of {l} at {e} to {v} has been withdrawn; everything stays at {w}.",
        "Decision reversed: {e} keeps {w} as its {l}, the switch to {v} is void.",
        "The plan for {v} ({l}, {e}) was dropped on {d}, so {w} continues to apply.",
    ),
    "correction": (
        "Correction: the {l} of {e} is {v}, not {w} as we wrote.",
        "Our last note was wrong about the {l} of {e}. The right value is {v} ({w} was a typing error).",
        "Please read {v} instead of {w} for the {l} of {e}.",
        "{L} of {e}: {v}. The {w} in the earlier note was a mistake.",
    ),
    "reported": (
        "{p} says the {l} of {e} may become {u}.",
        "According to {p}, {e} is thinking of {u} as {l}. Nothing is decided.",
        "Somebody had heard that the {l} of {e} would be {u}.",
        "{p} proposed {u} for the {l} of {e}; no vote was taken.",
        "There was a rumour about {u} ({l}, {e}).",
    ),
    "conditional": (
        "If the money comes in, the {l} of {e} will be {u}.",
        "Should {p} agree, {e} would go to {u} for its {l}.",
        "Unless nothing changes by winter, {u} would be the {l} of {e}.",
    ),
    "ends": (
        "{E} no longer has a {l}; {w} was the last.",
        "{L} of {e}: none at present (formerly {w}).",
        "The {l} of {e} ({w}) has been given up without replacement.",
    ),
}
_WHEN_ASKED = (
    "When does the new {l} of {e} start?",
    "From when is the {l} of {e} {v}?",
    "As of what date does the {l} of {e} change?",
    "On which day does the {l} of {e} become {v}?",
)
_PLAIN_ASKED = ("What is the {l} of {e}?", "{L} of {e}?", "What is {e}'s {l}?", "What's the {l} at {e} now?")
_YES_ASKED = (
    "Is the {l} of {e} {v}?",
    "Is {v} the {l} of {e}?",
    "Does {e} have {v} as its {l}?",
    "Is it true that the {l} of {e} is {v}?",
    "The {l} of {e} is {v}, right?",
)
_PAST_ASKED = ("What was the {l} of {e} {t}?", "What did {e} have as {l} {t}?")
_OPENINGS = (
    "",
    "",
    "",
    "",
    "Hi all, ",
    "Note: ",
    "FYI - ",
    "Update. ",
    "Minutes: ",
    "From the desk: ",
    "Quick one: ",
    "Re: {l}. ",
)
_TITLES = ("", "", "{l}", "{e}", "Notes", "Minutes", "{e}: {l}", "Update {e}", "Log", "Mail from {p}", "{f}")


@dataclass(frozen=True)
class Told:
    """A sentence on a subject and the day it was written; its value is what holds from `since` on."""

    text: str
    kind: StateKind
    subject: str
    day: int
    value: str = ""
    since: int = 0


@dataclass(frozen=True)
class Story:
    """One attribute of one subject."""

    field: Field
    attribute: Attribute
    subject: str
    rng: random.Random
    make: Callable[[], str]

    def say(self, kind: str, *, day: int = 0, v: str = "", w: str = "", u: str = "") -> str:
        """A sentence of a kind, in the field's words or plain ones."""
        mark = {"holds": "h", "begins": "c", "announced": "n", "ends": "x"}.get(kind, "")
        own = self.attribute.lines[mark] if mark else []
        if kind in ("reported", "conditional"):
            own = []
        line = self.rng.choice(own) if own and self.rng.random() < 0.75 else self.rng.choice(_GENERIC[kind])
        return self.fill(line, day=day, v=v, w=w, u=u)

    def fill(self, line: str, *, day: int = 0, v: str = "", w: str = "", u: str = "", t: str = "") -> str:
        label = self.attribute.label
        made = line.format_map(
            {
                "e": self.subject,
                "E": _capital(self.subject),
                "l": label,
                "L": _capital(label),
                "v": v,
                "w": w,
                "u": u,
                "t": t,
                "d": written(day, self.rng),
                "p": name_of(self.rng),
                "f": self.field.name.replace("_", " "),
            }
        )
        return _capital(made)

    def fresh(self, *others: str) -> str:
        """A value unlike the others; empty where the kind has no more."""
        for _ in range(20):
            made = self.make()
            if all(made not in other and other not in made for other in others if other):
                return made
        return ""


def examples(count: int, *, rng: random.Random, size: int = 4) -> Iterator[Example]:
    """`count` groups of at most `size` notes."""
    fields, made = read_fields(), 0
    while made < count:
        found = _example(fields, rng, size)
        if found is not None:
            made += 1
            yield found


def written(day: int, rng: random.Random) -> str:
    """A day as people write it."""
    year, month, number = civil_from_days(day)
    name = MONTHS[month - 1]
    return rng.choice(
        (
            f"{number} {name} {year}",
            f"{name} {number}, {year}",
            f"{number} {name[:3]} {year}",
            f"{year}-{month:02}-{number:02}",
            f"{number}.{month}.{year}",
            f"1 {name} {year}" if number == 1 else f"{number} {name} {year}",
        )
    )


def _example(fields: Sequence[Field], rng: random.Random, size: int) -> Example | None:
    chosen = rng.choice(fields)
    attribute = rng.choice(chosen.attributes)
    subject, *siblings = rng.sample(chosen.subjects, len(chosen.subjects))
    story = Story(chosen, attribute, subject, rng, values(attribute.kind, rng))
    told = _story(story)
    if not told:
        return None
    first, last = told[0].day, told[-1].day
    asked = rng.choice([one.day for one in told] + [one.since for one in told if one.since > one.day]) + rng.randint(
        0, 200
    )
    asked = max(asked, first)
    known = [one for one in told if one.day <= asked]
    right = _holding(known, asked)
    dated = rng.random() < DATED
    seen = told if dated else known
    when = rng.random() < WHEN and any(one.kind == "announced" for one in known)
    yes_or_no = not when and rng.random() < YES_OR_NO
    answers: tuple[str, ...]
    holding: list[Told]
    if when:
        note = rng.choice([one for one in known if one.kind == "announced"])
        answers, holding = tuple(sorted({written(note.since, random.Random(n)) for n in range(30)})), [note]
        text = story.fill(rng.choice(_WHEN_ASKED), v=note.value)
        seen, dated = known, False
    else:
        if right is None:
            # Given up is no answer to "what", but "no" to each value.
            ended = [one for one in known[-1:] if one.kind == "ends" and yes_or_no]
            answers, holding = ("",) if ended else (), ended
        else:
            answers = (right.value,)
            holding = [
                one
                for one in seen
                if right.value and right.value in one.text and one.kind not in ("reported", "conditional")
            ]
            if right not in holding:
                holding = [right] if right.value in right.text else holding
        text = story.fill(rng.choice(attribute.lines["q"] if rng.random() < 0.8 else _PLAIN_ASKED))
    answerable = bool(holding) and rng.random() >= UNANSWERABLE
    beside = _beside(
        story, siblings, rng, first=first - 100, last=last + 100 if dated else asked, avoid=[one.value for one in told]
    )
    verdict: Said | None = None
    if yes_or_no:
        claimed = right.value if right and rng.random() < 0.5 else _false_claim(story, seen, right, rng)
        verdict = "yes" if right and claimed == right.value else "no"
        line = rng.choice(attribute.lines["y"] if attribute.lines["y"] and rng.random() < 0.7 else _YES_ASKED)
        text = story.fill(line.replace(" {v}", " still {v}", 1) if rng.random() < STILL else line, v=claimed)
        if not claimed:
            return None
    gold = None
    if answerable:
        gold = right if right in holding and rng.random() < 0.75 else rng.choice(holding)
    others = [one for one in seen if one is not gold and (answerable or one not in holding)]
    pool = [*others, *beside] if answerable or right is None else beside
    journal = answerable and not when and len(seen) > 1 and rng.random() < JOURNALS
    notes = _drawn(pool, size - answerable, rng) if not journal else _drawn(beside, size - 1, rng)
    if gold is not None:
        notes.insert(rng.randint(0, len(notes)), gold)
    pieces, states, spans = [], [], []
    for place, one in enumerate(notes):
        if journal and one is gold:
            piece, kinds, spans = _journal(seen, holding, answers, story)
        else:
            piece, kinds = _note(one, story, beside, rng)
        pieces.append(piece)
        states += [(place, *each) for each in kinds]
    right_places = frozenset(
        place
        for place, one in enumerate(notes)
        if answerable and one in holding and any(answer in pieces[place].text for answer in answers)
    )
    return Example(
        question=_question(story, text, asked, dated, rng, plain=yes_or_no),
        evidence=tuple(pieces),
        answers=answers if right_places else (),
        gold=right_places,
        kind="notes",
        spans=tuple(spans),
        states=tuple(states),
        verdict=verdict if right_places or verdict is None else "unsaid",
    )


def _false_claim(story: Story, seen: Sequence[Told], right: Told | None, rng: random.Random) -> str:
    """A value that is not the right one: one of another time, or of no time."""
    others = [one.value for one in seen if one.value and (right is None or one.value != right.value)]
    return rng.choice(others) if others and rng.random() < 0.7 else story.fresh(*(right.value,) if right else ())


def _drawn(pool: Sequence[Told], count: int, rng: random.Random) -> list[Told]:
    return rng.sample(pool, min(count, len(pool)))


def _story(story: Story) -> list[Told]:
    """What is told of the attribute over some years, oldest first."""
    rng = story.rng
    day = rng.randint(15_500, 19_500)  # 2012 to 2023
    held = story.fresh()
    told = [Told(story.say("holds", v=held), "holds", story.subject, day, held, day)]
    for _ in range(rng.randint(1, 3)):
        day += rng.randint(20, 400)
        new = story.fresh(held)
        if not new:
            return []
        match rng.choice(
            (
                "begins",
                "begins",
                "holds",
                "announced",
                "announced",
                "withdrawn",
                "correction",
                "reported",
                "conditional",
                "ends",
            )
        ):
            case "begins":
                told.append(Told(story.say("begins", v=new, w=held), "begins", story.subject, day, new, day))
                held = new
            case "holds":
                told.append(Told(story.say("holds", v=new), "holds", story.subject, day, new, day))
                held = new
            case "announced":
                start = day + rng.randint(10, 250)
                text = story.say("announced", day=start, v=new, w=held)
                told.append(Told(text, "announced", story.subject, day, new, start))
                day, held = start + rng.randint(0, 40), new
            case "withdrawn":
                start = day + rng.randint(30, 250)
                told.append(
                    Told(story.say("announced", day=start, v=new, w=held), "announced", story.subject, day, new, start)
                )
                day += rng.randint(5, 25)
                told.append(
                    Told(story.say("withdrawn", day=start, v=new, w=held), "withdrawn", story.subject, day, held, day)
                )
                day = start + 10
            case "correction":
                told.append(Told(story.say("correction", v=new, w=held), "begins", story.subject, day, new, day))
                held = new
            case "reported" | "conditional" as kind:
                told.append(Told(story.say(kind, u=new), kind, story.subject, day))
            case _:
                told.append(Told(story.say("ends", w=held), "ends", story.subject, day, "", day))
                return told
    return told


def _holding(known: Sequence[Told], asked: int) -> Told | None:
    """The note whose value holds, by what is known: the latest that has begun; one that ends leaves none."""
    begun = [one for one in known if one.kind not in ("reported", "conditional") and one.since <= asked]
    if not begun:
        return None
    # A withdrawal stands over what it takes back, whichever day that was meant for.
    latest = max(begun, key=lambda one: (one.day if one.kind == "withdrawn" else one.since, one.day))
    called_off = [one for one in known if one.kind == "withdrawn" and one.day > latest.day]
    latest = called_off[-1] if latest.kind == "announced" and called_off else latest
    return latest if latest.value else None


def _beside(
    story: Story, siblings: Sequence[str], rng: random.Random, *, first: int, last: int, avoid: Sequence[str]
) -> list[Told]:
    """Look-alikes: the attribute of another subject, another attribute of this one, values that are not it."""
    made = []

    def day() -> int:
        return rng.randint(min(first, last), last)

    for sibling in siblings[:2]:
        other = Story(story.field, story.attribute, sibling, rng, story.make)
        value, before = other.fresh(*avoid), other.fresh()
        if value:
            kind: StateKind = rng.choice(("holds", "begins"))
            made.append(Told(other.say(kind, v=value, w=before), kind, sibling, day(), value))
    for attribute in rng.sample(story.field.attributes, min(2, len(story.field.attributes))):
        if attribute is not story.attribute:
            other = Story(story.field, attribute, story.subject, rng, values(attribute.kind, rng))
            kind = rng.choice(("holds", "begins"))
            made.append(Told(other.say(kind, v=other.fresh(), w=other.fresh()), kind, story.subject, day()))
    for line in rng.sample(story.attribute.lines["o"], min(2, len(story.attribute.lines["o"]))):
        value = story.fresh(*avoid)
        if value:
            made.append(Told(story.fill(line, u=value, day=day()), "other", story.subject, day()))
    return made


def _note(
    one: Told, story: Story, beside: Sequence[Told], rng: random.Random
) -> tuple[Evidence, list[tuple[int, int, int]]]:
    """A note around a sentence, and the kinds of its sentences by their characters."""
    parts: list[tuple[str, StateKind]] = [(one.text, one.kind)]
    more = [(line, KINDS[0]) for line in story.field.fillers]
    clear = [(each.text, each.kind) for each in beside if _names(each.text, each.subject)]
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        extra = rng.choice(more if (more and rng.random() < 0.6) or not clear else clear)
        if extra not in parts:
            parts.append(extra)
    rng.shuffle(parts)
    listed = any(text.startswith(("-", "|")) or text.endswith(one.value or "\0") for text, _ in parts)
    between = "\n" if listed or rng.random() < 0.25 else " "
    journal = rng.random() < 0.12
    text = "" if journal else story.fill(rng.choice(_OPENINGS)) if rng.random() < 0.4 else ""
    if text and not text.endswith((" ", "\n")):
        text += " "
    kinds = []
    for line, kind in parts:
        if journal:
            text += f"{written(one.day if line == one.text else one.day - rng.randint(1, 20), rng)}: "
        kinds.append((len(text), len(text) + len(line), KINDS.index(kind)))
        text += line + ("\n" if journal else between)
    # A sentence that does not name its subject is told under its name.
    title = story.fill(rng.choice(_TITLES)) if _names(one.text, one.subject) else _capital(one.subject)
    year, month, day = civil_from_days(one.day)
    published = Interval.of_day(year, month, day) if rng.random() < 0.9 else None
    return Evidence.make(text.rstrip(), title=title, published=published), kinds


def _journal(
    told: Sequence[Told], holding: Sequence[Told], answers: Sequence[str], story: Story
) -> tuple[Evidence, list[tuple[int, int, int]], list[tuple[int, int]]]:
    """The story in one note with a date over each entry; also the characters of its right answers."""
    rng, text, kinds, spans = story.rng, "", [], []
    form = rng.choice(("{}: ", "{}\n", "## {}\n", "[{}] "))
    for one in told:
        text += form.format(written(one.day, rng))
        start = len(text)
        kinds.append((start, start + len(one.text), KINDS.index(one.kind)))
        if one in holding:
            found = [(answer, one.text.find(answer)) for answer in answers if answer in one.text]
            spans += [(start + place, start + place + len(answer)) for answer, place in found]
        text += one.text + "\n"
        if story.field.fillers and rng.random() < 0.4:
            text += rng.choice(story.field.fillers) + "\n"
    title = _capital(story.subject)
    published = Interval.of_day(*civil_from_days(told[-1].day)) if rng.random() < 0.6 else None
    return Evidence.make(text.rstrip(), title=title, published=published), kinds, spans


def _question(story: Story, text: str, day: int, dated: bool, rng: random.Random, *, plain: bool):  # type: ignore[no-untyped-def]
    year, month, number = civil_from_days(day)
    if not dated:
        return decompose(text, as_of=datetime(year, month, number, 23, 59, tzinfo=UTC))
    when = rng.choice(
        (
            f"on {number} {MONTHS[month - 1]} {year}",
            f"as of {number} {MONTHS[month - 1]} {year}",
            f"on {year}-{month:02}-{number:02}",
        )
    )
    if not plain and rng.random() < 0.4:
        text = story.fill(rng.choice(_PAST_ASKED), t=when)
    else:
        text = f"{text.rstrip('?')} {when}?"
    return decompose(text, as_of=AS_OF)


def _names(text: str, subject: str) -> bool:
    return subject.lower() in text.lower()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
