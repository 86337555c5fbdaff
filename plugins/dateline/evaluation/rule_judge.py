"""Judge by rules: names by words, numbers and dates by value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence

from dateline.evaluation.judgement import AnswerCase, Judgement, JudgeMode, checked_mode
from dateline.evaluation.metrics import normalise
from dateline.evaluation.values import amounts, dates
from dateline.language.names import CAPITAL, LetterPattern, find_names
from dateline.language.negation import NEGATIONS, negations
from dateline.language.quantities import CURRENCY, Quantity
from dateline.temporal.expressions import TimeExpression
from dateline.temporal.interval import Interval
from dateline.text import content_words, split_sentences, words
from dateline.text.words import share_held

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

NEAR = 80
"""Characters beside a number or date within which words bound or deny it."""

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
_CLAUSES = re.compile(r"[.;:]|\bbut\b|\bno,|,(?= (?:it|he|she|they)\b)", re.I)
"""What parts a denial from what is said instead: "not Sydney; Canberra"."""
_DENIED = re.compile(
    rf"\b(?:{'|'.join(sorted(NEGATIONS))}|instead of|rather than|(?:false|wrong|incorrect|untrue) that)"
    r"(?: (?!(?:until|only|just|merely|doubt|other)\b)\w+){0,2} $"
)
_DENIED_BEHIND = re.compile(
    r" (?:(?:however|though|in fact|\w+ly) )?(?:(?:is|was|are|were|has|had|have|did|does|do|would|will|could|can|should|must|may)"
    r"(?: (?:be|been|also|in fact|\w+ly))? (?:not|never|no longer|wrong|incorrect|false|mistaken|untrue)"
    rf"|never|cannot|{'|'.join(sorted(word for word in NEGATIONS if word.endswith('nt')))})\b(?! (?:only|just|merely|alone)\b)"
)
_REBUTTAL = re.compile(
    r"\b(?:incorrect|false|mistaken|still|only|actually|in fact|instead|rather|already|impossible|fictional|contrary)\b",
    re.I,
)
_PREMISE_CLAUSES = re.compile(r"[.,;:]|\bbut\b", re.I)
_FALSE = frozenset(("false", "wrong", "invalid", "mistaken", "incorrect", "untrue"))
_TRUE = frozenset(("valid", "true", "correct"))
_BOUND = re.compile(
    r"(?:(?P<about>\b(?:about|around|approximately|approx\.?|roughly|circa|ca?\.|close to|nearly|almost|some|(?:an )?estimated)|[~≈∼])"
    r"|(?P<over>\b(?:over|more than|above))|(?P<under>\b(?:under|less than|fewer than|below))|(?P<least>\bat least)"
    rf"|(?P<most>\b(?:at most|up to)))\s?(?:(?:in|on|the year|an?)\s)?(?:US)?{CURRENCY}?\s?$",
    re.I,
)
_BOUND_BEHIND = re.compile(
    r"\s?(?:[^\W\d]\w*\s)?(?:(?P<about>or (?:so|thereabouts)\b)|(?P<least>or (?:more|later)\b)|(?P<most>or (?:less|fewer|earlier)\b))"
    r"|-?(?P<ish>ish)\b|(?P<plus>\+)",
    re.I,
)
_BOUNDS_BEHIND = {"ish": "about", "plus": "least"}
_YES_NO = re.compile(r"\b(yes|no(?! doubt\b|\.? ?\d))\b", re.I)
_TOLD = re.compile(rf"{_YES_NO.pattern}(?=[*_\"'”’)]*\s*(?:[,.;:!?–—]|$))", re.I)
"""Yes or no said as such, and not of something: "yes, no rival is left"."""
_BROKEN = re.compile(r"\[/?(?:eot|end|inst|/s)\w*\]|<\|?/?\w+\|?>|\b(\w+(?:\W+\w+)?)(?:\W+\1\b){3,}", re.I)
_PARTS = re.compile(r"\s*(?:,|;|&|/|\band\b)\s*")
_ASIDE = re.compile(r"\s*\([^()]*\)")
_NAME = LetterPattern(rf"(?<![.!?:]\s)(?<!^)\b{CAPITAL}[\w'’-]+")
_NAMES = LetterPattern(rf"(?<!^)\b{CAPITAL}[\w'’-]+(?: {CAPITAL}[\w'’-]+)*")
"""One word that is a name, and the words of a whole one; at a sentence's start a capital tells nothing."""
_POSSESSIVE = re.compile(r"['’]s\b")


