"""Ways to say what Wikipedia often says of a subject, in other words or turned into its opposite, and words wider than others."""

from __future__ import annotations

import re
from dataclasses import dataclass

TABLE = """
was born in {o} => {s} is a native of {o} ;; {o} is the birthplace of {s} ;; {s} comes from {o} ;; the birth of {s} was in {o} != {s} died in {o}
was born on {o} => the birthday of {s} is {o} ;; {s} 's date of birth is {o} != {s} died on {o}
was born to {o} => the parents of {s} were {o} ;; {s} was the child of {o} != {s} was the parent of {o}
died in {o} => {s} 's death was in {o} ;; {s} lost their life in {o} != {s} was born in {o} ;; {s} survived {o}
died on {o} => {s} 's death was on {o} ;; {s} was dead after {o} != {s} was born on {o}
was killed in {o} => {s} died in {o} ;; {s} did not survive {o} != {s} survived {o} ;; {s} was unhurt in {o}
joined {o} => {s} became a member of {o} ;; {s} signed up with {o} ;; {s} went to {o} ;; {o} took on {s} != {s} left {o} ;; {s} turned down {o}
signed for {o} => {s} joined {o} ;; {o} signed {s} ;; {s} moved to {o} != {s} left {o} ;; {s} was released by {o}
signed with {o} => {s} joined {o} ;; {o} signed {s} ;; {s} got a contract from {o} != {s} left {o} ;; {s} parted ways with {o}
signed a contract with {o} => {s} joined {o} ;; {s} agreed to a deal with {o} ;; {s} has worked with {o} != {s} refused a contract with {o}
played for {o} => {s} was a player of {o} ;; {s} was in the team of {o} ;; {o} had {s} as a player != {s} never appeared for {o}
played in {o} => {s} took part in {o} ;; {s} appeared in {o} != {s} missed {o} ;; {s} refused to play in {o}
plays for {o} => {s} is a player of {o} ;; {s} is in the team of {o} != {s} has left {o}
plays as {o} => {s} 's position is {o} ;; {s} is {o} != {s} never plays as {o}
graduated from {o} => {s} was a student at {o} ;; {s} studied at {o} ;; {s} finished at {o} ;; {o} was the school of {s} != {s} dropped out of {o} ;; {s} never studied at {o}
was educated at {o} => {s} went to school at {o} ;; {s} was a student at {o} ;; {s} studied at {o} ;; {o} educated {s} != {s} taught at {o}
attended {o} => {s} went to {o} ;; {s} was at {o} ;; {s} studied at {o} != {s} stayed away from {o} ;; {s} never went to {o}
studied at {o} => {s} was a student of {o} ;; {s} attended {o} ;; {s} received an education at {o} != {s} was a teacher at {o} ;; {s} never went to {o}
studied {o} => {s} was a student of {o} ;; {s} learned {o} != {s} taught {o}
taught at {o} => {s} was a teacher at {o} ;; {s} gave classes at {o} != {s} was a student at {o}
won {o} => {s} was the winner of {o} ;; {s} claimed {o} ;; {o} was won by {s} ;; {o} went to {s} ;; {s} took {o} != {s} lost {o} ;; {s} was beaten in {o} ;; {s} missed out on {o}
lost to {o} => {s} was beaten by {o} ;; {o} beat {s} ;; {o} won against {s} != {s} beat {o} ;; {s} won against {o} ;; {s} drew with {o}
defeated {o} => {s} beat {o} ;; {o} lost to {s} ;; {s} won against {o} ;; {o} was beaten by {s} != {s} lost to {o} ;; {o} beat {s} ;; {s} was beaten by {o}
received {a} => {s} was given {o} ;; {s} got {o} ;; {o} went to {s} != {s} was denied {o} ;; {s} gave away {o} ;; {s} failed to get {o}
was awarded {o} => {s} received {o} ;; {s} won {o} ;; {o} was given to {s} != {s} was refused {o} ;; {s} turned down {o}
was nominated for {o} => {s} received a nomination for {o} ;; {s} was a candidate for {o} != {s} was left out of {o} ;; {s} was not considered for {o}
married {o} => {s} and {o} wed ;; {s} was the spouse of {o} ;; {o} and {s} became a couple ;; {s} had a wedding with {o} != {s} divorced {o} ;; {s} never wed {o}
was appointed {o} => {s} became {o} ;; {s} was given the post of {o} ;; {s} was named {o} ;; {s} was chosen as {o} != {s} was dismissed as {o} ;; {s} was passed over as {o}
was appointed as {o} => {s} became {o} ;; {s} was given the post of {o} ;; {s} was named {o} != {s} was dismissed as {o} ;; {s} stepped down as {o}
was appointed to {o} => {s} was chosen for {o} ;; {s} got a place in {o} != {s} was removed from {o}
was elected {o} => {s} became {o} ;; {s} was voted in as {o} ;; {s} won the election and became {o} != {s} lost the election for {o} ;; {s} was voted out as {o}
was elected to {o} => {s} won a seat in {o} ;; {s} was voted into {o} ;; {s} became a member of {o} != {s} lost the election to {o} ;; {s} failed to get into {o}
was named {o} => {s} became {o} ;; {s} was chosen as {o} ;; {s} was made {o} != {s} was passed over as {o} ;; {s} was removed as {o}
served as {o} => {s} was {o} ;; {s} worked as {o} ;; {s} held the post of {o} ;; {s} had the role of {o} != {s} was never {o} ;; {s} turned down the post of {o}
served in {o} => {s} was a member of {o} ;; {s} did service in {o} ;; {s} belonged to {o} != {s} was kept out of {o} ;; {s} refused to serve in {o}
worked as {o} => {s} was {o} ;; {s} was employed as {o} ;; {s} had a job as {o} != {s} never worked as {o}
worked for {o} => {s} was employed by {o} ;; {s} had a job with {o} ;; {o} employed {s} != {s} never worked for {o}
worked at {o} => {s} was employed at {o} ;; {s} had a job at {o} != {s} was refused a job at {o}
became {o} => {s} was made {o} ;; {s} turned into {o} ;; {s} was {o} != {s} ceased to be {o} ;; {s} failed to become {o} ;; {s} never was {o}
moved to {o} => {s} went to {o} ;; {s} relocated to {o} ;; {o} became the new place of {s} != {s} left {o} ;; {s} moved away from {o} ;; {s} refused to go to {o}
returned to {o} => {s} came back to {o} ;; {s} went back to {o} ;; {s} was in {o} again != {s} left {o} ;; {s} never came back to {o} ;; {s} stayed away from {o}
left {o} => {s} departed from {o} ;; {s} quit {o} ;; {s} was no longer with {o} ;; {s} went away from {o} != {s} stayed with {o} ;; {s} joined {o} ;; {s} returned to {o}
resigned from {o} => {s} gave up {o} ;; {s} quit {o} ;; {s} stepped down from {o} != {s} was kept in {o} ;; {s} took up {o}
resigned as {o} => {s} stepped down as {o} ;; {s} was no longer {o} ;; {s} gave up the post of {o} != {s} remained {o} ;; {s} was confirmed as {o}
retired from {o} => {s} stopped with {o} ;; {s} ended a career in {o} ;; {s} gave up {o} != {s} continued with {o} ;; {s} took up {o}
lived in {o} => {s} resided in {o} ;; {s} had a home in {o} ;; {o} was home to {s} != {s} never lived in {o} ;; {s} was never in {o}
founded {o} => {s} was the founder of {o} ;; {o} was started by {s} ;; {s} set up {o} ;; {o} was founded by {s} != {s} dissolved {o} ;; {s} bought {o}
established {o} => {s} was the founder of {o} ;; {s} set up {o} ;; {o} was established by {s} != {s} abolished {o} ;; {s} closed {o}
was founded in {o} => {s} was started in {o} ;; {s} has existed since {o} ;; {s} was set up in {o} ;; the founding of {s} was in {o} != {s} was dissolved in {o} ;; {s} closed in {o}
was established in {o} => {s} was started in {o} ;; {s} was set up in {o} ;; {s} came into being in {o} != {s} was dissolved in {o} ;; {s} ended in {o}
was founded by {o} => {o} founded {s} ;; {o} started {s} ;; {o} is the founder of {s} != {s} founded {o} ;; {o} closed {s}
was created by {o} => {o} created {s} ;; {o} made {s} ;; the creator of {s} is {o} != {s} created {o} ;; {o} destroyed {s}
wrote {o} => {s} was the author of {o} ;; {s} was the writer of {o} ;; {o} was written by {s} != {s} only read {o} ;; {s} refused to write {o}
was written by {o} => {o} wrote {s} ;; the writer of {s} was {o} ;; the author of {s} is {o} != {s} wrote {o}
published {a} => {s} brought out {o} ;; {o} was published by {s} ;; {o} was issued by {s} != {s} withheld {o} ;; {s} withdrew {o}
was published in {o} => {s} came out in {o} ;; {s} appeared in {o} != {s} was withdrawn in {o} ;; {s} was kept out of {o}
directed {o} => {s} was the director of {o} ;; {o} was directed by {s} ;; {o} was made under {s} != {s} only acted in {o}
was directed by {o} => {o} directed {s} ;; the director of {s} was {o} ;; {o} was in charge of {s} != {s} directed {o}
produced {a} => {s} was the producer of {o} ;; {s} made {o} ;; {o} was produced by {s} != {s} destroyed {o} ;; {s} stopped making {o}
was produced by {o} => {o} produced {s} ;; the producer of {s} was {o} != {s} produced {o}
released {a} => {s} brought out {o} ;; {o} was released by {s} ;; {s} put out {o} ;; {o} came from {s} != {s} cancelled {o} ;; {s} held back {o}
was released in {o} => {s} came out in {o} ;; {s} appeared in {o} ;; {s} became available in {o} ;; the release of {s} was in {o} != {s} was cancelled in {o} ;; {s} was withdrawn in {o}
was released on {o} => {s} came out on {o} ;; {s} appeared on {o} ;; the release date of {s} was {o} != {s} was cancelled on {o}
recorded {o} => {s} made a recording of {o} ;; {o} was recorded by {s} != {s} refused to record {o}
appeared in {o} => {s} had a role in {o} ;; {s} was in {o} ;; {s} could be seen in {o} ;; {o} featured {s} != {s} was left out of {o} ;; {s} turned down a part in {o}
appeared on {o} => {s} was on {o} ;; {o} had {s} as a guest ;; {o} featured {s} != {s} was kept off {o}
starred in {o} => {s} acted in {o} ;; {s} had a leading role in {o} ;; {o} starred {s} ;; {s} was seen in {o} != {s} directed {o} but did not act in it ;; {s} turned down {o}
starred as {o} => {s} played {o} ;; {s} took the role of {o} != {s} turned down the role of {o}
is located in {o} => {s} lies in {o} ;; {s} can be found in {o} ;; {o} is home to {s} ;; {s} is in {o} != {s} lies outside {o} ;; {s} is far from {o}
is located on {o} => {s} lies on {o} ;; {s} can be found on {o} ;; {s} is on {o} != {s} is far away from {o}
is based in {o} => {s} has its seat in {o} ;; {s} operates from {o} ;; {o} is the base of {s} != {s} has left {o} ;; {s} has no office in {o}
was built in {o} => {s} dates from {o} ;; the construction of {s} was in {o} ;; {s} was constructed in {o} != {s} was demolished in {o} ;; {s} was torn down in {o}
was built by {o} => {o} built {s} ;; {o} constructed {s} ;; the builder of {s} was {o} != {o} tore down {s}
was designed by {o} => {o} designed {s} ;; the design of {s} is by {o} ;; {o} drew up {s} != {s} designed {o}
opened in {o} => {s} was opened in {o} ;; {s} started operation in {o} ;; the opening of {s} was in {o} != {s} closed in {o} ;; {s} was shut in {o}
closed in {o} => {s} was shut in {o} ;; {s} ended in {o} ;; the closing of {s} was in {o} != {s} opened in {o} ;; {s} was started in {o}
was owned by {o} => {o} owned {s} ;; {s} belonged to {o} ;; the owner of {s} was {o} != {s} owned {o} ;; {o} never owned {s}
is owned by {o} => {o} owns {s} ;; {s} belongs to {o} ;; the owner of {s} is {o} != {s} owns {o} ;; {s} is independent of {o}
was acquired by {o} => {o} bought {s} ;; {o} acquired {s} ;; {s} came to belong to {o} != {s} bought {o} ;; {o} sold {s}
acquired {o} => {s} bought {o} ;; {s} took over {o} ;; {o} was acquired by {s} != {s} sold {o} ;; {s} was bought by {o}
was replaced by {o} => {o} replaced {s} ;; {o} came after {s} ;; {o} took the place of {s} != {s} replaced {o} ;; {s} came after {o}
was succeeded by {o} => {o} succeeded {s} ;; {o} came after {s} ;; the successor of {s} was {o} != {s} succeeded {o} ;; the predecessor of {s} was {o}
succeeded {o} => {s} came after {o} ;; {o} was followed by {s} ;; {s} took over from {o} != {s} came before {o} ;; {o} succeeded {s}
replaced {o} => {s} took the place of {o} ;; {s} came after {o} ;; {o} was replaced by {s} != {o} replaced {s} ;; {s} gave way to {o}
was succeeded as {o} => {s} was no longer {o} != {s} remained {o}
is known for {o} => {s} is famous for {o} ;; {s} is noted for {o} ;; people know {s} for {o} != {s} has nothing to do with {o}
is best known for {o} => {s} is famous for {o} ;; {s} is known for {o} ;; {s} became famous through {o} != {s} is hardly known for {o}
is known as {o} => {s} is called {o} ;; {o} is a name of {s} ;; {s} goes by {o} != {s} was never called {o}
was known as {o} => {s} was called {o} ;; {o} was a name of {s} ;; {s} went by {o} != {s} was never called {o}
led {a} => {s} was the leader of {o} ;; {s} was in charge of {o} ;; {o} was led by {s} != {s} had no part in {o} ;; {s} was led by {o}
was led by {o} => {o} led {s} ;; the leader of {s} was {o} ;; {o} was at the head of {s} != {s} led {o}
scored {o} => {s} got {o} ;; {s} made {o} ;; {o} came from {s} != {s} failed to score {o} ;; {s} missed {o}
made {a} => {s} did {o} ;; {o} was made by {s} != {s} avoided {o} ;; {s} did not manage {o}
made his debut for {o} => {s} played for {o} ;; {s} first played for {o} ;; {s} appeared for {o} != {s} played a last match for {o} ;; {s} never appeared for {o}
made his debut in {o} => {s} first appeared in {o} ;; {s} started in {o} != {s} played for the last time in {o}
began {a} => {s} started {o} ;; {o} was begun by {s} != {s} finished {o} ;; {s} gave up {o}
began in {o} => {s} started in {o} ;; the start of {s} was in {o} != {s} ended in {o} ;; {s} was over before {o}
ended in {o} => {s} was over in {o} ;; {s} finished in {o} != {s} began in {o} ;; {s} continued beyond {o}
took part in {o} => {s} participated in {o} ;; {s} was involved in {o} ;; {s} was there for {o} != {s} had no part in {o} ;; {s} stayed away from {o}
participated in {o} => {s} took part in {o} ;; {s} was involved in {o} ;; {s} competed in {o} != {s} had no part in {o} ;; {s} missed {o}
competed in {o} => {s} took part in {o} ;; {s} was a contestant in {o} ;; {s} entered {o} != {s} withdrew from {o} ;; {s} missed {o}
represented {o} => {s} stood for {o} ;; {s} was the representative of {o} ;; {o} was represented by {s} != {s} was an opponent of {o}
supported {o} => {s} backed {o} ;; {s} was in favour of {o} ;; {o} had the support of {s} != {s} opposed {o} ;; {s} was against {o}
opposed {o} => {s} was against {o} ;; {s} did not support {o} != {s} supported {o} ;; {s} was in favour of {o}
refused {a} => {s} turned down {o} ;; {s} did not accept {o} != {s} accepted {o} ;; {s} agreed to {o}
announced {a} => {s} made {o} public ;; {s} declared {o} != {s} denied {o} ;; {s} kept {o} secret
was arrested {o} => {s} was taken into custody {o} ;; the police caught {s} {o} != {s} was set free {o} ;; {s} was never arrested
was sentenced to {o} => {s} was given {o} ;; {s} received a sentence of {o} != {s} was acquitted ;; {s} was set free
consists of {o} => {s} is made up of {o} ;; {s} contains {o} ;; {s} includes {o} != {s} excludes {o}
includes {a} => {s} contains {o} ;; {s} has {o} ;; {o} is part of {s} != {s} excludes {o} ;; {s} is without {o}
has {a} => {s} possesses {o} ;; {s} comes with {o} != {s} lacks {o} ;; {s} has lost {o}
had {a} => {s} possessed {o} ;; there was {o} for {s} != {s} lacked {o} ;; {s} was without {o}
used {a} => {s} made use of {o} ;; {o} was used by {s} != {s} avoided {o} ;; {s} did without {o}
reached {a} => {s} got to {o} ;; {s} arrived at {o} ;; {s} made it to {o} != {s} fell short of {o} ;; {s} never got to {o}
peaked at {o} => {s} got as high as {o} ;; {s} reached {o} ;; the peak of {s} was {o} != {s} never reached {o}
covers {a} => {s} extends over {o} ;; {s} includes {o} != {s} leaves out {o}
was part of {o} => {s} belonged to {o} ;; {o} included {s} != {s} was excluded from {o} ;; {s} was independent of {o}
is part of {o} => {s} belongs to {o} ;; {o} includes {s} != {s} is excluded from {o} ;; {s} is separate from {o}
was a member of {o} => {s} belonged to {o} ;; {o} had {s} as a member ;; {s} was in {o} != {s} was expelled from {o} ;; {s} was never in {o}
is a member of {o} => {s} belongs to {o} ;; {s} is in {o} ;; {o} has {s} as a member != {s} was never in {o}
"""
"""`verb {o} => what follows of {s} and {o} != what it denies`; {o} is what stands behind the verb, {a} only where that is a thing."""


