"""Word lists for comparing two versions of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dateline.language.calendar import CALENDAR
from dateline.language.word_lists import word_set
from dateline.text.words import stem

_DENYING = {"forbid": "allow", "ban": "allow", "prohibit": "allow", "lack": "have", "unable": "able", "deny": "allow"}
"""Words that are others denied: what is forbidden is not allowed."""

_SAME = (
    "allow permit let",
    "begin start commence launch",
    "end finish conclude",
    "build construct erect",
    "buy purchase acquire",
    "get receive obtain",
    "show display exhibit",
    "live reside",
    "find discover",
    "happen occur",
    "near beside",
    "big large great",
    "roughly about around approximately some circa almost nearly",
    "each every",
    "yearly annual annually",
    "film movie",
    "firm company",
    "doctor physician",
    "teach instruct",
    "die pass",
    "help aid assist",
    "need require",
    "choose select pick",
    "job post position",
    "town city",
    "road street",
    "leader head chief",
    "car automobile",
    "child kid",
    "kill slay",
    "keep retain preserve",
    "belong own possess",
)
"""Words that often stand for each other; the first stands for all."""

_EXCLUSIVE = (
    "north south east west",
    "northern southern eastern western",
    "northeast northwest southeast southwest",
    "black white red green blue yellow brown grey gray purple pink orange",
    "all most half some few part majority minority only several many",
    "always often usually sometimes rarely seldom never",
    "daily weekly monthly yearly hourly",
    "morning noon afternoon evening night midnight",
    "open close shut",
    "support oppose",
    "accept reject refuse",
    "rise fall",
    "increase decrease",
    "grow shrink",
    "win lose draw",
    "buy sell",
    "arrive depart leave",
    "alive dead",
    "public private",
    "legal illegal",
    "left right",
    "upper lower",
    "early late",
    "before after",
    "largest smallest",
    "biggest smallest",
    "highest lowest",
    "oldest youngest newest",
    "best worst",
    "male female",
    "married divorced widowed single",
    "guilty innocent",
    "government opposition",
    "majority minority",
    "hot cold warm",
    "professional amateur",
    "active inactive extinct dormant",
    "domestic abroad foreign",
    "summer winter spring autumn",
    "gold silver bronze",
)
"""Of each of these lists one at most holds of one thing at a time."""

_IRREGULAR = (
    "be is are was were been being am",
    "begin began begun",
    "become became",
    "break broke broken",
    "bring brought",
    "build built",
    "buy bought",
    "catch caught",
    "choose chose chosen",
    "come came",
    "cut cutting",
    "draw drew drawn",
    "drive drove driven",
    "fall fell fallen",
    "feed fed",
    "fight fought",
    "find found",
    "fly flew flown",
    "forbid forbade forbidden",
    "freeze froze frozen",
    "get got gotten",
    "give gave given",
    "go went gone",
    "grind ground",
    "grow grew grown",
    "have has had",
    "hold held",
    "keep kept",
    "know knew known",
    "lay laid",
    "lead led",
    "leave left",
    "lend lent",
    "lose lost",
    "make made",
    "meet met",
    "pay paid",
    "ride rode ridden",
    "ring rang rung",
    "rise rose risen",
    "run ran",
    "say said",
    "see saw seen",
    "sell sold",
    "send sent",
    "shoot shot",
    "show shown",
    "sing sang sung",
    "sit sat",
    "speak spoke spoken",
    "spend spent",
    "stand stood",
    "steal stole stolen",
    "strike struck",
    "swim swam swum",
    "take took taken",
    "teach taught",
    "tear tore torn",
    "tell told",
    "think thought",
    "throw threw thrown",
    "wear wore worn",
    "win won",
    "write wrote written",
    "man men",
    "woman women",
    "child children",
    "foot feet",
    "person people",
    "life lives",
    "wolf wolves",
)

QUALIFIERS = word_set(
    "former ex deputy acting vice assistant planned proposed expected alleged reported attempted failed almost "
    "nearly hardly may might could would should will if unless except only until partly"
)
"""Words without which a sentence says more than with them, or something else."""

LASTING = word_set("since still now currently yet today present")
"""Words by which a state goes on."""

CALENDAR_AND_SEASONS = CALENDAR | word_set("spring summer autumn winter")
"""Components of the year and of the week; like numbers they are values."""


def _firsts(lists: Iterable[str]) -> Mapping[str, str]:
    return {stem(word): stem(words.split()[0]) for words in lists for word in words.split()}


_LEMMAS = _firsts(_IRREGULAR)
_STANDINGS = _firsts(_SAME)
_DENIED = {stem(word): stem(other) for word, other in _DENYING.items()}
_EXCLUDING: dict[str, frozenset[int]] = {}


def lemma(word: str) -> str:
    """The stem of a folded word, irregular forms under the first of them."""
    root = stem(word)
    return _LEMMAS.get(root, root)


def standing(root: str) -> str:
    """The word that stands for a lemma and others like it; itself for most."""
    return _STANDINGS.get(root, root)


# Under the words that sentences are compared by: "left" is read as "leave".
for _number, _words in enumerate(_EXCLUSIVE):
    for _word in {standing(lemma(_word)) for _word in _words.split()}:
        _EXCLUDING[_word] = _EXCLUDING.get(_word, frozenset()) | {_number}


def denied(root: str) -> str | None:
    """What a lemma such as "forbid" is the denial of; `None` for most."""
    return _DENIED.get(root)


def exclusive(one: str, other: str) -> bool:
    """Whether two lemmas cannot both hold: "north" and "south"."""
    return one != other and not _EXCLUDING.get(one, frozenset()).isdisjoint(_EXCLUDING.get(other, frozenset()))
