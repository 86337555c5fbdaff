"""A policy decides which edits land, which need several sources, and which wait for a person."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread
from typing import Any

import pytest
from hashed_words import HashedWords
from pydantic import ValidationError

from dateline.errors import BadInput
from dateline.facts import Changes, ExactIndex, FactStore, LocalUpdater, Policy, ReviewDecision, ReviewQueue, open_store
from dateline.facts.changes import Change
from dateline.facts.draft import Draft
from dateline.facts.fact import Fact
from dateline.facts.notes import MemoryNotes, Notes
from dateline.facts.operation import AddFact, MakeFalse, Rewrite
from dateline.facts.proposal import Proposal, ReviewVerdict, WaitsFor, read_decisions
from dateline.facts.proposals import Proposals
from dateline.facts.review_notes import ReviewNotes
from dateline.facts.sql import SqlLedger
from dateline.records import Evidence, EvidenceKind
from dateline.temporal.interval import Interval
from dateline.testing import ScriptedEffectJudge

NOW = datetime(2025, 1, 1, tzinfo=UTC)
LATER = datetime(2025, 2, 1, tzinfo=UTC)
INES = "The mayor of Lundby is Ines Maar."
JON = "The mayor of Lundby is Jon Aske."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FactStore]:
    with open_store(tmp_path, embeddings=HashedWords()) as made:
        LocalUpdater(made).update([note(INES, "2010-01-01", source="gazette")], known_at=NOW)
        yield made


def note(text: str, when: str, *, source: str, kind: EvidenceKind = "document") -> Evidence:
    return Evidence.make(text, source=source, channel=source, published=Interval.parse(when), kind=kind)


def learn(store: FactStore, policy: Policy, document: Evidence) -> Changes:
    (changes,) = LocalUpdater(store, policy=policy).update([document], known_at=NOW)
    return changes


def mayors(store: FactStore, year: str = "2020") -> set[str]:
    return {history.fact.text for history in store.at(Interval.parse(year))}


TWO = Policy(min_sources=2)


def test_one_source_alone_does_not_end_a_fact_where_two_must_agree(store: FactStore) -> None:
    changes = learn(store, TWO, note(JON, "2014-03-01", source="courier"))
    assert [change.kind for change in changes.changes] == ["added"]
    (pending,) = changes.pending
    assert (pending.edit, pending.waits_for, pending.sources_needed) == ("make_false", "sources", 2)
    assert mayors(store) == {INES, JON}


def test_the_second_source_lets_both_denials_land(store: FactStore) -> None:
    learn(store, TWO, note(JON, "2014-03-01", source="courier"))
    changes = learn(store, TWO, note("Lundby has a new mayor. " + JON, "2014-03-05", source="herald"))
    assert mayors(store) == {JON} | {text for text in mayors(store) if "new mayor" in text}
    assert changes.pending == ()
    (first, _) = [entry for entry in Proposals(store).fact_history(_id(store, INES)).entries if not entry.true]  # type: ignore[union-attr]
    assert first.origin == "courier"
    decided = [(one.source, one.decision and one.decision.reason) for one in ReviewQueue(store).history()]
    assert decided == [("courier", "Enough sources agree."), ("herald", "Enough sources agree.")]


@pytest.mark.parametrize("withdrawn", [0, 1])
@pytest.mark.parametrize("erased", [False, True])
def test_where_one_of_two_sources_is_withdrawn_the_other_waits_again(
    store: FactStore, withdrawn: int, erased: bool
) -> None:
    told = [note(JON, "2014-03-01", source="courier"), note(JON + " He is new.", "2014-03-05", source="herald")]
    for each in told:
        learn(store, TWO, each)
    gone, left = told[withdrawn], told[1 - withdrawn]
    if erased:
        store.forget(gone.id, by="Ada", reason="asked", known_at=LATER)
    else:
        store.undo(gone.id, known_at=LATER)
    assert INES in mayors(store)
    assert [one.document for one in ReviewQueue(store).pending("sources")] == [left.id]
    learn(store, TWO, note("He is well. " + JON, "2014-03-09", source="gazette.example"))
    assert mayors(store) == {JON} | {text for text in mayors(store) if text.startswith("He is")}
    assert ReviewQueue(store).pending() == []


def test_agreements_on_two_facts_rest_on_their_own_sources_alone(store: FactStore) -> None:
    host = "The host of Lundby is Ada Maar."
    LocalUpdater(store).update([note(host, "2010-01-02", source="gazette")], known_at=NOW)
    learn(store, TWO, note(JON, "2014-03-01", source="courier"))
    other = note("The host of Lundby is Bo Ek.", "2014-03-02", source="herald")
    learn(store, TWO, other)
    learn(store, TWO, note(JON + " The host of Lundby is Bo Ek.", "2014-03-05", source="almanac"))
    assert not {INES, host} & mayors(store)
    store.undo(other.id, known_at=LATER)
    assert host in mayors(store)
    assert INES not in mayors(store)


def test_the_same_source_twice_is_still_one(store: FactStore) -> None:
    learn(store, TWO, note(JON, "2014-03-01", source="courier"))
    learn(store, TWO, note(JON + " He likes it.", "2014-03-05", source="Courier"))
    assert INES in mayors(store)
    assert len(ReviewQueue(store).pending()) == 2


def test_how_many_must_agree_may_depend_on_the_kind_of_document(store: FactStore) -> None:
    policy = Policy(min_sources_by_kind={"organic": 3})
    assert learn(store, policy, note(JON, "2014-03-01", source="web", kind="organic")).pending
    assert not learn(store, policy, note(JON, "2014-04-01", source="minutes")).pending
    assert mayors(store) == {JON}


def test_an_undone_document_no_longer_agrees(store: FactStore) -> None:
    first = note(JON, "2014-03-01", source="courier")
    learn(store, TWO, first)
    store.undo(first.id, known_at=NOW)
    assert ReviewQueue(store).pending() == []
    learn(store, TWO, note(JON + " He likes it.", "2014-03-05", source="herald"))
    assert INES in mayors(store)


def test_an_edit_that_waits_for_a_person_lands_when_approved_with_its_reason(store: FactStore) -> None:
    changes = learn(store, Policy(interrupt_on=("make_false",)), note(JON, "2014-03-01", source="courier"))
    (pending,) = changes.pending
    assert mayors(store) == {INES, JON}
    queue = ReviewQueue(store)
    queue.decide([ReviewDecision(id=pending.id, verdict="approve", reason="I asked him.")], known_at=LATER)
    assert mayors(store) == {JON}
    assert INES in {history.fact.text for history in store.at(Interval.parse("2020"), known_at=NOW)}
    (decided,) = queue.history()
    assert decided.decision is not None
    assert (decided.decision.reason, decided.decision.decided_at) == ("I asked him.", LATER)
    with pytest.raises(BadInput, match=pending.id):
        queue.decide([ReviewDecision(id=pending.id, verdict="reject")], known_at=LATER)


@pytest.mark.parametrize("processes", [1, 2])
def test_of_two_who_decide_at_once_the_later_is_told(
    store: FactStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    (pending,) = learn(store, Policy(interrupt_on=("make_false",)), note(JON, "2014-03-01", source="courier")).pending
    both, waiting = Barrier(2), ReviewQueue.pending

    def slow(queue: ReviewQueue, waits_for: WaitsFor | None = None) -> list[Proposal]:
        found = waiting(queue, waits_for)
        with suppress(BrokenBarrierError):
            both.wait(timeout=0.5)
        return found

    def decide(stand: FactStore, verdict: ReviewVerdict) -> str:
        try:
            ReviewQueue(stand).decide([ReviewDecision(id=pending.id, verdict=verdict)], known_at=LATER)
        except BadInput as error:
            return str(error)
        return verdict

    monkeypatch.setattr(ReviewQueue, "pending", slow)
    with open_store(tmp_path, embeddings=HashedWords()) as other, ThreadPoolExecutor() as pool:
        told = set(pool.map(decide, (store, other if processes == 2 else store), ("approve", "reject")))
    (decided,) = ReviewQueue(store).history()
    assert decided.decision is not None
    assert told - {decided.decision.verdict} == {
        f"No edit {pending.id!r} is waiting; see ReviewQueue.pending() for those that are."
    }
    assert mayors(store) == ({JON} if decided.decision.verdict == "approve" else {INES, JON})


def test_where_every_edit_waits_nothing_lands_and_a_statement_takes_along_what_belongs_to_it(store: FactStore) -> None:
    policy = Policy(interrupt_on=("add", "reinforce", "make_false", "rewrite"))
    early = note("The mayor of Lundby is Vera Holt.", "2005-01-01", source="courier")
    changes = learn(store, policy, early)
    assert changes.changes == ()
    (statement,) = changes.pending
    assert [operation.kind for operation in statement.companions] == ["make_false"]
    ReviewQueue(store).decide([ReviewDecision(id=statement.id, verdict="approve")], known_at=LATER)
    assert mayors(store, "2007") == {"The mayor of Lundby is Vera Holt."}
    assert mayors(store) == {INES}


@pytest.mark.parametrize(
    ("verdict", "left"), [("approve", {JON}), ("reject", {INES}), ("edit", {"The mayor of Lundby is Jon Holme."})]
)
def test_what_a_waiting_statement_ends_waits_with_it(store: FactStore, verdict: ReviewVerdict, left: set[str]) -> None:
    changes = learn(store, Policy(interrupt_on=("add",)), note(JON, "2014-03-01", source="courier"))
    (statement,) = changes.pending
    assert (changes.changes, mayors(store)) == ((), {INES})
    assert statement.readable()["ends"] == [INES]
    text = next(iter(left)) if verdict == "edit" else None
    ReviewQueue(store).decide([ReviewDecision(id=statement.id, verdict=verdict, text=text)], known_at=LATER)
    assert mayors(store) == left


def test_what_two_statements_end_lands_with_the_first_that_is_approved(store: FactStore) -> None:
    told = note(JON + " The mayor of Lundby is Vera Holt.", "2014-03-01", source="courier")
    first, second = learn(store, Policy(interrupt_on=("add",)), told).pending
    queue = ReviewQueue(store)
    queue.decide([ReviewDecision(id=first.id, verdict="reject")], known_at=LATER)
    assert mayors(store) == {INES}
    queue.decide([ReviewDecision(id=second.id, verdict="approve")], known_at=LATER)
    assert mayors(store) == {"The mayor of Lundby is Vera Holt."}


def test_a_rejection_is_told_with_its_reason(store: FactStore) -> None:
    (pending,) = learn(store, Policy(interrupt_on=("add",)), note(JON, "2014-03-01", source="courier")).pending
    rejected = ReviewDecision(id=pending.id, verdict="reject", reason="a hoax")
    (told,) = ReviewQueue(store).decide([rejected], known_at=LATER)
    assert (told.changes, told.notes) == ((), (f"Rejected (a hoax): add {JON!r}.",))


def test_a_remembered_value_that_waits_ends_nothing_yet(store: FactStore) -> None:
    queue = ReviewQueue(store, policy=Policy(interrupt_on=("add",)))
    store.remember("Ada", attribute="city", value="Lund", since="2020", known_at=NOW)
    told = queue.remember("Ada", attribute="city", value="Malmo", since="2021", channel="desk", known_at=NOW)
    assert (len(told.pending), told.changes) == (1, ())
    queue.decide([ReviewDecision(id=told.pending[0].id, verdict="reject")], known_at=LATER)
    assert store.value("Ada", attribute="city", as_of="2024").value == "Lund"


def test_agreement_comes_before_the_person_is_asked(store: FactStore) -> None:
    policy = Policy(min_sources=2, interrupt_on=("make_false",))
    learn(store, policy, note(JON, "2014-03-01", source="courier"))
    assert [one.waits_for for one in ReviewQueue(store).pending()] == ["sources"]
    learn(store, policy, note(JON + " He likes it.", "2014-03-05", source="herald"))
    assert [one.waits_for for one in ReviewQueue(store).pending()] == ["sources", "person"]
    (asked,) = ReviewQueue(store).pending("person")
    ReviewQueue(store).decide([ReviewDecision(id=asked.id, verdict="approve")], known_at=LATER)
    assert ReviewQueue(store).pending() == []
    assert INES not in mayors(store)


def test_a_dry_run_says_what_would_wait_and_keeps_nothing(store: FactStore) -> None:
    updater = LocalUpdater(store, policy=TWO)
    (changes,) = updater.update([note(JON, "2014-03-01", source="courier")], known_at=NOW, dry_run=True)
    assert len(changes.pending) == 1
    assert ReviewQueue(store).history() == []


def test_what_waits_survives_the_process(tmp_path: Path) -> None:
    with open_store(tmp_path, embeddings=HashedWords()) as store:
        LocalUpdater(store).update([note(INES, "2010-01-01", source="gazette")], known_at=NOW)
        (before,) = learn(store, TWO, note(JON, "2014-03-01", source="courier")).pending
    with open_store(tmp_path, embeddings=HashedWords()) as store:
        assert ReviewQueue(store).pending() == [before]


def test_a_person_answers_in_a_word_or_with_a_changed_list(store: FactStore) -> None:
    (one,) = learn(store, Policy(interrupt_on=("make_false",)), note(JON, "2014-03-01", source="courier")).pending
    known = {one.id: one}
    verdicts = [
        read_decisions(word, proposals=known)[0].verdict for word in ("Approve", "reject", [], [one.readable()])
    ]
    assert verdicts == ["approve", "reject", "reject", "approve"]
    (changed,) = read_decisions([{"id": one.id, "into": "Jon Aske leads Lundby."}], proposals=known)
    assert (changed.verdict, changed.text) == ("edit", "Jon Aske leads Lundby.")
    for wrong in ("maybe", 7, None, {"decision": "edit"}, [{"id": "x"}], [{"id": one.id, "into": 3}]):
        with pytest.raises(BadInput):
            read_decisions(wrong, proposals=known)


def test_wrong_policies_are_refused() -> None:
    for wrong in ({"min_sources": 0}, {"interrupt_on": ("guess",)}, {"min_sources_by_kind": {"organic": 0}}):
        with pytest.raises(ValidationError):
            Policy.model_validate(wrong)


@pytest.mark.parametrize("backend", ["memory", "sql"])
def test_notes_keep_their_first_text_and_their_order(backend: str, tmp_path: Path) -> None:
    _check_notes(MemoryNotes() if backend == "memory" else SqlLedger.at(tmp_path / "facts.db").notes)


def test_notes_on_a_server_do_so_too(postgres_url: str, empty_tables: None) -> None:
    with SqlLedger(postgres_url) as ledger:
        _check_notes(ledger.notes)


def _check_notes(notes: Notes) -> None:
    notes.write("reply", {"b": "1", "a": "2"})
    notes.write("reply", {"a": "3", "c": "4"})
    notes.write("decision", {})
    assert notes.read("reply", "a") == "2"
    assert notes.read("proposal", "a") is None
    assert list(notes.all("reply").items()) == [("b", "1"), ("a", "2"), ("c", "4")]


def _id(store: FactStore, text: str) -> str:
    return next(history.fact.id for history in store.at(which="any") if history.fact.text == text)


@pytest.mark.parametrize("policy", [TWO, Policy(interrupt_on=("make_false",))])
def test_a_late_denial_waits_as_an_early_one_does_where_the_fact_ended_later(store: FactStore, policy: Policy) -> None:
    later = note("The mayor of Lundby is Kai Holm.", "2020-01-01", source="gazette")
    LocalUpdater(store).update([later], known_at=NOW)
    changes = learn(store, policy, note(JON, "2014-03-01", source="courier"))
    assert [pending.fact for pending in changes.pending] == [INES]
    assert INES in mayors(store, "2016")


@pytest.mark.parametrize(
    "policy", [TWO, Policy(interrupt_on=("make_false",)), Policy(interrupt_on=("add", "make_false"))]
)
def test_a_new_value_that_ends_of_itself_needs_nobody_elses_word_for_its_end(store: FactStore, policy: Policy) -> None:
    queue = ReviewQueue(store, policy=TWO)
    changes = queue.remember(
        "Ada Berg", attribute="residence", value="Porto", since="2019", until="2022", channel="hr", known_at=NOW
    )
    queue.decide([ReviewDecision(id=one.id, verdict="approve") for one in changes.pending], known_at=NOW)
    asked = [store.value("Ada Berg", attribute="residence", as_of=year).value for year in ("2020", "2023")]
    assert asked == ["Porto", None]


def test_a_waiting_denial_from_before_the_last_affirmation_does_not_count(store: FactStore) -> None:
    learn(store, TWO, note(JON, "2012-01-01", source="courier"))
    LocalUpdater(store).update([note(f"{INES} She stays.", "2016-01-01", source="gazette")], known_at=NOW)
    assert learn(store, TWO, note("The mayor of Lundby is Kai Holm.", "2020-01-01", source="herald")).pending
    assert INES in mayors(store, "2021")


def test_what_a_person_writes_instead_is_read_as_a_document_would_be(store: FactStore) -> None:
    policy = Policy(interrupt_on=("add",))
    (pending,) = learn(store, policy, note("Ada Berg lives in Porto.", "2019-01-01", source="hr")).pending
    changed = ReviewDecision(id=pending.id, verdict="edit", text="Ada Berg lives in Lisbon.")
    ReviewQueue(store).decide([changed], known_at=NOW)
    assert store.value("Ada Berg", attribute="residence", as_of="2020").value == "Lisbon"


def test_an_edit_is_not_decided_twice_at_once(store: FactStore) -> None:
    (pending,) = learn(store, Policy(interrupt_on=("make_false",)), note(JON, "2014-03-01", source="courier")).pending
    both: list[ReviewVerdict] = ["approve", "reject"]
    with pytest.raises(BadInput, match="decided twice"):
        ReviewQueue(store).decide([ReviewDecision(id=pending.id, verdict=verdict) for verdict in both], known_at=NOW)
    assert INES in mayors(store)
    assert ReviewQueue(store).pending()


def test_an_end_that_two_sources_tell_lands_and_leaves_the_known_beginning(store: FactStore) -> None:
    queue = ReviewQueue(store, policy=TWO)
    queue.remember("Ada Berg", attribute="residence", value="Porto", since="2015", channel="HR", known_at=NOW)
    for channel, still in (("HR", {"Porto"}), ("Gazette", set())):
        told = {"attribute": "residence", "value": "Porto", "until": "2019", "source": channel}
        queue.remember("Ada Berg", **told, channel=channel, known_at=NOW)
        assert [live_in(store, year) for year in ("2010", "2017", "2020")] == [set(), {"Porto"}, still]


def test_two_values_approved_together_follow_each_other(store: FactStore) -> None:
    queue = ReviewQueue(store, policy=Policy(interrupt_on=("add",)))
    for value, since in (("Porto", "2020"), ("Oslo", "2022")):
        queue.remember("Ada", attribute="residence", value=value, since=since, channel="desk", known_at=NOW)
    waiting = [ReviewDecision(id=one.id, verdict="approve") for one in queue.pending()]
    queue.decide(waiting[::-1], known_at=LATER)
    told = [store.value("Ada", attribute="residence", as_of=day).values for day in ("2021", "2024")]
    assert told == [("Porto",), ("Oslo",)]


def test_a_statement_changed_to_speak_of_another_ends_nothing_of_the_first(store: FactStore) -> None:
    (waiting,) = learn(store, Policy(interrupt_on=("add",)), note(JON, "2014-03-01", source="courier")).pending
    elsewhere = "The mayor of Malmo is Jon Aske."
    decision = ReviewDecision(id=waiting.id, verdict="edit", text=elsewhere)
    ReviewQueue(store).decide([decision], known_at=LATER)
    assert mayors(store) == {INES, elsewhere}


def test_an_approved_statement_does_not_end_what_two_sources_must_deny(store: FactStore) -> None:
    policy = Policy(interrupt_on=("add",), min_sources=2)
    learn(store, policy, note(JON, "2014-03-01", source="courier"))
    statement = next(one for one in ReviewQueue(store).pending() if one.edit == "add")
    ReviewQueue(store).decide([ReviewDecision(id=statement.id, verdict="approve")], known_at=LATER)
    assert mayors(store) == {INES, JON}


KILLED_DECISION = """
import os, sys
from hashed_words import HashedWords
from test_policy import LATER
from dateline.facts import ReviewDecision, ReviewQueue, open_store

