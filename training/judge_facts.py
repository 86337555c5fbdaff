"""Made-up records of public life (films, clubs, offices, outbreaks ...), the prose that reports them, and claims on them.

Each record has values of known kinds, so whether a claim with another number, date or name follows is worked out, never
guessed: "more than 300" is supported by 350 and contradicted by 250.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from judge_edits import negated, reworded
from judge_names import MONTHS, NAMES, city, full_date, person

RECORDS = """
film
year :: {e} is a {v} film ;; {e} was released in {v} ;; {e} premiered in {v} => {e} came out {v} ;; {e} was released {v} ;; {e} is a film released {v}
date :: {e} was released in the United States on {v} ;; it opened in cinemas on {v} => {e} was released {v} ;; {e} premiered {v}
person :: {e} was directed by {v} ;; the film was written and directed by {v} => {e} was directed by {v} ;; the director of {e} is {v} ;; {v} directed {e}
person :: it stars {v} in the lead role ;; {v} plays the title character ;; {v} was cast in the leading role => {v} stars in {e} ;; {v} plays the lead in {e} ;; {e} features {v}
money 2000000 900000000 :: the film grossed {v} worldwide ;; it has earned {v} at the box office ;; {e} made {v} against a production budget => {e} grossed {v} ;; {e} earned {v} worldwide ;; {e} made {v} at the box office
money 100000 250000000 :: it was made on a budget of {v} ;; the production budget was {v} => {e} had a budget of {v} ;; the budget of {e} was {v}
percent :: the film holds an approval rating of {v} on Rotten Tomatoes ;; on Rotten Tomatoes , the film has a rating of {v} , based on reviews from critics => {e} has a score of {v} on Rotten Tomatoes ;; {e} received a rating of {v} on Rotten Tomatoes ;; {v} of the reviews of {e} were positive
count 8 420 :: the rating is based on {v} reviews ;; the film was reviewed by {v} critics => {v} reviews were counted for {e} on Rotten Tomatoes ;; {e} had {v} critic reviews
score 1 100 :: on Metacritic , the film has a weighted average score of {v} out of 100 => {e} has a Metacritic score of {v} ;; {e} scored {v} on Metacritic
choice generally favorable reviews/mixed reviews/negative reviews/universal acclaim :: the film received {v} from critics ;; {e} was met with {v} => critics gave {e} {v} ;; {e} received {v}
choice a horror film/a romantic comedy/a drama/a science fiction film/a western/a thriller/a documentary :: {e} is {v} => {e} is {v}
choice Netflix/HBO/Amazon/Universal Pictures/Paramount/Walt Disney/Lionsgate/Hulu :: it was distributed by {v} ;; {v} acquired the rights to the film => {e} was distributed by {v} ;; {v} released {e}
count 76 210 :: the film has a running time of {v} minutes => {e} lasts {v} minutes ;; {e} is {v} minutes long
reception
percent :: {e} holds an approval rating of {v} on Rotten Tomatoes ;; on Rotten Tomatoes , {e} has a score of {v} ;; on the review aggregator website Rotten Tomatoes , the film holds a rating of {v} => {e} holds {v} on Rotten Tomatoes ;; {e} 's rating is {v} ;; {e} scored {v} ;; {e} has an approval rating of {v}
count 8 420 :: based on {v} reviews ;; its rating is based on {v} reviews ;; {v} critics reviewed the film => based on {v} reviews ;; {e} has {v} reviews on Rotten Tomatoes ;; {e} 's score counts {v} reviews ;; {v} critics wrote on {e}
score 1 100 :: on Metacritic , it has a score of {v} out of 100 ;; Metacritic assigned the film a score of {v} out of 100 => {e} scored {v} on Metacritic ;; {e} has a Metacritic score of {v} ;; Metacritic gave {e} {v}
money 2000000 900000000 :: it grossed {v} worldwide ;; the film has made {v} => {e} made {v} worldwide ;; the worldwide gross of {e} is {v} ;; {e} earned {v}
choice generally favorable reviews/mixed reviews/generally negative reviews/critical acclaim :: it received {v} from critics ;; the film was met with {v} => {e} received {v} ;; {e} got {v} from critics
video
count 200000 4000000000 :: the music video has received {v} views ;; it has been viewed {v} times on YouTube ;; {e} has surpassed {v} views => {e} has {v} views ;; the video of {e} was watched {v} times ;; {e} got {v} views on YouTube
count 20000 30000000 :: it has received {v} likes ;; {e} has {v} likes => {e} has {v} likes ;; {v} people liked {e}
count 20000 900000 :: it has {v} dislikes => {e} has {v} dislikes ;; {v} people disliked {e}
count 50000 60000000 :: {e} has sold {v} copies ;; it sold {v} units worldwide => {e} sold {v} copies ;; {v} units of {e} were sold ;; sales of {e} reached {v}
ordinal :: {e} peaked at number {n} on the chart ;; it reached {v} place on the chart => {e} came {v} on the chart ;; {e} reached the {v} place
date :: the video was released on {v} ;; it was uploaded on {v} => {e} was released {v} ;; {e} came out {v} ;; {e} premiered {v}
outbreak
count 20 900000 :: as of {d} , {v} cases have been reported ;; {v} people have tested positive ;; there have been {v} confirmed cases of the disease => {v} cases of the disease were confirmed {in} ;; there are {v} cases {in} ;; {in} had {v} confirmed cases
count 2 30000 :: {v} people have died ;; {v} deaths have been reported ;; the outbreak resulted in {v} deaths => {v} people died {in} ;; there have been {v} deaths {in} ;; the outbreak caused {v} deaths
count 2 60000 :: {v} people have recovered ;; {v} patients were discharged from hospital => {v} people recovered {in} ;; there are {v} recoveries {in}
count 3 190 :: cases were found in {v} countries ;; {v} countries and territories are affected => {v} countries have reported cases ;; the disease spread to {v} countries
date :: the first case was confirmed on {v} ;; the virus reached the country on {v} => the first case was confirmed {v} ;; the disease was first found {v}
date :: schools were closed on {v} ;; a state of emergency was declared on {v} ;; a lockdown began on {v} => measures were taken {v} ;; the government acted {v} ;; a lockdown started {v}
club
year :: {e} was founded in {v} ;; the club was formed in {v} => {e} was founded {v} ;; {e} was established {v} ;; {e} has existed since {v}
person :: {v} is the head coach of the club ;; {e} is managed by {v} ;; {v} was appointed manager => {v} manages {e} ;; {e} is coached by {v} ;; the manager of {e} is {v}
person :: the captain of the team is {v} ;; {v} captains the side => {v} is the captain of {e} ;; {e} is led by captain {v}
count 800 98000 :: they play their home matches at a stadium that holds {v} spectators ;; the stadium has a capacity of {v} => the home ground of {e} holds {v} people ;; {e} plays in a stadium with {v} seats
ordinal :: the team finished {v} in the league ;; {e} ended the season in {v} place => {e} finished {v} in the league ;; {e} came {v}
count 1 34 :: the club has won {v} league titles ;; they have won the championship {v} times => {e} has won {v} titles ;; {e} won the league {v} times
match :: {e} won the match {v} ;; they beat their rivals {v} => {e} won the game {v} ;; the final score was {v}
choice the first division/the second division/the third tier/the regional league/the top tier :: {e} competes in {v} ;; the club currently plays in {v} => {e} plays in {v} ;; {e} is in {v}
city :: {e} is a football club based in {v} ;; the club comes from {v} => {e} is based in {v} ;; {v} is home to {e}
player
date :: {e} ( born {v} ) is a professional footballer ;; {e} was born on {v} => {e} was born {v} ;; {e} 's date of birth is {v}
count 4 600 :: he made {v} appearances for the club ;; he played {v} matches => {e} made {v} appearances ;; {e} played {v} matches
count 1 400 :: he scored {v} goals ;; he has found the net {v} times => {e} scored {v} goals ;; {e} has {v} goals
choice goalkeeper/defender/midfielder/striker/winger/left back/forward :: he plays as a {v} ;; {e} is a {v} => {e} is a {v} ;; {e} plays as a {v}
team :: he joined {v} on a free transfer ;; {e} plays for {v} ;; he signed a contract with {v} => {e} plays for {v} ;; {e} signed for {v} ;; {v} signed {e}
money 50000 200000000 :: the club paid {v} for him ;; he moved for a fee of {v} => {e} was bought for {v} ;; the fee for {e} was {v}
count 1 140 :: he has won {v} caps for his country ;; he has been capped {v} times => {e} has {v} caps ;; {e} has been capped {v} times
year :: he retired in {v} ;; he ended his career in {v} => {e} retired {v} ;; {e} stopped playing {v}
politician
office :: {e} served as {v} ;; {e} is a politician who was {v} => {e} was {v} ;; {e} held the office of {v}
year :: he was elected to parliament in {v} ;; she won her seat in {v} => {e} was elected {v} ;; {e} entered parliament {v} ;; {e} has been a politician since {v}
choice Labour Party/Conservative Party/Liberal Party/Green Party/Democratic Party/Republican Party/Social Democrats/National Party :: {e} is a member of the {v} ;; he ran as a candidate of the {v} => {e} belongs to the {v} ;; {e} is a member of the {v} ;; {e} represents the {v}
percent :: she received {v} of the vote ;; he won the election with {v} of the votes cast => {e} got {v} of the votes ;; {e} received {v} of the vote
person :: he was succeeded by {v} ;; {v} took over from her => {v} succeeded {e} ;; the successor of {e} was {v} ;; {e} was followed by {v}
person :: he is married to {v} ;; she married {v} ;; {e} and {v} have two children => {e} is married to {v} ;; {v} is the spouse of {e}
city :: {e} was born in {v} ;; {e} grew up in {v} => {e} was born in {v} ;; {e} comes from {v} ;; {e} is from {v}
university :: {e} graduated from {v} ;; he studied law at {v} => {e} attended {v} ;; {e} studied at {v} ;; {e} is a graduate of {v}
year :: he resigned in {v} ;; she left office in {v} => {e} resigned {v} ;; {e} left office {v} ;; {e} stepped down {v}
singer
date :: the single was released on {v} ;; the album came out on {v} => {e} released it {v} ;; the record by {e} was released {v}
ordinal :: the song peaked at number {n} on the chart ;; it reached {v} place on the charts => the song by {e} reached {v} place ;; {e} 's single was {v} on the chart
count 1000 30000000 :: the album has sold {v} copies ;; it sold {v} copies in its first week => {e} sold {v} copies of the album ;; the album by {e} sold {v} units
count 5000 5000000000 :: the video has {v} views on YouTube ;; the clip was viewed {v} times => {e} 's video has {v} views ;; the video was watched {v} times
count 1 24 :: {e} has won {v} Grammy Awards ;; she has received {v} awards => {e} won {v} awards ;; {e} has been given {v} awards
count 1 15 :: {e} has released {v} studio albums => {e} has {v} studio albums ;; {e} made {v} albums
choice Capitol Records/Columbia Records/Island Records/Interscope/Sony Music/Atlantic Records/an independent label :: {e} is signed to {v} ;; it was issued by {v} => {e} is signed to {v} ;; {e} 's label is {v} ;; the record was issued by {v}
choice pop/country/jazz/rock/hip hop/reggae/folk/metal/soul :: {e} is a {v} singer ;; the record is a {v} album => {e} is a {v} singer ;; {e} makes {v} music
person :: the song features {v} ;; it was recorded together with {v} => {v} is featured on the song by {e} ;; {e} recorded it with {v}
person :: the song was written by {v} ;; it was produced by {v} => {v} worked on the song ;; {e} 's song was written by {v}
town
count 300 12000000 :: the population was {v} at the census ;; {e} has a population of {v} ;; {e} has {v} inhabitants => {e} has {v} inhabitants ;; the population of {e} is {v} ;; {v} people live in {e}
count 2 9000 :: it covers an area of {v} square kilometres => {e} covers {v} square kilometres ;; the area of {e} is {v} square kilometres
count 5 4200 :: the town lies {v} metres above sea level ;; its elevation is {v} metres => {e} lies at {v} metres ;; {e} is {v} metres above the sea
choice north/south/east/west/northeast/southwest/northwest/southeast :: {e} lies in the {v} of the country ;; the town is {v} of the capital => {e} is in the {v} ;; {e} lies to the {v}
year :: the town was founded in {v} ;; {e} became a city in {v} => {e} was founded {v} ;; {e} has existed since {v}
person :: the mayor of {e} is {v} ;; {v} has been the mayor => {v} is the mayor of {e} ;; {e} is governed by mayor {v}
percent :: {v} of the residents were over 65 ;; {v} of the families lived below the poverty line => {v} of the people in {e} are concerned ;; in {e} , the share was {v}
company
year :: the company was founded in {v} ;; {e} was established in {v} => {e} was founded {v} ;; {e} has existed since {v} ;; {e} was started {v}
city :: {e} is headquartered in {v} ;; its head office is in {v} => {e} is headquartered in {v} ;; {e} is based in {v} ;; {e} has its head office in {v}
count 10 400000 :: the company employs {v} people ;; it has {v} employees => {e} has {v} employees ;; {v} people work for {e}
money 100000 90000000000 :: it reported revenue of {v} ;; sales reached {v} => {e} had revenue of {v} ;; {e} made {v} in sales
person :: {v} is the chief executive of the company ;; {e} is led by {v} => {v} is the CEO of {e} ;; {e} is led by {v} ;; {v} runs {e}
person :: {e} was founded by {v} ;; its founder is {v} => {v} founded {e} ;; the founder of {e} is {v}
count 2 4000 :: it operates {v} stores ;; {e} has {v} branches => {e} has {v} stores ;; {e} operates {v} locations
percent :: its share of the market is {v} ;; the government owns {v} of the company => the figure for {e} is {v} ;; {v} is the share given for {e}
series
count 1 24 :: the series ran for {v} seasons ;; {e} was renewed and now has {v} seasons => {e} has {v} seasons ;; {v} seasons of {e} were made
count 6 600 :: {v} episodes have been aired ;; the show consists of {v} episodes => {e} has {v} episodes ;; {v} episodes of {e} were broadcast
date :: the series premiered on {v} ;; the first episode aired on {v} => {e} premiered {v} ;; {e} first aired {v}
date :: the final episode aired on {v} ;; the show ended on {v} => {e} ended {v} ;; {e} finished {v}
choice ABC/NBC/CBS/the BBC/Netflix/Fox/HBO/The CW :: the show airs on {v} ;; the series was ordered by {v} => {e} is shown on {v} ;; {e} airs on {v}
person :: the series was created by {v} ;; {v} is the creator of the show => {v} created {e} ;; {e} was created by {v}
count 10000 30000000 :: the pilot was watched by {v} viewers ;; the finale drew {v} viewers => {v} people watched {e} ;; {e} had {v} viewers
game
choice PlayStation 4/Xbox One/Nintendo Switch/Windows/iOS/Game Boy/Wii :: the game was released for {v} ;; it is available on {v} => {e} was released for {v} ;; {e} can be played on {v}
company :: {e} was developed by {v} ;; the game was published by {v} => {e} was made by {v} ;; {v} developed {e} ;; {v} published {e}
date :: the game was released worldwide on {v} => {e} was released {v} ;; {e} came out {v}
count 5000 60000000 :: it has sold {v} copies ;; sales stand at {v} units => {e} sold {v} copies ;; {v} copies of {e} were sold
score 10 99 :: it holds an aggregate score of {v} out of 100 => {e} scored {v} ;; {e} has an aggregate score of {v}
disaster
count 1 30000 :: the earthquake killed {v} people ;; {v} people lost their lives ;; the death toll was {v} => {v} people died in {e} ;; {e} killed {v} people ;; {e} left {v} people dead
count 3 80000 :: {v} others were injured ;; {v} people were wounded => {v} people were hurt in {e} ;; {e} injured {v} people
date :: it happened on {v} ;; {e} took place on {v} ;; {e} struck on {v} => {e} happened {v} ;; {e} took place {v}
city :: {e} took place near {v} ;; it struck the city of {v} => {e} happened near {v} ;; {v} was hit by {e}
money 100000 9000000000 :: damage was estimated at {v} => {e} caused {v} in damage ;; the damage of {e} was {v}
building
count 20 800 :: the tower is {v} metres high ;; {e} stands {v} metres tall => {e} is {v} metres high ;; the height of {e} is {v} metres
count 3 160 :: the building has {v} floors ;; it has {v} storeys => {e} has {v} floors
year :: it was completed in {v} ;; construction finished in {v} => {e} was completed {v} ;; {e} was finished {v}
person :: it was designed by the architect {v} => {v} designed {e} ;; {e} was designed by {v}
city :: {e} stands in {v} ;; it is located in {v} => {e} is in {v} ;; {e} is located in {v}
money 200000 4000000000 :: the cost was {v} ;; it was built for {v} => {e} cost {v} ;; {v} was spent on {e}
author
date :: {e} was born on {v} => {e} was born {v}
date :: {e} died on {v} ;; she passed away on {v} => {e} died {v}
count 1 60 :: {e} wrote {v} novels ;; she published {v} books => {e} wrote {v} books ;; {v} books were written by {e}
year :: she received the prize in {v} ;; {e} won the award in {v} => {e} won the prize {v} ;; {e} was honoured {v}
choice American/British/French/German/Canadian/Australian/Indian/Swedish/Japanese/Irish/Brazilian :: {e} is a {v} writer ;; {e} was a {v} novelist => {e} is {v} ;; {e} is a {v} author
count 1 9 :: {e} had {v} children ;; the couple had {v} children => {e} has {v} children ;; {e} is a parent of {v}
count 2 19 :: {e} was the youngest of {v} siblings ;; {e} grew up with {v} brothers and sisters => {e} had {v} siblings ;; {v} children grew up with {e}
school
count 60 60000 :: {v} students are enrolled ;; the school has {v} pupils => {e} has {v} students ;; {v} students attend {e}
year :: the school opened in {v} => {e} opened {v} ;; {e} was founded {v}
ordinal :: it was ranked {v} in the country ;; {e} ranks {v} among universities => {e} ranks {v} ;; {e} was ranked {v}
percent :: {v} of applicants were admitted ;; the acceptance rate is {v} => {e} admits {v} of applicants ;; the acceptance rate of {e} is {v}
"""


@dataclass(frozen=True)
class Line:
    """One kind of value: how reports word it, how claims word it."""

    kind: str
    arguments: str
    reports: tuple[str, ...]
    claims: tuple[str, ...]


def _parse(text: str) -> dict[str, list[Line]]:
    table: dict[str, list[Line]] = {}
    domain = ""
    for line in text.strip().splitlines():
        if "::" not in line:
            domain = line.strip()
            table[domain] = []
            continue
        head, _, rest = line.partition("::")
        reports, _, claims = rest.partition("=>")
        kind, _, arguments = head.strip().partition(" ")
        parts = [tuple(one.strip() for one in side.split(";;")) for side in (reports, claims)]
        table[domain].append(Line(kind, arguments, parts[0], parts[1]))
    return table


DOMAINS = _parse(RECORDS)


# Values --------------------------------------------------------------------------------------------------------------

Told = tuple[str, Callable[[bool, random.Random], str]]
"""A value in a report, and words that are true or false of it, for claims."""


def value(line: Line, rng: random.Random) -> Told:
    """A value for the line, as its report words it, with a maker of what a claim may put there."""
    match line.kind:
        case "count" | "money" | "percent" | "score":
            return _number(line, rng)
        case "ordinal":
            return _rank(rng)
        case "match":
            goals = sorted((rng.randint(0, 6), rng.randint(0, 6)))
            said = f"{goals[1] + 1}–{goals[0]}"
            return said, lambda true, r: said if true else f"{goals[1] + 1 + r.randint(1, 3)}–{goals[0]}"
        case "year":
            return _year(rng)
        case "date":
            return _date(rng)
        case "choice":
            options = line.arguments.split("/")
            return _name(rng.choice(options), lambda r: r.choice(options))
        case _:
            return _name(NAMES[line.kind](rng), NAMES[line.kind])


def _name(said: str, other: Callable[[random.Random], str]) -> Told:
    def claimed(true: bool, rng: random.Random) -> str:
        if true:
            return said
        for _ in range(20):
            another = other(rng)
            if another != said:
                return another
        return f"another than {said}"

    return said, claimed


def _spelled(number: float, rng: random.Random) -> str:
    """ "1,250,000", "1.25 million", "1250000", "twelve"."""
    small = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    if number == int(number) and number <= 12 and rng.random() < 0.5:
        return small[int(number)]
    for size, word in ((10**9, "billion"), (10**6, "million")):
        if number >= size and rng.random() < 0.6:
            return f"{float(f'{number / size:.3g}'):,g} {word}"
    return f"{number:,.0f}" if rng.random() < 0.85 else f"{number:.0f}"


def _number(line: Line, rng: random.Random) -> Told:
    low, high = map(int, (line.arguments or "1 99").split())
    exact = round(low * (high / low) ** rng.random()) if high > 40 * low else rng.randint(low, high)
    if exact > 1000 and rng.random() < 0.4:
        exact = _round(exact, 2 + rng.randint(0, 1))
    unit = {"money": "$", "percent": " %"}.get(line.kind, "")

    def shown(number: float, r: random.Random) -> str:
        number = min(number, 100) if unit == " %" else number
        return (
            f"${_spelled(number, r)}"
            if unit == "$"
            else f"{number:.0f} percent"
            if unit and r.random() < 0.3
            else f"{_spelled(number, r)}{unit.strip()}"
        )

    # What the report says must be the number that claims are worked out from.
    said = f"${exact:,}" if unit == "$" else f"{exact}%" if unit else f"{exact:,}"
    if exact >= 10**6 and exact % 10**5 == 0 and rng.random() < 0.7:
        said = f"{'$' if unit == '$' else ''}{exact / 10**6:g} million"
    elif exact <= 12 and not unit and rng.random() < 0.6:
        said = _spelled(exact, rng)
    bound = rng.random()
    if bound < 0.12 and exact > 12:
        said = f"{rng.choice(['more than', 'over', 'at least'])} {said}"
    about = 0.12 < bound < 0.2 and exact > 12
    if about:
        said = f"{rng.choice(['about', 'around', 'approximately', 'some'])} {said}"
    open_above = bound < 0.12 and exact > 12

    def claimed(true: bool, r: random.Random) -> str:
        least = max(1, exact)
        spread = r.choice([0.01, 0.03, 0.1, 0.25, 0.5, 1.5])
        step = 1 if r.random() < 0.2 and not about else max(1, round(least * spread * (0.3 + r.random())))
        below, above = max(0, exact - step), exact + step
        if r.random() < 0.5 and exact > 30:
            below, above = _round(below, 2), max(_round(above, 2), exact + 1)
        below = min(below, exact - 1) if exact > 0 else 0
        if unit == " %" and above > 100:
            above = 100
        more = r.choice(["more than", "over", "at least", "above", "greater than", "upwards of"])
        fewer = r.choice(["less than", "fewer than", "under", "below", "at most", "not more than"])
        form = r.random()
        if exact > 1 and not about and r.random() < 0.12 and (true or not open_above):
            # A bound in the strict sense is not met by its own value.
            words = ["at least", "no less than"] if true else ["more than", "over", "less than", "under", "fewer than"]
            if true and not open_above:
                words += ["at most", "no more than"]
            return f"{r.choice(words)} {said if exact >= 10**6 else shown(exact, r)}"
        if true:
            if form < 0.25 or exact < 2:
                return shown(exact, r) if exact < 10**6 or open_above else said
            if form < 0.65 or open_above or above == exact:
                return f"{more} {shown(below, r)}"
            if form < 0.9:
                return f"{fewer} {shown(above, r)}"
            return f"between {shown(below, r)} and {shown(above, r)}"
        if form < 0.25 and not open_above:
            return shown(r.choice([below, above]) if above != exact else below, r)
        if form < 0.65 and not open_above and above > exact:
            return f"{more} {shown(above, r)}"
        if form < 0.92 or open_above:
            return f"{fewer} {shown(below, r)}" if exact > 1 else f"{more} {shown(above + 3, r)}"
        return (
            f"between {shown(above, r)} and {shown(above + step, r)}"
            if above > exact
            else f"less than {shown(below, r)}"
        )

    return said, claimed


def _round(number: float, digits: int) -> int:
    size = 10 ** max(0, len(str(int(number))) - digits)
    return int(number // size * size)


def _nth(number: int) -> str:
    words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
    if number <= 10 and number % 3:
        return words[number - 1]
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _rank(rng: random.Random) -> Told:
    rank = rng.randint(1, 24)

    def claimed(true: bool, r: random.Random) -> str:
        return _nth(rank) if true else _nth(r.choice([n for n in range(1, 25) if n != rank]))

    return _nth(rank), claimed


def _year(rng: random.Random) -> Told:
    year = rng.randint(1820, 2023) if rng.random() < 0.3 else rng.randint(1975, 2023)

    def claimed(true: bool, r: random.Random) -> str:
        gap = r.choice([1, 1, 2, 3, 5, 8, 12, 20])
        if true:
            return r.choice(
                [
                    f"in {year}",
                    f"in {year}",
                    f"before {year + gap}",
                    f"after {year - gap}",
                    f"in the {year // 10 * 10}s",
                    f"by {year + gap}",
                    f"between {year - gap} and {year + gap}",
                ]
            )
        wrong = year + r.choice([-gap, gap])
        return r.choice(
            [
                f"in {wrong}",
                f"in {wrong}",
                f"before {year - gap + 1}",
                f"after {year + gap - 1}",
                f"in the {(year + 10 + gap) // 10 * 10}s",
                f"not until {year + gap}",
                f"between {year + gap} and {year + 2 * gap}",
            ]
        )

    return str(year), claimed


def _date(rng: random.Random) -> Told:
    day = (rng.randint(1930, 2023), rng.randint(1, 12), rng.randint(1, 28))
    american = rng.random() < 0.5

    def shown(one: tuple[int, int, int], r: random.Random) -> str:
        return full_date(one, american=r.random() < 0.5)

    def claimed(true: bool, r: random.Random) -> str:
        year, month, _ = day
        gap = r.choice([1, 1, 2, 4, 7])
        later, earlier = _moved(day, r, later=True), _moved(day, r, later=False)
        named = f"{MONTHS[month - 1]} {year}"
        if true:
            return r.choice(
                [
                    f"on {shown(day, r)}",
                    f"in {named}",
                    f"in {year}",
                    f"before {shown(later, r)}",
                    f"after {shown(earlier, r)}",
                    f"before {year + gap}",
                    f"after {year - gap}",
                    f"in {MONTHS[month - 1]}",
                ]
            )
        wrong = r.choice([later, earlier])
        return r.choice(
            [
                f"on {shown(wrong, r)}",
                f"in {year + r.choice([-gap, gap])}",
                f"before {shown(earlier, r)}",
                f"after {shown(later, r)}",
                f"before {year - gap + 1}",
                f"after {year + gap - 1 or 1}",
                f"in {MONTHS[(month + r.randint(1, 10)) % 12]} {year}",
            ]
        )

    return full_date(day, american=american), claimed


def _moved(day: tuple[int, int, int], rng: random.Random, *, later: bool) -> tuple[int, int, int]:
    year, month, number = day
    sign = 1 if later else -1
    form = rng.random()
    if form < 0.4 and 1 <= number + sign * 3 <= 28:
        return year, month, number + sign * rng.randint(1, 3)
    if form < 0.7 and 1 <= month + sign * 2 <= 12:
        return year, month + sign * rng.randint(1, 2), number
    return year + sign * rng.randint(1, 4), month, number


# Pairs ---------------------------------------------------------------------------------------------------------------

_ENTITIES = {
    "film": "work", "reception": "work", "video": "work", "outbreak": "country", "club": "team", "player": "person", "politician": "person",
    "singer": "person", "town": "city", "company": "company", "series": "work", "game": "work",
    "disaster": "event", "building": "landmark", "author": "person", "school": "university",
}  # fmt: skip
_PRONOUNS = {"person": ("he", "she"), "work": ("it", "the work"), "team": ("they", "the club")}
_LINKS = (" , and ", " . ", " . ", " . ", " ; ", " , while ")


def pair(rng: random.Random) -> tuple[str, str, str]:
    """(premise, hypothesis, verdict)."""
    domain = rng.choice(list(DOMAINS))
    kind = _ENTITIES[domain]
    entity = NAMES[kind](rng)
    lines = rng.sample(DOMAINS[domain], min(len(DOMAINS[domain]), rng.choice([1, 2, 2, 3])))
    values = [value(line, rng) for line in lines]
    premise = _report(entity, kind, lines, values, rng)
    form = rng.random()
    if form < 0.42:
        verdict, true = "supports", True
    elif form < 0.84:
        verdict, true = "contradicts", False
    else:
        return premise, _beside(domain, entity, lines, rng), "neither"
    counted = all(line.kind in ("count", "money", "percent", "score") for line in lines)
    if counted and not premise.startswith("As of") and rng.random() < 0.35:
        return _as_of(premise, _claim(lines[0], entity, values[0], true=true, rng=rng), verdict, rng)
    number = rng.randrange(len(lines))
    claim = _claim(lines[number], entity, values[number], true=true, rng=rng)
    if len(lines) > 1 and rng.random() < 0.3:
        # Two claims at once are false where one of them is.
        beside = (number + 1) % len(lines)
        other = _claim(lines[beside], entity, values[beside], true=true or rng.random() < 0.5, rng=rng)
        other = other.replace(entity, rng.choice(_PRONOUNS.get(kind, ("it",)))) if rng.random() < 0.6 else other
        claim = " and ".join([claim, other] if rng.random() < 0.5 else [other, claim])
    elif rng.random() < 0.12:
        denial = negated(claim)
        if denial is not None and not any(
            word in claim for word in (" before ", " after ", " than ", " least ", " until ")
        ):
            # A denied falsehood follows, a denied truth is denied.
            claim, verdict = denial, "contradicts" if true else "supports"
    if rng.random() < 0.3:
        claim = reworded(claim, rng)
    return premise, _cap(claim), verdict


def _as_of(premise: str, claim: str, verdict: str, rng: random.Random) -> tuple[str, str, str]:
    """Figures of a day: what is claimed of later holds of them, what is claimed of an earlier day is left open."""
    day = (rng.randint(2004, 2023), rng.randint(1, 12), rng.randint(3, 26))
    later, earlier = _moved(day, rng, later=True), _moved(day, rng, later=False)
    if rng.random() < 0.5:
        later, earlier = (day[0], day[1], day[2] + 1), (day[0], day[1], day[2] - 1)
    shown = [full_date(one, american=rng.random() < 0.5) for one in (day, later, earlier)]
    if rng.random() < 0.4:
        shown = [
            words.rpartition(f" {one[0]}")[0].rstrip(" ,")
            for words, one in zip(shown, (day, later, earlier), strict=True)
        ]
    when = rng.choice([f"as of {shown[0]}", f"by {shown[1]}", f"before {shown[1]}", f"on {shown[0]}"])
    if rng.random() < 0.2:
        when, verdict = rng.choice([f"before {shown[2]}", f"by {shown[2]}", f"as of {shown[2]}"]), "neither"
    front = rng.random() < 0.3
    claim = f"{when} , {claim}" if front else f"{claim} {when}"
    return f"{rng.choice(['As of', 'On', 'By'])} {shown[0]} , {premise[:1].lower()}{premise[1:]}", _cap(claim), verdict


def _report(entity: str, kind: str, lines: list[Line], values: list[Told], rng: random.Random) -> str:
    parts = []
    named = rng.random() < 0.6
    for place, (line, (said, _)) in enumerate(zip(lines, values, strict=True)):
        shown = entity if (named and not place) or rng.random() < 0.25 else rng.choice(_PRONOUNS.get(kind, ("it",)))
        template = rng.choice(line.reports)
        rank = "".join(letter for letter in said if letter.isdigit()) or "1"
        if "{n}" in template and rank == "1" and said != "first":
            template = template.replace("number {n}", "{v} place")
        parts.append(
            template.format(
                e=shown, v=said, n=rank, d=full_date((2020, rng.randint(2, 9), rng.randint(1, 28)), american=False)
            )
        )
    text = parts[0]
    for part in parts[1:]:
        link = rng.choice(_LINKS)
        text += link + (part[0].upper() + part[1:] if link == " . " else part)
    return _cap(reworded(text, rng) if rng.random() < 0.15 else text)


def _claim(line: Line, entity: str, told: Told, *, true: bool, rng: random.Random) -> str:
    words = told[1](true, rng)
    if line.kind == "date" or line.kind == "year":
        return (
            _format(rng.choice(line.claims), entity, words)
            .replace("since in", "since")
            .replace("is in ", "is ")
            .replace("is on ", "is ")
        )
    return _format(rng.choice(line.claims), entity, words)


def _format(template: str, entity: str, words: str) -> str:
    return template.format(e=entity, v=words, **{"in": entity if template.startswith("{in}") else f"in {entity}"})


def _beside(domain: str, entity: str, told: list[Line], rng: random.Random) -> str:
    """A claim on what the report does not say, or on another subject."""
    rest = [line for line in DOMAINS[domain] if line not in told]
    form = rng.random()
    if form < 0.6 and rest:
        line = rng.choice(rest)
    else:
        line = rng.choice(told)
        kind = _ENTITIES[domain]
        entity = NAMES[kind](rng)
    claim = _claim(line, entity, value(line, rng), true=True, rng=rng)
    return _cap(claim if rng.random() < 0.85 else negated(claim) or claim)


def _cap(text: str) -> str:
    text = " ".join(text.split())
    return text[:1].upper() + text[1:] + " ."


# Offices over time ----------------------------------------------------------------------------------------------------


def office_pair(rng: random.Random) -> tuple[str, str, str]:
    """Dated sentences on one office: another holder at the same date contradicts, at another date it is left open."""
    office, first, second = NAMES["office"](rng), person(rng), person(rng)
    place = city(rng) if " of " not in office else ""
    title = f"{office} of {place}" if place else office
    year, month = rng.randint(1990, 2024), rng.randint(1, 12)
    dated = rng.random() < 0.6
    ways = (
        "{p} is the {t}",
        "the {t} is {p}",
        "{p} is currently the {t}",
        "{t} {p} opened a school",
        "{p} , the {t} , spoke to the press",
    )
    held = ("{p} is the {t}", "the {t} is {p}", "{p} holds the office of {t}")
    gap = rng.choice([0, 0, 0, 3, 6, 10])

    def dress(text: str, year: int) -> str:
        text = text.format(p="{p}", t=title)
        return f"({year}-{month:02d}-{rng.randint(1, 28):02d}) {text}" if dated else f"in {year} , {text}"

    def say(forms: tuple[str, ...], who: str, year: int) -> str:
        return _cap(dress(rng.choice(forms), year).format(p=who))

    form = rng.random()
    premise = say(ways, first, year)
    if form < 0.3:
        return premise, say(held, first, year), "supports"
    if form < 0.6:
        return (
            (premise, say(held, second, year), "contradicts")
            if not gap
            else (premise, say(held, second, year + gap), "neither")
        )
    if form < 0.7:
        ended = _cap(
            dress(
                f"{first} {rng.choice(['resigned as', 'stepped down as', 'was dismissed as', 'is the former', 'is no longer'])} {title}",
                year,
            )
        )
        return ended, say(held, first, year), "contradicts"
    if form < 0.8:
        followed = _cap(
            dress(
                rng.choice(
                    [
                        f"{second} succeeded {first} as {title}",
                        f"{second} replaced {first} as {title}",
                        f"{second} took over from {first} as {title}",
                    ]
                ),
                year,
            )
        )
        if rng.random() < 0.5:
            return followed, say(held, second, year), "supports"
        return followed, _cap(f"{first} succeeded {second} as {title}"), "contradicts"
    if form < 0.9:
        begun, ended_in = year, year + rng.randint(2, 9)
        spell = _cap(f"{first} was {title} from {begun} to {ended_in}")
        inside, outside = (
            rng.randint(begun, ended_in),
            rng.choice([begun - rng.randint(2, 9), ended_in + rng.randint(2, 9)]),
        )
        if rng.random() < 0.5:
            return spell, _cap(f"{first} was {title} in {inside}"), "supports"
        return spell, _cap(f"{first} was {title} in {outside}"), "contradicts"
    return premise, say(held, person(rng), year).replace(title, NAMES["office"](rng)), "neither"
