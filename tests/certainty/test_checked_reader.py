from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from dateline import BadInput, Certainty, Cost, Evidence, Interval, Question, Reading
from dateline.certainty import CheckedReader, Gate, MarginEstimator
from dateline.certainty.answer import NO_ANSWER, Answer
from dateline.protocols import Reader, ReadResult
from dateline.reading import ExtractiveReader
from dateline.text.lexical import LexicalEmbeddings

QUESTION = Question(
    "Who leads the harbour board?", "Who leads the harbour board?", None, datetime(2024, 1, 1, tzinfo=UTC)
)
DULL = [Evidence.make(f"Nothing happened in week {n}.") for n in range(6)]
TOLD = Evidence.make("Ada Berg leads the harbour board.")


class Literal:
    """Answers with the first two words, and counts its readings."""

    def __init__(self) -> None:
        self.read_texts: list[str] = []

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        self.read_texts.append(evidence[0].text)
        answer = " ".join(evidence[0].text.split()[:2])
        return ReadResult(Reading(answer=answer, probability=0.5), Cost(model_calls=1))

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        return self.read(question, evidence=evidence, choices=choices)


class Sure:
    """Trusts answers that name Ada as far as it is told, and others hardly."""

    def __init__(self, reliable: float) -> None:
        self.reliable = reliable

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        reliable = self.reliable if "Ada" in reading.answer else 0.1
        return Certainty(reliable=reliable, misleading=0.0, uncertain=1 - reliable)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        return self.estimate(question, evidence=evidence, reading=reading)


def build(reader: Reader, reliable: float = 0.9, **limits: float) -> CheckedReader:
    gate = Gate.model_validate(limits)
    return CheckedReader(reader, estimator=Sure(reliable), embeddings=LexicalEmbeddings(), gate=gate, clock=lambda: 0.0)


def test_a_reliable_answer_among_the_first_three_is_adopted_without_another_round() -> None:
    reader = Literal()
    checked = build(reader).check(QUESTION, evidence=[*DULL[:2], TOLD, *DULL[2:]])
    assert (checked.answer, checked.decision.outcome, checked.rounds) == ("Ada Berg", "adopt", 0)
    assert len(reader.read_texts) == checked.cost.model_calls == 3


def test_without_one_the_rest_is_ranked_again_and_read() -> None:
    checked = build(Literal()).check(QUESTION, evidence=[*DULL, TOLD])
    assert (checked.answer, checked.rounds) == ("Ada Berg", 1)
    assert [step.details["outcome"] for step in checked.steps if step.name == "gate"] == ["retrieve", "adopt"]


def test_the_first_answer_stays_when_the_second_is_no_better() -> None:
    checked = build(Literal(), reliable=0.45).check(QUESTION, evidence=[TOLD, *DULL])
    assert checked.answer == "Ada Berg"
    assert checked.rounds == 1


def test_an_abstention_is_an_empty_answer() -> None:
    checked = build(Literal(), abstain_below=0.3).check(QUESTION, evidence=DULL)
    assert (checked.answer, checked.decision.outcome) == ("", "abstain")


def test_nothing_to_read_ends_at_once() -> None:
    checked = build(Literal()).check(QUESTION, evidence=[])
    assert checked.answer == ""
    assert checked.certainty.label == "uncertain"


def test_when_nothing_is_left_to_read_the_best_answer_stands() -> None:
    checked = build(Literal(), max_rounds=5).check(QUESTION, evidence=DULL[:2])
    assert checked.decision.outcome == "keep"
    assert checked.rounds == 0


def test_what_is_said_first_is_the_answer_only_where_it_is_adopted() -> None:
    sure, unsure = (build(Literal(), reliable=p, max_rounds=0).check(QUESTION, evidence=[TOLD]) for p in (0.5, 0.49))
    assert (sure.adopted, sure.label, sure.headline) == (True, "reliable", "Ada Berg")
    assert (unsure.adopted, unsure.answer, unsure.headline) == (False, "Ada Berg", f"{NO_ANSWER} is certain")


ELSEWHERE = Evidence.make("Ada Berg bakes bread.")


@pytest.mark.parametrize(
    ("reliable", "note", "spoken"),
    [
        (0.34, ELSEWHERE, f"{NO_ANSWER} is certain. Not sure: Ada Berg"),
        (0.32, ELSEWHERE, f"{NO_ANSWER}. Best guess, not trusted: Ada Berg"),
        (0.05, TOLD, f"{NO_ANSWER} is certain. Not sure: Ada Berg"),
    ],
)
def test_a_guess_that_may_be_right_or_is_stated_is_not_denied(reliable: float, note: Evidence, spoken: str) -> None:
    answer = build(Literal(), reliable=reliable, max_rounds=0).check(QUESTION, evidence=[note])
    assert answer.adopted is False
    assert answer.spoken() == spoken
    assert answer.headline == spoken.partition(".")[0]
    assert answer.spoken(nothing="Ask the desk.").startswith("Ask the desk. ")
    withheld = build(Literal(), reliable=reliable, max_rounds=0, abstain_below=0.5)
    assert withheld.check(QUESTION, evidence=[note]).spoken() == NO_ANSWER


def test_an_answer_is_read_back_as_it_was_written() -> None:
    checked = build(Literal(), reliable=0.3, max_rounds=0).check(QUESTION, evidence=[TOLD])
    written = checked.model_dump(mode="json")
    assert (written["headline"], written["stated"]) == (f"{NO_ANSWER} is certain", True)
    assert Answer.model_validate(written) == Answer.model_validate_json(checked.model_dump_json()) == checked


def test_no_piece_is_read_twice() -> None:
    reader = Literal()
    build(reader, reliable=0.2, max_rounds=9).check(QUESTION, evidence=[*DULL, TOLD])
    assert len(reader.read_texts) == len(set(reader.read_texts)) == 7


def test_it_works_with_the_local_reader_and_estimator() -> None:
    made = CheckedReader(ExtractiveReader(), estimator=MarginEstimator(), embeddings=LexicalEmbeddings())
    assert isinstance(made, Reader)
    assert made.read(QUESTION, evidence=[*DULL[:4], TOLD]).reading.answer == "Ada Berg"


def test_a_bad_k_is_refused() -> None:
    with pytest.raises(BadInput):
        CheckedReader(Literal(), estimator=Sure(0.5), embeddings=LexicalEmbeddings(), k=0)


def test_evidence_older_than_such_answers_last_is_followed_by_another_round() -> None:
    told = Evidence.make("Ada Berg leads the harbour board.", published=Interval.parse("2015-03-01"))

    def rounds(max_outdated: float) -> int:
        gate = Gate(max_outdated=max_outdated)
        checked = CheckedReader(ExtractiveReader(), estimator=Sure(0.9), embeddings=LexicalEmbeddings(), gate=gate)
        return checked.check(QUESTION, evidence=[told, *DULL]).rounds

    assert rounds(1.0) == 0
    assert rounds(0.5) == 1
