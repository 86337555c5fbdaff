"""Prompts split into question, context and asking day."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dateline.limits import PROMPT, QUESTION

_LABELS = (
    r"(?:(?P<question>(?:here is )?(?:the )?(?:user(?:'s)? |original |follow[- ]?up )?(?:question|query|input)"
    r"(?: is as follows)?)"
    r"|(?P<context>(?:new |retrieved )?context|documents|evidence)"
    r"|(?P<day>asked on|as of)"
    r"|(?P<answer>(?:\w[\w ]{0,31})?\banswer|standalone question))[ \t*]*[:：]"
)
_TAGS = r"<(?P<tag>question|query)>|</(?P<closing>question|query)>"
_LABEL = re.compile(rf"^[ \t*#>]*{_LABELS}[ \t*]*", re.I | re.M)
_TAG = re.compile(_TAGS, re.I)
# A phrase right before a mark ("Answer from this context:", "Question: ...") announces the marks, not a context.
_ANNOUNCED = re.compile(
    r"(?:(?<=\w )(?:context|documents?):[ \t]*$|\bcontext\b[\w ]{0,40} below\.[ \t]*$|\bquestion at the end\b)"
    rf"(?![\s.*#>]*(?:{_LABELS}|{_TAGS}))",
    re.I | re.M,
)
_CUE = re.compile(r"[\w ,*]{1,32}:[ *]*")
_RULE = re.compile(r"\n[ \t]*[-=_]{3,}[ \t]*$", re.M)
_BLANK_FIELD = re.compile(r"^[a-z][a-z ]{0,31}:[ \t]*<[^<>\n]{1,300}>[ \t]*$", re.I | re.M)
_BLANK = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Prompted:
    """Components of a prompt; one without labels is all question."""

    question: str
    context: str = ""
    day: str = ""


def question_in(prompt: str) -> str:
    """Find the question in a prompt of a common form.

    A day behind the question belongs to it; a prompt without any label is the question itself. Of more than
    `limits.QUESTION` characters the last are taken, for what is asked stands at the end.
    """
    asked = prompted(prompt, days=False).question.strip() or prompt.strip()
    return asked[-QUESTION:].lstrip()


def prompted(text: str, *, days: bool = True) -> Prompted:
    """Split a prompt into its parts.

    Without `days` an asking day stays in the text around.

    Read are lines that begin with "Question:" (or "Query:", "Input:"), "Context:" (or "Documents:", "Evidence:"),
    "As of:" and "Answer:", tags of those names, and phrases that announce a context ("Context information is below.").
    Whatever a passage says, it cannot ask another question: where the question stands before the context the first
    one counts, else the last.
    """
    text = _without_form(text[-PROMPT:])
    for name in ("context", "documents"):
        if (tagged := _tagged(text, name)) is not None:
            rest, context = tagged
            around = _labelled(rest, days)
            return Prompted(around.question, context, around.day)
    return _labelled(text, days)


def _without_form(text: str) -> str:
    """Drop a last paragraph that shows the form of the reply."""
    head, _, last = text.rstrip().rpartition("\n\n")
    return head if head and _BLANK_FIELD.search(last) else text


def _tagged(text: str, name: str) -> tuple[str, str] | None:
    """Split off the tagged text; return (text around, text between)."""
    lowered = text.lower() if text.isascii() else text
    start, end = lowered.find(f"<{name}>"), lowered.rfind(f"</{name}>")
    if start < 0 or end < start:
        return None
    return f"{text[:start]}\n{text[end + len(name) + 3 :]}", text[start + len(name) + 2 : end]


def _labelled(text: str, days: bool) -> Prompted:
    found = sorted([*_LABEL.finditer(text), *_TAG.finditer(text)], key=lambda mark: mark.start())
    marks = [mark for mark in found if days or mark.lastgroup != "day"]
    questions = [mark for mark in marks if mark.lastgroup in ("question", "tag")]
    contexts = [mark for mark in marks if mark.lastgroup == "context"]
    dated = [mark for mark in marks if mark.lastgroup == "day"]
    day = _line(text, dated[-1]) if dated else ""
    if questions:
        return _asked(text, marks, questions, contexts, day)
    if contexts:
        return _unmarked(text[: contexts[0].start()], text[contexts[0].end() :], day)
    return Prompted(text[: dated[-1].start()] if dated else text, day=day)


def _asked(
    text: str, marks: list[re.Match[str]], questions: list[re.Match[str]], contexts: list[re.Match[str]], day: str
) -> Prompted:
    """The parts of a prompt whose question has a label."""
    announced = _ANNOUNCED.search(text, 0, contexts[0].end() if contexts else len(text))
    opening = min([*contexts[:1], *([announced] if announced else [])], key=lambda mark: mark.start(), default=None)
    if opening is not None and questions[0].start() < opening.start():
        # The question first: whatever the passages behind it say, they cannot ask another.
        over = marks[-1].lastgroup == "answer" and not text[marks[-1].end() :].strip()
        end = marks[-1].start() if over and marks[-1].start() > opening.end() else len(text)
        return Prompted(_question(text, marks, questions[0], opening.start()), text[opening.end() : end], day)
    # The passages first: the last question is the one that stands outside them.
    last = questions[-1]
    before = [mark for mark in marks if mark.start() < last.start()]
    is_dated = bool(before) and before[-1].lastgroup == "day" and _is_line(text[before[-1].end() : last.start()])
    end = before[-1].start() if is_dated else last.start()
    return Prompted(_question(text, marks, last, len(text)), text[opening.end() if opening else 0 : end], day)


def _unmarked(before: str, context: str, day: str) -> Prompted:
    """Split a prompt in which only the context has a label.

    The question stands before the context, or as a question in its last paragraph.
    """
    if not before.strip():
        paragraphs = _BLANK.split(context.rstrip())
        if len(paragraphs) > 1 and paragraphs[-1].endswith("?"):
            return Prompted(paragraphs[-1], "\n\n".join(paragraphs[:-1]), day)
    return Prompted(before, context, day)


def _is_line(text: str) -> bool:
    """Return whether nothing stands behind a first line."""
    return not text.partition("\n")[2].strip()


def _line(text: str, mark: re.Match[str]) -> str:
    return text[mark.end() :].split("\n", 1)[0]


def _question(text: str, marks: list[re.Match[str]], mark: re.Match[str], end: int) -> str:
    """Return the text behind a label, to the next, rule or `end`."""
    following = next((other.start() for other in marks if other.start() >= mark.end()), end)
    asked = text[mark.end() : min(following, end)]
    if (rule := _RULE.search(asked)) and asked[: rule.start()].strip():
        return asked[: rule.start()]
    return asked if following < len(text) else _alone(asked)


def _alone(asked: str) -> str:
    """Strip instructions and the model's cue ("SQL:") off a question."""
    first, *more = _BLANK.split(asked, maxsplit=1)
    if more and first.rstrip().endswith("?"):
        return first
    head, _, last = asked.rstrip().rpartition("\n")
    return head if head.strip() and _CUE.fullmatch(last.strip()) else asked
