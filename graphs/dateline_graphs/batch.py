"""Answers to many questions, for bulk work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from dateline import BadInput, DatelineError
from dateline.bulk.results import key_of
from dateline.formats.json_lines import read_lines
from dateline.formats.table import LINE_ENDINGS
from dateline.options import suggestion
from dateline.reading.history import read_history
from dateline.secrets import without_secrets
from dateline.temporal.as_of import AsOf, Clock, is_given, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import question_text
from dateline.temporal.run_day import day_in
from dateline_graphs.answer import answer_graph
from dateline_graphs.components import components_for, default_components
from dateline_graphs.options import AnswerOptions
from dateline_graphs.state import checked_choices

AT_ONCE = 8
"""Questions answered at a time by one process: most of their time is a model's; chosen by hand."""

MOST_STEPS = 10_000
"""Nodes of one answer at most; LangChain's batch sets 25 where none is said, LangGraph alone allows as many."""

FIELDS = ("question", "as_of", "choices", "history", "id")
"""What a question's line may say; other fields are left alone."""


@dataclass(frozen=True)
class BatchQuestion:
    """One question of a batch, or why its line is none.

    Attributes:
        line: its number in the file.
        asked: the input of the answer graph.
        id: the caller's own name for it.
        problem: why it cannot be asked.
        day: its asking day as written, or the date that it means where that hangs on now.
    """

    line: int
    asked: Mapping[str, Any] = field(default_factory=dict)
    id: Any = None
    problem: str = ""
    day: AsOf = None

    def key(self, options: AnswerOptions) -> str:
        """Return one key for equal questions of one day under equal options."""
        asked = self.asked if self.day is None else {**self.asked, "as_of": self.day}
        return key_of(self.line, sorted(asked.items()), self.problem, options)


def read_batch(path: Path, *, as_of: str = "", clock: Clock = now) -> list[BatchQuestion]:
    """Read a file of questions: one a line, or JSON lines (`.jsonl`).

    A line that cannot be read is a question with a problem.

    Args:
        as_of: the asking date of questions that state none.
        clock: tells what now is, once for all of them.

    Raises:
        BadInput: when the file cannot be read or holds no line.
    """
    moment = clock()
    read = _from_json if path.suffix.lower() in LINE_ENDINGS else _from_text
    try:
        found = [_question(number, line, read, as_of=as_of, clock=lambda: moment) for number, line in read_lines(path)]
    except OSError as cause:
        raise BadInput(f"Cannot read the questions {path}: {cause.strerror or cause}.") from cause
    if not found:
        raise BadInput(f"There is no question in {path}; write one a line.")
    return found


class AnswerBatch:
    """Answerer of many questions, for bulk work.

    Its result for each question is a dictionary: `line`, `id`, `question`, `as_of`, `headline`, `answer`, `error`,
    `report`.

    Sent to another process it takes along its options and its search; models, readers and stores are opened there.

    Args:
        options: of the answer graph.

    Raises:
        BadInput: as `components_for` does.
    """

    def __init__(self, options: AnswerOptions) -> None:
        self._options = options
        self._components = components_for(options)

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self._options, "search": self._components.search}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._options = state["options"]
        self._components = default_components(search=state["search"], options=self._options)

    def __call__(self, questions: Sequence[BatchQuestion]) -> list[dict[str, Any]]:
        """Answer a chunk; a question that fails has an `error`."""
        answers = self._answers([dict(each.asked) for each in questions if not each.problem])
        return [_line(each, BadInput(each.problem) if each.problem else next(answers)) for each in questions]

    @cached_property
    def _graph(self) -> Any:
        return answer_graph(self._components).compile()

    def _answers(self, asked: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any] | BaseException]:
        # What one answer adds to the facts, the next may need: then one after the other.
        at_once = 1 if self._options.facts else AT_ONCE
        config = {"max_concurrency": at_once, "recursion_limit": MOST_STEPS}
        given = self._graph.batch(asked, config, return_exceptions=True, context=self._options)
        return iter(cast("list[dict[str, Any] | BaseException]", given))


_Reader = Callable[[str], Mapping[str, Any]]


def _question(number: int, line: str | BadInput, read: _Reader, *, as_of: str, clock: Clock) -> BatchQuestion:
    said: Mapping[str, Any] = {}
    try:
        if isinstance(line, BadInput):
            raise BadInput(f"Line {number} {line}.")
        said = read(line)
        asked = {"question": said.get("question")}
        if not isinstance(asked["question"], str):
            raise BadInput('The line has no question; write {"question": "..."}.')
        question_text(asked["question"])
        asked["as_of"], day = settled(day_in(said) or as_of, clock=clock)
        history = [{"role": turn.role, "content": turn.content} for turn in read_history(said.get("history"))]
        asked |= {"choices": checked_choices(said.get("choices")), "history": history}
        return BatchQuestion(number, asked, said.get("id"), day=day)
    except BadInput as problem:
        return BatchQuestion(number, {"question": str(said.get("question") or "")}, said.get("id"), str(problem))


def settled(written: AsOf, *, clock: Clock = now) -> tuple[AsOf, AsOf]:
    """Return the moment to ask as of, and its day.

    Both as written, unless a later run would read them otherwise.
    """
    moment = asking_moment(written, clock=clock)
    if is_given(written) and moment == asking_moment(written, clock=lambda: clock() + timedelta(days=1)):
        return written, written
    return moment.isoformat(timespec="seconds"), moment.date().isoformat()


def _from_text(line: str) -> Mapping[str, Any]:
    return {"question": line}


def _from_json(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as cause:
        raise BadInput("The line is no JSON.") from cause
    if not isinstance(row, dict):
        raise BadInput('The line is no JSON object; write {"question": "...", "as_of": "2020"}.')
    for name in row.keys() - set(FIELDS):
        if meant := suggestion(str(name), known=FIELDS):
            raise BadInput(f"A question has no {name!r}; did you mean {meant}?")
    return row


def _line(question: BatchQuestion, given: Mapping[str, Any] | BaseException) -> dict[str, Any]:
    report = None if isinstance(given, BaseException) else given["report"]
    return {
        "line": question.line,
        "id": question.id,
        "question": question.asked.get("question", ""),
        "as_of": question.asked.get("as_of", ""),
        "headline": report["headline"] if report else "",
        "answer": report["answer"] if report else "",
        "error": _told(given) if isinstance(given, BaseException) else "",
        "report": report,
    }


def _told(error: BaseException) -> str:
    if isinstance(error, DatelineError):
        return str(error)
    return f"{type(error).__name__}: {without_secrets(str(error))}"
