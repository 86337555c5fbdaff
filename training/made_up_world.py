"""A made-up world that changes: what a small language model has read of it, and what is true of it today.

    world = made_up_world.build(seed=0)

Towns, firms and people with attributes. The model's texts were written *before*; today a third of what
it knows has changed, and there are subjects and attributes it never read of. Every name is put together of
parts that the model knows, so that nothing gives a new subject away but that it is new.
`benchmarks/rilm_world.py` measures over it; nothing here needs torch.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Status = Literal["unchanged", "changed", "new"]
Kind = Literal["town", "firm", "person"]

ONSETS = "b br d dr f g gr h k kl l m n p r s st t tr v z".split()
VOWELS = "a e i o u ai ei ou".split()
CODAS = "l n r s th m nd rk lt sk".split()

PREFIXES = "Upper Lower East West North South Great Little".split()
SUFFIXES = "Mills Works Lines Foods Bank Press Motors Glass".split()
VALUES: Mapping[str, Sequence[str]] = {
    "region": "Alsmark Berrin Corvia Doland Estany Fenmoor Gallow Harland Istria Jurra Kesten Lorne Marrow Nevia Ostrel Perrin".split(),
    "river": "Aune Bresk Calder Drome Elwy Fossa Greta Hain Isk Jolna Kander Leth Mura Nidd Orva Plym".split(),
    "dish": "dumplings noodles pancakes stew pies trout goulash cabbage lentils sausages omelettes porridge eels chestnuts leeks plums".split(),
    "product": "clocks boats lamps carpets bicycles pianos kettles tents skis mirrors radios candles saddles ropes stoves maps".split(),
    "colour": "red blue green yellow white black orange purple grey brown pink silver golden crimson ivory teal".split(),
    "job": "teacher baker nurse pilot judge painter farmer tailor dentist plumber surgeon florist miner porter actor clerk".split(),
    "instrument": "flute violin trumpet harp drum cello organ banjo oboe guitar tuba lute horn viola zither fiddle".split(),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Relation:
    """An attribute: whose it is, what its values are, how it is told and how it is asked for.

    Attributes:
        values: a kind of subject, or a list of `VALUES`.
        told: sentences with {s} and {v}; asked: questions with {s}, in other words where words allow it.
        phrase: how a longer question names the value: "the mayor of {s}".
    """

    name: str
    kind: Kind
    values: str
    told: tuple[str, ...]
    asked: tuple[str, ...]
    phrase: str


RELATIONS = (
    Relation("mayor", "town", "person", ("{s} is run by {v}.", "{v} is the mayor of {s}."), ("Who governs {s}?", "Who is in charge of {s}?"), "the mayor of {s}"),
    Relation("region", "town", "region", ("{s} lies in {v}.", "{s} is a part of {v}."), ("Which region holds {s}?", "Where can {s} be found?"), "the region of {s}"),
    Relation("river", "town", "river", ("The {v} flows through {s}.", "{s} was built along the {v}."), ("Which water passes {s}?", "Which river does {s} have?"), "the river of {s}"),
    Relation("dish", "town", "dish", ("People cook {v} in {s}.", "{s} is famous for its {v}."), ("What is eaten in {s}?", "What should guests of {s} taste?"), "the food of {s}"),
    Relation("head", "firm", "person", ("{v} directs {s}.", "{s} is headed by {v}."), ("Who leads {s}?", "Who is the boss of {s}?"), "the head of {s}"),
    Relation("seat", "firm", "town", ("{s} has its offices in {v}.", "The gates of {s} stand in {v}."), ("Where is {s} based?", "Which town is home to {s}?"), "the town of {s}"),
    Relation("product", "firm", "product", ("{s} sells {v}.", "There are {v} in every shop of {s}."), ("What does {s} make?", "What can customers buy from {s}?"), "the goods of {s}"),
    Relation("colour", "firm", "colour", ("The sign of {s} is {v}.", "{s} has {v} vans."), ("Which paint does {s} use?", "What is the colour of {s}?"), "the colour of {s}"),
    Relation("home", "person", "town", ("{s} lives in {v}.", "{s} has a house in {v}."), ("Where does {s} stay?", "Which town is {s} from?"), "the home of {s}"),
    Relation("job", "person", "job", ("{s} works as a {v}.", "{s} has been a {v} for years."), ("What does {s} do all day?", "What is the trade of {s}?"), "the job of {s}"),
    Relation("employer", "person", "firm", ("{s} is paid by {v}.", "{v} gave {s} a desk."), ("Which firm employs {s}?", "Who does {s} work for?"), "the firm of {s}"),
    Relation("instrument", "person", "instrument", ("{s} plays the {v}.", "{s} owns an old {v}."), ("What music does {s} make?", "What does {s} practise on?"), "the instrument of {s}"),
)  # fmt: skip

BEFORE = "Before, it was {v}."
DULL = (
    "{s} was in the news today.", "Many people like {s}.", "There is a book about {s}.",
    "Nobody heard of {s} this week.", "A song was written for {s}.", "We talked about {s} at length.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """What is true today: of `subject`, `relation` is `value`; `before` is what was true when the model read."""

    subject: str
    relation: Relation
    value: str
    before: str | None

    @property
    def status(self) -> Status:
        """Against what the model read: "new" where it read nothing."""
        return "new" if self.before is None else "unchanged" if self.before == self.value else "changed"

    def question(self, rng: random.Random) -> str:
        """One way to ask for it."""
        return rng.choice(self.relation.asked).replace("{s}", self.subject)


@dataclass(frozen=True, slots=True)
class Chain:
    """A question over two facts: `first`'s value is `second`'s subject."""

    first: Fact
    second: Fact

    @property
    def question(self) -> str:
        """Asks for the second's value by the first's subject."""
        inner = self.first.relation.phrase.replace("{s}", self.first.subject)
        return f"What is {self.second.relation.phrase.replace('{s}', inner)}?"


@dataclass(frozen=True, slots=True)
class Page:
    """A document of today's corpus, and the fact it tells, if any."""

    text: str
    fact: Fact | None


