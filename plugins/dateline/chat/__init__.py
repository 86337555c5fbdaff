"""Requests to chat models, repeated until a reply can be used."""

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
from dateline.chat.reply_loop import AGAIN, TRIES, ParsedReply, Parser, ReplyCache, ReplyLoop, UnusableReply

__all__ = [
    "AGAIN",
    "TRIES",
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
