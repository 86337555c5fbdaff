"""Questions from plain passages: a name, number or phrase is taken out of a sentence and asked for.

Pre-training in the manner of cloze question answering (Lewis et al., 2019): the model learns to find the sentence
that says what the question says and to cut out what is missing. Words of the question are dropped and moved, so
that it does not learn to match strings.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from timeqa import AS_OF, Example

from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.text.sentences import split_sentences

_SPAN = re.compile(
    r"(?:[A-Z][\w'’-]+)(?:(?: of| the| and| de| van| von| &| \.| for)? (?:[A-Z][\w'’-]+))*|\b\d[\d,.]*(?: (?:million|per cent|percent|people|games|matches|goals|points))?\b"
)
_COMMON = frozenset(
    [
        "The",
        "In",
        "He",
        "She",
        "It",
        "They",
        "On",
        "At",
        "From",
        "After",
        "During",
        "His",
        "Her",
        "Its",
        "This",
        "That",
        "These",
        "When",
        "While",
        "For",
        "As",
        "By",
        "And",
        "But",
        "A",
        "An",
        "With",
        "There",
        "Their",
        "Also",
        "Between",
        "Until",
        "Since",
        "Before",
        "Although",
        "However",
    ]
)
_AFTER_PLACE = re.compile(r"\b(?:in|at|near|from|to)\s*$")
_CONTEXT = 12
"""Words on each side of the gap that the question is made of."""


def examples(passages: Sequence[Evidence], *, count: int, rng: random.Random) -> Iterator[Example]:
    """`count` questions, each with the passage that answers it."""
    for _ in range(count):
        for _ in range(20):
            piece = rng.choice(passages)
            found = _ask(piece, rng)
            if found is not None:
                text, answer = found
                yield Example(decompose(text, as_of=AS_OF), (piece,), (answer,), frozenset([0]), "cloze")
                break


def _ask(piece: Evidence, rng: random.Random) -> tuple[str, str] | None:
    sentence = rng.choice(split_sentences(piece.text)).text
    if len(sentence.split()) < 7:
        return None
    spans = [
        match
        for match in _SPAN.finditer(sentence)
        if match.group() not in _COMMON
        and len(match.group()) > 2
        and match.group().lower() not in piece.title.lower()
        and sentence.count(match.group()) == 1
    ]
    if not spans:
        return None
    span = rng.choice(spans)
    answer = span.group()
    first = answer.split()[0]
    if first in _COMMON and len(answer.split()) > 1:
        answer = answer.split(" ", 1)[1]
    before = sentence[: span.start()].split()[-_CONTEXT:]
    after = sentence[span.end() :].split()[:_CONTEXT]
    if len(before) + len(after) < 5:
        return None
    before, after = _thin(before, rng), _thin(after, rng)
    gap = _gap_word(answer, sentence[: span.start()], rng)
    about = f" {piece.title}" if rng.random() < 0.7 else ""
    words = [gap, *after, *before] if rng.random() < 0.5 else [*before, gap, *after]
    question = " ".join(words).strip(" ,.;:") + about + "?"
    return question, answer


def _thin(words: Sequence[str], rng: random.Random) -> list[str]:
    return [word for word in words if rng.random() > 0.25]


def _gap_word(answer: str, before: str, rng: random.Random) -> str:
    if answer[0].isdigit():
        return "when" if re.fullmatch(r"1[5-9]\d\d|20[012]\d", answer) else "how many"
    if _AFTER_PLACE.search(before):
        return rng.choice(["where", "what place", "which", "what"])
    return rng.choice(["what", "which", "who", "who"])
