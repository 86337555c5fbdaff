"""Relation phrases of foreign questions: "vor 2010", "jusqu'à fin 2019"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from dateline.temporal.constraint import Constraint, Ordinal, Relation
from dateline.temporal.expressions import TimeExpression
from dateline.temporal.language_files import BOUNDS, language_file, relation_words
from dateline.temporal.ordinals import in_name, is_one_time
from dateline.temporal.phrases import LONGEST_PHRASE, Phrase, closes, listed, opens, range_relation
from dateline.temporal.vocabulary import Vocabulary

_SHORT = 4
"""Letters of a preposition that means "as of" before days alone ("au", "al", "zum")."""


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """Words that relate a question to its times in one language.

    Attributes:
        before: a relation, named by its group, that ends where a time begins.
        happened: such a relation, and what happened at the time ("seit der Wahl 2021").
        thing, made: a participle before or behind a time that only describes a thing ("fondé en 1969").
        auxiliary: what makes such a participle the question's own verb.
        compared: what compares two times.
        compared_to: a word that does so right before the second ("als", "que").
        ordinal: "first" or "last".
        earlier: words of "before", which may begin like "first" ("prima di").
        present, past: auxiliaries.
        coordinated: what stands between two times of a list.
    """

    before: re.Pattern[str]
    happened: re.Pattern[str]
    thing: re.Pattern[str]
    made: re.Pattern[str]
    auxiliary: re.Pattern[str]
    compared: re.Pattern[str]
    compared_to: re.Pattern[str]
    ordinal: re.Pattern[str]
    earlier: re.Pattern[str]
    present: re.Pattern[str]
    past: re.Pattern[str]
    coordinated: re.Pattern[str]


@cache
def question_words(code: str) -> QuestionWords:
    """Return the question words of a language other than English."""
    table = language_file(code)
    articles = _either(table["words"]["the"].split())
    relations = "|".join(f"(?P<{name}>{_either(relation_words(code, name))})" for name in table["relations"])
    asked = table["questions"]
    bounds = "|".join(f"(?P<{name}>{_either(relation_words(code, name))})" for name in BOUNDS)
    auxiliary, past = asked["auxiliary"].split(), table["words"]["was"].split()
    compared = [words.strip() for words in asked["compared"].split(",")]
    of = _either(table["words"]["of"].split())
    gap = r"(?:[ \u00a0]|(?<=['’]))"
    things = _either(asked["things"].split())
    joints = _either(f"{table['words']['and']} {table['words']['or']}".split())
    return QuestionWords(
        before=re.compile(rf"(?<!\w)(?:{relations})(?:[ \u00a0]{articles})?(?:[ \u00a0]|(?<=['’]))$", re.I),
        happened=re.compile(
            rf"(?<!\w)(?:{bounds}){gap}(?:(?:{articles}|as?){gap}[^\W\d_]{{2,}}|(?-i:[a-zß-ÿ])[^\W\d_]+)"
            rf"[ \u00a0](?:{of}{gap})?(?:{articles}{gap})?$",
            re.I,
        ),
        thing=re.compile(rf"(?<!\w){things}[ \u00a0]$", re.I),
        made=re.compile(rf"[ \u00a0]{things}(?!\w)", re.I),
        auxiliary=_word(auxiliary),
        compared=_word(each for each in compared if " " in each),
        compared_to=re.compile(rf"(?<!\w){_either(compared)}(?:[ \u00a0]{articles})?[ \u00a0]$", re.I),
        ordinal=re.compile(
            rf"(?<![\w-])(?:(?P<first>{_either(asked['first'].split())})|(?P<last>{_either(asked['last'].split())}))(?![\w-])",
            re.I,
        ),
        earlier=re.compile(_either(relation_words(code, "before")) + r"(?!(?<=\w)\w)", re.I),
        present=_word(set(auxiliary) - set(past)),
        past=_word(past),
        coordinated=re.compile(
            rf"\s*(?:/|(?:,|,?\s?{joints})\s)\s*(?:{_either(relation_words(code, 'at'))}\s+)?(?:{articles}\s+)?",
            re.I,
        ),
    )


def _word(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){_either(words)}(?!\w)", re.I)


def _either(words: Iterable[str]) -> str:
    """Return the pattern of any of these words, the longest first."""
    ordered = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace("'", "['’]") for word in ordered) + ")"


def foreign_phrases(text: str, expressions: Sequence[TimeExpression], *, vocabulary: Vocabulary) -> list[Phrase]:
    """Return the relation phrases of a question that is not English."""
    words = question_words(vocabulary.code)
    read = ((found, _phrase(text, found, words=words, bare=vocabulary.bare_years)) for found in expressions)
    return listed(text, read, coordinated=words.coordinated)


def _phrase(text: str, found: TimeExpression, *, words: QuestionWords, bare: bool) -> Phrase | None:
    """Return the expression with its relation words.

    `None` for a time that names or describes a thing.
    """
    if found.interval is None or found.kind == "set" or found.certainty < 0.5:
        return None
    before = words.before.search(text, max(0, found.start - LONGEST_PHRASE), found.start)
    if (before is None or before.lastgroup == "at") and found.interval.granularity == "year":
        before = words.happened.search(text, max(0, found.start - LONGEST_PHRASE), found.start) or before
    start = found.start if before is None else before.start()
    named = None if before is None else cast(Relation, before.lastgroup)
    if named == "as_of" and found.interval.granularity != "day" and found.start - start <= _SHORT:
        named = "at"  # "au troisième trimestre"
    if words.made.match(text, found.end) or _describes(text, start, words=words):
        return None
    if found.kind == "duration" or found.interval.start is None or found.interval.end is None:
        return Phrase(
            start if named == "at" else found.start, found.end, range_relation(found.interval), found.interval
        )
    if found.kind == "range":
        relation = named if named in ("before", "after", "as_of", "by", "until") else "between"
        return Phrase(start, found.end, relation, found.interval)
    if named is None and found.text.isdigit() and not (bare or closes(text, found.end) or opens(text, start)):
        return None
    return Phrase(start, found.end, named or "at", found.interval)


def _describes(text: str, start: int, *, words: QuestionWords) -> bool:
    """Return whether a participle before a time describes a thing."""
    thing = words.thing.search(text, max(0, start - LONGEST_PHRASE), start)
    return (
        thing is not None
        and words.auxiliary.search(text, max(0, thing.start() - LONGEST_PHRASE), thing.start()) is None
    )


def foreign_ordinal(text: str, *, constraint: Constraint | None, vocabulary: Vocabulary) -> Ordinal | None:
    """Return the ordinal that a foreign question asks for.

    As in English a question in the present or at one time does not ask for the earliest: the "premier ministre" holds a
    place of that name. But "le premier après 2010" does, and "le premier à".
    """
    words = question_words(vocabulary.code)
    moment = constraint is not None and is_one_time(constraint)
    present = words.present.search(text) is not None and words.past.search(text) is None
    for match in words.ordinal.finditer(text):
        if words.earlier.match(text, match.start()) or in_name(text, match):
            continue
        if match.lastgroup == "last":
            return "last"
        if not (moment or present) or _stands_alone(text, match.end(), vocabulary=vocabulary):
            return "first"
    return None


_NEXT_WORD = re.compile(r"[ \u00a0]([^\W\d_]+['’]?)")
_JOINING = frozenset("TF+>&")
"""Token classes of words that begin another phrase."""


def _stands_alone(text: str, end: int, *, vocabulary: Vocabulary) -> bool:
    """Return whether no noun follows an ordinal: "le premier à"."""
    word = _NEXT_WORD.match(text, end)
    if word is None:
        return True
    return word[1].lower() in vocabulary.common or vocabulary.classes[word[1]] in _JOINING


def compares(text: str, phrases: Sequence[Phrase], *, vocabulary: Vocabulary) -> bool:
    """Return whether a question compares what it names."""
    words = question_words(vocabulary.code)
    if words.compared.search(text):
        return True
    return any(words.compared_to.search(text, max(0, each.start - LONGEST_PHRASE), each.start) for each in phrases)