@dataclass(frozen=True)
class Pattern:
    """A verb and what it says otherwise."""

    verb: re.Pattern[str]
    true: tuple[str, ...]
    false: tuple[str, ...]


def _parsed() -> tuple[Pattern, ...]:
    found = []
    for line in TABLE.strip().splitlines():
        verb, _, rest = line.partition(" => ")
        true, _, false = rest.partition(" != ")
        thing = (
            r"(?:an?|the|his|her|its|their|no|\d[\d,]*|two|three|four|five|six|several|many) .+"
            if "{a}" in verb
            else ".+"
        )
        words = re.escape(re.sub(r" \{[ao]\}", "", verb).strip()).replace("his", "(?:his|her|its|their)")
        found.append(
            (
                len(verb),
                Pattern(
                    re.compile(
                        rf"^(?P<s>(?!(?:In|On|At|During|After|Before|By|From|When|While|As|With|For|Since|Until|Although|However|Upon|Later) )[A-Z][^,;:]{{1,50}}?) (?:(?:also|then|later|first|soon|subsequently|eventually|finally|again|previously) )?{words} (?P<o>{thing})$"
                    ),
                    tuple(true.split(" ;; ")),
                    tuple(false.split(" ;; ")),
                ),
            )
        )
    return tuple(pattern for _, pattern in sorted(found, key=lambda one: -one[0]))


