"""asof's response synthesisers for LlamaIndex."""

import asof.llama_index_core  # noqa: F401
from llama_index.response_synthesizers.asof.synthesizer import ReaderSynthesizer

__all__ = ["ReaderSynthesizer"]
