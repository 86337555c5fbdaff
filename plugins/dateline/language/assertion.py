"""Assertion: which clauses an author states as fact, and which not.

Fiction, jokes, conditions, plans, rumours, denials, questions, quotations and orders to the reader tell nobody what is
so. Read by shape and by the word lists of `data/assertion.json`: precise for English, without any claim to be complete.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dateline.language.names import LetterPattern
from dateline.language.word_lists import word_table

_LISTS = word_table("assertion")


def _any(*kinds: str) -> str:
    words = sorted({word for kind in kinds for word in _LISTS[kind]}, key=len, reverse=True)
    return rf"(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])"


_FICTION, _JOKE = _any("fiction"), _any("joke")
_BUT = r"(?:and|but|who|whose|which|where|while|when|although|though|because|as|since|after|before|is|was|are|were|has|had)"
_CLAUSE = r"[^;]{0,400}"
_TO_COMMA = r"[^;,]{0,300}?(?=[;,]| (?:and|but) [a-z]| (?:and|but) (?:is|was|has)\b|$)"
_FRONT = r"^[\"“'(\s]*(?:(?:on|in|by|since) [^,;]{1,20}, )?"
_INSIDE = r"(?:in|on|at|inside|within|according to|throughout|per|under|for|as|by)"
_HEAD = (
    r"(?=[\s\"'“”]*(?:$|[,:;.!]|called|named|about|by|of|on|that|which|set|adaptation|[\"“'«]|[A-Z]|is|was|the|an?\b))"
)
"""What may follow a noun that is the last of its phrase: "in the film," but not "in the film industry"."""

_OF_A_SENTENCE: tuple[tuple[str, str], ...] = (
    ("fiction", rf"{_FRONT}(?i:{_INSIDE}) (?!this)(?:[^\s,;:]+ ){{0,6}}{_FICTION}{_HEAD}|^(?i:on (?:stage|screen))\b"),
    (
        "fiction",
        rf"(?<!ing)(?<!ed)(?<!part)(?<!role) (?:in|on) (?:(?:an?|the|his|her|its|their|\w+['’]s) )(?:[\w-]+ ){{0,3}}(?!game){_FICTION}(?=[.,;!]|$)",
    ),
    ("fiction", rf"^(?:[^\s,;:]+ ){{0,6}}{_FICTION} (?:[^\s,;:]+ ){{0,2}}{_any('shows')}"),
    ("joke", rf"{_FRONT}(?i:(?:just|as an?|for an?|in|out of|with|only|but)? ?)(?i:{_JOKE})(?:[\s\w]{{0,20}})[,:—–-]"),
    ("joke", rf"(?:,|—|–) (?:as an?|in|for an?|just|only)? ?{_JOKE}\W*$|\((?:[\w ]{{0,20}}){_JOKE}[\w ]{{0,20}}\)"),
    (
        "joke",
        r"^(?i:oh|yeah|ha|haha|sure|right|yes)(?: sure| right| yes)?, .*\bI am\b|^(?i:oh sure|yeah right|ha ha|haha|as if)\b",
    ),
    ("joke", rf"^(?:[^\s,;:]+ ){{0,6}}(?i:{_JOKE})['’s]*(?: [^\s,;:]+){{0,5}} (?:that|[\"“])"),
    ("supposition", rf"^(?:[^\s:;]+ ){{0,5}}(?i:{_any('label', 'joke', 'notion')}): "),
    ("supposition", r"^(?i:for the sake of|by way of|say|let us|let's|what if|picture this)\b[^,]{0,40}"),
    ("condition", rf"{_FRONT}(?i:only |even |and |but )?(?i:{_any('if')}) (?!so\b)[^;]{{1,200}}"),
    (
        "condition",
        r"^(?:Were|Had|Should) [^;?]{1,200},|^(?i:in (?:case|the event)|on condition|subject to|pending) ",
    ),
    (
        "condition",
        r"(?<!even)(?<!as)(?<!ask)(?<!asks)(?<!asked)(?<!see)(?<!know)(?<!unclear),? (?:if|unless|provided that) (?!so\b|not\b)[^;]{3,200}",
    ),
    (
        "doubt",
        rf"(?:^| |, ){_any('doubt')}(?: [\w-]+)?(?=,)|^(?i:{_any('doubt')})|(?:is|are|was|were|has|have|had|be|been) {_any('doubt')}|(?i:it (?:seems|appears|is (?:said|claimed|alleged|rumou?red|thought|believed|possible|unclear|unknown)))\b",
    ),
    ("doubt", rf"(?:^|, )(?:so|as|or so) (?:[\w']+ ){{0,3}}(?:goes|say|says|has it|{_any('view')})"),
    ("doubt", rf", (?!{_BUT}\b)(?:[\w'’]+ ){{0,5}}{_any('view')}(?: [\w'’]+){{0,4}}\W*$"),
    (
        "doubt",
        rf"(?i:according to|say|says|said|claims?|writes?) (?:an? |the |one |some )?(?:[\w-]+ ){{0,2}}(?i:{_any('vague')})",
    ),
    (
        "doubt",
        rf"(?i:(?:^|, )(?:an? |the |one )?{_any('vague')} (?:[\w-]+ ){{0,3}}(?:say|says|said|has it|have it|posts?|writes?|wrote|stated?|announced?)\b)",
    ),
    (
        "denial",
        rf"(?:is|are|was|were|be|been|as|proved|turned out)(?: to be)?(?: an?| entirely| simply| completely| pure)* {_any('untrue')}(?! that)\W*$",
    ),
    (
        "denial",
        rf"(?i:\bit (?:is|was|['’]s) (?:not|n['’]t|no longer|an? |entirely |simply )*(?:true|the case|{_any('untrue')}) that)",
    ),
    ("denial", r"(?i:\b(?:no truth|not true|not the case|contrary to|instead of|rather than)\b)"),
    (
        "order",
        rf"^(?i:(?:please|now|so|also|and|then|next|important|attention|kindly|first|finally|note to [^:,]{{1,30}}|(?:dear )?{_any('reader')})[,:]? ?(?:you )?)*"
        rf"(?:(?:(?i:you|the|all|any|every) )?(?:[\w-]+ ){{0,2}}(?:must|should|shall|are to|need to|have to) )?(?i:do not |don['’]t |never |always )?"
        rf"(?:(?i:{_any('order')})|(?i:{_any('order_before_small')})(?=:| (?:[a-z\d\"“'(]|F\d|S\d)))",
    ),
    ("question", r"\?[\"'”’)\s]*$"),
)
"""Shapes that leave nothing of a sentence asserted, wherever in it they are found."""

_OF_A_CLAUSE: tuple[tuple[str, str], ...] = (
    (
        "doubt",
        rf"(?i:{_any('view', 'notion')}|{_any('aim')})(?: [\w-]+){{0,3}} (?:that|whether|if|how|as if|as though)\b{_CLAUSE}",
    ),
    ("doubt", rf"{_any('view')} (?:the |an? )?[A-Z]{_CLAUSE}"),
    ("doubt", rf"(?i:has it that|have it that|whether|as if|as though|never|{_any('doubt')})\b{_TO_COMMA}"),
    ("plan", rf"{_any('aim')} (?:to|for|that|[\w-]+ to|[A-Z]|\w+ing\b){_TO_COMMA}"),
    ("plan", rf"{_any('modal')}(?! \d)\b{_TO_COMMA}"),
    (
        "plan",
        rf"(?:is|are|was|were|has been|have been|had been) (?:due|set|about|likely|unlikely|ready|bound|going|scheduled|slated|in line|tipped|expected|meant|supposed) (?:to|for){_TO_COMMA}",
    ),
    ("plan", rf"(?:turned|turns|turning|passed|laughed) (?:down|up|off)(?: on)? {_TO_COMMA}"),
)
"""Shapes that leave the rest of their clause unasserted."""

_SENTENCE = tuple((kind, LetterPattern(shape)) for kind, shape in _OF_A_SENTENCE)
_CLAUSES = tuple((kind, LetterPattern(shape)) for kind, shape in _OF_A_CLAUSE)
_RELATIVE = LetterPattern(r", (?:who|whose|whom|which|where)\b[^,;]{1,200}(?:,|$)")
"""A clause set apart between commas frames itself, and nothing beside it."""

_QUOTED = re.compile(r"[“«„](?P<a>[^“”«»„]{0,2000})(?:[”»]|$)|(?<!\w)\"(?P<b>[^\"]{0,2000})(?:\"|$)")
_QUOTED_WORDS = 4
"""Words between quotation marks that are speech; fewer are a name or a title. Chosen by hand."""

EMPTY = frozenset({"fiction", "joke", "supposition", "order", "question", "two alphabets in a word", "length"})
"""Kinds of which nothing is left: a plan, a condition, a view or a quotation is still news that somebody has it or said it."""

TITLE_OF_NONE = re.compile(rf"^(?:an? )?{_JOKE}\b\W*(?::|$)|\W(?:an? )?(?:{_JOKE}|fiction|novel|short story)\W*$", re.I)
"""A title that says that all below it is made up: "Satire: …", "…, a short story"."""

_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")
_LONGEST = 2_000
"""Characters of a sentence that are looked at; a longer one is no sentence, and asserts nothing that rules can read."""


class Unasserted(NamedTuple):
    """Stretch of a sentence that its author does not assert."""

    kind: str
    start: int
    end: int


def unasserted(sentence: str) -> tuple[Unasserted, ...]:
    """Return the stretches of a sentence that its author does not assert.

    Example:
        >>> unasserted("If elected, Ada Berg becomes mayor.")[0].kind
        'condition'
        >>> unasserted("Ada Berg became mayor.")
        ()
    """
    if len(sentence) > _LONGEST:
        return (Unasserted("length", 0, len(sentence)),)
    return tuple(_spans(sentence))


def asserted_part(sentence: str) -> str:
    """Return a sentence without the stretches that its author does not assert."""
    return without(sentence, unasserted(sentence))


def is_mixed(word: str) -> bool:
    """Check that a word mixes the letters of alphabets that look alike.

    Example:
        >>> is_mixed("B\\u0435rg"), is_mixed("Berg"), is_mixed("Берг")
        (True, False, False)
    """
    if word.isascii():
        return False
    names = (unicodedata.name(letter, "").split(" ")[0] for letter in word if letter.isalpha())
    return len({name for name in names if name in _SCRIPTS}) > 1


def _spans(sentence: str) -> Iterator[Unasserted]:
    own = _RELATIVE.sub(lambda match: " " * (match.end() - match.start()), sentence)
    for kind, shape in _SENTENCE:
        if shape.search(own if kind != "question" else sentence):
            yield Unasserted(kind, 0, len(sentence))
    for kind, shape in _CLAUSES:
        yield from (Unasserted(kind, *match.found.span()) for match in shape.finditer(own))
    yield from (Unasserted("quotation", *match.span()) for match in quotations(sentence))


def quotations(text: str) -> Iterator[re.Match[str]]:
    """Find speech between quotation marks, open ends included."""
    return (match for match in _QUOTED.finditer(text) if len((match["a"] or match["b"] or "").split()) >= _QUOTED_WORDS)


def without(sentence: str, spans: Iterable[Unasserted]) -> str:
    """Return a sentence without some stretches, empty where no word is left."""
    parts, last = [], 0
    for span in sorted(spans, key=lambda span: span.start):
        parts.append(sentence[last : max(last, span.start)])
        last = max(last, span.end)
    left = " ".join((*parts, sentence[last:])).strip()
    return left if any(map(str.isalnum, left)) else ""
