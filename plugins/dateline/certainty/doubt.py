"""Main reason not to trust an answer, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.certainty.signals import same
from dateline.certainty.stated import missing_words, unsaid
from dateline.reading.difference import UNPLANNED
from dateline.reading.verdicts import VERDICTS
from dateline.records import Evidence, Reading
from dateline.temporal.constraint import Question

DOUBT = "Why not trusted"
"""Stands before the reason."""

_NEAR = 0.5
"""From this share of the answer's own probability on, another answer is a rival. Chosen by hand."""

_NAMED = 3
"""Words of the question that are named at most."""


def main_doubt(question: Question, *, reading: Reading, used: Sequence[Evidence], read: Sequence[Evidence]) -> str:
    """Say why a guess is not trusted; "" where nothing plain does.

    Args:
        used: the evidence that the answer stands on.
        read: all that was read.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who is the king of Norway?", as_of=now())
        >>> note = Evidence.make("Dick Costolo replaces Evan Williams at Twitter.")
        >>> main_doubt(question, reading=Reading(answer="Dick Costolo"), used=[note], read=[note])
        'where it stands, nothing is said of "king", "Norway"'
    """
    if not reading.answer.strip():
        return ""
    if reading.reasoning == UNPLANNED:
        return "a difference is asked for that could not be planned, and this is one value"
    if not used:
        # Yes and no may stand on nothing; what else does is a model's own word.
        missing = unsaid(question, read) if reading.answer in VERDICTS else []
        return f"nothing that was read speaks of {_listed(missing)}" if missing else ""
    if missing := unsaid(question, used):
        return f"where it stands, nothing is said of {_listed(missing)}"
    rival = next((one for one in reading.candidates if not same(one.answer, reading.answer)), None)
    if rival is not None and rival.probability >= _NEAR * reading.probability:
        return f'another answer is nearly as likely: "{rival.answer}"'
    if reading.no_answer >= 0.5:
        return "more likely than not, nothing that was read answers this"
    others = [piece for piece in read if piece not in used]
    near = [piece for piece in others if not unsaid(question, [piece])]
    if len(used) == 1 and not any(reading.answer in piece.text for piece in near):
        when = "without a date" if used[0].published is None else f"of {used[0].published}"
        return f"only one document says so, {when}{_rest(question, others, near)}; check it before you rely on it"
    return "nothing that it stands on has a date" if all(piece.published is None for piece in used) else ""


def _rest(question: Question, others: Sequence[Evidence], near: Sequence[Evidence]) -> str:
    """Tell what the other pieces say, where that is plain.

    Args:
        near: those of them that may speak of what is asked for.
    """
    if not others:
        return ", and no other was read"
    if not near:
        return ", and nothing else that was read speaks of it"
    match sum(not missing_words(question, [piece]) for piece in near):
        case 0:
            return ""
        case 1:
            return ", and one more that speaks of it does not"
        case several:
            return f", and {several} more that speak of it do not"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words[:_NAMED])
