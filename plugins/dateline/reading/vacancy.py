"""Posts that nobody holds: an answer to the question who does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, islice, takewhile

from dateline.language.offices import PERSON_WORDS
from dateline.language.past import is_past
from dateline.language.word_lists import word_set
from dateline.reading.span_scores import Mention
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval, beginning
from dateline.temporal.phrases import Phrase, find_phrases, opens
from dateline.text.sentences import Sentence, split_sentences
from dateline.text.words import STOPWORDS, content_words, stem, words

NOBODY = "nobody"
"""The answer where a post is vacant."""
_SAYS_SO = re.compile(
    r"(?<!was )(?<!were )(?<!had been )\b(?:vacant|unfilled|unoccupied|(?<!has )(?<!have )(?<!had )(?:not|never) (?:yet )?(?:filled|found|replaced)|(?:is|stands|stays|remains) empty"
    r"|(?:not|never) (?:yet )?(?:found|replaced) (?:any|some)(?:body|[- ]?one)"
    r"|(?:nobody|no[- ]one)(?: (?:is|was|has|yet|so|far|been|come))* (?:appointed|elected|found|named|chosen|forward|for|since)|(?:nobody|no[- ]one)(?: yet)? to)\b",
    re.I,
)
_WITHOUT = re.compile(
    r"(?<!days )(?<!weeks )(?<!months )(?<!years )\b(?:no(?: longer an?)?|without(?: an?| any)?"
    r"|(?:not|never) (?:yet )?(?:filled|found|replaced)(?: an?| any| the))\s+((?:[\w'-]+\s+){0,4}[\w'-]+)",
    re.I,
)
_ENDS_OF_CLAUSES = frozenset(",;:")
_BEHIND_NOUN = word_set("yet now today left available")
_WHO = re.compile(r"\W*who(?:m|se)?\b", re.I)
_ROLE = 3
"""Words of the question, after who, that name the post."""
_PERSONS = frozenset(map(stem, PERSON_WORDS))
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
    if not _WHO.match(question.text) or _SAYS_SO.search(question.text):
        return []
    best: dict[int, float] = {}
    for mention in mentions:
        best[mention.source] = max(best.get(mention.source, mention.score), mention.score)
    return [
        Mention(NOBODY, source, sentence.start + start, sentence.start + end, score)
        for source, score in best.items()
        for sentence, start, end in _said(evidence[source], question)
        if not _to_come(sentence.text, evidence[source].published, question)
    ]


def vacant_since(question: Question, *, evidence: Iterable[Evidence]) -> str:
    """Return the latest day since which the post is vacant, or "".

    It opens the vacancy's sentence, in the same clause, or stands behind its words with no others between than those of the question.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> notes = [Evidence.make("The post of treasurer has been vacant since 11 March 2025.")]
        >>> vacant_since(decompose("Who is treasurer?", as_of=now()), evidence=notes)
        '2025-03-11'
    """
    named = set(content_words(question.text))
    asked = question.effective_constraint().interval
    told = (
        phrase.interval
        for piece in evidence
        for sentence, start, end in _said(piece, question)
        for phrase in _nearest(_onsets(sentence.text, piece.published), start)
        if _opens_clause(phrase, sentence.text, start)
        or (start < phrase.start and named.issuperset(content_words(sentence.text[end : phrase.start])))
    )
    begun = {one.start: beginning(one) for one in told if one.start is not None and not one.after(asked)}
    return begun[max(begun)] if begun else ""


def _post(question: str) -> list[str]:
    """Return the words that name the post, up to "of" or "the"."""
    asked = dropwhile(STOPWORDS.__contains__, words(question)[1:])
    return [stem(word) for word in takewhile(lambda word: word not in STOPWORDS, asked)][:_ROLE]


def _said(piece: Evidence, question: Question) -> Iterator[tuple[Sentence, int, int]]:
    """Yield where a piece says so of something asked for."""
    text = question.timeless
    asked, post = set(content_words(text)[:_ROLE]), _post(text)
    before = set(content_words(piece.title))
    for sentence in split_sentences(piece.text):
        named = set(content_words(sentence.text))
        found = _SAYS_SO.search(sentence.text)
        if found is None:
            found = next((one for one in _WITHOUT.finditer(sentence.text) if _lacks(one[1], asked, post)), None)
        near = named if ":" in sentence.text else named | before
        if found is not None and asked & near:
            yield sentence, found.start(), found.end()
        before = named


def _to_come(text: str, published: Interval | None, question: Question) -> bool:
    """Return whether a sentence tells of a later day."""
    asked = question.effective_constraint().interval
    return any(one.interval.after(asked) for one in _onsets(text, published))


def _nearest(phrases: Sequence[Phrase], start: int) -> Iterator[Phrase]:
    """Yield the first phrase, and the first behind a place."""
    yield from phrases[:1]
    yield from islice((one for one in phrases if one.start > start), 1)


def _opens_clause(phrase: Phrase, text: str, start: int) -> bool:
    """Check that a phrase opens the clause of a place."""
    between = text[phrase.end : start].lstrip(" ,")
    return opens(text, phrase.start) and _ENDS_OF_CLAUSES.isdisjoint(between)


def _onsets(text: str, published: Interval | None) -> list[Phrase]:
    """Return the phrases of times from which something holds."""
    phrases = find_phrases(text, find_expressions(text, anchor=published))
    return [one for one in phrases if one.relation in ("since", "as_of")]


def _lacks(things: str, asked: set[str], post: Sequence[str]) -> bool:
    """Return whether what is lacked is the post: "leader" of who "leads".

    Where the question names no person's post, that is any of what is asked for: "marina manager" of who "is in charge of the marina".
    """
    phrase: list[str] = []
    for word in words(things):
        if word in STOPWORDS or (phrase and (word in _BEHIND_NOUN or word.endswith("ly") or is_past(word))):
            break
        phrase.append(stem(word))
    head = phrase[-1] if phrase else ""
    if head in _SUCCESSOR or any(head == one or (len(one) > 3 and head.startswith(one)) for one in post):
        return True
    return head in _PERSONS and _PERSONS.isdisjoint(post) and not asked.isdisjoint(phrase)
