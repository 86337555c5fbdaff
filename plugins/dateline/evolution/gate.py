"""Gate of ingestion that gives only changed sentences to the fact updater."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pydantic import Field

from dateline.documents.document_date import version_key
from dateline.evolution.labeller import SentenceLabeller
from dateline.facts.changes import Changes
from dateline.facts.updater import Updater
from dateline.flow import Flow, call, twins
from dateline.language.pronouns import DEMONSTRATIVES, THIRD_PERSON
from dateline.protocols import Labeller
from dateline.records import Cost, Evidence, Record, SentenceLabel
from dateline.temporal.as_of import AsOf, read_moment
from dateline.text.sentences import split_sentences
from dateline.text.words import words

GIVEN: tuple[SentenceLabel, ...] = ("changed", "new", "undecided")
"""What the updater reads: all but what was said before."""

_LEANING = THIRD_PERSON | DEMONSTRATIVES | {"there", "such", "then"}
"""First words of a sentence that the one before explains."""


class Gated(Record):
    """Sentences that a gate let through, their changes, and the saving."""

    changes: tuple[Changes, ...] = ()
    documents: int = Field(default=0, description="Documents (or passages of them) offered.")
    documents_given: int = Field(default=0, description="Those of which the updater read anything.")
    sentences: int = 0
    sentences_given: int = Field(default=0, description="Sentences that the updater read, context among them.")
    labels: dict[SentenceLabel, int] = Field(default_factory=dict)
    deleted: int = Field(default=0, description="Sentences of old versions that are gone; no fact falls by that alone.")

    @property
    def cost(self) -> Cost:
        """Return the updater's cost; labels by the local judge are free."""
        return sum((one.cost for one in self.changes), Cost())

    def summary(self) -> str:
        """Summarise in one sentence."""
        return (
            f"{self.sentences_given} of {self.sentences} sentences in {self.documents_given} of {self.documents} "
            f"documents were given to the updater: {', '.join(f'{n} {label}' for label, n in self.labels.items())}; "
            f"{self.deleted} deleted."
        )


class IngestionGate:
    """Gate before a fact updater that passes only a new version's changes.

    What was said before needs no second look; its facts stand as they were, without a new word for them. A document
    keeps its id, title, source and date, so that it can be undone like any other. A sentence that opens with a
    pronoun brings the one before it. Documents without an old version pass whole.

    Args:
        updater: reads what is let through.
        labeller: by default `SentenceLabeller()`.
        given: the labels that pass.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.evolution import SentenceLabeller
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> gate = IngestionGate(LocalUpdater(store), labeller=SentenceLabeller(embeddings=LexicalEmbeddings()))
        >>> old, new = (Evidence.make(f"Lund is old. The mayor is {who}.", url="lund.se") for who in ("Ada Berg", "Jon Holm"))
        >>> gate.select([new], since=[old]).documents[0].text
        'The mayor is Jon Holm.'
    """

    def __init__(
        self, updater: Updater, *, labeller: Labeller | None = None, given: Sequence[SentenceLabel] = GIVEN
    ) -> None:
        self.updater = updater
        self.labeller = labeller or SentenceLabeller()
        self.given = frozenset(given)

    def _update(
        self, evidence: Sequence[Evidence], *, since: Sequence[Evidence], known_at: AsOf, dry_run: bool = False
    ) -> Flow[Gated]:
        """Take in documents whose old versions are `since`.

        Passages of one document share their url, or source and title.

        Args:
            since: the version that the store has learnt from.
            known_at: knowledge time, in any form of a moment.
            dry_run: write nothing, say what would change.

        Raises:
            ModelFailed: when the updater's model fails; documents before are stored.
        """
        learnt = read_moment(known_at, future_ok=True)
        gated: Selection = yield from call(self.select, evidence, since=since)
        changes: Sequence[Changes] = ()
        if gated.documents:
            changes = yield from call(self.updater.update, gated.documents, known_at=learnt, dry_run=dry_run)
        return gated.report.model_copy(update={"changes": tuple(changes)})

    update, aupdate = twins(_update)

    def select(self, evidence: Sequence[Evidence], *, since: Sequence[Evidence]) -> Selection:
        """Preview the updater's documents and their share of everything; write nothing."""
        return select(evidence, since=since, labeller=self.labeller, given=self.given)


class Selection(NamedTuple):
    """Documents cut down to what passes a gate, and a report."""

    documents: list[Evidence]
    report: Gated


def select(
    evidence: Sequence[Evidence],
    *,
    since: Sequence[Evidence],
    labeller: Labeller,
    given: Collection[SentenceLabel] = GIVEN,
) -> Selection:
    """Cut documents down to what their old versions did not say."""
    before = _by_document(since)
    chosen: dict[str, Evidence] = {}
    labels: Counter[SentenceLabel] = Counter()
    sentences = read = deleted = 0
    for key, passages in _by_document(evidence).items():
        old = [text for document in before.get(key, ()) for text in _sentences(document)]
        new = [(document.id, text) for document in passages for text in _sentences(document)]
        labelling = labeller.label(old, new=[text for _, text in new])
        labels.update(one.label for one in labelling.sentences)
        kept = _kept(new, [one.label in given for one in labelling.sentences])
        sentences, read, deleted = sentences + len(new), read + len(kept), deleted + len(labelling.deleted)
        for document in passages:
            if texts := [new[place][1] for place in kept if new[place][0] == document.id]:
                chosen[document.id] = document.model_copy(update={"text": " ".join(texts)})
    report = Gated(
        documents=len(evidence),
        documents_given=len(chosen),
        sentences=sentences,
        sentences_given=read,
        labels=dict(labels),
        deleted=deleted,
    )
    ids = dict.fromkeys(document.id for document in evidence)
    return Selection([chosen[id] for id in ids if id in chosen], report)


def _by_document(passages: Sequence[Evidence]) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = defaultdict(list)
    for passage in passages:
        found[version_key(passage)].append(passage)
    return found


def _kept(sentences: Sequence[tuple[str, str]], passing: Sequence[bool]) -> list[int]:
    """Return places of (passage, sentence) that pass or explain those that do."""
    kept: set[int] = set()
    for place, (passage, text) in enumerate(sentences):
        if passing[place]:
            kept.add(place)
            if place and sentences[place - 1][0] == passage and _LEANING.intersection(words(text)[:1]):
                kept.add(place - 1)
    return sorted(kept)


def _sentences(document: Evidence) -> Iterator[str]:
    return (sentence.text for sentence in split_sentences(document.text))
