"""Edits of a fact store, written for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dateline import Cost
from dateline.counted import counted
from dateline.temporal.interval import beginning
from dateline_cli.fact_verbs import truth_word

if TYPE_CHECKING:
    from dateline.facts import Change, Changes, Proposal
    from dateline.facts.changes import ChangeKind

SHOWN = 20
"""Edits that are listed unless all are asked for."""

_ORDER: tuple[ChangeKind, ...] = ("rewritten", "made_false", "reopened", "withdrawn", "added", "reinforced")
"""What takes something back is listed first."""


def report_lines(learnt: Sequence[Changes], *, every: bool) -> list[str]:
    """Return counts with cost, edits, what waits, and what was left out."""
    changes = sorted((change for each in learnt for change in each.changes), key=lambda one: _ORDER.index(one.kind))
    pending = [one for each in learnt for one in each.pending]
    notes = Counter(note for each in learnt for note in (*each.skipped, *each.notes))
    lines = [_headline(learnt, changes, pending)]
    lines += _at_most([_diff(change) for change in changes], every=every)
    if pending:
        lines += ["", "Pending:", *_at_most([pending_lines(one) for one in pending], every=every)]
    if notes:
        told = [[f"  {note}" + (f" (x{count})" if count > 1 else "")] for note, count in notes.items()]
        lines += ["", "Notes:", *_at_most(told, every=every)]
    return lines


def pending_lines(proposal: Proposal) -> list[str]:
    """An edit that waits, what for, and its id."""
    what = "a person" if proposal.waits_for == "person" else f"{proposal.sources_needed} sources to agree"
    lines = [f"  {proposal.id}  {proposal.edit.replace('_', ' ')}, waits for {what}; {_origin(proposal)}"]
    if proposal.edit == "add":
        return [*lines, f"  + {proposal.fact}  [{proposal.after}]"]
    sign = "=" if proposal.edit == "reinforce" else "-"
    lines.append(f"  {sign} {proposal.fact}  [{proposal.before} -> {proposal.after}]")
    return [*lines, f"  + {proposal.into}"] if proposal.into else lines


def _headline(learnt: Sequence[Changes], changes: Sequence[Change], pending: Sequence[Proposal]) -> str:
    counts = Counter(change.kind for change in changes)
    parts = [f"{counts[kind]} {kind.replace('_', ' ')}" for kind in _ORDER if counts[kind]]
    parts += [f"{len(pending)} pending"] if pending else []
    dry = any(each.dry_run for each in learnt)
    cost = sum((each.cost for each in learnt), Cost())
    spent = f"; {counted(cost.model_calls, 'model call')}, {cost.input_tokens} tokens in, {cost.output_tokens} out"
    what = ", ".join(parts) or "no change"
    documents = counted(len(learnt), "document")
    return f"{'Dry run, no fact written. ' if dry else ''}{documents}: {what}{spent if cost.model_calls else ''}."


def _diff(change: Change) -> list[str]:
    """Return a change's lines: - was true, + is true now, = is confirmed."""
    when = beginning(change.when)
    if change.kind == "reinforced" and change.before:
        return [f"  = {change.fact.text}  [confirmed at {when}]"]
    if change.kind in ("added", "reinforced", "reopened"):
        return [f"  + {change.fact.text}  [true from {when} on]"]
    lines = [f"  - {change.fact.text}  [{truth_word(change.before)} -> {truth_word(change.after)} from {when} on]"]
    return [*lines, f"  + {change.into.text}  [true from {when} on]"] if change.into is not None else lines


def _origin(proposal: Proposal) -> str:
    return f"{proposal.title or proposal.source or proposal.document} (through {proposal.channel or 'no channel'})"


def _at_most(groups: Sequence[list[str]], *, every: bool) -> list[str]:
    shown = groups if every else groups[:SHOWN]
    lines = [line for group in shown for line in group]
    left = len(groups) - len(shown)
    return [*lines, f"  … and {left} more; show all with --verbose."] if left else lines
