"""The checks, the same code for every memory: what is asked of it, on which documents, and what would be right.

Standard library only: this runs in the clean environment of each memory as well as in ours.
"""

from __future__ import annotations

import inspect
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Protocol

from memories_world import FIRST, NEAR, PLACES, Document, Reader, asks, names, person, places, tells

QUESTION = asks(FIRST)
WRITERS = 8
NO_WAY = "no way"
FACTS = 10


class CannotError(Exception):
    """The memory has no way to do what is asked; the message says why."""


class Memory(Protocol):
    """A memory, used as its documentation says. All but `add`, `search` and `everything` may raise `CannotError`."""

    def add(self, document: Document) -> Any:
        """Take in a document, with its day where there is a place for it; what comes back stands for the document."""

    def search(self, question: str) -> list[str]:
        """The texts that a search brings without options."""

    def current(self, question: str) -> list[str]:
        """The texts that hold at present, by the documented way to ask for these."""

    def at(self, question: str, *, day: str) -> list[str]:
        """The texts that held on a day, by the documented way to ask for these."""

    def everything(self) -> list[str]:
        """Every text that is kept, closed ones too."""

    def since(self, question: str) -> str:
        """Since when the first fact found holds, as it is kept."""

    def remove(self, added: Any) -> None:
        """Take back a document, given what `add` gave."""

    def propose(self, document: Document) -> None:
        """Take in a document so that what it ends waits for a person."""

    def preview(self, document: Document) -> int:
        """Write nothing; the model calls that taking the document in costs."""


Make = Callable[[Reader], Memory]


@dataclass(frozen=True)
class Finding:
    """What a check found; `right` is None where there is only a figure."""

    found: str
    right: bool | None = None


def calls(make: Make) -> Finding:
    """Model calls of a document that changes 1, 10, 30 known facts; with dates in the model's replies, and without."""

    def measured(facts: int, *, dates: bool) -> int:
        reader = Reader(dates=dates)
        memory = make(reader)
        memory.add(directors(facts, day="2015-03-01"))
        before = reader.calls
        memory.add(directors(facts, day="2021-09-14", changed=True))
        return reader.calls - before

    dated, undated = ([measured(facts, dates=dates) for facts in (1, FACTS, 30)] for dates in (True, False))
    return Finding(
        " / ".join(map(str, dated)) + ("" if dated == undated else f"; undated {' / '.join(map(str, undated))}")
    )


def replaced(make: Make) -> Finding:
    """Of ten facts that a document replaced: how many the default search still brings."""
    memory = _updated(make)
    stale = sum(
        person(place) in names(memory.search(asks(name)), place=name) for place, name in enumerate(places(FACTS))
    )
    return Finding(f"{stale} of {FACTS}", right=stale == 0)


def replaced_current(make: Make) -> Finding:
    """Of ten facts that a document replaced: how many come when what holds now is asked for."""
    memory = _updated(make)
    found = [names(memory.current(asks(name)), place=name) for name in places(FACTS)]
    stale = sum(person(place) in each for place, each in enumerate(found))
    missing = sum(person(place, changed=True) not in each for place, each in enumerate(found))
    return Finding(
        f"{stale} of {FACTS}" + (f", {missing} new ones missing" if missing else ""), right=(stale, missing) == (0, 0)
    )


def past(make: Make) -> Finding:
    """Who held on a day before, between and after two documents of 2015 and 2021."""
    memory = make(Reader())
    memory.add(tells((FIRST, "Eva Holm"), day="2015-03-01"))
    memory.add(tells((FIRST, "Jon Lund"), day="2021-09-14"))
    wanted: dict[str, list[str]] = {"2014-06-01": [], "2018-06-01": ["Eva Holm"], "2022-06-01": ["Jon Lund"]}
    found = {day: names(memory.at(QUESTION, day=day), place=FIRST) for day in wanted}
    right = sum(found[day] == wanted[day] for day in wanted)
    return Finding(f"{right} of {len(wanted)}", right=found == wanted)


