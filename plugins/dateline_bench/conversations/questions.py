"""Questions about a world with their answers (ERASE, table 11)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from dateline_bench.conversations.talk import ConversationChunk
from dateline_bench.conversations.world import RELATIONS, SINGLE

TEMPLATES = {
    "job": "What is the job title of {subject}?",
    "company": "At which company does {subject} work?",
    "work location": "In which city does {subject} work?",
    "boss": "Who is the boss of {subject}?",
    "salary": "What is the salary of {subject}?",
    "industry": "In which industry does {subject} work?",
    "employed": "Does {subject} work full-time or part-time?",
    "work hours": "What are the work hours of {subject}?",
    "workplace": "What type of workplace does {subject} work out of?",
    "spouse": "Who is the spouse of {subject}?",
    "coworkers": "List all coworkers of {subject}.",
    "hobbies": "List all hobbies of {subject}.",
    "equipment": "List all hobby equipment of {subject}.",
    "parents": "List all parents of {subject}.",
    "children": "List all children of {subject}.",
    "siblings": "List all siblings of {subject}.",
    "parents-in-law": "List all parents-in-law of {subject}.",
    "children-in-law": "List all children-in-law of {subject}.",
    "step-parents": "List all step-parents of {subject}.",
    "step-children": "List all step-children of {subject}.",
}


@dataclass(frozen=True, slots=True)
class WorldQuestion:
    """One question after a chunk.

    Attributes:
        question: its words.
        relation: which relation it asks for.
        choices: for one value, all that the relation has for anybody at any time of the conversation; for a list, the
            values of all relations of everybody until now, most of which are no answer to anything like it.
        answers: the right ones; exactly one where the relation is single-valued.
        updates: how often the right answer has changed since the conversation began.
    """

    question: str
    relation: str
    choices: tuple[str, ...]
    answers: frozenset[str]
    updates: int

    @property
    def several(self) -> bool:
        return self.relation not in SINGLE


def questions(chunks: Sequence[ConversationChunk], at: int, *, rng: random.Random) -> list[WorldQuestion]:
    """Ask all questions a chunk changed, and as many unchanged.

    Drawn among all that can be asked: a list may be empty, a single value must exist. After a chunk without a transition
    there are none.
    """
    transition = chunks[at].transition
    if transition is None:
        return []
    world, differing = transition.after, set(transition.changed())
    pairs = [
        (person, relation)
        for person in world.people
        for relation in RELATIONS
        if relation not in SINGLE or world.values(person, relation)
    ]
    changed = [pair for pair in pairs if pair in differing]
    unchanged = [pair for pair in pairs if pair not in differing]
    drawn = rng.sample(unchanged, min(len(changed), len(unchanged)))
    return [_ask(chunks, at, person, relation) for person, relation in [*changed, *drawn]]


def _ask(chunks: Sequence[ConversationChunk], at: int, person: str, relation: str) -> WorldQuestion:
    known = [chunk.transition for chunk in chunks[: at + 1] if chunk.transition is not None]
    # A list is to be made, not chosen: only a single value may be told from those that are still to come (section 5.1).
    single = relation in SINGLE
    worlds = [chunk.world for chunk in (chunks if single else chunks[: at + 1])]
    kinds = [relation] if single else list(RELATIONS)
    values = {
        value for world in worlds for other in world.people for kind in kinds for value in world.values(other, kind)
    }
    return WorldQuestion(
        question=TEMPLATES[relation].format(subject=person),
        relation=relation,
        choices=tuple(sorted(values)),
        answers=chunks[at].world.values(person, relation),
        updates=sum((person, relation) in transition.changed() for transition in known),
    )
