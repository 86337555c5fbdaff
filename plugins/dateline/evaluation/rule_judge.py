"""Judge by rules: names by words, numbers and dates by value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from dateline.evaluation.judgement import AnswerCase, Judgement, JudgeMode, checked_mode
from dateline.evaluation.metrics import normalise
from dateline.evaluation.values import amounts, dates, within
from dateline.language.names import CAPITAL, LetterPattern
from dateline.language.negation import NEGATIONS, negations
from dateline.language.quantities import Quantity
from dateline.temporal.interval import Interval
from dateline.text import content_words, split_sentences

SENTENCE_WORDS = 5
"""Content words from which an accepted answer is a sentence that is to be said in other words."""

COVERED = 0.6
"""Share of a sentence's content words that a response must hold to say the same."""

NEARLY = 0.8
"""The same share for a sentence that is to rebut without any rebutting phrase."""

LEAST_WORDS = 2
"""Content words that a rebuttal has at least: a bare "never" or "none" is none."""

FIRST_YEAR, LAST_YEAR = 1000, 2200
"""A bare number in between may be a year."""

SUMMED_UP = 60
"""Words of a response that count as its main answer; what stands further down is read as background."""

_REFUSAL = re.compile(
    r"\b(?:i (?:am unable|cannot|can['’]?t|could not|couldn['’]t|do not know|don['’]t know|have no (?:information|access|data)"
    r"|do not have|don['’]t have|am not (?:sure|able))|i['’]m (?:unable|not sure|not able)|unable to (?:provide|answer|determine)"
    r"|no information (?:is available|to suggest)|unknown)\b",
    re.I,
)
_HEDGE = re.compile(r"\b(?:maybe|perhaps|possibly|might (?:be|have)|could be|it depends|either)\b", re.I)
_DATED = re.compile(
    r"\b(?:knowledge cut-?off|(?:my|the) last (?:\w+ )?update|up to (?:my|the) last|as of my|may (?:have|be) (?:since )?(?:changed|outdated|out of date)"
    r"|might have changed)\b",
    re.I,
)
_CLAUSES = re.compile(r"[.;:]|\bbut\b|,(?= (?:it|he|she|they)\b)", re.I)
"""What parts a denial from what is said instead: "not Sydney; Canberra"."""
_DENIED = re.compile(rf"\b(?:{'|'.join(sorted(NEGATIONS))}|instead of|rather than)(?: \w+){{0,2}} $")
_REBUTTAL = re.compile(
    r"\b(?:incorrect|false|mistaken|still|only|actually|in fact|instead|rather|already|impossible|fictional|contrary)\b",
    re.I,
)
_PREMISE_DENIED = re.compile(
    r"\b(?:false|wrong|invalid|mistaken|incorrect) premise|\bpremise (?:\w+ ){0,3}(?:false|wrong|invalid|mistaken|incorrect)"
    r"|(?:\bno|\bnot|n['’]t)(?: \w+){0,3} valid premise|\bpremise (?:\w+ ){0,3}(?:not|n['’]t) (?:\w+ )?(?:valid|true|correct)",
    re.I,
)
_BOUND = re.compile(
    r"\b(?:over|more than|at least|at most|nearly|almost|under|less than|fewer than|up to|above|below) $", re.I
)
_YES_NO = re.compile(r"\b(yes|no)\b", re.I)
_BROKEN = re.compile(r"\[/?(?:eot|end|inst|/s)\w*\]|<\|?/?\w+\|?>|\b(\w+(?:\W+\w+)?)(?:\W+\1\b){3,}", re.I)
_PARTS = re.compile(r"\s*(?:,|;|&|/|\band\b)\s*")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_NAME = LetterPattern(rf"(?<![.!?:]\s)(?<!^)\b{CAPITAL}[\w'’-]+")


