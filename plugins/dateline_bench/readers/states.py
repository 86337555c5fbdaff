"""Reader of states: the choice that dated evidence asserted last."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dateline.handwritten.reading.scored_sentences import MAX_SENTENCES
from dateline.language.names import find_names
from dateline.protocols import ReadResult
from dateline.records import Candidate, Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.interval import DAY
from dateline.text.embeddings import embed
from dateline.text.sentences import split_sentences
from dateline.text.words import STOPWORDS, content_words, words
from dateline_bench.readers.naming import Folded, Name, alternatives
from dateline_bench.readers.stance import Stance, stance_of

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

HALF_LIFE_DAYS = 150.0
"""Evidence so much older counts half: states of people and companies that are worth a question last about a year."""

STANCES: dict[Stance, float] = {"begins": 1.2, "holds": 1.0, "ends": 0.3}
"""What a mention is worth by what its sentence says of the tie: "joins Oberau", "of Oberau", "leaves Oberau"."""

_LEAST_ABOUT = 0.25
"""A sentence that names less of the subject is about something else."""
_CONTEXT = 0.8
"""What a subject counts that only the title or another sentence of the piece names."""
_IN_FULL = 0.9
"""A sentence that names the subject less fully may be about a namesake: its closeness in meaning says nothing."""
_LEAST_MENTION, _FULLNESS = 0.2, 1.2
"""The least mention whose stance is read, and the exponent that makes a mention in part count for less."""
_CLOSENESS, _MARGIN = 1.5, 0.02
"""What closeness in meaning counts beside a mention, and the difference of cosines that is chance."""
_LEAST_ASKED = 0.1
"""What is left of a sentence whose meaning has nothing to do with the question's."""
_STRONG, _SLOPE = 0.2, 0.05
"""Share of the strongest evidence from which evidence is taken at its word, and how sharply."""
_UNSPOKEN = 1e-3


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Sentence of evidence; `about` is its subject's weight, 0 to 1."""

    text: str
    folded: Folded
    source: int
    about: float


