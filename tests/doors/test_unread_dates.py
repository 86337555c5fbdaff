"""A date that cannot be read, or is not looked for, is told: in an answer's problems, and once in the log."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dateline.documents import evidence_of
from dateline.documents.reading import dates_of_all, evidence_of_all, unread_dates
from dateline.search import load_documents

UNREADABLE = "The field date holds 'soonish', which cannot be read as a date; write YYYY, YYYY-MM or YYYY-MM-DD."
OVERLOOKED = (
    "The field meeting_date looks like a date and is not used; if it is the document's own, "
    "set date_field='meeting_date'."
)


@pytest.fixture(autouse=True)
def not_warned_yet(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    monkeypatch.setattr("dateline.documents.unread_dates._WARNED", set())
    with caplog.at_level(logging.WARNING):
        yield


def test_each_field_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    fields: list[dict[str, Any]] = [{"date": "soonish"}, {"meeting_date": "2023-09-01"}, {"date": "later"}]
    for _ in range(2):
        evidence_of_all([{"text": "The board met.", **each} for each in fields])
        dates_of_all([("", each) for each in fields])
    assert [record.getMessage() for record in caplog.records] == [UNREADABLE, OVERLOOKED]


def test_both_are_told_as_sentences() -> None:
    assert unread_dates([{"date": "soonish"}, {"meeting_date": "2023-09-01"}, {"date": "2020"}]) == (
        UNREADABLE,
        OVERLOOKED,
    )


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"date": "2020", "birthday": "1980-02-03"},
        {"holiday": "Christmas", "runtime": "2020-01-01"},
        {"file_size": 3, "creation_date": "2020-01-01", "last_accessed_date": "2020-01-01"},
        {"dateline_published": -62135596800},
    ],
)
def test_nothing_is_told_where_nothing_is_amiss(fields: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    evidence_of({"text": "The board met.", **fields})
    assert not caplog.records
    assert unread_dates([fields]) == ()


def test_the_front_matter_of_a_file_is_told_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "board.md").write_text("---\ndate: soonish\n---\nThe board met.\n", encoding="utf-8")
    load_documents(tmp_path)
    assert any("holds 'soonish'" in record.getMessage() for record in caplog.records)


async def test_the_problems_of_an_answer_hold_them() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

    from dateline.reading import ExtractiveReader
    from dateline.testing import ReadingEstimator
    from dateline.text.lexical import LexicalEmbeddings
    from llama_index.workflow.dateline import AnswerWorkflow

    class Minutes(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            both: list[dict[str, Any]] = [{"date": "soonish"}, {"meeting_date": "2023-09-01"}]
            return [
                NodeWithScore(node=TextNode(text=f"Ana chairs board {place}.", metadata=each))
                for place, each in enumerate(both)
            ]

    workflow = AnswerWorkflow(
        Minutes(), reader=ExtractiveReader(), estimator=ReadingEstimator(), embeddings=LexicalEmbeddings()
    )
    response = await workflow.run(question="Who chairs board 1?")
    assert response.metadata["dateline"]["problems"] == [UNREADABLE, OVERLOOKED]
