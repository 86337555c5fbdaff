"""What a prompt or a chat of LlamaIndex's asks: the question in it, and what the model is to see of the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from llama_index.core.base.llms.types import ChatMessage, MessageRole

from asof import BadInput, Question
from asof.reading.follow_up import resolve
from asof.reading.history import Turn
from asof.temporal.decomposition import decompose

QuestionOf = Callable[[str], str]
"""Reads the question out of a prompt; the prompt itself where it is nothing else."""

_MARK = re.compile(r"^(?:query|question)[ \t]*:[ \t]*", re.I | re.M)
_REFINED = re.compile(r"\s*the original query is as follows:[ \t]*", re.I)
_BEHIND = re.compile(r"\n\s*(?:[\w ]{0,24}\banswer[ \t]*:|we have provided an existing answer)", re.I)
_CUE = re.compile(r"\n\s*[\w ]{0,24}\banswer[ \t]*:\s*\Z", re.I)


class Asked(NamedTuple):
    """A question, and the prompt that it stands in; `None` where the question is all there is."""

    question: Question
    prompt: str | None


def question_in(prompt: str) -> str:
    """The question of a prompt in the form of LlamaIndex's own ones ("Query: ...", its refining prompts).

    The last one counts, since context stands before it and may hold anything; without any the prompt is the question.
    """
    mark = _REFINED.match(prompt) or next(reversed(list(_MARK.finditer(prompt))), None)
    if mark is None:
        return prompt.strip()
    behind = _BEHIND.search(prompt, mark.end())
    return prompt[mark.end() : behind.start() if behind else None].strip() or prompt.strip()


def asked_by_prompt(prompt: str, *, as_of: datetime, question_of: QuestionOf) -> Asked:
    """What a completion is asked. Raises `BadInput` for an empty prompt."""
    return _asked(prompt, (), "", as_of, question_of)


def asked_by_chat(messages: Sequence[ChatMessage], *, as_of: datetime, question_of: QuestionOf) -> Asked:
    """What the last message of a chat asks.

    Turns before it are the chat that "And in 2015?" goes back to; what system messages say stands before it in the
    prompt, since LlamaIndex's chat engines put their context there.

    Raises:
        BadInput: where the last message is not a user's, or is empty.
    """
    if not messages or messages[-1].role != MessageRole.USER:
        raise BadInput("The last message is no question; end the messages with a user's one.")
    roles = (MessageRole.USER, MessageRole.ASSISTANT)
    turns = [
        Turn("user" if each.role == MessageRole.USER else "assistant", each.content)
        for each in messages[:-1]
        if each.role in roles and each.content
    ]
    system = "\n\n".join(each.content for each in messages if each.role == MessageRole.SYSTEM and each.content)
    return _asked(messages[-1].content or "", turns, system, as_of, question_of)


def _asked(prompt: str, turns: Sequence[Turn], system: str, as_of: datetime, question_of: QuestionOf) -> Asked:
    text = prompt.strip()
    if not text:
        raise BadInput("A prompt needs at least one visible character, but this one is empty.")
    said = question_of(text).strip() or text
    standing = resolve(said, history=turns, as_of=as_of).text if turns else said
    question = decompose(standing, as_of=as_of)
    if said == text and not system:
        return Asked(question, None)
    before, found, after = text.rpartition(said)
    # A layout says itself that the answer comes now.
    written = _CUE.sub("", f"{before}{standing}{after}" if found else text)
    return Asked(question, f"{system.strip()}\n\n{written}" if system else written)
