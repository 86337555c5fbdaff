"""Sentences of a text, and what of each its author asserts."""

from __future__ import annotations

import re
from typing import NamedTuple

from dateline.language.assertion import TITLE_OF_NONE, Unasserted, is_mixed, quotations, unasserted, without
from dateline.text.sentences import split_sentences

_CARRIES = ("fiction", "supposition")
"""Kinds that go on to the end of their paragraph: a story is told in more sentences than one."""

_PARAGRAPH = re.compile(r"\n\s*\n")


class ReadSentence(NamedTuple):
    """Sentence, its asserted part, and why the rest is not."""

    text: str
    asserted: str
    kinds: tuple[str, ...] = ()


def read_assertions(text: str, *, title: str = "") -> list[ReadSentence]:
    """Split a text and read each sentence where it stands.

    A quotation, a story and a supposition go on over several sentences, and a title may say that all is a parody.

    Example:
        >>> [one.asserted for one in read_assertions("In the novel, Ada rules. Jon is king.\\n\\nOslo is a city.")]
        ['', '', 'Oslo is a city.']
    """
    whole = "joke" if TITLE_OF_NONE.search(title[:200]) else ""
    quoted = [match.span() for match in quotations(text)]
    breaks = [match.start() for match in _PARAGRAPH.finditer(text)]
    read: list[ReadSentence] = []
    carried, paragraph, quote = "", 0, 0
    for sentence in split_sentences(text):
        while paragraph < len(breaks) and breaks[paragraph] <= sentence.start:
            paragraph, carried = paragraph + 1, ""
        while quote < len(quoted) and quoted[quote][1] <= sentence.start:
            quote += 1
        spans = list(unasserted(sentence.text))
        for start, end in quoted[quote:]:
            if start >= sentence.end:
                break
            spans.append(
                Unasserted("quotation", max(0, start - sentence.start), min(end, sentence.end) - sentence.start)
            )
        if any(map(is_mixed, () if sentence.text.isascii() else sentence.text.split())):
            spans.append(Unasserted("two alphabets in a word", 0, len(sentence.text)))
        if kind := whole or carried:
            spans.append(Unasserted(kind, 0, len(sentence.text)))
        carried = carried or next((span.kind for span in spans if span.kind in _CARRIES), "")
        kinds = tuple(dict.fromkeys(span.kind for span in spans))
        read.append(ReadSentence(sentence.text, without(sentence.text, spans), kinds))
    return read
