"""Sentences that say another's words of something else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dateline.products import products
from dateline.ranking.sentence_words import Mark, SentenceWords
from dateline.ranking.state_features import AskedWords


def twins(asked: AskedWords, words: SentenceWords) -> NDArray[np.bool_]:
    """Return which sentences say of something else what another says.

    Another sentence is the same but for words of the question, which are replaced: "The boathouse of the club is at 4
    Mill Lane" beside "The office of the club is at 9 Well Street" when the office is asked for; or this one is the same
    with one or two words more: "the museum's café". Many versions of a state show in this way which wordings are of
    one state. Names and numbers that the question lacks are values, and do not count.

    Returns:
        An array of shape (sentences,).
    """
    own = words.among(asked.roots) < len(asked.roots)
    framing = own | (words.marks & (Mark.NAME | Mark.NUMBER | Mark.ARTICLE) == 0)
    opens = np.append(True, (words.marks[:-1] & (Mark.FUNCTION | Mark.ENDS)) > 0)[: len(own)]
    roots, codes = np.unique(words.roots, return_inverse=True)
    empty, says = (words.marks & (Mark.FUNCTION | Mark.LIGHT)) > 0, np.zeros(len(roots), dtype=np.float32)
    says[codes[~empty & ~own]] = 1.0
    table, phrased = (np.zeros((len(words.counts), len(roots)), dtype=np.float32) for _ in range(2))
    table[words.homes[framing], codes[framing]] = 1.0
    phrased[words.homes[own & opens], codes[own & opens]] = 1.0
    asked_for = np.unique(codes[own])
    sizes, telling = table.sum(1), table[:, says > 0].sum(1)
    # A word that one sentence alone has is shared with none.
    shared = np.flatnonzero(table.sum(0) > 1)
    common = table[:, shared]
    both, both_telling = products(common, common), products(common * says[shared], common)
    mine = table[:, asked_for]
    lost, more = sizes[None, :] - both, sizes[:, None] - both  # what the other (column) has and this one (row) lacks
    lost_asked = mine.sum(1)[None, :] - products(mine, mine)
    lost_phrase = phrased.sum(1)[None, :] - products(mine, phrased[:, asked_for])
    added_telling = telling[:, None] - both_telling
    alike = both >= np.maximum(lost, more) + 2
    replaced = (lost_phrase >= 1) & (lost == lost_asked) & (lost <= 2) & (added_telling >= 1) & (more <= 3)
    added = (lost == 0) & (added_telling >= 1) & (added_telling <= 2) & (more <= 4)
    return np.asarray((alike & (replaced | added)).any(1))
