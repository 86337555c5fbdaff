"""Requests as chat messages whose roles alternate."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from dateline.chat.reply import reply_text, without_thoughts
from dateline.limits import shortened

SHOWN = 2_000
"""Characters of an unusable reply that are shown to the model again."""

_EMPTY = "(nothing)"
"""Stands for an empty reply, since many servers refuse a turn without text."""


def request(task: str, *, material: str, form: str) -> list[BaseMessage]:
    """Write a request: task first, the reply's form once and last.

    `material` stands between them; it holds what was found or asked, each text on a line of its own behind a label. The
    form has no empty line, so that it is the last paragraph of the request.

    Example:
        >>> [message.type for message in request("Count.", material="text: a b", form="Reply with a number.")]
        ['system', 'human']
    """
    return [SystemMessage(task), HumanMessage(f"{material}\n\n{form}")]


def material_of(messages: Sequence[BaseMessage]) -> str:
    """Return what a request showed: its last message without the form."""
    return reply_text(messages[-1]).rpartition("\n\n")[0] if messages else ""


def asked_again(messages: Sequence[BaseMessage], *, reply: str, complaint: str) -> list[BaseMessage]:
    """Add a reply and what is wrong with it to a request."""
    shown = shortened(without_thoughts(reply), limit=SHOWN)
    return alternating([*messages, AIMessage(shown or _EMPTY), HumanMessage(complaint)])


def alternating(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Join neighbours of one role, which many chat templates refuse.

    Example:
        >>> [one.content for one in alternating([HumanMessage("How many?"), HumanMessage("Reply with a number.")])]
        ['How many?\\n\\nReply with a number.']
    """
    joined: list[BaseMessage] = []
    for message in messages:
        if joined and joined[-1].type == message.type:
            text = f"{reply_text(joined[-1])}\n\n{reply_text(message)}"
            joined[-1] = joined[-1].model_copy(update={"content": text})
        else:
            joined.append(message)
    return joined
