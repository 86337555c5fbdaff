"""User's rules for reading documents: date field, order of numbers, trust."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, ValidationError, field_validator

from dateline.errors import BadInput
from dateline.records import Record


class DateRules(Record):
    """User's rules: the date's field, the order of numbers, trust in sources.

    Example:
        >>> from dateline.documents import DateRules, evidence_of
        >>> rules = DateRules(date_field="info.issued", day_first=True)
        >>> print(evidence_of({"text": "Closed.", "info": {"issued": "03/04/2019"}}, date_field=rules).published)
        2019-04-03
    """

    date_field: tuple[str, ...] = Field(
        default=(),
        description="Names of fields, the best first; a dot leads into a nested one. Empty: the table of usual names.",
    )
    day_first: bool | None = Field(
        default=None,
        description="03/04/2019 is 3 April (True) or March 4 (False), where the documents do not show it themselves.",
    )

    trust_sources: bool = Field(
        default=False,
        description="A document's own word for its source is its channel: for a library whose fields you wrote.",
    )

    @field_validator("date_field", mode="before")
    @classmethod
    def _as_tuple(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


USUAL = DateRules()
"""Dates stand in the usual fields."""

DateField = DateRules | str | Sequence[str]
"""Rules, or the name or names of the date's field."""

DateFieldOption = Annotated[
    DateField, Field(description="The date's field or fields, or DateRules; empty: the usual ones.")
]
"""The type of a pydantic field that holds them."""


def date_rules(date_field: DateField, *, trust_sources: bool = False) -> DateRules:
    """Return the rules that are meant. Raises `BadInput` for anything else.

    Args:
        trust_sources: trust them, whatever the rules say.
    """
    if trust_sources:
        return date_rules(date_field).model_copy(update={"trust_sources": True})
    if isinstance(date_field, DateRules):
        return date_field
    try:
        return DateRules.model_validate({"date_field": date_field})
    except ValidationError:
        raise BadInput(
            f"date_field must be a field's name, a list of names or DateRules, not a {type(date_field).__name__}."
        ) from None