with open_store(sys.argv[1], embeddings=HashedWords()) as store:
    queue = ReviewQueue(store)
    (waiting,) = queue.pending()
    store.ledger.notes.write = lambda *_: os.kill(os.getpid(), 9)
    queue.decide([ReviewDecision(id=waiting.id, verdict="approve")], known_at=LATER)
"""


def test_a_killed_decision_lets_nothing_land_and_can_still_be_the_other_one(store: FactStore, tmp_path: Path) -> None:
    (pending,) = learn(store, Policy(interrupt_on=("make_false",)), note(JON, "2014-03-01", source="courier")).pending
    path = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    killed = subprocess.run([sys.executable, "-c", KILLED_DECISION, str(tmp_path)], env=os.environ | path, check=False)
    assert killed.returncode == -9
    assert mayors(store) == {INES, JON}
    assert ReviewQueue(store).pending() == [pending]
    ReviewQueue(store).decide([ReviewDecision(id=pending.id, verdict="reject")], known_at=LATER)
    assert mayors(store) == {INES, JON}
    assert ReviewQueue(store).pending() == []


class Watched(HashedWords):
    """Notes whether others had to wait for it: a transaction was open while it embedded."""

    def __init__(self, ledger: SqlLedger) -> None:
        super().__init__()
        self.ledger, self.waited = ledger, False

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.waited = self.waited or self.ledger.database.joined is not None
        return super().embed_documents(texts)


def test_other_processes_do_not_wait_for_the_model_that_embeds_what_a_person_wrote(tmp_path: Path) -> None:
    ledger = SqlLedger.at(tmp_path / "facts.db")
    embeddings = Watched(ledger)
    with FactStore(ledger, index=ExactIndex(), embeddings=embeddings) as store:
        (waiting,) = learn(store, Policy(interrupt_on=("add",)), note(JON, "2014-03-01", source="courier")).pending
        changed = ReviewDecision(id=waiting.id, verdict="edit", text=INES)
        ReviewQueue(store).decide([changed], known_at=LATER)
        assert mayors(store) == {INES}
        assert not embeddings.waited


@pytest.mark.parametrize("by", ["document", "value"])
def test_other_processes_do_not_wait_for_the_model_that_embeds_what_others_said(tmp_path: Path, by: str) -> None:
    ledger = SqlLedger.at(tmp_path / "facts.db")
    embeddings = Watched(ledger)
    with FactStore(ledger, index=ExactIndex(), embeddings=embeddings) as store:
        store.remember("Ada Berg", attribute="residence", value="Porto", since="2010", known_at=NOW)
        old, queue = store.at("2020")[0].fact, ReviewQueue(store, policy=TWO)
        courier = note("Ada Berg went to Oslo.", "2012", source="courier")
        shared: dict[str, Any] = {"fact_id": old.id, "known_at": NOW}
        into = Fact.make(courier.text)
        rewrite = Rewrite(document=courier.id, channel="courier", when=courier.published, into=into, **shared)
        assert queue.submit(courier, Draft.of([[rewrite]]), known_at=NOW).pending
        herald = note("Ada Berg left Porto.", "2013", source="herald")
        denial = MakeFalse(document=herald.id, channel="herald", when=herald.published, **shared)
        if by == "value":
            remember(queue, "Oslo", "2013", channel="herald")
        else:
            queue.submit(herald, Draft.of([[denial]]), known_at=NOW)
        assert live_in(store, "2020") == ({"Oslo"} if by == "value" else set())
        assert into.text in {history.fact.text for history in store.at("2020")}
        assert not embeddings.waited


def test_of_two_processes_that_tell_one_slot_at_once_the_later_value_ends_the_earlier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (
        FactStore(SqlLedger.at(tmp_path / "facts.db"), index=ExactIndex(), embeddings=HashedWords()) for _ in range(2)
    )
    second = Thread(target=remember, args=(ReviewQueue(other), "Oslo", "2012"), kwargs={"channel": "herald"})
    apply = one.apply

    def apply_late(*given: Any, **options: Any) -> list[Change]:
        second.start()
        second.join(timeout=1)  # it may not get through before the first has written
        return apply(*given, **options)

    monkeypatch.setattr(one, "apply", apply_late)
    remember(ReviewQueue(one), "Porto", "2010", channel="courier")
    second.join()
    assert [live_in(one, year) for year in ("2011", "2013")] == [{"Porto"}, {"Oslo"}]
    for each in (one, other):
        each.close()


def live_in(store: FactStore, year: str) -> set[str]:
    return set(store.value("Ada Berg", attribute="residence", as_of=year).values)


def remember(queue: ReviewQueue, value: str, since: str, *, channel: str) -> None:
    queue.remember("Ada Berg", attribute="residence", value=value, since=since, channel=channel, known_at=NOW)


@pytest.mark.parametrize("affirmed_first", [False, True])
def test_sources_that_agree_end_a_fact_as_it_was_last_affirmed_before(store: FactStore, affirmed_first: bool) -> None:
    queue = ReviewQueue(store, policy=TWO)
    for since in ("2010", "2016") if affirmed_first else ("2010",):
        store.remember("Ada Berg", attribute="residence", value="Porto", since=since, known_at=NOW)
    remember(queue, "Oslo", "2012", channel="courier")
    remember(queue, "Oslo", "2013", channel="herald")
    if not affirmed_first:
        store.remember("Ada Berg", attribute="residence", value="Porto", since="2016", known_at=NOW)
    assert [live_in(store, year) for year in ("2011", "2014", "2018")] == [{"Porto"}, {"Oslo"}, {"Porto"}]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_denial_announced_for_later_agrees_on_no_earlier_end(store: FactStore, order: tuple[int, int]) -> None:
    queue = ReviewQueue(store, policy=TWO)
    store.remember("Ada Berg", attribute="residence", value="Porto", since="2019", known_at=NOW)
    told = [("2030-07", "courier"), ("2024", "herald")]
    for since, channel in (told[place] for place in order):
        remember(queue, "Oslo", since, channel=channel)
    assert [live_in(store, year) for year in ("2025", "2031")] == [{"Porto", "Oslo"}, {"Oslo"}]


AGREEING = note(JON + " He is new.", "2014-03-05", source="herald")

KILLED_AGREEMENT = """
import os, sys
from hashed_words import HashedWords
from test_policy import AGREEING, TWO, learn
from dateline.facts import FactStore, open_store