class RuleAnswerJudge:
    """Judge by rules, without a model, in one mode; implements `AnswerJudge`.

    An accepted answer counts as given when its words stand in the response's main part (punctuation, articles and
    accents aside), in the first sentence that names anybody or anything that the question does not, and are not denied
    there; a list when all its parts do; a number or date when the first of its kind that the question does not already
    hold has its value, exactly or as roughly as the accepted one; yes or no when it is said, or a sentence repeats the
    question with its polarity; a longer sentence when most of its content words are said with the same polarity. A
    false premise needs a sentence that rebuts it. Strict judging also refuses broken wording and, given `evidence`,
    every figure and name that neither question, accepted answers nor evidence hold; without evidence such an answer is
    undecided, and so is one that says it may be outdated.

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
        wrong = _uncommitted(case.answer, [*case.golds, *_names_of(case.question)]) or (
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


def _uncommitted(answer: str, quoted: Sequence[str]) -> str:
    """Return why a response gives no definite answer; empty where it does.

    What it quotes says nothing of itself: "Call Me Maybe" is no guess.
    """
    main = _main(answer)
    for text in quoted:
        if _REFUSAL.search(text) or _HEDGE.search(text):
            main = re.sub(rf"(?<!\w){re.escape(' '.join(text.split()))}(?!\w)", "…", main, flags=re.I)
    if not any(map(str.isalnum, answer)):
        return "The response is empty."
    if refusal := _REFUSAL.search(main):
        return f"The response does not answer: {refusal[0]!r}."
    if hedge := _HEDGE.search(main):
        return f"The response does not commit itself: {hedge[0]!r}."
    return ""


def _main(answer: str) -> str:
    return " ".join(answer.split()[:SUMMED_UP])


def _names_of(question: str) -> list[str]:
    """Return a question's names; a word that only opens it is none."""
    return [name[0] for name in find_names(question) if name.start() or " " in name[0]]


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
        return _verdict(main, question) == gold.strip(" .!").lower()
    if (day := _date_of(gold, anchor)) is not None and day.interval is not None:
        return _first_date(main, question, day.interval, anchor, bound=_bound(gold, day.start, day.end))
    if wanted := _amounts_of(gold):
        year, bound = _year_of(wanted), _bound(gold, wanted[0].start, wanted[0].unit_end)
        dated = year is not None and _first_date(main, question, year, anchor, bound=bound)
        return dated or _first_amounts(main, question, wanted, bound)
    parts = [part for part in _PARTS.split(gold) if part]
    given = _holds(main, gold, question) or (len(parts) > 1 and all(_holds(main, part, question) for part in parts))
    if given and not _named_late(main, question, [gold, *parts]):
        return True
    return len(content_words(gold)) >= SENTENCE_WORDS and any(
        _says(sentence.text, gold) for sentence in split_sentences(main)
    )


def _verdict(main: str, question: str) -> str:
    """Return yes or no as a response says it; else nothing."""
    sentences = [sentence.text for sentence in split_sentences(main)]
    opening = [found[1] for sentence in sentences if (found := _YES_NO.match(sentence)) is not None]
    if said := {each.lower() for each in [*opening, *_TOLD.findall(main)] or _YES_NO.findall(main)}:
        return said.pop() if len(said) == 1 else ""
    return _repeated(sentences[0], question) if sentences else ""


def _repeated(sentence: str, question: str) -> str:
    """Return the polarity of a sentence that only repeats the question."""
    asked, said = words(question)[:1], words(sentence)
    new = set(content_words(sentence)) - set(content_words(question)) - NEGATIONS
    if new or not any(word in said or f"{word}nt" in said for word in asked):
        return ""
    return "no" if negations(sentence) else "yes"


def _date_of(gold: str, anchor: Interval | None) -> TimeExpression | None:
    """Read an accepted answer that is only a date, no mere number."""
    found = dates(gold, anchor=anchor)
    if len(found) != 1 or re.fullmatch(r"[\d\s]+", gold):
        return None
    rest = _BOUND.sub("", gold[: found[0].start]) + gold[found[0].end :]
    return None if content_words(rest) else found[0]


def _first_date(main: str, question: str, day: Interval, anchor: Interval | None, *, bound: str) -> bool:
    asked = {each.interval for each in dates(question, anchor=anchor)}
    said = [
        (each, each.interval)
        for each in dates(main, anchor=anchor)
        if each.interval is not None and not _denied_at(main, each.start, each.end, question)
    ]
    first = next((each for each in said if day.contains(each[1]) or each[1] not in asked), None)
    if first is None:
        return False
    return day.contains(first[1]) and _as_exact(_bound(main, first[0].start, first[0].end), bound)


def _amounts_of(gold: str) -> list[Quantity]:
    """Return amounts of an accepted answer that is only number and unit."""
    found = amounts(gold)
    words = len(gold.split())
    first = found[0].start if found else len(gold)
    leads = content_words(_BOUND.sub("", gold[:first]))
    return found if found and not leads and words <= 3 * len(found) + 1 else []


def _year_of(wanted: Sequence[Quantity]) -> Interval | None:
    """Return the year that a bare number may be."""
    value = wanted[0].value
    bare = len(wanted) == 1 and not wanted[0].unit and value == int(value)
    return Interval.of_year(int(value)) if bare and FIRST_YEAR <= value < LAST_YEAR else None


