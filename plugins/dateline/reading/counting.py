"""Sums of numbers that stand beside each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dateline.handwritten.reading.timing import is_outside
from dateline.language.answer_type import answer_type
from dateline.language.quantities import Quantity, quantities
from dateline.records import Candidate, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import spans_of
from dateline.text.sentences import split_sentences
from dateline.text.words import STOPWORDS, content_words, stem, words

_TOGETHER = re.compile(r"\b(?:together|altogether|in (?:all|total)|in both|combined|in sum)\b", re.I)
_CLAUSE_END = re.compile(r"[,;.:\d]")
_LEAST = 2
"""Words of the question that a sentence names whose numbers are added; and of numbers that make a sum."""
_NOUN = 3
"""Words behind a number among which its noun stands."""


def summed(reading: Reading, *, question: Question, evidence: Sequence[Evidence]) -> Reading:
    """Return the sum instead, where several numbers are asked for together.

    Those are added that stand in one sentence, that which names most of the question; of like ones the first. The number that was
    read is one of them. What a sentence tells of another time is not added, nor what stands beside a total.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> notes = [Evidence.make("Cars: four in Biel and two in Lyss.")]
        >>> asked = decompose("How many cars have Biel and Lyss together?", as_of=now())
        >>> summed(Reading(answer="four"), question=asked, evidence=notes).answer
        '6'
    """
    if not _TOGETHER.search(question.text):
        return reading
    asked = set(content_words(question.timeless))
    told = [(sentence.text, piece) for piece in evidence for sentence in split_sentences(piece.text)]
    outside = [text for text, piece in told if _is_of_another_time(text, piece, question)]
    summands = [each for each in told if len(_numbers(each[0])) > 1 and not _is_of_another_time(*each, question)]
    named = [len(asked.intersection(content_words(text))) for text, _ in summands]
    if max(named, default=0) < _LEAST:
        return reading
    best, piece = summands[named.index(max(named))]
    numbers = _of_one_kind(best, stem(answer_type(question.text).head))
    # A number read of another time is mended; one of anything else has no part in this sum.
    if len(numbers) < _LEAST or _TOGETHER.search(best) or _values(reading.answer).isdisjoint(_values(best, *outside)):
        return reading
    return _sum(reading, numbers, piece)


def _of_one_kind(text: str, head: str) -> list[Quantity]:
    """Return the numbers of a sentence without those of other things.

    Only where one has what is asked for behind it can be told that another has not: "120 spaces on 3 floors".
    """
    numbers = _numbers(text)
    behind = [words(_CLAUSE_END.split(text[one.unit_end :], maxsplit=1)[0])[:_NOUN] for one in numbers]
    own = [head in map(stem, each) for each in behind]
    if not any(own):
        return numbers
    bare = [not each or each[0] in STOPWORDS for each in behind]
    return [one for one, named, alone in zip(numbers, own, bare, strict=True) if named or alone]


def _values(*texts: str) -> set[float]:
    return {one.value for text in texts for one in quantities(text, dates=True) if one.kind != "date"}


def _sum(reading: Reading, numbers: Sequence[Quantity], piece: Evidence) -> Reading:
    answer = f"{sum(one.value for one in numbers):,.10g}"
    best = Candidate(answer=answer, probability=reading.probability, evidence_ids=(piece.id,))
    told = " + ".join(f"{one.value:,.10g}" for one in numbers)
    return reading.model_copy(
        update={
            **dict(best),
            "candidates": (best, *reading.candidates[1:]),
            "reasoning": f"{told} = {answer}",
            "announced": None,
        }
    )


def _is_of_another_time(sentence: str, piece: Evidence, question: Question) -> bool:
    times = spans_of(sentence, piece.published)
    return bool(times) and all(is_outside(time, question) for time in times)


def _numbers(text: str) -> list[Quantity]:
    """Return the counts of a sentence; of several units none."""
    found = [one for one in quantities(text, dates=True) if one.kind == "number"]
    return found if len({one.unit for one in found}) == 1 else []
