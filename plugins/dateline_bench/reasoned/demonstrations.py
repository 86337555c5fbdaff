"""Examples of reasoning for prompts, made up (DRAGIN, table 8).

What a model is to learn from them is the form: short sentences, a fact each, and "So the answer is" at the end.
"""

from __future__ import annotations

from dateline.dynamic.hyperparameters import PaperDataset
from dateline.errors import BadInput

_FORM = 'short sentences, a fact each, and at the end a sentence that begins with "So the answer is".'

INSTRUCTION = f"Reason about the question below like the examples above: {_FORM}"

INSTRUCTION_ALONE = f"Reason about the question below in this form: {_FORM}"
"""Where no examples stand above."""

_TWO_WIKI = (
    (
        "Where was the director of the film The Tin Orchard born?",
        "The film The Tin Orchard was directed by Agnes Molde. Agnes Molde was born in Fredrikstad.",
        "Fredrikstad",
    ),
    (
        "Which film was released first, Harbour of Glass or The Ninth Lantern?",
        "Harbour of Glass was released in 1961. The Ninth Lantern was released in 1958. 1958 is before 1961.",
        "The Ninth Lantern",
    ),
    (
        "Are the villages Ostrow Maly and Kirkhope in the same country?",
        "Ostrow Maly is a village in Poland. Kirkhope is a village in Scotland. These are two countries.",
        "no",
    ),
    (
        "Who is the maternal grandfather of Duke Casimir of Lenz?",
        "The mother of Duke Casimir of Lenz is Hedwig of Arnau. The father of Hedwig of Arnau is Otto of Arnau.",
        "Otto of Arnau",
    ),
    (
        "When did the composer of the song Low Water at Dawn die?",
        "The song Low Water at Dawn was composed by Petra Hallam. Petra Hallam died on 3 May 1977.",
        "3 May 1977",
    ),
    (
        "Do the founders of Bremel Publishing and Casa Toral share a nationality?",
        "Bremel Publishing was founded by Jan Bremel. Jan Bremel is Dutch. Casa Toral was founded by Luis Toral. "
        "Luis Toral is Chilean. They have different nationalities.",
        "no",
    ),
)

_HOTPOT = (
    (
        "In which county does the football club that Martin Ekdal played for have its ground?",
        "Martin Ekdal played for Sandvik Town. The ground of Sandvik Town is in Rogaland county.",
        "Rogaland",
    ),
    (
        "Which magazine was started earlier, Garden Monthly Review or The Stitcher?",
        "Garden Monthly Review was started in 1902. The Stitcher was started in 1874. 1874 is before 1902.",
        "The Stitcher",
    ),
    (
        "What is the name of the river beside the school that the poet Ines Caldera went to?",
        "The poet Ines Caldera went to Puente Viejo School. Puente Viejo School stands beside the river Arlo.",
        "Arlo",
    ),
    (
        "Were Thomas Reever and Lila Dunmore both painters?",
        "Thomas Reever was a sculptor and painter. Lila Dunmore was a painter. Both of them painted.",
        "yes",
    ),
    (
        "How many floors has the hotel where the film Room Eleven was shot?",
        "The film Room Eleven was shot in the Hotel Marchetti. The Hotel Marchetti has 14 floors.",
        "14",
    ),
    (
        "Which actress of The Salt Road also played the nurse in Winter Ward?",
        "The nurse in Winter Ward was played by Johanna Pell. Johanna Pell also acted in The Salt Road.",
        "Johanna Pell",
    ),
    (
        "What was the population in 2011 of the town where Greyfield Pottery was made?",
        "Greyfield Pottery was made in the town of Astley Bridge. Astley Bridge had a population of 12,310 in 2011.",
        "12,310",
    ),
    (
        "From which country does the band come that recorded Paper Moons over Turku?",
        "Paper Moons over Turku was recorded by the band Kolme Kettua. Kolme Kettua is a Finnish band.",
        "Finland",
    ),
)