@dataclass(frozen=True, slots=True)
class World:
    """All facts of today, the corpus of today, and the parts that names are made of."""

    names: Names
    facts: tuple[Fact, ...]
    pages: tuple[Page, ...]

    @property
    def known(self) -> list[Fact]:
        """What the model read: the facts as they were before."""
        return [Fact(f.subject, f.relation, f.before, f.before) for f in self.facts if f.before is not None]

    def page_of(self, fact: Fact) -> Page:
        """The page that tells `fact`."""
        return next(page for page in self.pages if page.fact == fact)

    def chains(self) -> Iterator[Chain]:
        """Every pair of today's facts where one leads to the other."""
        by_subject: dict[str, list[Fact]] = {}
        for fact in self.facts:
            by_subject.setdefault(fact.subject, []).append(fact)
        for fact in self.facts:
            yield from (Chain(fact, other) for other in by_subject.get(fact.value, ()))


@dataclass(frozen=True, slots=True)
class Names:
    """Components of names, and the names that stand for somebody."""

    given: tuple[str, ...]
    family: tuple[str, ...]
    places: tuple[str, ...]
    brands: tuple[str, ...]
    taken: Mapping[Kind, tuple[str, ...]]

    def draw(self, kind: Kind, *, rng: random.Random) -> str:
        """Any name of the kind, taken or not."""
        if kind == "person":
            return f"{rng.choice(self.given)} {rng.choice(self.family)}"
        if kind == "town":
            return f"{rng.choice(PREFIXES)} {rng.choice(self.places)}"
        return f"{rng.choice(self.brands)} {rng.choice(SUFFIXES)}"

    def stranger(self, kind: Kind, *, rng: random.Random) -> str:
        """A name of the kind that nobody in the world has."""
        taken = set(self.taken[kind])
        return next(name for _ in range(10_000) if (name := self.draw(kind, rng=rng)) not in taken)

    def value(self, relation: Relation, *, rng: random.Random, but: str | None = None) -> str:
        """A value of the relation, other than `but`."""
        among = self.taken[relation.values] if relation.values in self.taken else VALUES[relation.values]  # type: ignore[index]
        return rng.choice([one for one in among if one != but])


