"""Chain of thought: reasoning, then the answer (MRAG, table 3)."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES
from dateline.reading.strategies.one_prompt import BUDGET, OnePrompt
from dateline.text import TokenCounter


class ChainOfThought(OnePrompt):
    """Lets a chat model reason about times before it answers.

    It is shown no evidence unless `passages` says how much.

    Example:
        >>> from dateline.temporal import decompose
        >>> from dateline.temporal.as_of import now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Ada Berg"])
        >>> ChainOfThought(model).read(decompose("Who is mayor?", as_of=now()), evidence=[]).reading.answer
        'Ada Berg'
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        passages: int = 0,
        tries: int = TRIES,
        budget: int = BUDGET,
        count: TokenCounter | None = None,
    ) -> None:
        super().__init__(model, passages=passages, reasoning=True, tries=tries, budget=budget, count=count)
