"""Questions, answers and documents in the inputs and outputs of chains."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Number
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, convert_to_messages

from dateline.certainty.answer import answer_held, said_nothing
from dateline.errors import BadInput
from dateline.reading.history import Turn, read_history
from dateline.temporal.run_day import day_in
from langchain_dateline.documents import checked

QUESTION = ("question", "input", "query")
"""Fields in which chains are given their question, the first that is there."""
ANSWER = ("answer", "output", "result", "output_text", "text", "response")
"""Fields in which chains give their answer."""
TIMES = ("known_at", "during", "before", "after")
"""Fields in which a chain names the other times of a question, for a retriever that takes them."""
DOCUMENTS = ("documents", "context", "source_documents", "input_documents")


def question_in(value: Any) -> str:
    """Return the question of a chain's input, empty where none is.

    It may be text, a message, the last human message, or a field.
    """
    found = _text_in(value, QUESTION, HumanMessage)
    return found or str(getattr(value, "text", "") or "").strip()


def retrieval_in(value: Any, *, taken: Collection[str] = ()) -> tuple[Any, dict[str, Any]]:
    """Return a retriever's query, and the times that come with it.

    Anything but a mapping is the query itself. Of `TIMES` beside `as_of` those count that the retriever has `taken`.

    Raises:
        BadInput: for a mapping without a question, and for a misspelt `as_of`.
    """
    if not isinstance(value, Mapping):
        return value, {}
    as_of = day_in(value)
    if not (question := question_in(value)):
        raise BadInput('The input holds no question; give a text or {"question": ..., "as_of": ...}.')
    times = {"as_of": as_of, **{name: value.get(name) for name in TIMES if name in taken}}
    return question, {name: time for name, time in times.items() if time is not None}


def answer_in(value: Any) -> str:
    """Return the answer of a chain's output, empty where none is.

    It may be text, a message, the last message of a model, or a field.
    """
    return _text_in(value, ANSWER, AIMessage)


def answer_alone(value: Any) -> str:
    """Return the answer of a chain's output without a mark.

    Empty where it says that there is none. A record of the answer that the output holds counts before its words, which may
    mark a guess.
    """
    held = answer_held(value)
    answer = answer_in(value) if held is None else held.strip()
    return "" if said_nothing(answer) else answer


def documents_in(value: Any) -> list[Document]:
    """Documents that a chain's input or output names itself."""
    if not isinstance(value, Mapping):
        return []
    named = next((value[name] for name in DOCUMENTS if isinstance(value.get(name), list | tuple)), ())
    return [one for one in named if isinstance(one, Document)]


def given_documents(given: Mapping[str, Any], *, needed: bool = True) -> tuple[str, Any]:
    """Return what a step was given to read, behind its field's name.

    Documents are a list, a context that is text stays one.

    Raises:
        BadInput: for documents under another name, which would be lost, for what is none of LangChain's, and, where documents
            are needed, for none at all.
    """
    there = [name for name in DOCUMENTS if name in given]
    if filled := next((name for name in there if given[name]), ""):
        return filled, given[filled] if isinstance(given[filled], str) else checked(given[filled])
    other = next((name for name, value in given.items() if _holds_documents(value)), "")
    if other or (needed and not there):
        found = f"holds documents under {other!r}" if other else "holds no documents"
        raise BadInput(f"The input {found}; give them as documents or context, an empty list where there are none.")
    return (there or DOCUMENTS)[0], ()


def history_in(value: Any) -> tuple[Turn, ...]:
    """Return a chat's turns, oldest first, in any of LangChain's forms.

    Raises:
        BadInput: as `read_history`.
    """
    return read_history((_messages(value) if isinstance(value, Sequence) else []) or value)


def _is_number(value: Any) -> bool:
    return isinstance(value, Number) and not isinstance(value, bool)


def _is_said(value: Any) -> bool:
    # Arrays and tables have no truth.
    return _is_number(value) or (isinstance(value, str | BaseMessage | Mapping | Sequence) and bool(value))


def _holds_documents(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(one, Document) for one in value)


def _text_in(value: Any, fields: Sequence[str], speaker: type[BaseMessage]) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, BaseMessage):
        return str(value.text).strip()
    if isinstance(value, Mapping):
        named = next((value[name] for name in fields if _is_said(value.get(name))), None)
        if _is_number(named):
            return str(named)
        return _text_in(value.get("messages") if named is None else named, fields, speaker)
    spoken = _messages(value) if isinstance(value, Sequence) else []
    return next((str(one.text).strip() for one in reversed(spoken) if isinstance(one, speaker)), "")


def _messages(values: Sequence[Any]) -> list[BaseMessage]:
    """Return messages in any of LangChain's forms, or none."""
    if any(isinstance(each, str) for each in values):
        return []
    try:
        return convert_to_messages(values)
    except (NotImplementedError, ValueError, TypeError):
        return []
