"""The question and context in a LlamaIndex chat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from llama_index.core.base.llms.types import ChatMessage, MessageRole

from dateline import BadInput
from dateline.dynamic.app_prompt import AppPrompt, QuestionOf, read_app_prompt
from dateline.reading.history import Role, Turn

_ROLES: dict[MessageRole, Role] = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant"}


def asked_by_chat(messages: Sequence[ChatMessage], *, as_of: datetime, question_of: QuestionOf) -> AppPrompt:
    """Read the question of a chat's last message, and its context.

    System messages hold the context of LlamaIndex's chat engines.

    Raises:
        BadInput: where the last message is not a user's, or is empty.
    """
    if not messages or messages[-1].role != MessageRole.USER:
        raise BadInput("The last message is no question; end the messages with a user's one.")
    return read_app_prompt(
        messages[-1].content or "",
        as_of=as_of,
        question_of=question_of,
        turns=[Turn(_ROLES[each.role], each.content) for each in messages[:-1] if each.role in _ROLES and each.content],
        system=[each.content for each in messages if each.role == MessageRole.SYSTEM and each.content],
    )
