"""Requests to chat models, repeated until a reply can be used."""

from dateline.chat.binding import NO_EXTRAS, Extras
from dateline.chat.context import context_tokens, prompt_room
from dateline.chat.exchange import ParsedReply, Parser, UnusableReply
from dateline.chat.logprobs import TokenLogprob, probability_of, tells_logprobs, tokens_of
from dateline.chat.messages import material_of, request
from dateline.chat.reply import (
    THOUGHT_TAGS,
    cost_of,
    failure,
    json_in,
    reply_text,
    spoken,
    unreadable,
    was_cut,
    whole_lines,
    without_thoughts,
)
from dateline.chat.reply_loop import AGAIN, TRIES, ReplyCache, ReplyLoop
from dateline.chat.stated import stated

__all__ = [
    "AGAIN",
    "NO_EXTRAS",
    "THOUGHT_TAGS",
    "TRIES",
    "Extras",
    "ParsedReply",
    "Parser",
    "ReplyCache",
    "ReplyLoop",
    "TokenLogprob",
    "UnusableReply",
    "context_tokens",
    "cost_of",
    "failure",
    "json_in",
    "material_of",
    "probability_of",
    "prompt_room",
    "reply_text",
    "request",
    "spoken",
    "stated",
    "tells_logprobs",
    "tokens_of",
    "unreadable",
    "was_cut",
    "whole_lines",
    "without_thoughts",
]
