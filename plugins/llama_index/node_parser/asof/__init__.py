"""asof's transformations for LlamaIndex."""

from llama_index.node_parser.asof.stamper import DateStamper

__all__ = ["DateStamper"]
