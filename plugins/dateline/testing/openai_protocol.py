"""Bodies of OpenAI's chat completions: requests read, replies written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, convert_to_openai_messages

LOG_PROBABILITY = -0.1
"""Of each token of a reply that tells none."""


class RefusedRequest(Exception):
    """Request that the server refuses, with the sentence that it says."""


def check_alternation(messages: Sequence[Mapping[str, Any]]) -> None:
    """Refuse two turns of one side in a row."""
    sides = [
        "assistant" if one.get("role") == "assistant" else "user" for one in messages if one.get("role") != "system"
    ]
    expected = [("user", "assistant")[place % 2] for place in range(len(sides))]
    if sides != expected:
        raise RefusedRequest("Conversation roles must alternate user/assistant/user/assistant/...")


def asked_schema(request: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the JSON schema that a reply is to follow, if any."""
    form = request.get("response_format") or {}
    schema: Mapping[str, Any] | None = (form.get("json_schema") or {}).get("schema")
    return schema


def least_instance(schema: Mapping[str, Any], *, root: Mapping[str, Any] | None = None) -> Any:
    """Return a small value that a schema allows.

    Example:
        >>> least_instance({"type": "object", "properties": {"name": {"type": "string"}}})
        {'name': ''}
    """
    root = schema if root is None else root
    if "$ref" in schema:
        return least_instance(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root=root)
    if "enum" in schema or "const" in schema:
        return schema.get("const", (schema.get("enum") or [None])[0])
    if "anyOf" in schema:
        return least_instance(schema["anyOf"][0], root=root)
    if schema.get("type") == "object":
        return {name: least_instance(one, root=root) for name, one in schema.get("properties", {}).items()}
    plain: dict[str, Any] = {"array": [], "string": "", "integer": 0, "number": 0, "boolean": False}
    return plain.get(str(schema.get("type")))


def follows(text: str, schema: Mapping[str, Any]) -> bool:
    """Return whether a text holds what a schema requires."""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return isinstance(value, dict) and set(schema.get("required", schema.get("properties", {}))) <= set(value)


def completion_of(reply: AIMessage, *, request: Mapping[str, Any]) -> dict[str, Any]:
    """Write a reply as a chat completion."""
    message = dict(_openai(reply))
    return {
        **_about("chat.completion", request),
        "choices": [
            {
                "index": 0,
                "message": {**message, "refusal": None},
                "finish_reason": _finish(reply),
                "logprobs": {"content": tokens_of(reply)} if request.get("logprobs") else None,
            }
        ],
        "usage": _usage(reply, request),
    }


def chunks_of(reply: AIMessage, *, request: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a reply as the chunks of a stream, a token each."""
    about = _about("chat.completion.chunk", request)

    def chunk(delta: dict[str, Any], finish: str | None = None, told: Sequence[Any] | None = None) -> dict[str, Any]:
        logprobs = {"content": told} if told is not None and request.get("logprobs") else None
        return {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": logprobs}]}

    yield chunk({"role": "assistant", "content": ""})
    for token in tokens_of(reply):
        yield chunk({"content": token["token"]}, told=[token])
    calls = _openai(reply).get("tool_calls") or []
    if calls:
        yield chunk({"tool_calls": [{**call, "index": place} for place, call in enumerate(calls)]})
    yield chunk({}, finish=_finish(reply))
    if (request.get("stream_options") or {}).get("include_usage"):
        yield {**about, "choices": [], "usage": _usage(reply, request)}


def tokens_of(reply: AIMessage) -> list[dict[str, Any]]:
    """Return the reply's tokens: those that its model tells, else its words."""
    told = reply.response_metadata.get("logprobs")
    if isinstance(told, Mapping) and told.get("content"):
        return [dict(one) for one in told["content"]]
    words = re.findall(r"\s*\S+|\s+$", str(reply.text))
    return [{**_alternative(word), "top_logprobs": [_alternative(word)]} for word in words]


def _alternative(word: str) -> dict[str, Any]:
    return {"token": word, "logprob": LOG_PROBABILITY, "bytes": list(word.encode())}


def _openai(reply: AIMessage) -> Mapping[str, Any]:
    message: Any = convert_to_openai_messages(AIMessage(content=str(reply.text), tool_calls=reply.tool_calls))
    return {**message, "content": message["content"] or None} if reply.tool_calls else message


def _finish(reply: AIMessage) -> str:
    return "tool_calls" if reply.tool_calls else str(reply.response_metadata.get("finish_reason") or "stop")


def _about(kind: str, request: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": "chatcmpl-local", "object": kind, "created": 0, "model": str(request.get("model") or "local")}


def _usage(reply: AIMessage, request: Mapping[str, Any]) -> dict[str, int]:
    """Return the tokens reported, else a quarter of the characters."""
    told = reply.usage_metadata
    read = told["input_tokens"] if told else len(json.dumps(request.get("messages", []))) // 4
    written = told["output_tokens"] if told else max(1, len(str(reply.text)) // 4)
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
