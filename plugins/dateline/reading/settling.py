"""From what the model sees in each window to one reading.

All mentions of all pieces stand against each other and against "nothing here answers": a conditional logit model (McFadden,
1974) whose weights `training/settling.py` fits. Mentions of one answer add up. What the rules read is one signal of a mention.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dateline.language.answer_type import AnswerKind, AnswerType
from dateline.reading.cut import answer_key, cut
from dateline.reading.enumeration import enumerate_parts
from dateline.reading.look import Look
from dateline.reading.span_scores import Mention
from dateline.reading.verdicts import VERDICTS, weigh
from dateline.records import Candidate, Evidence, Reading
from dateline.softmax import softmax
from dateline.temporal.constraint import Question
from dateline.text.words import word_f1


@dataclass(frozen=True, slots=True)
class Weights:
    """Log-odds, fitted by `training/settling.py`.

    Attributes:
        mention: for each of a mention's `signals`.
        nothing: of "nothing here answers", for each of `signals_of_nothing`.
        yes: what is added to "yes", and taken from "no".
    """

    mention: tuple[float, ...]
    nothing: tuple[float, ...]
    yes: float


FITTED = Weights(mention=(0.249, -0.267, -0.114, -1.118, 2.0), nothing=(0.7, -0.177), yes=0.3)
"""All but the last of a mention's are of the fit. The rules' weight makes no difference on benchmarks/notes/fit and is worth sixteen
points on the news of examples/, where it was chosen (docs/reading.md)."""
_MOST = 10
"""Alternatives that a reading lists."""
_WORDS = 5
"""Words of a long answer: a start and an end are found apart and may not belong together."""
_UNSEEN, _SURE = 0.1, 3
"""The rules count where they are sure: what they give an answer is raised to a power, and as much is added to it. Chosen on
benchmarks/notes/fit and examples/: of what they give nine tenths, 64 and 96 in 100 are right; of less than three, 9 and 50."""
_SHARP = 3.0
"""How much sharper mentions of one piece alone are told apart than those of several, which may each be right. Chosen by hand."""
_SILENT = 2.0
"""The power of the model's own probability that one piece alone answers nothing, which is too cautious. Chosen by hand."""
_NEAR = 6.0
"""Logits by which a newer piece's answer may fall short to count as one."""


def settle(
    look: Look, question: Question, evidence: Sequence[Evidence], *, wanted: AnswerType, rules: Reading
) -> Reading:
    """Decide what the evidence answers; `rules` is what `ExtractiveReader` reads there."""
    mentions = cut_mentions(look, wanted.kind)
    if not mentions:
        return rules
    worths = signals(mentions, question=question, evidence=evidence, rules=rules) @ np.array(FITTED.mention)
    nothing = signals_of_nothing(look)
    if len(evidence) == 1:
        # The weights of nothing are of several pieces; of one alone the model knows best whether it answers.
        none = math.exp(_SILENT * nothing[1])
        weights = [(1 - none) * weight for weight in softmax(_SHARP * worths).tolist()]
    else:
        *weights, none = softmax([*worths.tolist(), float(np.dot(nothing, FITTED.nothing))]).tolist()
    groups: dict[str, list[tuple[float, Mention]]] = defaultdict(list)
    for weight, mention in zip(weights, mentions, strict=True):
        groups[answer_key(mention.text)].append((weight, mention))
    shares = {key: sum(weight for weight, _ in group) for key, group in groups.items()}
    ranked = sorted(shares, key=lambda key: -shares[key])[:_MOST]
    if wanted.several:
        weight, best = max(groups[ranked[0]], key=lambda pair: pair[0])
        groups[ranked[0]].insert(0, (weight, enumerate_parts(best, mentions=mentions)))
    return _reading([_candidate(groups[key], shares[key], evidence) for key in ranked], no_answer=none)


def affirm(look: Look, evidence: Sequence[Evidence]) -> Reading:
    """Answer yes or no, with the pieces that say so."""
    if not look.verdicts:
        return Reading(answer="", no_answer=1.0)
    verdicts = np.stack(look.verdicts)
    shares = dict(zip(VERDICTS, weigh(verdicts, yes=FITTED.yes).tolist(), strict=True))
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
    return _reading(sorted(candidates, key=lambda one: -one.probability), no_answer=shares["unsaid"])


def _reading(candidates: Sequence[Candidate], *, no_answer: float) -> Reading:
    best = candidates[0]
    return Reading(
        answer=best.answer,
        probability=best.probability,
        no_answer=no_answer,
        evidence_ids=best.evidence_ids,
        candidates=tuple(candidates),
    )


def cut_mentions(look: Look, kind: AnswerKind) -> list[Mention]:
    """Return all mentions, trimmed to what is asked for."""
    mentions = [_cut(mention, kind) for scored in look.scored for mention in scored.mentions]
    return [mention for mention in mentions if answer_key(mention.text)]


def _cut(mention: Mention, kind: AnswerKind) -> Mention:
    text = cut(mention.text, kind=kind)
    return mention if text == mention.text else replace(mention, text=text)


def signals(
    mentions: Sequence[Mention], *, question: Question, evidence: Sequence[Evidence], rules: Reading
) -> NDArray[np.float64]:
    """Return what each mention is weighed by, shape (mentions, 5).

    The logits of its start and end; the place of its piece; its words beyond `_WORDS`; how nearly as well a newer piece
    answers otherwise, 0 to 1 (what was written after the time asked for outdates nothing); and the logarithm of what the
    rules give the answer, by the share of evidence that is dated.
    """
    until = question.effective_constraint().interval.end
    days = [one.published.start if one.published else None for one in evidence]
    keys = [answer_key(mention.text) for mention in mentions]

    def outdated(mention: Mention, key: str) -> float:
        rivals = (
            other.score - mention.score + _NEAR
            for other, said in zip(mentions, keys, strict=True)
            if said != key and _is_newer(days[other.source], days[mention.source], until)
        )
        return min(_NEAR, max(0.0, max(rivals, default=0.0))) / _NEAR

    # On undated text the model reads far better than the rules (docs/reading.md).
    dated = sum(piece.published is not None for piece in evidence) / len(evidence)
    ruled = {key: dated * _seen_by(rules, mention.text) for key, mention in zip(keys, mentions, strict=True)}
    return np.array(
        [
            [
                mention.score,
                mention.source,
                max(0, len(mention.text.split()) - _WORDS),
                outdated(mention, key),
                ruled[key],
            ]
            for mention, key in zip(mentions, keys, strict=True)
        ]
    )


def _seen_by(rules: Reading, answer: str) -> float:
    """Return the logarithm of what the rules give the most similar answer."""
    likest = max((one.probability * word_f1(one.answer, answer) for one in rules.candidates), default=0.0)
    return math.log(_UNSEEN + likest**_SURE)


def signals_of_nothing(look: Look) -> tuple[float, float]:
    """Return 1, and the lowest log-probability of nothing in a window."""
    return 1.0, min(scored.nothing for scored in look.scored)


def _is_newer(day: int | None, than: int | None, until: int | None) -> bool:
    return day is not None and than is not None and than < day and (until is None or day < until)


def _candidate(group: Sequence[tuple[float, Mention]], probability: float, evidence: Sequence[Evidence]) -> Candidate:
    """One answer in its best wording, with all that hold it."""
    ordered = sorted(group, key=lambda pair: -pair[0])
    sources = [evidence[mention.source].id for _, mention in ordered]
    return Candidate(
        answer=ordered[0][1].text, probability=min(1.0, probability), evidence_ids=tuple(dict.fromkeys(sources))
    )
