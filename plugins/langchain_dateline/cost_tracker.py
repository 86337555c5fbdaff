"""Counting what the models below a run cost, for budgets."""

from __future__ import annotations

from threading import Lock
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, LLMResult

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
        used: list[Any] = [
            one.message.usage_metadata or {}
            for row in response.generations
            for one in row
            if isinstance(one, ChatGeneration) and isinstance(one.message, AIMessage)
        ]
        with self._lock:
            self._cost += Cost(
                model_calls=1,
                input_tokens=sum(int(one.get("input_tokens", 0)) for one in used),
                output_tokens=sum(int(one.get("output_tokens", 0)) for one in used),
            )

    def on_llm_error(self, error: BaseException, **kwargs: Any) -> None:
        """A call that failed is a call."""
        with self._lock:
            self._cost += Cost(model_calls=1)
