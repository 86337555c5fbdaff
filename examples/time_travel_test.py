"""A time-travel test: run an app on days of the past, and see what it would have said then.

    python examples/time_travel_test.py

A test that asks a live app "who is ...?" rots, for the right answer changes. `before` and `after` are the chains of
langchain_chain.py. The plain one has no notion of today: it says the same on every day, and answers a question of 2009 from a note
of 2022. The other one is given the day with the question, and can be tested on any day: for what it says, and for never
having looked ahead.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from langchain_chain import App, after, before, load_documents
from notes import CORPUS

from dateline.evaluation.metrics import exact_match
from langchain_dateline import EvidenceTraceCallbackHandler

EVERY = 6
"""Every sixth question of questions.jsonl is asked: 39 of 229."""


class Case(NamedTuple):
    """A question on a day, and what is right on that day."""

    question: str
    as_of: str
    answers: Sequence[str]


class Outcome(NamedTuple):
    """Of how many cases the answer was right, and how many read a note from the future."""

    cases: int
    right: int
    leaks: int


def travel(app: App, *, cases: Sequence[Case]) -> Outcome:
    """Run the app on the day of each case."""
    right, leaks = 0, 0
    for case in cases:
        trace = EvidenceTraceCallbackHandler()
        answer = app.invoke({"question": case.question, "as_of": case.as_of}, {"callbacks": [trace]})
        right += int(exact_match(answer, golds=case.answers))
        read = [piece.published for retrieval in trace.answers[-1].retrievals for piece in retrieval.evidence]
        leaks += any(published is not None and published.isoformat() > case.as_of for published in read)
    return Outcome(len(cases), right, leaks)


def load_cases(every: int = EVERY) -> list[Case]:
    """Questions of the example corpus, each with the day that it is asked on."""
    lines = (CORPUS.parent / "questions.jsonl").read_text(encoding="utf-8").splitlines()[::every]
    return [Case(row["question"], row["as_of"], row["answers"]) for row in map(json.loads, lines)]


def check(outcome: Outcome) -> None:
    """What a person would put into their own suite."""
    assert outcome.leaks == 0
    assert outcome.right >= 0.7 * outcome.cases


def main() -> None:
    """Send both through time."""
    cases, documents = load_cases(), load_documents()
    for name, app in (("before:", before(documents)), ("after: ", after(documents))):
        outcome = travel(app, cases=cases)
        print(f"{name} right in {outcome.right} of {outcome.cases} cases; read ahead of its day in {outcome.leaks}")
    check(outcome)
    print("after: passes the test, right in at least seven of ten and never ahead of its day")


if __name__ == "__main__":
    main()
