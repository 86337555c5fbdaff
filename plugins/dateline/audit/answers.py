"""Passages that answer a question otherwise than others do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from dateline.audit.clashes import Clash
from dateline.evidence.conflicts import is_near, read_alone
from dateline.facts.late_documents import is_before
from dateline.language.answer_type import answer_type
from dateline.protocols import Reader
from dateline.records import Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text.answer_key import answer_key
from dateline.text.sentences import split_sentences
from dateline.text.words import content_words

UNSURE, SURE = 0.5, 0.3
"""The most that a passage read alone may be without an answer (`no_answer`): one that is outdated, one that outdates it.
Chosen on `benchmarks/notes/fit` (`benchmarks/audit.py`), with `SHARE` and what counts as about the question in `asked`."""

SHARE = 0.5
"""Share of the best passage's words in common with the question that another needs."""


def differing(question: Question, *, evidence: Sequence[Evidence], reader: Reader) -> list[Clash]:
    """Find passages that a newer one answers otherwise, the surest of them.

    Passages of which no date tells the later clash where both are sure. Questions for yes or no, and for the first of
    several, are not compared.
    """
    if answer_type(question.text).kind == "yes_no" or question.effective_constraint().ordinal == "first":
        return []
    near = [place for place, close in enumerate(is_near(question, evidence=evidence, least=SHARE)) if close]
    pieces = [evidence[place] for place in near]
    readings = read_alone(pieces, question=question, evidence=pieces, reader=reader)
    surest: dict[tuple[int, bool], Clash] = {}
    for found in _clashes(question, pieces, readings):
        clash = replace(found, passage=near[found.passage], other=near[found.other])
        kept = surest.setdefault((clash.passage, clash.since is None), clash)
        if clash.chance > kept.chance:
            surest[clash.passage, clash.since is None] = clash
    return list(surest.values())


def _clashes(question: Question, evidence: Sequence[Evidence], readings: Sequence[Reading]) -> Iterator[Clash]:
    answering = [place for place, reading in enumerate(readings) if reading.answer and reading.no_answer <= UNSURE]
    for one, other in permutations(answering, 2):
        mine, theirs = readings[one], readings[other]
        if theirs.no_answer > SURE or _is_to_come(theirs) or answer_key(mine.answer) == answer_key(theirs.answer):
            continue
        days = evidence[one].published, evidence[other].published
        if is_before(*days) or (mine.no_answer <= SURE and not is_before(days[1], days[0])):
            yield Clash(
                one,
                _sentence(evidence[one].text, mine.answer, question),
                other,
                _sentence(evidence[other].text, theirs.answer, question),
                1.0 - theirs.no_answer,
                days[1] if is_before(*days) else None,
                (mine.answer, theirs.answer),
            )


def _is_to_come(reading: Reading) -> bool:
    """Return whether an answer is told for a later day alone."""
    return reading.announced is not None and answer_key(reading.announced.answer) == answer_key(reading.answer)


def _sentence(text: str, answer: str, question: Question) -> str:
    """Return the sentence with an answer that is nearest to the question."""
    asked = frozenset(content_words(question.timeless))
    holding = [each.text for each in split_sentences(text) if answer.casefold() in each.text.casefold()]
    return max(holding, key=lambda each: len(asked.intersection(content_words(each))), default=answer)
