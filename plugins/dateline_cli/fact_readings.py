"""Verbs of `dateline facts` that read: facts, values and changes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from dateline import BadInput
from dateline.temporal.interval import beginning
from dateline_cli.fact_verbs import VerbOutput, add_verb, changed_facts, fact_table, open_to_read, truth_word
from dateline_cli.values import any_date, asking_date, whole

if TYPE_CHECKING:
    from dateline.facts import FactStore
    from dateline.facts.fact import FoundFact

NEWEST_FIRST = "First the facts that state what is asked, the newest on top; the others as they are near."

MOST_NEAR = 20
"""Near facts that are looked at for words."""


def add_readings(verbs: Any) -> None:
    """Register the verbs that read."""
    search = add_verb(verbs, "search", _search, "facts near a query, as they stood at a date")
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
    at = add_verb(verbs, "at", _at, "every fact that was true at a date")
    at.add_argument("date", nargs="?", type=any_date, metavar="DATE", help="in place of --as-of")
    for verb in (search, at):
        for option, what in (
            ("--as-of", "when it was true: 2024, 2024-05-01, May 2024, yesterday … (default: now)"),
            ("--known-at", "by what was known then (default: by all that is known)"),
            ("--during", "in place of --as-of: true at some time in this period"),
            ("--before", "true at some time before this moment or period"),
            ("--after", "true at some time after it"),
        ):
            verb.add_argument(option, type=any_date, metavar="DATE", help=what)

    history = add_verb(verbs, "history", _history, "what documents said of one fact, or the values of an attribute")
    history.add_argument(
        "fact", metavar="ID|WORDS|SUBJECT", help="id of a fact or its first letters, words of it, or a subject"
    )
    history.add_argument("attribute", nargs="?", metavar="ATTRIBUTE", help="of a subject: residence, price, member …")
    value = add_verb(verbs, "value", _value, "the value of a subject's attribute at a date, or when any is known")
    value.add_argument("subject", metavar="SUBJECT", help="the subject: a person, a thing, an organisation")
    value.add_argument("attribute", metavar="ATTRIBUTE", help="the attribute: residence, price, member …")
    value.add_argument("--known-at", type=any_date, metavar="DATE", help="by what was known then")
    ask = add_verb(verbs, "ask", _ask, "the value that a question asks for, by one fact or two")
    ask.add_argument("question", help="the question, in quotes; it may name a time")
    ask.add_argument("--as-of", type=any_date, metavar="DATE", help="when it is asked (default: now)")
    ask.add_argument("--known-at", type=any_date, metavar="DATE", help="by what was known then")
    for verb, what in ((history, "what was told up to then (default: now)"), (value, "then (default: now)")):
        verb.add_argument("--as-of", type=any_date, metavar="DATE", help=what)

    changes = add_verb(verbs, "changes", _changes, "what the store learnt since a date")
    changes.add_argument(
        "--since",
        type=asking_date,
        default="0001-01-01",
        metavar="DATE",
        help="only what was learnt after it (default: everything)",
    )
    changed = add_verb(
        verbs, "changed", _changed, "what became true, or ceased to be, in a time, whenever it was learnt"
    )
    changed.add_argument("--since", type=any_date, default="0001", metavar="DATE", help="first day or period of it")
    changed.add_argument("--until", type=any_date, metavar="DATE", help="the last one (default: now)")


def _search(arguments: argparse.Namespace) -> VerbOutput:
    if not arguments.query.strip():
        raise BadInput("The query is empty; give words to look for, or list every fact with: dateline facts at STORE")
    with open_to_read(arguments) as store:
        found = store.search(
            arguments.query,
            as_of=arguments.as_of,
            known_at=arguments.known_at,
            k=arguments.k,
            which="any" if arguments.all else "true",
            sources=arguments.source,
            tags=arguments.tag,
            **_window(arguments),
        )
    rows = [
        (f"{one.similarity:.2f}", _standing(one), str(one.since or "undated"), one.fact.text, one.fact.id)
        for one in found
    ]
    near = [one.similarity for one in found]
    told = [] if near == sorted(near, reverse=True) else [NEWEST_FIRST]
    return VerbOutput(found, [*fact_table(("near", "truth", "since", "fact", "id"), rows), *told])


def _at(arguments: argparse.Namespace) -> VerbOutput:
    if arguments.date and arguments.as_of:
        raise BadInput(f"Give the date once: {arguments.date} or --as-of {arguments.as_of}.")
    with open_to_read(arguments) as store:
        found = store.at(arguments.date or arguments.as_of, known_at=arguments.known_at, **_window(arguments))
    return VerbOutput(found, fact_table(("fact", "id"), [(history.fact.text, history.fact.id) for history in found]))


def _history(arguments: argparse.Namespace) -> VerbOutput:
    return _history_of_slot(arguments) if arguments.attribute else _history_of_facts(arguments)


def _history_of_slot(arguments: argparse.Namespace) -> VerbOutput:
    with open_to_read(arguments) as store:
        found = store.history_of(arguments.fact, attribute=arguments.attribute, as_of=arguments.as_of)
    rows = [
        (each.value, str(each.since or "unknown"), str(each.until or ""), ", ".join(each.sources), each.fact.id)
        for each in found.periods
    ]
    return VerbOutput(found, fact_table((found.attribute, "since", "until", "sources", "id"), rows))


def _value(arguments: argparse.Namespace) -> VerbOutput:
    asked = {"as_of": arguments.as_of, "known_at": arguments.known_at}
    with open_to_read(arguments) as store:
        found = store.value(arguments.subject, attribute=arguments.attribute, **asked)
        # Not every sentence can be read as a field.
        said = [] if found.periods else _naming(store, arguments.subject, **asked)
    rows = [(str(one.since or "undated"), one.fact.text, one.fact.id) for one in said]
    told = [f"Facts that name {arguments.subject}:", *fact_table(("since", "fact", "id"), rows)] if rows else []
    return VerbOutput(found, [found.describe(), *told])


def _ask(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.facts.asking import FactAsker

    with open_to_read(arguments) as store:
        found = FactAsker(store).ask(arguments.question, as_of=arguments.as_of, known_at=arguments.known_at)
    nothing = "Nothing that is known answers this; see what is near: dateline facts search"
    return VerbOutput(found, [nothing if found is None else found.describe()])


def _changed(arguments: argparse.Namespace) -> VerbOutput:
    with open_to_read(arguments) as store:
        found = store.what_changed(since=arguments.since, until=arguments.until)
    rows = [(str(each.when), truth_word(each.true), each.fact.text, each.document) for each in found]
    return VerbOutput(found, fact_table(("when", "became", "fact", "document"), rows))


def _window(arguments: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(arguments, name) for name in ("during", "before", "after")}


def _standing(found: FoundFact) -> str:
    return f"{truth_word(found.true)}, contested" if found.contested else truth_word(found.true)


def _history_of_facts(arguments: argparse.Namespace) -> VerbOutput:
    with open_to_read(arguments) as store:
        meant = _facts_meant(store, arguments.fact)
        histories = [store.history(id, as_of=arguments.as_of) for id in meant]
    rows = [
        (beginning(entry.when, unknown="undated"), truth_word(entry.true), history.fact.text, entry.document)
        for history in histories
        for entry in history.entries
    ]
    if len(histories) > 1:
        return VerbOutput(histories, fact_table(("when", "truth", "fact", "document"), sorted(rows)))
    (history,) = histories
    told = [
        (when, truth, document, entry.known_at.date().isoformat())
        for (when, truth, _, document), entry in zip(rows, history.entries, strict=True)
    ]
    return VerbOutput(history, [history.fact.text, *fact_table(("when", "truth", "document", "learnt"), told)])


def _facts_meant(store: FactStore, said: str) -> list[str]:
    """Find facts by id, by the beginning of one, or by words.

    Raises:
        BadInput: for the beginning of several ids, and for what no fact says.
    """
    from dateline.facts.fact import folded

    ids = store.ids(said)
    if said in ids or len(ids) == 1:
        return [said if said in ids else ids[0]]
    if ids:
        raise BadInput(f"{len(ids)} facts have an id that begins with {said!r}; give more of it.")
    if found := _naming(store, said, which="any"):
        same = [one for one in found if folded(one.fact.text) == folded(said)]
        return [one.fact.id for one in same or found]
    raise BadInput(f"No fact has the id {said!r} or says these words; see what is near: dateline facts search")


def _naming(store: FactStore, said: str, **options: Any) -> list[FoundFact]:
    """Find near facts that have all of the words."""
    from dateline.text.words import content_words

    asked = set(content_words(said))
    near = store.search(said, k=MOST_NEAR, **options) if asked else []
    return [one for one in near if asked <= set(content_words(one.fact.text))]


def _changes(arguments: argparse.Namespace) -> VerbOutput:
    from dateline.temporal.as_of import read_moment

    with open_to_read(arguments) as store:
        return changed_facts(store.changes(since=read_moment(arguments.since)))
