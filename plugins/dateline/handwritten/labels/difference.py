"""Compare a new sentence with an old one by exact evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from dateline.handwritten.facts.statement import Statement
from dateline.handwritten.labels.lexicon import LASTING, exclusive
from dateline.handwritten.labels.sentence_content import VALUES, Kind, SentenceContent, Token

SHORTEST_ROOT = 5
"""Letters that two words must share at their beginning to be taken for forms of one: "visit" and "visitors"."""


@dataclass(frozen=True)
class Difference:
    """A new sentence beside one old sentence, or several that are read together."""

    old: SentenceContent
    new: SentenceContent

    @cached_property
    def added(self) -> tuple[Token, ...]:
        """What the new one tells and the old one does not."""
        return _without(self.new.telling, self.old.telling)

    @cached_property
    def removed(self) -> tuple[Token, ...]:
        """What the old one tells and the new one does not."""
        return tuple(
            token
            for token in _without(self.old.telling, self.new.telling)
            if not any(other.holds(token) for other in self.new.telling if other.kind == "number")
        )

    @cached_property
    def shared(self) -> frozenset[str]:
        """Content words, values left out, that both hold."""
        added = {token.key for token in self.added}
        return frozenset(key for key in self.new.content if key not in added)

    @property
    def frame(self) -> float:
        """How much of their content, values left out, the two share: 0 to 1 (Dice)."""
        total = len(self.new.content) + len(self.old.content)
        return min(1.0, 2 * len(self.shared) / total) if total else 0.0

    @property
    def contained(self) -> bool:
        """Whether all that the new one tells stands in the old one, neither denied nor freed of a reservation."""
        return (
            bool(self.new.telling)
            and not self.added
            and self.same_polarity
            and self.old.qualifiers <= self.new.qualifiers
            and not self.narrowed
            and not self.swapped
        )

    @property
    def same_polarity(self) -> bool:
        """Whether both deny, or neither does; a denial in a part that only one of them has counts for nothing."""
        if self.old.denials % 2 == self.new.denials % 2:
            return True
        return not self.reversed

    @cached_property
    def reversed(self) -> frozenset[str]:
        """Words that both hold and one of them denies."""
        both = {token.key for token in self.old.telling} & {token.key for token in self.new.telling}
        return frozenset(both & (self.old.denied ^ self.new.denied))

    @property
    def swapped(self) -> bool:
        """Whether the two are the same but for their values, or for the order of these."""
        if _masked(self.old) != _masked(self.new):
            return False
        return _values(self.old) != _values(self.new)

    @property
    def extends(self) -> bool:
        """Whether the new one tells all that the old one does, and more."""
        return bool(self.added) and not self.removed and len(self.old.telling) > 1 and not self.conflict

    @property
    def ended(self) -> bool:
        """Whether a word is gone that said of a state that it goes on."""
        return not LASTING.isdisjoint(
            {token.key for token in self.old.tokens} - {token.key for token in self.new.tokens}
        )

    @property
    def narrowed(self) -> bool:
        """Whether the new one says "only" of a part of what the old one tells."""
        return "only" in self.new.qualifiers - self.old.qualifiers and bool(self.removed)

    @cached_property
    def conflict(self) -> str:
        """Why both cannot hold, in a word; "" where exact evidence does not say so."""
        if self.swapped and not self.contained and not _generalises(self):
            return "another value"
        for kind in get_args(Kind):
            if kind in VALUES and _has(self.added, kind) and _has(self.removed, kind):
                return {"number": "another number", "calendar": "another date", "name": "another name"}[kind]
        if not self.same_polarity:
            return "denied"
        if self.narrowed:
            return "narrowed"
        if any(exclusive(mine.key, theirs.key) for mine in self.added for theirs in self.removed):
            return "the opposite"
        if Statement.read(self.new.text).compare(Statement.read(self.old.text)) == "conflict":
            return "another value"
        return ""


def _without(some: Sequence[Token], others: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens of `some` that say something beyond all of `others`."""
    keys = {token.key for token in others}
    numbers = [token for token in others if token.kind == "number"]
    roots = {key[:SHORTEST_ROOT] for key in keys if len(key) >= SHORTEST_ROOT and key.isalpha()}
    left = []
    for token in some:
        if token.key in keys:
            continue
        if token.kind == "number" and any(token.holds(other) for other in numbers):
            continue
        if token.kind == "content" and len(token.key) >= SHORTEST_ROOT and token.key[:SHORTEST_ROOT] in roots:
            continue
        left.append(token)
    return tuple(left)


def _has(tokens: Sequence[Token], kind: Kind) -> bool:
    return any(token.kind == kind for token in tokens)


def _masked(told: SentenceContent) -> list[str]:
    """Its words with one mark for each run of values of one kind."""
    masked: list[str] = []
    for token in told.tokens:
        mark = f"<{token.kind}>" if token.kind in VALUES else token.key
        if mark not in masked[-1:] or token.kind not in VALUES:
            masked.append(mark)
    return masked


def _values(told: SentenceContent) -> list[str]:
    return [token.key for token in told.tokens if token.kind in VALUES]


def _generalises(difference: Difference) -> bool:
    """Whether every value of the new one follows from the old one's at the same place."""
    old = [token for token in difference.old.tokens if token.kind in VALUES]
    new = [token for token in difference.new.tokens if token.kind in VALUES]
    return len(old) == len(new) and all(mine.holds(theirs) for mine, theirs in zip(new, old, strict=True))
