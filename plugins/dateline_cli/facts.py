"""`dateline facts`: read, feed, correct and check a fact store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table

from dateline import BadInput, Cost, Evidence, Interval
from dateline_cli.edits import pending_lines, report_lines
from dateline_cli.files import check_target
from dateline_cli.options import add_options, given_options
from dateline_cli.values import whole

if TYPE_CHECKING:
    from dateline.evolution.gate import Selection
    from dateline.facts import Change, Changes, FactStore
    from dateline.facts.fact import FoundFact


def add_to(commands: Any) -> None:
    """Register the subcommand and its verbs."""
    facts = commands.add_parser("facts", help="look after a fact store", description=__doc__)
    verbs = facts.add_subparsers(dest="verb", required=True, metavar="VERB")
    _add_learning(verbs)
    _add_decisions(verbs)
    _add_readings(verbs)
    _add_upkeep(verbs)


def _add_learning(verbs: Any) -> None:
    _verb(verbs, "add", _add, "let the store learn from a folder or file of dated documents", fill=_fill_add)


def _fill_add(add: argparse.ArgumentParser) -> None:
    from dateline_graphs.options import UpdateFactsOptions

    add.add_argument("docs", type=Path, metavar="PATH", help="a folder of dated documents, or one JSONL file")
    add.add_argument("--dry-run", action="store_true", help="show what would change and its cost, write no fact")
    add.add_argument("--verbose", action="store_true", help="show every change (default: the first 20)")
    add_options(add, UpdateFactsOptions, only=["model", "interrupt_on", "sources", "min_sources"])
    add.add_argument(
        "--since",
        type=Path,
        metavar="OLD",
        help="the version learnt before: only sentences that are changed, new or undecided since are read",
    )


def _add_decisions(verbs: Any) -> None:
    _verb(verbs, "pending", _pending, "edits that wait for a person or for more sources")
    for name, job, what in (
        ("approve", _approve, "commit pending edits"),
        ("reject", _reject, "reject pending edits for good"),
    ):
        decide = _verb(verbs, name, job, what)
        decide.add_argument("ids", nargs="+", metavar="ID", help="ids that dateline facts pending shows, or all")
        decide.add_argument("--reason", default="", help="why, for the audit trail")


def _add_readings(verbs: Any) -> None:
    search = _verb(verbs, "search", _search, "facts near a query, as they stood at a date")
    search.add_argument("query", help="words to look for, in quotes")
    search.add_argument("-k", type=whole(1), default=10, metavar="N", help="how many facts (default: 10)")
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
        verb.add_argument(
            "--as-of", metavar="DATE", help="when it was true: 2024, 2024-05-01, May 2024, yesterday … (default: now)"
        )
        verb.add_argument("--known-at", metavar="DATE", help="by what was known then (default: by all that is known)")

    history = _verb(verbs, "history", _history, "what documents said of one fact, and when")
    history.add_argument(
        "fact", metavar="ID", help="id of the fact, or its first letters, as dateline facts search shows it"
    )

    changes = _verb(verbs, "changes", _changes, "what the store learnt since a date")
    changes.add_argument(
        "--since", default="0001-01-01", metavar="DATE", help="only what was learnt after it (default: everything)"
    )


def _add_upkeep(verbs: Any) -> None:
    undo = _verb(verbs, "undo", _undo, "withdraw what a document said; what it closed is open again")
    undo.add_argument("document", metavar="DOCUMENT", help="id of the document, as dateline facts changes shows it")

    for name, job, what in (
        ("export", _export, "write every operation to a file of JSON lines"),
        ("import", _import, "read the operations of such a file; what is there already is no change"),
    ):
        _verb(verbs, name, job, what).add_argument("file", type=Path, metavar="FILE", help="a file of JSON lines")
    _verb(verbs, "reindex", _reindex, "build the index anew from the ledger")
    _verb(verbs, "verify", _verify, "check ledger against index and say what differs (exit code 1 if it does)")


def _verb(
    verbs: Any,
    name: str,
    job: Callable[[argparse.Namespace], int],
    what: str,
    *,
    fill: Callable[[argparse.ArgumentParser], None] | None = None,
) -> Any:
    verb = verbs.add_parser(name, help=what, description=what, fill=fill)
    verb.add_argument("store", metavar="STORE", help="the folder of the store, or a database URL")
    verb.add_argument("--json", action="store_true", help="print JSON instead of a table")
    verb.set_defaults(run=job)
    return verb


def _open(arguments: argparse.Namespace, *, new: bool = False) -> FactStore:
    """The store; only `add` and `import` may make a new one."""
    from dateline.facts import open_store
    from dateline.facts.opening import LEDGER
    from dateline.text import default_embeddings

    if not new and "://" not in arguments.store and not Path(arguments.store, LEDGER).is_file():
        raise BadInput(f"There is no fact store in {arguments.store}; make one with: dateline facts add STORE PATH")
    return open_store(arguments.store, embeddings=default_embeddings())


# -- verbs ----------------------------------------------------------------------------------------


def _add(arguments: argparse.Namespace) -> int:
    from dateline.search import load_documents
    from dateline_graphs.components import policy_of, updater_for
    from dateline_graphs.options import UpdateFactsOptions

    options = given_options(arguments, UpdateFactsOptions)
    documents = load_documents(arguments.docs).documents
    # Oldest first is cheapest: a late document has to be fitted in.
    ordered = sorted(documents, key=lambda piece: (piece.published is None, _start(piece.published)))
    selection = _since(ordered, arguments.since) if arguments.since else None
    ordered = selection.documents if selection else ordered
    now = datetime.now(UTC)
    learnt: list[Changes] = []
    updater = updater_for(
        "chat" if options.model else "local",
        model=options.model,
        policy=policy_of(options),
        store=lambda: _open(arguments, new=True),
    )
    with updater.review_queue.store:
        progress = Console(stderr=True)
        for piece in track(ordered, console=progress, transient=True, disable=not progress.is_terminal):
            learnt += updater.update([piece], known_at=now, dry_run=arguments.dry_run)
    if arguments.json:
        gate = {"gate": selection.report.model_dump(mode="json", exclude={"changes"})} if selection else {}
        return _print_json({**_summary(learnt), **gate})
    if selection:
        sys.stdout.write(f"{selection.report.summary()}\n")
    return _print_lines(report_lines(learnt, every=arguments.verbose))


def _since(documents: Sequence[Evidence], old: Path) -> Selection:
    """Return the sentences that the old versions of documents did not have."""
    from dateline.evolution import SentenceLabeller
    from dateline.evolution.gate import select
    from dateline.search import load_documents

    return select(documents, since=load_documents(old).documents, labeller=SentenceLabeller())


def _pending(arguments: argparse.Namespace) -> int:
    from dateline.facts import ReviewQueue

    with _open(arguments) as store:
        pending = ReviewQueue(store).pending()
    if arguments.json:
        return _print_json(pending)
    return _print_lines([line for one in pending for line in pending_lines(one)] or ["None."])


def _approve(arguments: argparse.Namespace) -> int:
    return _decide(arguments, "approve")


def _reject(arguments: argparse.Namespace) -> int:
    return _decide(arguments, "reject")


def _decide(arguments: argparse.Namespace, verdict: Literal["approve", "reject"]) -> int:
    from dateline.facts import ReviewDecision, ReviewQueue

    with _open(arguments) as store:
        queue = ReviewQueue(store)
        pending = [one.id for one in queue.pending()]
        ids = pending if arguments.ids == ["all"] else arguments.ids
        if unknown := [id for id in ids if id not in pending]:
            raise BadInput(f"No edit {unknown[0]!r} is pending; list those that are with: dateline facts pending STORE")
        decisions = [ReviewDecision(id=id, verdict=verdict, reason=arguments.reason) for id in dict.fromkeys(ids)]
        learnt = queue.decide(decisions, known_at=datetime.now(UTC))
    if arguments.json:
        return _print_json(_summary(learnt))
    return _print_lines(report_lines(learnt, every=True))


def _search(arguments: argparse.Namespace) -> int:
    if not arguments.query.strip():
        raise BadInput("The query is empty; give words to look for, or list every fact with: dateline facts at STORE")
    query = arguments.query.encode("utf-8", "replace").decode()
    _check_dates(arguments)
    with _open(arguments) as store:
        found = store.search(
            query,
            as_of=arguments.as_of,
            known_at=arguments.known_at,
            k=arguments.k,
            which="any" if arguments.all else "true",
            sources=arguments.source,
            tags=arguments.tag,
        )
    _print_found(found, as_json=arguments.json)
    return 0


def _at(arguments: argparse.Namespace) -> int:
    _check_dates(arguments)
    with _open(arguments) as store:
        found = store.at(arguments.as_of or "now", known_at=arguments.known_at)
    if arguments.json:
        return _print_json(found)
    _print_table(("fact", "id"), [(history.fact.text, history.fact.id) for history in found])
    return 0


def _history(arguments: argparse.Namespace) -> int:
    with _open(arguments) as store:
        found = store.ids(arguments.fact)
        if len(found) > 1 and arguments.fact not in found:
            raise BadInput(f"{len(found)} facts have an id that begins with {arguments.fact!r}; give more of it.")
        history = store.history(found[0] if len(found) == 1 else arguments.fact)
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
    from dateline.temporal.as_of import read_moment

    if not arguments.since.strip():
        raise BadInput("--since is empty; give a date such as 2024-05-01, or leave it out.")
    since = read_moment(arguments.since)
    with _open(arguments) as store:
        found = store.changes(since=since)
    _print_changes(found, as_json=arguments.json)
    return 0


def _undo(arguments: argparse.Namespace) -> int:
    with _open(arguments) as store:
        _print_changes(store.undo(arguments.document, known_at=datetime.now(UTC)), as_json=arguments.json)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from dateline.facts.maintenance import export_operations

    check_target(arguments.file, what="the operations")
    with _open(arguments) as store:
        return _print_count("operations written", export_operations(store.ledger, path=arguments.file), arguments)


def _import(arguments: argparse.Namespace) -> int:
    from dateline.facts.maintenance import check_export, import_operations

    if not arguments.file.is_file():
        raise BadInput(f"There is no file {arguments.file}; give one that dateline facts export wrote.")
    check_export(arguments.file)
    with _open(arguments, new=True) as store:
        return _print_count("operations new", import_operations(store.ledger, path=arguments.file), arguments)


def _reindex(arguments: argparse.Namespace) -> int:
    from dateline.facts.opening import rebuild_store
    from dateline.text import default_embeddings

    if "://" in arguments.store:
        raise BadInput("A store by URL keeps its index in memory and builds it while opening; there is nothing to do.")
    with rebuild_store(arguments.store, embeddings=default_embeddings()) as store:
        return _print_count("facts indexed", store.index.size, arguments)


def _verify(arguments: argparse.Namespace) -> int:
    from dateline.facts.maintenance import verify

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


def _summary(learnt: Sequence[Changes]) -> dict[str, Any]:
    return {
        "documents": len(learnt),
        "dry_run": any(each.dry_run for each in learnt),
        "changes": [change for each in learnt for change in each.changes],
        "pending": [one for each in learnt for one in each.pending],
        "skipped": [reason for each in learnt for reason in each.skipped],
        "notes": [note for each in learnt for note in each.notes],
        "cost": sum((each.cost for each in learnt), Cost()),
    }


def _print_lines(lines: Sequence[str]) -> int:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


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


def _check_dates(arguments: argparse.Namespace) -> None:
    """Before the store is opened, with the name of the option."""
    from dateline.temporal.as_of import read_moment

    for option, given in (("--as-of", arguments.as_of), ("--known-at", arguments.known_at)):
        if given is None:
            continue
        if not given.strip():
            raise BadInput(f"{option} is empty; give a date such as 2024-05-01, or leave it out.")
        try:
            read_moment(given, future_ok=True)
        except BadInput as cause:
            raise BadInput(f"{option}: {cause}") from cause


def _day(moment: datetime) -> str:
    return moment.date().isoformat()
