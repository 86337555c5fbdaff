"""`dateline audit`: passages that are out of date, and by which."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dateline.files import expanded
from dateline_cli.options import add_question
from dateline_cli.show import print_json, print_lines
from dateline_cli.values import whole

NEAREST = 10
"""Passages of a folder that are audited."""


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "audit",
        help="find passages that are out of date",
        description=__doc__,
        epilog='Example: dateline audit "Who is the director?" --docs retrieved.jsonl --as-of 2024-06-01',
    )
    add_question(command)
    told = "a folder of documents, or the passages of an app as JSON lines"
    command.add_argument("--docs", type=Path, metavar="PATH", required=True, help=told)
    many = f"audit the N passages nearest to the question (default: all of a file, {NEAREST} of a folder)"
    command.add_argument("-k", type=whole(1), metavar="N", help=many)
    command.add_argument("--json", action="store_true", help="print one JSON document instead")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Audit, and print the table."""
    from dateline.audit import audit
    from dateline.audit.auditor import shared_auditor
    from dateline.audit.nearest import nearest_passages
    from dateline.search import load_documents

    passages = load_documents(arguments.docs).documents
    count = arguments.k or (NEAREST if expanded(arguments.docs).is_dir() else len(passages))
    if count < len(passages):
        embeddings = shared_auditor().embeddings
        passages = tuple(nearest_passages(arguments.question, evidence=passages, k=count, embeddings=embeddings))
    found = audit(arguments.question, passages, as_of=arguments.as_of)
    if arguments.json:
        print_json(found)
    else:
        print_lines(str(found))
    return 0
