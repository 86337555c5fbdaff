"""Word lists of the judge's pairs: opposites, words of one meaning, and what each noun is a kind of."""

from __future__ import annotations


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(left, right) for left, right in (entry.strip().split("/") for entry in text.replace("\n", " ").split(","))]


def _groups(text: str) -> list[list[str]]:
    return [[word.strip() for word in line.split("/")] for line in text.strip().splitlines()]


OPPOSITES = _pairs(
    """
    first/last, won/lost, wins/loses, increased/decreased, increase/decrease, rose/fell, gained/lost, before/after,
    largest/smallest, larger/smaller, biggest/smallest, highest/lowest, higher/lower, best/worst, better/worse,
    more/less, most/least, early/late, earlier/later, older/younger, oldest/youngest, longest/shortest, north/south,
    east/west, northern/southern, eastern/western, northeast/southwest, northwest/southeast, male/female,
    father/mother, son/daughter, brother/sister, husband/wife, uncle/aunt, king/queen, actor/actress, boy/girl,
    married/divorced, alive/dead, joined/left, entered/left, opened/closed, open/closed, approved/rejected,
    accepted/refused, accepted/declined, released/cancelled, elected/defeated, appointed/dismissed, hired/fired,
    positive/negative, favorable/unfavorable, favourable/unfavourable, praised/criticized, acclaimed/panned,
    success/failure, successful/unsuccessful, successfully/unsuccessfully, failed/succeeded, passed/failed,
    true/false, real/fictional, public/private, single/married, indoor/outdoor, urban/rural, domestic/foreign,
    domestic/international, national/local, amateur/professional, ancient/modern, new/old, young/old, rich/poor,
    strong/weak, heavy/light, hot/cold, warm/cool, wet/dry, fast/slow, hard/easy, difficult/easy, deep/shallow,
    thick/thin, wide/narrow, tall/short, long/short, big/small, large/small, high/low, full/empty, clean/dirty,
    bright/dark, loud/quiet, rough/smooth, sharp/blunt, sweet/bitter, safe/dangerous, legal/illegal, guilty/innocent,
    convicted/acquitted, arrested/released, attacked/defended, began/ended, started/finished, start/end, begin/end,
    created/destroyed, built/demolished, founded/dissolved, established/abolished, introduced/withdrawn, bought/sold,
    purchased/sold, borrowed/lent, arrived/departed, arrive/depart, came/went, ascended/descended, above/below,
    over/under, inside/outside, within/outside, upper/lower, top/bottom, front/back, left/right, near/far,
    always/never, often/rarely, frequently/seldom, usually/rarely, all/none, every/no, everyone/nobody, many/few,
    several/no, both/neither, with/without, including/excluding, allowed/banned, permitted/forbidden, legalized/banned,
    supported/opposed, support/oppose, supporter/opponent, ally/enemy, friend/rival, agreed/disagreed, confirmed/denied,
    admitted/denied, included/excluded, united/divided, merged/split, expanded/shrank, grew/shrank, promoted/relegated,
    promoted/demoted, improved/worsened, strengthened/weakened, raised/lowered, remembered/forgotten, found/lost,
    hidden/revealed, protected/harmed, saved/killed, survived/died, born/died, healthy/ill, popular/unpopular,
    famous/unknown, well-known/obscure, common/rare, similar/different, same/different, equal/unequal, major/minor,
    majority/minority, maximum/minimum, permanent/temporary, active/retired, current/former, present/past,
    previous/next, preceded/followed, predecessor/successor, prequel/sequel, home/away, offensive/defensive,
    victory/defeat, win/loss, profit/loss, liberal/conservative, democrat/republican, democratic/authoritarian,
    right-wing/left-wing, civilian/military, voluntary/compulsory, optional/mandatory, partial/complete, only/also,
    alone/together, solo/joint, live/recorded, fiction/non-fiction, vegetarian/carnivorous, nocturnal/diurnal,
    solid/liquid, natural/artificial, original/remade, direct/indirect, dependent/independent, friendly/hostile,
    happy/sad, happily/sadly, awake/asleep, standing/sitting, opening/closing, entering/leaving, rising/falling,
    pushing/pulling, buying/selling, laughing/crying, climbing/descending, loading/unloading, filling/emptying,
    lighting/extinguishing, catching/dropping, giving/taking, winning/losing, arriving/leaving, putting/removing,
    tying/untying, wrapping/unwrapping, starting/stopping, locking/unlocking, packing/unpacking, plugging/unplugging
    """
)
"""Either side, put for the other in a sentence, denies it."""

