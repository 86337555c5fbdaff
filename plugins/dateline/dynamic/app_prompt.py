"""Question and context in a prompt that an app has written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from dateline.dynamic.base import RetrievingGenerator
from dateline.dynamic.prompt import Layout, PromptText
from dateline.errors import BadInput
from dateline.reading.follow_up import resolve
from dateline.reading.history import Turn, read_history
from dateline.reading.prompted import question_in
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.text.special_tokens import SpecialTokens

QuestionOf = Callable[[str], str]
"""Reads the question out of a prompt; the prompt itself where it is nothing else."""

AnyGenerator = TypeVar("AnyGenerator", bound=RetrievingGenerator)

_CUE = re.compile(r"[\w ]{0,24}\banswer[ \t]*:", re.I)


@dataclass(frozen=True, slots=True)
class AppLayout:
    """A layout around an app's own prompt, with its context and instructions.

    Retrieved documents still come first. The question is its last occurrence in the app's prompt; where it does not
    occur, the whole prompt counts as the question.

    Attributes:
        inner: the layout.
        written: the app's prompt.
    """

    inner: Layout
    written: str

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        """Return the inner layout's prompt around the app's prompt."""
        made = self.inner.prompt(self.written, documents=documents, as_of=as_of)
        # White space may differ: the app's prompt keeps its lines, the question is on one.
        spelled = re.compile(r"\s+".join(map(re.escape, question.split())))
        places = [found.span() for found in spelled.finditer(made.text, *made.question)]
        if not places or not question.strip():
            return made
        start = made.question[0] if made.notes is None else made.notes[0]
        return replace(made, question=places[-1], notes=(start, made.question[1]))


@dataclass(frozen=True, slots=True)
class AppPrompt:
    """A question together with the app's prompt around it.

    Attributes:
        question: what queries and triggers read.
        written: the app's whole prompt; `None` where it is the question alone.
    """

    question: Question
    written: str | None = None

    def within(self, generator: AnyGenerator) -> AnyGenerator:
        """Return the generator with the app's prompt wrapped in its layout."""
        if self.written is None:
            return generator
        written = SpecialTokens(generator.options.tokenizer).split(self.written)
        return generator.with_options(layout=AppLayout(generator.options.layout, written))


def read_app_prompt(
    prompt: str,
    *,
    as_of: datetime,
    question_of: QuestionOf = question_in,
    turns: Sequence[Turn] = (),
    system: Sequence[str] = (),
) -> AppPrompt:
    """Read what an app sends its model.

    Args:
        prompt: the user's last message, or a completion's prompt.
        as_of: asking moment.
        question_of: finds the question in a prompt of another form.
        turns: the chat before it, which "And in 2015?" goes back to.
        system: system messages; they stand before the prompt, since apps put their context there.

    Raises:
        BadInput: for an empty prompt.
    """
    text = _without_cue(prompt.strip())
    if not text:
        raise BadInput("A prompt needs at least one visible character, but this one is empty.")
    said = question_of(text).strip() or text
    standing = _standing(said, turns, as_of, question_of) if turns else said
    question = decompose(standing, as_of=as_of)
    above = "\n\n".join(each.strip() for each in system if each.strip())
    if said == text and not above:
        return AppPrompt(question)
    before, found, after = text.rpartition(said)
    written = f"{before}{standing}{after}" if found else text
    return AppPrompt(question, f"{above}\n\n{written}" if above else written)


def _standing(said: str, turns: Sequence[Turn], as_of: datetime, question_of: QuestionOf) -> str:
    """Resolve a follow-up question against the chat before it.

    Earlier prompts had the same form, so their questions are extracted as well.
    """
    asked = [Turn(each.role, question_of(each.content)) if each.role == "user" else each for each in turns]
    return resolve(said, history=read_history(asked), as_of=as_of).text


def _without_cue(written: str) -> str:
    """Remove a closing "Answer:" cue, which the layout adds itself."""
    head, _, last = written.rstrip().rpartition("\n")
    return head.rstrip() if head.strip() and _CUE.fullmatch(last.strip()) else written
