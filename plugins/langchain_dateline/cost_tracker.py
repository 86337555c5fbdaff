"""Counting what the models below a run cost, for budgets."""

from __future__ import annotations

from threading import Lock
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.outputs import LLMResult

from dateline import Cost


class CostMeter(BaseCallbackHandler):
    """A counter of model calls and reported tokens, across threads and tasks.

    Example:
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> meter = CostMeter()
        >>> reply = ScriptedChatModel(replies=["Ben."]).invoke("Who leads Acme?", config={"callbacks": [meter]})
        >>> meter.cost.model_calls
        1
    """

    run_inline = True

    def __init__(self) -> None:
        self._lock, self._cost = Lock(), Cost()

    @property
    def cost(self) -> Cost:
        """Return the cost so far."""
        return self._cost

    def on_llm_end(self, response: LLMResult, **kwargs: Any) -> None:
        """Count a call that ended."""
        with self._lock:
            self._cost += Cost(model_calls=1) + tokens_of(response)

    def on_llm_error(self, error: BaseException, **kwargs: Any) -> None:
        """A call that failed is a call."""
        with self._lock:
            self._cost += Cost(model_calls=1)


def tokens_of(response: LLMResult) -> Cost:
    """Return the tokens that a model reports, in either place."""
    messages = [getattr(each, "message", None) for some in response.generations for each in some]
    reported = [usage for each in messages if (usage := getattr(each, "usage_metadata", None))]
    if reported:
        return Cost(
            input_tokens=sum(usage["input_tokens"] for usage in reported),
            output_tokens=sum(usage["output_tokens"] for usage in reported),
        )
    usage = (response.llm_output or {}).get("token_usage") or {}
    return Cost(
        input_tokens=int(usage.get("prompt_tokens") or 0), output_tokens=int(usage.get("completion_tokens") or 0)
    )