_STRATEGY = (
    (
        "Could a grand piano be carried in a canoe by its player?",
        "A grand piano weighs more than 250 kg. A canoe for two carries about 300 kg with its crew, and one person "
        "cannot lift a grand piano.",
        "no",
    ),
    (
        "Would a baker be awake when most bars close?",
        "Most bars close at two or three in the morning. Many bakers begin their work at that time.",
        "yes",
    ),
    (
        "Is the number of strings of a violin a prime number?",
        "A violin has 4 strings. 4 is 2 times 2, which is no prime number.",
        "no",
    ),
    (
        "Can a person who is allergic to wool wear a linen shirt?",
        "Linen is made of flax, which is a plant. Wool comes from sheep, so linen holds none.",
        "yes",
    ),
    (
        "Did anyone watch television during the siege of Troy?",
        "The siege of Troy belongs to antiquity. Television was invented in the twentieth century.",
        "no",
    ),
    (
        "Would an ice cube last longer in a freezer than on a summer pavement?",
        "A freezer is colder than 0 degrees. A summer pavement is far warmer than that, and ice melts above 0 degrees.",
        "yes",
    ),
    (
        "Could one pack of playing cards give every week of a year its own card?",
        "A pack of playing cards has 52 cards without the jokers. A year has 52 weeks and a day or two.",
        "yes",
    ),
    (
        "Is a lighthouse keeper likely to be found in the middle of a desert?",
        "Lighthouses stand on coasts to guide ships. The middle of a desert has neither coast nor ships.",
        "no",
    ),
)

_IIRC = (
    (
        "How old was the mayor when the bridge of Lindau Mill was opened?",
        "The bridge of Lindau Mill was opened in 1931. The mayor was Karl Senn. Karl Senn was born in 1880. "
        "1931 - 1880 is 51.",
        "51",
    ),
    (
        "In what year was the museum founded that bought the Harrow Manuscript?",
        "The Harrow Manuscript was bought by the Museum of Tarn. The Museum of Tarn was founded in 1896.",
        "1896",
    ),
    (
        "Which language is spoken in the valley where Sister Benedetta taught?",
        "Sister Benedetta taught in the valley of Fassano. The language of the valley of Fassano is Ladin.",
        "Ladin",
    ),
    (
        "How long was the ship Alder in use before it sank?",
        "The ship Alder was launched in 1902. The ship Alder sank in 1917. 1917 - 1902 is 15.",
        "15 years",
    ),
    (
        "Who commanded the fort that Captain Reyes gave up?",
        "Captain Reyes gave up Fort Salado. Fort Salado was commanded by Colonel Ibarra.",
        "Colonel Ibarra",
    ),
    (
        "Was the league that Dorn joined in 1950 older than his first club?",
        "Dorn joined the Northern League in 1950. The Northern League was founded in 1921. "
        "The first club of Dorn was Velden, founded in 1933. 1921 is before 1933.",
        "yes",
    ),
    (
        "What is the capital of the province where the Ortiz brothers mined tin?",
        "The Ortiz brothers mined tin in the province of Quilmar. The capital of Quilmar is San Telmo.",
        "San Telmo",
    ),
    (
        "How many people fit in the hall where the quartet gave its last concert?",
        "The quartet gave its last concert in Breda Hall. Breda Hall holds 640 people.",
        "640",
    ),
)

EXAMPLES: dict[PaperDataset, tuple[tuple[str, str, str], ...]] = {
    "2wikimultihopqa": _TWO_WIKI,
    "hotpotqa": _HOTPOT,
    "strategyqa": _STRATEGY,
    "iirc": _IIRC,
}
"""Question, reasoning, answer."""


def demonstrations(dataset: PaperDataset, *, count: int | None = None) -> str:
    """Render the first `count` examples for a prompt.

    Raises:
        BadInput: for more than there are, or fewer than none.
    """
    every = EXAMPLES[dataset]
    if count is not None and not 0 <= count <= len(every):
        raise BadInput(f"There are {len(every)} demonstrations for {dataset}; choose a number from 0 to {len(every)}.")
    return "\n\n".join(
        f"Question: {question}\nAnswer: {reasoning} So the answer is {answer}."
        for question, reasoning, answer in every[:count]
    )
