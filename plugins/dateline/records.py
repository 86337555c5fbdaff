"""Records that travel between rooms: evidence, readings, certainty, cost.

All are frozen pydantic models: JSON-native by `model_dump(mode="json")`, read back by `model_validate`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from dateline.channels import GIVEN
from dateline.encodable import encodable
from dateline.file_names import file_name
from dateline.options import refusal, without_example
from dateline.pictured import Pictured
from dateline.temporal.as_of import read_time
from dateline.temporal.interval import Interval

EvidenceKind = Literal[
    "document",
    "organic",
    "answer_box",
    "knowledge_graph",
    "related_question",
    "question_answer",
    "news",
    "ai_overview",
    "fact",
    "other",
]
"""Where a piece of evidence comes from: a document of the person's own, a fact of the store, or a part of a search page
("other": what else stands there, such as posts, videos, places, events and products)."""

TRUSTED = 0.5
"""The least p(reliable) that is called reliable: what is more likely wrong than right never is."""

CertaintyLabel = Literal["reliable", "misleading", "uncertain"]
"""GrowOVER, section 4: right by good evidence; wrong by misleading evidence; not decidable from it."""


class Record(Pictured, BaseModel):
    """A frozen value; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=without_example)


class Evidence(Record):
    """Dated piece of text that may support an answer (FreshLLMs, 4.1).

    Example:
        >>> Evidence.make("Anna Berg is the mayor.", published="May 2021").published.isoformat()
        '2021-05'
    """

    id: str = Field(description="Stable: the same source and text give the same id.")
    text: str
    title: str = ""
    source: str = Field(default="", description="Name of the site or file, as shown to people; its own word.")
    channel: str = Field(
        default=GIVEN,
        description="What it came through, as told by what loaded it: folder of a library, host, retriever, tool.",
    )
    url: str = ""
    row: int | None = Field(
        default=None, description="Its number in a file of several documents that have neither titles nor addresses."
    )
    published: Interval | None = Field(default=None, description="When it was published; None: not known, never 'now'.")
    kind: EvidenceKind = "document"
    highlights: tuple[str, ...] = ()
    position: int | None = Field(default=None, description="Rank in its engine's own order, from 0.")
    dated_by: str = Field(
        default="",
        description="Where its date stood: 'field publish_date', 'front matter date', 'HTML metadata date', '<time>', "
        "'history', 'file name' or 'text', with a remark where numbers had two readings. Empty: not known.",
    )

    @field_validator("id", "text", "title", "source", "url", "highlights", "dated_by", "channel")
    @classmethod
    def _encodable(cls, given: Any) -> Any:
        """Replace halves of characters, which no file, store or model takes."""
        return encodable(given) if isinstance(given, str) else tuple(map(encodable, given))

    @field_validator("published", mode="before")
    @classmethod
    def _dated(cls, given: Any) -> Any:
        """Read a date in any form of a moment, as its day."""
        read = read_time(given)
        return Interval.of_moment(read) if isinstance(read, datetime) else read

    @classmethod
    def make(cls, text: str, **fields: Any) -> Evidence:
        """Build evidence with an id derived from text and origin.

        The origin is its url, or else its source, title and date.

        So the same words of two days are two documents, unless they stand at one address; a file is the same in
        whatever folder it stands. `published` may be any form of a moment: text, a date, a year.

        Raises:
            BadInput: for a date that cannot be read, and a name that is no field.
        """
        try:
            piece = cls(**{"id": "", "text": text, **fields})
        except ValidationError as cause:
            raise refusal(cause, cls) from cause
        source, title = (str(fields.get(name) or "") for name in ("source", "title"))
        origin = fields.get("url") or f"{file_name(source)}|{title}|{piece.published or ''}"
        digest = hashlib.blake2b(f"{origin}\n{text.strip()}".encode(errors="replace"), digest_size=8).hexdigest()
        return piece.model_copy(update={"id": digest})

    @property
    def origin(self) -> str:
        """The source, or the address where no source is named."""
        return self.source or self.url


class RankedEvidence(Record):
    """Evidence with the scores that put it where it stands.

    Example:
        >>> RankedEvidence(evidence=Evidence.make("Anna Berg is the mayor."), score=0.8).evidence.text
        'Anna Berg is the mayor.'
    """

    evidence: Evidence
    score: float = Field(description="What it was ranked by; higher is better, never negative.")
    semantic: float = Field(default=0.0, description="Closeness to the question's main content, 0 to 1.")
    temporal: float = Field(default=0.5, description="Fit to the question's constraint, 0 to 1; 0.5 is neutral.")
    matched: Interval | None = Field(default=None, description="The time in the text that gave the temporal score.")
    sentence: str = Field(default="", description="The sentence that gave the score.")


class Candidate(Record):
    """One answer that a reader considered.

    Example:
        >>> Candidate(answer="Anna Berg", probability=0.7)
        Candidate(answer='Anna Berg', probability=0.7, evidence_ids=())
    """

    answer: str
    probability: float = Field(ge=0.0, le=1.0)
    evidence_ids: tuple[str, ...] = ()


class Announcement(Record):
    """An answer that is told to hold from a later day.

    Example:
        >>> str(Announcement(answer="13.90 euros", since="2025-05-01", evidence_id="e1"))
        'from 2025-05-01: 13.90 euros'
    """

    answer: str
    since: str = Field(description="ISO day from which it holds.")
    evidence_id: str = Field(description="Where it is told.")

    def __str__(self) -> str:
        return f"from {self.since}: {self.answer}"


