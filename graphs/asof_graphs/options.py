"""The options of the answer graph, as Studio shows them and as `context=` takes them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args

from asof.errors import BadInput

SearchName = Literal["folder", "serpapi"]


@dataclass(frozen=True)
class AnswerOptions:
    """Everything that a run can be told, as plain values.

    Attributes:
        docs: a folder of dated documents, or one JSONL file, that local search reads.
        search: "folder" searches `docs`; "serpapi" asks Google through SerpAPI (`SERPAPI_API_KEY`).
        model: a chat model by its LangChain name ("openai:gpt-4o-mini", "ollama:llama3.1"); empty: the local reader.
        facts: a directory for the fact store; empty: facts are neither read nor updated.
        k: how many pieces of evidence the reader sees.
        candidates: how many further pieces each search brings, for re-retrieval (GrowOVER: 20).
        token_budget: the most tokens of evidence that a chat model is shown.
        max_rounds: how often evidence may be retrieved again when the answer is not certain, 0 to 5.
        abstain: whether an answer that stays uncertain is withheld.
    """

    docs: str = ""
    search: SearchName = "folder"
    model: str = ""
    facts: str = ""
    k: int = 5
    candidates: int = 20
    token_budget: int = 4000
    max_rounds: int = 1
    abstain: bool = False

    def __post_init__(self) -> None:
        if self.search not in get_args(SearchName):
            raise BadInput(f"Unknown search {self.search!r}; choose one of {', '.join(get_args(SearchName))}.")
        for name, low, high in (
            ("k", 1, 100),
            ("candidates", 0, 1000),
            ("token_budget", 100, 1_000_000),
            ("max_rounds", 0, 5),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise BadInput(f"{name} must lie between {low} and {high}, not {value}.")


OPTION_NAMES: tuple[str, ...] = tuple(field.name for field in fields(AnswerOptions))
