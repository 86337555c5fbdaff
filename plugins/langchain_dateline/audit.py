"""`AuditedDocuments`: an audit of retrieved documents as a LangChain step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig
from pydantic import Field

from dateline import Question
from dateline.audit import Audit, AuditedPassage, Auditor, AuditStatus
from dateline.audit.auditor import shared_auditor
from dateline.audit.result import DROPPED
from dateline.documents import DateFieldOption, evidence_of_all
from dateline.documents.writing import audit_fields, date_fields
from dateline.errors import BadInput
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOfField, ClockField, now
from dateline.temporal.decomposition import asked_question
from dateline.temporal.run_day import day_in
from langchain_dateline.documents import asked_of, checked, without_later_entries
from langchain_dateline.flows import FlowRunnable
from langchain_dateline.io_fields import given_documents, question_in


@checked_arguments
class AuditedDocuments(FlowRunnable[dict[str, Any], dict[str, Any]]):
    """A step that marks documents outdated for the question, and says why.

    Put it between a retriever and a prompt. Input: the question (`question`, `input` or `query`), the documents
    (`documents` or `context`), and as wanted `as_of`; the output is the same with the kept documents in their order, each a copy
    with its `dateline_status` and `dateline_reasons`, and `audit`: the whole of `Audit.metadata()`, dropped ones included. What was
    published after the asking moment is left out; `drop` leaves out more.

    Raises:
        BadInput: while running, for input without a question or documents.

    Example:
        >>> notes = [Document(f"The mayor is {who}.", metadata={"date": when})
        ...          for who, when in (("Ada Berg", "2020"), ("Jon Holm", "2023"))]
        >>> found = AuditedDocuments(as_of="2024").invoke({"question": "Who is the mayor?", "documents": notes})
        >>> [(each.page_content, each.metadata["dateline_status"]) for each in found["documents"]]
        [('The mayor is Ada Berg.', 'outdated'), ('The mayor is Jon Holm.', 'ok')]
    """

    auditor: Auditor = Field(
        default_factory=shared_auditor, exclude=True, description="Holds encoder, judge and limit."
    )
    drop: tuple[AuditStatus, ...] = Field(default=DROPPED, description="Documents with these statuses are left out.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: the retriever's, else when called.")
    date_field: DateFieldOption = ()
    clock: ClockField = now

    def _flow(self, given: dict[str, Any], config: RunnableConfig) -> Flow[dict[str, Any]]:
        if not isinstance(given, Mapping):
            raise BadInput(f'The input is a {type(given).__name__}; give {{"question": ..., "documents": [...]}}.')
        name, found_there = given_documents(given)
        documents = checked(found_there)
        moment = asked_of(documents, day_in(given), self.as_of, clock=self.clock)
        asked = given.get("question")
        question = asked if isinstance(asked, Question) else asked_question(question_in(given), as_of=moment)
        documents = without_later_entries(documents, as_of=moment, date_field=self.date_field)
        evidence = evidence_of_all(documents, date_field=self.date_field)
        found: Audit = yield from call(self.auditor.audit, question, evidence=evidence)
        kept = [_copy(documents[each.place], each) for each in found.kept(drop=self.drop)]
        return {**given, name: kept, "audit": found.metadata()}


def _copy(document: Document, audited: AuditedPassage) -> Document:
    more = {**date_fields(audited.evidence), **audit_fields(audited.metadata())}
    return document.model_copy(update={"metadata": {**document.metadata, **more}})
