"""Generation that looks things up on the way: triggers, queries, the generator (DRAGIN)."""

from asof.dynamic.base import RetrievingGenerator, StopSignal
from asof.dynamic.calibrate import Calibration, calibrate
from asof.dynamic.chat_generator import ChatGenerator
from asof.dynamic.generator import DynamicGenerator
from asof.dynamic.hyperparameters import TABLE_9, Hyperparameters, PaperDataset, PaperModel
from asof.dynamic.methods import METHODS, Method, MethodName, method
from asof.dynamic.passages import Bm25Search
from asof.dynamic.prompt import ChatLayout, Layout, PlainLayout, PromptText
from asof.dynamic.queries import (
    AttentionQuery,
    CertainSentence,
    Dated,
    FullContext,
    LastSentence,
    LastTokens,
    Query,
    QuestionQuery,
)
from asof.dynamic.sampling import Sampling
from asof.dynamic.steady import Steady
from asof.dynamic.stream import AsyncGenerationStream, GenerationStream
from asof.dynamic.triggers import (
    AnyOf,
    Entropy,
    EverySentence,
    EveryTokens,
    Firing,
    Flare,
    LookAhead,
    Never,
    Once,
    Outdated,
    Rind,
    RindPublished,
    ThresholdTrigger,
    Trigger,
)
from asof.dynamic.values import Ended, EndEvent, Event, Generation, Retrieval, RetrievalEvent, TokenEvent, TokenScore

__all__ = [
    "METHODS",
    "TABLE_9",
    "AnyOf",
    "AsyncGenerationStream",
    "AttentionQuery",
    "Bm25Search",
    "Calibration",
    "CertainSentence",
    "ChatGenerator",
    "ChatLayout",
    "Dated",
    "DynamicGenerator",
    "EndEvent",
    "Ended",
    "Entropy",
    "Event",
    "EverySentence",
    "EveryTokens",
    "Firing",
    "Flare",
    "FullContext",
    "Generation",
    "GenerationStream",
    "Hyperparameters",
    "LastSentence",
    "LastTokens",
    "Layout",
    "LookAhead",
    "Method",
    "MethodName",
    "Never",
    "Once",
    "Outdated",
    "PaperDataset",
    "PaperModel",
    "PlainLayout",
    "PromptText",
    "Query",
    "QuestionQuery",
    "Retrieval",
    "RetrievalEvent",
    "RetrievingGenerator",
    "Rind",
    "RindPublished",
    "Sampling",
    "Steady",
    "StopSignal",
    "ThresholdTrigger",
    "TokenEvent",
    "TokenScore",
    "Trigger",
    "calibrate",
    "method",
]