applied = FactStore.apply

def killed(store, document, *rest, **options):
    if document == AGREEING.id:
        os.kill(os.getpid(), 9)
    return applied(store, document, *rest, **options)

FactStore.apply = killed
with open_store(sys.argv[1], embeddings=HashedWords()) as store:
    learn(store, TWO, AGREEING)
"""


def test_a_killed_agreement_ends_nothing_and_is_made_anew(store: FactStore, tmp_path: Path) -> None:
    first = note(JON, "2014-03-01", source="courier")
    learn(store, TWO, first)
    path = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    killed = subprocess.run([sys.executable, "-c", KILLED_AGREEMENT, str(tmp_path)], env=os.environ | path, check=False)
    assert killed.returncode == -9
    assert INES in mayors(store)
    learn(store, TWO, AGREEING)
    assert INES not in mayors(store)
    store.undo(first.id, known_at=LATER)
    assert INES in mayors(store)


def test_a_dry_run_tells_what_would_land_of_others_too(store: FactStore) -> None:
    learn(store, TWO, note(JON, "2014-03-01", source="courier"))
    (planned,) = LocalUpdater(store, policy=TWO).update([AGREEING], known_at=NOW, dry_run=True)
    real = learn(store, TWO, AGREEING)
    shown = [[(each.kind, each.fact.text, each.document) for each in one.changes] for one in (planned, real)]
    assert shown[0] == shown[1]
    assert INES in [each.fact.text for each in planned.made_false]


def test_only_what_waits_about_a_fact_is_read_for_it(store: FactStore) -> None:
    host = "The host of Lundby is Ada Maar."
    LocalUpdater(store).update([note(host, "2010-01-02", source="gazette")], known_at=NOW)
    learn(store, TWO, note(JON, "2014-03-01", source="courier"))
    learn(store, TWO, note("The host of Lundby is Bo Ek.", "2014-03-02", source="herald"))
    notes = ReviewNotes(store.ledger.notes)
    assert [one.fact for one in notes.proposals(about=_id(store, INES))] == [INES]
    assert [one.fact for one in Proposals(store).waiting(_id(store, host))] == [host]


def test_a_cleared_text_just_ends_the_old_fact_and_is_no_new_one(store: FactStore) -> None:
    (one,) = learn(store, Policy(interrupt_on=("make_false",)), note(JON, "2014-03-01", source="courier")).pending
    assert isinstance(one.operation, MakeFalse)
    rewrite = Rewrite(**one.operation.shared, fact_id=one.operation.fact_id, into=Fact.make(JON))
    proposal = one.model_copy(update={"id": rewrite.id, "edit": "rewrite", "into": JON, "operation": rewrite})
    answer = [{"id": proposal.id, "edit": "rewrite", "into": None}]
    (decision,) = read_decisions(answer, proposals={proposal.id: proposal})
    (landing,) = proposal.operations(decision, known_at=LATER, slots=store.reader)
    assert landing.assertions == one.operation.assertions
    new = one.model_copy(update={"edit": "add", "operation": AddFact(**one.operation.shared, fact=Fact.make(JON))})
    with pytest.raises(BadInput, match="null"):
        read_decisions([{"id": new.id, "fact": None}], proposals={new.id: new})
    with pytest.raises(BadInput, match="no text"):
        one.operations(ReviewDecision(id=one.id, verdict="edit"), known_at=LATER, slots=store.reader)


def test_a_changed_statement_without_a_slot_ends_nothing_of_the_first(store: FactStore) -> None:
    is_open, shut = "The bridge at Lund is open to cyclists.", "Nobody gets over the bridge at Lund."
    judge = ScriptedEffectJudge({(shut, is_open): "then"})
    LocalUpdater(store, judge=judge).update([note(is_open, "2020", source="gazette")], known_at=NOW)
    updater = LocalUpdater(store, policy=Policy(interrupt_on=("add",)), threshold=-1.0, judge=judge)
    ((waiting,),) = (each.pending for each in updater.update([note(shut, "2023", source="gazette")], known_at=NOW))
    assert waiting.ends == (is_open,)
    changed = ReviewDecision(id=waiting.id, verdict="edit", text="Nobody gets into the mill at Oby.")
    updater.review_queue.decide([changed], known_at=LATER)
    assert is_open in mayors(store, "2024")
