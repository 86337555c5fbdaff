"""Semantic entropy: do sampled answers mean the same? (Farquhar et al., 2024)"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from langchain_core.language_models import BaseChatModel

from dateline.certainty.gate import NOTHING
from dateline.certainty.samples import as_reader, checked_samples, sampled
from dateline.flow import Flow, call, twins
from dateline.protocols import Judge, Reader
from dateline.reading.trained_judge import shared_judge
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text.answer_key import content_key


class SemanticEntropyEstimator:
    """Estimates certainty from the meanings of sampled answers.

    The question is read `samples` more times. Two answers mean the same where each, behind the question, supports the other
    (bidirectional entailment); the discrete entropy over the meanings is divided by its largest value, log(samples).

    reliable = (1 - entropy) x share of the given answer's meaning / share of the commonest one. The rest is misleading and
    uncertain as the samples name an answer or none. A chat model needs a temperature above 0 for samples that differ by
    themselves. Each sample costs one reading; the judge is local and costs none.

    Args:
        model: a chat model, or any reader.
        judge: of entailment; by default the shipped one, for English.

    Raises:
        BadInput: when `samples` does not lie between 1 and 20.
        ModelFailed: from `estimate`, when the model itself fails.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Bo Lind", "answer: Ada Berg", "answer: Bo Lind"])
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> estimator = SemanticEntropyEstimator(model, samples=3)
        >>> found = estimator.estimate(question, evidence=[Evidence.make("x")], reading=Reading(answer="Bo Lind"))
        >>> round(found.reliable, 2)
        0.42
    """

    def __init__(self, model: BaseChatModel | Reader, *, samples: int = 5, judge: Judge | None = None) -> None:
        self.reader, self.samples = as_reader(model), checked_samples(samples)
        self._judge = judge

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the three labels' probabilities, the samples read side by side."""
        if not reading.answer.strip():
            return NOTHING
        others = yield from sampled(self.reader, question=question, evidence=evidence, samples=self.samples)
        distinct = list(dict.fromkeys(answer for answer in (reading.answer, *others) if answer.strip()))
        pairs = [(one, other) for one in distinct for other in distinct if content_key(one) != content_key(other)]
        judge = self._judge or shared_judge()
        said = yield from call(judge.judge, [(f"{question.text} {a}", f"{question.text} {b}") for a, b in pairs])
        supported = {pair for pair, verdict in zip(pairs, said, strict=True) if verdict == "supports"}
        meanings = meanings_of(distinct, supported=supported)
        return of_meanings(meanings[reading.answer], others=[meanings.get(answer) for answer in others])

    estimate, aestimate = twins(_estimate)


def meanings_of(answers: Sequence[str], *, supported: set[tuple[str, str]]) -> Mapping[str, int]:
    """Number the meanings of answers.

    Each joins the first meaning whose first answer it equals. Answers of the same words are equal, and those that support each other.

    Example:
        >>> meanings_of(["Oslo", "in Oslo", "Rome"], supported=set())
        {'Oslo': 0, 'in Oslo': 0, 'Rome': 1}
    """
    firsts: list[str] = []
    found: dict[str, int] = {}
    for answer in answers:
        both = (
            content_key(first) == content_key(answer) or {(first, answer), (answer, first)} <= supported
            for first in firsts
        )
        place = next((number for number, same in enumerate(both) if same), len(firsts))
        if place == len(firsts):
            firsts.append(answer)
        found[answer] = place
    return found


def of_meanings(given: int, *, others: Sequence[int | None]) -> Certainty:
    """Return the certainty of a meaning among those of samples.

    `None` is a sample without an answer; all such count as one more meaning.

    Example:
        >>> of_meanings(0, others=[0, 0, 0]).reliable, of_meanings(0, others=[1, 1, 1]).misleading
        (1.0, 1.0)
    """
    shares = {meaning: others.count(meaning) / len(others) for meaning in set(others)}
    entropy = -sum(share * math.log(share) for share in shares.values())
    sure = 1 - entropy / math.log(len(others)) if len(others) > 1 else 1.0
    reliable = max(0.0, sure) * shares.get(given, 0.0) / max(shares.values())
    uncertain = (1 - reliable) * shares.get(None, 0.0)
    return Certainty(reliable=reliable, misleading=max(0.0, 1 - reliable - uncertain), uncertain=uncertain)
