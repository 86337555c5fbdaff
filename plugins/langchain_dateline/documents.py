"""Between LangChain's `Document` and dateline's `Evidence`: copies in, copies out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from langchain_core.documents import Document

from dateline import Evidence
from dateline.documents import DateField, evidence_of, evidence_of_all
from dateline.documents.stamp import StampedText, known_entries
from dateline.documents.writing import asked_in, metadata_of
from dateline.errors import BadInput
from dateline.temporal.as_of import AsOf, Clock
from dateline.temporal.asking import asking_moment
from dateline.visible import logger, warn_once

_LOG = logger(__name__)


def evidence_of_document(document: Document, *, date_field: DateField = (), id: str = "") -> Evidence:
    """Read a document as evidence, dated by its metadata alone.

    Args:
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        id: an id of your own; empty: one that follows from the document's origin and text.
    """
    return evidence_of(document, date_field=date_field, id=id)


def numbered(documents: Iterable[Document], *, date_field: DateField = ()) -> list[Evidence]:
    """Read documents as evidence, their positions as ids.

    Two may hold equal text.

    Raises:
        BadInput: for anything but documents, which copies could not be given of.
    """
    given = checked(documents)
    return evidence_of_all(given, date_field=date_field, ids=[str(place) for place in range(len(given))])


def stamped_copies(document: Document, parts: Sequence[StampedText]) -> list[Document]:
    """Return a document's stamped copy, or one for each entry."""
    whole = len(parts) == 1 and parts[0].text == document.page_content
    return [
        document.model_copy(
            update={
                "page_content": part.text,
                "metadata": {**part.metadata(document.metadata), **part.stamp.metadata()},
                "id": document.id if whole else document.id and part.id_in(document.id),
            }
        )
        for part in parts
    ]


def without_later_entries(
    documents: Iterable[Document], *, as_of: datetime, date_field: DateField = (), keep_later: bool = False
) -> list[Document]:
    """Put known entries in the place of what goes on later.

    That is a journal, table or JSON that no `DateStamper` split.

    Raises:
        BadInput: for anything but documents.
    """
    given = checked(documents)
    if keep_later:
        return given
    texts = [(each.page_content, each.metadata) for each in given]
    found = known_entries(texts, as_of=as_of, date_field=date_field)
    return [one for each, parts in zip(given, found, strict=True) for one in (stamped_copies(each, parts) or [each])]


def checked(documents: Iterable[Any]) -> list[Document]:
    """Return documents as a list; a generator gives them but once.

    Raises:
        BadInput: for anything but LangChain documents.
    """
    given = list(documents)
    other = next((each for each in given if not isinstance(each, Document)), None)
    if other is not None:
        raise BadInput(f"The documents must be LangChain Documents, not {type(other).__name__}; write Document(text).")
    return given


def asked_of(documents: Iterable[Document], *own: AsOf, clock: Clock) -> datetime:
    """Read a part's own asking moment, else its documents' retriever's.

    Without both it is that of any part: of the `asked_at` around it, or of the clock. Where a part's own is another day than
    theirs, as where a chain handed its retriever the question alone, that is logged.
    """
    theirs = asked_in((each.metadata for each in documents), clock=clock)
    moment = asking_moment(*own, theirs, clock=clock)
    if theirs is not None and theirs.date() != moment.date():
        warn_once(
            _LOG,
            f"Documents that were retrieved as of {theirs.date()} are read as of {moment.date()}; give the day once, with "
            "AskedAt around the chain or the whole input for the retriever.",
        )
    return moment


def copies_of(documents: Iterable[Document]) -> list[Document]:
    """Copy documents for work in the background.

    An app may write into its own.
    """
    return [Document(each.page_content, metadata=dict(each.metadata)) for each in documents]


def document_of(evidence: Evidence) -> Document:
    """Write evidence as a document.

    `published` is an ISO string, or absent when undated.
    """
    return Document(page_content=evidence.text, metadata=metadata_of(evidence), id=evidence.id)


def checked_k(k: int | str | None, *, default: int) -> int:
    """Return how many documents a call asks for.

    Raises:
        BadInput: for what is no whole number, or one below 1.
    """
    wanted = default if k is None else int(k) if isinstance(k, str) and k.strip().isdecimal() else k
    if not isinstance(wanted, int) or wanted < 1:
        raise BadInput(f"k must be a whole number of 1 or more, not {wanted!r}.")
    return wanted
