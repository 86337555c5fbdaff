"""Edits of sentences whose effect on what they say is known: other words of one meaning, opposites, denials, other values."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from judge_words import OPPOSITES, SYNONYMS

_OPPOSITE: dict[str, list[str]] = defaultdict(list)
for _left, _right in OPPOSITES:
    _OPPOSITE[_left].append(_right)
    _OPPOSITE[_right].append(_left)
_ALIKE: dict[str, list[str]] = defaultdict(list)
for _group in SYNONYMS:
    for _word in _group:
        _ALIKE[_word] += [other for other in _group if other != _word]


def _longest_first(words: Mapping[str, object]) -> re.Pattern[str]:
    return re.compile(r"\b(" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")\b", re.I)


_OPPOSED, _SAID = _longest_first(_OPPOSITE), _longest_first(_ALIKE)
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|would|did|does|do|should|must)\b(?! not)", re.I
)
_VERBS = {
    "won": "win", "made": "make", "became": "become", "wrote": "write", "sold": "sell", "led": "lead", "left": "leave",
    "got": "get", "took": "take", "began": "begin", "held": "hold", "had": "have", "died": "die", "joined": "join",
    "played": "play", "scored": "score", "directed": "direct", "released": "release", "received": "receive", "served": "serve",
    "worked": "work", "lived": "live", "moved": "move", "studied": "study", "attended": "attend", "married": "marry",
    "founded": "found", "created": "create", "published": "publish", "signed": "sign", "returned": "return",
    "appeared": "appear", "starred": "star", "grossed": "gross", "earned": "earn", "finished": "finish",
    "developed": "develop", "succeeded": "succeed", "resigned": "resign", "retired": "retire", "killed": "kill",
    "opened": "open", "ended": "end", "premiered": "premiere", "taught": "teach", "came": "come", "went": "go",
    "ran": "run", "recorded": "record", "designed": "design", "lasted": "last", "graduated": "graduate", "graded": "grade",
}  # fmt: skip
_PAST = re.compile(r"\b(" + "|".join(_VERBS) + r")\b")
_PRESENT = re.compile(
    r"\b(plays|stars|features|lives|covers|belongs|represents|lies|comes|makes|manages|leads|runs|holds|competes|ranks|admits|remains|works|contains|includes)\b"
)


def reworded(text: str, rng: random.Random, *, most: int = 2) -> str:
    """`text` with up to `most` words put for others of the same meaning."""
    found = list(_SAID.finditer(text))
    for match in sorted(rng.sample(found, min(most, len(found))), key=lambda one: -one.start()):
        text = _put(text, match, rng.choice(_ALIKE[match.group().lower()]))
    return text


def opposed(text: str, rng: random.Random) -> str | None:
    """`text` with one word put for its opposite; `None` where it holds no such word."""
    found = list(_OPPOSED.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return _put(text, match, rng.choice(_OPPOSITE[match.group().lower()]))


def negated(text: str, rng: random.Random | None = None) -> str | None:
    """`text` denied; `None` where no verb is known."""
    rng = rng or random.Random(len(text))
    past, present, auxiliary = _PAST.search(text), _PRESENT.search(text), _AUXILIARY.search(text)
    verbs = [match for match in (past, present, auxiliary) if match is not None]
    if not verbs:
        return None
    first = min(verbs, key=lambda one: one.start())
    if first is past and first.group() not in ("had",):
        put = rng.choice(
            [f"did not {_VERBS[first.group()]}", f"never {first.group()}", f"didn't {_VERBS[first.group()]}"]
        )
    elif first is present:
        base = re.sub(r"s$", "", first.group())
        put = rng.choice([f"does not {base}", f"doesn't {base}", f"never {first.group()}"])
    else:
        word = first.group()
        put = f"{word} {rng.choice(['not', 'not', 'never'])}"
    return f"{text[: first.start()]}{put}{text[first.end() :]}"


def _put(text: str, match: re.Match[str], word: str) -> str:
    if match.group()[0].isupper():
        word = word[0].upper() + word[1:]
    return text[: match.start()] + word + text[match.end() :]


# Prose ---------------------------------------------------------------------------------------------------------------

_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]")
_FRONTED = re.compile(
    r"^(?P<when>(?:In|On|During|From|By|Since|After|Before|At) [^,]{3,40}(?: , \d{4})?) , (?P<rest>.*)$"
)
_TAIL = re.compile(r"\s(?:,|;|–|--)\s|\s(?:and|but|while|although|who|which|where|when|because|before|after)\s")
_PRONOUN = re.compile(r"^(He|She|It|They)\b")
_POSSESSIVE = re.compile(r"^(His|Her|Its|Their)\b")
_VERBAL = re.compile(r"\b(?:is|are|was|were|has|have|had|became|won|made|left|took|began|held|wrote|led|\w{3,}ed)\b")
_NAME = re.compile(r"(?<=\w )[A-Z][\w'’-]+(?: (?:of |the |de )?[A-Z][\w'’-]+)*")
_YEAR = re.compile(r"(?<![–\d-])\b(1[5-9]\d\d|20[0-2]\d)\b(?![–-])")
_COUNT = re.compile(
    r"(?<![\d$£€] )(?<![\d–.,-])\b(\d{1,3}(?:,\d{3})+|\d{1,3})\b(?!\s*(?:January|February|March|April|May|June|July|August|September|October|November|December|,|:|[-–]|\.\d|th|st|nd|rd))"
)
_MONTH = re.compile(r"\b(January|February|March|April|June|July|August|September|October|November|December)\b")
_BOUND_BEFORE = re.compile(
    r"\b(?:than|over|under|least|most|about|nearly|almost|around|approximately|some|the|next|last|first|on|no|number|and|to)\s$",
    re.I,
)


def claim_of(sentence: str, title: str, rng: random.Random) -> str | None:
    """A shorter sentence that follows from `sentence`, with its page's title for a pronoun; `None` where none is found."""
    text = " ".join(_BRACKETS.sub("", sentence).split()).rstrip(" .")
    when = ""
    fronted = _FRONTED.match(text)
    if fronted:
        when, text = fronted["when"], fronted["rest"]
    cuts = [
        match.start() for match in _TAIL.finditer(text) if _VERBAL.search(text[: match.start()]) and match.start() > 25
    ]
    if cuts:
        text = text[: rng.choice(cuts[:3])]
    text = text.rstrip(" ,;")
    if when and rng.random() < 0.7:
        text = f"{text} {when[0].lower()}{when[1:]}"
    name = re.sub(r"\s*\(.*", "", title)
    text = _POSSESSIVE.sub(f"{name} 's", _PRONOUN.sub(name, text))
    length = len(text.split())
    return text[0].upper() + text[1:] if 4 <= length <= 22 and _VERBAL.search(text) else None


