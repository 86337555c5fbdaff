"""The temporal constraint shared by search, ranking, fact store and judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from dateline.errors import BadInput, check_choice, check_zone
from dateline.temporal.interval import Interval

Relation = Literal["before", "after", "between", "at", "around", "as_of", "by", "since", "until"]
"""How the asked-for time stands to the constraint's interval:

- `before`, `after`: wholly earlier or later than it;
- `between`: a range with both ends given ("from 2013 to 2014", "between May and July 2019");
- `at`: in or on it ("in 2007", "on 6 May 2021", "during the 1990s");
- `around`: near it;
- `as_of`: the state of things at that moment, by events up to it;
- `by`: no later than it; `since`: from it onwards; `until`: up to and including it.
"""

Ordinal = Literal["first", "last"]
"""Which of several matches is asked for (MRAG, appendix G); `None` counts as "last", on which the paper is silent."""

RELATIONS: tuple[str, ...] = get_args(Relation)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A temporal relation to an interval, with an optional ordinal.

    `text` holds the question's own words.

    Example:
        >>> from dateline.temporal import Interval
        >>> Constraint("before", Interval.parse("2010")).window().isoformat()
        '../2010-01-01'
    """

    relation: Relation
    interval: Interval
    ordinal: Ordinal | None = None
    text: str = ""

    def __post_init__(self) -> None:
        check_choice(self.relation, name="relation", choices=RELATIONS)
        if self.ordinal not in ("first", "last", None):
            raise BadInput(f"Unknown ordinal {self.ordinal!r}; choose first, last or None.")

    def window(self) -> Interval:
        """Return the stretch of event time that satisfies the relation.

        `around` widens its interval by its own length (at least a year) on both sides.
        """
        start, end = self.interval.start, self.interval.end
        match self.relation:
            case "before":
                return self.interval if start is None else Interval(None, start)
            case "after":
                return self.interval if end is None else Interval(end, None)
            case "since":
                return Interval(start, None, self.interval.granularity)
            case "as_of" | "by" | "until":
                return Interval(None, end)
            case "around" if start is not None and end is not None:
                margin = max(end - start, 365 * 86_400)
                return Interval(start - margin, end + margin)
            case _:
                return self.interval

    def to_json(self) -> dict[str, Any]:
        """`{"relation", "interval", "ordinal", "text"}`, JSON-native."""
        return {
            "relation": self.relation,
            "interval": self.interval.to_json(),
            "ordinal": self.ordinal,
            "text": self.text,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Constraint:
        """Return the inverse of `to_json`."""
        return cls(
            value["relation"], Interval.from_json(value["interval"]), value.get("ordinal"), value.get("text", "")
        )


@dataclass(frozen=True, slots=True)
class Question:
    """A decomposed question: main content, constraint and asking time.

    Attributes:
        text: the question as asked.
        content: its main content, the temporal constraint removed (MRAG, section 4).
        constraint: what the question says about time, or `None` when it says nothing.
        as_of: the moment at which it is asked (timezone-aware); nothing later is known.
        ordinal: "first" or "last" where the question says so, with or without a constraint.
        sub_questions: sub-questions in the order in which they can be answered; empty for a simple question.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline.temporal import decompose
        >>> question = decompose("Who led it in 2010?", as_of=datetime(2024, 6, 1, tzinfo=UTC))
        >>> question.content, question.constraint.relation
        ('Who led it?', 'at')
    """

    text: str
    content: str
    constraint: Constraint | None
    as_of: datetime
    ordinal: Ordinal | None = None
    sub_questions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_zone(self.as_of, name="as_of")

    @property
    def timeless(self) -> str:
        """The main content, or all of a question that holds nothing else."""
        return self.content or self.text

    def effective_constraint(self) -> Constraint:
        """Return the stated constraint, or "as of" the asking day without one."""
        if self.constraint is not None:
            return self.constraint
        return Constraint("as_of", Interval.of_moment(self.as_of), self.ordinal)

    def to_json(self) -> dict[str, Any]:
        """JSON-native form, `as_of` as an ISO string."""
        return {
            "text": self.text,
            "content": self.content,
            "constraint": None if self.constraint is None else self.constraint.to_json(),
            "as_of": self.as_of.isoformat(),
            "ordinal": self.ordinal,
            "sub_questions": list(self.sub_questions),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Question:
        """Return the inverse of `to_json`."""
        constraint = value.get("constraint")
        return cls(
            text=value["text"],
            content=value["content"],
            constraint=None if constraint is None else Constraint.from_json(constraint),
            as_of=datetime.fromisoformat(value["as_of"]),
            ordinal=value.get("ordinal"),
            sub_questions=tuple(value.get("sub_questions", ())),
        )
