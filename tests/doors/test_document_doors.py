"""A document is the same evidence whatever it looks like and whichever door it comes in by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import BadInput, Evidence, Interval, Reading
from dateline.documents import DateRules, evidence_of, evidence_of_all
from dateline.documents.dates import date_of
from dateline.documents.document_date import date_of_text
from dateline.documents.stamp import MOST_TIMES, stamp_all
from dateline.search import FolderSearch, RetrieverSearch, load_documents
from dateline.testing import ScriptedReader
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs.passages import read_passages
from langchain_dateline import DateStamper, FreshPromptTemplate, ReaderRunnable, TemporalReranker
from langchain_dateline.documents import evidence_of_document
from langchain_dateline.evidence import dated_document, evidence_from
from langchain_dateline.tool_results import read_results

llama_index = pytest.importorskip("llama_index.core")
from llama_index.core.schema import NodeWithScore, TextNode  # noqa: E402

from llama_index.node_parser.dateline import DateStamper as NodeDateStamper  # noqa: E402
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker  # noqa: E402
from llama_index.postprocessor.dateline.nodes import shown_to_model  # noqa: E402
from llama_index.retrievers.dateline.evidence import node_of  # noqa: E402

TEXT = "The bridge over the river is open."
ASKED = datetime(2030, 1, 1, tzinfo=UTC)

FIELDS: dict[str, tuple[Mapping[str, Any], tuple[str, str, str, str | None]]] = {
    "plain": ({"title": "T", "source": "S", "date": "2019-03-04"}, ("T", "S", "", "2019-03-04")),
    "headline, publish-date": ({"headline": "T", "publish-date": "2020-05-06"}, ("T", "", "", "2020-05-06")),
    "camelCase": ({"publishedDate": "2019-03-04", "siteName": "S"}, ("", "S", "", "2019-03-04")),
    "JSON-LD": ({"headline": "T", "datePublished": "2019-03-04T08:30:00Z"}, ("T", "", "", "2019-03-04T08:30:00")),
    "PyPDFLoader": (
        {"source": "/data/prices.pdf", "creationdate": "D:20190304120000+01'00'", "moddate": "2021-01-01", "page": 0},
        ("prices", "prices.pdf", "", "2019-03-04T12:00:00"),
    ),
    "PDF, ISO": ({"CreationDate": "2019-03-04T12:00:00+01:00", "ModDate": "x"}, ("", "", "", "2019-03-04T12:00:00")),
    "UnstructuredLoader": (
        {"source": "d/note.docx", "file_directory": "d", "filename": "note.docx", "last_modified": "2024-01-01T00:00:00"},
        ("note", "d/note.docx", "", None),
    ),
    "SimpleDirectoryReader": (
        {
            "file_path": "/d/2019-03-04-note.md", "file_name": "2019-03-04-note.md", "file_type": "text/markdown",
            "file_size": 9, "creation_date": "2024-01-01", "last_modified_date": "2024-01-02",
        },
        ("note", "2019-03-04-note.md", "", "2019-03-04"),
    ),
    "WebBaseLoader": ({"source": "https://a.example/x", "title": "T"}, ("T", "", "https://a.example/x", None)),
    "meta elements": ({"article:published_time": "2019-03-04", "og:title": "T"}, ("T", "", "", "2019-03-04")),
    "updated": ({"updated": "2019-03-04", "subject": "T"}, ("T", "", "", "2019-03-04")),
    "effective_date": ({"effective_date": date(2019, 3, 4)}, ("", "", "", "2019-03-04")),
    "year": ({"year": 2019}, ("", "", "", "2019")),
    "nested": ({"metadata": {"date": "2019-03-04", "title": "T"}}, ("T", "", "", "2019-03-04")),
    "extra_info": ({"extra_info": {"date": "2019-03-04"}}, ("", "", "", "2019-03-04")),
    "_source": ({"_source": {"date": "2019-03-04"}}, ("", "", "", "2019-03-04")),
    "a date with parts": ({"date": {"iso": "2019-03-04", "tz": "UTC"}}, ("", "", "", "2019-03-04")),
    "either order": ({"date": "03/04/2019"}, ("", "", "", "2019")),
    "nothing": ({}, ("", "", "", None)),
    "no date": ({"date": "soon", "published": None}, ("", "", "", None)),
}  # fmt: skip
"""Fields as loaders and people write them -> title, source, address and date."""


def document(fields: Mapping[str, Any]) -> Document:
    return Document(TEXT, metadata=dict(fields))


def node(fields: Mapping[str, Any]) -> NodeWithScore:
    return NodeWithScore(node=TextNode(text=TEXT, metadata=dict(fields)), score=0.5)


class Listed(BaseRetriever):
    documents: list[Any]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return self.documents


def by_tool(fields: Mapping[str, Any]) -> Evidence:
    (piece,) = read_results(
        ToolMessage("", artifact=[document(fields)], tool_call_id="1", name="search"), now=ASKED, tools=None
    )
    return piece


def by_retriever(found: Any) -> Evidence:
    (piece,) = RetrieverSearch(Listed(documents=[found])).search("x", as_of=ASKED).evidence
    return piece.model_copy(update={"position": None})


def in_folder(found: Any) -> Evidence:
    return FolderSearch.from_documents([found], embeddings=LexicalEmbeddings()).documents[0]


DOORS: dict[str, Callable[[Mapping[str, Any]], Evidence]] = {
    "a Document": lambda fields: evidence_of(document(fields)),
    "a node": lambda fields: evidence_of(node(fields).node),
    "a node with a score": lambda fields: evidence_of(node(fields)),
    "a mapping": lambda fields: evidence_of({"text": TEXT, **fields}),
    "a mapping with page_content": lambda fields: evidence_of({"page_content": TEXT, "metadata": fields}),
    "a node's JSON": lambda fields: evidence_of({"text": TEXT, "metadata": fields, "class_name": "TextNode"}),
    "langchain_dateline": lambda fields: evidence_of_document(document(fields)),
    "the readers' documents": lambda fields: evidence_from([document(fields)])[0],
    "LlamaIndex's readers": lambda fields: evidence_of(
        node_of(shown_to_model([node(fields)])[0], position=0)
    ).model_copy(update={"position": None}),
    "a retriever of Documents": lambda fields: by_retriever(document(fields)),
    "a retriever of nodes": lambda fields: by_retriever(node(fields)),
    "a search over Documents": lambda fields: in_folder(document(fields)),
    "a search over mappings": lambda fields: in_folder({"text": TEXT, **fields}),
    "a tool's artifact": by_tool,
    "a graph's passages": lambda fields: read_passages([document(fields)])[0],
    "what was written as a Document": lambda fields: evidence_of(dated_document(evidence_of(document(fields)))),
    "evidence itself": lambda fields: evidence_of(evidence_of(document(fields))),
    "evidence in JSON": lambda fields: evidence_of(evidence_of(node(fields)).model_dump(mode="json")),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("form", FIELDS)
def test_a_document_is_the_same_evidence_by_every_door(form: str, door: str) -> None:
    fields, (title, source, url, published) = FIELDS[form]
    piece = DOORS[door](fields)
    read = piece.published
    assert (piece.title, piece.source, piece.url) == (title, source, url)
    assert (None if read is None else read.isoformat()) == published
    assert piece.id == Evidence.make(TEXT, title=title, source=source, url=url, published=read).id
    assert bool(piece.dated_by) == (read is not None)


@pytest.mark.parametrize(
    "form", [each for each in FIELDS if "source" not in FIELDS[each][0] or "page" in FIELDS[each][0]]
)
def test_stampers_and_rerankers_date_as_the_readers_do(form: str) -> None:
    fields, (*_, published) = FIELDS[form]
    (stamped,) = DateStamper().transform_documents([document(fields)])
    assert stamped.metadata.get("dateline_date") == published
    assert NodeDateStamper()([node(fields).node])[0].metadata.get("dateline_date") == published
    assert evidence_of(stamped) == evidence_of(document(fields))


def test_a_file_is_one_document_by_three_doors(tmp_path: Path) -> None:
    path = tmp_path / "2019-03-04-note.txt"
    path.write_text(TEXT + "\n")
    (loaded,) = load_documents(tmp_path).documents
    by_langchain = evidence_of(Document(TEXT + "\n", metadata={"source": str(path)}))
    fields = {"file_path": str(path), "file_name": path.name, "file_type": "text/plain", "creation_date": "2024-01-01"}
    by_llama_index = evidence_of(TextNode(text=TEXT + "\n", metadata=fields))
    assert loaded.id == by_langchain.id == by_llama_index.id
    for piece in (loaded, by_langchain, by_llama_index):
        assert (piece.title, piece.source, str(piece.published)) == ("note", path.name, "2019-03-04")
        assert piece.dated_by == "file name"


SPELLED = st.sampled_from(["publish date", "published at", "date published", "created at", "file name", "page content"])


@given(SPELLED, st.sampled_from(["_", "-", " ", "", "camel", "Camel", ":", "."]), st.booleans())
def test_the_spelling_of_a_field_does_not_matter(name: str, joint: str, upper: bool) -> None:
    first, second = name.split()
    spelled = f"{first}{second.title()}" if "amel" in joint else f"{first}{joint}{second}"
    spelled = spelled.upper() if upper else spelled.title() if joint == "Camel" else spelled
    value = "2019-03-04-x.md" if "file" in name else "Text." if "page" in name else "2019-03-04"
    piece = evidence_of(
        {"text": TEXT, spelled: value} if "page" not in name else {spelled: value, "date": "2019-03-04"}
    )
    assert str(piece.published) == "2019-03-04"


WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N")), max_size=12)
INTERVALS = st.one_of(
    st.none(),
    st.dates(date(1500, 1, 1), date(2400, 1, 1)).map(Interval.of_moment),
    st.builds(Interval.of_month, st.integers(1500, 2400), st.integers(1, 12)),
    st.integers(1500, 2400).map(Interval.of_year),
)
PIECES = st.builds(
    Evidence.make,
    st.text(min_size=1).filter(str.strip),
    title=WORDS,
    source=WORDS,
    url=st.sampled_from(["", "https://a.example/b"]),
    published=INTERVALS,
    kind=st.sampled_from(["document", "news", "organic"]),
    highlights=st.lists(WORDS).map(tuple),
    position=st.one_of(st.none(), st.integers(0, 9)),
    dated_by=st.sampled_from(["", "file name", "front matter date"]),
)


@given(PIECES)
def test_what_we_write_we_read_as_it_was(piece: Evidence) -> None:
    if piece.published is None:
        piece = piece.model_copy(update={"dated_by": ""})
    assert evidence_of(dated_document(piece)) == piece
    assert evidence_of(piece.model_dump(mode="json")) == piece
    assert evidence_of(piece) is piece
    written = node_of(piece, position=3)
    assert evidence_of(written) == piece.model_copy(update={"position": 3})


# -- day and month --------------------------------------------------------------------------------


def notes(*dates: str) -> list[dict[str, str]]:
    return [{"text": f"Note {number}.", "date": date} for number, date in enumerate(dates)]


@pytest.mark.parametrize(
    ("dates", "rules", "expected", "told"),
    [
        (("03/04/2019", "13/04/2019"), (), "2019-04-03", "day first"),
        (("03/04/2019", "04/13/2019"), (), "2019-03-04", "month first"),
        (("03/04/2019", "13/04/2019", "04/13/2019"), (), "2019", "only the year"),
        (("03/04/2019",), (), "2019", "only the year: 03/04/2019 may have the day or the month first"),
        (("03/04/2019",), DateRules(day_first=True), "2019-04-03", "day first"),
        (("03-04-2019 10:30",), DateRules(day_first=False), "2019-03-04T10:30:00", "month first"),
        (("03/04/2019", "04/13/2019"), DateRules(day_first=True), "2019-03-04", "month first"),
        (("03/03/2019",), (), "2019-03-03", "field date"),
        (("3/03/2019",), (), "2019-03-03", "field date"),
        (("03.04.2019",), (), "2019-04-03", "field date"),
        (("2019/03/04",), (), "2019-03-04", "field date"),
        (("13/04/2019",), (), "2019-04-13", "field date"),
    ],
)
def test_the_corpus_decides_whether_the_day_or_the_month_is_first(
    dates: tuple[str, ...], rules: Any, expected: str, told: str
) -> None:
    first = evidence_of_all(notes(*dates), date_field=rules)[0]
    assert first.published is not None
    assert first.published.isoformat() == expected
    assert told in first.dated_by


def test_a_folder_is_one_corpus(tmp_path: Path) -> None:
    for number, day in enumerate(("03/04/2019", "13/04/2019")):
        (tmp_path / f"{number}.md").write_text(f"---\ndate: {day}\n---\nNote {number}.")
    assert [str(each.published) for each in load_documents(tmp_path).documents] == ["2019-04-03", "2019-04-13"]


# -- the date's field -----------------------------------------------------------------------------

OWN = {"info": {"issued on": "2019-03-04"}, "date": "2024-01-01", "source": "2022-02-02.md"}


def test_a_named_field_dates_documents_at_every_door() -> None:
    rule = "info.issued_on"
    assert str(evidence_of(document(OWN), date_field=rule).published) == "2019-03-04"
    assert str(evidence_of({"text": TEXT, **OWN}, date_field=["none", rule]).published) == "2019-03-04"
    assert str(stamp_all([(TEXT, OWN)], date_field=rule)[0].published) == "2019-03-04"
    assert (
        DateStamper(date_field=rule).transform_documents([document(OWN)])[0].metadata["dateline_date"] == "2019-03-04"
    )
    assert NodeDateStamper(date_field=rule)([node(OWN).node])[0].metadata["dateline_date"] == "2019-03-04"
    search = RetrieverSearch(Listed(documents=[document(OWN)]), date_field=rule)
    assert str(search.search("x", as_of=ASKED).evidence[0].published) == "2019-03-04"
    prompt = FreshPromptTemplate(date_field=rule).build(question="Who?", documents=[document(OWN)])
    assert str(prompt.evidence[0].published) == "2019-03-04"
    reader = ScriptedReader([Reading(answer="", evidence_ids=())])
    ReaderRunnable(reader=reader, date_field=rule).invoke({"question": "Who?", "documents": [document(OWN)]})
    assert str(reader.history[0][1][0].published) == "2019-03-04"
    folder = FolderSearch.from_documents([document(OWN)], date_field=rule, embeddings=LexicalEmbeddings())
    assert str(folder.documents[0].published) == "2019-03-04"


def test_rerankers_rank_by_the_named_field() -> None:
    rows = [
        {"text": "The director is Ana.", "inked": "2019-01-01", "date": "2023-01-01", "n": 1},
        {"text": "The director is Tom.", "inked": "2023-01-01", "date": "2019-01-01", "n": 2},
    ]
    asked = "Who is the director?"
    for date_field, best in (((), 1), ("inked", 2)):
        documents = [Document(row["text"], metadata=row) for row in rows]
        reranker = TemporalReranker(date_field=date_field, embeddings=LexicalEmbeddings())
        assert reranker.compress_documents(documents, asked)[0].metadata["n"] == best
        nodes = [NodeWithScore(node=TextNode(text=row["text"], metadata=row), score=0.5) for row in rows]
        nodes = NodeReranker(date_field=date_field, embeddings=LexicalEmbeddings()).postprocess_nodes(
            nodes, query_str=asked
        )
        assert nodes[0].node.metadata["n"] == best


def test_where_the_named_field_is_missing_nothing_is_guessed_but_our_own_stamp_is_believed() -> None:
    assert evidence_of(document({"date": "2024"}), date_field="issued").published is None
    (stamped,) = DateStamper(date_field="issued").transform_documents([document({"issued": "2019", "date": "2024"})])
    assert str(evidence_of(stamped, date_field="other").published) == "2019"


# -- doors that were closed -----------------------------------------------------------------------


def test_a_vector_store_is_a_search() -> None:
    store = InMemoryVectorStore.from_documents([document({"date": "2019"})], DeterministicFakeEmbedding(size=8))
    assert str(RetrieverSearch(store).search("x", as_of=ASKED).evidence[0].published) == "2019"


def test_a_graph_takes_documents_nodes_mappings_evidence_and_texts() -> None:
    items = [document({}), node({}), {"text": TEXT}, {"page_content": TEXT}, Evidence.make(TEXT), TEXT]
    assert [each.text for each in read_passages(items)] == [TEXT] * 6
    assert len({each.id for each in read_passages(items)}) == 1
    assert read_passages([{"text": TEXT, "id": "mine"}])[0].id == "mine"


@pytest.mark.parametrize("item", [5, None, object(), Path("x.md"), "", {}, {"number": 1}])
def test_what_is_no_document_is_refused_in_a_sentence(item: Any) -> None:
    with pytest.raises(BadInput):
        evidence_of(item)


def test_texts_where_copies_of_documents_are_given_back_are_refused_in_a_sentence() -> None:
    for call in (
        lambda: TemporalReranker(embeddings=LexicalEmbeddings()).compress_documents(["a"], "q"),  # type: ignore[list-item]
        lambda: DateStamper().transform_documents(["a"]),  # type: ignore[list-item]
        lambda: evidence_from(["a"]),  # type: ignore[list-item]
    ):
        with pytest.raises(BadInput, match="LangChain Documents, not str"):
            call()
    with pytest.raises(BadInput, match="from_documents"):
        FolderSearch([document({})])  # type: ignore[list-item]


def test_a_date_filled_in_by_hand_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(BadInput, match="'soon'"):
        read_passages([{"text": TEXT, "published": "soon"}])
    assert read_passages([{"text": TEXT, "published": ""}])[0].published is None


def test_a_stretch_of_time_in_numbers_dates_by_its_beginning() -> None:
    given = {"text": TEXT, "date": {"start": 2019, "end": 2020, "granularity": "year"}}
    assert evidence_of(given).published == Interval.of_year(2019)


# -- long texts -----------------------------------------------------------------------------------


def test_a_stamp_spans_all_times_of_a_text_and_lists_the_first() -> None:
    years = range(1900, 1900 + 2 * MOST_TIMES - 20)
    fields = stamp_all([(" ".join(f"In {year} it rained." for year in years), {})])[0].metadata()
    assert fields["dateline_valid_from"] == Interval.of_year(years[0]).start
    assert fields["dateline_valid_until"] == Interval.of_year(years[-1]).end
    assert len(str(fields["dateline_times"]).split("; ")) == MOST_TIMES


def test_what_is_remembered_of_a_long_text_is_what_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def note(text: str, **_: Any) -> list[Any]:
        read.append(text)
        return []

    monkeypatch.setattr("dateline.documents.document_date.find_expressions", note)
    monkeypatch.setattr("dateline.documents.dates.find_expressions", note)
    long = "Nobody knows when it was. " * 1_000
    assert [date_of_text(f"{long}{end}") for end in "abc"] == [None] * 3
    assert [date_of(f"{long}{end}") for end in "abc"] == [None] * 3
    assert len(read) <= 2


def test_one_moment_of_two_zones_is_read_by_the_wall_clock_of_each() -> None:
    east = datetime(2020, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))
    days = [
        evidence_of({"text": "The bridge is open.", "date": each}).published for each in (east, east.astimezone(UTC))
    ]
    assert [None if each is None else each.isoformat()[:10] for each in days] == ["2020-01-01", "2019-12-31"]
    stamped = [
        stamp_all([("The bridge is open.", {"date": each})])[0].published for each in (east, east.astimezone(UTC))
    ]
    assert stamped == days
