"""Verbs of `dateline facts`: how each is registered, opens its store and prints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rich import box
from rich.table import Table

from dateline import BadInput
from dateline.temporal.interval import beginning
from dateline.visible import visible
from dateline_cli.show import SafeConsole, print_json, print_lines
from dateline_cli.values import readable

if TYPE_CHECKING:
    from dateline.facts import Change, FactStore, SlotPack


class VerbOutput(NamedTuple):
    """Result of a verb: JSON for programs, lines and tables for people."""

    value: Any
    text: Sequence[str | Table]
    code: int = 0


def add_verb(
    verbs: Any,
    name: str,
    job: Callable[[argparse.Namespace], VerbOutput],
    what: str,
    *,
    fill: Callable[[argparse.ArgumentParser], None] | None = None,
) -> Any:
    """Register a verb with the store it works on."""

    def run(arguments: argparse.Namespace) -> int:
        done = job(arguments)
        if arguments.json:
            print_json(done.value)
        else:
            _print(done.text)
        return done.code

    verb = verbs.add_parser(name, help=what, description=what, fill=fill)
    # Whatever a verb takes as text goes into a store, which holds no other; a path may have any name.
    verb.register("type", None, readable)
    verb.add_argument("store", type=str, metavar="STORE", help="the folder of the store, or a database URL")
    add_slots(verb)
    verb.add_argument("--json", action="store_true", help="print JSON instead of a table")
    verb.set_defaults(run=run)
    return verb


def open_facts(arguments: argparse.Namespace, *, new: bool = False) -> FactStore:
    """Open the store that a verb names.

    Args:
        new: make it where it is not there.
    """
    from dateline.facts import open_store
    from dateline.facts.opening import is_store
    from dateline.text import default_embeddings

    if not new and not is_store(arguments.store):
        raise BadInput(f"There is no fact store in {arguments.store}; make one with: dateline facts add STORE PATH")
    return open_store(arguments.store, embeddings=default_embeddings(), slots=own_slots(arguments))


def open_to_read(arguments: argparse.Namespace) -> FactStore:
    """Open a store to read; say on stderr if it is empty."""
    from dateline.facts.emptiness import emptiness

    store = open_facts(arguments)
    if said := emptiness(store):
        print_lines(f"dateline: {said}", file=sys.stderr)
    return store


def add_slots(command: argparse.ArgumentParser) -> None:
    """Let a command take attributes that the user declares."""
    what = "a TOML file of attributes of your own, merged over the shipped ones"
    command.add_argument("--slots", type=str, metavar="FILE", help=what)


def own_slots(arguments: argparse.Namespace) -> SlotPack | None:
    """Return the attributes that the user declares, if any."""
    from dateline.facts import SlotPack

    return SlotPack.load(arguments.slots) if arguments.slots else None


def changed_facts(changes: Sequence[Change]) -> VerbOutput:
    """Show changes of knowledge."""
    rows = [
        (
            one.kind.replace("_", " "),
            beginning(one.when, unknown="undated"),
            one.fact.text,
            one.document,
            one.reason,
        )
        for one in changes
    ]
    return VerbOutput(changes, fact_table(("change", "when", "fact", "document", "why"), rows))


def fact_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str | Table]:
    """Return rows as a table, or a word that there are none."""
    table = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return [table if rows else "None."]


def truth_word(true: bool | None) -> str:
    """Return a truth value as it is shown."""
    return "not known" if true is None else "true" if true else "false"


def _print(text: Sequence[str | Table]) -> None:
    for part in text:
        if isinstance(part, str):
            print_lines(visible(part))
        else:
            SafeConsole().print(part, markup=False)
