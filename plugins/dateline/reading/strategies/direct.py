"""Direct prompt: the question alone (MRAG, table 3)."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES
from dateline.reading.strategies.one_prompt import OnePrompt


class Direct(OnePrompt):
    """Asks a chat model for what it knows, without evidence."""

    def __init__(self, model: BaseChatModel, *, tries: int = TRIES) -> None:
        super().__init__(model, passages=0, reasoning=False, tries=tries)
