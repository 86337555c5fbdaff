"""Premises of a question, checked against evidence (FreshLLMs, section 4.1).

"When did Norvane stop flying to Varn?" takes for granted that Norvane stopped flying to Varn. The newest sentence that
decides about it decides; facts of a store count as evidence like any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dateline.evidence.knowledge import split_known
from dateline.evidence.order import in_order
from dateline.language.word_lists import word_set
from dateline.protocols import Judge, Verdict
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.text import content_words, split_sentences
from dateline.text.words import share_held

Standing = Literal["holds", "fails", "open"]
"""`holds`: evidence supports the premise; `fails`: evidence contradicts it; `open`: none decides."""

MAX_SENTENCES = 16
"""Sentences that are judged for one premise, those nearest to it in words."""

LEAST_SHARED = 0.5
"""Share of a premise's words that a sentence must have to be about the same thing."""

_STANDING: dict[Verdict, Standing] = {"supports": "holds", "contradicts": "fails"}


@dataclass(frozen=True, slots=True)
class Premise:
    """One thing a question takes for granted, and how it stands.

    Attributes:
        text: the premise as a statement.
        standing: what evidence says of it.
        sentence: the sentence that decided, empty where it is open.
        evidence_id: where that sentence stands.

    Example:
        >>> from dateline.reading import RuleJudge
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Why was the Vale Bridge closed?", as_of=now())
        >>> evidence = [Evidence.make("The Vale Bridge was not closed.")]
        >>> [(one.text, one.standing) for one in check_premises(question, evidence=evidence, judge=RuleJudge())]
        [('The Vale Bridge was closed.', 'fails')]
    """

    text: str
    standing: Standing = "open"
    sentence: str = ""
    evidence_id: str = ""


def check_premises(question: Question, *, evidence: Sequence[Evidence], judge: Judge) -> list[Premise]:
    """Check each premise of a question as of the asking day."""
    known, _ = split_known(evidence, as_of=question.as_of)
    ordered = in_order(known, order="time")
    return [_checked(text, ordered, judge) for text in premises(question.text)]


def _checked(premise: str, ordered: Sequence[Evidence], judge: Judge) -> Premise:
    sentences = _near(premise, ordered)
    verdicts = judge.judge([(sentence, premise) for sentence, _ in sentences]) if sentences else []
    for (sentence, evidence_id), verdict in reversed(list(zip(sentences, verdicts, strict=True))):
        if verdict in _STANDING:
            return Premise(premise, _STANDING[verdict], sentence, evidence_id)
    return Premise(premise)


def _near(premise: str, ordered: Sequence[Evidence]) -> list[tuple[str, str]]:
    """Find the sentences most similar to the premise, in order."""
    wanted = set(content_words(premise))
    scored: list[tuple[float, int, str, str]] = []
    for each in ordered:
        for sentence in split_sentences(each.text):
            shared = share_held(wanted, text=f"{each.title} {sentence.text}")
            if shared >= LEAST_SHARED:
                scored.append((shared, len(scored), sentence.text, each.id))
    best = sorted(scored, key=lambda found: (-found[0], -found[1]))[:MAX_SENTENCES]
    return [(sentence, evidence_id) for _, _, sentence, evidence_id in sorted(best, key=lambda found: found[1])]


# -- premises ---------------------------------------------------------------------------------

_ASKING = (
    r"(?:when|where|why|how(?: exactly)?|how (?:long|many|much|often|old|far|big|tall|fast|soon)(?: \w+){0,4}?"
    r"|since when|(?:in|on|by|at|to|for|from|until) (?:what|which|how) (?:\w+ ){0,4}?\w+|(?:what|which) (?:\w+ ){0,3}?\w+)"
)
_DID = re.compile(rf"^{_ASKING} (did|does|do) (?P<rest>\S.{{3,300}})$", re.I)
_WAS = re.compile(rf"^{_ASKING} (?P<be>was|were|is|are|has|have|had|will) (?P<rest>\S.{{3,300}})$", re.I)
_WHO = re.compile(
    r"^(?:who|what|which \w+(?: \w+)?) (?P<rest>(?!is\b|are\b|was\b|were\b|did\b|does\b|do\b)\w+(?:ed|s|won|left|took|became|bought|wrote|beat|made|sold|led)?\b \S.{2,300})$",
    re.I,
)
_PARTICIPLE = re.compile(
    r"\b(?:\w{2,}ed|born|built|begun|bought|brought|chosen|come|done|driven|fallen|flown|found|given|gone|held|hit|known"
    r"|laid|led|left|lost|made|met|named|paid|put|run|seen|sent|sold|shown|shot|spent|stolen|struck|sworn|taken|thrown"
    r"|told|won|written|the (?:first|last|only|next)|be|been|become)\b",
)  # fmt: skip
_TAIL = re.compile(r",? (?:and|or) (?:when|where|why|who|how|what)\b.*$", re.I)
_DANGLING = re.compile(r"(?: (?:for|of|by|with|in|at|on|to|from|as))+$")
_PAST = re.compile(
    r"\w+ed$|^(?:won|left|took|became|bought|wrote|beat|made|sold|led|broke|gave|found|lost|sang|ran)$", re.I
)


def premises(question: str) -> list[str]:
    """Extract a question's premises as statements.

    By the form of English questions: "When did X leave Y?" presupposes "X did leave Y", "Why was X sold?" "X was
    sold", "Who bought X?" "Someone bought X".
    """
    text = _TAIL.sub("", " ".join(question.split()).rstrip("?!. "))
    text = re.sub(r"^(?:and|so|but|please|tell me|exactly),? ", "", text, flags=re.I)
    if (match := _DID.match(text)) is not None:
        return [_statement(_inserted(match["rest"], match[1].lower()))]
    if (match := _WAS.match(text)) is not None:
        moved = _moved(match["rest"], match["be"].lower())
        return [_statement(moved)] if moved else []
    if (match := _WHO.match(text)) is not None and _PAST.search(match["rest"].split()[0]):
        return [_statement(f"someone {match['rest']}")]
    return []


def _inserted(rest: str, auxiliary: str) -> str:
    """Insert "did": "Norvane stop flying" becomes "Norvane did stop flying"."""
    words = rest.split()
    for place in range(1, len(words)):
        before, word = words[place - 1], words[place]
        named = before[0].isupper() and not before.endswith(("'s", "’s", ","))
        if named and word.islower() and word not in _INSIDE:
            return " ".join([*words[:place], auxiliary, *words[place:]])
    return rest


_INSIDE = word_set("a an and at by de for from in la of on or the to von")
"""Words that stand inside names rather than behind them."""


def _moved(rest: str, auxiliary: str) -> str:
    """Insert "was": "the tower built in Varn" becomes a sentence, or nothing."""
    match = _PARTICIPLE.search(rest)
    if match is None or match.start() == 0:
        return ""
    return f"{rest[: match.start()].rstrip()} {auxiliary} {rest[match.start() :]}"


def _statement(text: str) -> str:
    text = _DANGLING.sub("", text)
    return f"{text[:1].upper()}{text[1:]}."
