"""Middleware for `langchain.agents.create_agent`: an agent that knows what time it is, and how fresh its answer."""

from langchain_asof.middleware.dates import DatedToolResults
from langchain_asof.middleware.facts import FactEdits
from langchain_asof.middleware.freshness import AnswerFreshness
from langchain_asof.middleware.prompt import AsOfPrompt
from langchain_asof.middleware.state import AsOfState
from langchain_asof.middleware.together import AsOfMiddleware

__all__ = ["AnswerFreshness", "AsOfMiddleware", "AsOfPrompt", "AsOfState", "DatedToolResults", "FactEdits"]
