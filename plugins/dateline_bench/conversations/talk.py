"""Conversations about a changing world, by templates or a chat model.

Twelve chunks (ERASE, section 4.2): before every transition the two speakers talk of what it will touch, then of the
transition itself. In the single-hop setting that chunk says everything that follows from it; in the multi-hop setting it
says only what happened, and the chunk before has said what the rest can be inferred from (appendix B.2).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal

from dateline.chat import reply_text
from dateline.errors import ModelFailed
from dateline.language.names import CAPITAL, LetterPattern
from dateline_bench.conversations.transitions import WorldTransition, sample
from dateline_bench.conversations.world import RELATIONS, SINGLE, World, WorldJob, hours_text, make_world

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Setting = Literal["single", "multi"]
"""Whether a chunk says all that a transition changes, or only the transition."""

STEPS = 6
"""Transitions of a conversation: one between every other of its twelve chunks."""

_FIRST_DAY, _APART = date(2023, 1, 2), timedelta(days=7)

_HOLDS = {
    "job": ("{S} work{s} as {a} {v}.", "{Sp} job title is {v}."),
    "company": ("{S} work{s} at {v}.", "{S} {am} employed at {v}."),
    "work location": ("{S} work{s} in the city of {v}.", "{Sp} work location is {v}."),
    "boss": ("{Sp} boss is {v}.", "The boss of {O} is {v}."),
    "salary": ("{Sp} salary is {v}.", "{S} earn{s} a salary of {v}."),
    "industry": ("{S} work{s} in the {v} industry.", "{Sp} industry is {v}."),
    "employed": ("{S} work{s} {v}.", "{S} {am} employed {v}."),
    "work hours": ("{Sp} work hours are {v}.", "{S} work{s} from {v}."),
    "workplace": ("{S} work{s} out of {a} {v}.", "{Sp} workplace is {a} {v}."),
    "spouse": ("{S} {am} married to {v}.", "{Sp} spouse is {v}."),
    "coworkers": ("{v} is a coworker of {O}.", "{S} and {v} are coworkers."),
    "hobbies": ("{V} is a hobby of {O}.", "{Sp} hobbies include {v}."),
    "equipment": ("{S} need{s} {v} as equipment for a hobby.", "{Sp} hobby equipment includes {v}."),
    "parents": ("{v} is a parent of {O}.", "{Sp} parents include {v}."),
    "children": ("{v} is a child of {O}.", "{Sp} children include {v}."),
    "siblings": ("{v} is a sibling of {O}.", "{S} and {v} are siblings."),
    "parents-in-law": ("{v} is a parent-in-law of {O}.", "{Sp} parents-in-law include {v}."),
    "children-in-law": ("{v} is a child-in-law of {O}.", "{Sp} children-in-law include {v}."),
    "step-parents": ("{v} is a step-parent of {O}.", "{Sp} step-parents include {v}."),
    "step-children": ("{v} is a step-child of {O}.", "{Sp} step-children include {v}."),
}
_ENDED = {
    "spouse": "{S} {am} no longer married to {v}.",
    "coworkers": "{v} is no longer a coworker of {O}.",
    "parents-in-law": "{v} is no longer a parent-in-law of {O}.",
    "children-in-law": "{v} is no longer a child-in-law of {O}.",
    "step-parents": "{v} is no longer a step-parent of {O}.",
    "step-children": "{v} is no longer a step-child of {O}.",
}
_HAPPENED = {
    "job": ("{S} changed jobs and now work{s} as {v}.", "{S} started a new job as {v}."),
    "spouse": ("{S} married {v}.", "{S} and {v} got married."),
    "adoption": ("{S} adopted {v}.", "{v} was adopted by {O}."),
    "hobby": ("{S} took up {v} as a new hobby.",),
    "salary": ("The salary of {s1} is now {v}.",),
    "hours": ("The work hours of {s1} are now {v}.",),
}
_GREETINGS = ("Good to hear from you, {other}!", "Hello {other}, how have you been?", "Hi {other}, what is new?")

_PROMPT = (
    "Write a friendly conversation between {first} and {second} in lines that begin with the speaker's name and a colon. "
    "Every statement below must be said by one of them, with every name and number as it stands; the one it is about "
    "says it as I. Say nothing else that could be a fact about anybody.\n\n{statements}"
)


@dataclass(frozen=True, slots=True)
class ConversationChunk:
    """One sitting: what is said, by whom, in order.

    Attributes:
        day: the date of it.
        lines: (speaker, text) of each turn.
        world: the state in which it takes place.
        transition: what happened just before, if anything did.
    """

    day: date
    lines: tuple[tuple[str, str], ...]
    world: World
    transition: WorldTransition | None = None

    @property
    def text(self) -> str:
        return "\n".join(f"{speaker}: {said}" for speaker, said in self.lines)


def conversation(
    rng: random.Random, *, setting: Setting, steps: int = STEPS, model: BaseChatModel | None = None
) -> list[ConversationChunk]:
    """Make a conversation: one opening chunk, then two a transition.

    Args:
        model: a chat model that words every chunk; what it leaves out or garbles is said by templates.
    """
    world = make_world(rng)
    speakers: tuple[str, str] = tuple(rng.sample(world.people, 2))  # type: ignore[assignment]
    day = _FIRST_DAY
    chunks = [_chunk(day, _everything(world), speakers, rng, world=world)]
    for _ in range(steps):
        transition = sample(world, rng)
        world = transition.after
        before = _auxiliary(transition) if setting == "multi" else []
        chunks.append(_chunk(day := day + _APART, before, speakers, rng, world=transition.before))
        said = [_event(transition), *(_consequences(transition) if setting == "single" else [])]
        chunks.append(_chunk(day := day + _APART, said, speakers, rng, world=world, transition=transition))
    return chunks if model is None else [rewrite(chunk, model=model) for chunk in chunks]


def rewrite(chunk: ConversationChunk, *, model: BaseChatModel) -> ConversationChunk:
    """Rewrite a chunk by a chat model, or keep it.

    It is kept where the reply is no conversation that says the same.

    Raises:
        ModelFailed: when the model fails.
    """
    speakers = list(dict.fromkeys(speaker for speaker, _ in chunk.lines))
    if len(speakers) < 2:
        return chunk
    statements = "\n".join(f"{speaker}: {said}" for speaker, said in chunk.lines)
    prompt = _PROMPT.format(first=speakers[0], second=speakers[1], statements=statements)
    try:
        reply = reply_text(model.invoke(prompt))
    except Exception as cause:
        raise ModelFailed(f"The chat model failed while writing a conversation: {type(cause).__name__}.") from cause
    lines = tuple(
        (match["speaker"], match["said"].strip())
        for line in reply.splitlines()
        if (match := _LINE.match(line.strip())) and match["speaker"] in speakers
    )
    kept = _telling(said for _, said in chunk.lines) <= _telling(said for _, said in lines)
    return ConversationChunk(chunk.day, lines, chunk.world, chunk.transition) if lines and kept else chunk


_LINE = re.compile(r"(?:\*\*)?(?P<speaker>\w+)(?:\*\*)?:(?:\*\*)?\s*(?P<said>\S.*)")


def _telling(texts: Iterable[str]) -> set[str]:
    """The names and numbers of what was said."""
    return {word for text in texts for word in _TOLD.findall(text) if word not in _OPENERS}


_TOLD = LetterPattern(rf"{CAPITAL}\w+|\d[\d,:]*\d")
_OPENERS = frozenset({"Good", "Hello", "Hi", "The"})


@dataclass(frozen=True, slots=True)
class _FilledTemplate:
    """A template with whom it is about."""

    template: str
    subject: str
    value: str


def _chunk(
    day: date,
    said: Sequence[_FilledTemplate],
    speakers: tuple[str, str],
    rng: random.Random,
    *,
    world: World,
    transition: WorldTransition | None = None,
) -> ConversationChunk:
    """Turn statements into turns of two speakers."""
    lines = [(speaker, rng.choice(_GREETINGS).format(other=other)) for speaker, other in (speakers, speakers[::-1])]
    for one in said:
        speaker = one.subject if one.subject in speakers else rng.choice(speakers)
        lines.append((speaker, _worded(one, speaker=speaker)))
    return ConversationChunk(day, tuple(lines), world, transition)


def _worded(said: _FilledTemplate, *, speaker: str) -> str:
    own = said.subject == speaker
    value = "me" if said.value == speaker else said.value
    opening = "I" if value == "me" and said.template.startswith("{v} is") else value
    text = said.template.replace("{v} is", "{v} am") if opening == "I" else said.template
    first = opening if text.startswith("{v}") else value
    return text.format(
        S="I" if own else said.subject,
        Sp="My" if own else f"{said.subject}'s",
        O="me" if own else said.subject,
        s="" if own else "s",
        am="am" if own else "is",
        a="an" if said.value[:1] in "aeiou" else "a",
        v=first,
        V=said.value.capitalize(),
        s1=_with_article(said.subject),
    )


def _everything(world: World) -> list[_FilledTemplate]:
    """State everybody's relations."""
    return [
        _FilledTemplate(_HOLDS[relation][number % len(_HOLDS[relation])], person, value)
        for number, person in enumerate(world.people)
        for relation in RELATIONS
        for value in sorted(world.values(person, relation))
    ]


