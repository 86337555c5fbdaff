"""Transitions of a world (ERASE, table 10), drawn with equal chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from dateline_bench.conversations.world import HOURS, RELATIONS, SALARIES, World

Kind = Literal["job", "spouse", "adoption", "hobby", "salary", "hours"]


@dataclass(frozen=True, slots=True)
class WorldTransition:
    """One step: what happened, and the worlds before and after.

    Attributes:
        kind: what happened.
        subject: the person, or the job's name for "salary" and "hours".
        value: the new job, spouse, child, hobby, salary or hours, as told.
        immediate: the (person, relation) pairs that the event itself names.
    """

    kind: Kind
    subject: str
    value: str
    before: World
    after: World
    immediate: frozenset[tuple[str, str]]

    def changed(self) -> list[tuple[str, str]]:
        """Return every (person, relation) that differs, in a fixed order."""
        return [
            (person, relation)
            for person in self.after.people
            for relation in RELATIONS
            if self.before.values(person, relation) != self.after.values(person, relation)
        ]


def sample(world: World, rng: random.Random) -> WorldTransition:
    """Draw a transition that changes something, uniformly over kinds."""
    kinds = list(_DRAW)
    rng.shuffle(kinds)
    for kind in kinds:
        found = _DRAW[kind](world, rng)
        if found is not None and found.changed():
            return found
    raise RuntimeError("A world of ten people always allows a change of job.")


def _job(world: World, rng: random.Random) -> WorldTransition:
    person = rng.choice(world.people)
    jobs = [job for job in world.jobs.values() if job.company != world.job(person).company]
    job = rng.choice(jobs)
    after = replace(world, job_of={**world.job_of, person: job.name})
    return WorldTransition("job", person, job.name, world, after, frozenset({(person, "job"), (person, "company")}))


def _spouse(world: World, rng: random.Random) -> WorldTransition | None:
    person = rng.choice(world.people)
    kin = world.parents_of(person) | world.children(person) | world.siblings(person) | world.spouse(person)
    free = [other for other in world.people if other != person and other not in kin and other not in world.spouses]
    if not free:
        return None
    new = rng.choice(free)
    spouses = {one: other for one, other in world.spouses.items() if person not in (one, other)}
    after = replace(world, spouses={**spouses, person: new, new: person})
    left = world.spouse(person)
    named = frozenset((one, "spouse") for one in (person, new, *left))
    return WorldTransition("spouse", person, new, world, after, named)


def _adoption(world: World, rng: random.Random) -> WorldTransition | None:
    person = rng.choice(world.people)
    kin = world.parents_of(person) | world.siblings(person) | world.spouse(person) | world.parents_in_law(person)
    free = [
        child
        for child in world.people
        if child != person and child not in kin and len(world.parents_of(child)) < 2 and not world.children(child)
    ]
    free = [child for child in free if person not in world.parents_of(child)]
    if not free:
        return None
    child = rng.choice(free)
    parents: Mapping[str, frozenset[str]] = {**world.parents, child: world.parents_of(child) | {person}}
    named = frozenset({(person, "children"), (child, "parents")})
    return WorldTransition("adoption", person, child, world, replace(world, parents=parents), named)


def _hobby(world: World, rng: random.Random) -> WorldTransition | None:
    person = rng.choice(world.people)
    have = world.hobbies.get(person, frozenset())
    free = sorted(set(world.equipment) - have)
    if not free:
        return None
    hobby = rng.choice(free)
    after = replace(world, hobbies={**world.hobbies, person: have | {hobby}})
    return WorldTransition("hobby", person, hobby, world, after, frozenset({(person, "hobbies")}))


def _salary(world: World, rng: random.Random) -> WorldTransition:
    job = world.job(rng.choice(world.people))
    salary = rng.choice([salary for salary in SALARIES if salary != job.salary])
    after = replace(world, jobs={**world.jobs, job.name: replace(job, salary=salary)})
    return WorldTransition("salary", job.name, f"${salary},000", world, after, frozenset())


def _hours(world: World, rng: random.Random) -> WorldTransition:
    job = world.job(rng.choice(world.people))
    hours = rng.choice([hours for hours in HOURS if hours != job.hours])
    after = replace(world, jobs={**world.jobs, job.name: replace(job, hours=hours)})
    return WorldTransition("hours", job.name, f"{hours[0]}:00 to {hours[1]}:00", world, after, frozenset())


_DRAW: dict[Kind, Callable[[World, random.Random], WorldTransition | None]] = {
    "job": _job,
    "spouse": _spouse,
    "adoption": _adoption,
    "hobby": _hobby,
    "salary": _salary,
    "hours": _hours,
}
