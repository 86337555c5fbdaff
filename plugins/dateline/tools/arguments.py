"""Arguments of the tools, described for the models that fill them in."""

from __future__ import annotations

from pydantic import Field

from dateline.options import BaseOptions
from dateline.temporal.as_of import AsOfInput

_DAY = "YYYY, YYYY-MM, YYYY-MM-DD, or words such as May 2019 or last year"


class DatedQuestion(BaseOptions, title="ask_as_of"):
    """Arguments of `ask_as_of`."""

    question: str = Field(description="The question, in words, standing alone.")
    as_of: AsOfInput = Field(
        default="",
        description=f"The day to answer for: {_DAY}. Nothing published later is used. Empty: today.",
    )


class DatedQuery(BaseOptions, title="search_as_of"):
    """Arguments of `search_as_of`."""

    query: str = Field(description="What to look for: a question or words.")
    as_of: AsOfInput = Field(
        default="", description=f"The day to search as of: {_DAY}. What was published later is left out. Empty: today."
    )
    k: int = Field(default=5, ge=1, le=20, description="How many passages to return.")


class ValueToRemember(BaseOptions, title="remember"):
    """Arguments of `remember`."""

    subject: str = Field(description="Whom or what it is about: a person, a thing, an organisation.")
    attribute: str = Field(description="Which attribute of it, in one or two words: residence, price, chief executive.")
    value: str | int | float = Field(description="The value that the attribute has.")
    since: AsOfInput = Field(
        default="", description=f"The day from which it holds: {_DAY}. Empty: from now on. Do not guess it."
    )
    until: AsOfInput = Field(default="", description="The day from which it no longer holds. Empty: it still holds.")
    source: str = Field(default="", description="Who says so: a person, a document, an address.")


class HistoryQuery(BaseOptions, title="history"):
    """Arguments of `history`."""

    subject: str = Field(description="Whom or what it is about.")
    attribute: str = Field(description="Which attribute: residence, price, chief executive.")
    as_of: AsOfInput = Field(
        default="", description=f"Values up to this day: {_DAY}. Empty: up to now; a later day shows what is announced."
    )


class MemoryQuestion(BaseOptions, title="ask_facts"):
    """Arguments of `ask_facts`."""

    question: str = Field(description="The question, in words, naming whom or what it starts from.")
    as_of: AsOfInput = Field(
        default="", description=f"The day to answer for, where the question names none: {_DAY}. Empty: today."
    )


class ChangedPeriod(BaseOptions, title="what_changed"):
    """Arguments of `what_changed`."""

    since: AsOfInput = Field(description=f"The first day or period of the time asked about: {_DAY}.")
    until: AsOfInput = Field(default="", description="The last day or period. Empty: now.")
    about: str = Field(default="", description="Only facts that mention these words. Empty: every fact.")
    as_of: AsOfInput = Field(
        default="", description=f"The day from which to look back: {_DAY}. Nothing later is told. Empty: today."
    )


class GivenPassage(BaseOptions, title="A passage"):
    """Passage that a caller hands over."""

    text: str = Field(description="What it says.")
    date: str = Field(default="", description="When it was published: YYYY, YYYY-MM or YYYY-MM-DD. Empty: not known.")
    source: str = Field(default="", description="Where it comes from.")


class PassagesToAudit(BaseOptions, title="audit"):
    """Arguments of `audit`."""

    question: str = Field(description="The question that the passages are to answer.")
    passages: tuple[GivenPassage | str, ...] = Field(
        default=(),
        description="The passages, each a text or an object with text, date and source. Empty: those nearest to the "
        "question in the library.",
    )
    as_of: AsOfInput = Field(default="", description=f"The day to judge them for: {_DAY}. Empty: today.")


class TimeText(BaseOptions, title="resolve_time"):
    """Arguments of `resolve_time`."""

    text: str = Field(description="A question or words with a time: last quarter, since May 2019, before the euro.")
    as_of: AsOfInput = Field(
        default="", description="The day from which 'last', 'next' and 'ago' are counted. Empty: today."
    )
