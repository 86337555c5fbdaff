"""Query formulation."""

from dateline.dynamic.queries.attention import Attended, AttentionQuery
from dateline.dynamic.queries.base import Query
from dateline.dynamic.queries.dated import Dated
from dateline.dynamic.queries.generated import CertainSentence, FullContext, LastSentence, LastTokens, QuestionQuery

__all__ = [
    "Attended",
    "AttentionQuery",
    "CertainSentence",
    "Dated",
    "FullContext",
    "LastSentence",
    "LastTokens",
    "Query",
    "QuestionQuery",
]
