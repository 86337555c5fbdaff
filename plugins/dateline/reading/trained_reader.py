"""The local reader: a small trained model that extracts its answer."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dateline.handwritten.reading.extractive import ExtractiveReader
from dateline.language.answer_type import AnswerKind, AnswerType, answer_type
from dateline.protocols import ReadResult
from dateline.reading.cut import answer_key, cut
from dateline.reading.encoding import Window, batch, windows
from dateline.reading.enumeration import enumerate_parts
from dateline.reading.model_files import FOLDER, load_session, load_tokenizer
from dateline.reading.span_scores import Floats, Mention, Scored, score
from dateline.reading.verdicts import VERDICTS, weigh
from dateline.records import Candidate, Cost, Evidence, Reading
from dateline.softmax import softmax
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question
from dateline.text.words import word_f1

_LOOKS = 128
"""Looks that are kept, about 2 MB: what finds conflicts, reads and judges a reading looks at the same evidence. Chosen by
hand, for so many questions at once."""
_RANK = 0.5
"""What each place further back in the order of the evidence costs, in logits."""
_LONG, _WORDS = 0.5, 5
"""What each word of an answer beyond the fifth costs: a start and an end are found apart and may not belong together."""
_MOST = 10
"""Alternatives that a reading lists."""
_UNNAMED, _CHOICE = 0.02, 0.3
"""Given choices: what the model gives a choice that none of its answers names, and the weight of its view beside the rules'."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the model sees in each window, for estimators.

    Attributes:
        logits: (tokens, 2), start and end.
        states: (tokens, 8), kinds of state.
        verdicts: (3,), yes, no, unsaid.
    """

    windows: tuple[Window, ...]
    logits: tuple[Floats, ...]
    states: tuple[Floats, ...]
    verdicts: tuple[Floats, ...]
    scored: tuple[Scored, ...]

    def only(self, source: int) -> Look:
        """Return what was seen in one piece, numbered as the first."""
        chosen = [place for place, window in enumerate(self.windows) if window.source == source]
        return Look(
            tuple(replace(self.windows[place], source=0) for place in chosen),
            tuple(self.logits[place] for place in chosen),
            tuple(self.states[place] for place in chosen),
            tuple(self.verdicts[place] for place in chosen),
            tuple(self.scored[place].of_source(0) for place in chosen),
        )


class TrainedReader:
    """A trained reader of several documents; answers collect votes from each.

    The constraint is part of the model's input: each sentence and each time expression is marked with its relation to
    the time asked for (`dateline.reading.temporal_tags`). Questions for yes or no are decided by the windows' verdicts, given
    choices by the rules of `ExtractiveReader`, together with the model's spans.

    Args:
        threads: processor threads, at least 1.
        folder: where the weights lie.

    Raises:
        BadInput: when `threads` is below 1.
        DamagedInstall: when the weights are missing or not the ones that were shipped.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who is the mayor of Oslo?", as_of=now())
        >>> notes = [Evidence.make("Anne Lindboe is the mayor of Oslo.")]
        >>> TrainedReader().read(question, evidence=notes).reading.answer
        'Anne Lindboe'
    """

    def __init__(self, *, threads: int = 2, folder: Path = FOLDER) -> None:
        self._open(threads, folder)

    def _open(self, threads: int, folder: Path) -> None:
        self._threads, self._folder = threads, folder
        self._session = load_session("reader", threads=threads, folder=folder)
        self._tokenizer = load_tokenizer(folder=folder)
        self._tokenizer.no_truncation()
        self._rules = ExtractiveReader()
        self._looks = lru_cache(_LOOKS)(self._look)

    def __getstate__(self) -> dict[str, Any]:
        # A session cannot be sent to another process; it is opened anew there.
        return {"threads": self._threads, "folder": self._folder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._open(state["threads"], state["folder"])

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Read `evidence` (best first); with `choices`, the answer is one of them."""
        started = time.perf_counter()
        wanted = answer_type(question.text)
        if choices:
            told = self._rules.read(question, evidence=evidence, choices=choices).reading
            reading = weigh_choices(told, choices=choices, look=self.look(question, evidence=evidence))
        else:
            reading = _settle(self.look(question, evidence=evidence), evidence, wanted=wanted)
        return ReadResult(reading, Cost(seconds=time.perf_counter() - started))

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read on a thread of its own."""
        return await in_thread(self.read, question, evidence=evidence, choices=choices)

    def look(self, question: Question, *, evidence: Sequence[Evidence]) -> Look:
        """The model's view of the evidence, before anything is decided."""
        return self._looks(question, tuple(evidence))

    def read_beside(
        self, question: Question, *, pieces: Sequence[Evidence], evidence: Sequence[Evidence]
    ) -> list[ReadResult]:
        """Read pieces each for itself, marked beside all `evidence`."""
        wanted, look, found = answer_type(question.text), self.look(question, evidence=evidence), []
        places = {piece.id: place for place, piece in enumerate(evidence)}
        for piece in pieces:
            started = time.perf_counter()
            reading = _settle(look.only(places[piece.id]), [piece], wanted=wanted)
            found.append(ReadResult(reading, Cost(seconds=time.perf_counter() - started)))
        return found

    def _look(self, question: Question, evidence: tuple[Evidence, ...]) -> Look:
        built = windows(question, evidence=evidence, tokenizer=self._tokenizer)
        seen = [self._run(window) for window in built]
        scored = tuple(
            score(window, logits=logits, evidence=evidence) for window, (logits, *_) in zip(built, seen, strict=True)
        )
        logits, states, verdicts = zip(*seen, strict=True) if seen else ((), (), ())
        return Look(tuple(built), logits, states, verdicts, scored)

    def _run(self, window: Window) -> tuple[Floats, Floats, Floats]:
        """Run the model; return logits (tokens, 2), states (tokens, 8), verdicts (3,).

        Each window is run by itself: numbers are rounded to 8 bits by the range of all in one run, so that in a batch what
        is read in one would depend on the others. It costs no more, for nothing is padded.
        """
        logits, states, verdicts = self._session.run(["logits", "states", "verdicts"], batch([window]))
        return logits[0], states[0], verdicts[0]