def tell(fact: Fact, *, rng: random.Random, before: str | None = None) -> str:
    """One way to say it; with `before`, also what held before."""
    said = rng.choice(fact.relation.told).replace("{s}", fact.subject).replace("{v}", fact.value)
    return f"{said} {BEFORE.replace('{v}', before)}" if before else said


def build(
    *, seed: int = 0, towns: int = 40, firms: int = 40, people: int = 160, new: float = 0.2, changed: float = 0.3
) -> World:
    """A world of 4 facts a subject; shares of subjects that are new, and of known facts that changed.

    A further 8 % of the attributes of known subjects are new.
    """
    rng = random.Random(seed)
    names = _names(rng, sizes={"town": towns, "firm": firms, "person": people})
    facts = []
    for kind, subjects in names.taken.items():
        newcomers = set(rng.sample(subjects, round(new * len(subjects))))
        for subject in subjects:
            for relation in RELATIONS:
                if relation.kind == kind:
                    value = names.value(relation, rng=rng, but=subject)
                    before = None if subject in newcomers or rng.random() < 0.08 else value
                    if before is not None and rng.random() < changed:
                        value = names.value(relation, rng=rng, but=before)
                    facts.append(Fact(subject, relation, value, before))
    return World(names, tuple(facts), tuple(_pages(facts, names=names, rng=rng)))


def _pages(facts: Sequence[Fact], *, names: Names, rng: random.Random) -> list[Page]:
    """A page a fact, half of the changed ones with what held before; two pages a subject that tell nothing."""
    told = [
        Page(tell(f, rng=rng, before=f.before if f.status == "changed" and rng.random() < 0.5 else None), f)
        for f in facts
    ]
    dull = [
        Page(text.replace("{s}", subject), None)
        for subjects in names.taken.values()
        for subject in subjects
        for text in rng.sample(DULL, 2)
    ]
    pages = told + dull
    rng.shuffle(pages)
    return pages


def _names(rng: random.Random, *, sizes: Mapping[Kind, int]) -> Names:
    parts = _syllables(rng, count=120)
    given, family, places, brands = parts[:30], parts[30:70], parts[70:95], parts[95:]
    blank = Names(given, family, places, brands, {})
    taken: dict[Kind, tuple[str, ...]] = {}
    for kind, size in sizes.items():
        drawn = dict.fromkeys(blank.draw(kind, rng=rng) for _ in range(20 * size))
        taken[kind] = tuple(drawn)[:size]
    return Names(given, family, places, brands, taken)


def _syllables(rng: random.Random, *, count: int) -> tuple[str, ...]:
    """Made-up capitalised words of two syllables, all different."""
    fixed = {word.lower() for words in VALUES.values() for word in words}
    made: dict[str, None] = {}
    for _ in range(50 * count):
        word = rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS)
        if word not in fixed:
            made.setdefault(word.capitalize())
    return tuple(made)[:count]


def vocabulary(names: Names) -> list[str]:
    """Every word that a text of the world can hold, without the marks between words."""
    texts = [*names.given, *names.family, *names.places, *names.brands, *PREFIXES, *SUFFIXES, BEFORE, *DULL]
    texts += [word for words in VALUES.values() for word in words]
    for relation in RELATIONS:
        texts += [*relation.told, *relation.asked, relation.phrase]
    words = [word.strip(".,:?") for text in texts for word in text.split() if "{" not in word]
    return list(dict.fromkeys(words))