def late(make: Make) -> Finding:
    """Who holds now, when a document of 1999 arrives after one of 2024."""
    memory = make(Reader())
    memory.add(tells((FIRST, "Jon Lund"), day="2024-02-03"))
    memory.add(tells((FIRST, "Eva Holm"), day="1999-02-03"))
    return _holds(memory, "Jon Lund")


def recurs(make: Make) -> Finding:
    """Who holds now, when Eva Holm (2010) was followed by Jon Lund (2015) and came back (2020)."""
    memory = make(Reader())
    for name, day in (("Eva Holm", "2010-01-01"), ("Jon Lund", "2015-01-01"), ("Eva Holm", "2020-01-01")):
        memory.add(tells((FIRST, name), day=day))
    return _holds(memory, "Eva Holm")


def year(make: Make) -> Finding:
    """What is kept of the day of a document, when only its year is known."""
    memory = make(Reader())
    memory.add(tells((FIRST, "Eva Holm"), day="2019"))
    return _kept(memory)


def since_year(make: Make) -> Finding:
    """What is kept of "since 2019" in a text."""
    memory = make(Reader())
    memory.add(tells((FIRST, "Eva Holm"), day="2020-02-01", since="2019"))
    return _kept(memory)


def removed(make: Make) -> Finding:
    """Who holds, when the document of 2021 that ended the fact of 2015 is taken back."""
    memory = make(Reader())
    memory.add(tells((FIRST, "Eva Holm"), day="2015-03-01"))
    memory.remove(memory.add(tells((FIRST, "Jon Lund"), day="2021-09-14")))
    return _holds(memory, "Eva Holm")


def shown(make: Make) -> Finding:
    """Facts about other places that the model is asked to judge, of sixteen, when one director changes."""
    reader = Reader()
    _one_changed(make, reader, errs=False)
    others = sum(FIRST not in text for text in reader.shown)
    return Finding(f"{others} of {len(_others())}")


def erring(make: Make) -> Finding:
    """Facts about other places lost, where the model takes all it is shown for contradicted: no word in common, and one."""
    memory = _one_changed(make, Reader(), errs=True)
    lost = {place: person not in names(memory.current(asks(place)), place=place) for place, person in _others()}
    unlike, near = (sum(lost[place] for place in some) for some in (PLACES[1:], NEAR))
    return Finding(f"{unlike} of {len(PLACES) - 1}, {near} of {len(NEAR)}", right=(unlike, near) == (0, 0))


def again(make: Make) -> Finding:
    """Model calls and copies, when a document comes a second time."""
    reader = Reader()
    memory = make(reader)
    document = tells((FIRST, "Eva Holm"), day="2015-03-01")
    memory.add(document)
    before = reader.calls
    memory.add(document)
    copies = _copies(memory)
    return Finding(f"{reader.calls - before} calls, {copies} kept", right=reader.calls == before and copies == 1)


def races(make: Make) -> Finding:
    """Copies, when eight threads bring the same document at the same time, and each asks the model at once."""
    memory = make(Reader(meet=WRITERS))
    document = tells((FIRST, "Eva Holm"), day="2015-03-01")
    with ThreadPoolExecutor(WRITERS) as pool:
        for each in [pool.submit(memory.add, document) for _ in range(WRITERS)]:
            each.result()
    copies = _copies(memory)
    return Finding(f"{copies} kept", right=copies == 1)


def told(make: Make) -> Finding:
    """Whether the model is told of which day a document is."""
    reader = Reader()
    make(reader).add(tells((FIRST, "Eva Holm"), day="1999-02-03"))
    if not reader.prompts:
        return Finding("no model is asked")
    said = any("1999-02-03" in prompt for prompt in reader.prompts)
    return Finding("yes" if said else "no", right=said)


def approval(make: Make) -> Finding:
    """Who holds while an edit waits for a person."""
    memory = make(Reader())
    memory.add(tells((FIRST, "Eva Holm"), day="2015-03-01"))
    memory.propose(tells((FIRST, "Jon Lund"), day="2021-09-14"))
    held = "Eva Holm" in names(memory.current(QUESTION), place=FIRST)
    return Finding("waits" if held else "landed", right=held)


