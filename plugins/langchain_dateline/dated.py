"""Documents as models should read them, dated (FreshLLMs, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document
from pydantic import ConfigDict, Field

from dateline.documents import DateField, DateFieldOption
from dateline.documents.writing import audited_status, date_fields
from dateline.evidence import in_order
from dateline.evidence.blocks import asked_line, dated, evidence_block
from dateline.evidence.knowledge import KEEP_LATER, visible
from dateline.evidence.order import Order
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, AsOfField, ClockField, now
from langchain_dateline.documents import asked_of, checked, numbered, without_later_entries

AGE = "dated"
"""The field of metadata that holds a document's date and how long before the asking day that is."""


@checked_arguments
class DatedDocuments(BaseDocumentCompressor, BaseDocumentTransformer):
    """A compressor that writes dates where models read them: into the text.

    Put it last, before a prompt that a model of your own answers: the usual chains show a model the text of documents
    and no metadata. Each copy's text is a block of a FreshPrompt: label, source, date and age, what an audit says against it, title
    and text, in which tables, lists and code keep their lines. Documents come oldest to newest, undated ones first; what was published after
    the asking moment is left out.

    Example:
        >>> notes = [Document(f"{who} leads.", metadata={"date": when})
        ...          for who, when in (("Ben", "2021-03-02"), ("Ana", "2015-05-01"))]
        >>> print(DatedDocuments(as_of="2024").transform_documents(notes)[0].page_content)
        [E1] source: unknown
        date: May 1, 2015 (3532 days before Dec 31, 2024)
        text: Ana leads.
    """

    model_config = ConfigDict(extra="forbid")

    as_of: AsOfField = Field(default=None, description="The asking moment; None: the retriever's, else when called.")
    order: Order = Field(default="time", description="time: oldest first; search: best last; random: by the seed.")
    seed: int = Field(default=0, description="For random order.")
    date_field: DateFieldOption = ()
    keep_later: bool = Field(default=False, description=KEEP_LATER)
    clock: ClockField = now

    def compress_documents(
        self, documents: Iterable[Document], query: str = "", callbacks: Callbacks | None = None
    ) -> list[Document]:
        """Return dated copies; the question plays no part."""
        given = checked(documents)
        return self._written(given, as_of=asked_of(given, self.as_of, clock=self.clock), alone=True)

    def __call__(self, documents: Iterable[Document]) -> list[Document]:
        """Return the same copies as a step of a chain: `retriever | DatedDocuments()`."""
        return self.compress_documents(documents)

    def transform_documents(self, documents: Iterable[Document], **kwargs: Any) -> list[Document]:
        """Return the same copies without a question."""
        return self.compress_documents(documents)

    def context(self, documents: Iterable[Document]) -> str:
        """Return one text that begins with the asking day; empty without documents."""
        given = checked(documents)
        moment = asked_of(given, self.as_of, clock=self.clock)
        blocks = [each.page_content for each in self._written(given, as_of=moment, alone=False)]
        return "\n\n".join([asked_line(moment), *blocks] if blocks else [])

    def _written(self, documents: list[Document], *, as_of: datetime, alone: bool) -> list[Document]:
        documents = without_later_entries(
            documents, as_of=as_of, date_field=self.date_field, keep_later=self.keep_later
        )
        known = visible(numbered(documents, date_field=self.date_field), as_of=as_of, keep_later=self.keep_later)
        return [
            documents[int(piece.id)].model_copy(
                update={
                    "page_content": evidence_block(
                        # Whole, and room for the spaces that go into marks of roles: a chain's own splitter cut it.
                        piece,
                        label=f"E{number}",
                        as_of=as_of,
                        limit=2 * len(piece.text) + 1,
                        alone=alone,
                        status=audited_status(documents[int(piece.id)].metadata),
                    ),
                    "metadata": {
                        **documents[int(piece.id)].metadata,
                        **date_fields(piece),
                        AGE: dated(piece.published, as_of, alone=True),
                    },
                }
            )
            for number, piece in enumerate(in_order(known, order=self.order, seed=self.seed), start=1)
        ]


def dated_context(
    documents: Iterable[Document],
    *,
    as_of: AsOf = None,
    order: Order = "time",
    date_field: DateField = (),
    keep_later: bool = False,
) -> str:
    """Write documents as one dated text, in place of the usual `format_docs`.

    It begins with the asking day, from which ages are counted, so that a prompt need not tell it. `{"context": retriever |
    dated_context, "question": RunnablePassthrough()} | prompt | model`. The day is that as of which the retriever was asked, or
    `as_of`: `partial(dated_context, as_of="2024")`.

    Raises:
        BadInput: for an unreadable date, or anything but documents.

    Example:
        >>> print(dated_context([Document("Ana leads.", metadata={"date": "2015"})], as_of="2024"))
        asked on: Dec 31, 2024
        <BLANKLINE>
        [E1] source: unknown
        date: 2015
        text: Ana leads.
    """
    writer = DatedDocuments(as_of=as_of, order=order, date_field=date_field, keep_later=keep_later)
    return writer.context(documents)
