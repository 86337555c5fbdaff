"""Everyday scenes in the way of captions: who does what to what, and where; told, told otherwise, and denied.

A scene is a small structure, so what follows from it is known: it may be told with fewer words or wider ones, and its
denial contradicts it. What merely differs from it (another actor, act, thing or place) is left open by it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import NamedTuple

from judge_words import ALIKE, BEINGS, THINGS


class Act(NamedTuple):
    """A verb as "-ing" form, its kinds of objects ("" for none), and words of the same, wider or opposite meaning."""

    verb: str
    objects: str = ""
    same: str = ""
    wider: str = ""
    opposite: str = ""
    passive: str = ""


def _acts(text: str) -> list[Act]:
    return [Act(*[part.strip() for part in line.split("|")][:6]) for line in text.strip().splitlines()]


ACTS = _acts(
    """
    playing|instrument||||played
    carrying|thing,tool,toy,piece of food,paper,device||holding||carried
    holding|thing,tool,toy,piece of food,paper,device,flower||||held
    cutting|piece of food,paper|slicing|||cut
    slicing|piece of food|cutting|||sliced
    chopping|vegetable,fruit,thing|cutting|||chopped
    peeling|vegetable,fruit||preparing||peeled
    eating|piece of food|consuming|||eaten
    cooking|piece of food|preparing|||cooked
    frying|piece of food||cooking||fried
    washing|vehicle,vegetable,fruit,piece of clothing,thing|cleaning|||washed
    cleaning|vehicle,thing,tool,device||||cleaned
    riding|bicycle,motorcycle,scooter,horse||||ridden
    driving|car,truck,bus,tractor,van||||driven
    pushing|vehicle,thing|shoving||pulling|pushed
    pulling|vehicle,thing|dragging||pushing|pulled
    opening|thing|||closing|opened
    closing|door,window,box,bag,jar,gate,suitcase|shutting||opening|closed
    throwing|toy,stick,piece of food|tossing||catching|thrown
    catching|toy,ball|||dropping|caught
    kicking|ball,football,toy||hitting||kicked
    chasing|ball,toy,rabbit,cat,dog|running after|||chased
    buying|piece of food,vehicle,piece of clothing,device|purchasing||selling|bought
    selling|piece of food,vehicle,piece of clothing,device|||buying|sold
    reading|paper||looking at||read
    painting|wall,fence,door,chair||||painted
    repairing|vehicle,device|fixing|||repaired
    breaking|thing,device|||repairing|broken
    lifting|thing,tool,log|raising||lowering|lifted
    filling|bottle,jar,box,bag|||emptying|filled
    wearing|piece of clothing||||worn
    taking off|piece of clothing|removing||putting on|taken off
    putting on|piece of clothing|||taking off|put on
    building|wall,fence,chair,boat|making|||built
    drawing|flower,tree,horse,dog|sketching|||drawn
    watching|television,bird,boat|looking at|||watched
    hugging|person,dog,child|embracing|||hugged
    feeding|animal,baby||giving food to||fed
    petting|dog,cat,horse,goat|stroking|touching||petted
    loading|truck,van,boat|||unloading|loaded
    climbing|wall,tree,ladder,fence|scaling|||climbed
    using|tool,device||||used
    paddling|canoe,kayak,raft|rowing|||paddled
    biting|stick,toy,hand||||bitten
    digging up|plant,bush||||dug up
    watering|flower,plant,bush||||watered
    brushing|horse,dog,hair||||brushed
    photographing|bird,tree,boat|taking a picture of|||photographed
    talking on|phone|speaking on||||
    typing on|keyboard,laptop||||
    jumping over|fence,log,wall,box|leaping over||||
    sitting on|bench,chair,bed,log,rock,table|||standing on|
    standing on|table,chair,rock,log,ladder|||sitting on|
    leaning against|wall,fence,tree,car||||
    running|||moving||
    walking|||moving||
    sprinting||running fast|running||
    jogging|||running||
    strolling||walking|walking||
    marching|||walking||
    jumping||leaping|||
    dancing||||
    singing||||
    swimming||||
    diving||||
    surfing||||
    skating||||
    skiing||||
    sleeping||napping|resting|||
    resting||relaxing|||
    sitting||||standing|
    standing||||sitting|
    lying down|||resting|standing up|
    crying||weeping||laughing|
    laughing||||crying|
    smiling||grinning||frowning|
    talking||speaking|||
    shouting||yelling|||
    whispering||||shouting|
    waiting||||
    playing||||
    playing soccer||playing football|playing||
    playing basketball|||playing||
    playing cards|||playing||
    exercising||working out|||
    lifting weights|||exercising||
    fishing||||
    hiking|||walking||
    studying||||
    working||||
    praying||||
    clapping||applauding|||
    drinking||||
    drinking water|||drinking||
    eating|||||
    cooking|||||
    smoking||||
    falling||||rising|
    flying||||
    climbing up||going up||climbing down|
    running away||fleeing|||
    fighting||||
    wrestling|||fighting||
    barking||||
    rolling||||
    waving||||
    camping||||
    juggling|||performing||
    doing a trick||performing a trick|||
    doing a handstand||||
    riding a wave||surfing|||
    putting on makeup||applying makeup|||
    taking a bath||bathing|||
    """
)
PLACES = [
    tuple(part.strip() for part in line.split("|"))
    for line in """
    in the park|outdoors|indoors
    on the beach|outdoors|indoors
    in the kitchen|indoors|outdoors
    on the street|outdoors|indoors
    in a field|outdoors|indoors
    in the garden|outdoors|indoors
    in the snow|outdoors|indoors
    in the water|in the water|on dry land
    in a pool|in the water|out of the water
    on a stage|on a stage|off the stage
    in a gym|indoors|outdoors
    in the forest|outdoors|indoors
    in a restaurant|indoors|outdoors
    near a lake|outdoors|indoors
    at the market||
    in an office|indoors|outdoors
    in a classroom|indoors|outdoors
    on a roof|outdoors|indoors
    on a mountain|outdoors|indoors
    in the grass|outdoors|indoors
    in front of a house||behind a house
    behind a building||in front of a building
    inside a tent||outside a tent
    under a tree||
    under a bridge||on a bridge
    on a bridge||under a bridge
    beside a river||
    at night||during the day
    in the morning||in the evening
    in the rain||
    near a window||far from a window
    on the floor||
    on a couch||
    in the dirt||
    at the airport||
    in a stadium||
    on a dirt road||
    in the desert||
    on the sidewalk||
    by the sea||
    with a friend||alone
    for the camera||
    quickly|fast|slowly
    slowly||quickly
    happily||sadly
    quietly||loudly
    """.strip().splitlines()
]
LOOKS = [
    tuple(part.strip() for part in entry.split("/"))
    for entry in [
        "young/old",
        " old/young",
        " small/big",
        " big/small",
        " little/large",
        " tall/short",
        " thin/fat",
        " tired/",
        " happy/sad",
        " wet/dry",
        " brown/",
        " white/",
        " black/",
        " blond/",
        " bald/",
        " bearded/",
        " large/small",
        " dirty/clean",
        " angry/calm",
        " strong/weak",
        " barefoot/",
        " blindfolded/",
        " shirtless/",
        " smiling/frowning",
        " muscular/",
        " elderly/young",
        " cute/",
        " playful/",
        " excited/bored",
    ]
]
WEAR = [
    f"in {article} {colour} {cloth}"
    for colour in ("red", "blue", "green", "black", "white", "yellow", "orange", "pink", "gray", "purple", "striped")
    for cloth in ("shirt", "jacket", "hat", "dress", "coat", "sweater", "uniform", "helmet", "cap")
    for article in ["an" if colour == "orange" else "a"]
]
COLOURS = (
    "red",
    "blue",
    "green",
    "black",
    "white",
    "yellow",
    "brown",
    "small",
    "large",
    "old",
    "new",
    "wooden",
    "broken",
)
COUNTS = ("two", "three", "four", "five")
_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "policeman": "policemen", "fish": "fish",
    "fireman": "firemen", "fisherman": "fishermen", "young person": "young people", "sheep": "sheep", "deer": "deer",
    "mouse": "mice", "wolf": "wolves", "baby": "babies", "lady": "ladies", "puppy": "puppies", "monkey": "monkeys",
    "donkey": "donkeys", "fox": "foxes", "cowboy": "cowboys", "boy": "boys", "bride": "brides", "coach": "coaches",
    "police officer": "police officers", "bunny": "bunnies",
}  # fmt: skip
ANIMAL_ACTS = frozenset(
    [
        "running",
        "walking",
        "jumping",
        "swimming",
        "sleeping",
        "resting",
        "sitting",
        "standing",
        "playing",
        "eating",
        "drinking",
        "barking",
        "rolling",
        "fighting",
        "flying",
    ]
) | {"chasing", "biting", "lying down", "running away", "drinking water", "catching", "climbing", "watching"}


@dataclass(frozen=True)
class Scene:
    """Who does what; every part may be empty but `who` and `act`."""

    who: str
    act: Act
    thing: str = ""
    count: str = ""
    """A number word for several; empty for one."""
    look: str = ""
    wear: str = ""
    colour: str = ""
    place: str = ""


def scene(rng: random.Random) -> Scene:
    """A scene of its own."""
    who = (
        rng.choice(list(BEINGS))
        if rng.random() < 0.6
        else rng.choice(["man", "woman", "boy", "girl", "dog", "cat", "person", "child"])
    )
    animal = "animal" in BEINGS.get(who, ())
    acts = [act for act in ACTS if not animal or act.verb in ANIMAL_ACTS]
    act = rng.choice(acts)
    thing = rng.choice(_things(act)) if act.objects else ""
    return Scene(
        who,
        act,
        thing,
        count=rng.choice(COUNTS) if rng.random() < 0.15 else "",
        look=rng.choice(LOOKS)[0] if rng.random() < 0.25 else "",
        wear=rng.choice(WEAR) if not animal and rng.random() < 0.2 else "",
        colour=rng.choice(COLOURS) if act.objects and rng.random() < 0.2 else "",
        place=rng.choice(PLACES)[0] if rng.random() < 0.4 else "",
    )


def _things(act: Act) -> list[str]:
    kinds = act.objects.split(",")
    return [
        *(thing for thing, wider in THINGS.items() if set(wider) & set(kinds)),
        *(k for k in kinds if k in THINGS or k in BEINGS),
    ] or kinds


# Words ---------------------------------------------------------------------------------------------------------------


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" and not noun.startswith(("un", "uni")) else "a"


def _plural(noun: str) -> str:
    if noun in _PLURALS:
        return _PLURALS[noun]
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def subject(one: Scene, rng: random.Random, *, determiner: str | None = None) -> str:
    """ "A tall man in a red shirt", "Two dogs", "The boy"."""
    noun = _plural(one.who) if one.count else one.who
    if determiner is None:
        determiner = one.count or ("the" if rng.random() < 0.3 else _article(one.look or noun))
    wear = one.wear
    if wear and rng.random() < 0.4:
        rest = wear.removeprefix("in ")
        wear = rng.choice([f"wearing {rest}", f"who is wearing {rest}" if not one.count else f"wearing {rest}"])
    return " ".join(filter(None, (determiner, one.look, noun, wear)))


def deed(one: Scene, rng: random.Random) -> str:
    """ "playing a guitar in the park"."""
    thing = ""
    if one.thing:
        article = "the" if rng.random() < 0.3 else _article(one.colour or one.thing)
        thing = " ".join(filter(None, (article, one.colour, one.thing)))
    return " ".join(filter(None, (one.act.verb, thing, one.place)))


def _be(one: Scene) -> str:
    return "are" if one.count else "is"


def _cap(text: str, rng: random.Random) -> str:
    text = " ".join(text.split())
    return text[:1].upper() + text[1:] + ("." if rng.random() < 0.4 else "")


def told(one: Scene, rng: random.Random) -> str:
    """The scene in one of the ways to say that it is so."""
    form = rng.random()
    if form < 0.12:
        return _cap(
            f"there {_be(one)} {subject(one, rng, determiner=one.count or _article(one.look or one.who))} {deed(one, rng)}",
            rng,
        )
    if form < 0.24 and one.act.passive and one.thing:
        thing = " ".join(filter(None, (rng.choice(["the", _article(one.colour or one.thing)]), one.colour, one.thing)))
        return _cap(f"{thing} is being {one.act.passive} by {subject(one, rng)} {one.place}", rng)
    if (
        form < 0.32
        and one.place
        and one.place.split()[0] in ("in", "on", "near", "under", "beside", "at", "by", "inside")
    ):
        return _cap(f"{one.place}, {subject(one, rng)} {_be(one)} {deed(replace(one, place=''), rng)}", rng)
    if form < 0.38:
        return _cap(f"{subject(one, rng)} {deed(one, rng)}", rng)
    return _cap(f"{subject(one, rng)} {_be(one)} {deed(one, rng)}", rng)


def denied(one: Scene, rng: random.Random) -> str:
    """The scene in one of the ways to say that it is not so."""
    noun = " ".join(filter(None, (one.look, _plural(one.who) if one.count else one.who, one.wear)))
    form = rng.random()
    if form < 0.3:
        return _cap(f"there {_be(one)} no {noun} {deed(one, rng)}", rng)
    if form < 0.4:
        return _cap(f"no {noun} {_be(one)} {deed(one, rng)}", rng)
    if form < 0.48 and not one.look and not one.wear and "animal" not in BEINGS.get(one.who, ()):
        return _cap(f"{rng.choice(['nobody', 'no one'])} is {deed(one, rng)}", rng)
    if form < 0.56 and one.act.passive and one.thing:
        return _cap(
            f"the {one.colour} {one.thing} is not being {one.act.passive} by {subject(one, rng)} {one.place}", rng
        )
    if form < 0.62:
        return _cap(f"there {_be(one)} no {noun} {'who are' if one.count else 'that is'} {deed(one, rng)}", rng)
    negated = rng.choice(["is not", "isn't"]) if not one.count else rng.choice(["are not", "aren't"])
    return _cap(f"{subject(one, rng)} {negated} {deed(one, rng)}", rng)


# What follows, what is denied, what is left open ------------------------------------------------------------------------


def wider(one: Scene, rng: random.Random) -> Scene:
    """A scene that is so whenever `one` is: fewer words, or wider ones."""
    changes: dict[str, object] = {}
    for part in ("look", "wear", "colour", "place"):
        if getattr(one, part) and rng.random() < 0.35:
            changes[part] = ""
    if rng.random() < 0.3:
        changes["who"] = rng.choice(BEINGS.get(one.who, (one.who,)))
    if one.thing and rng.random() < 0.25:
        kinds = [kind for kind in THINGS.get(one.thing, ()) if kind not in ("thing", "paper")]
        if kinds:
            changes["thing"] = rng.choice(kinds)
    if one.act.wider and rng.random() < 0.3:
        changes["act"] = one.act._replace(verb=one.act.wider, wider="", opposite="", passive="")
    if one.place and "place" not in changes and rng.random() < 0.3:
        general = next((place[1] for place in PLACES if place[0] == one.place), "")
        changes["place"] = general or one.place
    if one.count and rng.random() < 0.3:
        changes["count"] = rng.choice(
            ["some", "a group of", "a few"] if one.count != "two" else ["some", "a couple of"]
        )
    return reworded(replace(one, **changes), rng)  # type: ignore[arg-type]


def reworded(one: Scene, rng: random.Random) -> Scene:
    """The same scene in other words of the same meaning."""
    changes: dict[str, object] = {}
    if one.act.same and rng.random() < 0.4:
        changes["act"] = one.act._replace(verb=one.act.same, passive="")
    if one.who in ALIKE and rng.random() < 0.3:
        changes["who"] = ALIKE[one.who]
    if one.thing in ALIKE and rng.random() < 0.4:
        changes["thing"] = ALIKE[one.thing]
    return replace(one, **changes)  # type: ignore[arg-type]


def opposite(one: Scene, rng: random.Random) -> Scene | None:
    """The same actors with an opposite deed, place or look; `None` where there is none."""
    options: list[Scene] = []
    if one.act.opposite:
        options += [replace(one, act=one.act._replace(verb=one.act.opposite, passive=""))] * 3
    against = next((place[2] for place in PLACES if place[0] == one.place and place[2]), "")
    if against:
        options.append(replace(one, place=against))
    look = next((pair[1] for pair in LOOKS if pair[0] == one.look and len(pair) > 1 and pair[1]), "")
    if look:
        options.append(replace(one, look=look))
    return rng.choice(options) if options else None


def changed(one: Scene, rng: random.Random) -> Scene:
    """A scene that shares much with `one` and is neither implied nor denied by it."""
    other = scene(rng)
    options = [
        replace(one, who=other.who, wear="", look=""),
        replace(one, act=other.act, thing=other.thing, colour=""),
        replace(one, act=other.act, thing=other.thing, colour="", place=""),
        replace(other, who=one.who, count=one.count),
        replace(one, look=rng.choice(LOOKS)[0]) if not one.look else replace(one, place=other.place or "on the beach"),
    ]
    if one.thing:
        things = [thing for thing in _things(one.act) if thing != one.thing] or [one.thing]
        options += [replace(one, thing=rng.choice(things))] * 2
    if not one.place:
        options.append(replace(one, place=rng.choice(PLACES)[0]))
    return rng.choice([option for option in options if option != one] or [other])


def different(one: Scene, rng: random.Random) -> Scene:
    """A scene with another actor, act or thing; whether `one` is so or not says nothing of it."""
    other = scene(rng)
    options = [
        replace(one, who=other.who, wear="", look=""),
        replace(one, act=other.act, thing=other.thing, colour=""),
        replace(other, who=one.who, count=one.count),
    ]
    if one.thing:
        options.append(
            replace(one, thing=rng.choice([thing for thing in _things(one.act) if thing != one.thing] or ["kite"]))
        )
    return rng.choice(
        [
            option
            for option in options
            if (option.who, option.act.verb, option.thing) != (one.who, one.act.verb, one.thing)
        ]
        or [other]
    )


def _swapped(rng: random.Random) -> tuple[str, str]:
    """Who does it to whom, turned round; the second may be denied as well."""
    left, right = rng.sample(list(BEINGS), 2)
    act = rng.choice(
        ["chasing", "watching", "following", "feeding", "hugging", "kicking", "carrying", "looking at", "talking to"]
    )
    first = f"{_article(left)} {left} is {act} {_article(right)} {right}"
    second = f"{rng.choice(['the', _article(right)])} {right} is {'not ' if rng.random() < 0.3 else ''}{act} {rng.choice(['the', _article(left)])} {left}"
    return _cap(first, rng), _cap(second, rng)


def _together(one: Scene, other: Scene, rng: random.Random) -> str:
    return _cap(
        f"{subject(one, rng)} {_be(one)} {deed(one, rng)} and {subject(other, rng)} {_be(other)} {deed(other, rng)}",
        rng,
    )


def pair(rng: random.Random) -> tuple[str, str, str]:
    """(premise, hypothesis, verdict)."""
    one = scene(rng)
    form = rng.random()
    if form < 0.30:
        return _supported(one, rng)
    if form < 0.60:
        return _contradicted(one, rng)
    return _open(one, rng)


def _supported(one: Scene, rng: random.Random) -> tuple[str, str, str]:
    form = rng.random()
    if form < 0.15:
        # What is denied of the wider is denied of the narrower.
        return denied(replace(wider(one, rng), count=""), rng), denied(replace(one, count=""), rng), "supports"
    if form < 0.25:
        return denied(one, rng), denied(reworded(one, rng), rng), "supports"
    if form < 0.33:
        other = scene(rng)
        return _together(one, other, rng), told(wider(rng.choice([one, other]), rng), rng), "supports"
    if form < 0.55:
        return told(one, rng), told(reworded(one, rng), rng), "supports"
    return told(one, rng), told(wider(one, rng), rng), "supports"


def _contradicted(one: Scene, rng: random.Random) -> tuple[str, str, str]:
    form = rng.random()
    if form < 0.40:
        return told(one, rng), denied(wider(one, rng) if rng.random() < 0.6 else one, rng), "contradicts"
    if form < 0.75:
        return denied(wider(one, rng) if rng.random() < 0.6 else reworded(one, rng), rng), told(one, rng), "contradicts"
    if form < 0.80:
        other = scene(rng)
        return _together(one, other, rng), denied(wider(rng.choice([one, other]), rng), rng), "contradicts"
    against = opposite(one, rng)
    if against is None:
        return told(one, rng), denied(one, rng), "contradicts"
    first, second = (one, against) if rng.random() < 0.5 else (against, one)
    return told(first, rng), told(second, rng), "contradicts"


def _open(one: Scene, rng: random.Random) -> tuple[str, str, str]:
    form = rng.random()
    if form < 0.35:
        return told(one, rng), told(changed(one, rng), rng), "neither"
    if form < 0.47:
        return told(one, rng), denied(changed(one, rng), rng), "neither"
    if form < 0.59:
        return denied(one, rng), told(different(one, rng), rng), "neither"
    if form < 0.64:
        return denied(one, rng), denied(different(one, rng), rng), "neither"
    if form < 0.72:
        first, second = _swapped(rng)
        return first, second, "neither"
    if form < 0.84:
        # From the wider nothing follows for the narrower.
        narrow = replace(one, place=one.place or rng.choice(PLACES)[0], look=one.look or rng.choice(LOOKS)[0])
        return told(replace(narrow, place="", look=""), rng), told(narrow, rng), "neither"
    if form < 0.92:
        ways = [told if rng.random() < 0.6 else denied for _ in range(2)]
        return ways[0](one, rng), ways[1](scene(rng), rng), "neither"
    return _together(one, scene(rng), rng), _together(changed(one, rng), scene(rng), rng), "neither"
