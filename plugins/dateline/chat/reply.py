"""Text, JSON, end, cost and failure of a chat model's reply."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from dateline.counted import counted
from dateline.errors import ModelFailed
from dateline.limits import REPLY, shortened
from dateline.records import Cost
from dateline.secrets import without_secrets
from dateline.text.tokens import TokenCounter

THOUGHT_TAGS = ("think", "thinking", "reasoning")
"""Tags between which models think aloud within a reply's text."""

_TAGS = "|".join(THOUGHT_TAGS)
_THOUGHT = re.compile(rf"<({_TAGS})>.*?(?:</\1>|\Z)", re.S | re.I)
_THOUGHT_END = re.compile(rf"</(?:{_TAGS})>", re.I)
_FENCE = re.compile(r"```\w*")

_TEXTS = ("text", "output_text")
_CUT = ("length", "max_tokens", "model_length")
_REFUSED = ("content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii")
"""How the interfaces of OpenAI, Anthropic, Google, Mistral and Ollama name the end of a reply."""


def reply_text(message: BaseMessage) -> str:
    """Return the text of a message or its blocks, without thinking."""
    content = message.content
    if isinstance(content, str):
        return content
    return "".join(map(_text_of, content)) if isinstance(content, list) else ""


def _text_of(block: object) -> str:
    """Return a block's text; thoughts, calls, pictures and refusals have none."""
    if isinstance(block, str):
        return block
    text = block.get("text") if isinstance(block, Mapping) and block.get("type", "text") in _TEXTS else None
    return text if isinstance(text, str) else ""


def whole_lines(message: BaseMessage) -> str:
    """Return a reply's text without a last line cut by a limit."""
    text = reply_text(message)
    return text.rstrip().rpartition("\n")[0] if was_cut(message) else text


def was_cut(message: BaseMessage) -> bool:
    """Return whether the provider's limit of tokens ended a reply."""
    return _reason(message) in _CUT


def refused(message: BaseMessage) -> bool:
    """Return whether the provider reports a refusal."""
    blocks = message.content if isinstance(message.content, list) else []
    said = any(isinstance(block, Mapping) and block.get("type") == "refusal" for block in blocks)
    return said or bool(message.additional_kwargs.get("refusal")) or _reason(message) in _REFUSED


def _reason(message: BaseMessage) -> str:
    told = message.response_metadata
    return str(told.get("finish_reason") or told.get("stop_reason") or told.get("done_reason") or "").lower()


def spoken(text: str) -> str:
    """Strip thinking tags and a code fence, and bound the length."""
    said = without_thoughts(shortened(text, limit=REPLY))
    opening = _FENCE.match(said)
    return said[opening.end() if opening else 0 :].strip().removesuffix("```").strip()


def without_thoughts(text: str) -> str:
    """Strip what a model thought aloud, between its tags.

    A template may have opened the first thought, so that a reply only closes it.
    """
    return _THOUGHT_END.split(_THOUGHT.sub("", text))[-1].strip()


def json_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a reply, however wrapped, or `None`."""
    text = spoken(text)
    start, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def cost_of(reply: object, *, said: str, asked: Sequence[BaseMessage], count: TokenCounter | None) -> Cost:
    """Return one call's cost: reported tokens, else those counted in both texts."""
    usage = getattr(reply, "usage_metadata", None) or {}
    if count is None or usage:
        read, written = usage.get("input_tokens") or 0, usage.get("output_tokens") or 0
        return Cost(model_calls=1, input_tokens=read, output_tokens=written)
    told = sum(count(reply_text(message)) for message in asked)
    return Cost(model_calls=1, input_tokens=told, output_tokens=count(said))


def failure(error: Exception) -> ModelFailed:
    """Describe a model's exception in one sentence without keys."""
    said = without_secrets(str(error))
    return ModelFailed(f"The chat model failed with {type(error).__name__}" + (f": {said}" if said else "."))


def unreadable(reply: str, *, tries: int) -> str:
    """Describe an unusable reply in one sentence."""
    shown = " ".join(reply.split())[:200]
    return f"The model's reply could not be read after {counted(tries, 'try')}: {shown!r}"
