"""Follow-up questions resolved by rules: "And in 2015?", "What about France?", "her".

Rules for English, made for precision: what they cannot resolve stays as it was said, and the result says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from dateline.errors import BadInput
from dateline.language.names import CAPITAL, SMALL, LetterPattern, may_begin_name
from dateline.reading.coreference import DialogueContext, is_person, names_in, names_role, with_article
from dateline.reading.history import Turn
from dateline.temporal.decomposition import decompose
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval, iso_of
from dateline.temporal.phrases import find_phrases


class Resolved(NamedTuple):
    """A question after the rules.

    Attributes:
        text: the question, standing alone where the rules could make it.
        reason: one sentence for the trace.
        leans: whether it leans on the history, resolved or not.
    """

    text: str
    reason: str
    leans: bool


_LEAD = re.compile(
    r"^(?:(?:and|but|or|so|ok(?:ay)?|then|well|also|now)\b,? +)*(?:(?:what|how) about\b,? *|what of )?", re.I
)
_SAME = re.compile(
    r"^(?:who|what|which(?: one)?|where|how (?:many|much|old))(?: (?:was|is|were|are|had|has) (?:it|that|this|there)(?: been)?) +(?=\S)",
    re.I,
)
_EARLIER = re.compile(
    r"^(?:(?:who|what|which(?: one)?) (?:was|is|were|are|came|did)(?: it| that| this| there)? *)?"
    r"(?P<word>(?:right |just |immediately )?(?:before|after)|earlier|previously|beforehand|afterwards?|later|next|then)"
    r"(?: (?:that|this|then|him|her|them|it))?$",
    re.I,
)
_NOW = re.compile(r"^(?:now|nowadays|today|currently|at present|these days|at the moment)$", re.I)
_FRAGMENT = re.compile(
    r"^(?P<before>(?:in|of|for|at|with|by|from) )?(?P<phrase>(?:the |a |an )?\S+(?: \S+){0,5})$", re.I
)
_VERBS = re.compile(
    r"\b(?:is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|will|would|should|who|when|why|how|which|whose)\b",
    re.I,
)
_SINCE = re.compile(r"^(?:since when|when)$", re.I)
_HOLDER = re.compile(r"^who (?:is|was) (?P<role>the .+)$", re.I)
_EXPLETIVE = re.compile(
    r"\bis it (?:true|possible|likely|safe|legal|ok|okay|raining|snowing)\b|\b(?:time|year|day|date|month) (?:is|was) it\b",
    re.I,
)
_INFINITIVE = LetterPattern(rf"\bit (?:takes?|costs?) to (?!(?:the|an?|his|her|its|their)\b){SMALL}")
"""What it takes to do something: "it" stands for nothing before."""
_NOUNS = "city|country|town|team|club|company|organi[sz]ation|place|party|school|university|museum|band|film|book|project|state|region"
_THERE = re.compile(
    r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!s )\bthere\b(?! (?:is|are|was|were|be|any|a|an|been)\b)", re.I
)
_BEFORE_NOUN = r"(?= (?!(?:in|on|at|to|from|for|with|by|of|and|or|as|after|before|during|when|since|until|than|the|a|an|is|was|are|were|do|did|does|become|leave)\b)\w)"


def resolve(question: str, *, history: Sequence[Turn], as_of: datetime) -> Resolved:
    """Make a question stand alone, resolving each earlier question first."""
    context: DialogueContext | None = None
    for turn in history:
        if turn.role == "user":
            context = DialogueContext(_stand(turn.content, context, as_of).text)
        elif context is not None:
            context = DialogueContext(context.question, turn.content)
    return _stand(question, context, as_of)


def _stand(said: str, context: DialogueContext | None, as_of: datetime) -> Resolved:
    text = " ".join(said.split())
    if context is None or not text:
        return Resolved(text, "Nothing was asked before.", leans=False)
    for rule in (_retimed, _moved, _since, _renamed, _pronouns):
        found = rule(text, context, as_of)
        if found is not None:
            return found
    return Resolved(text, "The question stands alone.", leans=False)


def _retimed(text: str, context: DialogueContext, as_of: datetime) -> Resolved | None:
    """Resolve "And in 2015?": the last question at another time."""
    fragment = _SAME.sub("", _fragment(text))
    if _NOW.match(fragment):
        return Resolved(
            f"{_content(context, as_of)}?", f"'{fragment}' asks the last question again, as of now.", leans=True
        )
    phrase = _time_phrase(fragment, as_of)
    if not phrase:
        return None
    return Resolved(
        f"{_content(context, as_of)} {phrase}?", f"'{phrase}' asks the last question at another time.", leans=True
    )


def _moved(text: str, context: DialogueContext, as_of: datetime) -> Resolved | None:
    """Resolve "Who was it before?": the last question, earlier or later."""
    match = _EARLIER.match(_fragment(text))
    if match is None:
        return None
    back = bool(re.search(r"before|earlier|previous", match["word"], re.I))
    relation = "before" if back else "after"
    content = _content(context, as_of)
    content = re.sub(r"\bis\b", "was", content, count=1) if back else content
    if (answer := context.named_answer()) and answer.casefold() not in content.casefold():
        return Resolved(f"{content} {relation} {answer}?", f"'{match[0]}' is {relation} the last answer.", leans=True)
    constraint = decompose(context.question, as_of=as_of).constraint if context.question else None
    if constraint is not None:
        when = _edge(constraint.interval, before=back)
        return Resolved(
            f"{content} {relation} {when}?", f"'{match[0]}' is {relation} the time asked about.", leans=True
        )
    return Resolved(text, f"Nothing was answered that '{match[0]}' could be {relation}.", leans=True)


def _edge(time: Interval, *, before: bool) -> str:
    """Write a time; of a stretch, its first or its last day."""
    said, edge = time.isoformat(), time.start if before else time.end
    if "/" not in said or edge is None:
        return said
    return iso_of(edge if before else edge - 1)[:10]


def _since(text: str, context: DialogueContext, as_of: datetime) -> Resolved | None:
    """Resolve "Since when?" after "Who is the director of X?"."""
    if _SINCE.match(_fragment(text)) is None:
        return None
    holder, answer = _HOLDER.match(_content(context, as_of)), context.named_answer()
    if holder is None or not answer:
        return Resolved(text, "The rules do not know what the time is asked of.", leans=True)
    return Resolved(f"When did {answer} become {holder['role']}?", "The time is asked of the last answer.", leans=True)


def _renamed(text: str, context: DialogueContext, as_of: datetime) -> Resolved | None:
    """Resolve "What about France?": the last question about another name."""
    fragment = _fragment(text)
    match = _FRAGMENT.match(fragment)
    if match is None or fragment == text.rstrip(" ?.!") or _VERBS.search(fragment):
        return None
    phrase = match["phrase"]
    old = _counterpart(context.question, phrase, before=match["before"] or "")
    if not old:
        return Resolved(text, f"The last question holds nothing that '{phrase}' could take the place of.", leans=True)
    new = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: phrase, context.question, count=1)
    return Resolved(new, f"'{phrase}' takes the place of '{old}' in the last question.", leans=True)


def _counterpart(question: str, phrase: str, *, before: str) -> str:
    """Find the words of a question that `phrase` replaces, or ""."""
    names = names_in(question)
    bare = re.sub(r"^(?:the|a|an) ", "", phrase, flags=re.I)
    if not may_begin_name(bare):
        # "the deputy director" for "the director": what stands between the article and "of".
        if re.match(r"who\b", question, re.I) and not names_role(bare):
            return ""
        found = re.search(r"\bthe [\w-]+(?: [\w-]+)?(?= of\b)", question) if bare != phrase else None
        return found.group() if found else ""
    if before:
        placed = LetterPattern(rf"\b{before.strip()} (?P<name>(?:the )?{CAPITAL})").search(question)
        names = [
            name for name in names if placed and question.find(name) in (placed.start("name"), placed.start("name") + 4)
        ]
    if not names:
        return ""
    alike = [name for name in names if is_person(name) == is_person(bare)]
    chosen = (alike or names)[-1]
    return with_article(chosen, question)


def _pronouns(text: str, context: DialogueContext, as_of: datetime) -> Resolved | None:
    """Replace "her", "its", "there", "that city" by the last name."""
    if _EXPLETIVE.search(text) or _INFINITIVE.search(text):
        return None
    replaced: list[str] = []
    missing: list[str] = []
    for pattern, stands_for, form in _PRONOUNS:
        match = next(filter(_is_in_small_letters, pattern.finditer(text)), None)
        if match is None or any(text.find(name) < match.start() for name in names_in(text)):
            continue  # named in the question itself
        name = stands_for(context)
        if not name:
            missing.append(match.group())
            continue
        said = form.format(name)
        at_start = match.start() == 0
        text = text[: match.start()] + (said[:1].upper() + said[1:] if at_start else said) + text[match.end() :]
        replaced.append(f"'{match.group()}' is {name}")
    if replaced:
        return Resolved(text, "; ".join(replaced) + ".", leans=True)
    if missing:
        return Resolved(text, f"The rules found nothing that '{missing[0]}' stands for.", leans=True)
    return None


_PRONOUNS: tuple[tuple[re.Pattern[str], Callable[[DialogueContext], str], str], ...] = (
    (re.compile(r"\b(?:he|she|him)\b", re.I), DialogueContext.person, "{}"),
    (re.compile(rf"\b(?:his|her){_BEFORE_NOUN}", re.I), DialogueContext.person, "{}'s"),
    (re.compile(r"\bher\b", re.I), DialogueContext.person, "{}"),
    (re.compile(r"\bits\b", re.I), DialogueContext.thing, "{}'s"),
    (re.compile(rf"\b(?:that|this|the same) (?:{_NOUNS})\b", re.I), DialogueContext.thing, "{}"),
    (re.compile(r"\bit\b", re.I), DialogueContext.thing, "{}"),
    (re.compile(r"\btheir\b", re.I), DialogueContext.group, "{}'s"),
    (re.compile(r"\b(?:they|them)\b", re.I), DialogueContext.group, "{}"),
    (_THERE, DialogueContext.place, "in {}"),
)


def _is_in_small_letters(match: re.Match[str]) -> bool:
    """Return whether its first word is no abbreviation: "it", "It", not "IT"."""
    return match.group().split()[0][1:].islower()


def _fragment(text: str) -> str:
    """Strip "and", "what about" and the question mark off a follow-up."""
    return _LEAD.sub("", text, count=1).strip(" ?.!,")


def _content(context: DialogueContext, as_of: datetime) -> str:
    """Return the last question without its time and question mark."""
    content = context.question
    with suppress(BadInput):
        content = decompose(content, as_of=as_of).content
    return content.strip(" ?.!")


def _is_bare_date(fragment: str) -> bool:
    """Check for a date alone that means the same every day."""
    found = find_expressions(fragment, ranges="closed")
    return len(found) == 1 and found[0].start == 0 and found[0].kind == "date" and found[0].interval is not None


def _time_phrase(fragment: str, as_of: datetime) -> str:
    """Turn a bare time ("2015") into a phrase ("in 2015"), else ""."""
    expressions = find_expressions(fragment, anchor=Interval.of_moment(as_of), ranges="closed")
    for phrase in find_phrases(fragment, expressions):
        if phrase.start == 0 and phrase.end == len(fragment):
            return f"in {fragment}" if _is_bare_date(fragment) else fragment
    if len(expressions) == 1 and (expressions[0].start, expressions[0].end) == (0, len(fragment)):
        return (
            f"in {fragment}" if expressions[0].interval is not None and expressions[0].kind in ("date", "range") else ""
        )
    return ""
