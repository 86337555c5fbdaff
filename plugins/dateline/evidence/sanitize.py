"""Outside text made safe for prompts."""

from __future__ import annotations

import re

from dateline.limits import FIELD, shortened

_INVISIBLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]+"
)
_MARKS = re.compile(r"<\||\|>|\[/?INST\]|<</?SYS>>|</?s>|```|<(?=/?(?:system|user|assistant|evidence|tool)\b)", re.I)


def sanitize(text: str, *, limit: int = FIELD) -> str:
    """Return `text` on one line of at most `limit` characters.

    Since every line of a prompt's evidence starts with a label of ours, a text without line breaks cannot begin a
    question, an answer or another role's turn; marks that models read as such are spaced out.
    """
    line = " ".join(_INVISIBLE.sub(" ", text[: limit * 4]).split())
    return shortened(_MARKS.sub(lambda mark: " ".join(mark[0]), line), limit=limit)