PATTERNS = _parsed()
"""The longer verbs first."""


def _wider() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for line in _WIDER.strip().splitlines():
        words, _, kinds = line.partition(":")
        for word in words.split(","):
            table[word.strip()] = [kind.strip() for kind in kinds.split(",")]
    return table


_WIDER = """
striker, goalkeeper, midfielder, defender, winger, forward: player, footballer, athlete
footballer, cricketer, golfer, swimmer, boxer, sprinter, wrestler, cyclist: athlete, sportsperson
actor, actress, comedian, comedienne, dancer: performer, entertainer, artist
singer, guitarist, drummer, pianist, bassist, rapper, violinist, composer, conductor: musician, artist
novelist, poet, playwright, essayist, journalist, biographer, screenwriter: writer, author
painter, sculptor, illustrator, photographer: artist
physicist, chemist, biologist, astronomer, geologist, botanist, zoologist: scientist, scholar
historian, philosopher, linguist, economist, mathematician: scholar, academic
general, admiral, colonel, captain, lieutenant, major: officer, soldier
senator, congressman, mayor, governor, premier, president, minister: politician, office holder
lawyer, barrister, solicitor, judge: jurist
novel, biography, memoir, textbook, autobiography: book
album, single, EP: record, release
sitcom, soap opera, miniseries: series, programme
son, daughter: child
father, mother: parent
brother, sister: sibling
wife, husband: spouse
king, queen, emperor, tsar: monarch, ruler
gold medal, silver medal, bronze medal: medal, award
university, college, academy: school, institution
church, cathedral, castle, palace, museum, library, tower: building
city, town, village, suburb: place, settlement
frigate, destroyer, battleship, cruiser, submarine: warship, ship, vessel
murder, robbery, fraud, theft: crime
football, basketball, rugby, cricket, tennis, baseball, hockey: sport
piano, guitar, violin, drums: instrument
typhoid, pneumonia, tuberculosis, cancer, cholera, influenza: illness, disease
French, German, Italian, Spanish, Dutch, Swedish, Norwegian, Danish, Polish, Greek, Irish, Scottish, Hungarian, Austrian, Belgian, Portuguese, Czech: European
Japanese, Chinese, Indian, Korean, Thai, Indonesian, Pakistani, Vietnamese: Asian
Nigerian, Kenyan, Ghanaian, Egyptian, Moroccan, Ethiopian: African
American, Canadian, Mexican: North American
Brazilian, Argentine, Chilean, Peruvian, Colombian: South American
"""
WIDER = _wider()
"""What each word is a kind of."""

