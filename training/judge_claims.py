"""Short free claims that follow from a sentence of prose, and what turns a claim false or leaves it open.

True and false claims are worded by the same steps, so that the wording alone tells nothing of the verdict.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from judge_edits import claim_of, negated, opposed, reworded
from judge_patterns import CALLINGS, GENRES, KINDS, NATIONS, PATTERNS, WIDER

_BRACKETS = re.compile(r"\s*[(\[][^)\]]*[)\]]")
_NAME = r"[A-Z][\w.'’-]+(?: (?:of |the |de |von |van )?[A-Z][\w.'’-]+){0,3}"
_IS = re.compile(
    r"^(?P<who>[^,]{2,60}?)(?: ,[^,]{3,60},)? (?P<is>is|was|are|were) (?P<a>an?|the) (?P<what>[^.;]{6,150}?)(?= (?:who|which|that|where|whose|from|in|for|by|on|at|with|as|during|since)\b| [.,;]|$)"
)
_APPOSED = re.compile(rf"(?<=[a-z,] )(?P<who>{_NAME}) , (?P<what>(?:an?|the) [a-z][^,.;]{{6,60}}) [,.]")
_RELATIVE = re.compile(rf"(?P<who>{_NAME}) , who (?P<what>(?:was|had|is|has|became|won|\w+ed) [^,.;]{{8,80}}) [,.]")
_SECOND = re.compile(
    r" (?:and|before|but) (?:then |later |also |eventually )?(?P<what>(?:was|became|won|went|made|took|led|wrote|left|\w{3,}ed) [^,.;]{8,90})(?= [,.;]|$)"
)
_SUBJECT = re.compile(
    r"^(?P<who>(?:He|She|It|They)|[A-Z][\w .'’-]{1,40}?) (?:was|became|won|went|made|took|led|wrote|left|\w{3,}ed)\b"
)
_PRONOUN = re.compile(r"^(?:He|She|It|They)\b")
_INSERTED = re.compile(r" , [^,.;]{4,70} ,(?= )")
_TAIL = re.compile(r" (?:in|at|on|with|for|from|during|after|before|by|under|through|against) [^.;]{3,60}$")
_BROKEN = re.compile(
    r"(?: ,)? (?:who|which|that|is|was|are|were|the|an?|of|in|and|with|for|to|by|be|its|his|her|their|as|from)$| , (?:who|which) \w+|:"
)
_NO_NAME = re.compile(
    r"^(?:The|In|On|At|A|An|His|Her|Its|During|After|Before|He|She|It|They|This|These)\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_DATED = re.compile(
    r"^(?P<rest>.{12,}?) (?P<when>(?:in|on|during|by|after|before|since) (?:[A-Z]\w+ )?(?:\d{1,2} (?:[A-Z]\w+ )?,? ?)?\d{4})$"
)
_LIST = re.compile(
    r"(?P<first>[\w'’ -]{3,30}) , (?P<second>[\w'’ -]{3,30})(?: ,)? and (?P<third>[\w'’-]+(?: [A-Z][\w'’-]+)*)"
)
_BOTH = re.compile(r"(?P<first>\b[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*) and (?P<second>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)")
_ADVERBS = re.compile(
    r" \b(?:also|then|later|subsequently|eventually|finally|soon|again|previously|officially|currently|successfully|famously|notably|briefly|reportedly|together|initially|immediately|jointly|unanimously|famous|prominent|notable|former|retired|professional|small|large|major|well-known)\b"
)
_FULL = re.compile(_NAME)
_VERBAL = re.compile(
    r"\b(?:is|are|was|were|has|have|had|became|won|made|left|took|began|held|wrote|led|\w{3,}ed|\w{4,}s)\b"
)
_WIDE = re.compile(r"\b(" + "|".join(map(re.escape, sorted(WIDER, key=len, reverse=True))) + r")\b")
_CONTENT = re.compile(r"\b[a-z]{4,}\b")
_COMMON = frozenset(
    "that this with from were have been which their there they than then when where while also after before into over under about more most some such only other many several would could will does being between during against through within without because until since each both".split()
)  # fmt: skip


def free_claim(sentence: str, title: str, rng: random.Random) -> str | None:
    """A claim on one thing that `sentence` says, in words partly its own; `None` where none is found."""
    text = " ".join(_BRACKETS.sub("", sentence).split()).rstrip(" .")
    name = re.sub(r"\s*\(.*", "", title)
    claims = [found for found in (claim_of(sentence, title, rng), *_parts(text, name, rng)) if found]
    if not claims:
        return None
    claim = rng.choice(claims)
    for shorten, share in ((_INSERTED, 0.7), (_ADVERBS, 0.5)):
        if rng.random() < share:
            claim = shorten.sub("", claim, count=1)
    if rng.random() < 0.3:
        claim = _listed(claim, rng)
    if rng.random() < 0.3 and len(claim.split()) > 9:
        shorter = _TAIL.sub("", claim)
        claim = shorter if len(shorter.split()) >= 4 and _VERBAL.search(shorter) else claim
    claim = " ".join(claim.split()).strip(" ,;")
    if _BROKEN.search(claim):
        return None
    return claim[0].upper() + claim[1:] if 3 <= len(claim.split()) <= 24 else None


def _parts(text: str, name: str, rng: random.Random) -> list[str]:
    """Claims out of single parts of a sentence: what something is, what is said in passing, what happened second."""
    found = []
    told = _IS.match(text)
    if told:
        who = name if _PRONOUN.match(told["who"]) else told["who"]
        what = told["what"].strip()
        kinds = re.split(r" , (?:and )?| and ", what)
        found += [f"{who} {told['is']} {told['a']} {what}"] * 2
        words = kinds[0].split()
        if told["is"] in ("is", "was") and told["a"] != "the":
            people = [word for word in words if word in NATIONS]
            found += [f"{who} {told['is']} {people[0]}"] * 2 if people else []
            for kind in [kind for kind in kinds if 1 <= len(kind.split()) <= 6]:
                last = kind if rng.random() < 0.4 else kind.split()[-1]
                if last[0].islower() and not last.endswith("ed"):
                    found.append(f"{who} {told['is']} {_a(last)} {last}")
    for pattern in (_APPOSED, _RELATIVE):
        passing = pattern.search(text)
        if passing:
            link = " was " if pattern is _APPOSED else " "
            found += [f"{passing['who']}{link}{passing['what']}"] * 2
    second, subject = _SECOND.search(text), _SUBJECT.match(text)
    if second and subject:
        who = name if _PRONOUN.match(subject["who"]) else subject["who"]
        found += [f"{who} {second['what']}"] * 2
    return found


def _a(noun: str) -> str:
    return "an" if noun[0].lower() in "aeiou" else "a"


def _listed(claim: str, rng: random.Random) -> str:
    """Fewer of the things that a list names."""
    items = _LIST.search(claim)
    if not items:
        return claim
    kept = rng.choice([items["second"], items["third"], items["first"], f"{items['first']} and {items['third']}"])
    return claim[: items.start()] + kept + claim[items.end() :]


def has_pattern(claim: str) -> bool:
    """Whether the claim can be said otherwise."""
    return any(pattern.verb.match(claim) for pattern in PATTERNS)


def worded(claim: str, rng: random.Random) -> str:
    """A claim in other words that mean the same, or less."""
    if rng.random() < 0.6:
        claim = _said_otherwise(claim, rng, false=False) or claim
    if rng.random() < 0.35:
        claim = reworded(claim, rng, most=2)
    if rng.random() < 0.25:
        claim = _widened(claim, rng) or claim
    moved = _DATED.match(claim)
    if moved and rng.random() < 0.25:
        claim = f"{moved['when'][0].upper()}{moved['when'][1:]} , {moved['rest']}"
    return claim


def _said_otherwise(claim: str, rng: random.Random, *, false: bool) -> str | None:
    for pattern in PATTERNS:
        match = pattern.verb.match(claim)
        if match and len(match["o"].split()) <= 14:
            ways = pattern.false if false else pattern.true
            said = rng.choice(ways).format(s=match["s"], o=match["o"])
            return said[0].upper() + said[1:]
    return None


def _widened(claim: str, rng: random.Random) -> str | None:
    found = [match for match in _WIDE.finditer(claim) if match.start()]
    if not found:
        return None
    match = rng.choice(found)
    word = rng.choice(WIDER[match.group()])
    before = claim[: match.start()]
    before = re.sub(r"\ban? $", f"{_a(word)} ", before)
    return before + word + claim[match.end() :]


def denied_claim(claim: str, rng: random.Random) -> str | None:
    """A claim that cannot hold where `claim` does, by other words for its verb, another kind or people, or an exchange of names."""
    ways = [_turned, _of_other_kind, _exchanged, _only, opposed, negated]
    for way in rng.choices(ways, weights=[5, 4, 2.5, 1.2, 3, 1.2], k=4):
        found = way(claim, rng)
        if found and found != claim:
            return found
    return None


def _turned(claim: str, rng: random.Random) -> str | None:
    return _said_otherwise(claim, rng, false=True)


def _of_other_kind(claim: str, rng: random.Random) -> str | None:
    """Another nation, calling, genre or kind of thing in place of the one that is stated."""
    lists = [NATIONS, CALLINGS, GENRES, KINDS] if re.search(r" (?:is|was|are|were) ", claim) else [NATIONS, CALLINGS]
    for words in rng.sample(lists, len(lists)):
        found = [match for match in re.finditer(r"[\w]+(?: (?:director|producer))?", claim) if match.group() in words]
        if found:
            match, other = rng.choice(found), rng.choice(words)
            before = re.sub(r"\b(a)n? $", lambda one, other=other: f"{_a(other)} ", claim[: match.start()])  # type: ignore[misc]
            return None if other in claim else before + other + claim[match.end() :]
    return None


def _exchanged(claim: str, rng: random.Random) -> str | None:
    """The claim with two of its names in each other's place."""
    names = [match for match in _FULL.finditer(claim) if not _NO_NAME.search(match.group())]
    if len(names) < 2 or any(" and " in claim[left.end() : right.start() + 1] for left, right in pairwise(names)):
        return None
    left, right = sorted(rng.sample(names, 2), key=lambda one: one.start())
    between = claim[left.end() : right.start()]
    if not _VERBAL.search(between) or any(word in between for word in (" with ", "married", " wed ", " met ")):
        return None
    return claim[: left.start()] + right.group() + between + left.group() + claim[right.end() :]


