"""From what the model sees in each window to one reading.

Two models, fitted together by `training/settling.py`: a logistic one of the chance that nothing here answers, and a conditional
logit (McFadden, 1974) of all mentions of all pieces against each other, given that one is right. Mentions of one answer add
up. What the rules read is one signal of a mention.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dateline.language.answer_type import AnswerKind, AnswerType
from dateline.language.names import find_names
from dateline.reading.announced import Announced, announced
from dateline.reading.cut import cut
from dateline.reading.enumeration import enumerate_parts
from dateline.reading.look import Look
from dateline.reading.outdated import outdated
from dateline.reading.span_scores import Mention
from dateline.reading.vacancy import NOBODY, vacancies
from dateline.reading.verdicts import VERDICTS, weigh
from dateline.records import Candidate, Evidence, Reading
from dateline.softmax import logistic, softmax
from dateline.temporal.constraint import Question
from dateline.text.answer_key import answer_key
from dateline.text.words import content_words, word_f1


@dataclass(frozen=True, slots=True)
class Weights:
    """Log-odds, fitted by `training/settling.py`.

    Attributes:
        mention: for each of a mention's `signals`.
        nothing: that nothing here answers, for each of `signals_of_nothing`.
    """

    mention: tuple[float, ...]
    nothing: tuple[float, ...]


FITTED = Weights(mention=(0.21, -0.257, -0.5, -0.55, -2.5, 3.76, 2.523, 1.543), nothing=(-0.226, 0.313))
"""The rules' weight, the last of a mention's, comes of the news of examples/: on foreign notes alone it is 0.6 (docs/reading.md). That of
what is announced was fitted as -0.8; with -2.5, set by hand, it gives way to what holds, and no more answers are wrong.
The place of a piece was fitted as -0.55 and what is outdated as -0.51; exchanged, of two answers that are equally good the newer one stands."""
_MOST = 10
"""Alternatives that a reading lists."""
_NEVER = 1e-6
"""The least chance that something in a window answers."""
_UNSEEN, _SURE = 0.1, 3
"""The rules count where they are sure: what they give an answer is raised to a power, and as much is added to it. Chosen on
benchmarks/notes/fit and examples/: of what they give nine tenths, 64 and 96 in 100 are right; of less than three, 9 and 50."""


def settle(
    look: Look,
    question: Question,
    evidence: Sequence[Evidence],
    *,
    wanted: AnswerType,
    rules: Reading,
    weights: Weights = FITTED,
) -> Reading:
    """Decide what the evidence answers; `rules` is what `ExtractiveReader` reads there."""
    mentions = mentions_of(look, question, evidence, wanted=wanted)
    if not mentions:
        return rules
    told = announced(mentions, question=question, evidence=evidence)
    worths = signals(mentions, told, question=question, evidence=evidence, rules=rules) @ np.array(weights.mention)
    none = float(logistic(np.dot(signals_of_nothing(look), weights.nothing)))
    likely = ((1 - none) * softmax(worths)).tolist()
    groups: dict[str, list[tuple[float, Mention]]] = defaultdict(list)
    for weight, mention in zip(likely, mentions, strict=True):
        groups[answer_key(mention.text)].append((weight, mention))
    shares = {key: sum(weight for weight, _ in group) for key, group in groups.items()}
    ranked = sorted(shares, key=lambda key: -shares[key])[:_MOST]
    candidates = [_candidate(groups[key], shares[key], evidence) for key in ranked]
    if wanted.several:
        texts = [piece.text for piece in evidence]
        asked = content_words(question.timeless)
        whole = enumerate_parts(mentions, worths=worths.tolist(), texts=texts, asked=asked, count=wanted.parts)
        sources = tuple(evidence[source].id for source in whole.sources)
        listed = candidates[0].model_copy(update={"answer": whole.text, "evidence_ids": sources})
        candidates = [listed, *(one for one in candidates[1:] if answer_key(one.answer) != answer_key(whole.text))]
    return Reading.of(candidates, no_answer=none)


def affirm(look: Look, evidence: Sequence[Evidence]) -> Reading:
    """Answer yes or no, with the pieces that say so."""
    if not look.verdicts:
        return Reading(answer="", no_answer=1.0)
    verdicts = np.stack(look.verdicts)
    shares = dict(zip(VERDICTS, weigh(verdicts).tolist(), strict=True))
    alone = softmax(verdicts)
    candidates = []
    for place, answer in enumerate(VERDICTS[:2]):
        speakers = [
            number for number in np.argsort(-alone[:, place], kind="stable").tolist() if alone[number].argmax() == place
        ]
        sources = [evidence[look.windows[number].source].id for number in speakers]
        candidates.append(
            Candidate(answer=answer, probability=shares[answer], evidence_ids=tuple(dict.fromkeys(sources)))
        )
    return Reading.of(sorted(candidates, key=lambda one: -one.probability), no_answer=shares["unsaid"])


def affirm_choice(told: Reading, *, choices: Sequence[str], verdicts: Sequence[str]) -> Reading:
    """Return a yes or no in the words of given choices.

    `verdicts` are what the choices mean; of choices that mean the same the first is taken.
    """
    held = {verdict: choices[verdicts.index(verdict)] for verdict in dict.fromkeys(verdicts)}
    candidates = [one.model_copy(update={"answer": held[one.answer]}) for one in told.candidates if one.answer in held]
    reading = Reading.of(candidates, no_answer=told.no_answer)
    return reading.model_copy(update={"choice": list(choices).index(reading.answer)})


def cut_mentions(look: Look, kind: AnswerKind) -> list[Mention]:
    """Return all mentions, trimmed to what is asked for."""
    mentions = (
        replace(mention, text=cut(mention.text, kind=kind)) for scored in look.scored for mention in scored.mentions
    )
    return [mention for mention in mentions if answer_key(mention.text)]


def mentions_of(look: Look, question: Question, evidence: Sequence[Evidence], *, wanted: AnswerType) -> list[Mention]:
    """Return all that may answer, vacancies too."""
    found = cut_mentions(look, wanted.kind)
    if wanted.kind == "person":
        found = [_whole(mention, evidence[mention.source].text) for mention in found]
    return [*found, *vacancies(question, evidence=evidence, mentions=found)]


def _whole(mention: Mention, text: str) -> Mention:
    """Begin a name with its first word ("al-Assad": "Bashar al-Assad").

    Only a mention that opens with a small letter lacks it.
    """
    if not mention.text[0].islower():
        return mention
    for name in find_names(text):
        if name.start() < mention.start < name.end():
            return replace(mention, text=text[name.start() : mention.end], start=name.start())
    return mention


def signals(
    mentions: Sequence[Mention], told: Announced, *, question: Question, evidence: Sequence[Evidence], rules: Reading
) -> NDArray[np.float64]:
    """Return what each mention is weighed by, shape (mentions, 8).

    The logits of its start and end; how far they fall behind the best of its window; the place of its piece; how far it is
    `outdated`; whether it is `announced` for later, or to hold until then; how far it is that nobody is, and not `outdated`; and
    the logarithm of what the rules give the answer, by the share of evidence that is dated.
    """
    # On undated text the model reads far better than the rules (docs/reading.md).
    dated = sum(piece.published is not None for piece in evidence) / len(evidence)
    old = outdated(mentions, question=question, evidence=evidence, later=told.later)
    return np.column_stack(
        [
            [mention.score for mention in mentions],
            [mention.behind for mention in mentions],
            [mention.source for mention in mentions],
            old,
            told.later,
            told.still,
            # A post is vacant until somebody newer is told to hold it.
            (1 - old) * [mention.text == NOBODY for mention in mentions],
            # The rules take what is announced for what holds.
            [
                dated * (math.log(_UNSEEN) if late else _seen_by(rules, mention.text))
                for mention, late in zip(mentions, told.later, strict=True)
            ],
        ]
    )


def _seen_by(rules: Reading, answer: str) -> float:
    """Return the logarithm of what the rules give the most similar answer."""
    likest = max((one.probability * word_f1(one.answer, answer) for one in rules.candidates), default=0.0)
    return math.log(_UNSEEN + likest**_SURE)


def signals_of_nothing(look: Look) -> tuple[float, float]:
    """Return 1, and the lowest log-odds of nothing in a window."""
    least = min(scored.nothing for scored in look.scored)
    return 1.0, least - math.log(max(-math.expm1(least), _NEVER))


def _candidate(group: Sequence[tuple[float, Mention]], probability: float, evidence: Sequence[Evidence]) -> Candidate:
    """One answer in its best wording, with all that hold it."""
    ordered = sorted(group, key=lambda pair: -pair[0])
    sources = [evidence[mention.source].id for _, mention in ordered]
    return Candidate(
        answer=ordered[0][1].text, probability=min(1.0, probability), evidence_ids=tuple(dict.fromkeys(sources))
    )
