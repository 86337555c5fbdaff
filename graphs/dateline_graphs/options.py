"""Options of the graphs, for Studio, `context=` and commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from langchain_core.language_models import BaseChatModel
from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from dateline.chat import TRIES
from dateline.errors import BadInput
from dateline.facts.policy import EditKind, Policy
from dateline.options import BaseOptions
from dateline.reading import LocalReaderName
from dateline.reading.strategies import Strategy

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    from dateline.facts import FactStore

SearchName = Literal["folder", "serpapi"]

UpdaterName = Literal["local", "chat"]
"""`local`: rules, without any cost; `chat`: a chat model, at most three calls for each piece of a document."""


def _read_model(value: Any) -> Any:
    if isinstance(value, str | BaseChatModel):
        return value
    raise BadInput(
        f"model must be a chat model of LangChain, or its name such as openai:gpt-4o-mini, not a {type(value).__name__}."
    )


Model = Annotated[str | BaseChatModel, PlainValidator(_read_model), WithJsonSchema({"type": "string"})]
"""A chat model by its name (`dateline_graphs.models`), or the model itself."""


_OF_THE_SERVER = re.compile(r"__|langgraph_|(?:assistant|checkpoint|cron|graph|run|thread|user)_(?:id|ns|map)$")
"""Names that LangGraph's server itself puts beside the options."""


class _Properties(dict[str, Any]):
    """Schema fields that claim every name but the server's own.

    The server of LangGraph drops what the schema does not hold without a word; so a wrong name arrives and is refused.
    """

    def __contains__(self, name: object) -> bool:
        return not _OF_THE_SERVER.match(str(name))


class GraphOptions(BaseOptions):
    """Options that a graph takes as `context=`, also from a server."""

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the JSON schema of the options."""
        schema = super().model_json_schema(*args, **kwargs)
        return {**schema, "properties": _Properties(schema["properties"])}


class PolicyOptions(GraphOptions):
    """Policy of a fact store; a client may only tighten it."""

    interrupt_on: tuple[EditKind, ...] = Field(default=(), description="Kinds of edits that wait for a person.")
    sources: tuple[str, ...] = Field(
        default=(),
        description="Channels that may edit, such as a library, a folder in it or a domain. Empty: every one.",
    )
    min_sources: int = Field(
        default=1, ge=1, description="Sources that must speak against a fact before it is made false."
    )

    def policy(self) -> Policy:
        """Return the policy: who may edit facts, which edits wait."""
        return Policy(interrupt_on=self.interrupt_on, sources=self.sources or None, min_sources=self.min_sources)


class QuestionOptions(GraphOptions):
    """Options of a question, bounded; a client may send them."""

    reader: LocalReaderName = Field(
        default="trained", description="The local reader. trained: a small model, shipped with dateline. rules: none."
    )
    strategy: Strategy = Field(
        default="fresh_prompt",
        description="How an answer is found. fresh_prompt: evidence in order of time, worked examples. direct, "
        "chain_of_thought: from what the model knows. rag_concat: all passages, best first. self_mrag: each passage "
        "alone, then all. The local reader knows fresh_prompt (all passages) and self_mrag.",
    )
    k: int = Field(default=5, ge=1, le=100, description="How many pieces of evidence the reader sees.")
    candidates: int = Field(
        default=20, ge=0, le=1000, description="Further pieces each search brings, for re-retrieval (GrowOVER: 20)."
    )
    token_budget: int = Field(
        default=8000, ge=600, le=1_000_000, description="The most tokens that a chat model is given at once."
    )
    max_rounds: int = Field(
        default=1, ge=0, le=5, description="How often evidence may be retrieved again when the answer is uncertain."
    )
    check_premise: bool = Field(
        default=False, description="Check what the question takes for granted against the evidence."
    )
    per_document: bool = Field(
        default=False,
        description="Read each piece alone and take the most reliable answer, as in GrowOVER. Off, since the local reader "
        "was right more often where it read them together.",
    )
    abstain: bool = Field(default=False, description="Give no answer when it stays uncertain.")
    abstain_below: float = Field(
        default=0.5, ge=0, le=1, description="Where abstaining is asked for: the least p(reliable) of an answer."
    )
    max_outdated: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="Retrieve again, too, above this chance that the answer has changed since its newest evidence.",
    )
    max_model_calls: int = Field(
        default=0, ge=0, le=1_000_000, description="No further round beyond so many model calls; 0: no limit."
    )
    max_tokens: int = Field(
        default=0,
        ge=0,
        le=1_000_000_000,
        description="No further round beyond so many tokens, in and out; 0: no limit.",
    )
    max_seconds: float = Field(
        default=0.0, ge=0, le=86_400, description="No further round beyond so many seconds; 0: no limit."
    )


class ReadingOptions(GraphOptions):
    """Options of reading passages, bounded; a client may send them."""

    k: int = Field(default=5, ge=1, le=100, description="How many passages are read, the best first.")
    tries: int = Field(default=TRIES, ge=1, le=5, description="How often one request is put to the model at most.")
    token_budget: int = Field(default=8000, ge=600, le=1_000_000, description="The most tokens of the last prompt.")


class _SearchParts(GraphOptions):
    """Sources of an answer's evidence, chosen by the developer."""

    docs: str = Field(
        default="",
        description="A folder of dated documents, or one file of them, that is searched; or the address of a library in "
        "PostgreSQL (dateline index --to).",
    )
    docs_name: str = Field(default="", description="What docs is called in policies and facts. Empty: its own name.")
    trust_sources: bool = Field(
        default=False, description="Count the source that a document states as where it came from."
    )
    search: SearchName = Field(
        default="folder", description="folder: search docs. serpapi: ask Google through SerpAPI (SERPAPI_API_KEY)."
    )

    @model_validator(mode="after")
    def _in_one_place(self) -> Self:
        if self.docs and self.search != "folder":
            raise BadInput(f"An answer is looked up in one place; give docs or search {self.search}, not both.")
        return self


