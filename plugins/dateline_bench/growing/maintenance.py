"""Maintenance: instances with unchanged evidence are kept (GrowOVER, section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dateline_bench.growing.articles import GrowingArticle
from dateline_bench.growing.grown import GrownDialogue, GrownQuestion, GrownTurn
from dateline_bench.growing.making import ALL, HALF, still_stands

Moves = Mapping[int, tuple[int, ...]]
"""Where the unchanged old sentences stand now: `Labelling.kept()`."""


class KeptInstances(NamedTuple):
    """The instances of one article after a month."""

    questions: tuple[GrownQuestion, ...]
    dialogues: tuple[GrownDialogue, ...]
    dropped_questions: tuple[GrownQuestion, ...]
    dropped_dialogues: tuple[GrownDialogue, ...]
    deleted_turns: int


def maintain(
    questions: Sequence[GrownQuestion],
    *,
    dialogues: Sequence[GrownDialogue],
    article: GrowingArticle | None,
    moves: Moves,
    month: str,
) -> KeptInstances:
    """Keep, re-index or drop instances against the new version.

    `article` is `None` where the snapshot has none any more.

    A question goes when any of its evidence did, or when its answer stood there and no longer does: a shorter sentence
    may follow from the old one, and so count as unchanged, and leave the answer out. A dialogue stays with that turn marked Deleted, and goes with its last
    turn (which the paper leaves open).
    """
    kept, dropped = [], []
    for question in questions:
        found = _moved(question, question.answer, article, moves, shares=(HALF, ALL))
        if found is None:
            dropped.append(question)
        else:
            kept.append(question.model_copy(update={"type": "Unchanged", "previous_answer": "", **found}))
    talks, gone, deleted = [], [], 0
    for dialogue in dialogues:
        turns = tuple(_turn(turn, article, moves) for turn in dialogue.turns)
        lost = sum(new.type == "Deleted" != old.type for old, new in zip(dialogue.turns, turns, strict=True))
        deleted += lost
        if all(turn.type == "Deleted" for turn in turns):
            gone.append(dialogue)
        else:
            modified = month if lost else dialogue.modified
            talks.append(dialogue.model_copy(update={"type": "Unchanged", "turns": turns, "modified": modified}))
    return KeptInstances(tuple(kept), tuple(talks), tuple(dropped), tuple(gone), deleted)


def _turn(turn: GrownTurn, article: GrowingArticle | None, moves: Moves) -> GrownTurn:
    # An expert speaks in sentences, of which some words may be other ones than those of the evidence.
    found = None if turn.type == "Deleted" else _moved(turn, turn.expert, article, moves, shares=(HALF,))
    if found is None:
        return turn.model_copy(update={"type": "Deleted"})
    return turn.model_copy(update={"type": "Unchanged", **found})


def _moved(
    made: GrownQuestion | GrownTurn, said: str, article: GrowingArticle | None, moves: Moves, *, shares: Sequence[float]
) -> dict[str, tuple[int, ...] | tuple[str, ...]] | None:
    """Move evidence to its new places, or return `None`."""
    if article is None or not made.indices or any(place not in moves for place in made.indices):
        return None
    places = tuple(sorted({new for place in made.indices for new in moves[place]}))
    evidence = tuple(article.sentences[place] for place in places)
    if not all(still_stands(said, before=made.evidence, now=evidence, share=share) for share in shares):
        return None
    return {"indices": places, "evidence": evidence}
