"""What to look up."""

from asof.dynamic.queries.attention import Attended, AttentionQuery
from asof.dynamic.queries.base import Query
from asof.dynamic.queries.dated import Dated
from asof.dynamic.queries.generated import CertainSentence, FullContext, LastSentence, LastTokens, QuestionQuery

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
