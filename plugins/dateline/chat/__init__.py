"""Chat models: asked until a reply can be used, a bounded number of times; what a reply says and what it cost."""

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
from dateline.chat.reply_loop import AGAIN, ParsedReply, Parser, ReplyCache, ReplyLoop, UnusableReply

__all__ = [
    "AGAIN",
    "ParsedReply",
    "Parser",
    "ReplyCache",
    "ReplyLoop",
    "UnusableReply",
    "cost_of",
    "failure",
    "in_words",
    "json_in",
    "probability_of",
    "reply_text",
    "spoken",
    "unreadable",
    "without_thoughts",
]
