"""Plain statements of local news: what says the same, what cannot hold beside it, and what is another matter of the same subject."""

from __future__ import annotations

import random

from judge_names import NAMES, city, person

TABLE = """
council, city council, parliament, committee, board, assembly
{s} approved {x} ;; {s} passed {x} ;; {x} was approved by {s} ;; {s} voted for {x} != {s} rejected {x} ;; {s} turned down {x} ;; {x} was voted down by {s} ;; {s} postponed {x}
{s} has {n} members ;; there are {n} members in {s} != {s} has {m} members
{s} meets on {day} ;; the meetings of {s} are on {day} != {s} meets on {other_day}
{s} is led by {p} ;; {p} is the head of {s} ;; {p} leads {s} != {s} is led by {q} ;; {q} is the head of {s}
{s} raised taxes ;; taxes were increased by {s} != {s} lowered taxes ;; {s} left taxes unchanged
company, firm, bank, airline, publisher, factory
{s} employs {n} people ;; {n} people work for {s} ;; {s} has {n} employees != {s} employs {m} people ;; {s} has {m} employees
{s} made a profit ;; {s} was profitable != {s} made a loss ;; {s} lost money
{s} has its headquarters in {c} ;; {s} is based in {c} ;; the head office of {s} is in {c} != {s} has its headquarters in {d} ;; {s} is based in {d}
{p} is the chief executive of {s} ;; {s} is run by {p} ;; the chief executive of {s} is {p} != {q} is the chief executive of {s} ;; {s} is run by {q}
{s} opened a branch in {c} ;; a branch of {s} was opened in {c} ;; there is a new branch of {s} in {c} != {s} closed its branch in {c}
{s} was founded in {y} ;; {s} has existed since {y} != {s} was founded in {z} ;; {s} did not exist until {z}
{s} hired more staff ;; {s} took on new workers != {s} laid off staff ;; {s} cut jobs
{s} plans to expand ;; {s} wants to grow != {s} plans to shrink ;; {s} does not want to grow
{s} was sold to {p} ;; {p} bought {s} ;; {p} became the owner of {s} != {s} was sold to {q} ;; {q} bought {s}
library, museum, theatre, swimming pool, town hall, market
{s} is open on {day} ;; people can visit {s} on {day} ;; {s} opens its doors on {day} != {s} is closed on {day} ;; {s} is shut on {day}
{s} closed last year ;; {s} was shut last year != {s} stayed open last year ;; {s} opened last year
admission to {s} is free ;; nothing is charged for visiting {s} ;; visitors enter {s} without paying != visitors pay to enter {s} ;; admission to {s} costs money
{s} was built in {y} ;; {s} dates from {y} != {s} was built in {z} ;; {s} dates from {z}
{n} people visited {s} ;; {s} had {n} visitors ;; {s} drew {n} visitors != {m} people visited {s} ;; {s} drew {m} visitors
{s} was designed by {p} ;; {p} is the architect of {s} != {s} was designed by {q}
{s} has a new roof ;; the roof of {s} was renewed != {s} still has its old roof
team, club, national team, youth team
{s} won the final ;; the final was won by {s} ;; {s} was victorious in the final != {s} lost the final ;; {s} was beaten in the final
{s} plays its home games in {c} ;; home matches of {s} take place in {c} != {s} plays its home games in {d}
{p} coaches {s} ;; the coach of {s} is {p} ;; {s} is trained by {p} != {q} coaches {s} ;; the coach of {s} is {q}
{s} scored {n} goals ;; {n} goals were scored by {s} != {s} scored {m} goals
{s} was promoted ;; {s} moved up to a higher league != {s} was relegated ;; {s} moved down
{s} signed {p} ;; {p} joined {s} ;; {p} is a new player of {s} != {s} released {p} ;; {p} left {s}
river, canal, lake, mountain, valley, island
{s} lies in the north of the country ;; {s} is in the northern part of the country != {s} lies in the south of the country
{s} is {n} kilometres long ;; the length of {s} is {n} km != {s} is {m} kilometres long ;; the length of {s} is {m} km
fish live in {s} ;; {s} is home to fish != there are no fish in {s}
{s} is protected ;; {s} is under protection != {s} is not protected ;; {s} lacks any protection
bridge, tunnel, road, harbour, airport, station
{s} was opened in {y} ;; the opening of {s} was in {y} != {s} was opened in {z} ;; {s} was closed in {y}
{s} was closed for repairs ;; {s} was shut because of repairs != {s} stayed open during the repairs ;; {s} was never closed
{s} cost {n} million dollars ;; {n} million dollars were spent on {s} != {s} cost {m} million dollars
{s} was built by {p} ;; {p} built {s} ;; {p} was the builder of {s} != {s} was built by {q}
{s} is used by {n} people a day ;; {n} people use {s} every day != {s} is used by {m} people a day
{s} was damaged in the storm ;; the storm damaged {s} != {s} was unharmed in the storm ;; the storm spared {s}
storm, flood, fire, earthquake
{s} damaged {n} houses ;; {n} houses were damaged by {s} != {s} damaged {m} houses ;; {s} damaged no houses
{n} people were injured in {s} ;; {s} injured {n} people != nobody was injured in {s} ;; {m} people were injured in {s}
{s} began on {day} ;; {s} started on {day} != {s} began on {other_day}
schools were closed because of {s} ;; {s} forced schools to close != schools stayed open in spite of {s}
writer, painter, singer, teacher, minister, scientist, actor
{s} was born in {c} ;; {s} is a native of {c} ;; the birthplace of {s} is {c} != {s} was born in {d} ;; {s} is a native of {d}
{s} studied law in {c} ;; {s} was a law student in {c} != {s} studied law in {d} ;; {s} never studied law
{s} lives in {c} ;; the home of {s} is in {c} != {s} lives in {d} ;; {s} has left {c}
{s} is married to {p} ;; {p} is married to {s} ;; {p} is the spouse of {s} != {s} is married to {q} ;; {s} is single
{s} died in {y} ;; the death of {s} was in {y} != {s} died in {z} ;; {s} was alive after {y}
{s} published a book in {y} ;; a book by {s} came out in {y} != {s} published nothing in {y}
{s} resigned ;; {s} stepped down ;; {s} gave up the office != {s} stayed in office ;; {s} refused to resign
{s} won a prize ;; a prize was given to {s} ;; {s} received an award != {s} never won a prize
{s} has {n} children ;; {s} is a parent of {n} != {s} has {m} children ;; {s} is childless
economy, country, region, province, city, village
prices in {s} rose ;; prices went up in {s} ;; {s} saw an increase in prices != prices in {s} fell ;; prices in {s} remained the same ;; {s} saw prices drop
unemployment in {s} fell ;; there was less unemployment in {s} != unemployment in {s} rose ;; more people in {s} lost work
wages in {s} rose by {n} percent ;; people in {s} earned {n} % more != wages in {s} fell ;; wages in {s} rose by {m} percent
{s} exports wheat ;; wheat is exported by {s} != {s} imports wheat ;; {s} exports no wheat
{n} people live in {s} ;; {s} has {n} inhabitants ;; the population of {s} is {n} != {m} people live in {s} ;; {s} has {m} inhabitants
{s} signed the treaty ;; the treaty was signed by {s} != {s} refused to sign the treaty ;; {s} never signed the treaty
{s} is governed by {p} ;; {p} governs {s} ;; {p} is the governor of {s} != {s} is governed by {q}
elections were held in {s} ;; {s} held elections ;; people in {s} voted != elections in {s} were cancelled ;; {s} put off the elections
"""
"""Subjects, then `statement ;; other words for it != what it rules out`, one matter a line."""

