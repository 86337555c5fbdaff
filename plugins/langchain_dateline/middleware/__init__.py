"""Time-aware middleware for `langchain.agents.create_agent`."""

from langchain_dateline.middleware.calls import DatedToolCalls
from langchain_dateline.middleware.dates import DatedToolResults
from langchain_dateline.middleware.facts import FactEdits
from langchain_dateline.middleware.freshness import AnswerFreshness
from langchain_dateline.middleware.prompt import DatelinePrompt
from langchain_dateline.middleware.state import DatelineState
from langchain_dateline.middleware.together import DatelineMiddleware

__all__ = [
    "AnswerFreshness",
    "DatedToolCalls",
    "DatedToolResults",
    "DatelineMiddleware",
    "DatelinePrompt",
    "DatelineState",
    "FactEdits",
]
