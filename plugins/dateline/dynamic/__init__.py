"""Dynamic retrieval during generation (DRAGIN): triggers, queries and generators."""

from dateline.dynamic.base import RetrievingGenerator
from dateline.dynamic.calibrate import calibrate
from dateline.dynamic.chat_generator import ChatGenerator
from dateline.dynamic.generator import DynamicGenerator
from dateline.dynamic.methods import MethodName, method
from dateline.dynamic.passages import Bm25Search
from dateline.dynamic.queries import AttentionQuery, CertainSentence, Dated, Query
from dateline.dynamic.sampling import Sampling
from dateline.dynamic.triggers import AnyOf, Firing, Flare, LookAhead, Outdated, Rind, Trigger
from dateline.dynamic.values import Generation, Retrieval

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
