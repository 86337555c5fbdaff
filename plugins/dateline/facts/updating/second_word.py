"""A second word on what a chat model calls false.

A model that misreads a document, or lies, may name a line that mentions a fact and says nothing against it. So its word ends
a fact only where rules or the trained judge find so too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dateline.facts.fact import Fact
from dateline.facts.onset import day_of
from dateline.facts.updating.grounds import bears_on, tells_end
from dateline.facts.updating.mentions import outside_names
from dateline.facts.updating.subjects import repeats_value, same_subject
from dateline.handwritten.facts.statement import Statement
from dateline.protocols import EffectJudge, PlacedStatement
from dateline.temporal.interval import Interval

CONFIRMS = 0.5
"""Least probability at which the judge agrees that a line ends a fact: more likely than not. Of the 221 ends in
`benchmarks/effects/further` that speak of the fact the judges of before kept 171, of 257 statements beside them that end nothing 59."""
APART = 0.7
"""The same of a line that speaks of the subject and not of the fact's attribute."""


@dataclass(frozen=True, slots=True)
class EndClaim:
    """A model's word that a later text ends an earlier fact.

    Attributes:
        told: what the lines say that it names, each with its context.
        stated: statements that the same document bears out.
        title: of that document.
        when: when the text was said; `before`: when the fact was.
    """

    fact: Fact
    told: tuple[str, ...]
    stated: tuple[str, ...] = ()
    title: str = ""
    when: Interval | None = None
    before: Interval | None = None

    def beside(self, text: str) -> tuple[PlacedStatement, PlacedStatement]:
        """Pair a text of the later document with the fact."""
        later = PlacedStatement(text, day_of(self.when), self.title)
        return later, PlacedStatement(self.fact.text, day_of(self.before))

    def about_it(self) -> list[str]:
        """List lines and statements to compare with the fact."""
        return [*self.told, *(each for each in self.stated if bears_on(self.fact.text, text=each))]


@dataclass(frozen=True, slots=True)
class SecondWord:
    """Rules and a judge that have to agree before a fact ends.

    Attributes:
        judge: tells what a later statement does to an earlier one.
        limit: the least probability at which it agrees; at 0 the model's word is enough.

    Example:
        >>> from dateline.reading.still import shared_still_judge
        >>> fact = Fact.make("The mill of Lund is kept by Ada Berg.")
        >>> lines = "The mill of Oby is kept by Ada Berg.", "Bo Ek keeps the mill of Lund now, not Ada Berg."
        >>> SecondWord(shared_still_judge()).agree([EndClaim(fact, (line,)) for line in lines])
        [False, True]
    """

    judge: EffectJudge
    limit: float = CONFIRMS

    def agree(self, claims: Sequence[EndClaim]) -> list[bool]:
        """Tell for each claim whether it stands."""
        if self.limit <= 0:
            return [True] * len(claims)
        read = [[(text, _heard(claim, text)) for text in claim.about_it()] for claim in claims]
        agreed = [
            _other_value(claim) or any(heard == "rule" for _, heard in texts)
            for claim, texts in zip(claims, read, strict=True)
        ]
        undecided = [
            (place, text, self.limit if heard == "attribute" else max(self.limit, APART))
            for place, texts in enumerate(read)
            for text, heard in texts
            if not agreed[place] and heard != "nothing"
        ]
        if undecided:
            told = self.judge.effects([claims[place].beside(text) for place, text, _ in undecided]).chances
            for (place, _, limit), chances in zip(undecided, told, strict=True):
                agreed[place] = agreed[place] or float(chances[0]) >= limit
        return agreed


_Heard = Literal["rule", "attribute", "other", "nothing"]
"""What a text says of a fact, before the judge is asked: that it ends, something of its attribute, something else, nothing."""


def _other_value(claim: EndClaim) -> bool:
    """Find another value of the fact's slot."""
    own = Statement.read(claim.fact.text)
    return any(Statement.read(text).compare(own) == "conflict" for text in (*claim.told, *claim.stated))


def _heard(claim: EndClaim, text: str) -> _Heard:
    fact = claim.fact.text
    if not same_subject(fact, text=text):
        return "nothing"
    if tells_end(fact, text=text):
        return "rule"
    if repeats_value(fact, text=text):
        return "nothing"
    return "attribute" if outside_names(fact) & outside_names(text) else "other"