def _event(transition: WorldTransition) -> _FilledTemplate:
    templates = _HAPPENED[transition.kind]
    value = _with_article(transition.value) if transition.kind == "job" else transition.value
    return _FilledTemplate(templates[len(transition.value) % len(templates)], transition.subject, value)


def _consequences(transition: WorldTransition) -> list[_FilledTemplate]:
    """Everything that a transition changes, what it ends included."""
    said = []
    for number, (person, relation) in enumerate(transition.changed()):
        before, after = (world.values(person, relation) for world in (transition.before, transition.after))
        said += [
            _FilledTemplate(_HOLDS[relation][number % len(_HOLDS[relation])], person, new)
            for new in sorted(after - before)
        ]
        if relation in _ENDED and (relation not in SINGLE or not after):
            said += [_FilledTemplate(_ENDED[relation], person, old) for old in sorted(before - after)]
    return said


def _auxiliary(transition: WorldTransition) -> list[_FilledTemplate]:
    """State what a transition's object implies."""
    world = transition.before
    if transition.kind == "job":
        return _of_job(world, world.jobs[transition.value])
    if transition.kind == "hobby":
        things = world.equipment[transition.value]
        return [_FilledTemplate(f"One needs {{v}} as equipment for {transition.value}.", "", thing) for thing in things]
    if transition.kind in ("spouse", "adoption"):
        people = [transition.value, *sorted(world.spouse(transition.value))]
        return [
            _FilledTemplate(_HOLDS[relation][0], person, value)
            for person in people
            for relation in ("parents", "children", "spouse")
            for value in sorted(world.values(person, relation))
        ]
    title = transition.subject
    return [
        _FilledTemplate("{S} work{s} as {v}.", person, _with_article(title))
        for person in world.people
        if world.job_of[person] == title
    ]


def _of_job(world: World, job: WorldJob) -> list[_FilledTemplate]:
    company, name = world.companies[job.company], _with_article(job.name)
    return [
        _FilledTemplate(f"The salary of {name} is {{v}}.", "", f"${job.salary},000"),
        _FilledTemplate(f"The work hours of {name} are {{v}}.", "", hours_text(job.hours)),
        _FilledTemplate(f"The work of {name} is {{v}}.", "", "full-time" if job.full_time else "part-time"),
        _FilledTemplate(f"{company.name} is in the city of {{v}}.", "", company.city),
        _FilledTemplate(f"The head of {company.name} is {{v}}.", "", company.head),
        _FilledTemplate(f"{company.name} is in the {{v}} industry.", "", company.industry),
        _FilledTemplate(f"{company.name} works out of a {{v}}.", "", company.workplace),
        *(
            _FilledTemplate("{S} work{s} at {v}.", person, job.company)
            for person in world.people
            if world.job(person).company == job.company
        ),
    ]


def _with_article(name: str) -> str:
    return f"an {name}" if name[:1] in "aeiou" else f"a {name}"
