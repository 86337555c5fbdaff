"""`dateline label`: the fate of each sentence between two versions of documents."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from dateline import BadInput
from dateline.counted import counted
from dateline.documents.document_date import NAME_DATE
from dateline_cli.bulk import add_bulk, do_bulk, mapper, refuse_together
from dateline_cli.show import SafeConsole, print_json

if TYPE_CHECKING:
    from dateline.evolution import Labelling, LabelMethod

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

    if arguments.out:
        refuse_together(arguments, "--out", "json", "all")
    old, new = _versions(arguments.old), _versions(arguments.new)
    if arguments.old.is_dir() != arguments.new.is_dir():
        raise BadInput("One version is a folder and the other a file; give two files or two folders.")
    pairs = _paired(old, new)
    work = LabelPairs(arguments.method, model=arguments.model)
    if arguments.out:
        keys = [key_of(*pair, arguments.method, arguments.model) for pair in pairs]
        return int(do_bulk(arguments, pairs, work=work.lines, keys=keys, what="document") > 0)
    labelled = zip([name for name, _, _ in pairs], mapper(arguments).map(pairs, work=work, chunk=1), strict=True)
    if arguments.json:
        print_json(dict(labelled))
        return 0
    console = SafeConsole()
    for name, labelling in labelled:
        console.print(Text(name, style="bold"))
        _show(labelling, console=console, every=arguments.all)
    return 0


_Pair = tuple[str, list[str], list[str]]
"""A document's name, and the sentences of its versions."""

_Documents = dict[str, list[str]]
"""Sentences of each document of a file, by its title."""

_DATE = re.compile(rf"[-_. ]{{0,3}}(?:{NAME_DATE.pattern}|(?<!\d)(?:19|20)\d\d(?!\d))")
"""A date in a file's name, a year alone too, with what parts it from the rest."""


class LabelPairs:
    """Work of labelling pairs of versions, for `dateline.bulk`.

    Sent to another process it takes along its settings; the labeller and its model are made there.

    Raises:
        BadInput: for a model that cannot be used.
    """

    def __init__(self, method: LabelMethod, *, model: str = "") -> None:
        from dateline.evolution import SentenceLabeller
        from dateline.reading import ChatJudge

        checker = None
        if model:
            from dateline_graphs.models import chat_model

            checker = ChatJudge(chat_model(model))
        self._method, self._model = method, model
        self._labeller = SentenceLabeller(method=method, checker=checker)

    def __getstate__(self) -> dict[str, Any]:
        return {"method": self._method, "model": self._model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        made = LabelPairs(state["method"], model=state["model"])
        self.__dict__.update(made.__dict__)

    def __call__(self, pairs: Sequence[_Pair]) -> list[Labelling]:
        """Label a chunk."""
        return [self._labeller.label(old, new=new) for _, old, new in pairs]

    def lines(self, pairs: Sequence[_Pair]) -> list[dict[str, Any]]:
        """Label a chunk, as lines of JSON."""
        return [
            {"document": pair[0], **found.model_dump(mode="json")}
            for pair, found in zip(pairs, self(pairs), strict=True)
        ]


def _versions(path: Path) -> dict[str, _Documents]:
    """Read the documents of each file, or page that tells its address."""
    from dateline.search import load_documents
    from dateline.text import split_sentences

    files: dict[str, _Documents] = {}
    for passage in load_documents(path).documents:
        file, title = (passage.url, "") if passage.url else (passage.source, passage.title)
        sentences = [sentence.text for sentence in split_sentences(passage.text)]
        files.setdefault(file, {}).setdefault(title, []).extend(sentences)
    return files


def _paired(old: dict[str, _Documents], new: dict[str, _Documents]) -> list[_Pair]:
    """Pair the versions of files; two single files are always a pair."""
    if len(old) == len(new) == 1:
        (before,), (name, after) = old.values(), next(iter(new.items()))
        return list(_of_file(_undated(name), before, after))
    both = old.keys() & new.keys()
    befores, afters = _by_name(old, both=both), _by_name(new, both=both)
    names = dict.fromkeys((*afters, *befores))
    return [pair for name in names for pair in _of_file(name, befores.get(name, {}), afters.get(name, {}))]


def _by_name(files: dict[str, _Documents], *, both: Set[str]) -> dict[str, _Documents]:
    """Name files by what their versions share.

    It is the whole name where `both` sides have it, so that a folder's issues stay apart; else the name without dates.
    """
    named: dict[str, _Documents] = {}
    for file, documents in files.items():
        bare = _undated(file)
        held = named.setdefault(file if both & {file, bare} else bare, {})
        for title, sentences in documents.items():
            held.setdefault(title, []).extend(sentences)
    return named


def _of_file(name: str, old: _Documents, new: _Documents) -> Iterator[_Pair]:
    """Pair a file's documents: by title, where a version holds several."""
    if max(len(old), len(new)) == 1:
        before, after = (next(iter(each.values()), []) for each in (old, new))
        yield name, before, after
        return
    for title in dict.fromkeys((*new, *old)):
        yield f"{name}: {title}" if title else name, old.get(title, []), new.get(title, [])


def _undated(file: str) -> str:
    """Return a file's name without dates.

    It stays as it is where it is a date alone, or the address of a page.
    """
    if "://" in file:
        return file
    bare = re.sub(r"(^|/)[-_. ]+", r"\1", _DATE.sub("", file))
    return bare if bare and Path(bare).suffix == Path(file).suffix else file


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