def _only(claim: str, rng: random.Random) -> str | None:
    """Of two names that a sentence joins, only one."""
    both = _BOTH.search(claim)
    if not both:
        return None
    left, right = both["first"], both["second"]
    put = rng.choice([f"only {left}", f"only {right}", f"{left} but not {right}", f"neither {left} nor {right}"])
    return claim[: both.start()] + put + claim[both.end() :]


class Contexts:
    """Which common words of a collection stand between the same two neighbours, so that one can be put for another."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._between: dict[tuple[str, str], list[str]] = defaultdict(list)
        for sentence in sentences:
            words = sentence.split()
            for left, word, right in zip(words, words[1:], words[2:], strict=False):
                if _is_content(word):
                    self._between[left, right].append(word)

    def replaced(self, claim: str, rng: random.Random) -> str | None:
        """`claim` with one common word put for another that fits its place."""
        words = claim.split()
        places = [place for place in range(1, len(words) - 1) if _is_content(words[place])]
        for place in rng.sample(places, len(places)):
            options = self._between.get((words[place - 1], words[place + 1]), [])
            fresh = [one for one in options if one[:4] != words[place][:4] and one not in words]
            if len(fresh) >= 3:
                return " ".join([*words[:place], rng.choice(fresh), *words[place + 1 :]])
        return None


def _is_content(word: str) -> bool:
    return _CONTENT.fullmatch(word) is not None and word not in _COMMON and not word.endswith("ly")
