"""Text, JSON, probability, cost and failure of a chat model's reply."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from dateline.errors import ModelFailed
from dateline.limits import REPLY, shortened
from dateline.records import Cost
from dateline.secrets import without_secrets
from dateline.text.tokens import TokenCounter

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_FENCE = re.compile(r"```\w*")


def reply_text(message: BaseMessage) -> str:
    """Return the text of a message or its blocks, without thinking."""
    content = message.content
    if isinstance(content, str):
        return content
    parts = [block if isinstance(block, str) else str(block.get("text", "")) for block in content if block]
    return "".join(parts)


def spoken(text: str) -> str:
    """Strip thinking tags and a code fence, and bound the length."""
    said = without_thoughts(shortened(text, limit=REPLY))
    opening = _FENCE.match(said)
    return said[opening.end() if opening else 0 :].strip().removesuffix("```").strip()


def without_thoughts(text: str) -> str:
    """Strip what a model thought aloud, between its tags."""
    return _THOUGHT.sub("", text).strip()


def json_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a reply, however wrapped, or `None`."""
    text = spoken(text)
    start, end = text.find("{"), text.rfind("}")
    try:
        value = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def probability_of(message: BaseMessage) -> float | None:
    """Return the geometric mean of token probabilities, where the provider reports them."""
    logprobs = message.response_metadata.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(tokens, list) or not tokens:
        return None
    values = [token["logprob"] for token in tokens if isinstance(token, Mapping) and "logprob" in token]
    return min(1.0, math.exp(sum(values) / len(values))) if values else None


def cost_of(reply: object, *, said: str, asked: Sequence[BaseMessage], count: TokenCounter | None) -> Cost:
    """Return one call's cost: reported tokens, else those counted in both texts."""
    if count is None or getattr(reply, "usage_metadata", None):
        return Cost.of_reply(reply)
    told = sum(count(reply_text(message)) for message in asked)
    return Cost(model_calls=1, input_tokens=told, output_tokens=count(said))


def failure(error: Exception) -> ModelFailed:
    """Describe a model's exception in one sentence without keys."""
    said = without_secrets(str(error))
    return ModelFailed(f"The chat model failed with {type(error).__name__}" + (f": {said}" if said else "."))


def unreadable(reply: str, *, tries: int) -> str:
    """Describe an unusable reply in one sentence."""
    shown = " ".join(reply.split())[:200]
    return f"The model's reply could not be read after {in_words(tries)}: {shown!r}"


def in_words(tries: int) -> str:
    """Count tries in words: "1 try", "2 tries"."""
    return "1 try" if tries == 1 else f"{tries} tries"
