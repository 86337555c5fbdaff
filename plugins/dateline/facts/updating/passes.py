"""Passes over one piece: state facts, judge related ones, rewrite false ones.

Together they are at most three calls a piece, however many facts are related. `fact_by_fact` are ERASE's own two
passes (appendix A.1): one call for each related fact and one more for each false one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeVar

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from dateline.chat import Extras, Parser, ReplyLoop, whole_lines
from dateline.counted import counted
from dateline.facts.fact import Fact
from dateline.facts.fact_reader import quoted, stated_fact
from dateline.facts.late_documents import first_true_after, last_true_before
from dateline.facts.onset import announced_days
from dateline.facts.store import FactStore
from dateline.facts.updating import prompts, replies
from dateline.facts.updating.document_parts import DocumentPart
from dateline.facts.updating.grounds import speaks_of, stands_in, told_by
from dateline.facts.updating.mentions import name_words
from dateline.facts.updating.related import KnownFact, RelatedFacts, find_related
from dateline.facts.updating.replies import FactVerdict
from dateline.facts.updating.second_word import EndClaim, SecondWord
from dateline.flow import Flow, call
from dateline.protocols import EffectJudge
from dateline.records import Cost, Evidence
from dateline.temporal.interval import Interval
from dateline.text.tokens import TokenCounter

T = TypeVar("T")

UpdateMode = Literal["together", "fact_by_fact"]
"""`together`: all related facts of a piece in one list; `fact_by_fact`: a call for each, as published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateSettings:
    """Settings for pieces; see `ChatUpdater`."""

    mode: UpdateMode
    threshold: float
    related_tokens: int
    count: TokenCounter
    loop: ReplyLoop
    second: SecondWord


class JudgedFact(NamedTuple):
    """A verdict that stands on the document's own words."""

    offered: KnownFact
    verdict: FactVerdict
    into: Fact | None = None


@dataclass(slots=True)
class PartFindings:
    """Findings of the passes over one piece.

    Attributes:
        begins: by the id of a fact, the day to come from which it is said to hold, or no longer to hold.
    """

    piece: DocumentPart
    new: list[Fact] = field(default_factory=list)
    judged: list[JudgedFact] = field(default_factory=list)
    same: frozenset[tuple[str, str]] = frozenset()
    begins: Mapping[str, Interval] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    recalled: int = 0


def passes(piece: DocumentPart, *, store: FactStore, settings: UpdateSettings) -> Flow[PartFindings]:
    """Work on one piece; returns what it found."""
    found = PartFindings(piece)
    found.new = yield from _state(piece, found, store, settings)
    related = yield from call(
        find_related,
        store,
        (piece.text, *piece.sentences),
        new=found.new,
        threshold=settings.threshold,
        tokens=settings.related_tokens,
        count=settings.count,
        when=piece.document.published,
    )
    found.same = related.same
    _note_left_out(related, found, settings)
    known = dict(enumerate(related.offered, 1))
    if known:
        verdicts = yield from _judge(known, found, settings)
        false = {verdict.fact: verdict for verdict in verdicts if verdict.word == "make false"}
        found.judged += [JudgedFact(known[one.fact], one) for one in verdicts if one.word != "make false"]
        if false:
            found.judged += yield from _rewrite(false, known, found, store, settings)
    found.begins = yield from call(_begins, found, settings.second.judge)
    return found


def _ask(
    messages: Sequence[BaseMessage],
    *,
    shape: type[BaseModel],
    read: Callable[[str], T | None],
    found: PartFindings,
    settings: UpdateSettings,
) -> Flow[T | None]:
    """Ask for a readable reply, or `None`; raise `ModelFailed` on model failure."""
    parser: Parser[T] = lambda reply: read(whole_lines(reply))  # noqa: E731
    reply = (yield from settings.loop.asking(messages, read=parser, extras=Extras(schema=shape))).raise_for_failure()
    found.cost += reply.cost
    found.recalled += reply.recalled
    return reply.value


# -- the facts of a piece -------------------------------------------------------------------------


def _state(piece: DocumentPart, found: PartFindings, store: FactStore, settings: UpdateSettings) -> Flow[list[Fact]]:
    read = yield from _ask(
        prompts.extract(piece), shape=replies.StatedFacts, read=replies.read_facts, found=found, settings=settings
    )
    if read is None:
        found.skipped.append(_unread("which facts the document states", settings))
        return []
    facts: dict[str, Fact] = {}
    for statement in read:
        if not stands_in(statement, piece=piece):
            found.skipped.append(f"The document does not say so: {quoted(statement)}")
            continue
        fact = _fact(statement, piece.document, store)
        facts[fact.id] = fact
    return list(facts.values())


