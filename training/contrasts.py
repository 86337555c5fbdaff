"""Short statements that differ in one word: of the same thing, or of one beside it.

    contrasts(count, seed=0) -> list[Change]

Whatever an earlier statement says, a later one ends it only where it speaks of the same thing: another number of a ticket, the deputy
in place of the head, another branch or another scope leaves it. Each contrast is told twice, once of the same thing and once of the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

from changes import Change

from dateline.protocols import Effect
from dateline_bench.effects.pairs import Note

NAMES = (
    "Ada Holm,Bo Lind,Carla Reyes,Dev Patel,Esi Mensah,Femi Ojo,Gina Rossi,Hugo Blanc,Ines Prado,Jan Kowal,Kemal Aydin,Lena Vogt,Mara Silva,"
    "Nils Berg,Olga Petrova,Piet Smit,Quinn Hale,Rosa Diaz,Sami Haddad,Tara Byrne,Uma Rao,Vera Novak,Wes Carter,Yuki Mori,Zoe Quist"
).split(",")
PLACES = "Graz,Ghent,Tartu,Bergen,Kosice,Leiden,Braga,Turku,Olten,Salford,Ravenna,Gdynia,Namur,Sligo".split(",")
ROLES = "manager,director,captain,chair,editor,caretaker,treasurer,coach,dean,head nurse,conductor".split(",")
UNDER = "deputy,assistant,acting,former,honorary,junior".split(",")
THINGS = (
    "pool,ferry,library,east gate,canteen,sauna,car park,lift,archive,night bus,playground,kiln,slipway,chapel,crane,reading room,workshop"
).split(",")
MEASURES = (
    "joining fee/membership fee,day rate/night rate,weekday price/weekend price,adult ticket/child ticket,"
    "inner basin depth/outer basin depth,summer opening time/winter opening time,deposit/late fee,speed limit/weight limit,"
    "office number/emergency number,starter dose/full dose,ground rent/service charge"
).split(",")
FIRMS = "Oakline,Brightwater,Ferrel,Kobalt,Lumio,Northgate,Quillon,Tessera".split(",")
SERVICES = "cleaning firm,caterer,printer,insurer,auditor,bus operator,milk supplier,courier".split(",")
UNITS = "{} euros,${},{} MB,{} km/h,{} kg,{} minutes,{} pence,{} metres".split(",")
SHUT = "is closed,is shut,is out of use,cannot be used,is no longer open,has been closed,is under repair".split(",")
DONE = "is resolved,is fixed,has been closed,is settled,is done,was solved this morning".split(",")
LEFT = "left {},no longer works at {},has quit {},resigned from {},is not with {} any more".split(",")
MOVED = "moved to {},lives in {} now,has settled in {},now makes a home in {}".split(",")
DEEDS = (
    "gave a speech,visited the new wing,thanked the volunteers,signed a petition,was interviewed on the radio,planted a tree,is on holiday this week,"
    "wrote to all members,handed out the prizes,met the neighbours,welcomed a delegation,caught a cold,bought a bicycle"
).split(",")
HAPPENED = (
    "was inspected last week,has a fresh coat of paint,had 300 visitors on Sunday,was in the newspaper,has new lamps,was cleaned on Monday,"
    "turns fifty this year,won a design award,was shown to the committee"
).split(",")
SOLD = "is sold at the till,comes in blue now,can be paid by card,is on the first page of the leaflet,was asked for twice today".split(
    ","
)
VALUES = {
    "plan,tier,level": "starter,silver,gold,premium,classic,student",
    "colour,theme,livery": "red,navy,ochre,grey,mint,violet",
    "language,toolkit": "Go,Kotlin,Elixir,Fortran,Ruby",
    "format,file type": "PDF,EPUB,CSV,plain text",
    "status,mode,setting": "active,paused,archived,automatic,by hand,on trial",
    "sponsor,supplier,landlord,parent company": ",".join(FIRMS),
    "owner,editor,contact,host,reviewer,tenant": ",".join(NAMES),
    "seat,base,region,venue": ",".join(PLACES),
    "limit,quota,capacity,number of seats": "12,25,40,60,90,150,320",
    "deadline,start,next check,renewal": "4 May,9 June,1 October,Friday,17 March,week 12",
}
"""Attributes of one value at a time, and values of theirs."""
KINDS = "TCK,REQ,BUG,CASE,PR,WO".split(",")

Told = tuple[str, str, str]
"""What was said earlier, what ends it, and what is of another thing."""


def contrasts(count: int, *, seed: int) -> list[Change]:
    """`count` contrasts, two changes each."""
    rng = random.Random(seed)
    return [change for _ in range(count) for change in _changes(rng)]


def _changes(rng: random.Random) -> Iterator[Change]:
    earlier, same, other = rng.choice(FORMS)(rng)
    day = date(2019, 1, 1) + timedelta(days=rng.randrange(2000))
    later = day + timedelta(days=rng.randrange(5, 900))
    effects: tuple[tuple[str, Effect], ...] = ((same, "ends"), (other, "leaves"))
    for text, effect in effects:
        yield Change(Note(date=day, text=earlier), Note(date=later, text=text), effect)


def _ticket(rng: random.Random) -> Told:
    kind, (one, two) = rng.choice(KINDS), rng.sample(range(100, 999), 2)
    two = rng.choice((two, one + 1, one - 1))
    opened, done = (
        rng.choice(("is open", "is still open", "is being worked on", "waits for an answer")),
        rng.choice(DONE),
    )
    return f"{kind}-{one} {opened}.", f"{kind}-{one} {done}.", f"{kind}-{two} {done}."


def _assigned(rng: random.Random) -> Told:
    kind, (one, two), (ada, bo) = rng.choice(KINDS), rng.sample(range(100, 999), 2), rng.sample(NAMES, 2)
    said = rng.choice(("is assigned to", "is with", "is handled by", "belongs to"))
    return f"{kind}-{one} {said} {ada}.", f"{kind}-{one} {said} {bo}.", f"{kind}-{two} {said} {bo}."


def _role(rng: random.Random) -> Told:
    role, under, (ada, bo) = rng.choice(ROLES), rng.choice(UNDER), rng.sample(NAMES, 2)
    forms = ("The {} is {}.", "{1} is our {0}.", "{0}: {1}", "{1} has become {0}.", "The {} is now {}.")
    after = rng.choice(forms)
    return rng.choice(forms[:3]).format(role, ada), after.format(role, bo), after.format(f"{under} {role}", bo)


def _placed_role(rng: random.Random) -> Told:
    role, (here, there), (ada, bo) = rng.choice(ROLES), rng.sample(PLACES, 2), rng.sample(NAMES, 2)
    return f"The {role} in {here} is {ada}.", f"{bo} is {role} in {here}.", f"{bo} is {role} in {there}."


def _measure(rng: random.Random) -> Told:
    one, other = rng.sample(rng.choice(MEASURES).split("/"), 2)
    unit, (few, many) = rng.choice(UNITS), rng.sample(range(2, 400), 2)
    before, after = unit.format(few), unit.format(many)
    said = rng.choice(("The {} is {}.", "The {} is now {}.", "{}: {}", "The {} has been set to {}."))
    return f"The {one} is {before}.", said.format(one, after), said.format(other, after)


def _priced(rng: random.Random) -> Told:
    one, other = rng.sample(
        ("family pass,solo pass,annual pass,day pass,small locker,large locker,half plot,full plot").split(","), 2
    )
    unit, (few, many) = rng.choice(UNITS[:2]), rng.sample(range(5, 300), 2)
    return (
        f"The {one} costs {unit.format(few)}.",
        f"The {one} costs {unit.format(many)}.",
        f"The {other} costs {unit.format(many)}.",
    )


def _thing(rng: random.Random) -> Told:
    (one, other), place = rng.sample(THINGS, 2), rng.choice(PLACES)
    where, shut = rng.choice(("", f" in {place}")), rng.choice(SHUT)
    return f"The {one}{where} is open.", f"The {one}{where} {shut}.", f"The {other}{where} {shut}."


def _home(rng: random.Random) -> Told:
    (ada, bo), (here, there) = rng.sample(NAMES, 2), rng.sample(PLACES, 2)
    ada, bo = (name.split()[0] if rng.random() < 0.5 else name for name in (ada, bo))
    moved = rng.choice(MOVED).format(there)
    return f"{ada} lives in {here}.", f"{ada} {moved}.", f"{bo} {moved}."


def _work(rng: random.Random) -> Told:
    (ada, bo), firm = rng.sample(NAMES, 2), rng.choice(FIRMS)
    left = rng.choice(LEFT).format(firm)
    return f"{ada} works at {firm}.", f"{ada} {left}.", f"{bo} {left}."


def _visit(rng: random.Random) -> Told:
    name, (here, there) = rng.choice(NAMES), rng.sample(PLACES, 2)
    there_for = rng.choice(("spent a week in {}", "gave a talk in {}", "was on holiday in {}", "ran a race in {}"))
    return f"{name} lives in {here}.", f"{name} moved to {there}.", f"{name} {there_for.format(there)}."


def _deed(rng: random.Random) -> Told:
    role, place, (ada, bo) = rng.choice(ROLES), rng.choice(PLACES), rng.sample(NAMES, 2)
    who = rng.choice((f"The {role} in {place}", f"The {role} of {place}", f"The {role}"))
    return f"{who} is {ada}.", f"{who} is {bo}.", f"{rng.choice((who, ada))} {rng.choice(DEEDS)}."


def _happening(rng: random.Random) -> Told:
    thing, where = rng.choice(THINGS), rng.choice(("", f" in {rng.choice(PLACES)}"))
    return (
        f"The {thing}{where} is open.",
        f"The {thing}{where} {rng.choice(SHUT)}.",
        f"The {thing}{where} {rng.choice(HAPPENED)}.",
    )


def _sale(rng: random.Random) -> Told:
    pack, unit = (
        rng.choice("family pass,day pass,small locker,half plot,season ticket".split(",")),
        rng.choice(UNITS[:2]),
    )
    few, many = rng.sample(range(5, 300), 2)
    return (
        f"The {pack} costs {unit.format(few)}.",
        f"The {pack} is {unit.format(many)} now.",
        f"The {pack} {rng.choice(SOLD)}.",
    )


def _service(rng: random.Random) -> Told:
    (one, other), (first, second) = rng.sample(SERVICES, 2), rng.sample(FIRMS, 2)
    said = rng.choice(("Our {} is {}.", "Our {} is now {}.", "We have changed our {}: it is {}."))
    return f"Our {one} is {first}.", said.format(one, second), said.format(other, second)


def _address(rng: random.Random) -> Told:
    (here, there), (one, two) = rng.sample(PLACES, 2), rng.sample(range(1, 120), 2)
    street = rng.choice("Mill Lane,Harbour Street,Station Road,Kirkgate,Lindenweg".split(","))
    other = rng.choice("Park Road,Quay Street,Church Hill,Ringstrasse,High Street".split(","))
    return (
        f"The {here} office is at {street} {one}.",
        f"The {here} office has moved to {other} {two}.",
        f"The {there} office has moved to {other} {two}.",
    )


def _value(rng: random.Random) -> Told:
    names, values = rng.choice(list(VALUES.items()))
    (first, second), (one, other) = rng.sample(values.split(","), 2), rng.sample([*FIRMS, *THINGS, *PLACES], 2)
    one, other = (name if name[0].isupper() else f"the {name}" for name in (one, other))
    attribute = rng.choice(names.split(","))
    apart = rng.choice([name for key in VALUES if key != names for name in key.split(",")])
    forms = (
        "The {} of {} is {}.",
        "The {} for {} is {}.",
        "{1}: {0} {2}",
        "The {} of {} is now {}.",
        "{1} has {2} as its {0}.",
    )
    said = rng.choice(forms)
    return (
        rng.choice(forms[:3]).format(attribute, one, first),
        said.format(attribute, one, second),
        rng.choice((said.format(attribute, other, second), said.format(apart, one, second))),
    )


FORMS = (
    _value,
    _value,
    _ticket,
    _assigned,
    _role,
    _placed_role,
    _measure,
    _priced,
    _thing,
    _home,
    _work,
    _visit,
    _deed,
    _deed,
    _happening,
    _sale,
    _service,
    _address,
)
