"""The answer as far as it is generated: tokens, their words and sentences, and what later tokens make of them."""

from __future__ import annotations

import math
from bisect import bisect_right
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
    """The tokens so far. `rows` holds the attention of tokens over everything before them; -1 is the prompt's last token.

    Attributes:
        text: the characters of all tokens.
        over: whether the model says that nothing follows.
    """

    def __init__(self, pieces: Pieces, *, keep_rows: bool = True) -> None:
        """`keep_rows` is whether a query will ask for `rows`; they take a number for each token of the context."""
        self._pieces, self._keep_rows = pieces, keep_rows
        self.text = ""
        self.over = False
        self.rows: dict[int, FloatArray] = {}
        self.starts: list[int] = []
        self.entropies: list[float] = []
        self.probabilities: list[float] = []
        self._most = np.full(64, -1.0, dtype=np.float32)
        self._words: list[Word] = []
        self._sentences = [0]

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
    def max_attention(self) -> FloatArray:
        """Equation 3 for every token, shape (tokens,); -1 where no later token has been fed yet."""
        return self._most[: len(self)]

    def append(self, token: int, *, entropy: float, probability: float) -> None:
        """Add a token; a score that the model does not tell is NaN."""
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
        """Take in the attention of the newest fed token over the `prompt` tokens and those of the answer."""
        newest = len(row) - prompt - 1
        if self._keep_rows:
            self.rows[newest] = row
        if newest > 0:
            np.maximum(self._most[:newest], row[prompt : prompt + newest], out=self._most[:newest])

    def truncate(self, length: int) -> None:
        """Keep the first `length` tokens; what they were seen to be worth stays, their attention rows go."""
        self.over = False
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
        """Where a token's characters end."""
        return self.starts[token + 1] if token + 1 < len(self) else len(self.text)

    def word(self, token: int) -> Word | None:
        """The word that a token belongs to; `None` for punctuation and white space."""
        start = self.starts[token]
        return word_at(self._words, start, end=max(self.end(token), start + 1))

    def is_whole(self, token: int) -> bool:
        """Whether the token's word can grow no more."""
        word = self.word(token)
        return self.over or word is None or word.end < len(self.text)

    def carries_meaning(self, token: int) -> bool:
        """Equation 4 for words: whether the token's word is no stopword; punctuation carries none."""
        word = self.word(token)
        return word is not None and word.is_content

    def word_start(self, token: int) -> int:
        """The first token of the word that a token belongs to; the token itself where it belongs to none."""
        word = self.word(token)
        return token if word is None else min(token, self.token_at(word.start))

    def token_at(self, character: int) -> int:
        """The token that holds a character."""
        return max(0, bisect_right(self.starts, character) - 1)

    # -- sentences ----------------------------------------------------------------------------

    def sentences(self) -> list[TokenRange]:
        """The sentences as ranges of tokens; the last one may be unfinished."""
        firsts = [self.token_at(start) for start in self._sentences]
        return [TokenRange(first, end) for first, end in zip(firsts, [*firsts[1:], len(self)], strict=True)]

    def sentence(self, token: int) -> TokenRange:
        """The sentence that a token belongs to; an empty range behind the last one for a token that is not there yet."""
        found = [each for each in self.sentences() if each.first <= token]
        return found[-1] if found and token < len(self) else TokenRange(len(self), len(self))

    def just_ended(self) -> TokenRange | None:
        """The sentence that ended with the newest token: it begins the next one, or nothing follows."""
        sentences = self.sentences()
        if self.over:
            return sentences[-1] if len(self) else None
        began = len(sentences) > 1 and sentences[-1].first == len(self) - 1
        return sentences[-2] if began else None

    def text_of(self, tokens: TokenRange) -> str:
        """The characters of a range of tokens, without white space around them."""
        if tokens.first >= tokens.end:
            return ""
        return self.text[self.starts[tokens.first] : self.end(tokens.end - 1)].strip()

    # -- scores -------------------------------------------------------------------------------

    def score(self, token: int) -> TokenScore:
        """Everything known of a token."""
        word = self.word(token)
        most = float(self._most[token])
        known = most >= 0
        return TokenScore(
            index=token,
            id=self.ids[token],
            text=self.text[self.starts[token] : self.end(token)],
            word="" if word is None else word.text,
            stopword=word is not None and not word.is_content,
            probability=_told(self.probabilities[token]),
            entropy=_told(self.entropies[token]),
            max_attention=most if known else None,
            rind=self.entropies[token] * most * self.carries_meaning(token) if known else None,
        )

    def _read_on(self, length: int) -> None:
        """Find the words and sentences of the characters that came after the first `length`."""
        while self._words and self._words[-1].end >= length - _UNSETTLED:
            self._words.pop()
        self._words += words_of(self.text, start=self._words[-1].end if self._words else 0)
        since = self._sentences[-1]
        if not _ENDS.isdisjoint(self.text[since:]):
            self._sentences += [since + each.start for each in split_sentences(self.text[since:])[1:]]


def _told(score: float) -> float | None:
    return None if math.isnan(score) else score
