"""Order of near-equal facts in reads, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dateline.facts.fact import FoundFact
from dateline.language.answer_type import answer_type
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers, known_words
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.state_features import AskedWords
from dateline.ranking.states import is_near_equal, stating

AT_FIRST, MOST = 30, 300
"""Facts that are compared at first, and where the last of these is still as near as one may be that states the same."""

NEAR = 0.6
"""The share of the best fact's cosine down to which more facts are looked for. Chosen by hand."""


def may_be_more(found: Sequence[FoundFact]) -> bool:
    """Return whether facts beyond these may state the same."""
    return len(found) >= AT_FIRST and found[-1].similarity >= NEAR * found[0].similarity


def newest_first(query: str, found: Sequence[FoundFact]) -> list[FoundFact]:
    """Order facts: those that state what is asked, newest first, the rest.

    Nobody ends a fact by telling the next one. So two hundred holders of an office are all true at a day, and of these the
    last one holds it.
    """
    if len(found) < 2:
        return list(found)
    texts = [each.fact.text for each in found]
    asked = AskedWords.of(query)
    kind, known = answer_type(query).kind, known_words(query, title="")
    odds = stating(
        asked,
        words=SentenceWords.of(texts),
        above=np.zeros((len(texts), len(asked.roots)), dtype=np.bool_),
        cosines=np.array([each.similarity for each in found]),
        offers=AnswerTable.of(map(PossibleAnswers.of, texts)).has(kind, known=known, sentences=np.arange(len(texts))),
    )
    near = is_near_equal(odds)
    began = [-np.inf if each.since is None or each.since.start is None else float(each.since.start) for each in found]
    stating_it = sorted(np.flatnonzero(near).tolist(), key=lambda place: (-began[place], -odds[place]))
    return [found[place] for place in [*stating_it, *np.flatnonzero(~near).tolist()]]
