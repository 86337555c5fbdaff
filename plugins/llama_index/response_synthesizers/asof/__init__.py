"""asof's response synthesisers for LlamaIndex."""

from llama_index.response_synthesizers.asof.synthesizer import ReaderSynthesizer

__all__ = ["ReaderSynthesizer"]
