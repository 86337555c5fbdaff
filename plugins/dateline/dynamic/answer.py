"""The answer generated so far, with per-token scores."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dateline.dynamic.pieces import Pieces
from dateline.dynamic.values import TokenScore
from dateline.dynamic.words import Word, word_at, words_of
from dateline.text.sentences import split_sentences

FloatArray = NDArray[np.float32]

_UNSETTLED = 3
"""Characters at the end of a text within which a further one can still change where a word ends ("don", "don't")."""

_ENDS = frozenset(".!?…\n")


class TokenRange(NamedTuple):
    """The tokens `first` to `end - 1` of an answer."""

    first: int
    end: int


class GeneratedAnswer:
    """Tokens generated so far, with their words, sentences and scores.

    `rows` maps a token to its attention over everything before it; -1 is the prompt's last token.

    Attributes:
        text: the characters of all tokens.
        over: whether the model says that nothing follows.
        full: whether no further token is allowed.
        cut: where a stop text begins that ends the answer, if one does.
    """

    def __init__(self, pieces: Pieces, *, keep_rows: bool = True) -> None:
        """Start an empty answer.

        Args:
            pieces: decodes tokens into characters.
            keep_rows: whether a query will read `rows`, which hold one number per context token.
        """
        self._pieces, self._keep_rows = pieces, keep_rows
        self.text = ""
        self.over = self.full = False
        self.cut: int | None = None
        self.rows: dict[int, FloatArray] = {}
        self.starts: list[int] = []
        self.entropies: list[float] = []
        self.probabilities: list[float] = []
        self._most = np.full(64, -1.0, dtype=np.float32)
        self._words: list[Word] = []
        self._sentences = [0]
        self._begun = False

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def ids(self) -> list[int]:
        """The tokens' numbers."""
        return self._pieces.ids

    @property
    def words(self) -> list[Word]:
        """The words of the text, in order."""
        return self._words

    @property
    def says_nothing(self) -> bool:
        """True if the answer is over and holds no word."""
        return self.over and not words_of(self.text[: self.cut])

    @property
    def kept(self) -> int:
        """Number of tokens before the stop text and any space before it."""
        return len(self) if self.cut is None else bisect_left(self.starts, len(self.text[: self.cut].rstrip()))

    @property
    def max_attention(self) -> FloatArray:
        """Equation 3 for every token, shape (tokens,).

        -1 until a later token has been fed.
        """
        return self._most[: len(self)]

    def append(self, token: int, *, entropy: float, probability: float) -> None:
        """Add a token; scores that the model does not report are NaN."""
        length = len(self.text)
        self.starts.append(length)
        self.text += self._pieces.append(token)
        self.entropies.append(entropy)
        self.probabilities.append(probability)
        if len(self) > len(self._most):
            self._most = np.concatenate([self._most, np.full_like(self._most, -1.0)])
        self._most[len(self) - 1] = -1.0
        self._read_on(length)

    def look(self, row: FloatArray, *, prompt: int) -> None:
        """Record the attention of the newest fed token.

        Args:
            row: its weights over the prompt and the answer.
            prompt: number of prompt tokens at the start of `row`.
        """
        newest = len(row) - prompt - 1
        if self._keep_rows:
            self.rows[newest] = row
        if newest > 0:
            np.maximum(self._most[:newest], row[prompt : prompt + newest], out=self._most[:newest])

    def truncate(self, length: int) -> None:
        """Keep the first `length` tokens with their `max_attention`; drop all rows."""
        self.over = self.full = self._begun = False
        self.cut = None
        self.rows.clear()
        if length >= len(self):
            return
        self.text = self.text[: self.starts[length]]
        self._pieces.truncate(length)
        del self.starts[length:], self.entropies[length:], self.probabilities[length:]
        self._words = words_of(self.text)
        self._sentences = [start for start in self._sentences if start < len(self.text)] or [0]

    # -- words --------------------------------------------------------------------------------

    def end(self, token: int) -> int:
        """Return the position after the token's last character."""
        return self.starts[token + 1] if token + 1 < len(self) else len(self.text)

    def word(self, token: int) -> Word | None:
        """Return the word of a token, `None` for punctuation and white space.

        A space that is a token of its own belongs to the word behind it: in vocabularies that write a digit a token it is
        where a number is decided on, and a model that keeps it can write nothing else.
        """
        start, end = self.starts[token], self.end(token)
        if self.text[start:end] == " ":
            return word_at(self._words, end, end=end + 1)
        return word_at(self._words, start, end=max(end, start + 1))

    def is_whole(self, token: int) -> bool:
        """Return whether the token's word is complete."""
        word = self.word(token)
        return word is None or self.completes(word)

    def completes(self, word: Word) -> bool:
        """Return whether nothing can follow that belongs to a word."""
        return self.over or self.full or word.end < len(self.text)

    def carries_meaning(self, token: int) -> bool:
        """Return whether the token belongs to a content word (equation 4)."""
        word = self.word(token)
        return word is not None and word.is_content

    def word_start(self, token: int) -> int:
        """Return the first token of the token's word, else the token itself."""
        word = self.word(token)
        return token if word is None else min(token, self._first(word))

    def whole_words(self, first: int) -> list[TokenRange]:
        """Return the tokens of each complete content word from `first` on."""
        since = self.starts[first] if first < len(self) else len(self.text)
        return [
            TokenRange(self._first(word), bisect_left(self.starts, word.end))
            for word in self._words[bisect_right(self._words, since, key=lambda word: word.end) :]
            if word.is_content and self.completes(word)
        ]

    def _first(self, word: Word) -> int:
        # The first bytes of a character that takes several tokens begin where it does.
        first = bisect_left(self.starts, self.starts[self.token_at(word.start)])
        return first - 1 if first and self.text[self.starts[first - 1] : word.start] == " " else first

    def token_at(self, character: int) -> int:
        """Return the token that holds a character."""
        return max(0, bisect_right(self.starts, character) - 1)

    # -- sentences ----------------------------------------------------------------------------

    def sentences(self) -> list[TokenRange]:
        """Return the sentences before any stop text; the last may be unfinished."""
        kept = self.kept
        firsts = [0, *(first for start in self._sentences[1:] if (first := self.token_at(start)) < kept)]
        return [TokenRange(first, end) for first, end in zip(firsts, [*firsts[1:], kept], strict=True)]

    def sentence(self, token: int) -> TokenRange:
        """Return the sentence that contains a token.

        For a token that does not exist yet: an empty range at the end.
        """
        found = [each for each in self.sentences() if each.first <= token]
        return found[-1] if found and token < len(self) else TokenRange(len(self), len(self))

    def just_ended(self) -> TokenRange | None:
        """Return the sentence that the newest token completed, if any.

        A sentence is complete when the next one begins or nothing may follow. The next one may begin before the newest
        token: the mark of a list, a quote or a bracket opens a sentence only with the word behind it.
        """
        sentences = self.sentences()
        if self.over or self.full:
            return sentences[-1] if self.kept else None
        return sentences[-2] if self._begun and len(sentences) > 1 else None

    def text_of(self, tokens: TokenRange) -> str:
        """Return the stripped text of a range of tokens."""
        if tokens.first >= tokens.end:
            return ""
        return self.text[self.starts[tokens.first] : self.end(tokens.end - 1)].strip()

    # -- scores -------------------------------------------------------------------------------

    def score(self, token: int) -> TokenScore:
        """Return the scores known for a token."""
        word = self.word(token)
        most = float(self._most[token])
        known = most >= 0
        return TokenScore(
            index=token,
            id=self.ids[token],
            text=self.text[self.starts[token] : self.end(token)],
            word="" if word is None else word.text,
            stopword=word is not None and not word.is_content,
            probability=_reported(self.probabilities[token]),
            entropy=_reported(self.entropies[token]),
            max_attention=most if known else None,
            rind=self.entropies[token] * most * self.carries_meaning(token) if known else None,
        )

    def _read_on(self, length: int) -> None:
        """Find words and sentences in the characters after `length`."""
        while self._words and self._words[-1].end >= length - _UNSETTLED:
            self._words.pop()
        self._words += words_of(self.text, start=self._words[-1].end if self._words else 0)
        since, known = self._sentences[-1], len(self._sentences)
        if not _ENDS.isdisjoint(self.text[since:]):
            self._sentences += [since + each.start for each in split_sentences(self.text[since:])[1:]]
        self._begun = len(self._sentences) > known


def _reported(score: float) -> float | None:
    return None if math.isnan(score) else score