def _fact(statement: str, document: Evidence, store: FactStore) -> Fact:
    return stated_fact(statement, published=document.published, slots=store.reader, about=document.title)


# -- verdicts on the facts around it --------------------------------------------------------------


def _judge(known: Mapping[int, KnownFact], found: PartFindings, settings: UpdateSettings) -> Flow[list[FactVerdict]]:
    lists = [known] if settings.mode == "together" else [{number: one} for number, one in known.items()]
    verdicts: list[FactVerdict] = []
    for some in lists:
        read = yield from _ask(
            prompts.judge(found.piece, new=found.new, known=some),
            shape=replies.FactVerdicts,
            read=replies.read_verdicts,
            found=found,
            settings=settings,
        )
        if read is None:
            found.skipped.append(_unread(f"how the document bears on {_count(some)}", settings))
        verdicts += _offered_only(read or (), some, found)
    grounded = [verdict for verdict in verdicts if _grounded(verdict, known, found)]
    return (yield from call(_confirmed, grounded, known, found, settings.second))


def _offered_only(
    verdicts: Iterable[FactVerdict], offered: Mapping[int, KnownFact], found: PartFindings
) -> list[FactVerdict]:
    """Keep verdicts on listed facts; of two on one fact, neither counts."""
    by_fact: dict[int, list[FactVerdict]] = {}
    for verdict in verdicts:
        by_fact.setdefault(verdict.fact, []).append(verdict)
    strangers = [number for number in by_fact if number not in offered]
    if strangers:
        found.skipped.append(f"The model judged {_count(strangers)} that it was not asked about.")
    kept: list[FactVerdict] = []
    for number, given in by_fact.items():
        if number not in offered:
            continue
        if len({verdict.word for verdict in given}) > 1:
            found.skipped.append(f"The model contradicts itself about {quoted(offered[number].fact.text)}")
            continue
        kept.append(given[0])
    return kept


def _grounded(verdict: FactVerdict, offered: Mapping[int, KnownFact], found: PartFindings) -> bool:
    """Check a verdict against the document's words and date; note failures."""
    fact, when = offered[verdict.fact].fact, found.piece.document.published
    if verdict.word == "make false":
        if when is None:
            found.skipped.append(f"An undated document makes nothing false: {quoted(fact.text)}")
            return False
        if not speaks_of(fact.text, lines=verdict.sentences, piece=found.piece):
            found.skipped.append(f"No line that the model names speaks against it: {quoted(fact.text)}")
            return False
    return verdict.word != "ends" or first_true_after(offered[verdict.fact].history, when) is not None


def _confirmed(
    verdicts: Sequence[FactVerdict], offered: Mapping[int, KnownFact], found: PartFindings, second: SecondWord
) -> list[FactVerdict]:
    """Keep verdicts that a second word confirms; note the others."""
    claims = [_claims(verdict, offered[verdict.fact], found) for verdict in verdicts]
    agreed = iter(second.agree([claim for some in claims for claim in some.values()]))
    kept = []
    for verdict, some in zip(verdicts, claims, strict=True):
        refused = {number: claim for number, claim in some.items() if not next(agreed)}
        found.skipped += [
            f"Rules and judge find nothing that ends it: {quoted(one.fact.text)}" for one in refused.values()
        ]
        if verdict.word == "ends":
            kept.append(verdict._replace(new=tuple(number for number in verdict.new if number not in refused)))
        elif not refused:
            kept.append(verdict)
    return kept


def _claims(verdict: FactVerdict, known: KnownFact, found: PartFindings) -> dict[int, EndClaim]:
    """List what a verdict ends, by number; the known fact is 0."""
    when, title = found.piece.document.published, found.piece.title
    if verdict.word == "make false":
        told = tuple(told_by(verdict.sentences, piece=found.piece))
        stated = tuple(fact.text for fact in found.new)
        said = last_true_before(known.history, when)
        before = None if said is None else said.when
        return {0: EndClaim(known.fact, told, stated, title=title, when=when, before=before)}
    later = first_true_after(known.history, when)
    if verdict.word != "ends" or later is None:
        return {}
    ended = {number: found.new[number - 1] for number in verdict.new if 1 <= number <= len(found.new)}
    return {
        number: EndClaim(fact, (known.fact.text,), title=known.fact.about, when=later.when, before=when)
        for number, fact in ended.items()
    }