class Reading(Record):
    """A reader's answer to a question, with its alternatives.

    Example:
        >>> Reading(answer="Anna Berg", probability=0.7).model_dump(exclude_defaults=True)
        {'answer': 'Anna Berg', 'probability': 0.7}
    """

    answer: str = Field(description="Empty when the evidence holds no answer.")
    probability: float = Field(default=0.0, ge=0.0, le=1.0, description="The reader's own, uncalibrated.")
    no_answer: float = Field(default=0.0, ge=0.0, le=1.0, description="Probability that nothing there answers.")
    evidence_ids: tuple[str, ...] = Field(default=(), description="The evidence it used.")
    choice: int | None = Field(default=None, description="Index into the given choices, where some were given.")
    candidates: tuple[Candidate, ...] = Field(default=(), description="Alternatives, the best first.")
    reasoning: str = Field(default="", description="The model's own words, where a model reasoned aloud.")
    announced: Announcement | None = Field(
        default=None, description="What is told to be the answer from a later day; the local reader says it."
    )

    @classmethod
    def of(cls, candidates: Sequence[Candidate], **more: Any) -> Reading:
        """Build a reading whose answer is the first candidate's, if any.

        `more` are further fields.
        """
        best: dict[str, Any] = dict(candidates[0]) if candidates else {"answer": "", "no_answer": 1.0}
        return cls(**{**best, "candidates": tuple(candidates), **more})


class Certainty(Record):
    """Probabilities of GrowOVER's three labels (section 4.1); they sum to 1.

    Example:
        >>> Certainty(reliable=0.7, misleading=0.1, uncertain=0.2).label
        'reliable'
    """

    reliable: float = Field(ge=0.0, le=1.0)
    misleading: float = Field(ge=0.0, le=1.0)
    uncertain: float = Field(ge=0.0, le=1.0)

    @property
    def label(self) -> CertaintyLabel:
        """Reliable from one half on, else the likelier of the others."""
        if self.reliable >= TRUSTED:
            return "reliable"
        return "misleading" if self.misleading > self.uncertain else "uncertain"

    @property
    def shown(self) -> str:
        """Return p(reliable) with two digits, never rounded up to one half."""
        highest = TRUSTED - 0.01 if self.reliable < TRUSTED else 1.0
        return f"{min(self.reliable, highest):.2f}"

    @property
    def most_probable(self) -> CertaintyLabel:
        """The most probable of the three, as published; ties go to caution."""
        cautious: tuple[CertaintyLabel, ...] = ("uncertain", "misleading", "reliable")
        return max(cautious, key=lambda label: getattr(self, label))


class Cost(Record):
    """Cost in calls, tokens, searches and seconds; adds up with `+`.

    Example:
        >>> (Cost(searches=1) + Cost(searches=2)).searches
        3
    """

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    searches: int = 0
    seconds: float = Field(default=0.0, description="Wall-clock seconds.")

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Cost) -> Cost:
        return Cost(**{name: value + getattr(other, name) for name, value in self})


class Step(Record):
    """One line of the trace: a decision in words, and its cost.

    Example:
        >>> Step(name="search", summary="found 5 pieces", cost=Cost(searches=1)).cost.searches
        1
    """

    name: str = Field(description="The stage, as the graph names it.")
    summary: str = Field(description="One sentence: what was decided, from what.")
    details: dict[str, Any] = Field(default_factory=dict, description="JSON-native particulars.")
    cost: Cost = Cost()


SentenceLabel = Literal["unchanged", "changed", "new", "undecided"]
"""What became of a sentence of a new version (GrowOVER, section 3.2); "undecided" is ours, where its algorithm says nothing."""


class Labelled(Record):
    """Sentence of a new version, with its label and pairs.

    Example:
        >>> Labelled(index=0, text="Bo Ek is the mayor.", label="changed", old=(0,)).label
        'changed'
    """

    index: int = Field(ge=0, description="Place among the new version's sentences, from 0.")
    text: str
    label: SentenceLabel
    old: tuple[int, ...] = Field(default=(), description="The old sentences it is paired with, in order.")
    similarity: float = Field(
        default=0.0, description="Cosine to what it is paired with, else to the nearest; -1 to 1."
    )
    reason: str = Field(default="", description="What decided, in a word or two.")


class Labelling(Record):
    """Labels of a document's sentences between two versions.

    Example:
        >>> first = Labelled(index=0, text="Anna Berg is the mayor.", label="unchanged", old=(0,))
        >>> second = Labelled(index=1, text="She took office in May.", label="new")
        >>> labelling = Labelling(old=("Anna Berg is the mayor.",), sentences=(first, second))
        >>> [one.text for one in labelling.of("new")], labelling.kept()
        (['She took office in May.'], {0: (0,)})
    """

    old: tuple[str, ...] = Field(description="The old version's sentences.")
    sentences: tuple[Labelled, ...] = Field(description="The new version's, in order.")
    deleted: tuple[int, ...] = Field(
        default=(), description="Old sentences that nothing in the new version is paired with."
    )

    def of(self, *labels: SentenceLabel) -> tuple[Labelled, ...]:
        """The new sentences with one of these labels, in order."""
        return tuple(one for one in self.sentences if one.label in labels)

    def kept(self) -> dict[int, tuple[int, ...]]:
        """Map each unchanged old sentence to its new places."""
        found: dict[int, list[int]] = {}
        for one in self.of("unchanged"):
            for place in one.old:
                found.setdefault(place, []).append(one.index)
        return {place: tuple(found[place]) for place in sorted(found)}
