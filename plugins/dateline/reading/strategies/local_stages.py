"""The stages of Self-MRAG with a local reader and a vote."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from dateline.chat import failure
from dateline.errors import BadInput
from dateline.flow import Flow, call, together
from dateline.protocols import Reader, ReadResult
from dateline.reading.strategies.stages import PassageClaim, Relevance, Summary
from dateline.records import Candidate, Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import spans_of
from dateline.temporal.interval import Interval
from dateline.temporal.scoring import IntervalScorer, TemporalScorer
from dateline.text import split_sentences
from dateline.text.answer_key import answer_key
from dateline.text.words import spaced

RANK = 0.3
"""How a vote counts less with each place further back of its passage: 1, 1 / 1.3, 1 / 1.6, ..."""

MAX_CLAIMS = 10
"""Answers of one passage that are put to the vote, and of all together that a reading lists."""


@dataclass(frozen=True)
class LocalStages:
    """Checks, reads and combines with a `Reader`, one passage at a time.

    A vote counts the reader's probability of the answer in that passage, times the fit of the answer's time to the
    question's constraint, and less the further back its passage stands; the same answer from several passages adds up.
    Each passage is read once.

    Attributes:
        most_no_answer: a passage of which the reader says with more than this probability that nothing in it
            answers is not relevant.
        scorer: scores the times that a sentence speaks of, else the day its passage was published.

    Example:
        >>> from dateline.flow import run
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> evidence = [Evidence.make("The ferry runs daily.")]
        >>> [each.relevant for each in run(LocalStages(ExtractiveReader()).check(question, evidence=evidence))]
        [False]
    """

    reader: Reader
    most_no_answer: float = 0.9
    scorer: TemporalScorer = field(default_factory=IntervalScorer)

    def __post_init__(self) -> None:
        if not 0 <= self.most_no_answer <= 1:
            raise BadInput(f"most_no_answer must lie between 0 and 1, not {self.most_no_answer}.")

    def check(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[list[Relevance]]:
        """Read each piece alone; what was read travels along in `reading`."""
        return (yield from together(self._read(question, piece, choices) for piece in evidence))

    def summarise(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        relevance: Sequence[Relevance],
        choices: Sequence[str] = (),
    ) -> Flow[list[Summary]]:
        """Find the times of answers; the best answer's sentence is the summary."""
        yield from ()
        return [self._summary(question, piece, found) for piece, found in zip(evidence, relevance, strict=True)]

    def combine(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        summaries: Sequence[Summary],
        choices: Sequence[str] = (),
    ) -> Flow[ReadResult]:
        """Return the answer with the most votes."""
        yield from ()
        return ReadResult(vote(summaries, choices=choices), Cost())

    def _read(self, question: Question, piece: Evidence, choices: Sequence[str]) -> Flow[Relevance]:
        try:
            result = yield from call(self.reader.read, question, evidence=[piece], choices=choices)
        except Exception as error:
            return Relevance(evidence_id=piece.id, relevant=False, problem=str(failure(error)), failed=True)
        return self._relevance(piece, result)

    def _relevance(self, piece: Evidence, result: ReadResult) -> Relevance:
        reading = result.reading
        relevant = bool(reading.answer) and reading.no_answer <= self.most_no_answer
        reason = f"'{reading.answer}'" if reading.answer else "no answer"
        return Relevance(
            evidence_id=piece.id,
            relevant=relevant,
            reason=f"{reason}, {reading.no_answer:.2f} that none is there",
            reading=reading,
            cost=result.cost,
        )

    def _summary(self, question: Question, piece: Evidence, found: Relevance) -> Summary:
        reading = found.reading
        if reading is None or not reading.answer:
            return Summary(evidence_id=piece.id, text="")
        given = reading.candidates or (Candidate(answer=reading.answer, probability=reading.probability),)
        claims = tuple(self._claim(question, piece, each) for each in given[:MAX_CLAIMS])
        return Summary(evidence_id=piece.id, text=_sentences_with(given[0].answer, piece)[0], claims=claims)

    def _claim(self, question: Question, piece: Evidence, candidate: Candidate) -> PassageClaim:
        sentences = _sentences_with(candidate.answer, piece)
        times: list[Interval | None] = [time for text in sentences for time in spans_of(text, piece.published)]
        times = times or [piece.published]
        scores = self.scorer.score(question.effective_constraint(), times)
        best = int(scores.argmax())
        return PassageClaim(
            answer=candidate.answer, probability=candidate.probability, time=times[best], fit=float(scores[best])
        )


def vote(summaries: Sequence[Summary], *, choices: Sequence[str] = ()) -> Reading:
    """Return the reading with the most votes of all claims.

    Probabilities of the answers are their shares of all votes, times that of the likeliest passage to hold one.
    """
    votes: dict[str, dict[str, list[tuple[float, str]]]] = defaultdict(lambda: defaultdict(list))
    for place, summary in enumerate(summaries):
        for claim in summary.claims:
            worth = claim.probability * claim.fit / (1 + RANK * place)
            votes[answer_key(claim.answer)][claim.answer].append((worth, summary.evidence_id))
    totals = {key: sum(worth for cast in wordings.values() for worth, _ in cast) for key, wordings in votes.items()}
    whole = sum(totals.values())
    if whole <= 0:
        return Reading(answer="", no_answer=1.0)
    some = min(1.0, max(sum(claim.probability for claim in summary.claims) for summary in summaries))
    candidates = []
    for key in sorted(totals, key=lambda key: (-totals[key], key))[:MAX_CLAIMS]:
        wordings = votes[key]
        answer = max(wordings, key=lambda text: (sum(worth for worth, _ in wordings[text]), text))
        cast = sorted((pair for each in wordings.values() for pair in each), reverse=True)
        ids = tuple(dict.fromkeys(id for _, id in cast))
        candidates.append(Candidate(answer=answer, probability=some * totals[key] / whole, evidence_ids=ids))
    best = candidates[0].answer
    return Reading.of(candidates, no_answer=1 - some, choice=list(choices).index(best) if best in choices else None)


def _sentences_with(answer: str, piece: Evidence) -> list[str]:
    """Return the sentences that name an answer, else the whole passage."""
    named = spaced(answer)
    sentences = [sentence.text for sentence in split_sentences(piece.text)]
    return [text for text in sentences if named in spaced(text)] or [piece.text]
