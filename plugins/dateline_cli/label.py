"""`dateline label`: the fate of each sentence between two versions of documents."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from dateline import BadInput
from dateline.counted import counted
from dateline_cli.bulk import add_bulk, do_bulk, mapper, refuse_together
from dateline_cli.show import SafeConsole, print_json

if TYPE_CHECKING:
    from dateline.evolution import Labelling, SentenceLabeller

METHODS = ("default", "paper")

STYLES = {
    "unchanged": ("=", "dim"),
    "changed": ("~", "yellow"),
    "new": ("+", "green"),
    "undecided": ("?", "magenta"),
}


def add_to(commands: Any) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "label",
        help="compare two versions of a document",
        description=__doc__,
        epilog="Example: dateline label handbook-2023.md handbook-2024.md",
    )
    command.add_argument(
        "old", type=Path, metavar="OLD", help="the old version: a .md, .txt or .html file, or a folder"
    )
    command.add_argument("new", type=Path, metavar="NEW", help="the new version, or the folder of new versions")
    command.add_argument("--method", choices=METHODS, default="default", help="paper: GrowOVER's published steps alone")
    command.add_argument("--model", default="", metavar="NAME", help="a chat model checks what is called changed")
    command.add_argument("--all", action="store_true", help="show unchanged sentences as well")
    command.add_argument("--json", action="store_true", help="print JSON")
    add_bulk(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Label, and print or write what was found."""
    from dateline.bulk.results import key_of
    from dateline.evolution import SentenceLabeller
    from dateline.reading import ChatJudge

    if arguments.out:
        refuse_together(arguments, "--out", "json", "all")
    old, new = _versions(arguments.old), _versions(arguments.new)
    if arguments.old.is_dir() != arguments.new.is_dir():
        raise BadInput("One version is a folder and the other a file; give two files or two folders.")
    pairs = _paired(old, new)
    checker = None
    if arguments.model:
        from dateline_graphs.models import chat_model

        checker = ChatJudge(chat_model(arguments.model))
    labeller = SentenceLabeller(method=arguments.method, checker=checker)
    work = LabelPairs(labeller)
    if arguments.out:
        keys = [key_of(*pair, arguments.method, arguments.model) for pair in pairs]
        return int(do_bulk(arguments, pairs, work=work.lines, keys=keys, what="document") > 0)
    labelled = dict(zip([name for name, _, _ in pairs], mapper(arguments).map(pairs, work=work, chunk=1), strict=True))
    if arguments.json:
        print_json(labelled)
        return 0
    console = SafeConsole()
    for name, labelling in labelled.items():
        console.print(Text(name, style="bold"))
        _show(labelling, console=console, every=arguments.all)
    return 0


_Pair = tuple[str, list[str], list[str]]
"""A document's name, and the sentences of its versions."""


@dataclass(frozen=True)
class LabelPairs:
    """Work of labelling pairs of versions, for `dateline.bulk`."""

    labeller: SentenceLabeller

    def __call__(self, pairs: Sequence[_Pair]) -> list[Labelling]:
        """Label a chunk."""
        return [self.labeller.label(old, new=new) for _, old, new in pairs]

    def lines(self, pairs: Sequence[_Pair]) -> list[dict[str, Any]]:
        """Label a chunk, as lines of JSON."""
        return [
            {"document": pair[0], **found.model_dump(mode="json")}
            for pair, found in zip(pairs, self(pairs), strict=True)
        ]


def _versions(path: Path) -> dict[str, list[str]]:
    """The sentences of each document, by the name that its versions share."""
    from dateline.evolution.gate import version_key
    from dateline.search import load_documents
    from dateline.text import split_sentences

    documents: dict[str, list[str]] = {}
    for passage in load_documents(path).documents:
        sentences = [sentence.text for sentence in split_sentences(passage.text)]
        documents.setdefault(version_key(passage), []).extend(sentences)
    return documents


def _paired(old: dict[str, list[str]], new: dict[str, list[str]]) -> list[_Pair]:
    """Pair the versions of documents; two single documents are always a pair."""
    if len(old) == len(new) == 1:
        (before,), (name, after) = old.values(), next(iter(new.items()))
        return [(_title(name), before, after)]
    return [(_title(name), old.get(name, []), new.get(name, [])) for name in dict.fromkeys((*new, *old))]


def _title(key: str) -> str:
    return key.partition("|")[0].lstrip("-_ ") or key


def _show(labelling: Labelling, *, console: Console, every: bool) -> None:
    for one in labelling.sentences:
        sign, style = STYLES[one.label]
        if one.label == "unchanged" and not every:
            continue
        console.print(Text(f"{sign} {one.text}", style=style), Text(f"  [{one.label}: {one.reason}]", style="dim"))
        for place in one.old:
            console.print(Text(f"    was: {labelling.old[place]}", style="dim"))
    for place in labelling.deleted:
        console.print(Text(f"- {labelling.old[place]}", style="red"))
    console.print(Text(_counts(labelling), style="dim"))


def _counts(labelling: Labelling) -> str:
    counts: Counter[str] = Counter(one.label for one in labelling.sentences)
    parts = [f"{counts[label]} {label}" for label in STYLES]
    count = len(labelling.sentences)
    return f"{counted(count, 'sentence')}: {', '.join(parts)}; {len(labelling.deleted)} deleted."
