"""Check-up of a folder or a fact store."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal, get_args

from pydantic import Field

from dateline.audit.clashes import Clash, ContradictionJudge, clashes
from dateline.audit.contested import ContestedSlots, contested_values
from dateline.audit.statements import NearPairs, Statements
from dateline.audit.versions import newer_versions
from dateline.errors import BadInput
from dateline.evidence.duplicates import first_of_equals
from dateline.evidence.freshness import age_in_days
from dateline.evidence.knowledge import end_of_knowledge, split_known
from dateline.facts.fact import Fact, FactHistory
from dateline.facts.fact_reader import slots_by_words
from dateline.facts.local_updater import THRESHOLD
from dateline.facts.slot_reader import SlotReader
from dateline.facts.store import FactStore
from dateline.protocols import EffectJudge
from dateline.reading.still import shared_still_judge
from dateline.reading.trained_judge import shared_judge
from dateline.records import Evidence, Record
from dateline.temporal.expressions import find_expressions
from dateline.text.embeddings import default_embeddings
from dateline.text.words import words
from dateline.visible import visible

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Trouble = Literal["unreadable", "stale", "contested", "duplicated", "undated"]
"""What is wrong with a document:

- `unreadable`: it could not be read, or a ledger is damaged;
- `stale`: a newer version is there, a later document ends a statement of it, or it is older than was allowed;
- `contested`: another says otherwise, and no date tells which counts, or a store holds both for true;
- `duplicated`: it repeats another;
- `undated`: it has no date.
"""

TROUBLES: tuple[Trouble, ...] = get_args(Trouble)

MOST_PAIRS = 2_000
"""Pairs of statements that a check-up judges, the nearest: about ten seconds of one core."""

WORST = 10
"""Documents that are listed."""

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


class Finding(Record):
    """One trouble of a document."""

    trouble: Trouble
    document: str = Field(description="Its file or source.")
    why: str
    sentence: str = ""
    other: str = Field(default="", description="The other document, where there is one.")
    other_sentence: str = ""
    chance: float = Field(default=1.0, description="How likely the judge holds it; 1 where rules decide.")


class Checkup(Record):
    """Result of a check-up.

    Example:
        >>> findings = (Finding(trouble="undated", document="a.md", why="It has no date."),)
        >>> Checkup(documents=2, passages=2, findings=findings).counts()["undated"]
        1
    """

    documents: int
    passages: int
    findings: tuple[Finding, ...] = ()
    pairs: int = Field(default=0, description="Pairs of statements that were judged.")
    pairs_left: int = Field(default=0, description="Near pairs beyond the limit, which were not.")

    def counts(self) -> dict[Trouble, int]:
        """Return the number of documents with each trouble."""
        found = {(each.trouble, each.document) for each in self.findings}
        counted = Counter(trouble for trouble, _ in found)
        return {trouble: counted[trouble] for trouble in TROUBLES}

    def worst(self, count: int = WORST) -> list[tuple[str, tuple[Finding, ...]]]:
        """Return the documents with the gravest and most troubles.

        One with more kinds of trouble comes first, then one with more findings.
        """
        of: dict[str, list[Finding]] = defaultdict(list)
        for each in self.findings:
            of[each.document].append(each)
        ordered = sorted(of.items(), key=lambda item: (-len({one.trouble for one in item[1]}), -len(item[1]), item[0]))
        return [(document, tuple(sorted(found, key=_gravity))) for document, found in ordered[:count]]

    def summary(self) -> str:
        """Return the counts in one line."""
        told = ", ".join(f"{count} {trouble}" for trouble, count in self.counts().items())
        left = f" {self.pairs_left:,} near pairs were left unjudged." if self.pairs_left else ""
        return f"{self.documents:,} documents, {self.passages:,} passages: {told}.{left}"

    def __str__(self) -> str:
        lines = [self.summary()]
        for document, found in self.worst():
            lines.append(visible(document))
            lines += [f"  {each.trouble:<10}  {visible(each.why)}" for each in found[:_SHOWN]]
            lines += [f"  … and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        return "\n".join(lines)


_SHOWN = 4
"""Findings of a document in the table."""


def _gravity(finding: Finding) -> tuple[int, float]:
    return TROUBLES.index(finding.trouble), -finding.chance


@dataclass(frozen=True)
class Doctor:
    """Checks up on documents as of a moment.

    Near-duplicates are found by the rare words that they share and statements by their nearest vectors, so that the work grows with
    the number of documents and the judge is asked a bounded number of times.

    Attributes:
        embeddings: by default dateline's own.
        judge: tells what a later statement does to an earlier one; by default the trained one.
        contradictions: tells which of those contradict each other that no date puts in order; by default the trained one.
        most_pairs: pairs of statements that are judged.
        most_age: the age from which a document is stale whatever others say; by default none is.
        slots: reads the attributes that documents give values to; by default the shipped ones, by their own words.

    Raises:
        BadInput: when `most_pairs` is below 1.

    Example:
        >>> from datetime import UTC
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Evidence.make("Lund is old.", source="a.md"), Evidence.make("Lund is old.", source="b.md")]
        >>> checked = Doctor(embeddings=LexicalEmbeddings()).check(notes, as_of=datetime(2024, 6, 1, tzinfo=UTC))
        >>> checked.summary()
        '2 documents, 2 passages: 0 unreadable, 0 stale, 0 contested, 1 duplicated, 2 undated.'
    """

    embeddings: Embeddings | None = None
    judge: EffectJudge | None = None
    contradictions: ContradictionJudge | None = None
    most_pairs: int = MOST_PAIRS
    most_age: timedelta | None = None
    slots: SlotReader | None = None

    def __post_init__(self) -> None:
        if self.most_pairs < 1:
            raise BadInput(f"most_pairs must be a whole number of 1 or more, not {self.most_pairs!r}.")

    def check(
        self,
        passages: Sequence[Evidence],
        *,
        as_of: datetime,
        skipped: Iterable[str] = (),
        progress: Progress | None = None,
    ) -> Checkup:
        """Check passages of documents, those that were known at `as_of`.

        Args:
            skipped: a line for each document that could not be read.
        """
        slots = self.slots or slots_by_words()
        return self._checked(passages, as_of=as_of, skipped=skipped, progress=progress, slots=slots)

    def check_store(self, store: FactStore, *, as_of: datetime, progress: Progress | None = None) -> Checkup:
        """Check the facts that a store holds for true.

        They are read by the store's own attributes, and contested where the store says so.
        """
        problem, held = store.ledger.chain(noted="").problem, store.at(as_of)
        return self._checked(
            [_as_evidence(history, as_of) for history in held],
            as_of=as_of,
            skipped=[f"ledger: {problem}"] if problem else (),
            progress=progress,
            slots=store.reader,
            contested=contested_values(store, (history.fact for history in held), as_of=as_of),
        )

    def _checked(
        self,
        told: Sequence[Evidence],
        *,
        as_of: datetime,
        skipped: Iterable[str],
        progress: Progress | None,
        slots: SlotReader,
        contested: Iterable[Sequence[Fact]] = (),
    ) -> Checkup:
        passages, _ = split_known(told, as_of=as_of)
        tell = progress or (lambda stage: None)
        tell("reading statements")
        read = Statements.of(passages, embeddings=self.embeddings or default_embeddings(), slots=slots)
        said = read.where(_says_something)
        tell("comparing statements")
        settled = ContestedSlots.of(contested, passages=passages)
        near = settled.left_by(NearPairs.of(said, threshold=THRESHOLD, most=self.most_pairs), said=said)
        tell(f"judging {len(near.places):,} pairs")
        found = (one for one in self._clashes(near, said, slots) if one.has_begun(until=end_of_knowledge(as_of)))
        findings = [
            *(Finding(trouble="unreadable", document=line.partition(": ")[0], why=line) for line in skipped),
            *self._stale(passages, as_of),
            *(_of_clash(clash, passages) for clash in (*settled.clashes(slots), *_both_sides(found))),
            *_repeated(passages),
            *(_finding("undated", each, "It has no date.") for each in passages if each.published is None),
        ]
        return Checkup(
            documents=len({_name(each) for each in passages}),
            passages=len(passages),
            findings=tuple(dict.fromkeys(findings)),
            pairs=len(near.places),
            pairs_left=near.beyond,
        )

    def _clashes(self, near: NearPairs, said: Statements, slots: SlotReader) -> list[Clash]:
        return clashes(
            near,
            said=said,
            judge=self.judge or shared_still_judge(),
            contradictions=self.contradictions or shared_judge(),
            slots=slots,
        )

    def _stale(self, passages: Sequence[Evidence], as_of: datetime) -> list[Finding]:
        found = [
            _finding("stale", passages[place], f"A newer version is of {passages[newer].published}.", passages[newer])
            for place, newer in enumerate(newer_versions(passages))
            if newer is not None
        ]
        if self.most_age is None:
            return found
        ages = ((each, age_in_days(each.published, as_of)) for each in passages if each.published is not None)
        return found + [
            _finding("stale", each, f"{age} days old.") for each, age in ages if timedelta(days=age) > self.most_age
        ]


def _says_something(fact: Fact) -> bool:
    """Check for more than a date or the opening of a list."""
    times = {number for each in find_expressions(fact.text) for number in range(each.start, each.end)}
    rest = "".join(" " if place in times else char for place, char in enumerate(fact.text))
    return not fact.text.endswith(":") and sum(word.isalpha() for word in words(rest)) > 1


def _as_evidence(history: FactHistory, as_of: datetime) -> Evidence:
    """Return a true fact as evidence, dated when last told."""
    told = [entry for entry in history.visible(as_of=as_of) if entry.true][-1]
    source = told.origin or told.document
    return Evidence(id=history.fact.id, text=history.fact.text, source=source, published=told.when, kind="fact")


def _both_sides(found: Iterable[Clash]) -> Iterator[Clash]:
    """Yield each clash, and from both sides where neither is the later."""
    for clash in found:
        yield clash
        if clash.since is None:
            yield clash.turned()


def _of_clash(clash: Clash, passages: Sequence[Evidence]) -> Finding:
    mine, theirs = passages[clash.passage], passages[clash.other]
    told = f"“{clash.other_sentence}” ({_name(theirs)})"
    why = (
        f"“{clash.sentence}”: ended on {clash.since} by {told}."
        if clash.since
        else f"“{clash.sentence}”: not by {told}."
    )
    return _finding(
        "contested" if clash.since is None else "stale",
        mine,
        why,
        theirs,
        sentence=clash.sentence,
        other_sentence=clash.other_sentence,
        chance=round(clash.chance, 4),
    )


def _repeated(passages: Sequence[Evidence]) -> list[Finding]:
    return [
        _finding("duplicated", passages[place], f"It repeats {_name(passages[first])}.", passages[first])
        for place, first in enumerate(first_of_equals(passages))
        if first != place
    ]


def _finding(
    trouble: Trouble, piece: Evidence, why: str, other: Evidence | None = None, **more: str | float
) -> Finding:
    away = "" if other is None else _name(other)
    return Finding.model_validate({"trouble": trouble, "document": _name(piece), "why": why, "other": away, **more})


def _name(piece: Evidence) -> str:
    return piece.origin or piece.title or piece.id
