"""Score a candidate by the type of answer that is asked for."""

from __future__ import annotations

import re
from collections.abc import Collection

from dateline.handwritten.reading.spans import Span
from dateline.language.answer_type import AnswerType
from dateline.language.countries import COUNTRIES, US_STATES
from dateline.language.names import CAPITAL, SMALL, LetterPattern
from dateline.language.offices import PERSON_WORDS, TITLE_WORDS
from dateline.language.organisations import NO_PERSON
from dateline.language.quantities import CURRENCY, MONEY
from dateline.text.words import words

_GAINS = re.compile(
    r"(?:\s?\([^)]{0,60}\))?(?:,[^,.]{0,90},)?\s(?:has |have |had |is |was |were |will |would )?(?:been |be |once |also |now |officially |today |begun |voted |again )*"
    r"(?:becom\w+|became|elected|re-?elected|wins?|won|winning|appointed|takes?|took|taken|sworn|named|succeed\w*|replac\w+|"
    r"is|was(?! \d)|are|assum\w+|beats?|defeats?|crowned|inaugurated|confirmed|joins?|acquires?|hosts?|opens?|opened|overtak\w+|"
    r"overtook|released|launche[sd]|passed|passes|reach\w*|chosen|installed|starts?|start(?:ed|s) work|holds?|keeps?|swore|"
    r"runs?|ran|sets?|lift\w*|claim\w*|arriv\w+|presented|published|unveil\w+)\b"
)
_LOSES = re.compile(
    r"(?:,[^,.]{0,90},)?\s(?:has |have |had |is |was |were |will |would )?(?:to )?(?:resign\w*|step\w* (?:down|aside)|stood down|"
    r"stands? down|leaves?|left|los[te]\w*|oust\w*|die[sd]|retir\w*|quits?|dismissed|fired|sacked|conced\w*|depart\w*|"
    r"stayed|looked on|had been|ran it|who ran|had ruled|bows out|bowed out|gives way|gave way)\b"
)
_OUTGOING = re.compile(
    r"\b(?:succeed(?:s|ed|ing)?|replac(?:es|ed|ing)|defeat(?:s|ed|ing)?|beat(?:s|ing)?|former|outgoing|ex-?|predecessors?,?|"
    r"from|after|over|ousted|unseat\w*|taking over from|took over from|ahead of|than|overtak\w+|overtook|pass(?:es|ed|ing)|"
    r"like|against|with|without|unlike|instead of|follow(?:s|ed|ing))\s+(?:the\s+)?(?:(?:[^\W\d_]|-)+\s+){0,2}$",
    re.I,
)
_OUTGOING_NEAR = re.compile(
    r"\b(?:succeed(?:s|ed|ing)?|replac(?:es|ed|ing)|defeat(?:s|ed|ing)?|beat(?:s|ing)?|former|outgoing|predecessors?,?|from|"
    r"after|over|than|ahead of|overtak\w+|overtook|pass(?:es|ed|ing)|against|with|unlike|instead of|follow(?:s|ed|ing)|past|sister)\s+(?:the\s+)?$",
    re.I,
)
_INSTALLED = re.compile(
    r"\b(?:succeeded|replaced|followed|beaten|defeated|overtaken|won|led|run|headed|chosen|elected|made|named|appointed|is|by) by\s+$|\b(?:made|named|elected|chose|appointed|called|renamed|become|becomes|became|into|is|name)\s+(?:the\s+|an?\s+)?$"
)
_PLACE_BEFORE = re.compile(r"\b(?:in|at|near|to|across|into|from|of|for|on|under)\s+(?:the\s+)?$", re.I)
_NUMBER_AFTER_MOVE = re.compile(
    r"\b(?:to|at|is|are|has|have|now|of|costs?|become|becomes|reached|hit|nearly|almost|about|version|stands? at|in)\s+$",
    re.I,
)
_NUMBER_OLD = re.compile(
    r"\b(?:from|by|(?<!more )than|above|below|after|for|instead of|old|previous|earlier|former|another|first|last|next|ran|within|aged|at least)\s+(?:\w+\s)?$",
    re.I,
)
_NAME_BEFORE, _NAME_BEHIND = LetterPattern(rf"({CAPITAL}\w+)\s$"), LetterPattern(rf"\s{CAPITAL}\w+")
_RUNS_ON, _GOES_ON = LetterPattern(rf"(?:{SMALL}|,)\s$"), LetterPattern(rf"\s{SMALL}")
_LETTERS_AT_END = LetterPattern(rf"\s{CAPITAL}{{1,3}}$")
_MONEY = re.compile(rf"{CURRENCY}|\b{MONEY}\b|\dp\b", re.I)
_IS = re.compile(
    r",? (?:(?:who|which) )?(?:(?:has |will |have )?(?:now |still |again |officially )?(?:is|are|was|were|be|been|becomes?|became|become|remains?)"
    r"(?: now| still| again| officially)?|the|an?)\b"
)
_NOT_LISTED = 0.3
"""What is left of a country's looks for a name that is none, and of a city's for a country."""
_ABOUT = 0.4
"""What is left of a person whose name shares a word with the question."""
_SAYS = re.compile(r"(?:,[^,]{0,60},)?\s(?:said|says|wrote|announced|told|reported|warned|predicts?|expects?)\b")
_TOLD_BY = re.compile(r"\b(?:said|says|according to|reported by|told|wrote)\s+(?:the\s+)?$")
_DISTANCE = re.compile(r"\b(?:kilomet|met(?:er|re)s|miles|years)")
_LOOKED_AT = 400
"""Characters beside a candidate that are looked at, so that a long sentence is not read anew for each; chosen by hand."""
_ADJECTIVE = re.compile(r"(?:ian|ean|can|ish|ese|yan|ench|utch|itch|iss|eek|lin|man|aqi|aeli)$")


