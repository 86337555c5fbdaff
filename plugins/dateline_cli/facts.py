"""`dateline facts`: read, feed, correct and check a fact store."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dateline import BadInput, Cost, Evidence
from dateline.files import expanded
from dateline_cli.bulk import CHUNK, add_bulk, mapper
from dateline_cli.edits import pending_lines, report_lines
from dateline_cli.fact_forgetting import add_forgetting
from dateline_cli.fact_readings import add_readings
from dateline_cli.fact_verbs import VerbOutput, add_verb, changed_facts, open_facts, own_slots
from dateline_cli.files import check_target
from dateline_cli.options import add_options, given_options
from dateline_cli.show import tracked
from dateline_cli.values import any_date, words

if TYPE_CHECKING:
    from dateline.bulk import Mapper
    from dateline.evolution.gate import Selection
    from dateline.facts import Changes, Updater


def add_to(commands: Any) -> None:
    """Register the subcommand and its verbs."""
    facts = commands.add_parser("facts", help="look after a fact store", description=__doc__)
    verbs = facts.add_subparsers(dest="verb", required=True, metavar="VERB")
    add_verb(verbs, "add", _add, "let the store learn from a folder or file of dated documents", fill=_fill_add)
    add_verb(verbs, "remember", _remember, "store the value of a subject's attribute", fill=_fill_remember)
    add_verb(verbs, "pending", _pending, "edits that wait for a person or for more sources")
    for name, what in (("approve", "commit pending edits"), ("reject", "reject pending edits for good")):
        decide = add_verb(verbs, name, _decide, what)
        decide.add_argument("ids", nargs="+", metavar="ID", help="ids that dateline facts pending shows, or all")
        decide.add_argument("--reason", default="", help="why, for the audit trail")
    add_readings(verbs)
    undo = add_verb(verbs, "undo", _undo, "withdraw what a document said; what it closed is open again")
    undo.add_argument("document", metavar="DOCUMENT", help="id of the document, as dateline facts changes shows it")
    add_forgetting(verbs)
    for name, job, what in (
        ("export", _export, "write every operation to a file of JSON lines"),
        ("import", _import, "read such a file, or an export of mem0 or Graphiti; what is there already is no change"),
    ):
        files = add_verb(verbs, name, job, what)
        files.add_argument("file", type=Path, metavar="FILE", help="a file of JSON lines, or of JSON")
        if name == "import":
            formats = ("dateline", "mem0", "graphiti")
            files.add_argument("--format", choices=formats, default="dateline", help="who wrote it (default: dateline)")
            files.add_argument("--user", default="", metavar="NAME", help="of mem0, only what is of this owner")
    add_verb(verbs, "reindex", _reindex, "build the index anew from the ledger")
    check = add_verb(verbs, "check", _check, "look for changed entries and vectors (exit code 1 where there are any)")
    note = "a hash that an earlier check printed; it must still be that of an entry"
    check.add_argument("--head", default="", metavar="HASH", help=note)


def _fill_add(add: argparse.ArgumentParser) -> None:
    from dateline_graphs.options import UpdateFactsOptions

    add.add_argument("docs", type=Path, metavar="PATH", help="a folder of dated documents, or one file of them")
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


def _fill_remember(remember: argparse.ArgumentParser) -> None:
    for name, what in (
        ("subject", "the subject: a person, a thing, an organisation"),
        ("attribute", "the attribute: residence, price, member …"),
        ("value", "its value"),
    ):
        remember.add_argument(name, type=words, metavar=name.upper(), help=what)
    for option, what in (
        ("--since", "from when on it holds (default: now; with --until alone: unknown)"),
        ("--until", "from when on it no longer holds"),
    ):
        remember.add_argument(option, type=any_date, metavar="DATE", help=what)
    remember.add_argument("--source", default="", metavar="NAME", help="whose word it is")


# -- verbs ----------------------------------------------------------------------------------------


def _add(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.evidence.knowledge import oldest_first
    from dateline.search import load_documents
    from dateline_graphs.components import updater_for
    from dateline_graphs.options import UpdateFactsOptions

    options = given_options(arguments, UpdateFactsOptions)
    if arguments.ray and options.model:
        raise BadInput("--ray reads documents by rules; leave --model out, or --ray.")
    mapper(arguments)
    documents = load_documents(arguments.docs, trust_sources=arguments.trust_sources).documents
    # Oldest first is cheapest: a late document has to be fitted in.
    ordered = sorted(documents, key=oldest_first)
    selection = _since(ordered, arguments.since) if arguments.since else None
    ordered = selection.documents if selection else ordered
    now = datetime.now(UTC)
    learnt: list[Changes] = []
    updater = updater_for(
        "chat" if options.model else "local",
        model=options.model,
        policy=options.policy(),
        store=lambda: open_facts(arguments, new=True),
    )
    with updater.review_queue.store:
        read = _read_ahead(ordered, updater, mapper(arguments)) if arguments.ray else ordered
        for piece in tracked(read, total=len(ordered)):
            learnt += updater.update([piece], known_at=now, dry_run=arguments.dry_run)
    lines = report_lines(learnt, every=arguments.verbose)
    if selection is None:
        return VerbOutput(_summary(learnt), lines)
    gate = selection.report.model_dump(mode="json", exclude={"changes"})
    return VerbOutput({**_summary(learnt), "gate": gate}, [selection.report.summary(), *lines])


def _read_ahead(documents: Sequence[Evidence], updater: Updater, way: Mapper) -> Iterator[Evidence]:
    """Yield documents once others have read them for the updater.

    Reading and encoding are most of the work and need no store; what was read is stored here, in order. What the store has already
    comes first, and nobody reads it.
    """
    from dateline.facts import LocalUpdater

    if isinstance(updater, LocalUpdater):
        known = {document.id for document in documents if updater.store.stands(document.id)}
        yield from (document for document in documents if document.id in known)
        new = [document for document in documents if document.id not in known]
        for document, read in zip(new, way.map(new, work=updater.reader, chunk=CHUNK), strict=True):
            updater.read_ahead(document, read)
            yield document


def _since(documents: Sequence[Evidence], old: Path) -> Selection:
    """Return the sentences that the old versions of documents did not have."""
    from dateline.evolution import SentenceLabeller
    from dateline.evolution.gate import select
    from dateline.search import load_documents

    return select(documents, since=load_documents(old).documents, labeller=SentenceLabeller())


def _remember(arguments: argparse.Namespace) -> VerbOutput:
    with open_facts(arguments, new=True) as store:
        return changed_facts(
            store.remember(
                arguments.subject,
                attribute=arguments.attribute,
                value=arguments.value,
                since=arguments.since,
                until=arguments.until,
                source=arguments.source,
            )
        )


def _pending(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts import ReviewQueue

    with open_facts(arguments) as store:
        pending, later = ReviewQueue(store).pending(), ReviewQueue(store).later()
    lines = [line for one in pending for line in pending_lines(one)]
    lines += [f"  {one.title or one.origin or one.id} waits for {one.published}" for one in later]
    return VerbOutput(pending, lines or ["None."])


def _decide(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts import ReviewDecision, ReviewQueue

    with open_facts(arguments) as store:
        queue = ReviewQueue(store)
        pending = [one.id for one in queue.pending()]
        ids = pending if arguments.ids == ["all"] else arguments.ids
        if unknown := [id for id in ids if id not in pending]:
            raise BadInput(f"No edit {unknown[0]!r} is pending; list those that are with: dateline facts pending STORE")
        decisions = [
            ReviewDecision(id=id, verdict=arguments.verb, reason=arguments.reason) for id in dict.fromkeys(ids)
        ]
        learnt = queue.decide(decisions, known_at=datetime.now(UTC))
    return VerbOutput(_summary(learnt), report_lines(learnt, every=True))


def _undo(arguments: argparse.Namespace) -> VerbOutput:
    with open_facts(arguments) as store:
        return changed_facts(store.undo(arguments.document, known_at=datetime.now(UTC)))


def _export(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts.maintenance import FORMAT, export_operations

    check_target(arguments.file, what="the operations", mark=FORMAT)
    if "://" not in arguments.store and arguments.file.resolve().is_relative_to(expanded(arguments.store).resolve()):
        raise BadInput(f"Cannot write the operations to {arguments.file}: it lies in the store; name another file.")
    with open_facts(arguments) as store:
        return _counted("operations written", export_operations(store.ledger, path=arguments.file))


def _import(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts.maintenance import check_export, import_operations

    if not arguments.file.is_file():
        raise BadInput(f"There is no file {arguments.file}; give one that dateline facts export wrote.")
    if arguments.format != "dateline":
        return _import_memories(arguments)
    check_export(arguments.file)
    with open_facts(arguments, new=True) as store:
        return _counted("operations new", import_operations(store.ledger, path=arguments.file))


def _import_memories(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts.importing import import_memories

    with open_facts(arguments, new=True) as store:
        found = import_memories(
            store, arguments.file, format=arguments.format, known_at=datetime.now(UTC), user=arguments.user
        )
    left_out = ["Not read:", *found.problems] if found.problems else []
    return VerbOutput(found, [f"{found.documents} documents, {found.changes} changes", *left_out])


def _reindex(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts.opening import rebuild_store
    from dateline.text import default_embeddings

    with rebuild_store(arguments.store, embeddings=default_embeddings(), slots=own_slots(arguments)) as store:
        return _counted("facts indexed", store.index.size)


def _check(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts.maintenance import verify

    with open_facts(arguments) as store:
        found = verify(store, noted=arguments.head)
    lines = [f"{found.operations} operations, {found.facts} facts", *found.problems]
    if found.sound:
        lines.append("Ledger and index agree.")
        lines += [f"Its first {found.unchained} entries have no hash."] if found.unchained else []
        lines += [f"{len(found.erased)} entries were erased:"] if found.erased else []
        lines += [trace.describe() for trace in found.forgotten]
        lines += [f"Head: {found.head}"] if found.head else []
    return VerbOutput(found, lines, 0 if found.sound else 1)


# -- results --------------------------------------------------------------------------------------


def _counted(what: str, count: int) -> VerbOutput:
    return VerbOutput({what.replace(" ", "_"): count}, [f"{count} {what}"])


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