class StateReader:
    """Answers "who is it now?" among given choices; implements `dateline.protocols.Reader`.

    Every sentence about the question's subject speaks for the choices that it names, in full, by last name, by initials or in
    part, and for those that it is close to in meaning, the more the closer it is to the question; a tie that it says has ended
    speaks little. Of what is said about strongly enough, the newest counts most. Evidence dated after the asked time is not
    read; undated evidence counts as one half-life old, so without any dates the best match wins.

    Args:
        embeddings: LangChain embeddings for closeness in meaning; without them names alone decide.
    """

    def __init__(self, *, embeddings: Embeddings | None = None) -> None:
        self.embeddings = embeddings

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Read `evidence`; answer with the first best of `choices`."""
        started = time.perf_counter()
        reading = self._choose(question, evidence, choices) if choices else Reading(answer="", no_answer=1.0)
        return ReadResult(reading, Cost(seconds=time.perf_counter() - started))

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read asynchronously; it takes milliseconds and waits for nothing."""
        return self.read(question, evidence=evidence, choices=choices)

    def support(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return each piece's support of each choice, shape (pieces, choices)."""
        subject = subject_of(question.text, choices=choices)
        sentences = _about(subject, evidence)
        result = np.zeros((len(evidence), len(choices)))
        if not sentences:
            return result
        said = self._said(question.text, subject, sentences, choices)
        share = said / max(float(said.max()), _UNSPOKEN)
        taken = share / (1 + np.exp((_STRONG - share) / _SLOPE))
        recency = self._recency(question, evidence)
        for sentence, row in zip(sentences, taken, strict=True):
            np.maximum(result[sentence.source], row * recency[sentence.source], out=result[sentence.source])
        return result

    def _choose(self, question: Question, evidence: Sequence[Evidence], choices: Sequence[str]) -> Reading:
        support = self.support(question, evidence=evidence, choices=choices)
        best = support.max(axis=0, initial=0.0)
        worth = best + _UNSPOKEN * max(1.0, float(best.max()))
        shares = worth / worth.sum()
        order = sorted(range(len(choices)), key=lambda index: -shares[index])
        candidates = tuple(
            Candidate(
                answer=choices[index],
                probability=float(shares[index]),
                evidence_ids=tuple(
                    evidence[row].id for row in np.argsort(-support[:, index], kind="stable") if support[row, index] > 0
                ),
            )
            for index in order
        )
        return Reading(
            answer=choices[order[0]],
            probability=float(shares[order[0]]),
            no_answer=0.0 if best.any() else 1.0,
            evidence_ids=candidates[0].evidence_ids,
            choice=order[0],
            candidates=candidates,
        )

    def _said(
        self, question: str, subject: str, sentences: Sequence[_Sentence], choices: Sequence[str]
    ) -> NDArray[np.float64]:
        """Shape (sentences, choices): what each says for each, its date left out."""
        names = alternatives(choices, told=[subject])
        named = np.array([[_mention(name, sentence.folded) for name in names] for sentence in sentences])
        about = np.array([sentence.about for sentence in sentences])[:, None]
        said: NDArray[np.float64] = about**2 * named
        if self.embeddings is None:
            return said
        vectors = embed([sentence.text for sentence in sentences], embeddings=self.embeddings)
        states = embed([f"{subject}, {choice}" for choice in choices], embeddings=self.embeddings)
        closer = _closer(vectors, states) * (about >= _IN_FULL)
        asked = vectors @ embed([question], embeddings=self.embeddings)[0]
        result: NDArray[np.float64] = np.maximum(_LEAST_ASKED, asked)[:, None] * (said + about**2 * _CLOSENESS * closer)
        return result

    def _recency(self, question: Question, evidence: Sequence[Evidence]) -> NDArray[np.float64]:
        """Return each piece's recency, 1.0 halved by each half-life.

        It is 0 for evidence of a later time.
        """
        asked = question.effective_constraint().window().last
        starts = [None if piece.published is None else piece.published.start for piece in evidence]
        dated = [start for start in starts if start is not None and (asked is None or start <= asked)]
        newest = max(dated, default=0)
        ages = [HALF_LIFE_DAYS if start is None else (newest - start) / DAY for start in starts]
        return np.array([0.0 if age < 0 else 0.5 ** (age / HALF_LIFE_DAYS) for age in ages])


def subject_of(question: str, *, choices: Sequence[str] = ()) -> str:
    """Return a question's subject: its longest name, else content words."""
    opening = question.split(" ", 1)
    rest = opening[1] if len(opening) > 1 else question
    known = {" ".join(words(choice)) for choice in choices}
    names = [_OFFICE.sub("", match.group().rstrip(".?'’")) for match in find_names(rest)]
    names = [name for name in names if name and " ".join(words(name)) not in known]
    if names:
        return max(names, key=len)
    return " ".join(word for word in words(question) if word not in STOPWORDS)


_OFFICE = re.compile(r"^(?:C[EFTO]O|PM|MP|President|Prime Minister)(?: of (?:the )?|$)")
"""An office in capitals is what a question asks for, not what it is about."""


def _about(subject: str, evidence: Sequence[Evidence]) -> list[_Sentence]:
    """Find the sentences about the subject.

    Those that name it, or stand in a piece that does.
    """
    name = Name.of(subject)
    found = []
    for source, piece in enumerate(evidence):
        texts = _texts(piece)
        folded = [Folded.of(text) for text in texts]
        context = _CONTEXT * min(1.0, name.strength(Folded.of("\n".join(texts))))
        for text, one in zip(texts, folded, strict=True):
            about = max(context, min(1.0, name.strength(one)))
            if about > _LEAST_ABOUT and content_words(text):
                found.append(_Sentence(text, one, source, about))
    return found


def _closer(sentences: NDArray[np.float32], states: NDArray[np.float32]) -> NDArray[np.float64]:
    """Score a sentence's similarity to one state, less the average."""
    alike = (sentences @ states.T).astype(np.float64)
    closer: NDArray[np.float64] = alike - alike.mean(axis=1, keepdims=True) - _MARGIN
    return np.maximum(0.0, closer)


def _texts(piece: Evidence) -> list[str]:
    sentences = [sentence.text for sentence in split_sentences(piece.text)[:MAX_SENTENCES]]
    return list(dict.fromkeys([*([piece.title] if piece.title.strip() else []), *sentences]))


def _mention(name: Name, text: Folded) -> float:
    """Score a text's support of a name."""
    strength = name.strength(text)
    if strength <= _LEAST_MENTION:
        return float(strength**_FULLNESS)
    place = name.place(text)
    return float(strength**_FULLNESS) * (STANCES[stance_of(text.words, place)] if place else 1.0)
