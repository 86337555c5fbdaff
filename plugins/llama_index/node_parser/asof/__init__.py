"""asof's transformations for LlamaIndex."""

import asof.llama_index_core  # noqa: F401
from llama_index.node_parser.asof.stamper import DateStamper

__all__ = ["DateStamper"]
