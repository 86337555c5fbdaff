"""The options of the answer graph, as Studio shows them and as `context=` takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, cast, get_args

from pydantic import Field

from dateline.errors import BadInput
from dateline.facts.policy import EditKind
from dateline.reading import LocalReader
from dateline.reading.strategies import Strategy

SearchName = Literal["folder", "serpapi"]

UpdaterName = Literal["local", "chat"]
"""`local`: rules, without any cost; `chat`: a chat model, at most three calls for each piece of a document."""


def edit_kinds(given: Iterable[str]) -> tuple[EditKind, ...]:
    """Kinds of edits, which a server reads from JSON as a list. Raises `BadInput` for an unknown one."""
    for kind in given:
        if kind not in get_args(EditKind):
            raise BadInput(f"Unknown kind of edit {kind!r}; choose among {', '.join(get_args(EditKind))}.")
    return cast("tuple[EditKind, ...]", tuple(given))


@dataclass(frozen=True)
class AnswerOptions:
    """Options of the grow graph, as plain values.

    Raises `BadInput` when made with what cannot be done.
    """

    docs: Annotated[
        str, Field(description="A folder of dated documents, or one JSONL file, that local search reads.")
    ] = ""
    search: Annotated[
        SearchName, Field(description="folder: search docs. serpapi: ask Google through SerpAPI (SERPAPI_API_KEY).")
    ] = "folder"
    model: Annotated[
        str, Field(description="A chat model by its LangChain name, openai:gpt-4o-mini. Empty: the local reader.")
    ] = ""
    reader: Annotated[
        LocalReader,
        Field(description="The local reader. trained: a small model, shipped with dateline. rules: no model at all."),
    ] = "trained"
    strategy: Annotated[
        Strategy,
        Field(
            description="How an answer is found. fresh_prompt: evidence in order of time, worked examples. direct, "
            "chain_of_thought: from what the model knows. rag_concat: all passages, best first. self_mrag: each "
            "passage alone, then all. The local reader knows fresh_prompt (all passages) and self_mrag."
        ),
    ] = "fresh_prompt"
    facts: Annotated[
        str, Field(description="A directory for the fact store. Empty: facts are neither read nor updated.")
    ] = ""
    updater: Annotated[
        UpdaterName,
        Field(description="local: rules update the facts. chat: the model does, in at most three calls a document."),
    ] = "local"
    ask: Annotated[tuple[EditKind, ...], Field(description="Kinds of edits of facts that wait for a person.")] = ()
    k: Annotated[int, Field(description="How many pieces of evidence the reader sees, 1 to 100.")] = 5
    candidates: Annotated[
        int, Field(description="Further pieces each search brings, for re-retrieval, 0 to 1000 (GrowOVER: 20).")
    ] = 20
    token_budget: Annotated[int, Field(description="The most tokens that a chat model is given, 600 to 1000000.")] = (
        8000
    )
    max_rounds: Annotated[
        int, Field(description="How often evidence may be retrieved again when the answer is uncertain, 0 to 5.")
    ] = 1
    check_premise: Annotated[
        bool, Field(description="Whether what the question takes for granted is held against the evidence.")
    ] = False
    alone: Annotated[
        bool,
        Field(description="Whether each piece is read alone and the most reliable answer taken, as in GrowOVER."),
    ] = False
    abstain: Annotated[bool, Field(description="Whether an answer that stays uncertain is withheld.")] = False
    abstain_below: Annotated[
        float, Field(description="Where abstaining is asked for: the least p(reliable) of an answer, 0 to 1.")
    ] = 0.5
    max_model_calls: Annotated[
        int, Field(description="No further round that would take more model calls in all; 0: no limit.")
    ] = 0
    max_tokens: Annotated[int, Field(description="The same for tokens, in and out; 0: no limit.")] = 0
    max_seconds: Annotated[float, Field(description="The same for seconds; 0: no limit.")] = 0.0

    def __post_init__(self) -> None:
        if self.search not in get_args(SearchName):
            raise BadInput(f"Unknown search {self.search!r}; choose one of {', '.join(get_args(SearchName))}.")
        if self.reader not in get_args(LocalReader):
            raise BadInput(f"Unknown reader {self.reader!r}; choose one of {', '.join(get_args(LocalReader))}.")
        if self.updater not in get_args(UpdaterName):
            raise BadInput(f"Unknown updater {self.updater!r}; choose one of {', '.join(get_args(UpdaterName))}.")
        object.__setattr__(self, "ask", edit_kinds(self.ask))
        if self.updater == "chat" and not self.model:
            raise BadInput("The chat updater needs a model; set model, for instance to openai:gpt-4o-mini.")
        if self.strategy not in get_args(Strategy):
            raise BadInput(f"Unknown strategy {self.strategy!r}; choose one of {', '.join(get_args(Strategy))}.")
        for name, low, high in (
            ("k", 1, 100),
            ("candidates", 0, 1000),
            ("token_budget", 600, 1_000_000),
            ("max_rounds", 0, 5),
            ("abstain_below", 0, 1),
            ("max_model_calls", 0, 1_000_000),
            ("max_tokens", 0, 1_000_000_000),
            ("max_seconds", 0, 86_400),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise BadInput(f"{name} must lie between {low} and {high}, not {value}.")
