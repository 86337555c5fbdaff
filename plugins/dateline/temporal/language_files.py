"""Languages beyond English, each read from one file of `languages/`."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from dateline.language.calendar import MONTH_NAMES, WEEKDAY_NAMES, calendar_words
from dateline.temporal.calendar_words import CLASS_OF, FOREIGN_CLASSES
from dateline.temporal.constraint import Relation
from dateline.temporal.number_classes import TOKEN, number_class
from dateline.temporal.vocabulary import TokenTable, Vocabulary, spelt

LANGUAGES = ("de", "fr", "es", "it", "pt", "nl")
"""The languages beside English."""

_ORDINAL_HEADS = frozenset("MuQHKκ]->&")
"""Classes before which "3." is the third and no end of a sentence."""
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii")
_ROMANS = (*_ROMAN, "xviii", "xix", "xx", "xxi")


@cache
def language_file(code: str) -> Mapping[str, Any]:
    """Return a language's file as a table."""
    path = resources.files("dateline.temporal") / "languages" / f"{code}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def common_words(code: str) -> frozenset[str]:
    """Return a language's commonest words."""
    return frozenset(language_file(code)["common"].split())


def letters(code: str) -> frozenset[str]:
    """Return the letters and marks that speak for a language."""
    return frozenset(language_file(code)["letters"])


def time_words(code: str) -> frozenset[str]:
    """Return a language's words of time.

    Short forms are too often other words.
    """
    return frozenset(form for _, form, letter in _words(code, language_file(code)) if letter not in "Jax")


def plain_words(code: str) -> frozenset[str]:
    """Return a language's verbs of tense and words of what is counted."""
    return frozenset(form for _, form, letter in _words(code, language_file(code)) if letter == "x")


def name_forms(code: str) -> Mapping[str, list[str]]:
    """Return a language's words beside names and numbers, by kind."""
    return {kind: list(_forms(forms)) for kind, forms in language_file(code)["names"].items()}


@cache
def foreign(code: str) -> Vocabulary:
    """Return the vocabulary of a language other than English.

    Example:
        >>> foreign("de").words["Quartals"]
        'quarter'
    """
    table = language_file(code)
    spellings: dict[str, str] = {}
    letters: dict[str, str] = {}
    for grammar_word, form, letter in _words(code, table):
        spellings[form], letters[form] = grammar_word, letter
    return Vocabulary(
        code=code,
        token=_token(table, letters),
        classes=TokenTable(_class_of(table, letters)),
        words=spelt(spellings, future=table.get("future")),
        spellings=spellings,
        bare_years=table.get("bare_years", False),
        capital_months=table.get("capital_months", False),
        common=common_words(code),
        bounding=frozenset(filter(str.isalpha, (word for name in BOUNDS for word in relation_words(code, name)))),
        final=frozenset(_forms(table["words"]["last"])).intersection(_forms(table["questions"]["last"])),
    )


BOUNDS: tuple[Relation, ...] = ("since", "before", "after", "until")
"""The relations that leave one end open."""


def relation_words(code: str, relation: str) -> list[str]:
    """Return a language's words for a relation of questions to times."""
    return [words.strip() for words in language_file(code)["relations"][relation].split(",")]