def preview(make: Make) -> Finding:
    """What is written by a look at what a document would change."""
    memory = _updated(make, change=False)
    before = memory.everything()
    cost = memory.preview(directors(FACTS, day="2021-09-14", changed=True))
    same = memory.everything() == before
    return Finding(f"{cost} calls, {'no write' if same else 'written'}", right=same)


CHECKS: tuple[Callable[[Make], Finding], ...] = (
    calls, replaced, replaced_current, past, late, recurs, year, since_year, removed, shown, erring, again, races, told, approval, preview
)  # fmt: skip


def findings(make: Make) -> dict[str, dict[str, Any]]:
    """Every check on memories of one kind, each on new ones."""
    return {check.__name__: asdict(_found(check, make)) for check in CHECKS}


def report(make: Make, *, package: str, remarks: Callable[[], dict[str, str]] = dict) -> None:
    """Run the checks without a way out of this machine and print what was found as JSON, on one line."""
    started = time.perf_counter()
    with offline() as tried:
        outcome = {"version": version(package), "findings": findings(make), "remarks": remarks(), "connections": tried}
    print(json.dumps({**outcome, "seconds": round(time.perf_counter() - started, 1)}))


def needs_argument(function: Callable[..., Any], *, called: str, words: tuple[str, ...]) -> None:
    """Look for an argument by the words that its name could hold; where there is none, the memory cannot."""
    arguments = [name for name in inspect.signature(function).parameters if any(word in name for word in words)]
    if not arguments:
        raise CannotError(f"{called} has no argument for it")
    raise NotImplementedError(f"{called} has {', '.join(arguments)}: this benchmark is due for another look.")


WAITING = ("approv", "review", "confirm", "ask", "policy", "interrupt", "propos", "human")
LOOKING = ("dry", "preview", "plan", "simulat")


@contextmanager
def offline() -> Iterator[list[str]]:
    """Refuse every connection that leaves the machine; gives the addresses that were tried."""
    tried: list[str] = []
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family == socket.AF_UNIX or str(address[0]) in ("127.0.0.1", "::1"):
            return connect(self, address)
        tried.append(str(address[0]))
        raise OSError("This benchmark makes no connection.")

    socket.socket.connect = refuse  # type: ignore[method-assign,assignment]
    try:
        yield tried
    finally:
        socket.socket.connect = connect  # type: ignore[method-assign]


def directors(facts: int, *, day: str, changed: bool = False) -> Document:
    """A document that names the directors of so many places."""
    said = [(name, person(place, changed=changed)) for place, name in enumerate(places(facts))]
    return tells(*said, day=day)


def _found(check: Callable[[Make], Finding], make: Make) -> Finding:
    try:
        return check(make)
    except CannotError as reason:
        return Finding(f"{NO_WAY}: {reason}", right=False)


def _updated(make: Make, *, change: bool = True) -> Memory:
    memory = make(Reader())
    memory.add(directors(FACTS, day="2015-03-01"))
    if change:
        memory.add(directors(FACTS, day="2021-09-14", changed=True))
    return memory


def _others() -> list[tuple[str, str]]:
    return [(place, person(number)) for number, place in enumerate((*PLACES[1:], *NEAR))]


def _one_changed(make: Make, reader: Reader, *, errs: bool) -> Memory:
    """Sixteen other places are known, each from a document of its own; then one director changes."""
    memory = make(reader)
    for place, name in _others():
        memory.add(tells((place, name), day="2015-03-01"))
    memory.add(tells((FIRST, "Eva Holm"), day="2015-03-01"))
    reader.shown.clear()
    reader.errs = errs
    memory.add(tells((FIRST, "Jon Lund"), day="2021-09-14"))
    return memory


def _holds(memory: Memory, name: str) -> Finding:
    found = names(memory.current(QUESTION), place=FIRST)
    return Finding(" and ".join(found) or "nobody", right=found == [name])


def _kept(memory: Memory) -> Finding:
    kept = memory.since(QUESTION)
    return Finding(kept, right=re.fullmatch(r"2019(?!-)\D*", kept) is not None)


def _copies(memory: Memory) -> int:
    return sum("Eva Holm" in text for text in memory.everything())
