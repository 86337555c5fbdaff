"""Text: sentences, words, tokens, and the embeddings that need no network."""

from asof.text.embeddings import default_embeddings
from asof.text.sentences import Sentence, split_sentences
from asof.text.tokens import TokenCounter, count_tokens, default_token_counter
from asof.text.words import content_words, stem, words

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