def _words(code: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the grammar's word, a form and its class.

    Of two meanings the later stands.
    """
    known = calendar_words(code)
    full = {form: MONTH_NAMES[number - 1] for form, number in known.months.items()}
    first = {number: form for form, number in reversed(list(known.months.items()))}
    for form, name in full.items():
        number = known.months[form]
        yield name.lower(), form, "M" if form == first[number] or len(form) > 4 else "J"
    for form, number in known.weekdays.items():
        yield WEEKDAY_NAMES[number].lower(), form, "W" if len(form) > 4 else "a"
    for part in table.get("weekday_parts", "").split():
        for form, number in known.weekdays.items():
            if len(form) > 4:
                yield WEEKDAY_NAMES[number].lower(), f"{form}{part}", "W"
    if table.get("roman"):
        for number, roman in enumerate(_ROMANS, start=1):
            for ending in ("", "e", "ème"):
                yield f"{number}th", f"{roman.upper()}{ending}", "o"
    for name, forms in table["words"].items():
        letter = FOREIGN_CLASSES.get(name) or CLASS_OF.get(name, "x")
        yield from ((name, form, letter) for form in _forms(forms))
    for name, forms in table["holidays"].items():
        yield from ((name, form, "¡") for form in _forms(forms))


def _forms(forms: str) -> list[str]:
    return [form.replace("_", " ") for form in forms.split()]


def _token(table: Mapping[str, Any], letters: Mapping[str, str]) -> re.Pattern[str]:
    """Return what texts are cut into: phrases before single words."""
    heads = "|".join(sorted(re.escape(word) for word, letter in letters.items() if letter in _ORDINAL_HEADS))
    ordinal = rf"|\d{{1,2}}\.(?=[ \u00a0]?(?i:{heads})(?!\w))" if table.get("ordinal") == r"\." else ""
    clock = table.get("clock", "")
    hours = [rf"\d{{1,2}}[{clock}{clock.upper()}]\d\d(?!\w)"] if clock else []
    parts = [*_phrases(letters), *hours, rf"\d{{1,2}}\.\d{{1,2}}\.(?!\d){ordinal}", r"\d{1,2}(?:\.?[ºª]|°)", TOKEN]
    return re.compile("|".join(parts))


def _phrases(letters: Iterable[str]) -> Iterator[str]:
    """Yield a pattern for the phrases of each first letter."""
    begun: defaultdict[str, list[str]] = defaultdict(list)
    for form in sorted(letters, key=len, reverse=True):
        if not form.isalpha():
            begun[form[0]].append(form)
    for letter, forms in begun.items():
        rest = "|".join(_phrase(form[1:]) for form in forms)
        yield f"[{letter}{letter.upper()}](?i:{rest})"


def _phrase(form: str) -> str:
    """Return the pattern of a phrase, up to its last word's end."""
    pattern = re.escape(form).replace("'", "['’]").replace(r"\ ", r"[ \u00a0]")
    return pattern + (r"(?!\w)" if form[-1].isalpha() else "")


def _class_of(table: Mapping[str, Any], letters: Mapping[str, str]) -> Callable[[str], str]:
    """Return what tells the class of a token."""
    numbers = _numbers(table)

    def class_of(token: str) -> str:
        word = token.lower().replace("’", "'").replace("\u00a0", " ")
        letter = letters.get(token) or letters.get(word) or _PLAIN.get(word)
        if letter is None:
            letter = numbers(word) if any(map(str.isdigit, word[:8])) else "x"
        return letter

    return class_of


_PLAIN = {word: letter for word, letter in CLASS_OF.items() if not word.isalpha() or letter in "qEη"}
"""Marks, dashes and what is written alike in all languages."""


def _numbers(table: Mapping[str, Any]) -> Callable[[str], str]:
    """Return what tells the class of a token with digits."""
    kinds = {
        "ν": r"\d{1,2}\.\d{1,2}\.|\d{1,2}/(?:0[1-9]|1[0-2])",
        "o": rf"\d{{1,3}}(?:\.?[ºª°]|{table.get('ordinal') or 'º'})",
        "s": rf"(?:\d{{3}}0|['’‘`]?\d0)(?:{table.get('decade') or 's'})",
        "q": "[{0}][1-4]|[1-4][{0}]".format("q" + table.get("quarter", "")),
        "h": "[{0}][12]|[12][{0}]".format("h" + table.get("half", "")),
        "t": rf"\d{{1,2}}{table['clock']}(?:\d\d)?" if "clock" in table else r"\d{1,2}:\d\d",
    }
    pattern = re.compile("|".join(f"(?P<k{ord(kind)}>{each})" for kind, each in kinds.items()), re.ASCII)

    def class_of(word: str) -> str:
        match = pattern.fullmatch(word)
        return number_class(word) if match is None else chr(int((match.lastgroup or "")[1:]))

    return class_of
