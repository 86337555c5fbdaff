"""Ways of answering FreshQA over the same searches."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage

from dateline.chat import ReplyLoop, spoken, whole_lines
from dateline.protocols import Reader, Search
from dateline.reading import ChatReader
from dateline.records import Cost, Evidence
from dateline.temporal.decomposition import decompose
from dateline_bench.fresh import FreshAnswer, FreshQuestion
from dateline_bench.fresh.settings import FreshSettings

FOUND = 20
"""Pieces of evidence that are asked of a search; a prompt shows fewer."""


@dataclass
class FreshFindings:
    """Search results of each question, looked up once."""

    search: Search | None
    k: int = FOUND
    _known: dict[tuple[str, datetime], tuple[Evidence, ...]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def of(self, text: str, *, as_of: datetime) -> tuple[tuple[Evidence, ...], Cost]:
        """Return (evidence best first, cost of finding it).

        The second time costs nothing. Raises `SearchFailed`.
        """
        if self.search is None:
            return (), Cost()
        with self._lock:
            known = self._known.get((text, as_of))
        if known is not None:
            return known, Cost()
        result = self.search.search(text, as_of=as_of, k=self.k)
        with self._lock:
            self._known[text, as_of] = result.evidence
        return result.evidence, result.cost


def read_answer(
    question: FreshQuestion, *, found: FreshFindings, reader: Reader, settings: FreshSettings
) -> FreshAnswer:
    """Search for the question and read the results.

    Raises `SearchFailed`, `ModelFailed`.
    """
    evidence, spent = found.of(question.text, as_of=question.as_of)
    shown = settings.shown(evidence, as_of=question.as_of)
    # A prompt puts its evidence in order itself; bare snippets have lost what they could be ordered by.
    given = shown if settings.snippets_only or not isinstance(reader, ChatReader) else _by_rank(shown, evidence)
    result = reader.read(decompose(question.text, as_of=question.as_of), evidence=given)
    return FreshAnswer(result.reading.answer, tuple(shown), spent + result.cost)


def first_snippet(question: FreshQuestion, *, found: FreshFindings) -> FreshAnswer:
    """Return the engine's answer box, else its first result (FreshLLMs, 4.2)."""
    evidence, spent = found.of(question.text, as_of=question.as_of)
    best = snippet_of(evidence)
    return FreshAnswer("" if best is None else best.text, evidence, spent)


def answer_alone(question: FreshQuestion, *, model: BaseChatModel) -> FreshAnswer:
    """Feed a model the question alone (FreshLLMs, section 3).

    All that it says is the answer. Raises `ModelFailed`.
    """
    said, spent = model_said(model, [HumanMessage(question.text)])
    return FreshAnswer(spoken(said), cost=spent)


def model_said(model: BaseChatModel, messages: Sequence[BaseMessage]) -> tuple[str, Cost]:
    """Return a model's only reply and its cost. Raises `ModelFailed`."""
    started = time.perf_counter()
    heard = ReplyLoop(model, tries=1).ask(messages, read=whole_lines).raise_for_failure()
    return heard.value or "", heard.cost + Cost(seconds=time.perf_counter() - started)


def snippet_of(evidence: Sequence[Evidence]) -> Evidence | None:
    """The answer box, else the first piece; None where there is none."""
    boxes = (each for each in evidence if each.kind == "answer_box")
    return next(boxes, evidence[0] if evidence else None)


def _by_rank(chosen: Sequence[Evidence], evidence: Sequence[Evidence]) -> list[Evidence]:
    kept = {each.id for each in chosen}
    return [each for each in evidence if each.id in kept]
