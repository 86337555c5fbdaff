"""Questions from plain English statements, by their form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from dateline.language.names import DOTTED, PARTICLES, SMALL, LetterPattern
from dateline.language.word_lists import word_table
from dateline.reading.coreference import names_in, names_role
from dateline.temporal.expressions import find_expressions
from dateline.text.words import words


class FormedQuestion(NamedTuple):
    """A question and its answer, both in the sentence's words."""

    question: str
    answer: str


_LONGEST = 240
"""Characters of a sentence that is turned into questions."""

_NAME = rf"(?:the |The )?{DOTTED}(?: (?:(?:{PARTICLES}|of|the|and|for) ){{0,2}}(?:{DOTTED}|\d+))*"
_NUMBER = r"(?:[$€£¥]\s?)?\d[\d.,]*(?: (?:thousand|million|billion|percent|per cent))?%?"
_ROUGHLY = r"(?:(?:about|around|roughly|nearly|almost|over|more than|at least|some|up to|approximately) )?"

_SMALL = "(?:since|in|on|at|of|for|and|or|from|with|by|to|as|per|after|before|across|over|under|a|an|the|every|each)"
_WITH_ARTICLE = word_table("organisations")["with article"]
"""Last words of names that take an article in a sentence."""

_SUBJECT = LetterPattern(
    rf"^(?P<who>{_NAME}) (?P<rest>(?:is|was|became|has been|has become|serves as|served as|leads|led|heads|headed|chairs|chaired"
    r"|directs|directed|manages|managed|coaches|coached|runs|ran|owns|owned|bought|won|wins|succeeded|replaced|founded|designed"
    r"|wrote|composed|built|discovered|took over|takes over|publishes|operates|hosts|hosted) .+)$"
)
_COPULA = re.compile(r"^(?:is|was|became|has been|has become|serves as|served as)\b")
_HOLDER = LetterPattern(rf"^(?P<np>The [^,;]{{3,80}}?) (?P<verb>is|was) (?P<who>(?!The ){_NAME})(?:[,;].*)?$")
_AMOUNT = re.compile(
    rf"^(?P<np>[^,;]{{3,80}}?) (?P<verb>is|was|are|were|stands at|stood at|totals|totalled|reached|rose to|fell to|has reached) "
    rf"(?P<value>{_ROUGHLY}{_NUMBER}(?: [\w%°-]+){{0,3}})$"
)
_COST = re.compile(rf"^(?P<np>[^,;]{{3,80}}?) (?P<verb>costs?|cost) (?P<value>{_ROUGHLY}{_NUMBER}(?: [\w-]+){{0,2}})$")
_COUNT = LetterPattern(
    rf"^(?P<np>[^,;]{{3,80}}?) (?P<verb>has|have|had|employs|employed|seats|holds|held|counts|attracted|drew) "
    rf"(?P<value>{_ROUGHLY}{_NUMBER}) (?P<unit>{SMALL}[\w-]*(?: (?!{_SMALL}\b){SMALL}[\w-]*)?)(?P<rest> .*)?$"
)
_DATED = re.compile(
    r"^(?P<np>(?:The |A |An )?[^,;]{3,80}?) (?P<aux>was|were) (?P<rest>\w+(?:ed|en|un|ught|uilt|old|ade|ung|ut)\b.*)$"
)
_PAST = {
    "opened": "open", "closed": "close", "joined": "join", "left": "leave", "moved": "move", "became": "become", "won": "win",
    "founded": "found", "signed": "sign", "retired": "retire", "resigned": "resign", "died": "die", "began": "begin",
    "started": "start", "ended": "end", "merged": "merge", "launched": "launch", "returned": "return", "took": "take",
    "bought": "buy", "sold": "sell", "released": "release", "published": "publish", "reopened": "reopen", "reached": "reach",
}  # fmt: skip
_ACTIVE = LetterPattern(rf"^(?P<np>{_NAME}) (?P<verb>{'|'.join(_PAST)})(?P<rest>\b.*)$")
_BASE = {
    "has": "have", "have": "have", "had": "have", "employs": "employ", "employed": "employ", "seats": "seat", "holds": "hold",
    "held": "hold", "counts": "count", "attracted": "attract", "drew": "draw",
}  # fmt: skip
_LEADING_TIME = re.compile(r"^((?:In|On|Since|By|From|As of|Until) [^,]{3,40}), (.+)$")
_PRONOUN = re.compile(r"^(He|She|It|They)\b")
_POSSESSIVE = re.compile(r"^(His|Her|Its|Their)\b")
_ASIDE = re.compile(
    r"(?:,| (?:which|who|whom|where|while|because|although|after|when|before|but|and) |;| - | – |\().*$"
)


def questions_of(sentence: str, *, title: str = "") -> list[FormedQuestion]:
    """Return the questions a sentence answers, surest first; never raises.

    Args:
        title: what the article is about; put for a pronoun, or for "the museum", at the beginning.
    """
    plain = " ".join(sentence.split()).rstrip(" .")
    if len(plain) > _LONGEST or plain.endswith(("?", "!", ":")):
        return []
    plain = _standalone(plain, title)
    if not plain:
        return []
    return list(dict.fromkeys(_about(one, title) for form in _FORMS for one in form(plain) if _is_whole(one)))


