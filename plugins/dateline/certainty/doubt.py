"""Main reason not to trust an answer, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dateline.certainty.signals import same
from dateline.records import Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text.words import content_words

DOUBT = "Why not trusted"
"""Stands before the reason."""

_NEAR = 0.5
"""From this share of the answer's own probability on, another answer is a rival. Chosen by hand."""

_NAMED = 3
"""Words of the question that are named at most."""


def main_doubt(question: Question, *, reading: Reading, used: Sequence[Evidence], read: int) -> str:
    """Say why a guess is not trusted; "" where nothing plain does.

    Args:
        used: the evidence that the answer stands on.
        read: how many pieces were read.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who is the king of Norway?", as_of=now())
        >>> note = Evidence.make("Dick Costolo replaces Evan Williams at Twitter.")
        >>> main_doubt(question, reading=Reading(answer="Dick Costolo"), used=[note], read=5)
        'where it stands, nothing is said of "king", "Norway"'
    """
    if not reading.answer.strip() or not used:
        return ""
    if missing := _unsaid(question, used):
        return f"where it stands, nothing is said of {', '.join(missing)}"
    rival = next((one for one in reading.candidates if not same(one.answer, reading.answer)), None)
    if rival is not None and rival.probability >= _NEAR * reading.probability:
        return f'another answer is nearly as likely: "{rival.answer}"'
    if reading.no_answer >= 0.5:
        return "more likely than not, nothing that was read answers this"
    undated = all(piece.published is None for piece in used)
    if len(used) == 1 and read > 1:
        return f"only one of the {read} pieces that were read says so{', and it has no date' if undated else ''}"
    return "nothing that it stands on has a date" if undated else ""


def _unsaid(question: Question, used: Sequence[Evidence]) -> list[str]:
    """Quote the words of a question that no piece holds.

    Past verbs and the word behind "how" aside.
    """
    said = {stem for piece in used for stem in content_words(f"{piece.title} {piece.text}")}
    asked = [word.strip("\"'“”’.,;:!?()") for word in (question.content or question.text).split()]
    asked = [word for before, word in pairwise(["", *asked]) if before.lower() != "how"]
    words = {word: stems for word in asked if (stems := content_words(word.removesuffix("'s").removesuffix("’s")))}
    missing = [word for word, stems in words.items() if said.isdisjoint(stems)]
    return [f'"{word}"' for word in missing if not word.endswith("ed")][:_NAMED]
