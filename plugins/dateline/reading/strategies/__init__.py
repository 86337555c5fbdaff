"""Answering strategies from a question and passages (MRAG, section 5)."""

from dateline.reading.strategies.chain_of_thought import ChainOfThought
from dateline.reading.strategies.chat_stages import ChatStages
from dateline.reading.strategies.direct import Direct
from dateline.reading.strategies.local_stages import LocalStages
from dateline.reading.strategies.rag_concat import RagConcat
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
