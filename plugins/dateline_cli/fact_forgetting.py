"""Verbs of `dateline facts` that erase: forget, expire, forgotten."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from dateline import BadInput
from dateline_cli.fact_verbs import VerbOutput, add_verb, fact_table, open_facts
from dateline_cli.values import days


def add_forgetting(verbs: Any) -> None:
    """Register the verbs that erase."""
    forget = add_verb(verbs, "forget", _forget, "erase documents or facts; no text of them stays, a trace does")
    forget.add_argument("documents", nargs="*", metavar="DOCUMENT", help="ids of documents, as changes shows them")
    forget.add_argument("--fact", action="append", default=[], metavar="ID", help="id of a fact; repeatable")
    forget.add_argument("--by", required=True, metavar="NAME", help="who has it erased; stays in the ledger")
    forget.add_argument("--reason", required=True, help="why; stays in the ledger")
    expire = add_verb(verbs, "expire", _expire, "forget documents that are older than a period")
    expire.add_argument("--days", type=days, required=True, metavar="N", help="keep documents so many days")
    since = "what the age counts from (default: learnt)"
    expire.add_argument("--since", choices=("learnt", "published"), default="learnt", help=since)
    undo = "only withdraw what they said; the text stays in the ledger"
    expire.add_argument("--undo", action="store_true", help=undo)
    expire.add_argument("--by", default="retention", metavar="NAME", help="who the trace names (default: retention)")
    expire.add_argument("--dry-run", action="store_true", help="list the documents, change nothing")
    add_verb(verbs, "forgotten", _forgotten, "what was erased, when, by whom and why")


def _forget(arguments: argparse.Namespace) -> VerbOutput:
    if not arguments.documents and not arguments.fact:
        raise BadInput("Nothing to forget; name documents, or facts with --fact.")
    with open_facts(arguments) as store:
        traces = store.forget(
            arguments.documents,
            facts=arguments.fact,
            by=arguments.by,
            reason=arguments.reason,
            known_at=datetime.now(UTC),
        )
    return VerbOutput(traces, [trace.describe() for trace in traces] or ["It was forgotten before."])


def _expire(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts import expire

    with open_facts(arguments) as store:
        old = expire(
            store,
            older_than=arguments.days,
            known_at=datetime.now(UTC),
            by=arguments.by,
            since=arguments.since,
            action="undo" if arguments.undo else "forget",
            dry_run=arguments.dry_run,
        )
    done = f"{'would be ' if arguments.dry_run else ''}{'withdrawn' if arguments.undo else 'forgotten'}"
    rows = [(each.document, each.since.date().isoformat(), str(each.facts)) for each in old]
    lines = [f"{len(old)} documents {done}"] if old else []
    return VerbOutput(old, [*lines, *fact_table(("document", "since", "facts"), rows)])


def _forgotten(arguments: argparse.Namespace) -> VerbOutput:
    with open_facts(arguments) as store:
        traces = store.forgotten()
    return VerbOutput(traces, [trace.describe() for trace in traces] or ["None."])
