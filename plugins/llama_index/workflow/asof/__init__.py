"""asof's answer job as a LlamaIndex workflow."""

import asof.llama_index_core  # noqa: F401
from llama_index.workflow.asof.answer import AnswerWorkflow
from llama_index.workflow.asof.events import Ask, Found, Judge, Read, SearchFor, StepTaken

__all__ = ["AnswerWorkflow", "Ask", "Found", "Judge", "Read", "SearchFor", "StepTaken"]
