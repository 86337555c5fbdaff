"""`asof facts`: look into a fact store, feed it documents, take a document back, keep it sound."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from asof import BadInput, Interval

if TYPE_CHECKING:
    from asof.facts import Change, FactStore, FoundFact


def add_to(commands: Any) -> None:
    """Register the subcommand and its verbs."""
    facts = commands.add_parser("facts", help="look after a fact store", description=__doc__)
    verbs = facts.add_subparsers(dest="verb", required=True, metavar="VERB")

    add = _verb(verbs, "add", _add, "let the store learn from a folder or file of dated documents")
    add.add_argument("docs", type=Path, metavar="PATH")
    add.add_argument("--dry-run", action="store_true", help="show what would change, write nothing")

    search = _verb(verbs, "search", _search, "facts near a query, as they stood at a date")
    search.add_argument("query")
    search.add_argument("-k", type=int, default=10, metavar="N")
    search.add_argument("--all", action="store_true", help="facts that are no longer true as well")
    search.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="NAME",
        help="only facts of which this source spoke; repeatable",
    )
    search.add_argument("--tag", action="append", default=[], help="only facts with this tag; repeatable")
    for verb in (search, _verb(verbs, "at", _at, "every fact that was true at a date")):
        verb.add_argument("--as-of", default="", metavar="DATE", help="when it was true (default: at the latest)")
        verb.add_argument("--known-at", default="", metavar="DATE", help="as known then (default: now)")

    history = _verb(verbs, "history", _history, "what documents said of one fact, and when")
    history.add_argument("fact", metavar="ID")

    changes = _verb(verbs, "changes", _changes, "what the store learnt since a date")
    changes.add_argument("--since", default="0001-01-01", metavar="DATE")

    undo = _verb(verbs, "undo", _undo, "withdraw what a document said; what it closed is open again")
    undo.add_argument("document", metavar="DOCUMENT")

    for name, job, what in (
        ("export", _export, "write every operation to a file of JSON lines"),
        ("import", _import, "read the operations of such a file; what is there already is no change"),
    ):
        _verb(verbs, name, job, what).add_argument("file", type=Path, metavar="FILE")
    _verb(verbs, "reindex", _reindex, "build the index anew from the ledger")
    _verb(verbs, "verify", _verify, "check ledger against index and say what differs (exit code 1 if it does)")


def _verb(verbs: Any, name: str, job: Callable[[argparse.Namespace], int], what: str) -> Any:
    verb = verbs.add_parser(name, help=what, description=what)
    verb.add_argument("store", metavar="STORE", help="the folder of the store, or a database URL")
    verb.add_argument("--json", action="store_true", help="print JSON instead of a table")
    verb.set_defaults(run=job)
    return verb


def _open(arguments: argparse.Namespace, *, new: bool = False) -> FactStore:
    """The store; only `add` and `import` may make a new one."""
    from asof.facts import open_store
    from asof.text import default_embeddings

    if not new and "://" not in arguments.store and not Path(arguments.store).is_dir():
        raise BadInput(f"There is no fact store in {arguments.store}; make one with: asof facts add STORE PATH")
    return open_store(arguments.store, embeddings=default_embeddings())


# -- verbs ----------------------------------------------------------------------------------------


def _add(arguments: argparse.Namespace) -> int:
    from asof.facts import Changes, LocalUpdater
    from asof.search import load_documents

    documents = load_documents(arguments.docs).documents
    # Oldest first is cheapest: a late document has to be fitted in.
    ordered = sorted(documents, key=lambda piece: (piece.published is None, _start(piece.published)))
    now = datetime.now(UTC)
    learnt: list[Changes] = []
    with _open(arguments, new=True) as store:
        updater = LocalUpdater(store)
        progress = Console(stderr=True)
        for piece in track(ordered, console=progress, transient=True, disable=not progress.is_terminal):
            learnt += updater.update([piece], known_at=now, dry_run=arguments.dry_run)
    _print_changes([change for each in learnt for change in each.changes], as_json=arguments.json)
    return 0


def _search(arguments: argparse.Namespace) -> int:
    from asof.facts import event_time, knowledge_time

    if arguments.k < 1:
        raise BadInput(f"-k must be at least 1, not {arguments.k}.")
    with _open(arguments) as store:
        found = store.search(
            arguments.query,
            as_of=event_time(arguments.as_of),
            known_at=knowledge_time(arguments.known_at),
            k=arguments.k,
            which="any" if arguments.all else "true",
            sources=arguments.source,
            tags=arguments.tag,
        )
    _print_found(found, as_json=arguments.json)
    return 0


def _at(arguments: argparse.Namespace) -> int:
    from asof.facts import event_time, knowledge_time

    with _open(arguments) as store:
        when = event_time(arguments.as_of) or datetime.now(UTC)
        found = store.at(when, known_at=knowledge_time(arguments.known_at))
    if arguments.json:
        return _print_json(found)
    _print_table(("fact", "id"), [(history.fact.text, history.fact.id) for history in found])
    return 0


def _history(arguments: argparse.Namespace) -> int:
    with _open(arguments) as store:
        history = store.history(arguments.fact)
    if arguments.json:
        return _print_json(history)
    sys.stdout.write(f"{history.fact.text}\n")
    rows = [
        (str(entry.when or "undated"), "true" if entry.true else "false", entry.document, _day(entry.known_at))
        for entry in history.entries
    ]
    _print_table(("when", "truth", "document", "learnt"), rows)
    return 0


def _changes(arguments: argparse.Namespace) -> int:
    from asof.facts import knowledge_time

    since = knowledge_time(arguments.since) or datetime.min.replace(tzinfo=UTC)
    with _open(arguments) as store:
        found = store.changes(since=since)
    _print_changes(found, as_json=arguments.json)
    return 0


def _undo(arguments: argparse.Namespace) -> int:
    with _open(arguments) as store:
        _print_changes(store.undo(arguments.document, known_at=datetime.now(UTC)), as_json=arguments.json)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from asof.facts import export_operations

    if not arguments.file.absolute().parent.is_dir():
        raise BadInput(f"Cannot write {arguments.file}: its folder does not exist.")
    with _open(arguments) as store:
        return _print_count("operations written", export_operations(store.ledger, path=arguments.file), arguments)


def _import(arguments: argparse.Namespace) -> int:
    from asof.facts import import_operations

    if not arguments.file.is_file():
        raise BadInput(f"There is no file {arguments.file}; give one that asof facts export wrote.")
    with _open(arguments, new=True) as store:
        return _print_count("operations new", import_operations(store.ledger, path=arguments.file), arguments)


def _reindex(arguments: argparse.Namespace) -> int:
    from asof.facts import rebuild_store
    from asof.text import default_embeddings

    if "://" in arguments.store:
        raise BadInput("A store by URL keeps its index in memory and builds it while opening; there is nothing to do.")
    with rebuild_store(arguments.store, embeddings=default_embeddings()) as store:
        return _print_count("facts indexed", store.index.size, arguments)


def _verify(arguments: argparse.Namespace) -> int:
    from asof.facts import verify

    with _open(arguments) as store:
        found = verify(store)
    if arguments.json:
        _print_json(found)
    else:
        sys.stdout.write(f"{found.operations} operations, {found.facts} facts\n")
        sys.stdout.write("".join(f"{problem}\n" for problem in found.problems) or "Ledger and index agree.\n")
    return 0 if found.sound else 1


# -- printing -------------------------------------------------------------------------------------


def _print_found(found: Sequence[FoundFact], *, as_json: bool) -> None:
    if as_json:
        _print_json(found)
        return
    rows = [
        (
            f"{each.similarity:.2f}",
            "true" if each.true else "false",
            str(each.since or "undated"),
            each.fact.text,
            each.fact.id,
        )
        for each in found
    ]
    _print_table(("near", "truth", "since", "fact", "id"), rows)


def _print_changes(changes: Sequence[Change], *, as_json: bool) -> None:
    if as_json:
        _print_json(changes)
        return
    rows = [
        (each.kind.replace("_", " "), str(each.when or "undated"), each.fact.text, each.document, each.reason)
        for each in changes
    ]
    _print_table(("change", "when", "fact", "document", "why"), rows)


def _print_table(columns: Iterable[str], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        sys.stdout.write("None.\n")
        return
    table = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    Console().print(table, markup=False)


def _print_json(value: Any) -> int:
    sys.stdout.write(TypeAdapter(Any).dump_json(value, indent=2).decode() + "\n")
    return 0


def _print_count(what: str, count: int, arguments: argparse.Namespace) -> int:
    if arguments.json:
        return _print_json({what.replace(" ", "_"): count})
    sys.stdout.write(f"{count} {what}\n")
    return 0


# -- dates ----------------------------------------------------------------------------------------


def _start(published: Interval | None) -> int:
    return published.start or 0 if published is not None else 0


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