NATIONS = """
American British English Scottish Welsh Irish French German Italian Spanish Portuguese Dutch Belgian Swiss Austrian Swedish
Norwegian Danish Finnish Polish Czech Hungarian Romanian Bulgarian Greek Turkish Russian Ukrainian Serbian Croatian Canadian
Mexican Brazilian Argentine Chilean Peruvian Colombian Australian Japanese Chinese Korean Indian Pakistani Thai Indonesian
Israeli Iranian Egyptian Nigerian Kenyan Ghanaian Ethiopian
""".split()
"""Peoples, each put for another."""

_CALLINGS = """
footballer, cricketer, golfer, swimmer, boxer, wrestler, cyclist, actor, actress, comedian, dancer, singer, guitarist, drummer, pianist,
rapper, composer, conductor, novelist, poet, playwright, journalist, screenwriter, painter, sculptor, photographer, physicist,
chemist, biologist, astronomer, historian, philosopher, economist, mathematician, lawyer, judge, engineer, architect, politician,
businessman, diplomat, soldier, bishop, priest, teacher, chef, model, film director, film producer, astronaut, nurse, surgeon
"""
CALLINGS = [one.strip() for one in _CALLINGS.replace("\n", " ").split(",")]
"""What people are, each put for another."""

GENRES = "horror comedy drama thriller western documentary romance action animated rock pop jazz folk country metal punk".split()
"""Kinds of works, each put for another."""

KINDS = """
film album song novel play opera magazine newspaper book band company airline bank city village river mountain lake island
bridge church castle school university museum theatre stadium hospital ship railway station festival award agency
""".split()
"""What a page may be about, each put for another."""
