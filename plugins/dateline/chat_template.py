"""Prompts of chats, written by the chat template of a tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from dateline.errors import BadInput


class ChatTurn(NamedTuple):
    """A message of a chat.

    Attributes:
        role: who says it.
        text: holds no control tokens of the model (`dateline.text.special_tokens`).
    """

    role: Literal["system", "user", "assistant"]
    text: str


def chat_prompt(turns: Sequence[ChatTurn], *, tokenizer: Any) -> str:
    """Write a chat up to where the assistant's turn begins.

    Turns of one role in a row become one, since many templates refuse them. Where a template refuses system messages,
    they open the user's first turn. A tokenizer without a template gets lines of "User:" and "Assistant:".

    Raises:
        BadInput: for a chat without turns, or one that the template refuses all the same.

    Example:
        >>> from types import SimpleNamespace
        >>> turns = [ChatTurn("system", "Be brief."), ChatTurn("user", "Who leads it?"), ChatTurn("user", "Today.")]
        >>> print(chat_prompt(turns, tokenizer=SimpleNamespace()))
        Be brief.
        <BLANKLINE>
        User: Who leads it?
        <BLANKLINE>
        Today.
        <BLANKLINE>
        Assistant:
    """
    joined = _joined(turns)
    if not joined:
        raise BadInput("The chat holds no message; give at least one.")
    if not getattr(tokenizer, "chat_template", None):
        return "\n\n".join([*map(_plain, joined), "Assistant:"])
    try:
        return _templated(joined, tokenizer)
    except Exception:  # templates raise what they like
        folded = _joined([ChatTurn("user" if role == "system" else role, text) for role, text in joined])
    try:
        return _templated(folded, tokenizer)
    except Exception as cause:
        raise BadInput(
            f"The chat template of the model refuses this chat: {' '.join(str(cause).split())[:200]}"
        ) from cause


def _joined(turns: Sequence[ChatTurn]) -> list[ChatTurn]:
    groups = groupby(turns, key=lambda turn: turn.role)
    return [ChatTurn(role, "\n\n".join(turn.text for turn in group)) for role, group in groups]


def _templated(turns: Sequence[ChatTurn], tokenizer: Any) -> str:
    messages = [{"role": role, "content": text} for role, text in turns]
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


def _plain(turn: ChatTurn) -> str:
    return turn.text if turn.role == "system" else f"{turn.role.capitalize()}: {turn.text}"
