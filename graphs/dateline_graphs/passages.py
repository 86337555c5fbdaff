"""Passages as a person or a program hands them to a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from dateline import BadInput, Evidence
from dateline.documents import evidence_of_all
from dateline_graphs.state import shown


class Passage(TypedDict, total=False):
    """Passage as a person writes it down; only its text is required.

    A program may give LangChain Documents, LlamaIndex nodes, mappings with other names, texts or Evidence instead.
    """

    text: Annotated[str, Field(description="What it says.")]
    published: Annotated[str, Field(description="When it was published, in any usual form. Empty: not known.")]
    title: Annotated[str, Field(description="Its headline. May be empty.")]
    source: Annotated[str, Field(description="The name of the site or file it is from. May be empty.")]
    url: Annotated[str, Field(description="Its address. May be empty.")]
    id: Annotated[str, Field(description="A name of your own for it. Empty: made from its text.")]


if TYPE_CHECKING:
    Passages = Sequence[Any]
else:
    # Forms and schemas show what a person fills in; LangGraph checks no input, and `read_passages` reads every form.
    Passages = list[Passage]


def read_passages(given: Iterable[Any] | None) -> list[Evidence]:
    """Read passages, under their own ids where they have some.

    An id that another text has already is made from the text instead.

    Raises:
        BadInput: for what is no passage.
    """
    if isinstance(given, str) or not isinstance(given, Iterable | None):
        # A text alone is most likely a folder's name, which would be read as what a document says.
        raise BadInput(f"Passages are a list of documents, not {shown(given)}; load_documents(FOLDER) reads some.")
    items = [given] if isinstance(given, Mapping) else list(given or ())
    ids = [str(item.get("id") or "") if isinstance(item, Mapping) else "" for item in items]
    texts: dict[str, str] = {}
    return [
        piece if texts.setdefault(piece.id, piece.text) == piece.text else Evidence.make(**dict(piece))
        for piece in evidence_of_all(items, ids=ids, strict=True)
    ]


def label_of(piece: Evidence) -> str:
    """Return what a step calls a piece of evidence."""
    return piece.title or piece.source or piece.id