class Names:
    """Names of a collection of prose by the word that stands before each, so that one can be put for another."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._after: dict[str, list[str]] = defaultdict(list)
        self._ending: dict[str, list[str]] = defaultdict(list)
        for sentence in sentences:
            for match in _NAME.finditer(sentence):
                self._after[_word_before(sentence, match.start())].append(match.group())
                if " " in match.group():
                    self._ending[match.group().split()[-1]].append(match.group())

    def replaced(self, text: str, rng: random.Random, *, keep: str = "") -> str | None:
        """`text` with one of its names put for another; `keep` stays."""
        kept = set(keep.split())
        found = [match for match in _NAME.finditer(text) if not kept & set(match.group().split())]
        if not found:
            return None
        match = rng.choice(found)
        # "British Grand Prix" goes for "Italian Grand Prix" sooner than for whatever else was won.
        alike = self._ending.get(match.group().split()[-1], [])
        options = alike if len(set(alike)) > 2 else self._after[_word_before(text, match.start())]
        words = len(match.group().split())
        for _ in range(30):
            other = rng.choice(options) if options else ""
            if other and other not in text and abs(len(other.split()) - words) <= 1 and not _MONTH.search(other):
                return text[: match.start()] + other + text[match.end() :]
        return None


def _word_before(text: str, start: int) -> str:
    return text[:start].split()[-1].lower() if text[:start].split() else ""


def revalued(text: str, rng: random.Random, *, true: bool) -> str | None:
    """`text` with a year or count put otherwise: as a bound that holds (`true`), or a value or bound that does not."""
    years, counts = list(_YEAR.finditer(text)), [match for match in _COUNT.finditer(text) if _number(match) > 1]
    counts = [match for match in counts if not _YEAR.fullmatch(match.group())]
    months = [] if true else list(_MONTH.finditer(text))
    options = [*years, *counts, *months]
    if not options:
        return None
    match = rng.choice(options)
    before, after = text[: match.start()], text[match.end() :]
    if match in months:
        names = [name for name in _MONTH.pattern[3:-3].split("|") if name != match.group()]
        return before + rng.choice(names) + after
    number = _number(match)
    if match in years:
        gap = rng.choice([1, 1, 2, 3, 5, 9, 15])
        in_year = re.search(r"\bin $", before)
        if true:
            if not in_year:
                return None
            put = rng.choice(
                [
                    f"before {number + gap}",
                    f"after {number - gap}",
                    f"by {number + gap}",
                    f"in the {number // 10 * 10}s",
                    f"in the {'early' if number % 10 < 5 else 'late'} {number // 10 * 10}s",
                ]
            )
            return before[: in_year.start()] + put + after
        if in_year and rng.random() < 0.5:
            put = rng.choice(
                [
                    f"before {number - gap + 1}",
                    f"after {number + gap - 1}",
                    f"in the {(number // 10 + rng.choice([-1, 1, 2])) * 10}s",
                ]
            )
            return before[: in_year.start()] + put + after
        return f"{before}{number + rng.choice([-gap, gap])}{after}"
    if true and _BOUND_BEFORE.search(before):
        return None
    if re.search(r"\b(?:in|since|until|of) $", before) and number > 300:
        return None
    step = 1 if rng.random() < 0.25 else max(1, round(number * rng.choice([0.02, 0.05, 0.2, 0.6, 1.0])))
    below, above = max(0, number - step), number + step
    more, fewer = rng.choice(["more than", "over", "at least"]), rng.choice(["fewer than", "less than", "under"])
    if true:
        least = rng.choice(
            [f"at least {number:,}", f"no fewer than {number:,}", f"at most {number:,}", f"about {number:,}"]
        )
        put = rng.choice([f"{more} {below:,}", f"{more} {below:,}", f"{fewer} {above:,}", f"{fewer} {above:,}", least])
    elif rng.random() < 0.15 and not _BOUND_BEFORE.search(before):
        # A bound is not met by its own value.
        put = rng.choice([f"more than {number:,}", f"over {number:,}", f"fewer than {number:,}", f"under {number:,}"])
    else:
        put = rng.choice([f"{more} {above:,}", f"{fewer} {below or 1:,}", f"{above:,}", f"{below:,}"])
    return before + put + after


def _number(match: re.Match[str]) -> int:
    return int(match.group().replace(",", ""))