_DAYS = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"]
_PLANS = ["the budget", "the new bus line", "the plan for the harbour", "the law", "the building of a school", "the proposal", "the sale of the land"]  # fmt: skip
_WHEN = [
    "on Tuesday",
    "last week",
    "in March",
    "this year",
    "in 2015",
    "after a long debate",
    "in the spring",
    "yesterday",
]


def _parsed() -> list[tuple[list[str], list[tuple[list[str], list[str]]]]]:
    found: list[tuple[list[str], list[tuple[list[str], list[str]]]]] = []
    for line in TABLE.strip().splitlines():
        if "!=" not in line:
            found.append(([one.strip() for one in line.split(",")], []))
            continue
        true, _, false = line.partition(" != ")
        found[-1][1].append((true.split(" ;; "), false.split(" ;; ")))
    return found


TOPICS = _parsed()


def pair(rng: random.Random) -> tuple[str, str, str]:
    """(premise, hypothesis, verdict)."""
    subjects, matters = rng.choice(TOPICS)
    one, other = rng.sample(matters, 2)
    number, year, (day, other_day) = (
        rng.choice([rng.randint(2, 90), rng.randint(100, 90_000)]),
        rng.randint(1890, 2020),
        rng.sample(_DAYS, 2),
    )
    values = {
        "s": f"the {rng.choice(subjects)}", "p": person(rng), "q": person(rng), "c": city(rng), "d": city(rng),
        "n": f"{number:,}", "m": f"{max(1, round(number * rng.choice([0.5, 0.8, 0.95, 1.1, 1.5, 3]))) + rng.choice([0, 1]) + (number < 5):,}",
        "y": str(year), "z": str(year + rng.choice([-9, -2, -1, 1, 3, 20])), "day": day, "other_day": other_day, "x": rng.choice(_PLANS),
    }  # fmt: skip
    if values["n"] == values["m"]:
        values["m"] = f"{number + 3:,}"
    if rng.random() < 0.35:
        values["s"] += f" of {city(rng)}"
    elif rng.random() < 0.2:
        values["s"] = NAMES["company"](rng) if "company" in subjects else values["s"]
    premise = rng.choice(one[0])
    form = rng.random()
    if form < 0.3:
        claim, verdict = rng.choice(one[0]), "supports"
    elif form < 0.6:
        claim, verdict = rng.choice(one[1]), "contradicts"
        if rng.random() < 0.3:
            premise, claim = claim, premise
    elif form < 0.9:
        claim, verdict = rng.choice(rng.choice(other)), "neither"
    else:
        claim, verdict = rng.choice(rng.choice(rng.choice(rng.choice(TOPICS)[1]))), "neither"
        if claim in one[0] + one[1]:
            return pair(rng)
    said, asked = premise.format(**values), claim.format(**values)
    if rng.random() < 0.3 and "{day}" not in premise + claim and "{y}" not in premise + claim:
        when = rng.choice(_WHEN)
        said = f"{said} {when}"
        asked = f"{asked} {when}" if rng.random() < 0.5 or verdict != "supports" else asked
    if rng.random() < 0.2:
        said = f"{said} , and {rng.choice(rng.choice(matters)[0]).format(**values)}" if verdict != "neither" else said
    return _ended(said, rng), _ended(asked, rng), verdict


def _ended(text: str, rng: random.Random) -> str:
    return text[0].upper() + text[1:] + rng.choice([".", " ."])
