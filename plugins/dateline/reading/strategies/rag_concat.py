"""RAG-Concat: all passages in one prompt, best first (MRAG, table 3)."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES
from dateline.errors import BadInput
from dateline.reading.strategies.one_prompt import BUDGET, MAX_PASSAGES, Arranged, OnePrompt
from dateline.text import TokenCounter


class RagConcat(OnePrompt):
    """Shows a chat model the passages one after the other.

    Raises:
        BadInput: for `passages` or `tries` below 1, or a `budget` too small for any evidence.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.temporal import decompose
        >>> from dateline.temporal.as_of import now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Ada Berg"])
        >>> notes = [Evidence.make("Ada Berg is mayor.")]
        >>> RagConcat(model).read(decompose("Who is mayor?", as_of=now()), evidence=notes).reading.answer
        'Ada Berg'
    """

    def __init__(
        self,
        model: BaseChatModel,
        *,
        passages: int = MAX_PASSAGES,
        reasoning: bool = False,
        from_memory: bool = False,
        arranged: Arranged = "rank",
        tries: int = TRIES,
        budget: int = BUDGET,
        count: TokenCounter | None = None,
    ) -> None:
        """Take a model.

        Args:
            passages: the most that are shown.
            reasoning: whether the model reasons first.
            from_memory: whether it may answer from what it knows where the passages do not answer, as in the paper.
            arranged: best first, or oldest to newest.
            budget: the most tokens of the prompt.
        """
        if passages < 1:
            raise BadInput(f"passages must be at least 1, not {passages}; Direct shows none.")
        super().__init__(
            model,
            passages=passages,
            reasoning=reasoning,
            from_memory=from_memory,
            arranged=arranged,
            tries=tries,
            budget=budget,
            count=count,
        )
