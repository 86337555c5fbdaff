"""Audit of an app's own passages for a question, without a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dateline.audit.answers import differing
from dateline.audit.asked import Asked
from dateline.audit.clashes import Clash, ContradictionJudge, clashes
from dateline.audit.noting import Reasons, note_clash, note_dates, note_times, note_versions
from dateline.audit.result import STATUSES, Audit, AuditedPassage, AuditReason
from dateline.audit.statements import NearPairs, Statements
from dateline.documents import DateField, evidence_of_all
from dateline.errors import BadInput
from dateline.evidence.knowledge import was_known
from dateline.facts.local_updater import THRESHOLD
from dateline.made_once import made_once
from dateline.protocols import EffectJudge, Reader
from dateline.reading import local_reader
from dateline.reading.still import shared_still_judge
from dateline.reading.trained_judge import shared_judge
from dateline.records import Evidence
from dateline.stopping import in_thread
from dateline.temporal.as_of import AsOf, Clock, now
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import asked_question
from dateline.text.embeddings import default_embeddings
from dateline.text.memory_cache import RememberedEmbeddings

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

MOST_PAIRS = 300
"""Pairs of statements judged for a question, the nearest: about a second and a half of one core."""

MOST_READ = 30
"""Passages read for a question, those nearest to it: about as long."""

_ALL_PAIRS = 100_000


class Auditor:
    """Tells which passages are out of date for a question, and why.

    A passage is outdated where a later one ends a statement of it that is about the question, by the rules by which documents end
    facts; where a later one surely answers otherwise; and where a newer version of the same document is there.

    Args:
        embeddings: tell which statements are near each other; by default dateline's own, with a memory.
        judge: tells what a later statement does to an earlier one; by default the trained one.
        contradictions: tells which of those contradict each other that no date puts in order; by default the trained one.
        reader: reads each passage's own answer; by default the local one.
        most_pairs: pairs of statements judged for a question.
        most_read: passages read for a question.

    Raises:
        BadInput: when `most_pairs` or `most_read` is below 1.

    Example:
        >>> from dateline.temporal import Interval, decompose, now
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Evidence.make(f"The mayor is {who}.", published=Interval.of_year(year))
        ...          for who, year in (("Ada Berg", 2020), ("Jon Holm", 2023))]
        >>> found = Auditor(embeddings=LexicalEmbeddings()).audit(decompose("Who is the mayor?", as_of=now()), evidence=notes)
        >>> [each.status for each in found.passages], found.passages[0].reasons[0].other_sentence
        (['outdated', 'ok'], 'The mayor is Jon Holm.')
    """

    def __init__(
        self,
        *,
        embeddings: Embeddings | None = None,
        judge: EffectJudge | None = None,
        contradictions: ContradictionJudge | None = None,
        reader: Reader | None = None,
        most_pairs: int = MOST_PAIRS,
        most_read: int = MOST_READ,
    ) -> None:
        for name, value in (("most_pairs", most_pairs), ("most_read", most_read)):
            if value < 1:
                raise BadInput(f"{name} must be a whole number of 1 or more, not {value!r}.")
        self.embeddings = embeddings or RememberedEmbeddings(default_embeddings())
        self.judge = judge or shared_still_judge()
        self.contradictions = contradictions or shared_judge()
        self.reader = reader or local_reader()
        self.most_pairs, self.most_read = most_pairs, most_read

    def audit(self, question: Question, *, evidence: Sequence[Evidence]) -> Audit:
        """Audit `evidence` for a question that is taken apart already."""
        known = [place for place, piece in enumerate(evidence) if was_known(piece, as_of=question.as_of)]
        pieces = [evidence[place] for place in known]
        said = Statements.of(pieces, embeddings=self.embeddings)
        asked = Asked.of(question, said, embeddings=self.embeddings)
        near = asked.settleable(NearPairs.of(said, threshold=THRESHOLD, most=_ALL_PAIRS)).nearest(self.most_pairs)
        read = asked.passages(self.most_read)
        found = clashes(near, said=said, judge=self.judge, contradictions=self.contradictions)
        found += self._answered(question, pieces, read)
        reasons: Reasons = defaultdict(list)
        note_times(reasons, question, asked, known)
        until = question.effective_constraint().interval.end
        # A statement that tells when it was over needs no other to end it.
        of_now = [each for each in found if each.has_begun(until=until) and not _is_settled(each, reasons, known)]
        for clash in of_now:
            note_clash(reasons, clash, known)
        note_versions(reasons, pieces, known)
        note_dates(reasons, question, evidence)
        return Audit(
            question=question.text,
            as_of=question.as_of,
            passages=tuple(_audited(place, piece, reasons[place]) for place, piece in enumerate(evidence)),
            pairs=len(near.places),
            pairs_left=near.beyond,
            unread=len(known) - len(read),
        )

    async def aaudit(self, question: Question, *, evidence: Sequence[Evidence]) -> Audit:
        """Audit on a thread of its own."""
        return await in_thread(self.audit, question, evidence=evidence)

    def _answered(self, question: Question, pieces: Sequence[Evidence], read: Sequence[int]) -> list[Clash]:
        found = differing(question, evidence=[pieces[place] for place in read], reader=self.reader)
        return [replace(clash, passage=read[clash.passage], other=read[clash.other]) for clash in found]


def _is_settled(clash: Clash, reasons: Reasons, known: Sequence[int]) -> bool:
    """Check that times alone speak against what a clash is held against."""
    sides = (clash.passage,) if clash.since is not None else (clash.passage, clash.other)
    return any(reasons[known[side]] for side in sides)


def _audited(place: int, piece: Evidence, reasons: Iterable[AuditReason]) -> AuditedPassage:
    ordered = sorted(reasons, key=lambda each: (STATUSES.index(each.problem), -each.chance))
    return AuditedPassage(place=place, evidence=piece, reasons=tuple(ordered))


@made_once(size=1)
def shared_auditor() -> Auditor:
    """Return one auditor for all who name no other, made once."""
    return Auditor()


def audit(
    question: str | Question,
    passages: Iterable[Any],
    *,
    as_of: AsOf = None,
    auditor: Auditor | None = None,
    date_field: DateField = (),
    clock: Clock = now,
) -> Audit:
    """Tell which passages are out of date for a question.

    Args:
        passages: LangChain documents, LlamaIndex nodes, mappings with a text, texts, or evidence.
        as_of: the asking moment, by default now, or that of a `Question`.
        auditor: by default one made once for all.
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        clock: tells what "now" means.

    Raises:
        BadInput: for a question without words, an item that holds no document, or an unreadable `as_of`.

    Example:
        >>> found = audit("Who is the mayor?", ["Ada Berg is the mayor."], as_of="2024")
        >>> print(found.passages[0].status)
        undated
    """
    asked = asked_question(question, as_of=as_of, clock=clock)
    evidence = evidence_of_all(passages, date_field=date_field)
    return (auditor or shared_auditor()).audit(asked, evidence=evidence)


async def aaudit(question: str | Question, passages: Iterable[Any], **options: Any) -> Audit:
    """Audit on a thread of its own, with the options of `audit`."""
    return await in_thread(audit, question, passages, **options)
