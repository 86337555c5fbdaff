"""Text: sentences, words, tokens, and the embeddings that need no network."""

from typing import TYPE_CHECKING

from dateline.lazy import lazy_exports
from dateline.text.embeddings import default_embeddings
from dateline.text.sentences import Sentence, split_sentences
from dateline.text.tokens import TokenCounter, count_tokens, default_token_counter
from dateline.text.words import content_words, stem, words

if TYPE_CHECKING:
    from dateline.text.disk_cache import CachedEmbeddings
    from dateline.text.lexical import LexicalEmbeddings
    from dateline.text.memory_cache import RememberedEmbeddings

__getattr__ = lazy_exports(
    "dateline.text",
    CachedEmbeddings="dateline.text.disk_cache",
    LexicalEmbeddings="dateline.text.lexical",
    RememberedEmbeddings="dateline.text.memory_cache",
)
__all__ = [
    "CachedEmbeddings",
    "LexicalEmbeddings",
    "RememberedEmbeddings",
    "Sentence",
    "TokenCounter",
    "content_words",
    "count_tokens",
    "default_embeddings",
    "default_token_counter",
    "split_sentences",
    "stem",
    "words",
]
