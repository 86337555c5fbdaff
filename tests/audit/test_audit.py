"""An audit says which of an app's passages are out of date, by which passage and which sentence."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode

from dateline import BadInput, Evidence, Interval
from dateline.audit import Audit, Auditor, Doctor, aaudit, audit
from dateline.audit.result import STATUSES
from dateline.audit.statements import NearPairs, Statements
from dateline.audit.versions import SAME, newer_versions
from dateline.facts.late_documents import is_before
from dateline.search import load_documents
from dateline.temporal import decompose
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.words import content_words

QUESTION = "What is the parking fee?"
NOTES = Path(__file__).parent.parent.parent / "benchmarks" / "notes" / "seen" / "corpora" / "pool"
OLD = {"text": "The parking fee is 20 euros.", "date": "2021-03-01"}
NEW = {"text": "The car park was painted. The parking fee is 25 euros.", "date": "2024-02-01"}


def statuses(found: Audit) -> list[str]:
    return [each.status for each in found.passages]


def test_what_a_later_passage_ends_is_outdated_and_both_sentences_are_named() -> None:
    found = audit(QUESTION, [NEW, OLD], as_of="2024-06-01")
    assert statuses(found) == ["ok", "outdated"]
    reason = found.passages[1].reasons[0]
    assert (reason.other, reason.since) == (0, "2024-02-01")
    assert reason.sentence == OLD["text"]
    assert reason.other_sentence == "The parking fee is 25 euros."
    assert reason.chance >= 0.5


def test_nothing_is_outdated_by_what_was_not_known_yet() -> None:
    found = audit(QUESTION, [OLD, NEW], as_of="2022")
    assert statuses(found) == ["ok", "later"]
    assert found.kept() == found.passages[:1]


def test_what_changed_after_the_asked_time_outdates_nothing() -> None:
    assert audit("What was the parking fee in 2022?", [OLD, NEW], as_of="2024-06-01").passages[0].status != "outdated"


def test_two_passages_of_one_day_contest_each_other() -> None:
    found = audit(QUESTION, [{**OLD, "date": "2024-02-01"}, NEW], as_of="2024-06-01")
    assert statuses(found) == ["contested", "contested"]
    assert [each.reasons[0].other for each in found.passages] == [1, 0]
    assert found.kept() == found.passages


def test_what_is_undated_is_said_to_be() -> None:
    found = audit("Where is the mill?", ["The mill stands by the river.", OLD], as_of="2024-06-01")
    assert statuses(found) == ["undated", "ok"]


def test_a_range_that_is_over_is_of_another_time() -> None:
    (passage,) = audit(
        "Who is the mayor?", [{"text": "Ada Berg was mayor from 2010 to 2014.", "date": "2015"}]
    ).passages
    assert passage.status == "other_time"
    assert "2010" in passage.reasons[0].why


def test_a_newer_version_of_a_document_outdates_the_older() -> None:
    texts = (
        "Rules. The hall opens at 8. Dogs stay out. Shoes off.",
        "Rules. The hall opens at 9. Dogs stay out. Shoes off.",
    )
    versions = [
        Evidence.make(text, url="hall.example/rules", published=Interval.parse(day))
        for text, day in zip(texts, ("2021", "2023"), strict=True)
    ]
    found = audit("May dogs enter?", versions, as_of="2024")
    assert found.passages[0].status == "outdated"
    assert "newer version" in found.passages[0].reasons[0].why


def test_documents_of_every_framework_are_read_alike() -> None:
    documents = [Document(each["text"], metadata={"date": each["date"]}) for each in (OLD, NEW)]
    nodes = [NodeWithScore(node=TextNode(text=each.page_content, metadata=each.metadata)) for each in documents]
    first, second = (audit(QUESTION, passages, as_of="2024-06-01") for passages in (documents, nodes))
    assert statuses(first) == statuses(second) == ["outdated", "ok"]


def test_an_audit_is_said_in_lines_and_in_json_values() -> None:
    found = audit(QUESTION, [OLD, NEW], as_of="2024-06-01")
    assert str(found).startswith("2 passages as of 2024-06-01: 1 ok, 1 outdated.")
    assert "The parking fee is 25 euros." in str(found)
    assert [each["status"] for each in found.metadata()["passages"]] == ["outdated", "ok"]
    assert Audit.model_validate_json(found.model_dump_json()) == found


def test_escapes_of_terminals_are_not_printed() -> None:
    assert "\x1b" not in str(
        audit("Who?", [{"text": "Ada \x1b[2J Berg leads the mill.", "date": "2021"}], as_of="2024")
    )


def test_what_lies_beyond_the_limits_is_counted() -> None:
    notes = [{"text": f"The parking fee is {20 + place} euros.", "date": f"20{10 + place}"} for place in range(8)]
    auditor = Auditor(embeddings=LexicalEmbeddings(), most_pairs=3, most_read=2)
    found = audit(QUESTION, notes, as_of="2024-06-01", auditor=auditor)
    assert found.pairs == 3
    assert (found.pairs_left, found.unread) == (25, 6)
    assert "25 near pairs were left unjudged" in found.summary()


def test_a_doctor_judges_one_pair_at_least() -> None:
    with pytest.raises(BadInput, match="most_pairs must be a whole number of 1 or more, not -1"):
        Doctor(most_pairs=-1)


@pytest.mark.parametrize("limit", ["most_pairs", "most_read"])
def test_a_limit_below_one_is_refused(limit: str) -> None:
    with pytest.raises(BadInput, match=limit):
        Auditor(embeddings=LexicalEmbeddings(), **{limit: 0})


def test_an_empty_question_is_refused() -> None:
    with pytest.raises(BadInput, match="question is empty"):
        audit(" ", [OLD])


def test_a_question_taken_apart_is_audited_as_of_its_own_day_unless_another_is_told() -> None:
    question = decompose(QUESTION, as_of=datetime(2022, 6, 1, tzinfo=UTC))
    assert statuses(audit(question, [OLD, NEW])) == ["ok", "later"]
    assert statuses(audit(question, [OLD, NEW], as_of="2024-06-01")) == ["outdated", "ok"]


def test_there_may_be_no_passages() -> None:
    assert audit(QUESTION, []).passages == ()


def test_the_async_twin_finds_the_same() -> None:
    assert asyncio.run(aaudit(QUESTION, [OLD, NEW], as_of="2024-06-01")) == audit(
        QUESTION, [OLD, NEW], as_of="2024-06-01"
    )


def test_notes_as_people_keep_them_are_audited_whole() -> None:
    passages = load_documents(NOTES).documents
    question = decompose("How much does a swim cost?", as_of=datetime(2025, 6, 1, tzinfo=UTC))
    found = Auditor(embeddings=LexicalEmbeddings(), most_pairs=40, most_read=5).audit(question, evidence=passages)
    assert [each.evidence for each in found.passages] == list(passages)
    for each in found.passages:
        assert all(reason.other is None or found.passages[reason.other].status != "later" for reason in each.reasons)
        assert each.status == "later" or not each.evidence.published or each.status != "undated"


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.text(min_size=1).filter(str.strip), st.dates(datetime(1990, 1, 1).date())), max_size=4))
def test_any_text_is_audited_and_every_reason_points_to_a_passage(notes: list[tuple[str, object]]) -> None:
    found = audit(QUESTION, [{"text": text, "date": str(day)} for text, day in notes], as_of="2024-06-01")
    assert len(found.passages) == len(notes)
    for each in found.passages:
        assert each.status in STATUSES
        assert all(reason.other is None or reason.other in range(len(notes)) for reason in each.reasons)
        assert [STATUSES.index(reason.problem) for reason in each.reasons] == sorted(
            STATUSES.index(reason.problem) for reason in each.reasons
        )


@pytest.mark.parametrize(("day", "outdated"), [("2024-03-01", 0), ("2024-07-01", 1)])
def test_what_is_announced_outdates_a_passage_from_its_own_day_on(day: str, outdated: int) -> None:
    told = [
        Evidence.make("Ada Holm is the manager of the ropeway.", published="2022-05-01"),
        Evidence.make("Bo Lind will become manager of the ropeway on 1 June 2024.", published="2024-01-20"),
    ]
    found = audit("Who is the manager of the ropeway?", told, as_of=day)
    assert [one.status for one in found.passages].count("outdated") == outdated


def test_a_range_within_the_time_asked_for_is_of_no_other_time() -> None:
    passage = {"text": "Ada Berg was mayor from 2010 to 2013.", "date": "2014"}
    for words in ("before 2015", "by 2015", "until 2015", "in 2012"):
        (found,) = audit(f"Who was the mayor {words}?", [passage], as_of="2024-06-01").passages
        assert found.status != "other_time", words
    for words in ("after 2015", "in 2015", "as of 2015"):
        (found,) = audit(f"Who was the mayor {words}?", [passage], as_of="2024-06-01").passages
        assert found.status == "other_time", words


@pytest.mark.parametrize(("day", "outdated"), [("2024-06-10", []), ("2024-08-01", ["2024-07-01"])])
def test_what_a_slot_ends_is_ended_from_the_day_that_was_announced(day: str, outdated: list[str]) -> None:
    told = [
        Evidence.make("The mayor of Lund is Ada Berg.", published="2020"),
        Evidence.make("From 1 July 2024 the mayor of Lund is Jon Holm.", published="2024-05-30"),
    ]
    found = audit("Who is the mayor of Lund?", told, as_of=day)
    ended = [each for each in found.passages[0].reasons if "ends it" in each.why and " not " not in each.why]
    assert [each.since for each in ended] == outdated


def test_two_undated_passages_are_judged_alike_in_either_order() -> None:
    told = ["The mayor of Lund is Ada Berg.", "Jon Holm is the mayor of Lund from 2010 to 2014."]
    found = [statuses(audit("Who is the mayor of Lund?", texts, as_of="2024")) for texts in (told, told[::-1])]
    assert found[0] == found[1][::-1]


def test_statements_that_share_a_slot_are_near_however_differently_they_are_worded() -> None:
    texts = ("The mayor of Lund is Ada Berg.", "The mayor of Lund is Jon Holm.", "Lund is old.")
    said = Statements.of([Evidence.make(text) for text in texts], embeddings=LexicalEmbeddings())
    assert NearPairs.of(said, threshold=2.0, most=10).places.tolist() == [[0, 1]]


_WORDS = ("ferry", "mill", "hall", "pool", "bridge", "school")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6), st.none() | st.integers(2018, 2023)),
        max_size=12,
    )
)
def test_the_newest_version_is_found_as_if_all_had_been_compared(told: list[tuple[list[str], int | None]]) -> None:
    notes = [
        Evidence.make(" ".join(words), url="lund.example", published=None if year is None else Interval.of_year(year))
        for words, year in told
    ]
    words = [set(content_words(note.text)) for note in notes]
    for place, newest in enumerate(newer_versions(notes)):
        later = [
            other
            for other, note in enumerate(notes)
            if is_before(notes[place].published, note.published)
            and note.text != notes[place].text
            and len(words[place] & words[other]) >= SAME * len(words[place])
        ]
        assert (newest in later) if later else newest is None
        assert newest is None or not any(is_before(notes[newest].published, notes[each].published) for each in later)