class _StoreParts(GraphOptions):
    """Models and fact stores; the developer's."""

    model: Model = Field(
        default="", description="A chat model: openai:gpt-4o-mini, a folder or a GGUF file. Empty: none; all is local."
    )
    facts: str = Field(
        default="", description="A folder, or a database URL, of the fact store. Empty: facts are not kept."
    )
    slots: str = Field(
        default="", description="A TOML file of attributes of your own. Empty: those that are shipped, alone."
    )
    updater: UpdaterName = Field(
        default="local", description="local: rules update the facts. chat: the model does, in at most three calls each."
    )

    @model_validator(mode="after")
    def _with_model(self) -> Self:
        if self.updater == "chat" and not self.model:
            raise BadInput("The chat updater needs a model; set model, for instance to openai:gpt-4o-mini.")
        return self

    def open_facts(self, *, embeddings: Embeddings) -> FactStore:
        """Open the fact store, with attributes of one's own."""
        from dateline.facts import SlotPack, open_store

        slots = SlotPack.load(self.slots) if self.slots else None
        return open_store(self.facts, embeddings=embeddings, slots=slots)


class AnswerOptions(QuestionOptions, PolicyOptions, _StoreParts, _SearchParts):
    """Options of the answer graph.

    Example:
        >>> AnswerOptions(docs="notes/", k="7").k
        7
        >>> AnswerOptions(dcs="notes/")
        Traceback (most recent call last):
        dateline.errors.BadInput: AnswerOptions has no 'dcs'; did you mean docs?
    """


class SelfMragOptions(ReadingOptions):
    """Options of the Self-MRAG graph.

    Example:
        >>> SelfMragOptions(k=3).tries
        2
    """

    model: Model = Field(
        default="", description="A chat model: openai:gpt-4o-mini, a folder or a GGUF file. Empty: the local reader."
    )


class UpdateFactsOptions(PolicyOptions, _StoreParts):
    """Options of the update graph.

    Example:
        >>> UpdateFactsOptions(facts="store", interrupt_on=["make_false"]).min_sources
        1
    """
