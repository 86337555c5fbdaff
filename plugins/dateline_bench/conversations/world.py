"""A small world of people and its relations (ERASE, table 9)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from dateline.text.words import words

RULES = Path(__file__).with_name("rules.toml")
"""What holds in these worlds beside what holds in any, as a pack of attributes."""

PEOPLE, COMPANIES = 10, 5
"""How many of each a world holds (ERASE, appendix B.2)."""

_NAMES = "Ada Ben Cleo Dario Elif Femi Greta Hugo Ines Jon Kaia Liang Mona Nils Oda Pavel Rosa Sven Tara Umut Vera Wim Yara Zoe"
_COMPANIES = (
    ("Brandt Lines", "Lundby", "shipping", "office"),
    ("Tolvex", "Oberau", "software", "office"),
    ("Maar Clinic", "Lundby", "health", "hospital"),
    ("Holt Gardens", "Felsen", "farming", "greenhouse"),
    ("Aske Press", "Oberau", "publishing", "newsroom"),
    ("Norland Rail", "Karsund", "transport", "depot"),
    ("Quill Museum", "Felsen", "culture", "museum"),
    ("Ferro Works", "Karsund", "steel", "factory"),
)
_TITLES = tuple(
    words(
        "accountant analyst archivist clerk cook designer driver editor electrician engineer guard inspector librarian mechanic"
        " nurse painter planner porter technician translator"
    )
)
_HOBBIES = {
    "rowing": ("boat", "oars"),
    "baking": ("oven", "whisk"),
    "cycling": ("bicycle", "helmet"),
    "painting": ("easel", "brushes"),
    "climbing": ("rope", "harness"),
    "chess": ("chessboard",),
    "fishing": ("rod", "bait"),
    "pottery": ("wheel", "clay"),
}
JOBS_EACH = 4
SALARIES = tuple(range(30, 160, 10))
HOURS = ((8, 16), (9, 17), (10, 15), (11, 19), (6, 14), (12, 20))


@dataclass(frozen=True, slots=True)
class WorldCompany:
    """Company: what never changes; `head` works nowhere else."""

    name: str
    city: str
    industry: str
    workplace: str
    head: str


@dataclass(frozen=True, slots=True)
class WorldJob:
    """Job at a company: thousands of dollars, hours (from, to)."""

    title: str
    company: str
    salary: int
    hours: tuple[int, int]
    full_time: bool

    @property
    def name(self) -> str:
        return f"{self.title} at {self.company}"


@dataclass(frozen=True, slots=True)
class World:
    """One state. Marriages are kept in both directions."""

    companies: Mapping[str, WorldCompany]
    jobs: Mapping[str, WorldJob]
    equipment: Mapping[str, tuple[str, ...]]
    job_of: Mapping[str, str]
    spouses: Mapping[str, str]
    parents: Mapping[str, frozenset[str]]
    hobbies: Mapping[str, frozenset[str]]

    @property
    def people(self) -> tuple[str, ...]:
        return tuple(self.job_of)

    def job(self, person: str) -> WorldJob:
        return self.jobs[self.job_of[person]]

    def company(self, person: str) -> WorldCompany:
        return self.companies[self.job(person).company]

    def spouse(self, person: str) -> frozenset[str]:
        return frozenset({self.spouses[person]} if person in self.spouses else ())

    def parents_of(self, person: str) -> frozenset[str]:
        return self.parents.get(person, frozenset())

    def children(self, person: str) -> frozenset[str]:
        return frozenset(child for child, parents in self.parents.items() if person in parents)

    def coworkers(self, person: str) -> frozenset[str]:
        here = self.job(person).company
        return frozenset(other for other in self.people if other != person and self.job(other).company == here)

    def siblings(self, person: str) -> frozenset[str]:
        return frozenset(child for parent in self.parents_of(person) for child in self.children(parent)) - {person}

    def parents_in_law(self, person: str) -> frozenset[str]:
        return frozenset(parent for spouse in self.spouse(person) for parent in self.parents_of(spouse))

    def children_in_law(self, person: str) -> frozenset[str]:
        return frozenset(spouse for child in self.children(person) for spouse in self.spouse(child))

    def step_parents(self, person: str) -> frozenset[str]:
        parents = self.parents_of(person)
        return frozenset(spouse for parent in parents for spouse in self.spouse(parent)) - parents

    def step_children(self, person: str) -> frozenset[str]:
        return frozenset(child for spouse in self.spouse(person) for child in self.children(spouse)) - self.children(
            person
        )

    def values(self, person: str, relation: str) -> frozenset[str]:
        """Return a relation's values for a person.

        Raises `KeyError` for an unknown relation.
        """
        return RELATIONS[relation](self, person)


def hours_text(hours: tuple[int, int]) -> str:
    """ "9:00 to 17:00" """
    return f"{hours[0]}:00 to {hours[1]}:00"


def _one(value: str) -> frozenset[str]:
    return frozenset({value})


RELATIONS: dict[str, Callable[[World, str], frozenset[str]]] = {
    "job": lambda world, person: _one(world.job(person).title),
    "company": lambda world, person: _one(world.job(person).company),
    "work location": lambda world, person: _one(world.company(person).city),
    "boss": lambda world, person: _one(world.company(person).head),
    "salary": lambda world, person: _one(f"${world.job(person).salary},000"),
    "industry": lambda world, person: _one(world.company(person).industry),
    "employed": lambda world, person: _one("full-time" if world.job(person).full_time else "part-time"),
    "work hours": lambda world, person: _one(hours_text(world.job(person).hours)),
    "workplace": lambda world, person: _one(world.company(person).workplace),
    "spouse": World.spouse,
    "coworkers": World.coworkers,
    "hobbies": lambda world, person: world.hobbies.get(person, frozenset()),
    "equipment": lambda world, person: frozenset(
        thing for hobby in world.hobbies.get(person, ()) for thing in world.equipment[hobby]
    ),
    "parents": World.parents_of,
    "children": World.children,
    "siblings": World.siblings,
    "parents-in-law": World.parents_in_law,
    "children-in-law": World.children_in_law,
    "step-parents": World.step_parents,
    "step-children": World.step_children,
}
"""The relations of a person (ERASE, table 9), as sets of names and values."""

SINGLE = frozenset(
    ("job", "company", "work location", "boss", "salary", "industry", "employed", "work hours", "workplace", "spouse")
)
"""Relations that hold one value at a time."""


def make_world(rng: random.Random) -> World:
    """Make a world of ten people at five companies."""
    names = rng.sample(_NAMES.split(), PEOPLE + COMPANIES)
    people, heads = names[:PEOPLE], names[PEOPLE:]
    companies = {
        name: WorldCompany(name, city, industry, workplace, head)
        for (name, city, industry, workplace), head in zip(rng.sample(_COMPANIES, COMPANIES), heads, strict=True)
    }
    jobs = [_job(rng, title, company) for company in companies for title in rng.sample(_TITLES, JOBS_EACH)]
    old, young = people[:6], people[6:]
    spouses = {old[0]: old[1], old[1]: old[0], old[2]: old[3], old[3]: old[2]}
    couples = (frozenset(old[:2]), frozenset(old[2:4]))
    hobbies = {person: frozenset(rng.sample(sorted(_HOBBIES), rng.randint(0, 2))) for person in people}
    return World(
        companies=companies,
        jobs={job.name: job for job in jobs},
        equipment=_HOBBIES,
        job_of={person: rng.choice(jobs).name for person in people},
        spouses=spouses,
        parents={child: couples[number % 2] for number, child in enumerate(young[:3])},
        hobbies=hobbies,
    )


def _job(rng: random.Random, title: str, company: str) -> WorldJob:
    return WorldJob(title, company, rng.choice(SALARIES), rng.choice(HOURS), rng.random() < 0.6)
