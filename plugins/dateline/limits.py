"""Lengths of text from outside that are refused or cut.

Every scanner of the library takes time in proportion to the text (`tests/security/test_linear.py`); these limits bound that
time. What a person or client gives is refused in one sentence, since an answer to half a question would mislead; what a
model or a search engine says is cut and ends in an ellipsis.
"""

from __future__ import annotations

from dateline.errors import BadInput

QUESTION = 20_000
"""Characters of a question, about 3,300 words: the longest of the benchmarks, of RealTimeQA, has 364 characters."""

TURNS = 20
"""Turns of a chat that are looked at, the latest."""

TURN = 2_000
"""Characters of a turn that are looked at: a follow-up leans on names and times, which stand early."""

DOCUMENT = 5_000_000
"""Characters of one document: more than the Bible has; larger exports are many documents."""

FILE_BYTES = 32 * 2**20
"""Bytes of a text file, and of one line of JSON: the largest document, four bytes a character, and its markup."""

PROMPT = 400_000
"""Characters of an app's prompt that are looked at, the last: about 100,000 tokens."""

REPLY = 60_000
"""Characters of a chat model's reply: about 15,000 tokens, more than models write in one go."""

FIELD = 1_500
"""Characters of one field of evidence in a prompt: a passage of 200 words has about 1,200."""

NUMBERS = 120
"""Numbers of a sentence that are compared with another's, each with each: a long table row has about forty."""


def checked_question(text: str) -> str:
    """Return a question as it is.

    Raises:
        BadInput: when it is too long.
    """
    if len(text) > QUESTION:
        raise BadInput(
            f"A question has at most {QUESTION:,} characters, but this one has {len(text):,}; "
            "ask in fewer words, and give long texts as documents."
        )
    return text


def checked_document(text: str) -> str:
    """Return a document's text as it is.

    Raises:
        BadInput: when it is too long.
    """
    if len(text) > DOCUMENT:
        raise BadInput(
            f"A document has at most {DOCUMENT:,} characters, but this one has {len(text):,}; give it in several parts."
        )
    return text


def shortened(text: str, *, limit: int) -> str:
    """Return at most `limit` characters of a text, with an ellipsis.

    Example:
        >>> shortened("Anna Berg is the mayor.", limit=10)
        'Anna Berg…'
    """
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"
