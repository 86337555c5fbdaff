"""Questions, answers and documents in the inputs and outputs of chains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

QUESTION = ("question", "input", "query")
"""Fields in which chains are given their question, the first that is there."""
ANSWER = ("answer", "output", "result", "output_text", "text", "response")
"""Fields in which chains give their answer."""
DOCUMENTS = ("documents", "context", "source_documents", "input_documents")


def question_in(value: Any) -> str:
    """Return the question of a chain's input, empty where none is.

    It may be text, a message, the last human message, or a field.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, BaseMessage):
        return str(value.text).strip()
    if isinstance(value, Mapping):
        named = next((value[name] for name in QUESTION if value.get(name)), None)
        return question_in(named) if named is not None else question_in(value.get("messages"))
    if isinstance(value, Sequence):
        return next((str(one.text).strip() for one in reversed(value) if isinstance(one, HumanMessage)), "")
    return str(getattr(value, "text", "") or "").strip() if hasattr(value, "text") else ""


def answer_in(value: Any) -> str:
    """Return the answer of a chain's output, empty where none is.

    It may be text, a message, the last message of a model, or a field.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, BaseMessage):
        return str(value.text).strip()
    if isinstance(value, Mapping):
        named = next((value[name] for name in ANSWER if value.get(name)), None)
        return answer_in(named) if named is not None else answer_in(value.get("messages"))
    if isinstance(value, Sequence):
        return next((str(one.text).strip() for one in reversed(value) if isinstance(one, AIMessage)), "")
    return ""


def documents_in(value: Any) -> list[Document]:
    """Documents that a chain's input or output names itself."""
    if not isinstance(value, Mapping):
        return []
    named = next((value[name] for name in DOCUMENTS if isinstance(value.get(name), list | tuple)), ())
    return [one for one in named if isinstance(one, Document)]
