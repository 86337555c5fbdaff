"""A time-travel test: run an app on days of the past, and see what it would have said then.

    python examples/time_travel_test.py

A test that asks a live app "who is ...?" rots, for the right answer changes. `before` is such an app (the chain of
langchain_chain.py): it has no notion of today, says the same on every day, and answers a question of 2009 from a note of
2022. `after` takes the day as an argument, the lines marked `# dateline`, and can be tested on any day: for what it says,
and for never having looked ahead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

import langchain_chain
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import Runnable, RunnablePassthrough
from notes import CORPUS, load_notes

from dateline.evaluation.metrics import exact_match
from dateline.search import FolderSearch
from langchain_dateline import EvidenceRetriever, EvidenceTraceCallbackHandler, FreshPromptTemplate

EVERY = 6
"""Every sixth question of questions.jsonl is asked: 39 of 229."""

App = Callable[[str], Runnable[str, str]]
"""The app on a day."""


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


def before() -> App:
    """The plain app, whatever day it is."""
    chain = langchain_chain.before(langchain_chain.index())
    return lambda day: chain


def after() -> App:
    """The same app with the day as an argument."""
    documents = [Document(note.text, metadata={"title": note.title, "date": note.date}) for note in load_notes()]
    engine = FolderSearch.from_documents(documents, embeddings=langchain_chain.EMBEDDINGS)  # dateline

    def on(day: str) -> Runnable[str, str]:
        retriever = EvidenceRetriever(search=engine, as_of=day, k=5)  # dateline: what was published later is not there
        prompt = FreshPromptTemplate(as_of=day)  # dateline
        asked = {"question": RunnablePassthrough(), "documents": retriever}
        return asked | prompt | langchain_chain.MODEL | StrOutputParser()

    return on


def travel(app: App, *, cases: Sequence[Case]) -> Outcome:
    """Run the app on the day of each case."""
    right, leaks = 0, 0
    for case in cases:
        trace = EvidenceTraceCallbackHandler()
        answer = app(case.as_of).invoke(case.question, {"callbacks": [trace]})
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
    cases = load_cases()
    for name, app in (("before:", before()), ("after: ", after())):
        outcome = travel(app, cases=cases)
        print(f"{name} right in {outcome.right} of {outcome.cases} cases; read ahead of its day in {outcome.leaks}")
    check(outcome)
    print("after: passes the test, right in at least seven of ten and never ahead of its day")


if __name__ == "__main__":
    main()
