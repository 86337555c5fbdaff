"""Evidence as text that is read quickly."""

from __future__ import annotations

import json
from typing import Any

from dateline.records import Evidence
from dateline.temporal.interval import Interval


def evidence_text(evidence: Evidence) -> str:
    """Return evidence as JSON, its date as numbers."""
    fields: dict[str, Any] = {name: getattr(evidence, name) for name in evidence.model_fields_set}
    if (published := fields.get("published")) is not None:
        fields["published"] = [published.start, published.end, published.granularity]
    return json.dumps(fields, ensure_ascii=False)


def read_evidence(text: str) -> Evidence:
    """Read what `evidence_text` wrote.

    Raises:
        ValueError: for anything else.

    Example:
        >>> evidence = Evidence.make("Ada Berg is mayor.", published=Interval.parse("2021"))
        >>> read_evidence(evidence_text(evidence)) == evidence
        True
    """
    fields = json.loads(text)
    if (published := fields.get("published")) is not None:
        fields["published"] = Interval(*published)
    return Evidence.model_validate(fields)
