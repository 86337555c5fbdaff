"""Draft of what a document changes, as an updater proposes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Self

from pydantic import Field

from dateline.facts.operation import Operation
from dateline.records import Cost, Record


class Draft(Record):
    """Operations that an updater proposes for a document."""

    operations: tuple[Annotated[Operation, Field(discriminator="kind")], ...] = ()
    brought_by: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="Ids of ends, with those of the statements that bring them."
    )
    cost: Cost = Cost()
    skipped: tuple[str, ...] = Field(default=(), description="What was left out, and why.")
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, told: Iterable[Sequence[Operation]], *, skipped: tuple[str, ...] = ()) -> Self:
        """Draft statements, each given in front of the ends it brings."""
        operations: dict[str, Operation] = {}
        brought_by: dict[str, tuple[str, ...]] = {}
        for statement, *ends in told:
            # Two statements may bring the same end.
            operations.update({operation.id: operation for operation in (statement, *ends)})
            brought_by.update({end.id: (*brought_by.get(end.id, ()), statement.id) for end in ends})
        return cls(operations=tuple(operations.values()), brought_by=brought_by, skipped=skipped)

    def revised(self, revision: int) -> Self:
        """Return a copy, said by a document that was undone `revision` times."""
        operations = tuple(operation.revised(revision) for operation in self.operations)
        now = {old.id: new.id for old, new in zip(self.operations, operations, strict=True)}
        brought_by = {now[end]: tuple(now[id] for id in some) for end, some in self.brought_by.items()}
        return self.model_copy(update={"operations": operations, "brought_by": brought_by})
