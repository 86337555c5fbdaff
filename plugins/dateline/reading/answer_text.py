"""The answer in what a chat model says, never a blank.

A model that does not keep to the form says "The answer is: X.", "Based on the evidence, the answer is X (E5)", or gives
the form back. So the answer is what follows the last mark of one; it is none where it is a blank of the form, or where
the model speaks of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage

from dateline.chat import material_of, reply_text
from dateline.text import content_words, split_sentences
from dateline.text.words import STOPWORDS, words

MAX_ANSWER = 600
"""Characters of an answer."""

MAX_BARE = 200
"""Characters of a reply without any label that may itself be the answer."""

_QUOTES = '*_`"“”‘’ '
MARKS = 8
"""Marks of an answer that are looked behind, the last ones."""

_MARK = re.compile(
    r"(?:\b(?:the|my|final|correct|short)[ \t]+(?:\w+[ \t]+)?|^[ \t*_#>-]*)answer\b"
    r"(?:[*_\"']{0,3}[ \t]*[:：=][*_\"']{0,3}|[ \t]+[–—-](?=[ \t])"
    r"|(?:[ \t]+(?:to|for)\b[^.:\n]{1,120})?[ \t]+(?:is|was|are|were|would be|must be)\b[ \t]*[:：]?)[ \t]*",
    re.I | re.M,
)
_LABELS = r"E\d{1,4}(?:\s*(?:,|;|&|and)\s*E?\d{1,4})*"
_LINE_LABEL = re.compile(r"^(?:\[E\d+\] )?[a-z][a-z ]{0,19}:", re.M)
_CITATION = re.compile(rf"\s*(?:\[{_LABELS}\]|\({_LABELS}\))")
_BLANK = re.compile(r"<([^<>\n]{1,300})>")
_BRACKETED = re.compile(r"[<\[{](.*)[>\]}]", re.S)
_SELF = re.compile(r"\bI['’](?:m|ve|d|ll)\b|(?:^|[^\w\s]\s*|\b(?P<before>[a-z]+)\s+)I\s+[a-z]")


@dataclass(frozen=True, slots=True)
class AskedText:
    """A request, as far as its reply is read by it.

    Attributes:
        shown: text in which an answer without a label must stand; empty where the model answers from what it knows.
        blanks: words of the form that stand for what is to be filled in.
    """

    shown: str = ""
    blanks: frozenset[tuple[str, ...]] = frozenset()

    @classmethod
    def of(cls, messages: Sequence[BaseMessage], *, shown: bool = True) -> AskedText:
        """Read a request.

        Outside text in it has no angle brackets around words (`sanitize`). Without `shown` its material counts for
        nothing: there was no evidence in it.
        """
        texts = [reply_text(message) for message in messages]
        blanks = frozenset(tuple(words(blank)) for text in texts for blank in _BLANK.findall(text))
        return cls(_LINE_LABEL.sub("", material_of(messages)) if shown else "", blanks)

    def holds(self, text: str) -> bool:
        """Return whether every word of content was shown.

        There must be one; a single digit stands anywhere.
        """
        said = set(content_words(text))
        return sum(map(len, said)) > 1 and said <= set(content_words(self.shown))

    def is_blank(self, text: str) -> bool:
        """Return whether a text is a blank of the form."""
        said = tuple(words(text))
        return not said or said in self.blanks or (len(said) > 2 and any(_within(said, one) for one in self.blanks))


NOTHING_ASKED = AskedText()


def answer_in(text: str, *, labelled: bool, asked: AskedText = NOTHING_ASKED) -> str | None:
    """Return the answer in a text, or `None` where it holds none.

    Args:
        labelled: whether the text stood behind a label of the form; any other must be short and hold only words of
            what the model was shown.

    Example:
        >>> answer_in("Based on the evidence, the answer is Ada Berg (E5).", labelled=True)
        'Ada Berg'
    """
    found = [(_unwrapped(said), said, marked) for said, marked in _candidates(text.strip())]
    for answer, said, _ in found:
        if (
            asked.holds(answer)
            and not (_BLANK.search(said) or asked.is_blank(answer))
            and (labelled or len(answer) <= MAX_BARE)
        ):
            return answer
    for answer, said, marked in found:
        if (labelled or (marked and not asked.shown)) and _is_answer(answer, whole=said, asked=asked):
            return answer
    return None


def talks_of_itself(text: str) -> bool:
    """Return whether a model speaks of itself.

    Example:
        >>> [talks_of_itself(said) for said in ("Sorry, but I cannot say.", "Elizabeth I was queen.", "I, Claudius")]
        [True, False, False]
    """
    return any(match["before"] is None or match["before"] in STOPWORDS for match in _SELF.finditer(text))


def citations_in(text: str) -> tuple[int, ...]:
    """Return the numbers of the evidence that a text cites, in order."""
    return tuple(dict.fromkeys(int(number) for number in re.findall(r"\bE(\d{1,4})\b", text)))


def _candidates(text: str) -> Iterator[tuple[str, bool]]:
    """Return what follows each mark, the last first, then the whole."""
    marks = list(_MARK.finditer(text))
    for mark in reversed(marks[-MARKS:]):
        sentences = split_sentences(text[mark.end() : mark.end() + 2 * MAX_ANSWER].split("\n", 1)[0])
        if sentences:
            yield sentences[0].text, True
    if not marks or marks[0].start():
        yield text.split("\n\n")[0], False


def _is_answer(answer: str, *, whole: str, asked: AskedText) -> bool:
    blank = _BRACKETED.fullmatch(whole.strip(f"{_QUOTES}.")) or _BLANK.search(whole) or asked.is_blank(answer)
    return not blank and not talks_of_itself(answer)


def _unwrapped(text: str) -> str:
    """Return a text without quotes, citations and final stop."""
    text = " ".join(_CITATION.sub("", text).split()).strip(_QUOTES)
    if (bracketed := _BRACKETED.fullmatch(text)) is not None:
        text = bracketed[1].strip()
    return _without_stop(text[:MAX_ANSWER].strip(_QUOTES)).strip(_QUOTES)


def _without_stop(text: str) -> str:
    """Return a phrase without its full stop; sentences and abbreviations keep it."""
    last = text.rpartition(" ")[2]
    if not last.endswith(".") or "." in last[:-1] or len(split_sentences(text)) != 1:
        return text
    # A stop that would not end a sentence before another one belongs to an abbreviation.
    return text[:-1].rstrip() if len(split_sentences(f"{text} It is so.")) > 1 else text


def _within(said: tuple[str, ...], blank: tuple[str, ...]) -> bool:
    return any(blank[place : place + len(said)] == said for place in range(len(blank) - len(said) + 1))