SYNONYMS = _groups(
    """
    film / movie / picture
    released / launched / issued
    appointed / named
    began / started / commenced
    ended / finished / concluded
    bought / purchased / acquired
    died / passed away
    killed / slain
    received / got
    obtained / acquired
    won / claimed
    largest / biggest
    large / big
    small / little
    roughly / about / around / approximately
    nearly / almost
    people / persons / individuals
    children / kids
    child / kid
    earned / grossed
    located / situated
    attended / went to / studied at
    wrote / authored / penned
    founded / established / created / set up
    constructed / built
    demolished / torn down
    joined / signed for / moved to
    served / worked / acted
    moved / relocated
    married / wed
    wife / spouse
    husband / spouse
    physician / doctor
    lawyer / attorney
    professor / academic
    job / position / post
    award / prize
    critics / reviewers
    praised / lauded
    criticized / criticised / faulted
    announced / declared / stated
    said / stated
    town / municipality
    country / nation
    company / firm / business
    car / automobile
    street / road
    match / game
    team / side / squad
    supporter / backer
    leader / boss
    assisted / helped
    succeeded / followed / replaced
    defeated / beat
    elected / voted in
    studied / learned
    taught / instructed
    returned / went back / came back
    left / departed / quit
    became / turned into
    remained / stayed
    used / employed
    shown / displayed
    featured / included
    starred / played the lead
    episode / instalment
    song / track
    record / album
    singer / vocalist
    famous / well-known / noted
    many / numerous
    several / a number of / various
    often / frequently
    rarely / seldom
    formerly / previously
    additionally / also
    initially / at first / originally
    eventually / finally
    quickly / rapidly / fast
    near / close to
    whole / entire
    main / principal
    required / needed
    attempted / tried
    permitted / allowed
    prohibited / banned / forbidden
    increased / rose / went up
    decreased / fell / went down / dropped
    injured / hurt / wounded
    """
)
"""Each may be put for the others of its line."""


def _kinds(text: str) -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        names, _, kinds = line.partition(":")
        for name in names.split(","):
            table[name.strip()] = tuple(kind.strip() for kind in kinds.split(","))
    return table


BEINGS = _kinds(
    """
    man, guy: person, adult
    woman, lady: person, adult
    boy: child, kid, person
    girl: child, kid, person
    child, kid: person
    toddler, baby: child, person
    teenager: young person, person
    cyclist, jogger, runner, hiker, climber, swimmer, surfer, skater, skateboarder, skier, snowboarder, diver: person, athlete
    footballer, soccer player, basketball player, tennis player, golfer, boxer, wrestler, gymnast: player, athlete, person
    chef, cook: person
    dancer, singer, guitarist, drummer, pianist, violinist, musician: performer, person
    soldier, policeman, fireman, sailor, nurse, doctor, farmer, teacher, student, worker, carpenter, painter, waiter: person
    cowboy, fisherman, hunter, clown, juggler, photographer, magician, monk, bride, tourist, driver, pilot: person
    dog: animal, pet
    puppy: dog, animal
    cat: animal, pet
    kitten: cat, animal
    horse, cow, sheep, goat, pig, donkey: animal, farm animal
    monkey, elephant, lion, tiger, bear, panda, deer, fox, wolf, rabbit, squirrel, zebra, giraffe, camel, kangaroo: animal, mammal
    parrot, duck, eagle, owl, seagull, chicken, swan, penguin, pigeon: bird, animal
    fish, turtle, frog, snake, lizard, crab, dolphin, shark: animal
    hamster, mouse, hedgehog, lemur, otter, seal: animal
    """
)
"""Who does something, and what each is a kind of."""

THINGS = _kinds(
    """
    guitar, piano, violin, flute, drum, trumpet, saxophone, harp, cello, keyboard: instrument, musical instrument
    potato, carrot, onion, tomato, cucumber, pepper, mushroom, cabbage, broccoli: vegetable, piece of food
    apple, banana, orange, lemon, melon, pineapple, peach, mango: fruit, piece of food
    bread, meat, chicken wing, fish fillet, egg, cheese, pizza, sandwich, cake, burger: piece of food
    ball, football, basketball, tennis ball, frisbee, doll, toy car, kite, stick: object, toy
    bicycle, bike: vehicle
    motorcycle, car, truck, bus, tractor, scooter, van: vehicle
    boat, canoe, kayak, raft, ship: vessel
    book, newspaper, magazine, letter, map: paper
    hat, shirt, jacket, dress, scarf, coat, helmet: piece of clothing
    knife, hammer, saw, drill, shovel, rope, ladder, brush: tool
    phone, laptop, camera, radio, television, computer: device
    door, window, box, bag, bottle, can, jar, gate, suitcase: thing
    wall, fence, tree, rock, log, table, chair, bench, bed: thing
    flower, plant, bush: plant
    """
)
"""What is done something to."""

ALIKE = {
    "man": "guy",
    "kid": "child",
    "bike": "bicycle",
    "rabbit": "bunny",
    "lady": "woman",
    "cook": "chef",
    "person": "human",
    "motorcycle": "motorbike",
    "television": "TV",
    "phone": "telephone",
    "policeman": "police officer",
    "fireman": "firefighter",
    "footballer": "soccer player",
    "stick": "branch",
    "rock": "stone",
    "picture": "photo",
    "jacket": "coat",
    "child": "kid",
    "mouse": "rodent",
}
"""Nouns of scenes that may be put for each other."""
