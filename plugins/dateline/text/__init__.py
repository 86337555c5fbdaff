"""Text: sentences, words, tokens, and the embeddings that need no network."""

from dateline.text.embeddings import default_embeddings
from dateline.text.sentences import Sentence, split_sentences
from dateline.text.tokens import TokenCounter, count_tokens, default_token_counter
from dateline.text.words import content_words, stem, words

__all__ = [
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
