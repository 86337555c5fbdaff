"""Results of generation with retrieval: tokens, retrievals, ending and cost."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from dateline.records import Cost, Evidence, Record

Ended = Literal["finished", "length", "interrupted", "budget", "context full", "failed"]
"""How a generation ended: by itself, at `max_new_tokens` or the limit of a provider, by whoever asked for it, because no
retrieval was left and `when_spent` says to stop, because the model's context held no more, or because a model behind an
API failed midway."""


class TokenScore(Record):
    """A token of the answer with its RIND scores (DRAGIN, equations 1-5)."""

    index: int = Field(description="Its place in the answer, from 0.")
    id: int = Field(description="Its number in the tokenizer's vocabulary.")
    text: str = Field(description="The characters it adds; empty where it only begins a character.")
    word: str = Field(default="", description="The word it belongs to; empty for punctuation and white space.")
    stopword: bool = Field(default=False, description="Whether that word is a stopword.")
    probability: float | None = Field(
        default=None, description="The model's probability of this token, 0 to 1; None: it does not tell."
    )
    entropy: float | None = Field(
        default=None,
        description="Of the model's distribution where it was chosen, in nats (equation 1); None: not told.",
    )
    max_attention: float | None = Field(
        default=None, description="The most that a later token attends to it, 0 to 1 (equation 3); None: not known."
    )
    rind: float | None = Field(default=None, description="Equation 5; None where `max_attention` is.")


class Retrieval(Record):
    """One retrieval during a generation.

    Example:
        >>> Retrieval(number=1, position=0, trigger="once", reason="Always.", score=1.0, query="mayor of Lund").query
        'mayor of Lund'
    """

    number: int = Field(description="Counted from 1.")
    position: int = Field(description="The answer's tokens from this one on were withdrawn and generated anew.")
    trigger: str = Field(description="Which trigger fired.")
    reason: str = Field(description="Why, in words a person can read.")
    score: float = Field(description="The score that made it fire, on the trigger's own scale.")
    query: str
    documents: tuple[Evidence, ...] = Field(default=(), description="In front of the answer from here on.")
    withdrawn: int = Field(default=0, description="How many tokens were taken back; 0 where nothing new came.")
    withdrawn_text: str = ""
    note: str = Field(default="", description="What went otherwise than planned: nothing found, a failure, no room.")
    failed: bool = Field(default=False, description="Whether the retriever raised; its error is in `note`.")
    seconds: float = Field(default=0.0, description="Wall-clock seconds of the search.")

    def told(self, *, documents: bool = True) -> dict[str, Any]:
        """Return it as JSON; withdrawn tokens are counted, not shown.

        Args:
            documents: whether with what was found.
        """
        return self.model_dump(
            mode="json", exclude={"withdrawn_text"} if documents else {"withdrawn_text", "documents"}
        )


class Generation(Record):
    """A generated answer with its retrievals and cost.

    Example:
        >>> Generation(question="Who?", text="Bo Ek", ended="finished", statement="It finished.", cost=Cost()).text
        'Bo Ek'
    """

    question: str
    as_of: datetime | None = Field(default=None, description="The moment as of which documents were looked up.")
    text: str = Field(description="The answer, without white space around it.")
    tokens: tuple[TokenScore, ...] = ()
    retrievals: tuple[Retrieval, ...] = ()
    threshold: float | None = Field(default=None, description="The trigger's, where it has one.")
    ended: Ended
    statement: str = Field(description="One sentence: how it ended, and what did not go to plan.")
    cost: Cost = Field(
        description="model_calls: forward passes; input_tokens: tokens encoded without being generated; "
        "output_tokens: tokens generated, the withdrawn ones too."
    )

    @property
    def documents(self) -> tuple[Evidence, ...]:
        """Documents in front of the answer when it ended."""
        return next((each.documents for each in reversed(self.retrievals) if each.documents), ())

    def told(self, *, documents: bool = True) -> dict[str, Any]:
        """Return how it ended as JSON, for whoever has its text.

        Args:
            documents: whether with those in front of the answer.
        """
        found = {"documents": [each.model_dump(mode="json") for each in self.documents]} if documents else {}
        return {
            "ended": self.ended,
            "statement": self.statement,
            "retrievals": len(self.retrievals),
            **found,
            "cost": self.cost.model_dump(mode="json"),
        }


class TokenEvent(Record):
    """A newly generated token; later tokens' attention is not known yet.

    One whose index was there before comes behind a retrieval that withdrew that token and all behind it.
    """

    kind: Literal["token"] = "token"
    token: TokenScore


class RetrievalEvent(Record):
    """A retrieval; if `withdrawn` > 0, tokens from `position` on are withdrawn."""

    kind: Literal["retrieval"] = "retrieval"
    retrieval: Retrieval


class EndEvent(Record):
    """The end of the generation; always the last event."""

    kind: Literal["end"] = "end"
    generation: Generation


Event = TokenEvent | RetrievalEvent | EndEvent
"""What a stream of a generation brings."""
