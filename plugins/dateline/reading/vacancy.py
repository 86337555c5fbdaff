"""Posts that nobody holds: an answer to the question who does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dateline.reading.span_scores import Mention
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.temporal.phrases import find_phrases
from dateline.text.sentences import Sentence, split_sentences
from dateline.text.words import content_words

NOBODY = "nobody"
"""The answer where a post is vacant."""
_SAYS_SO = re.compile(
    r"(?<!was )(?<!were )(?<!had been )\b(?:vacant|unfilled|unoccupied|(?:not|never) (?:yet )?(?:filled|found|replaced)|(?:is|stands|stays|remains) empty"
    r"|(?:nobody|no[- ]one)(?: (?:is|was|has|yet|so|far|been|come))* (?:appointed|elected|found|named|chosen|forward|to|for|since))\b",
    re.I,
)
_WITHOUT = re.compile(
    r"(?<!days )(?<!weeks )(?<!months )(?<!years )\b(?:no|without(?: an?| any)?)\s+((?:[\w'-]+\s+){0,2}[\w'-]+)", re.I
)
_WHO = re.compile(r"\W*who(?:m|se)?\b", re.I)
_ROLE = 3
"""Words of the question, after who, that name the post."""
_SUCCESSOR = frozenset(content_words("successor replacement applicant candidate"))


def vacancies(question: Question, *, evidence: Sequence[Evidence], mentions: Sequence[Mention]) -> list[Mention]:
    """Return a mention of nobody for each vacancy asked for.

    Each scores as much as the best of its piece. What is told to be vacant from a day to come is not yet.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> notes = [Evidence.make("The post of treasurer is vacant.")]
        >>> best = Mention("treasurer", 0, 12, 21, 5.0)
        >>> [one.text for one in vacancies(decompose("Who is treasurer?", as_of=now()), evidence=notes, mentions=[best])]
        ['nobody']
    """
    if not _WHO.match(question.text):
        return []
    asked = set(content_words(question.content or question.text)[:_ROLE])
    best: dict[int, float] = {}
    for mention in mentions:
        best[mention.source] = max(best.get(mention.source, mention.score), mention.score)
    return [
        Mention(NOBODY, source, sentence.start + start, sentence.start + end, score)
        for source, score in best.items()
        for sentence, start, end in _said(evidence[source], asked)
        if not _to_come(sentence.text, evidence[source].published, question)
    ]


def _said(piece: Evidence, asked: set[str]) -> Iterator[tuple[Sentence, int, int]]:
    """Yield where a piece says so of something asked for."""
    before = set(content_words(piece.title))
    for sentence in split_sentences(piece.text):
        named = set(content_words(sentence.text))
        found = _SAYS_SO.search(sentence.text)
        if found is None:
            found = next((one for one in _WITHOUT.finditer(sentence.text) if _lacks(one[1], asked)), None)
        near = named if ":" in sentence.text else named | before
        if found is not None and asked & near:
            yield sentence, found.start(), found.end()
        before = named


def _to_come(text: str, published: Interval | None, question: Question) -> bool:
    """Return whether a sentence tells of a later day."""
    asked = question.effective_constraint().interval
    phrases = find_phrases(text, find_expressions(text, anchor=published))
    return any(one.relation in ("since", "as_of") and one.interval.after(asked) for one in phrases)


def _lacks(things: str, asked: set[str]) -> bool:
    return not (asked | _SUCCESSOR).isdisjoint(content_words(things))
