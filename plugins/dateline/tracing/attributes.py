"""Attributes of spans, from questions, documents, messages and answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, TypeGuard

from pydantic_core import to_json

from dateline.certainty.answer import METADATA_KEY
from dateline.documents.writing import SCORE_FIELDS
from dateline.errors import BadInput
from dateline.evidence.freshness import Freshness, freshness_of
from dateline.limits import shortened
from dateline.records import Cost, Evidence, RankedEvidence
from dateline.secrets import masked
from dateline.temporal.as_of import read_moment
from dateline.tracing import names

Attributes: TypeAlias = dict[str, Any]

MAX_VALUE = 8_000
"""Characters of one value; exporters refuse very long ones. Chosen by hand."""

_SCORES = (SCORE_FIELDS[0], "relevance_score", "score", "similarity")


@dataclass(frozen=True)
class AttributeWriter:
    """Writer of attributes, with texts or without.

    Keys are taken out of every text, by their shape.

    Attributes:
        content: write questions, answers, prompts, passages and titles; without, ids, dates, scores and counts only.

    Example:
        >>> AttributeWriter(content=False).given("Who leads Acme?"), AttributeWriter().given("Who?")["input.value"]
        ({}, 'Who?')
    """

    content: bool = True

    def given(self, value: Any) -> Attributes:
        """Write an input."""
        return self._value(value, names.INPUT, names.INPUT_TYPE)

    def result(self, value: Any) -> Attributes:
        """Write an output."""
        return self._value(value, names.OUTPUT, names.OUTPUT_TYPE)

    def messages(self, messages: Iterable[tuple[str, str]], *, name: str) -> Attributes:
        """Write messages, each a role and a text."""
        written: Attributes = {}
        for number, (role, text) in enumerate(messages):
            written[f"{name}.{number}.{names.ROLE}"] = role
            if self.content:
                written[f"{name}.{number}.{names.CONTENT}"] = shown(text)
        return written

    def documents(
        self, evidence: Sequence[Evidence], *, scores: Sequence[float | None], name: str = names.DOCUMENTS
    ) -> Attributes:
        """Write documents in their order, as retrieved ones or under another name."""
        written: Attributes = {}
        for number, (piece, score) in enumerate(zip(evidence, scores, strict=True)):
            about = {"published": None if piece.published is None else piece.published.isoformat(), "kind": piece.kind}
            if self.content:
                about |= {"title": shown(piece.title), "source": shown(piece.origin)}
            told: Attributes = {names.DOCUMENT_ID: piece.id, names.DOCUMENT_METADATA: json.dumps(about)}
            told |= {names.DOCUMENT_CONTENT: shown(piece.text)} if self.content else {}
            told |= {names.DOCUMENT_SCORE: score} if score is not None else {}
            written |= {f"{name}.{number}.{field}": value for field, value in told.items()}
        return written

    def _value(self, value: Any, name: str, kind: str) -> Attributes:
        if not self.content or value in (None, "", {}, []):
            return {}
        is_text = isinstance(value, str)
        text = value if is_text else to_json(value, fallback=lambda each: type(each).__name__).decode()
        return {name: shown(text), kind: "text/plain" if is_text else "application/json"}


def tokens(cost: Cost) -> Attributes:
    """Write the tokens that a model reported, if any."""
    if not cost.tokens:
        return {}
    return {
        names.TOKENS_IN: cost.input_tokens,
        names.TOKENS_OUT: cost.output_tokens,
        names.TOKENS: cost.tokens,
    }


def freshness_at(evidence: Sequence[Evidence], *, as_of: str, now: datetime) -> Attributes:
    """Write how fresh what was retrieved is, from the asking date."""
    try:
        moment = read_moment(as_of, clock=lambda: now, future_ok=True)
    except BadInput:
        moment = now
    return freshness(freshness_of(evidence, as_of=moment, standing="retrieved").model_dump())


def freshness(told: Mapping[str, Any]) -> Attributes:
    """Write a `Freshness` in its JSON form."""
    fields = {
        names.NEWEST: "newest",
        names.OLDEST: "oldest",
        names.AGE_DAYS: "newest_age_days",
        names.UNDATED: "undated",
    }
    return {name: told[field] for name, field in fields.items() if told.get(field) is not None}


def found_in(output: Any) -> list[Evidence]:
    """Return the evidence that a search node of the answer graph found."""
    results = output.get("found") if isinstance(output, Mapping) else None
    return [Evidence.model_validate(one) for each in _mappings(results) for one in _mappings(each.get("evidence"))]


def ranked_in(output: Any) -> list[RankedEvidence]:
    """Return what a node of the answer graph ranked, best first."""
    ranked = output.get("ranked") if isinstance(output, Mapping) else None
    return [RankedEvidence.model_validate(one) for one in _mappings(ranked)]


def answer(output: Any) -> Attributes:
    """Write what an output says of a dated answer, if anything.

    It may be a report, hold one as `report`, hold an answer of dateline's as `dateline`, or be an agent's state.
    """
    if not isinstance(output, Mapping):
        return {}
    held = next((output[name] for name in ("report", METADATA_KEY) if isinstance(output.get(name), Mapping)), output)
    written = freshness(told) if _has(told := held.get("freshness"), Freshness.model_fields) else {}
    certainty = held.get("certainty")
    if _has(certainty, ("reliable", "misleading", "uncertain")):
        chances = {names.RELIABLE: "reliable", names.MISLEADING: "misleading", names.UNCERTAIN: "uncertain"}
        written |= {name: certainty[field] for name, field in chances.items()}
        label = held.get("label") or certainty.get("label")
        written |= {names.LABEL: label} if label else {}
    if _has(asked := held.get("asked"), ("as_of",)):
        written[names.AS_OF] = str(asked["as_of"])
    if _has(decision := held.get("decision"), ("outcome",)):
        written |= {names.OUTCOME: str(decision["outcome"]), names.ROUNDS: int(held.get("rounds") or 0)}
    return written


def score_in(metadata: Mapping[str, Any]) -> float | None:
    """Return the score that a document's metadata holds, ours first."""
    found = (metadata.get(name) for name in _SCORES)
    return next((float(score) for score in found if isinstance(score, int | float)), None)


def shown(text: str) -> str:
    """Return a text without keys, cut to the longest value."""
    return shortened(masked(text[: MAX_VALUE * 2]), limit=MAX_VALUE)


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list | tuple) else []


def _has(value: Any, fields: Iterable[str]) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping) and set(fields) <= value.keys()