def weigh_choices(reading: Reading, *, choices: Sequence[str], look: Look) -> Reading:
    """Weigh the rules' choice with the model's own answers."""
    mentions = [mention for scored in look.scored for mention in scored.mentions]
    if reading.choice is None or not mentions:
        return reading
    weights = softmax([mention.score for mention in mentions]).tolist()
    named = [
        sum(weight * word_f1(mention.text, choice) for weight, mention in zip(weights, mentions, strict=True))
        for choice in choices
    ]
    shares = {candidate.answer: candidate.probability for candidate in reading.candidates}
    worth = [shares[choice] * (_UNNAMED + support) ** _CHOICE for choice, support in zip(choices, named, strict=True)]
    total = sum(worth)
    if not total:
        return reading
    probabilities = {choice: value / total for choice, value in zip(choices, worth, strict=True)}
    candidates = sorted(
        (one.model_copy(update={"probability": probabilities[one.answer]}) for one in reading.candidates),
        key=lambda one: -one.probability,
    )
    best = candidates[0]
    return reading.model_copy(
        update={
            "answer": best.answer,
            "probability": best.probability,
            "evidence_ids": best.evidence_ids,
            "choice": list(choices).index(best.answer),
            "candidates": tuple(candidates),
        }
    )


def _settle(look: Look, evidence: Sequence[Evidence], *, wanted: AnswerType) -> Reading:
    return _affirm(look, evidence) if wanted.kind == "yes_no" else _extract(look, evidence, wanted=wanted)


def _affirm(look: Look, evidence: Sequence[Evidence]) -> Reading:
    """Answer yes or no, with the pieces that say so."""
    if not look.verdicts:
        return Reading(answer="", no_answer=1.0)
    verdicts = np.stack(look.verdicts)
    shares = dict(zip(VERDICTS, weigh(verdicts).tolist(), strict=True))
    alone = softmax(verdicts)
    candidates = []
    for place, answer in enumerate(VERDICTS[:2]):
        speakers = [
            number for number in np.argsort(-alone[:, place], kind="stable").tolist() if alone[number].argmax() == place
        ]
        sources = [evidence[look.windows[number].source].id for number in speakers]
        candidates.append(
            Candidate(answer=answer, probability=shares[answer], evidence_ids=tuple(dict.fromkeys(sources)))
        )
    return _reading(sorted(candidates, key=lambda one: -one.probability), no_answer=shares["unsaid"])


def _extract(look: Look, evidence: Sequence[Evidence], *, wanted: AnswerType) -> Reading:
    mentions = [_cut(mention, wanted.kind) for scored in look.scored for mention in scored.mentions]
    mentions = [mention for mention in mentions if answer_key(mention.text)]
    if not mentions:
        return Reading(answer="", no_answer=1.0)
    nothing = math.exp(min(scored.nothing for scored in look.scored))
    groups: dict[str, list[tuple[float, Mention]]] = defaultdict(list)
    for weight, mention in zip(softmax([_worth(mention) for mention in mentions]).tolist(), mentions, strict=True):
        groups[answer_key(mention.text)].append((weight, mention))
    shares = {key: (1 - nothing) * sum(weight for weight, _ in group) for key, group in groups.items()}
    ranked = sorted(shares, key=lambda key: -shares[key])[:_MOST]
    if wanted.several:
        group = groups[ranked[0]]
        weight, best = max(group, key=lambda pair: pair[0])
        groups[ranked[0]] = [(weight, enumerate_parts(best, mentions=mentions)), *group]
    return _reading([_candidate(groups[key], shares[key], evidence) for key in ranked], no_answer=nothing)


def _reading(candidates: Sequence[Candidate], *, no_answer: float) -> Reading:
    best = candidates[0]
    return Reading(
        answer=best.answer,
        probability=best.probability,
        no_answer=no_answer,
        evidence_ids=best.evidence_ids,
        candidates=tuple(candidates),
    )


def _cut(mention: Mention, kind: AnswerKind) -> Mention:
    text = cut(mention.text, kind=kind)
    return mention if text == mention.text else replace(mention, text=text)


def _worth(mention: Mention) -> float:
    return mention.score - _RANK * mention.source - _LONG * max(0, len(mention.text.split()) - _WORDS)


def _candidate(group: Sequence[tuple[float, Mention]], probability: float, evidence: Sequence[Evidence]) -> Candidate:
    """One answer in its best wording, with all that hold it."""
    ordered = sorted(group, key=lambda pair: -pair[0])
    sources = [evidence[mention.source].id for _, mention in ordered]
    return Candidate(
        answer=ordered[0][1].text, probability=min(1.0, probability), evidence_ids=tuple(dict.fromkeys(sources))
    )
