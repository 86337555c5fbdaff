"""Names of attributes, by the pack's words or near them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dateline.facts.fact import folded
from dateline.facts.slots import SlotPack
from dateline.text.embeddings import embed
from dateline.text.words import stems, words

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from numpy.typing import NDArray

_BESIDE = frozenset(["new", "current", "official", "present", "own", "usual", "latest", "regular", "actual"])
"""Words before a noun that leave its attribute what it is."""


@dataclass(frozen=True)
class AttributeNames:
    """Reader of attributes' names.

    A noun is only ever taken for an attribute by the pack's own words. Nearness in meaning would take a fiancé for a spouse and an
    employee for an employer; it orders what a question may ask for, where a wrong guess costs nothing.

    Attributes:
        pack: the attributes, with their other names.
        embeddings: the encoder that compares questions with names.

    Example:
        >>> names = AttributeNames(SlotPack.shipped(), None)
        >>> names.of("new coworkers"), names.of("gate code"), names.asked("Who are the coworkers?", most=3)
        ('colleague', 'gate code', ['colleague'])
    """

    pack: SlotPack
    embeddings: Embeddings | None

    def of(self, noun: str) -> str:
        """Return the attribute that a noun names, perhaps its own."""
        return self.exact(noun) or _bare(noun)

    def exact(self, noun: str) -> str | None:
        """Find a noun among the pack's names."""
        name = self.pack.name(_bare(noun))
        return name if name in self.pack.rules else self._stems.get(tuple(stems(name)))

    def asked(self, question: str, *, most: int) -> list[str]:
        """List the attributes that a question names, then those nearest."""
        found = words(question)
        runs = (" ".join(found[i : i + n]) for n in (3, 2, 1) for i in range(len(found) - n + 1))
        named = dict.fromkeys(each for run in runs if (each := self.exact(run)) is not None)
        named |= {own: None for own, rule in self.pack.rules.items() if any(each in question for each in rule.among)}
        return list(dict.fromkeys([*named, *self._nearest(question, most)]))[:most]

    def _nearest(self, question: str, most: int) -> Sequence[str]:
        if self.embeddings is None or not self._names:
            return ()
        cosines = self._vectors @ embed([question], embeddings=self.embeddings)[0]
        return list(dict.fromkeys(self._names[row][1] for row in np.argsort(-cosines, kind="stable")[: 3 * most]))

    @cached_property
    def _names(self) -> list[tuple[str, str]]:
        return [(name, own) for own, rule in self.pack.rules.items() for name in (own, *rule.aliases, *rule.verbs)]

    @cached_property
    def _vectors(self) -> NDArray[np.float32]:
        assert self.embeddings is not None
        return embed([name for name, _ in self._names], embeddings=self.embeddings)

    @cached_property
    def _stems(self) -> dict[tuple[str, ...], str]:
        return {tuple(stems(name)): own for name, own in reversed(self._names)}


def _bare(noun: str) -> str:
    return " ".join(word for word in folded(noun).split() if word not in _BESIDE)
