"""Keys that are equal for wordings of one answer."""

from __future__ import annotations

import re

from dateline.language.numbers import NUMBER
from dateline.remember import remember
from dateline.temporal.expressions import TimeExpression, find_expressions
from dateline.text.words import content_words, words

_NEGATIVE = re.compile(r"[-−]\d")
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\w)", re.I)


@remember
def answer_key(text: str) -> str:
    """Return a key that is equal for different wordings of an answer.

    Letter case, articles, punctuation, thousands separators and the spelling of dates make no difference.
    """
    # Without separators first: "1204" alone may be a year.
    plain = NUMBER.sub(lambda number: number.group().replace(",", ""), _ARTICLE.sub("", text))
    date = whole_date(plain)
    if date is not None and date.interval is not None:
        return f"{date.interval.start}..{date.interval.end}"
    return f"{'-' * bool(_NEGATIVE.match(plain))}{' '.join(words(plain))}"


def content_key(text: str) -> str:
    """Return the same without function words, where others are left.

    Example:
        >>> content_key("in Oslo") == content_key("Oslo"), content_key("No."), content_key("The Who")
        (True, 'no', 'who')
    """
    key = answer_key(text)
    sign = "-" * key.startswith("-")
    return f"{sign}{' '.join(content_words(key))}" if content_words(key) else key or text.strip()


def whole_date(text: str) -> TimeExpression | None:
    """Return the date that is all of a text, or `None`."""
    if not any(map(str.isdigit, text)):
        return None
    found = find_expressions(text)
    whole = len(found) == 1 and found[0].interval is not None and found[0].text.strip() == text.strip()
    return found[0] if whole else None
