"""Features of how far a sentence speaks of the very thing that a question asks for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dateline.language.assertion import unasserted
from dateline.language.names import may_begin_name
from dateline.language.negation import reversals
from dateline.ranking.timeline import Floats
from dateline.text.words import STOPWORDS, stem, words
import re

NAMES = (
    "names", "names missing", "nouns", "nouns missing", "no noun", "left", "left name", "right", "right of", "into entity", "behind entity",
    "name left", "name right", "other name", "extra", "extra words", "substituted", "substituted name", "unasserted", "reversed", "past", "length", "number", "before name",
)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LIGHT = frozenset(map(stem, "new current present next latest today now first incumbent official sole".split()))
_PAST = frozenset(map(stem, "former formerly ex once previous previously past late retired outgoing old emeritus used ended end left lost".split()))


class Token(NamedTuple):
    """A word of a sentence: its stem, and what it looks like."""

    root: str
    kind: str
    owns: bool


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[Token, ...]:
    """Read the words of a text."""
    found = []
    for match in _WORD.finditer(text):
        raw = match[0]
        owns = raw.endswith(("'s", "’s"))
        folded = "".join(words(raw[:-2] if owns else raw))
        capital = may_begin_name(raw)
        if raw[0].isdigit():
            kind = "number"
        elif folded in STOPWORDS:
            kind = "function"
        elif capital:
            kind = "name"
        else:
            kind = "word"
        found.append(Token(stem(folded) if kind != "function" else folded, kind, owns))
    if len(found) > 1 and found[0].kind == "name" and found[1].kind not in ("name",):
        found[0] = found[0]._replace(kind="first")
    return tuple(found)


_ASKING = frozenset("how many much long old high fast one may".split())


def asked_words(question: str) -> tuple[Token, ...]:
    """Return the content words of a question."""
    return tuple(each._replace(kind="word" if each.kind == "first" else each.kind) for each in tokens(question) if each.kind != "function" and each.root not in _ASKING)


def state_features(asked: Sequence[Token], sentence: str, title: str) -> list[float]:
    """Compute features of one sentence under its title."""
    held = tokens(sentence)
    roots = {each.root for each in held}
    head = {each.root for each in tokens(title)} if title else set()
    names = {each.root for each in asked if each.kind in ("name", "number")}
    nouns = {each.root for each in asked} - names
    both = roots | head
    size = len(held)
    marks = [each.root in names or each.root in nouns for each in held]
    kinds = [each.kind for each in held]

    def extra(i: int) -> bool:
        return 0 <= i < size and not marks[i] and kinds[i] in ("word", "first") and held[i].root not in _LIGHT

    def foreign(i: int) -> bool:
        return 0 <= i < size and not marks[i] and kinds[i] == "name"

    def function(i: int) -> bool:
        return 0 <= i < size and kinds[i] == "function"

    left = left_name = right = right_of = into = behind = name_left = name_right = before_name = 0
    for i, each in enumerate(held):
        if not marks[i]:
            continue
        if each.root in nouns and each.root not in names:
            left += extra(i - 1)
            left_name += foreign(i - 1) and not held[i - 1].owns
            right += extra(i + 1)
            j = i + 1
            if function(j):
                while function(j):
                    j += 1
                right_of += extra(j)
        else:
            if not (i and marks[i - 1] and held[i - 1].root in names):  # begins a run of names
                j = i - 1
                while function(j) and held[j].root == "the":
                    j -= 1
                if function(j) and held[j].root in ("of", "at", "in", "for", "on", "to", "behind", "from", "with", "beside"):
                    before = j - 1
                    into += extra(before)
                    before_name += 0 <= before < size and marks[before]
                name_left += foreign(i - 1)
            if not (i + 1 < size and marks[i + 1] and held[i + 1].root in names):
                name_right += foreign(i + 1)
                behind += extra(i + 1) if (each.owns or (i + 1 < size and kinds[i + 1] == "word")) else 0
    missing_names = names - both
    missing_nouns = nouns - both
    # a word of the question stands beside another than in the question
    substituted = substituted_name = 0
    for a, b in zip(asked, asked[1:], strict=False):
        if a.root in both or b.root not in roots:
            continue
        for i, each in enumerate(held):
            if each.root == b.root and i and not marks[i - 1] and kinds[i - 1] in ("word", "name", "first") and held[i - 1].root not in _LIGHT:
                substituted_name += a.root in names
                substituted += a.root not in names
    for a, b in zip(asked, asked[1:], strict=False):
        if b.root in both or a.root not in roots:
            continue
        for i, each in enumerate(held):
            if each.root == a.root and i + 1 < size and not marks[i + 1] and kinds[i + 1] in ("word", "name"):
                substituted_name += b.root in names
                substituted += b.root not in names
    extras = sum(not m and k in ("word", "first") for m, k in zip(marks, kinds, strict=True))
    content = max(1, sum(k != "function" for k in kinds))
    return [
        len(names & both) / max(1, len(names)) if names else 1.0,
        float(len(missing_names)),
        len(nouns & both) / max(1, len(nouns)) if nouns else 1.0,
        float(len(missing_nouns)),
        float(bool(nouns) and not nouns & both),
        float(left > 0), float(left_name > 0), float(right > 0), float(right_of > 0), float(into > 0), float(behind > 0),
        float(name_left > 0), float(name_right > 0),
        float(bool(missing_names) and any(k == "name" and not m for k, m in zip(kinds, marks, strict=True))),
        extras / content, min(extras, 8) / 4, float(substituted > 0), float(substituted_name > 0),
        float(bool(unasserted(sentence))), float(reversals(sentence) > 0), float(bool(_PAST & roots)), np.log(max(size, 1) / 10),
        float(any(k == "number" for k in kinds)), float(before_name > 0),
    ]
