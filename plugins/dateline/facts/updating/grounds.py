"""Checks of a model's verdicts against the document's own words.

A model may misread a document, or obey it. So a fact is made false only on lines that speak of the same thing, and
a statement is taken in only when its names and numbers stand in what the model was shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set

from dateline.facts.updating.document_parts import DocumentPart
from dateline.facts.updating.mentions import (
    content,
    full_names,
    goes_by,
    is_named,
    name_words,
    names_written,
    outside_names,
    starts_plainly,
)
from dateline.handwritten.facts.statement import Statement
from dateline.language.calendar import MONTH_NAMES
from dateline.language.negation import negations
from dateline.language.offices import office_words
from dateline.language.pronouns import THIRD_PERSON
from dateline.language.word_lists import json_data
from dateline.text.words import content_words, stem, stems, words

ENOUGH_WORDS = 2
"""Words of content that a line must share with a fact whose names it does not mention."""

_YEAR = re.compile(r"\d{4}")
_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(THIRD_PERSON))})\b", re.I)
_OFFICES = frozenset(map(stem, office_words("office", "post")))

_ANY_OFFICE = frozenset(map(stem, ("position", "job", "post")))
"""Attributes of a person that every office is a value of."""


def _forms(listed: str) -> frozenset[str]:
    """Return the stems of listed words, which differ by ending: "succeed", "succeeds"."""
    return frozenset(stem(word + ending) for word in listed.split() for ending in ("", "s", "ed", "d"))


_CHANGES = tuple((_forms(row["words"]), _forms(row["of"])) for row in json_data("changes").values())
"""Words that tell a change, and the attributes whose values such a change ends."""

_CHANGE_WORDS = frozenset().union(*(by for by, _ in _CHANGES))

_CHANGING = frozenset().union(*(of for _, of in _CHANGES))
"""Attributes that have words of change of their own; any word of change ends others."""


def speaks_of(fact: str, *, lines: Sequence[int], piece: DocumentPart) -> bool:
    """Check that one of the named lines could end a fact.

    It must be asserted by its author, name what the fact is about, and speak of the fact's own attribute or of a change
    that ends such ("resigned" of a mayor). A line with a pronoun is read together with what comes before it. Where the
    fact has names, the piece must name what it is about, or the line say all but one of these names: a line about the
    Northern Harbour says nothing of the Southern Harbour. A line that says all of the fact and no change supports it.
    """
    whole = ". ".join((piece.title, *piece.asserted))
    return any(
        bears_on(fact, text=text) and (is_named(fact, whole) or _all_but_a_name(fact, content(text)))
        for text in told_by(lines, piece=piece)
    )


def told_by(lines: Iterable[int], *, piece: DocumentPart) -> list[str]:
    """Return what lines assert, with their context where they need one."""
    return [told for line in lines if (told := _told(line, piece=piece))]


def bears_on(fact: str, *, text: str) -> bool:
    """Find a fact's subject in a text, with its attribute or change."""
    said, told = content(fact), content(text)
    names, attribute = name_words(fact) & said, outside_names(fact)
    shared = said & told
    if not (names & told) and (len(shared) < min(ENOUGH_WORDS, len(said)) or not shared):
        return False
    if said <= told and not (negations(text) or told & _CHANGE_WORDS):
        return False
    own, other = Statement.read(fact).slot or "", Statement.read(text).slot or ""
    if own != other and own.startswith("role:") and other.startswith("role:"):
        return False
    offices, others = _offices(fact), _offices(text)
    if attribute & _ANY_OFFICE:
        return bool(others or attribute & told or _changes(attribute, told))
    # "Resigned as rector" ends nobody's time as mayor.
    other_office = bool(offices and others) and not offices & others
    return bool(attribute & told) or (_changes(attribute, told) and not other_office)


def tells_end(fact: str, *, text: str) -> bool:
    """Check that a text tells a change which ends a fact.

    It must mention all names of the fact.
    """
    names, attribute = full_names(fact), outside_names(fact)
    changed = any(attribute & of and (content(text) - attribute) & by for by, of in _CHANGES)
    return bool(names) and changed and all(goes_by(name, text=text, fact=fact) for name in names)


def _told(line: int, *, piece: DocumentPart, names: Set[str] = frozenset()) -> str:
    """Return what a line asserts, with its context where it needs one."""
    if not 1 <= line <= len(piece.asserted) or not (own := piece.asserted[line - 1]):
        return ""
    named = names & set(content_words(own)) if names else not _PRONOUN.search(own)
    return own if named else ". ".join((piece.title, *piece.asserted[max(0, line - 3) : line]))


def _offices(text: str) -> set[str]:
    return set(content_words(text)) & _OFFICES


def _changes(attribute: Set[str], told: Set[str]) -> bool:
    if not attribute & _CHANGING:
        return bool(told & _CHANGE_WORDS)
    return any(attribute & of and told & by for by, of in _CHANGES)


def _all_but_a_name(fact: str, told: Set[str]) -> bool:
    """Check that only one name and years of a fact are untold."""
    said = {word for word in content(fact) if not _YEAR.fullmatch(word)}
    return any(len(said - name) >= ENOUGH_WORDS and said - name <= told for name in full_names(fact))


def stands_in(statement: str, *, piece: DocumentPart, instead_of: str = "", besides: Iterable[str] = ()) -> bool:
    """Check that one asserted sentence bears out a statement.

    All names and numbers of the statement must stand there, and its attribute, or a change that brings such. A sentence
    that names nothing of the statement, or has a pronoun, is read together with what comes before it.

    Args:
        instead_of: a fact that the statement replaces; a sentence that bears on it is read together with it.
        besides: other known facts; such a sentence is read together with one of them that it names something of.
    """
    names = set(content_words(" ".join(names_written(statement)[starts_plainly(statement) :]))) - _date_words(piece)
    numbers = {word for word in words(statement) if any(map(str.isdigit, word))} - _date_words(piece)
    needed, attribute = names | numbers, outside_names(statement)
    lines = range(1, len(piece.asserted) + 1)
    told = {_told(line, piece=piece, names=named) for line in lines for named in (set[str](), names)} - {""}
    for text in told:
        known = set(stems(text))
        if not (needed | attribute) & known:
            continue
        changed = not attribute or _changes(attribute, known)
        for other in ("", *_read_with(text, instead_of=instead_of, besides=besides)):
            both = known.union(stems(other))
            if needed <= both and (changed or attribute & both):
                return True
    return False


def _read_with(text: str, *, instead_of: str, besides: Iterable[str]) -> Iterator[str]:
    """Return known facts to read with a text that bears on `instead_of`."""
    if instead_of and bears_on(instead_of, text=text):
        yield instead_of
        told = content(text)
        yield from (other for other in besides if name_words(other) & told)


def _date_words(piece: DocumentPart) -> set[str]:
    """Return numbers and months that "today" or "last year" may become."""
    date = piece.document.published
    if date is None or date.start is None:
        return set()
    year = int(date.isoformat()[:4])
    days = {str(day) for day in range(1, 32)} | {f"{day:02}" for day in range(1, 32)}
    return {*days, *(stem(name.lower()) for name in MONTH_NAMES), *(str(each) for each in range(year - 1, year + 2))}
