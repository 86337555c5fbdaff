"""Answering strategies: ways to come from a question and its passages to an answer (MRAG, section 5)."""

from asof.reading.strategies.chain_of_thought import ChainOfThought
from asof.reading.strategies.chat_stages import ChatStages
from asof.reading.strategies.direct import Direct
from asof.reading.strategies.local_stages import LocalStages
from asof.reading.strategies.rag_concat import RagConcat
from asof.reading.strategies.self_mrag import SelfMrag, Trace
from asof.reading.strategies.stages import Claim, Relevance, Stages, Summary
from asof.reading.strategies.strategy import Strategy, reader_for

__all__ = [
    "ChainOfThought",
    "ChatStages",
    "Claim",
    "Direct",
    "LocalStages",
    "RagConcat",
    "Relevance",
    "SelfMrag",
    "Stages",
    "Strategy",
    "Summary",
    "Trace",
    "reader_for",
]