# -- what is announced ----------------------------------------------------------------------------


def _begins(found: PartFindings, judge: EffectJudge) -> dict[str, Interval]:
    """Find the days to come for which something is announced."""
    told = {fact.id: fact.text for fact in found.new}
    for one in found.judged:
        known, lines = one.offered.fact, one.verdict.sentences
        denied = one.verdict.word == "make false"
        told[known.id] = " ".join(told_by(lines, piece=found.piece)) if denied else known.text
    days = announced_days(list(told.values()), anchor=found.piece.document.published, judge=judge)
    return {fact: day for fact, day in zip(told, days, strict=True) if day is not None}


# -- what takes the place of false facts ----------------------------------------------------------


def _rewrite(
    false: Mapping[int, FactVerdict],
    known: Mapping[int, KnownFact],
    found: PartFindings,
    store: FactStore,
    settings: UpdateSettings,
) -> Flow[list[JudgedFact]]:
    denied = {number: known[number] for number in false}
    when = found.piece.document.published
    true = {number: one for number, one in known.items() if number not in false and one.history.true_at(when)}
    further: dict[int, KnownFact] = {}
    if settings.mode == "together":
        # The second hop: the document says nothing of these, but they are close to what it made false.
        second = yield from call(
            find_related,
            store,
            [one.fact.text for one in denied.values()],
            threshold=settings.threshold,
            tokens=settings.related_tokens // 2,
            count=settings.count,
            when=when,
            without={one.fact.id for one in known.values()},
        )
        further = dict(enumerate(second.offered, len(known) + 1))
    lists = [denied] if settings.mode == "together" else [{number: one} for number, one in denied.items()]
    read: list[FactVerdict] = []
    for some in lists:
        reply = yield from _ask(
            prompts.rewrite(found.piece, new=found.new, true=true, false=some, further=further),
            shape=replies.FactVerdicts,
            read=replies.read_verdicts,
            found=found,
            settings=settings,
        )
        if reply is None:
            found.skipped.append(_unread(f"what takes the place of {_count(some)}", settings))
        read += _offered_only(reply or (), {**some, **further}, found)
    offered = {**known, **further}
    places = {verdict.fact: verdict for verdict in read if verdict.word == "make false"}
    more = [verdict for number, verdict in places.items() if number not in false and _grounded(verdict, offered, found)]
    beside = [verdict for verdict in more if _falls_with(verdict, false, offered)]
    alone = [verdict for verdict in more if verdict not in beside]
    alone = yield from call(_confirmed, alone, offered, found, settings.second)
    seen = [*(one.fact.text for one in true.values()), *(one.fact.text for one in offered.values())]
    return [
        JudgedFact(
            offered[verdict.fact],
            verdict,
            _into(offered[verdict.fact], places.get(verdict.fact), found, store, seen=seen),
        )
        for verdict in (*false.values(), *beside, *alone)
    ]


def _falls_with(verdict: FactVerdict, false: Mapping[int, FactVerdict], offered: Mapping[int, KnownFact]) -> bool:
    """Check that a fact rests on one made false.

    The model must say so, and both facts share a name.
    """
    own = name_words(offered[verdict.fact].fact.text)
    return any(own & name_words(offered[number].fact.text) for number in verdict.facts if number in false)


def _into(
    offered: KnownFact, verdict: FactVerdict | None, found: PartFindings, store: FactStore, *, seen: Sequence[str]
) -> Fact | None:
    if verdict is None or not verdict.into:
        return None
    if not stands_in(verdict.into, piece=found.piece, instead_of=offered.fact.text, besides=seen):
        found.skipped.append(f"Neither the document nor a known fact says so: {quoted(verdict.into)}")
        return None
    fact = _fact(verdict.into, found.piece.document, store)
    return None if fact.id == offered.fact.id else fact


# -- what was left out ----------------------------------------------------------------------------


def _note_left_out(related: RelatedFacts, found: PartFindings, settings: UpdateSettings) -> None:
    if related.left_out:
        found.skipped.append(
            f"{related.left_out} of {related.left_out + len(related.offered)} related facts, the least similar, did not "
            f"fit into {settings.related_tokens} tokens."
        )


def _unread(what: str, settings: UpdateSettings) -> str:
    tries = counted(settings.loop.tries, "try")
    return f"The model's replies on {what} could not be read in {tries}; nothing is changed by that."


def _count(facts: Sequence[object] | Mapping[int, KnownFact]) -> str:
    return counted(len(facts), "fact")