def type_fit(span: Span, *, sentence: str, wanted: AnswerType, known: Collection[str], named: Collection[str]) -> float:
    """0 to 1. `known`: the question's words; `named`: the words of the evidence that do not open a sentence, as they are written there."""
    match wanted.kind:
        case "person":
            if span.kind != "name":
                return 0.0
            about = any(word in known for word in words(span.text))
            return _person(span, sentence, named) * (_ABOUT if about else 1.0)
        case "place" if not wanted.named:
            return _place(span, sentence, wanted, named) if span.kind == "name" else 0.0
        case "date":
            return 1.0 if span.kind == "date" else 0.02
        case "count" | "money" | "measure":
            return _quantity(span, sentence, wanted) if span.kind == "number" else 0.0
        case "version":
            return _version(span, sentence, wanted, known)
        case "role":
            return {"role": 1.0, "name": 0.6}.get(span.kind, 0.1)
        case "name" | "place":
            if span.kind == "name":
                role = _object_fit(span, sentence) if wanted.object else role_fit(span, sentence)
                return _proper(span, sentence, named) * role * _whole(span, sentence, titles=True)
            return 0.7 if span.kind == "quote" else 0.02
        case _:
            return 0.5 if span.kind != "number" else 0.3


def role_fit(span: Span, sentence: str) -> float:
    """Who comes into something counts for more than who gives it up or stands by."""
    before, after = _before(span, sentence), sentence[span.end : span.end + _LOOKED_AT]
    if _SAYS.match(after) or _TOLD_BY.search(before):
        return 0.3
    if _INSTALLED.search(before):
        return 1.0
    if _OUTGOING_NEAR.search(before) or _LOSES.match(after):
        return 0.35
    if _GAINS.match(after):
        return 1.0
    if _OUTGOING.search(before):
        return 0.5
    return 0.3 if _PLACE_BEFORE.search(before) else 0.8


def _before(span: Span, sentence: str) -> str:
    """The text just before a candidate."""
    return sentence[max(0, span.start - _LOOKED_AT) : span.start]


def _object_fit(span: Span, sentence: str) -> float:
    """What follows a verb or preposition is done or gone to; what opens the sentence does it."""
    before = _before(span, sentence)
    if _SAYS.match(sentence, span.end) or _TOLD_BY.search(before):
        return 0.3
    return 0.9 if _RUNS_ON.search(before) else 0.6


def defined(span: Span, sentence: str, known: Collection[str]) -> bool:
    """Whether the sentence says that the span *is* what the question asks about: "Ada Berg, the head of ..."."""
    match = _IS.match(sentence, span.end)
    if match is None:
        return False
    told = words(sentence[match.end() : match.end() + 90].split(",")[0])
    return bool(known) and 2 * sum(word in told for word in known) >= len(known)


