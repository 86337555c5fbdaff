"""Sampled answers: the same question read again, the evidence rotated."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel

from dateline.errors import BadInput
from dateline.flow import Flow, call, together
from dateline.protocols import Reader
from dateline.reading.chat import ChatReader
from dateline.records import Evidence
from dateline.temporal.constraint import Question

MAX_SAMPLES = 20


def sampled(reader: Reader, *, question: Question, evidence: Sequence[Evidence], samples: int) -> Flow[list[str]]:
    """Read a question `samples` times, side by side.

    An empty answer is none. The evidence is rotated by one each time, so that a reader without chance gives different answers, too.
    """
    pieces = list(evidence)
    turns = [(turn + 1) % len(pieces) if pieces else 0 for turn in range(samples)]
    results = yield from together(call(reader.read, question, evidence=pieces[turn:] + pieces[:turn]) for turn in turns)
    return [result.reading.answer for result in results]


def checked_samples(samples: int) -> int:
    """Return a number of samples within bounds, or raise `BadInput`."""
    if not 1 <= samples <= MAX_SAMPLES:
        raise BadInput(f"samples must lie between 1 and {MAX_SAMPLES}, not {samples}.")
    return samples


def as_reader(model: Reader | BaseChatModel) -> Reader:
    """Return a reader; a chat model becomes a `ChatReader`."""
    return ChatReader(model) if isinstance(model, BaseChatModel) else model