class RuleAnswerJudge:
    """Judge by rules, without a model, in one mode; implements `AnswerJudge`.

    An accepted answer counts as given when its words stand in the response's main part (punctuation, articles and
    accents aside) and are not denied there; a list when all its parts do; a number or date when the first of its kind
    that the question does not already hold has its value; yes or no when it is said; a longer sentence when most of
    its content words are said with the same polarity. A false premise needs a sentence that rebuts it. Strict
    judging also refuses broken wording and, given `evidence`, every figure and name that neither question, accepted
    answers nor evidence hold; without evidence such an answer is undecided, and so is one that says it may be
    outdated.

    Its limits: it knows no synonyms, translations or conversions of units, cannot tell a wrong side remark made of
    the evidence's own words, cannot tell a rebuttal that goes too far, and does not see which of two names in one
    sentence is meant as the answer. Names that nobody listed are judged wrong. Use `FreshEvalJudge` for figures that
    are to be compared with the paper's.

    Example:
        >>> from dateline.evaluation import AnswerCase
        >>> cases = [AnswerCase("Who is mayor?", answer=who, golds=["Jon Holm"]) for who in ("It is Jon Holm.", "Ada Berg")]
        >>> [RuleAnswerJudge("relaxed").judge(case).correct for case in cases]
        [True, False]
    """

    def __init__(self, mode: JudgeMode) -> None:
        """Raise `BadInput` for an unknown mode."""
        self.mode: JudgeMode = checked_mode(mode)

    def judge(self, case: AnswerCase) -> Judgement:
        """Judge one answer; unknown premises count as valid."""
        anchor = None if case.as_of is None else Interval.of_moment(case.as_of)
        wrong = _uncommitted(case.answer) or (
            _not_rebutted(case.answer, case.question, case.golds)
            if case.false_premise
            else _not_given(case.answer, case.question, case.golds, anchor)
        )
        if wrong:
            return Judgement(correct=False, reason=wrong)
        if self.mode == "strict":
            return _strictly(case.answer, [case.question, *case.golds], case.evidence)
        return Judgement(correct=True, reason="The main answer is among the accepted ones.")

    async def ajudge(self, case: AnswerCase) -> Judgement:
        """Judge asynchronously."""
        return self.judge(case)


def _uncommitted(answer: str) -> str:
    """Return why a response gives no definite answer; empty where it does."""
    main = _main(answer)
    if not any(map(str.isalnum, answer)):
        return "The response is empty."
    if refusal := _REFUSAL.search(main):
        return f"The response does not answer: {refusal[0]!r}."
    if hedge := _HEDGE.search(main):
        return f"The response does not commit itself: {hedge[0]!r}."
    return ""


def _main(answer: str) -> str:
    return " ".join(answer.split()[:SUMMED_UP])


# -- valid premises ---------------------------------------------------------------------------


def _not_given(answer: str, question: str, golds: Sequence[str], anchor: Interval | None) -> str:
    """Return why no accepted answer is given; empty where one is."""
    main = _main(answer)
    if any(_gives(main, question, gold, anchor) for gold in golds):
        return ""
    return f"The response does not give {' or '.join(map(repr, golds[:3]))}."


def _gives(main: str, question: str, gold: str, anchor: Interval | None) -> bool:
    gold = _ASIDE.sub("", gold).strip() or gold
    if gold.strip(" .!").lower() in ("yes", "no"):
        said = {found.lower() for found in _YES_NO.findall(main)}
        return said == {gold.strip(" .!").lower()}
    if (day := _date_of(gold, anchor)) is not None:
        return _first_date(main, question, day, anchor)
    if wanted := _amounts_of(gold):
        year = _year_of(wanted)
        dated = year is not None and _first_date(main, question, year, anchor)
        return dated or _first_amounts(main, question, wanted, gold)
    if _holds(main, gold):
        return True
    parts = [part for part in _PARTS.split(gold) if part]
    if len(parts) > 1 and all(_holds(main, part) for part in parts):
        return True
    return len(content_words(gold)) >= SENTENCE_WORDS and any(
        _says(sentence.text, gold) for sentence in split_sentences(main)
    )


def _date_of(gold: str, anchor: Interval | None) -> Interval | None:
    """Read an accepted answer that is only a date, no mere number."""
    found = dates(gold, anchor=anchor)
    if len(found) != 1 or re.fullmatch(r"[\d\s]+", gold):
        return None
    rest = gold[: found[0].start] + gold[found[0].end :]
    return None if content_words(rest) else found[0].interval


def _first_date(main: str, question: str, day: Interval, anchor: Interval | None) -> bool:
    asked = {each.interval for each in dates(question, anchor=anchor)}
    said = [each.interval for each in dates(main, anchor=anchor) if each.interval is not None]
    first = next((each for each in said if within(each, day) or each not in asked), None)
    return first is not None and within(first, day)


def _amounts_of(gold: str) -> list[Quantity]:
    """Return amounts of an accepted answer that is only number and unit."""
    found = amounts(gold)
    words = len(gold.split())
    first = found[0].start if found else len(gold)
    leads = content_words(gold[:first])
    return found if found and not leads and words <= 3 * len(found) + 1 else []


def _year_of(wanted: Sequence[Quantity]) -> Interval | None:
    """Return the year that a bare number may be."""
    value = wanted[0].value
    bare = len(wanted) == 1 and not wanted[0].unit and value == int(value)
    return Interval.of_year(int(value)) if bare and FIRST_YEAR <= value < LAST_YEAR else None


