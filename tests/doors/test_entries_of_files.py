"""A file of several days is known entry by entry, whether a stamper split it or nobody did."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_community.document_loaders import TextLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.schema import BaseNode, MetadataMode, NodeWithScore

from dateline.documents import DateRules
from dateline.documents.dated_rows import dated_rows
from dateline.documents.raw import RawDocument
from dateline.search import RetrieverSearch, load_documents
from dateline.temporal import Interval, asked_at
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import (
    AuditedDocuments,
    DatedDocuments,
    DateStamper,
    FreshPromptTemplate,
    TemporalReranker,
    TemporalRetriever,
    dated_context,
)
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.node_parser.dateline import DateStamper as NodeStamper
from llama_index.postprocessor.dateline import AuditedNodes, DatedNodes
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import TemporalRetriever as NodeRetriever

ROWS = [
    {"date": "2019-05-01", "title": "Tolls", "text": "The bridge toll is 2 euros.", "by": "Ana"},
    {"date": "2022-06-15", "title": "Tolls", "text": "The bridge toll is 3 euros.", "by": "Ben"},
    {"date": "2024-01-08", "title": "Tolls", "text": "The bridge toll is 4 euros.", "by": "Ana"},
]
FILES = {
    "tolls.csv": "\n".join(",".join(row) for row in [list(ROWS[0]), *(list(row.values()) for row in ROWS)]),
    "tolls.tsv": "\n".join("\t".join(row) for row in [list(ROWS[0]), *(list(row.values()) for row in ROWS)]),
    "tolls.json": json.dumps(ROWS, indent=1),
    "tolls.jsonl": "\n".join(map(json.dumps, ROWS)),
    "tolls.md": "\n\n".join(f"{row['date']}\n{row['text']}" for row in ROWS),
}
ROW_FILES = [name for name in FILES if not name.endswith(".md")]
QUESTION = "What is the bridge toll?"
SAID = [row["text"] for row in ROWS]


def shown(text: str) -> list[str]:
    return [said for said in SAID if said in text]


def documents(folder: Path) -> list[Document]:
    return [loaded for path in folder.iterdir() for loaded in TextLoader(str(path), encoding="utf-8").load()]


def nodes(folder: Path) -> list[NodeWithScore]:
    return [NodeWithScore(node=each, score=1.0) for each in SimpleDirectoryReader(str(folder)).load_data()]


def texts(found: list[Document]) -> str:
    return "\n".join(each.page_content for each in found)


def of_nodes(found: list[NodeWithScore]) -> str:
    return "\n".join(each.node.get_content(MetadataMode.NONE) for each in found)


class Brings(BaseRetriever):
    """Brings what it was given."""

    found: list[Document]

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return self.found


def index(given: list[BaseNode]) -> VectorStoreIndex:
    return VectorStoreIndex(given, embed_model=LocalEmbedding(LexicalEmbeddings()))


RERANKER, NODE_RERANKER = TemporalReranker(embeddings=LexicalEmbeddings()), NodeReranker(embeddings=LexicalEmbeddings())
DOORS: dict[str, Callable[[Path], str]] = {
    "retriever": lambda at: texts(
        TemporalRetriever(
            retriever=InMemoryVectorStore.from_documents(documents(at), LexicalEmbeddings()), reranker=RERANKER
        ).invoke(QUESTION)
    ),
    "reranker": lambda at: texts(list(RERANKER.compress_documents(documents(at), QUESTION))),
    "dated documents": lambda at: texts(DatedDocuments().transform_documents(documents(at))),
    "context": lambda at: dated_context(documents(at)),
    "prompt": lambda at: FreshPromptTemplate().build(question=QUESTION, documents=documents(at)).text,
    "audit": lambda at: texts(
        AuditedDocuments(drop=()).invoke({"question": QUESTION, "documents": documents(at)})["documents"]
    ),
    "search": lambda at: "\n".join(
        each.text
        for each in RetrieverSearch(Brings(found=documents(at))).search(QUESTION, as_of=DAY.last_moment()).evidence
    ),
    "node retriever": lambda at: of_nodes(
        NodeRetriever(index([each.node for each in nodes(at)]), reranker=NODE_RERANKER).retrieve(QUESTION)
    ),
    "node reranker": lambda at: of_nodes(NODE_RERANKER.postprocess_nodes(nodes(at), query_str=QUESTION)),
    "dated nodes": lambda at: of_nodes(DatedNodes().postprocess_nodes(nodes(at))),
    "audited nodes": lambda at: of_nodes(AuditedNodes(drop=()).postprocess_nodes(nodes(at), query_str=QUESTION)),
}
DAY = Interval.parse("2020")


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("door", DOORS)
def test_no_door_shows_the_later_entries_of_a_file_that_nobody_stamped(door: str, file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(FILES[file], encoding="utf-8")
    with asked_at("2020"):
        assert shown(DOORS[door](tmp_path)) == SAID[:1]


@pytest.mark.parametrize("file", FILES)
def test_a_synthesizer_reads_no_later_entry(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(FILES[file], encoding="utf-8")
    for day, toll in (("2020", "2 euros"), ("2023", "3 euros")):
        with asked_at(day):
            assert str(ReaderSynthesizer().synthesize(QUESTION, nodes(tmp_path))) == toll


def test_a_file_whose_entries_were_all_known_is_shown_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "tolls.csv").write_text(FILES["tolls.csv"], encoding="utf-8")
    (found,) = nodes(tmp_path)
    (kept,) = DatedNodes(as_of="2025").postprocess_nodes([found])
    assert (kept.node.node_id, of_nodes([kept])) == (found.node.node_id, of_nodes([found]))


def test_a_file_that_was_published_later_is_not_shown_by_its_early_entries() -> None:
    history = Document(FILES["tolls.md"], metadata={"date": "2024-02-01"})
    assert DatedDocuments(as_of="2020").transform_documents([history]) == []


@pytest.mark.parametrize("file", ROW_FILES)
def test_the_stampers_split_rows_as_a_folder_does(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(FILES[file], encoding="utf-8")
    found = documents(tmp_path)
    before = copy.deepcopy(found)
    stamped = DateStamper(prepare=False).transform_documents(found)
    assert found == before
    read = load_documents(tmp_path).documents
    assert [(each.text, str(each.published), each.title) for each in read] == [
        (each.page_content, each.metadata["dateline_date"], each.metadata["title"]) for each in stamped
    ]
    assert [each.metadata["by"] for each in stamped] == ["Ana", "Ben", "Ana"]
    split = NodeStamper(prepare=False)([each.node for each in nodes(tmp_path)])
    assert [each.get_content() for each in split] == [each.page_content for each in stamped]
    assert [each.metadata["dateline_date"] for each in split] == [row["date"] for row in ROWS]
    assert DateStamper(prepare=False).transform_documents(stamped) == stamped


def test_rows_with_the_same_words_on_other_days_are_told_apart() -> None:
    table = "date,text\n2019-05-01,The toll is 2 euros.\n2022-05-01,The toll is 2 euros.\n"
    stamped = DateStamper(prepare=False).transform_documents([Document(table, id="tolls")])
    assert len({each.id for each in stamped}) == 2


def test_what_a_row_calls_like_a_stamp_or_like_its_file_changes_neither() -> None:
    table = "date,text,source,dateline_asked\n2019-05-01,One.,web,2031\n2022-05-01,Two.,web,2031\n"
    for each in DateStamper(prepare=False).transform_documents([Document(table, metadata={"source": "a.csv"})]):
        assert each.metadata["source"] == "a.csv"
        assert "dateline_asked" not in each.metadata


@pytest.mark.parametrize(
    "text",
    [
        "When, as on Monday, the mill was shut,\nnobody in the village baked,\nsays Ana, the miller.",
        "date,text\n2019-05-01,A single row.\n",
        "day off,reason\nnever,none\nalways,any\n",
        '{"date": "2019-05-01", "text": "One object."}',
        '{"date": "2019-05-01", "text": "One."}\nand a line that is none\n{"date": "2020-05-01", "text": "Two."}',
        "[1, 2, 3]",
        "[" * 100_000,
        '[{"name": "a"}, {"name": "b"}, {"name": "c", "date": "2019-05-01"}]',
    ],
)
def test_other_texts_are_no_rows(text: str) -> None:
    assert dated_rows(RawDocument(text)) == []


@pytest.mark.parametrize("column", ["date", "Date published", "date_published"])
def test_the_date_of_a_row_is_none_of_its_other_values(column: str) -> None:
    table = f"{column},text,by\n2019-05-01,One.,Ana\n2022-05-01,Two.,Ben\n"
    assert [dict(row.values) for row in dated_rows(RawDocument(table))] == [{"by": "Ana"}, {"by": "Ben"}]
    named = dated_rows(RawDocument(table), rules=DateRules(date_field=("DATE PUBLISHED", "date")))
    assert [dict(row.values) for row in named] == [{"by": "Ana"}, {"by": "Ben"}]
