"""Chat history: turns read from the forms people keep them in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dateline.errors import BadInput
from dateline.limits import TURN, TURNS

Role = Literal["user", "assistant"]

MAX_QUERY = 600
"""Characters of a search query made of a chat; the latest words are kept."""

_ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "expert": "assistant",
}
_SILENT = ("system", "developer", "tool", "function")


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said: by whom, and what."""

    role: Role
    content: str


def read_history(given: Any) -> tuple[Turn, ...]:
    """Read a chat's turns, oldest first.

    Takes a list of `{"role", "content"}`, of `Turn`s or of LangChain messages.

    Roles are user (human) and assistant (ai, expert); what a system or a tool said, and empty turns, are left out. The last
    `limits.TURNS` are kept. The input stays as it is.

    Raises:
        BadInput: for anything else.
    """
    if given is None:
        return ()
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise BadInput('A chat history is a list of turns such as {"role": "user", "content": "Who is the pope?"}.')
    turns = [turn for number, one in enumerate(given, 1) if (turn := _turn(one, number)) is not None]
    return tuple(turns[-TURNS:])


def history_query(history: Sequence[Turn], *, question: str) -> str:
    """Join chat and question into one search query (GrowOVER, section 5.1)."""
    said = " ".join(" ".join(turn.content.split()) for turn in history)
    room = max(0, MAX_QUERY - len(question) - 1)
    kept = said[-room:] if room else ""
    if len(said) > room:
        kept = kept.partition(" ")[2]  # a word that was cut in two
    return f"{kept} {question}".strip()


def _turn(one: object, number: int) -> Turn | None:
    role: Any
    content: Any
    if isinstance(one, Turn):
        role, content = one.role, one.content
    elif isinstance(one, Mapping):
        role, content = one.get("role", one.get("type")), one.get("content", one.get("text"))
    else:
        role, content = _role_of(one), getattr(one, "content", None)
    if role in _SILENT:
        return None
    if not isinstance(role, str) or role not in _ROLES:
        raise BadInput(f"Turn {number} of the history has the role {role!r}; use user or assistant.")
    text = "" if content is None else _text(content)
    if text is None:
        raise BadInput(f"Turn {number} of the history has no text; give its content as a string.")
    text = text.strip()
    return Turn(_ROLES[role], text[:TURN]) if text else None


def _role_of(message: object) -> object:
    """Return the role of a LangChain message.

    Its `type` names it, of a part of a stream with "MessageChunk" behind it; a `ChatMessage` names one of its own.
    """
    kind = getattr(message, "type", None)
    if kind in ("chat", "ChatMessageChunk"):
        return getattr(message, "role", None)
    return kind.removesuffix("MessageChunk").lower() if isinstance(kind, str) else kind


def _text(content: object) -> str | None:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [
        block if isinstance(block, str) else block.get("text", "")
        for block in content
        if isinstance(block, str | Mapping)
    ]
    return " ".join(part for part in parts if isinstance(part, str))
