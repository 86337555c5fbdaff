"""Chat models: asked until a reply can be used, a bounded number of times; what a reply says and what it cost."""

from dateline.chat.asker import AGAIN, Asker, Heard, Read, Unusable, sole
from dateline.chat.reply import (
    cost_of,
    failure,
    in_words,
    json_in,
    probability_of,
    reply_text,
    spoken,
    unreadable,
    without_thoughts,
)

__all__ = [
    "AGAIN",
    "Asker",
    "Heard",
    "Read",
    "Unusable",
    "cost_of",
    "failure",
    "in_words",
    "json_in",
    "probability_of",
    "reply_text",
    "sole",
    "spoken",
    "unreadable",
    "without_thoughts",
]
