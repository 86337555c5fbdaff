"""Options that a client may send: bounded numbers and configured names."""

from __future__ import annotations

from pydantic import Field

from dateline_graphs.generate_options import WritingOptions
from dateline_graphs.options import GraphOptions, PolicyOptions, QuestionOptions, ReadingOptions


class ModelChoice(GraphOptions):
    """Choice of a model by its name."""

    model: str = Field(default="", description="Name of a model of this server. Empty: the local reader.")


class LibraryChoice(GraphOptions):
    """Choice of a library by its name."""

    library: str = Field(default="", description="Name of a library of this server. Empty: the only one.")


class EngineChoice(GraphOptions):
    """Choice of a search engine by its name."""

    engine: str = Field(default="", description="Name of a search engine of this server, in place of a library.")


class StoreChoice(PolicyOptions):
    """Choice of a fact store by name; its policy may be tightened."""

    store: str = Field(default="", description="Name of a fact store of this server. Empty: facts are not kept.")


class AnswerRequest(QuestionOptions, StoreChoice, ModelChoice, EngineChoice, LibraryChoice):
    """Request for an answer.

    Example:
        >>> AnswerRequest(library="notes", k="7").k
        7
        >>> AnswerRequest(docs="/etc")
        Traceback (most recent call last):
        dateline.errors.BadInput: AnswerRequest has no 'docs'; did you mean library?
    """


class SelfMragRequest(ReadingOptions, ModelChoice):
    """Request for a reading of passages."""


class GenerateRequest(WritingOptions, ModelChoice, LibraryChoice):
    """Request for an answer that is looked up while it is written."""

    model: str = Field(default="", description="Name of a model of this server. Empty: the only one.")


class UpdateFactsRequest(StoreChoice):
    """Request to learn from documents."""

    store: str = Field(default="", description="Name of a fact store of this server. Empty: the only one.")
