"""dateline's response synthesisers for LlamaIndex."""

import dateline.llama_index_core  # noqa: F401
from llama_index.response_synthesizers.dateline.synthesizer import ReaderSynthesizer

__all__ = ["ReaderSynthesizer"]
