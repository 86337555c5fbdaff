"""dateline's answer job as a LlamaIndex workflow."""

import dateline.llama_index_core  # noqa: F401
from llama_index.workflow.dateline.answer import AnswerWorkflow
from llama_index.workflow.dateline.events import Ask, Found, Read, ReadDone, SearchFor, StepTaken

__all__ = ["AnswerWorkflow", "Ask", "Found", "Read", "ReadDone", "SearchFor", "StepTaken"]