def _first_amounts(main: str, question: str, wanted: Sequence[Quantity], gold: str) -> bool:
    """Check the response's first own number, then that the others are there.

    A date is no number, unless a number that looks like a year is wanted; "more than 20" is not 20.
    """
    inside = [] if _year_of(wanted) else [(each.start, each.end) for each in dates(main)]
    asked = amounts(question)
    said = [
        each
        for each in amounts(main)
        if not any(start <= each.start < end for start, end in inside)
        and (each.equals(wanted[0]) or not any(each.equals(known) for known in asked))
    ]
    if not said or not said[0].equals(wanted[0]) or _bound(main, said[0]) != _bound(gold, wanted[0]):
        return False
    return all(any(each.equals(one) for each in said) for one in wanted[1:])


def _bound(text: str, amount: Quantity) -> str:
    match = _BOUND.search(text[: amount.start].rstrip("$€£¥") or "")
    return match[0].strip().lower() if match else ""


def _holds(main: str, gold: str) -> bool:
    """Check that the response, or a clause, holds `gold`, not denied."""
    return any(_undenied(clause, gold) for clause in (main, *_CLAUSES.split(main)))


def _undenied(clause: str, gold: str) -> bool:
    said, wanted = f" {_folded(clause)} ", _folded(gold)
    places = re.finditer(rf"(?<= ){re.escape(wanted)}(?= )", said) if wanted else ()
    return any(not _DENIED.search(said[: place.start()]) for place in places)


def _says(sentence: str, gold: str) -> bool:
    """Check that a sentence says in its own words what `gold` says."""
    wanted = set(content_words(gold))
    shared = len(wanted & set(content_words(sentence))) / max(1, len(wanted))
    return shared >= COVERED and (negations(sentence) > 0) == (negations(gold) > 0)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return normalise("".join(each for each in plain if not unicodedata.combining(each)))


# -- false premises ---------------------------------------------------------------------------


def _not_rebutted(answer: str, question: str, golds: Sequence[str]) -> str:
    """Return why a false premise stands; empty where a sentence rebuts it."""
    known = [sentence.text for gold in golds for sentence in split_sentences(gold)]
    said = [sentence.text for sentence in split_sentences(_main(answer))]
    if any(_PREMISE_DENIED.search(sentence) for sentence in said):
        return ""
    topic = set(content_words(question))
    if any(_rebuts(sentence, gold, topic) for sentence in said for gold in known):
        return ""
    return "The question takes something false for granted, and the response does not say so."


def _rebuts(sentence: str, gold: str, topic: Collection[str]) -> bool:
    """Match a rebuttal nearly in full, or half with a rebutting phrase."""
    said, wanted = set(content_words(sentence)), set(content_words(gold))
    rebutting = _is_rebutting(sentence)
    if len(said) < LEAST_WORDS or rebutting != _is_rebutting(gold):
        return False
    covered = len(wanted & said) / max(1, len(wanted))
    new = wanted - set(topic)
    corrects = bool(new) and len(new & said) / len(new) >= COVERED
    if not rebutting:
        # Without such a phrase only what the rebuttal adds to the question tells it from an answer to the question.
        return covered >= NEARLY and corrects
    return covered >= COVERED or (corrects and covered >= COVERED / 2)


def _is_rebutting(sentence: str) -> bool:
    return negations(sentence) > 0 or _REBUTTAL.search(sentence) is not None


# -- strict -----------------------------------------------------------------------------------


def _strictly(answer: str, known: Sequence[str], evidence: Sequence[str]) -> Judgement:
    if broken := _BROKEN.search(answer):
        return Judgement(correct=False, reason=f"The response is ill-formed: {broken[0][:60]!r}.")
    if dated := _DATED.search(answer):
        return Judgement(correct=None, reason=f"Rules cannot tell whether it still holds: {dated[0]!r}.")
    if extra := _unsupported(answer, [*known, *evidence]):
        shown = ", ".join(extra[:3])
        if evidence:
            return Judgement(correct=False, reason=f"Neither evidence nor accepted answers hold: {shown}.")
        return Judgement(correct=None, reason=f"Rules cannot check without evidence: {shown}.")
    return Judgement(correct=True, reason="The main answer is among the accepted ones, and nothing else is claimed.")


def _unsupported(answer: str, texts: Sequence[str]) -> list[str]:
    """List names and figures of a response that no text holds."""
    days = [each.interval for text in texts for each in dates(text) if each.interval is not None]
    # A known date in another spelling brings no new name or figure.
    for each in reversed(dates(answer)):
        if each.interval is not None and any(within(day, each.interval) for day in days):
            answer = f"{answer[: each.start]} {answer[each.end :]}"
    words = {word for text in texts for word in _folded(text).split()}
    figures = [each for text in texts for each in amounts(text)]
    names = [name for name in _NAME.findall(answer) if not set(_folded(name).split()) <= words]
    numbers = [
        answer[each.start : each.end].strip()
        for each in amounts(answer)
        if not any(each.value == figure.value for figure in figures)
    ]
    return list(dict.fromkeys([*names, *numbers]))
