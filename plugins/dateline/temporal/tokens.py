"""Tokenisation of text into the classes of the time grammar."""

from __future__ import annotations

from dateline.temporal.vocabulary import ENGLISH, Vocabulary


class Tokens:
    """The tokens of one text.

    Their classes are one string; words and offsets are made on demand.
    """

    __slots__ = ("_spans", "_spoken", "_text", "classes", "originals", "vocabulary")

    def __init__(self, text: str, vocabulary: Vocabulary = ENGLISH) -> None:
        self._text = text
        self._spans: list[tuple[int, int]] | None = None
        self._spoken: list[str] | None = None
        self.vocabulary = vocabulary
        self.originals: list[str] = vocabulary.token.findall(text)
        classes = vocabulary.classes
        self.classes = "".join([classes[token] for token in self.originals])

    def __len__(self) -> int:
        return len(self.originals)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Start and end of each token in the text."""
        if self._spans is None:
            self._spans, end, find = [], 0, self._text.find
            for token in self.originals:  # tokens leave out nothing but space
                start = find(token, end)
                end = start + len(token)
                self._spans.append((start, end))
        return self._spans

    @property
    def spoken(self) -> list[str]:
        """The tokens in the words of the grammar; English as written."""
        if self.vocabulary is ENGLISH:
            return self.originals
        if self._spoken is None:
            self._spoken = list(map(self.vocabulary.words.__getitem__, self.originals))
        return self._spoken

    def word(self, index: int) -> str:
        """Return the token in lower case and in the grammar's own word."""
        return self.vocabulary.words[self.originals[index]]

    def is_other_word(self, index: int) -> bool:
        """Return whether a word is neither common nor one of time."""
        if not 0 <= index < len(self) or self.classes[index] != "x":
            return False
        token = self.originals[index]
        return token.isalpha() and not self.vocabulary.knows(token)

    def touch(self, index: int) -> bool:
        """Return whether nothing stands between token `index` and the one after it."""
        return 0 <= index < len(self.originals) - 1 and self.spans[index][1] == self.spans[index + 1][0]
