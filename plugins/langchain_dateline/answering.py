"""`ReaderRunnable`: a dateline reader as a LangChain step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.documents import Document
from langchain_core.messages import MessageLikeRepresentation
from langchain_core.runnables import RunnableConfig
from pydantic import Field
from typing_extensions import TypedDict

from dateline import Question
from dateline.documents import DateField, DateFieldOption, evidence_of_all
from dateline.errors import BadInput
from dateline.evidence.knowledge import split_known
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.protocols import Reader, ReadResult
from dateline.reading import local_reader
from dateline.reading.rewriting import Rewriter, RuleRewriter
from dateline.temporal.as_of import AsOfField, ClockField, now
from dateline.temporal.decomposition import decompose
from dateline.temporal.run_day import day_in
from langchain_dateline.documents import asked_of, checked, without_later_entries
from langchain_dateline.evidence import evidence_from
from langchain_dateline.flows import FlowRunnable
from langchain_dateline.io_fields import given_documents, history_in, question_in


class ReaderInput(TypedDict, total=False):
    """A question and its documents, best first.

    LangChain's own names for them, `input` and `context`, do as well.
    """

    question: str | Question
    documents: Sequence[Document]
    as_of: AsOfField
    choices: Sequence[str]
    input: str
    context: Sequence[Document]
    chat_history: Sequence[MessageLikeRepresentation]
    """The chat before the question; what the question leaves to it is filled in by `rewriter`."""


class ReaderOutput(TypedDict):
    """The answer and all about it."""

    answer: str
    """Empty when the documents hold none."""
    probability: float
    """The reader's own, uncalibrated."""
    no_answer: float
    """Probability that nothing there answers."""
    choice: int | None
    candidates: list[dict[str, Any]]
    """Alternatives, the best first: answer, probability, evidence_ids."""
    reasoning: str
    announced: dict[str, Any] | None
    """What is told to be the answer from a later day: answer, since, evidence_id."""
    documents: list[Document]
    """Those that the answer stands on, unchanged."""
    as_of: str
    cost: dict[str, Any]


@checked_arguments
class ReaderRunnable(FlowRunnable[ReaderInput, ReaderOutput]):
    """A step that answers a question from documents, with any reader.

    Input: `question`, `documents`, and as wanted `as_of`, `choices`, `chat_history`; other fields are left alone.

    Dates are read from the documents' metadata; what was published after the asking day is not read. A model behind
    the reader is traced as a child of this step.

    Raises:
        BadInput: while running, for input without a question or documents; an empty list of them is fine.
        ModelFailed: while running, when a model fails.

    Example:
        >>> from langchain_core.documents import Document
        >>> from dateline.reading import ExtractiveReader
        >>> step = ReaderRunnable(reader=ExtractiveReader(), as_of="2024")
        >>> notes = [Document("Ben Hall became director of Acme in 2021.", metadata={"date": "2021-03-02"})]
        >>> step.invoke({"question": "Who is the director of Acme?", "documents": notes})["answer"]
        'Ben Hall'
    """

    reader: Reader = Field(default_factory=local_reader, exclude=True, description="Any reader of dateline's.")
    rewriter: Rewriter = Field(
        default_factory=RuleRewriter, exclude=True, description="Makes a question after a chat stand alone."
    )
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the retriever's, else when called.")
    date_field: DateFieldOption = ()
    clock: ClockField = now

    def _flow(self, given: ReaderInput, config: RunnableConfig) -> Flow[ReaderOutput]:
        given, text = _asked(given)
        found = checked(given_documents(given)[1])
        as_of = asked_of(found, day_in(given), self.as_of, clock=self.clock)
        history = history_in(given.get("chat_history"))
        if history and isinstance(text, str):
            text = (yield from call(self.rewriter.rewrite, text, history=history, as_of=as_of)).text
        question = text if isinstance(text, Question) else decompose(text, as_of=as_of)
        documents = without_later_entries(found, as_of=question.as_of, date_field=self.date_field)
        evidence = split_known(evidence_from(documents, date_field=self.date_field), as_of=question.as_of)[0]
        result = yield from call(self.reader.read, question, evidence=evidence, choices=given.get("choices", ()))
        return _output(question, documents, result, date_field=self.date_field)


def _asked(given: ReaderInput) -> tuple[ReaderInput, str | Question]:
    """Return the input with its question."""
    if not isinstance(given, Mapping):
        raise BadInput(f'The input is a {type(given).__name__}; give {{"question": ..., "documents": [...]}}.')
    text: Any = given.get("question") or given.get("input")
    if isinstance(text, Mapping):  # {"question": RunnablePassthrough(), "documents": ...}, asked with a day
        return _asked(cast(ReaderInput, {**text, **given, "question": question_in(text)}))
    if not text or not str(text).strip():
        raise BadInput('The input holds no question; give {"question": ..., "documents": [...]}.')
    return given, text


def _output(
    question: Question, documents: Sequence[Document], result: ReadResult, *, date_field: DateField
) -> ReaderOutput:
    reading = result.reading
    ids = [piece.id for piece in evidence_of_all(documents, date_field=date_field)]
    return ReaderOutput(
        answer=reading.answer,
        probability=reading.probability,
        no_answer=reading.no_answer,
        choice=reading.choice,
        candidates=[candidate.model_dump(mode="json") for candidate in reading.candidates],
        reasoning=reading.reasoning,
        announced=None if reading.announced is None else reading.announced.model_dump(mode="json"),
        documents=[each for each, id in zip(documents, ids, strict=True) if id in reading.evidence_ids],
        as_of=question.as_of.isoformat(),
        cost=result.cost.model_dump(mode="json"),
    )
