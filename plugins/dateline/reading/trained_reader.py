"""The local reader: a small trained model that extracts its answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from functools import lru_cache
from itertools import islice

from dateline.handwritten.reading.extractive import ExtractiveReader
from dateline.language.answer_type import AnswerKind, answer_type
from dateline.language.yes_no import verdicts_of
from dateline.protocols import ReadResult
from dateline.reading.announced import announced, announcement, asks_of_now, day_ahead
from dateline.reading.counting import summed
from dateline.reading.difference import asks_difference, difference, subtract, unplanned
from dateline.reading.encoding import TextTokens, Window, batch, windows
from dateline.reading.look import Look
from dateline.reading.model_files import load_session, load_tokenizer
from dateline.reading.piece_order import best_first
from dateline.reading.settling import affirm, affirm_choice, cut_mentions, settle
from dateline.reading.shipped_model import ShippedModel
from dateline.reading.span_scores import Floats, score, sentence_starts
from dateline.records import Announcement, Cost, Evidence, Reading
from dateline.softmax import softmax
from dateline.stopping import in_thread
from dateline.temporal.constraint import Question
from dateline.text.words import word_f1

_LOOKS = 128
"""Looks that are kept, about 2 MB: what finds conflicts, reads and judges a reading looks at the same evidence. Chosen by
hand, for so many questions at once."""
_WINDOWS = 512
"""Windows whose output is kept, at most 10 MB: beside other evidence most of a piece's windows stay as they are."""
_AHEAD = 2
"""Pieces that are read once more as of a day to come; it bounds what that costs."""
_UNNAMED, _CHOICE = 0.02, 0.3
"""Given choices: what the model gives a choice that none of its answers names, and the weight of its view beside the rules'."""


