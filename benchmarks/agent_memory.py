"""dateline's fact store in memvara's Agent Memory Benchmark: 262 events, 100 questions, scored by its own runner.

    python benchmarks/agent_memory.py FOLDER                  # told facts, read sentences, and the baselines that come with it
    python benchmarks/agent_memory.py FOLDER --show-failures  # or any other option of its command line

FOLDER is the unpacked source archive: pip download --no-deps --no-binary memvara memvara==0.21.0. Two systems are asked: "told" hands
each event's fields to `FactStore.remember`; "read" gives `LocalUpdater` the text that the benchmark indexes, so that all is read
from sentences. In both a value that is told later of the very day on which another began corrects it, by the rule that comes with
the benchmark. Questions that name no slot go to `FactAsker`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dateline import Evidence
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger, SlotPack
from dateline.facts.asking import FactAsker
from dateline.facts.fact import folded, slot_key
from dateline.facts.slots import AttributeRule, Pace
from dateline.temporal.interval import Interval
from dateline_graphs.components import shared_embeddings

if TYPE_CHECKING:
    from benchmarks.agent_memory.adapters.base import Ask, MemoryAnswer, Usage
    from benchmarks.agent_memory.dataset import MemoryEvent, PredicateDecl

PACES: dict[str, Pace] = {"static": "years", "slow": "years", "fast": "months"}


class ToldMemory:
    """Facts that are told field by field."""

    name = "dateline, told"
    version = installed("dateline")

    def reset(self, predicates: Mapping[str, PredicateDecl]) -> None:
        self.single = {name.replace("_", " ") for name, each in predicates.items() if each.single_valued}
        self.store = FactStore(
            MemoryLedger(), index=ExactIndex(), embeddings=shared_embeddings(), slots=self.pack(predicates)
        )
        self.asker = FactAsker(self.store)

    def pack(self, predicates: Mapping[str, PredicateDecl]) -> SlotPack:
        """The benchmark's declarations."""
        return SlotPack({name.replace("_", " "): _rule(name, each) for name, each in predicates.items()})

    def remember(self, event: MemoryEvent) -> None:
        self.correct(event.subject, event.predicate, event.object, event.valid_from, known_at=event.recorded_at)
        self.store.remember(
            event.subject,
            attribute=event.predicate,
            value=event.object,
            since=event.valid_from,
            until=event.valid_to,
            source=event.source,
            known_at=event.recorded_at,
        )

    def correct(self, subject: str, attribute: str, value: str, since: datetime, *, known_at: datetime) -> None:
        """Undo what said another value of the same day."""
        if self.store.slots.name(attribute) not in self.single:
            return
        for period in self.store.history_of(subject, attribute=attribute, as_of=since).periods:
            began = period.began
            if began is not None and folded(period.value) != folded(value) and _day(period.since) == _date(since):
                self.store.undo(began.document, known_at=known_at)

    def query(self, ask: Ask) -> MemoryAnswer:
        from benchmarks.agent_memory.adapters.base import MemoryAnswer, wants_a_date

        times = {"as_of": ask.at, "known_at": ask.known_at}
        if ask.probe is None:
            asked = self.asker.ask(ask.question, **times)
            return _answer(() if asked is None else asked.values)
        subject, attribute = ask.probe
        if ask.category == "change_detection":
            periods = self.store.history_of(subject, attribute=attribute, **times).periods
            return MemoryAnswer(values=tuple(dict.fromkeys(each.value for each in periods)))
        if ask.category == "provenance" or wants_a_date(ask):
            return _answer(self.told_of(subject, attribute, ask))
        return _answer(self.store.value(subject, attribute=attribute, **times).values)

    def told_of(self, subject: str, attribute: str, ask: Ask) -> tuple[str, ...]:
        """Who first told a value, or when, or of which day; of a withdrawn one, too."""
        name = self.store.slots.name(attribute)
        tags = self.store.slots.tags(subject, name)
        facts = {history.fact.id: history.fact for tag in tags for history in self.store.tagged(tag)}
        own = [
            fact.id
            for fact in facts.values()
            for slot, ended in self.store.reader.of(fact)
            if slot.key == slot_key(subject, name) and folded(slot.value) == folded(ask.about or "") and not ended
        ]
        entries = [entry for each in own for entry in self.store.history(each, as_of=ask.at).entries if entry.true]
        standing = [entry for entry in entries if entry.undone_at is None] or entries
        first = min(standing, key=lambda entry: entry.known_at, default=None)
        if first is None:
            return ()
        if ask.category == "provenance":
            return (first.origin,)
        return (_day(first.when) if ask.category == "change_time" else _date(first.known_at),)

    def usage(self) -> Usage:
        from benchmarks.agent_memory.adapters.base import Usage

        return Usage(llm_calls=0, tokens=0)

    def close(self) -> None:
        self.store.close()


class ReadMemory(ToldMemory):
    """Facts that are read from the text of each event."""

    name = "dateline, read"

    def reset(self, predicates: Mapping[str, PredicateDecl]) -> None:
        super().reset(predicates)
        self.updater = LocalUpdater(self.store)

    def pack(self, predicates: Mapping[str, PredicateDecl]) -> SlotPack:
        """The shipped attributes and the benchmark's, by whose names its texts state them."""
        shipped, told = SlotPack.shipped(), super().pack(predicates).rules
        own = {name: rule.model_copy(update={"verbs": (name,)}) for name, rule in told.items()}
        return SlotPack({**shipped.rules, **own}, shipped.inferences)

    def remember(self, event: MemoryEvent) -> None:
        from benchmarks.agent_memory.adapters.base import indexable

        day = Interval.parse(_date(event.valid_from))
        document = Evidence.make(indexable(event), published=day, source=event.source)
        (changes,) = self.updater.update([document], known_at=event.recorded_at)
        for change in changes.changes:
            for slot, ended in self.store.reader.of(change.fact):
                if not ended and change.kind in ("added", "reinforced"):
                    self.correct(slot.subject, slot.attribute, slot.value, event.valid_from, known_at=event.recorded_at)


def told(**_: Any) -> ToldMemory:
    return ToldMemory()


def read(**_: Any) -> ReadMemory:
    return ReadMemory()


def _rule(name: str, declared: PredicateDecl) -> AttributeRule:
    words = name.replace("_", " ")
    return AttributeRule(
        values="one" if declared.single_valued else "many",
        changes=PACES[declared.volatility],
        aliases=(name,),
        text=f"{{subject}} {words} {{value}}.",
    )


def _answer(values: tuple[str, ...]) -> MemoryAnswer:
    from benchmarks.agent_memory.adapters.base import MemoryAnswer

    return MemoryAnswer(values=values) if len(values) > 1 else MemoryAnswer(value=next(iter(values), None))


def _date(moment: datetime) -> str:
    return moment.date().isoformat()


def _day(when: Interval | None) -> str:
    return "" if when is None else when.isoformat()[:10]


def main() -> None:
    folder, options = Path(sys.argv[1]), sys.argv[2:]
    # Its package has the name of this folder.
    sys.path.insert(0, str(folder))
    from benchmarks.agent_memory.cli import main as run

    systems = [f"{Path(__file__).stem}:{each.__name__}" for each in (told, read)]
    asked = [word for each in (*systems, "vector-rag", "naive") for word in ("--system", each)]
    sys.exit(run([*asked, "--compare", *options]))


if __name__ == "__main__":
    main()
