"""Dynamic retrieval with a chat model behind an API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Self

from dateline.chat.binding import Extras
from dateline.dynamic.base import RetrievingGenerator, search_of
from dateline.dynamic.chat_run import ChatLedger, ChatRun, ModelReply
from dateline.dynamic.options import MOST_WINDOW, ChatOptions, WhenSpent
from dateline.dynamic.prompt import Layout, PlainLayout
from dateline.dynamic.queries import CertainSentence, Query
from dateline.dynamic.spelling import Spelling
from dateline.dynamic.triggers import Trigger
from dateline.errors import BadInput
from dateline.temporal.constraint import Question

TOP = 5
"""How many of the likeliest tokens are asked for at each place; most providers tell at most 20."""


class ChatGenerator(RetrievingGenerator):
    """A `RetrievingGenerator` around any LangChain `BaseChatModel`.

    A reply is read as it streams and abandoned where the trigger fires; the model is then asked, with the documents
    retrieved, to go on from the text that stays. Where the trigger reads probabilities (`Flare`, `Entropy`),
    log-probabilities are requested in the form that OpenAI's and most other integrations understand; a model that
    reports none is refused at its first token. The other triggers need none: `LookAhead`, `EverySentence`,
    `EveryTokens`, `Once`, `Outdated`. Attention is never available, so neither `Rind` nor `AttentionQuery` can be used.

    Without log-probabilities a token is a word or a punctuation mark; `max_new_tokens` and `context_tokens` count
    those.

    Example:
        >>> from dateline.dynamic import Bm25Search
        >>> from dateline.dynamic.triggers import Once
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["Ada Berg is mayor."])
        >>> generator = ChatGenerator(model, retriever=Bm25Search(["Ada Berg is mayor of Lund."]), trigger=Once())
        >>> generation = generator.generate("Who is mayor of Lund?")
        >>> generation.text, [each.text for each in generation.documents]
        ('Ada Berg is mayor.', ['Ada Berg is mayor of Lund.'])
    """

    options: ChatOptions

    def __init__(
        self,
        model: Any,
        *,
        retriever: Any,
        trigger: Trigger,
        query: Query | None = None,
        layout: Layout | None = None,
        k: int = 3,
        document_words: int = 100,
        max_new_tokens: int = 512,
        max_retrievals: int | None = None,
        max_calls: int = 16,
        when_spent: WhenSpent = "continue",
        stop_at: Sequence[str] = (),
        context_tokens: int = MOST_WINDOW,
        top_logprobs: int = TOP,
    ) -> None:
        """Put the parts together; arguments not listed are those of `DynamicGenerator`.

        Args:
            model: a chat model of LangChain, or a runnable around one.
            query: by default the sentence in doubt without its unsure words.
            max_calls: how often the model may be called in one generation; triggers are ignored during the last call.
            top_logprobs: how many of the likeliest tokens entropy is estimated from.

        Raises:
            BadInput: for values out of range, an unusable retriever, or a trigger or query that needs attention.
        """
        if not callable(getattr(model, "stream", None)) or not callable(getattr(model, "bind", None)):
            raise BadInput(f"{type(model).__name__} is no chat model; pass a BaseChatModel of LangChain.")
        self.model = model
        self.search = search_of(retriever)
        self.options = ChatOptions(
            tokenizer=None,  # each generation spells its own
            trigger=trigger,
            query=CertainSentence() if query is None else query,
            layout=PlainLayout() if layout is None else layout,
            context_tokens=context_tokens,
            end_tokens=frozenset(),
            k=k,
            document_words=document_words,
            max_new_tokens=max_new_tokens,
            max_retrievals=max_retrievals,
            when_spent=when_spent,
            stop_at=stop_at,
            max_calls=max_calls,
            top_logprobs=top_logprobs,
        )
        self._check()

    def with_model(self, model: Any) -> Self:
        """Copy this generator around another model or a configured copy."""
        other = copy(self)
        other.model = model
        return other

    def _loop(self, text: str, *, question: Question | None, interrupted: Callable[[], bool]) -> ChatRun:
        options = replace(self.options, tokenizer=Spelling())
        return ChatRun(
            text,
            question,
            options,
            ChatLedger(),
            self.search,
            interrupted,
            reply=ModelReply(self._bound()),
            name=type(self.model).__name__,
        )

    def _bound(self) -> Any:
        if not self.options.trigger.needs_probability:
            return self.model
        return self.model.bind(**Extras(logprobs=self.options.top_logprobs).arguments)

    def _check(self) -> None:
        for name, part in (("trigger", self.options.trigger), ("query", self.options.query)):
            if part.needs_attention:
                raise BadInput(
                    f"The {name} {part.name!r} reads attention, which no API shows; "
                    + ("use Entropy(threshold) or Flare(threshold)." if name == "trigger" else "use CertainSentence().")
                )
