"""`dateline facts`: read, feed, correct and check a fact store."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich import box
from rich.progress import track
from rich.table import Table

from dateline import BadInput, Cost, Evidence, Interval
from dateline.visible import visible
from dateline_cli.bulk import CHUNK, add_bulk, mapper
from dateline_cli.edits import pending_lines, report_lines
from dateline_cli.files import check_target
from dateline_cli.options import add_options, given_options
from dateline_cli.show import SafeConsole, print_json, print_lines
from dateline_cli.values import any_date, asking_date, whole

if TYPE_CHECKING:
    from dateline.bulk import Mapper
    from dateline.evolution.gate import Selection
    from dateline.facts import Change, Changes, FactStore, Updater


class _Output(NamedTuple):
    """Result of a verb: JSON for programs, lines and tables for people."""

    value: Any
    text: Sequence[str | Table]
    code: int = 0


def add_to(commands: Any) -> None:
    """Register the subcommand and its verbs."""
    facts = commands.add_parser("facts", help="look after a fact store", description=__doc__)
    verbs = facts.add_subparsers(dest="verb", required=True, metavar="VERB")
    _verb(verbs, "add", _add, "let the store learn from a folder or file of dated documents", fill=_fill_add)
    _verb(verbs, "pending", _pending, "edits that wait for a person or for more sources")
    for name, what in (("approve", "commit pending edits"), ("reject", "reject pending edits for good")):
        decide = _verb(verbs, name, _decide, what)
        decide.add_argument("ids", nargs="+", metavar="ID", help="ids that dateline facts pending shows, or all")
        decide.add_argument("--reason", default="", help="why, for the audit trail")
    _add_readings(verbs)
    undo = _verb(verbs, "undo", _undo, "withdraw what a document said; what it closed is open again")
    undo.add_argument("document", metavar="DOCUMENT", help="id of the document, as dateline facts changes shows it")
    for name, job, what in (
        ("export", _export, "write every operation to a file of JSON lines"),
        ("import", _import, "read the operations of such a file; what is there already is no change"),
    ):
        _verb(verbs, name, job, what).add_argument("file", type=Path, metavar="FILE", help="a file of JSON lines")
    _verb(verbs, "reindex", _reindex, "build the index anew from the ledger")
    check = _verb(verbs, "check", _check, "look for changed entries and vectors (exit code 1 where there are any)")
    note = "a hash that an earlier check printed; it must still be that of an entry"
    check.add_argument("--head", default="", metavar="HASH", help=note)


def _fill_add(add: argparse.ArgumentParser) -> None:
    from dateline_graphs.options import UpdateFactsOptions

    add.add_argument("docs", type=Path, metavar="PATH", help="a folder of dated documents, or one JSONL file")
    add.add_argument("--dry-run", action="store_true", help="show what would change and its cost, write no fact")
    add.add_argument("--verbose", action="store_true", help="show every change (default: the first 20)")
    add.add_argument(
        "--trust-sources", action="store_true", help="count the source that a document states as where it came from"
    )
    add_options(add, UpdateFactsOptions, only=["model", "interrupt_on", "sources", "min_sources"])
    add_bulk(add, out=False)
    add.add_argument(
        "--since",
        type=Path,
        metavar="OLD",
        help="the version learnt before: only sentences that are changed, new or undecided since are read",
    )


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
        help="only facts that came through this channel, such as notes/gazette; repeatable",
    )
    search.add_argument("--tag", action="append", default=[], help="only facts with this tag; repeatable")
    for verb in (search, _verb(verbs, "at", _at, "every fact that was true at a date")):
        for option, what in (
            ("--as-of", "when it was true: 2024, 2024-05-01, May 2024, yesterday … (default: now)"),
            ("--known-at", "by what was known then (default: by all that is known)"),
        ):
            verb.add_argument(option, type=any_date, metavar="DATE", help=what)

    history = _verb(verbs, "history", _history, "what documents said of one fact, and when")
    history.add_argument(
        "fact", metavar="ID", help="id of the fact, or its first letters, as dateline facts search shows it"
    )

    changes = _verb(verbs, "changes", _changes, "what the store learnt since a date")
    changes.add_argument(
        "--since",
        type=asking_date,
        default="0001-01-01",
        metavar="DATE",
        help="only what was learnt after it (default: everything)",
    )


def _verb(
    verbs: Any,
    name: str,
    job: Callable[[argparse.Namespace], _Output],
    what: str,
    *,
    fill: Callable[[argparse.ArgumentParser], None] | None = None,
) -> Any:
    def run(arguments: argparse.Namespace) -> int:
        done = job(arguments)
        if arguments.json:
            print_json(done.value)
        else:
            _print(done.text)
        return done.code

    verb = verbs.add_parser(name, help=what, description=what, fill=fill)
    verb.add_argument("store", metavar="STORE", help="the folder of the store, or a database URL")
    verb.add_argument("--json", action="store_true", help="print JSON instead of a table")
    verb.set_defaults(run=run)
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


def _add(arguments: argparse.Namespace) -> _Output:
    from dateline.search import load_documents
    from dateline_graphs.components import updater_for
    from dateline_graphs.options import UpdateFactsOptions

    options = given_options(arguments, UpdateFactsOptions)
    if arguments.ray and options.model:
        raise BadInput("--ray reads documents by rules; leave --model out, or --ray.")
    mapper(arguments)
    documents = load_documents(arguments.docs, trust_sources=arguments.trust_sources).documents
    # Oldest first is cheapest: a late document has to be fitted in.
    ordered = sorted(documents, key=lambda piece: (piece.published is None, _start(piece.published)))
    selection = _since(ordered, arguments.since) if arguments.since else None
    ordered = selection.documents if selection else ordered
    now = datetime.now(UTC)
    learnt: list[Changes] = []
    updater = updater_for(
        "chat" if options.model else "local",
        model=options.model,
        policy=options.policy(),
        store=lambda: _open(arguments, new=True),
    )
    with updater.review_queue.store:
        progress = SafeConsole(stderr=True)
        read = _read_ahead(ordered, updater, mapper(arguments)) if arguments.ray else ordered
        for piece in track(
            read, total=len(ordered), console=progress, transient=True, disable=not progress.is_terminal
        ):
            learnt += updater.update([piece], known_at=now, dry_run=arguments.dry_run)
    lines = report_lines(learnt, every=arguments.verbose)
    if selection is None:
        return _Output(_summary(learnt), lines)
    gate = selection.report.model_dump(mode="json", exclude={"changes"})
    return _Output({**_summary(learnt), "gate": gate}, [selection.report.summary(), *lines])


def _read_ahead(documents: Sequence[Evidence], updater: Updater, way: Mapper) -> Iterator[Evidence]:
    """Yield documents once others have read them for the updater.

    Reading and encoding are most of the work and need no store; what was read is stored here, in order.
    """
    from dateline.facts import LocalUpdater

    if isinstance(updater, LocalUpdater):
        for document, read in zip(documents, way.map(documents, work=updater.reader, chunk=CHUNK), strict=True):
            updater.read_ahead(document, read)
            yield document


def _since(documents: Sequence[Evidence], old: Path) -> Selection:
    """Return the sentences that the old versions of documents did not have."""
    from dateline.evolution import SentenceLabeller
    from dateline.evolution.gate import select
    from dateline.search import load_documents

    return select(documents, since=load_documents(old).documents, labeller=SentenceLabeller())


def _pending(arguments: argparse.Namespace) -> _Output:
    from dateline.facts import ReviewQueue

    with _open(arguments) as store:
        pending, later = ReviewQueue(store).pending(), ReviewQueue(store).later()
    lines = [line for one in pending for line in pending_lines(one)]
    lines += [f"  {one.title or one.origin or one.id} waits for {one.published}" for one in later]
    return _Output(pending, lines or ["None."])


def _decide(arguments: argparse.Namespace) -> _Output:
    from dateline.facts import ReviewDecision, ReviewQueue

    with _open(arguments) as store:
        queue = ReviewQueue(store)
        pending = [one.id for one in queue.pending()]
        ids = pending if arguments.ids == ["all"] else arguments.ids
        if unknown := [id for id in ids if id not in pending]:
            raise BadInput(f"No edit {unknown[0]!r} is pending; list those that are with: dateline facts pending STORE")
        decisions = [
            ReviewDecision(id=id, verdict=arguments.verb, reason=arguments.reason) for id in dict.fromkeys(ids)
        ]
        learnt = queue.decide(decisions, known_at=datetime.now(UTC))
    return _Output(_summary(learnt), report_lines(learnt, every=True))


def _search(arguments: argparse.Namespace) -> _Output:
    if not arguments.query.strip():
        raise BadInput("The query is empty; give words to look for, or list every fact with: dateline facts at STORE")
    with _open(arguments) as store:
        found = store.search(
            arguments.query.encode("utf-8", "replace").decode(),
            as_of=arguments.as_of,
            known_at=arguments.known_at,
            k=arguments.k,
            which="any" if arguments.all else "true",
            sources=arguments.source,
            tags=arguments.tag,
        )
    rows = [
        (f"{one.similarity:.2f}", _truth(one.true), str(one.since or "undated"), one.fact.text, one.fact.id)
        for one in found
    ]
    return _Output(found, _table(("near", "truth", "since", "fact", "id"), rows))


def _at(arguments: argparse.Namespace) -> _Output:
    with _open(arguments) as store:
        found = store.at(arguments.as_of or "now", known_at=arguments.known_at)
    return _Output(found, _table(("fact", "id"), [(history.fact.text, history.fact.id) for history in found]))


def _history(arguments: argparse.Namespace) -> _Output:
    with _open(arguments) as store:
        found = store.ids(arguments.fact)
        if len(found) > 1 and arguments.fact not in found:
            raise BadInput(f"{len(found)} facts have an id that begins with {arguments.fact!r}; give more of it.")
        history = store.history(found[0] if len(found) == 1 else arguments.fact)
    rows = [
        (str(entry.when or "undated"), _truth(entry.true), entry.document, entry.known_at.date().isoformat())
        for entry in history.entries
    ]
    return _Output(history, [history.fact.text, *_table(("when", "truth", "document", "learnt"), rows)])


def _changes(arguments: argparse.Namespace) -> _Output:
    from dateline.temporal.as_of import read_moment

    with _open(arguments) as store:
        return _changed(store.changes(since=read_moment(arguments.since)))


def _undo(arguments: argparse.Namespace) -> _Output:
    with _open(arguments) as store:
        return _changed(store.undo(arguments.document, known_at=datetime.now(UTC)))


def _export(arguments: argparse.Namespace) -> _Output:
    from dateline.facts.maintenance import export_operations

    check_target(arguments.file, what="the operations")
    with _open(arguments) as store:
        return _counted("operations written", export_operations(store.ledger, path=arguments.file))


def _import(arguments: argparse.Namespace) -> _Output:
    from dateline.facts.maintenance import check_export, import_operations

    if not arguments.file.is_file():
        raise BadInput(f"There is no file {arguments.file}; give one that dateline facts export wrote.")
    check_export(arguments.file)
    with _open(arguments, new=True) as store:
        return _counted("operations new", import_operations(store.ledger, path=arguments.file))


def _reindex(arguments: argparse.Namespace) -> _Output:
    from dateline.facts.opening import rebuild_store
    from dateline.text import default_embeddings

    if "://" in arguments.store:
        raise BadInput("A store by URL keeps its index in memory and builds it while opening; there is nothing to do.")
    with rebuild_store(arguments.store, embeddings=default_embeddings()) as store:
        return _counted("facts indexed", store.index.size)


def _check(arguments: argparse.Namespace) -> _Output:
    from dateline.facts.maintenance import verify

    with _open(arguments) as store:
        found = verify(store, noted=arguments.head)
    lines = [f"{found.operations} operations, {found.facts} facts", *found.problems]
    if found.sound:
        lines.append("Ledger and index agree.")
        lines += [f"Its first {found.unchained} entries have no hash."] if found.unchained else []
        lines += [f"Head: {found.head}"] if found.head else []
    return _Output(found, lines, 0 if found.sound else 1)


# -- printing -------------------------------------------------------------------------------------


def _print(text: Sequence[str | Table]) -> None:
    for part in text:
        if isinstance(part, str):
            print_lines(visible(part))
        else:
            SafeConsole().print(part, markup=False)


def _changed(changes: Sequence[Change]) -> _Output:
    rows = [
        (one.kind.replace("_", " "), str(one.when or "undated"), one.fact.text, one.document, one.reason)
        for one in changes
    ]
    return _Output(changes, _table(("change", "when", "fact", "document", "why"), rows))


def _counted(what: str, count: int) -> _Output:
    return _Output({what.replace(" ", "_"): count}, [f"{count} {what}"])


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str | Table]:
    table = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return [table if rows else "None."]


def _truth(true: bool) -> str:
    return "true" if true else "false"


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


def _start(published: Interval | None) -> int:
    return published.start or 0 if published is not None else 0