def undated(question: str) -> str:
    """Strip a question's time, to compare versions."""
    text = question.rstrip("?")
    for found in reversed(find_expressions(text)):
        if found.interval is not None and found.kind in ("date", "range"):
            before = re.sub(
                r"\s+(?:in|on|since|from|by|at|as of|until|early in|late in)(?: the)?\s*$", " ", text[: found.start]
            )
            text = f"{before.rstrip()} {text[found.end :].lstrip()}".strip()
    return f"{text.strip()}?"


def _standalone(plain: str, title: str) -> str:
    """Move a statement's time to its end, or return ""."""
    leading = _LEADING_TIME.match(plain)
    if leading is not None and find_expressions(leading[1]):
        plain = f"{leading[2]} {leading[1][0].lower()}{leading[1][1:]}"
        plain = plain[:1].upper() + plain[1:]
    named = _with_article(title)
    if _PRONOUN.match(plain):
        plain = _PRONOUN.sub(lambda _: named[:1].upper() + named[1:], plain, count=1) if title else ""
    elif _POSSESSIVE.match(plain):
        plain = _POSSESSIVE.sub(lambda _: f"{named[:1].upper()}{named[1:]}'s", plain, count=1) if title else ""
    # The last word first: a title's head noun.
    for noun in reversed(dict.fromkeys(title.casefold().split())):
        # "the museum" in an article on the Harbour Museum.
        if re.search(rf"\b{re.escape(title)}\b", plain) is None:
            plain = re.sub(rf"\bthe {re.escape(noun)}\b", lambda _: named, plain)
            plain = re.sub(rf"\bThe {re.escape(noun)}\b", lambda _: named[:1].upper() + named[1:], plain)
    return plain


def _with_article(title: str) -> str:
    last = title.split()[-1].casefold() if title.split() else ""
    return f"the {title}" if last in _WITH_ARTICLE and not title.casefold().startswith("the ") else title


def _subject(plain: str) -> Iterator[FormedQuestion]:
    match = _SUBJECT.match(plain)
    if match is None or words(match["who"])[-1:] == ["the"]:
        return
    rest = _ASIDE.sub("", match["rest"]).strip()
    if _COPULA.match(rest) and not names_role(" ".join(rest.split()[:8])):
        return  # "Oslo is large" and "it was founded by teachers" ask for nobody
    yield FormedQuestion(f"Who {rest}?", match["who"])


def _holder(plain: str) -> Iterator[FormedQuestion]:
    match = _HOLDER.match(plain)
    if match is not None and " of " in match["np"]:
        yield FormedQuestion(f"Who {match['verb']} the {match['np'][4:]}?", match["who"])


def _amount(plain: str) -> Iterator[FormedQuestion]:
    if (match := _AMOUNT.match(_time_cut(plain)[0])) is not None and " of " in match["np"]:
        verb = (
            "was" if match["verb"] in ("was", "were", "stood at", "totalled", "reached", "rose to", "fell to") else "is"
        )
        yield FormedQuestion(f"What {verb} {_lowered(match['np'])}?", match["value"])
    if (match := _COST.match(_time_cut(plain)[0])) is not None:
        yield FormedQuestion(f"How much does {_lowered(match['np'])} cost?", match["value"])


def _count(plain: str) -> Iterator[FormedQuestion]:
    if (match := _COUNT.match(plain)) is not None:
        did = "did" if match["verb"] in ("had", "employed", "held", "attracted", "drew") else "does"
        rest = _ASIDE.sub("", match["rest"] or "").rstrip()
        yield FormedQuestion(
            f"How many {match['unit']} {did} {_lowered(match['np'])} {_BASE[match['verb']]}{rest}?", match["value"]
        )


def _when(plain: str) -> Iterator[FormedQuestion]:
    statement, time = _time_cut(plain)
    if not time:
        return
    if (match := _DATED.match(statement)) is not None:
        yield FormedQuestion(
            f"When {match['aux']} {_lowered(match['np'])} {_ASIDE.sub('', match['rest']).strip()}?", time
        )
    elif (active := _ACTIVE.match(statement)) is not None:
        rest = _ASIDE.sub("", active["rest"]).rstrip()
        yield FormedQuestion(f"When did {_lowered(active['np'])} {_PAST[active['verb']]}{rest}?", time)


_FORMS: tuple[Callable[[str], Iterator[FormedQuestion]], ...] = (_subject, _holder, _amount, _count, _when)


def _time_cut(plain: str) -> tuple[str, str]:
    """(the statement without the date that it ends in, that date)."""
    found = find_expressions(plain)
    if (
        not found
        or found[-1].end != len(plain)
        or found[-1].kind != "date"
        or not any(map(str.isdigit, found[-1].text))
    ):
        return plain, ""
    head = re.sub(r"\s+(?:in|on|since|by)$", "", plain[: found[-1].start].rstrip())
    return (head, found[-1].text) if head != plain[: found[-1].start].rstrip() else (plain, "")


def _lowered(phrase: str) -> str:
    return phrase[0].lower() + phrase[1:] if re.match(r"(?:The|A|An)\b", phrase) else phrase


def _about(one: FormedQuestion, title: str) -> FormedQuestion:
    """Put the title before a question that names nothing."""
    return one if not title or names_in(one.question) else FormedQuestion(f"{title}: {one.question}", one.answer)


def _is_whole(one: FormedQuestion) -> bool:
    """Check that a question stands alone and hides its answer."""
    asked = words(one.question)
    leans = {"he", "she", "they", "his", "her", "their", "its", "it", "this", "these", "those"} & set(asked)
    return 4 <= len(asked) <= 40 and not leans and one.answer.casefold() not in one.question.casefold()
