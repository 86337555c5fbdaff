"""Direct prompt: the question alone (MRAG, table 3)."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES
from dateline.reading.strategies.one_prompt import OnePrompt


class Direct(OnePrompt):
    """Asks a chat model for what it knows, without evidence.

    Example:
        >>> from dateline.temporal import decompose
        >>> from dateline.temporal.as_of import now
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> model = ScriptedChatModel(replies=["answer: Ada Berg"])
        >>> Direct(model).read(decompose("Who is mayor?", as_of=now()), evidence=[]).reading.answer
        'Ada Berg'
    """

    def __init__(self, model: BaseChatModel, *, tries: int = TRIES) -> None:
        super().__init__(model, passages=0, reasoning=False, tries=tries)