def _person(span: Span, sentence: str, named: Collection[str]) -> float:
    parts = words(span.text)
    if any(part in NO_PERSON for part in parts) or any(part.isdigit() for part in parts) or " of " in span.text:
        return 0.1
    looks = 1.0 if 2 <= len(parts) <= 4 else 0.6
    if any(part in TITLE_WORDS or part in PERSON_WORDS for part in parts):
        looks *= 0.4
    looks *= _whole(span, sentence, titles=False)
    return looks * _proper(span, sentence, named) * role_fit(span, sentence)


def _place(span: Span, sentence: str, wanted: AnswerType, named: Collection[str]) -> float:
    looks = _proper(span, sentence, named) * (1.0 if _PLACE_BEFORE.search(_before(span, sentence)) else 0.75)
    known = {"country": COUNTRIES, "nation": COUNTRIES, "state": US_STATES}.get(wanted.head.removesuffix("s"))
    if known is not None:
        return looks if span.text in known else _NOT_LISTED * looks
    other = span.text in COUNTRIES if wanted.head in ("city", "town", "village", "capital") else False
    return _NOT_LISTED * looks if other or set(words(span.text)) & NO_PERSON else looks


def _proper(span: Span, sentence: str, named: Collection[str]) -> float:
    """Whether a capital really marks a name: a lone word that opens a sentence must be a name elsewhere too."""
    if " " in span.text:
        return 1.0
    if span.start == 0 or _before(span, sentence).rstrip()[-1:] in '.!?:"“':
        return 0.8 if span.text in named else 0.1 if span.text.lower() in named else 0.5
    if _ADJECTIVE.search(span.text) and _GOES_ON.match(sentence, span.end):
        return 0.15
    return 0.9


def _whole(span: Span, sentence: str, *, titles: bool) -> float:
    """A name cut out of a longer one ("Cup" of "World Cup", with `titles` "Mary" of "Queen Mary") is less of a name."""
    before = _NAME_BEFORE.search(_before(span, sentence))
    after = _NAME_BEHIND.match(sentence, span.end)
    if before and (titles or before.group(1).lower() not in TITLE_WORDS):
        return 0.5
    return 0.7 if after else 1.0


def _quantity(span: Span, sentence: str, wanted: AnswerType) -> float:
    before, after = _before(span, sentence), sentence[span.end : span.end + _LOOKED_AT]
    money = _MONEY.search(span.text) is not None
    percent = any(mark in span.text for mark in ("%", "per cent", "percent"))
    if wanted.kind == "money":
        looks = 1.0 if money else 0.15
    elif wanted.kind == "count":
        looks = 0.3 if money or percent or ":" in span.text else 0.7
        near = re.match(r"\s(?:[\w-]+\s){0,2}?(\w+)", after)
        if wanted.head and near and re.search(rf"\s(?:[\w-]+\s){{0,2}}{re.escape(wanted.head[:4])}", after[:40], re.I):
            looks = 1.0
    elif wanted.head in ("rate", "percentage", "percent", "share", "inflation", "unemployment", "growth"):
        looks = 1.0 if percent else 0.2
    else:
        looks = 1.0 if ":" in span.text or "." in span.text else 0.4 if any(map(str.isdigit, span.text)) else 0.2
        if wanted.head == "record" and _DISTANCE.search(span.text):
            looks *= 0.3
    if re.match(r"\s(?:more|less|new|extra|additional|further|others?|of)\b", after):
        looks *= 0.4
    if wanted.kind == "count" and not any(map(str.isdigit, span.text)):
        looks *= 0.8
    if _NUMBER_OLD.search(before):
        return 0.4 * looks
    return looks if _NUMBER_AFTER_MOVE.search(before) else 0.85 * looks


def _version(span: Span, sentence: str, wanted: AnswerType, known: Collection[str]) -> float:
    numbered = any(map(str.isdigit, span.text)) or _LETTERS_AT_END.search(span.text) is not None
    if wanted.head in words(span.text) and numbered:
        return role_fit(span, sentence)
    if span.kind == "number":
        return 0.9 * role_fit(span, sentence) if re.fullmatch(r"\d+(?:\.\d+)+", span.text) else 0.1
    if span.kind != "name":
        return 0.02
    ours = any(word in known for word in words(span.text))
    return (1.0 if numbered and ours else 0.6 if numbered else 0.15) * role_fit(span, sentence)