class TrainedReader(ShippedModel):
    """A trained reader of several documents; answers collect votes from each.

    The constraint is part of the model's input: each sentence and each time expression is marked with its relation to
    the time asked for (`dateline.reading.temporal_tags`). Questions for yes or no are decided by the windows' verdicts, given
    choices by the rules of `ExtractiveReader`, together with the model's spans.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who is the mayor of Oslo?", as_of=now())
        >>> notes = [Evidence.make("Anne Lindboe is the mayor of Oslo.")]
        >>> TrainedReader().read(question, evidence=notes).reading.answer
        'Anne Lindboe'
    """

    def _open(self) -> None:
        self._session = load_session("reader", threads=self._threads, folder=self._folder)
        self._tokens = TextTokens(load_tokenizer(folder=self._folder))
        self._rules = ExtractiveReader()
        self._looks = lru_cache(_LOOKS)(self._look)
        self._outputs = lru_cache(_WINDOWS)(self._run)

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Read `evidence`; with `choices`, the answer is one of them.

        Dated pieces may stand in any order; of others the best comes first.
        """
        started = time.perf_counter()
        if choices:
            reading = self._chosen(question, evidence, choices)
        else:
            reading = self._settled(question, *self._in_order(question, evidence))
        return ReadResult(reading, Cost(seconds=time.perf_counter() - started))

    def _chosen(self, question: Question, evidence: Sequence[Evidence], choices: Sequence[str]) -> Reading:
        look = self.look(question, evidence=evidence)
        verdicts = verdicts_of(choices)
        if verdicts is not None and look.verdicts:
            return affirm_choice(affirm(look, evidence), choices=choices, verdicts=verdicts)
        told = self._rules.read(question, evidence=evidence, choices=choices).reading
        return weigh_choices(told, choices=choices, look=look)

    def _in_order(self, question: Question, evidence: Sequence[Evidence]) -> tuple[Look, Sequence[Evidence]]:
        """Put dated pieces in an order of their own.

        Of undated ones a ranking knows more: of TimeQA's perturbed questions 25 in 100 were right in its order, 20 in this.
        """
        look = self.look(question, evidence=evidence)
        if all(piece.published is None for piece in evidence):
            return look, evidence
        order = best_first(question, evidence=evidence, look=look)
        return look.of(order), [evidence[place] for place in order]

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read on a thread of its own."""
        return await in_thread(self.read, question, evidence=evidence, choices=choices)

    def look(self, question: Question, *, evidence: Sequence[Evidence]) -> Look:
        """The model's view of the evidence, before anything is decided."""
        # By its own wall clock: moments that are equal in two zones may lie on two days.
        asked = replace(question, as_of=question.as_of.replace(tzinfo=UTC))
        return self._looks(asked, tuple(evidence))

    def read_beside(
        self, question: Question, *, pieces: Sequence[Evidence], evidence: Sequence[Evidence]
    ) -> list[ReadResult]:
        """Read pieces each for itself, marked beside all `evidence`."""
        look, found = self.look(question, evidence=evidence), []
        places = {piece.id: place for place, piece in enumerate(evidence)}
        for piece in pieces:
            started = time.perf_counter()
            reading = self._settled(question, look.of([places[piece.id]]), [piece])
            found.append(ReadResult(reading, Cost(seconds=time.perf_counter() - started)))
        return found

    def _settled(self, question: Question, look: Look, evidence: Sequence[Evidence]) -> Reading:
        wanted = answer_type(question.text)
        if wanted.kind == "yes_no":
            return affirm(look, evidence)
        plan = difference(question)
        if plan is not None:
            both = (self._settled(part, self.look(part, evidence=evidence), evidence) for part in plan)
            told = subtract(plan, *both)
            if told is not None:
                return told
        rules = self._rules.read(question, evidence=evidence).reading
        reading = settle(look, question, evidence, wanted=wanted, rules=rules)
        later = self._announced(reading.answer, wanted.kind, question, look, evidence)
        reading = reading if later is None else reading.model_copy(update={"announced": later})
        if asks_difference(question):
            return unplanned(reading)
        return summed(reading, question=question, evidence=evidence) if wanted.kind == "count" else reading

    def _announced(
        self, answer: str, kind: AnswerKind, question: Question, look: Look, evidence: Sequence[Evidence]
    ) -> Announcement | None:
        """Tell what is to come.

        Pieces that look ahead are read as of the first day of which they tell: as of the day asked, what they announce is no answer.
        """
        if not asks_of_now(question):
            return None
        days = ((place, day_ahead(piece, question=question)) for place, piece in enumerate(evidence))
        ahead = dict(islice(((place, day) for place, day in days if day is not None), _AHEAD))
        if not ahead:
            return None
        mentions = [one for one in cut_mentions(look, kind) if one.source not in ahead]
        for place, day in ahead.items():
            then = self.look(replace(question, as_of=day, constraint=None), evidence=[evidence[place]])
            mentions += [replace(one, source=place) for one in cut_mentions(then, kind)]
        told = announced(mentions, question=question, evidence=evidence)
        return announcement(answer, mentions, told, question=question, evidence=evidence)

    def _look(self, question: Question, evidence: tuple[Evidence, ...]) -> Look:
        built = windows(question, evidence=evidence, tokens=self._tokens)
        seen = self._session.each(self._outputs, map(_Same, built))
        begins = [sentence_starts(piece) for piece in evidence]
        scored = tuple(
            score(window, logits=logits, text=evidence[window.source].text, begins=begins[window.source])
            for window, (logits, *_) in zip(built, seen, strict=True)
        )
        logits, states, verdicts = zip(*seen, strict=True) if seen else ((), (), ())
        return Look(tuple(built), logits, states, verdicts, scored)

    def _run(self, same: _Same) -> tuple[Floats, Floats, Floats]:
        """Run the model; return logits (tokens, 2), states (tokens, 8), verdicts (3,).

        Each window is run by itself: numbers are rounded to 8 bits by the range of all in one run, so that in a batch what
        is read in one would depend on the others. It costs no more, for nothing is padded.
        """
        logits, states, verdicts = self._session.run(["logits", "states", "verdicts"], batch([same.window]))
        return logits[0], states[0], verdicts[0]


class _Same:
    """A window that equals others of the same input."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._input = tuple(part.tobytes() for part in (window.ids, window.segments, window.marks))

    def __hash__(self) -> int:
        return hash(self._input)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other._input == self._input


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
    choice = list(choices).index(best.answer)
    return reading.model_copy(update={**dict(best), "choice": choice, "candidates": tuple(candidates)})