def _first_amounts(main: str, question: str, wanted: Sequence[Quantity], bound: str) -> bool:
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
        and not _denied_at(main, each.start, each.unit_end, question)
    ]
    if not said or not said[0].equals(wanted[0]):
        return False
    if not _as_exact(_bound(main, said[0].start, said[0].unit_end), bound):
        return False
    return all(any(each.equals(one) for each in said) for one in wanted[1:])


def _bound(text: str, start: int, end: int) -> str:
    """Return what bounds a number or date: "over", "about"."""
    match = _BOUND.search(text[max(0, start - NEAR) : start]) or _BOUND_BEHIND.match(text[end : end + NEAR])
    return _BOUNDS_BEHIND.get(match.lastgroup or "", match.lastgroup or "") if match else ""


def _as_exact(said: str, wanted: str) -> bool:
    """Check a bound; what is right within limits may be said without."""
    return said == wanted or (wanted == "about" and not said)


def _denied_at(text: str, start: int, end: int, question: str) -> bool:
    """Return whether the clause around a number or date denies it."""
    before = _CLAUSES.split(text[max(0, start - NEAR) : start])[-1]
    behind = _CLAUSES.split(text[end : end + NEAR], maxsplit=1)[0]
    return _denied(f" {_folded(before)} ", f" {_folded(behind)} ", question)


def _denied(before: str, behind: str, question: str) -> bool:
    """Return whether words deny what stands between them.

    Who or what does not do a thing may be just what is asked for.
    """
    if _DENIED.search(before):
        return True
    return not negations(question) and _DENIED_BEHIND.match(behind) is not None


def _holds(main: str, gold: str, question: str) -> bool:
    """Check that the response, or a clause, holds `gold`, not denied."""
    return any(_undenied(clause, gold, question) for clause in (main, *_CLAUSES.split(main)))


def _undenied(clause: str, gold: str, question: str) -> bool:
    said, wanted = f" {_folded(clause)} ", _folded(gold)
    places = re.finditer(rf"(?<= ){re.escape(wanted)}(?= )", said) if wanted else ()
    return any(not _denied(said[: place.start()], said[place.end() :], question) for place in places)


def _named_late(main: str, question: str, golds: Sequence[str]) -> bool:
    """Return whether an earlier sentence names something else than `golds`."""
    if golds[0].lower() == golds[0]:
        return False
    for sentence in split_sentences(main):
        if any(_holds(sentence.text, gold, question) for gold in golds):
            return False
        if _names_other(sentence.text, question):
            return True
    return False


def _names_other(sentence: str, question: str) -> bool:
    """Return whether a sentence names something that the question does not."""
    for each in reversed(dates(sentence)):
        sentence = f"{sentence[: each.start]} {sentence[each.end :]}"
    asked = set(_folded(_POSSESSIVE.sub("", question)).split())
    return any(
        not set(_folded(_POSSESSIVE.sub("", name[0])).split()) <= asked
        and not _denied_at(sentence, name.start(), name.end(), question)
        for name in _NAMES.finditer(sentence)
    )


def _says(sentence: str, gold: str) -> bool:
    """Check that a sentence says in its own words what `gold` says."""
    shared = share_held(set(content_words(gold)), text=sentence)
    return shared >= COVERED and (negations(sentence) > 0) == (negations(gold) > 0)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return normalise("".join(each for each in plain if not unicodedata.combining(each)).replace("’", "'"))


# -- false premises ---------------------------------------------------------------------------


def _not_rebutted(answer: str, question: str, golds: Sequence[str]) -> str:
    """Return why a false premise stands; empty where a sentence rebuts it."""
    known = [sentence.text for gold in golds for sentence in split_sentences(gold)]
    said = [sentence.text for sentence in split_sentences(_main(answer))]
    judged = {denied for sentence in said for denied in _premise_denied(sentence)}
    if True in judged:
        return ""
    if judged:
        return "The question takes something false for granted, and the response says that it holds."
    topic = set(content_words(question))
    if any(_rebuts(sentence, gold, topic) for sentence in said for gold in known):
        return ""
    return "The question takes something false for granted, and the response does not say so."


def _premise_denied(sentence: str) -> Iterator[bool]:
    """Yield, for each premise called true or false, whether that denies it."""
    for clause in _PREMISE_CLAUSES.split(sentence):
        words = [word.strip("\"'“”‘’()*_!?") for word in clause.lower().split()]
        for place in (place for place, word in enumerate(words) if word in ("premise", "premises")):
            behind = range(place + 1, min(place + 6, len(words)))
            told = next((each for each in (place - 1, *behind) if each >= 0 and words[each] in _FALSE | _TRUE), None)
            if told is not None:
                between = words[max(0, place - 5) : told] if told < place else words[place + 1 : told]
                yield (words[told] in _FALSE) != (negations(" ".join(between)) > 0)


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
        if each.interval is not None and any(each.interval.contains(day) for day in days):
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
