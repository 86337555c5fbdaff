"""Chat models: asked until a reply can be used, a bounded number of times; what a reply says and what it cost."""

from asof.chat.asker import AGAIN, Asker, Read, Told, Unusable, sole
from asof.chat.reply import cost_of, failure, in_words, json_in, probability_of, spoken, text_of, unreadable

__all__ = [
    "AGAIN",
    "Asker",
    "Read",
    "Told",
    "Unusable",
    "cost_of",
    "failure",
    "in_words",
    "json_in",
    "probability_of",
    "sole",
    "spoken",
    "text_of",
    "unreadable",
]
