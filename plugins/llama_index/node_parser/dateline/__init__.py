"""dateline's transformations for LlamaIndex."""

import dateline.llama_index_core  # noqa: F401
from llama_index.node_parser.dateline.stamper import DateStamper

__all__ = ["DateStamper"]
