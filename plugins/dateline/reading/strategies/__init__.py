"""Answering strategies from a question and passages (MRAG, section 5)."""

from dateline.reading.strategies.chat_stages import ChatStages
from dateline.reading.strategies.local_stages import LocalStages
from dateline.reading.strategies.one_prompt import ChainOfThought, Direct, RagConcat
from dateline.reading.strategies.self_mrag import SelfMrag, Trace
from dateline.reading.strategies.stages import PassageClaim, Relevance, Stages, Summary
from dateline.reading.strategies.strategy import Strategy, reader_for

__all__ = [
    "ChainOfThought",
    "ChatStages",
    "Direct",
    "LocalStages",
    "PassageClaim",
    "RagConcat",
    "Relevance",
    "SelfMrag",
    "Stages",
    "Strategy",
    "Summary",
    "Trace",
    "reader_for",
]
