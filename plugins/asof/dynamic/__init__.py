"""Generation that looks things up on the way: triggers, queries, the generator (DRAGIN)."""

from asof.dynamic.base import RetrievingGenerator
from asof.dynamic.calibrate import calibrate
from asof.dynamic.chat_generator import ChatGenerator
from asof.dynamic.generator import DynamicGenerator
from asof.dynamic.methods import MethodName, method
from asof.dynamic.passages import Bm25Search
from asof.dynamic.queries import AttentionQuery, CertainSentence, Dated, Query
from asof.dynamic.sampling import Sampling
from asof.dynamic.triggers import AnyOf, Firing, Flare, LookAhead, Outdated, Rind, Trigger
from asof.dynamic.values import Generation, Retrieval

__all__ = [
    "AnyOf",
    "AttentionQuery",
    "Bm25Search",
    "CertainSentence",
    "ChatGenerator",
    "Dated",
    "DynamicGenerator",
    "Firing",
    "Flare",
    "Generation",
    "LookAhead",
    "MethodName",
    "Outdated",
    "Query",
    "Retrieval",
    "RetrievingGenerator",
    "Rind",
    "Sampling",
    "Trigger",
    "calibrate",
    "method",
]
