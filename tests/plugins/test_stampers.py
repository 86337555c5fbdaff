"""Date stampers for both frameworks, inside the frameworks' own pipelines."""

from __future__ import annotations

import copy
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from dateline.documents import evidence_of
from dateline.documents.fields import PUBLISHED
from dateline.documents.stamp import VALID_FROM, VALID_UNTIL
from dateline.evidence.knowledge import published_from
from dateline.ranking.candidates import CandidateFilter
from dateline.temporal import Interval
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper, TemporalReranker, TemporalRetriever

NOTE = "The bridge was closed in 1998. It opened again in May 2003 and stayed open from 2005 to 2010."


@pytest.mark.parametrize(
    ("metadata", "expected", "origin"),
    [
        ({"date": "2011-03-04"}, "2011-03-04", "field date"),
        ({"published": datetime(2011, 3, 4, 12, tzinfo=UTC)}, "2011-03-04T12:00:00", "field published"),
        ({"Publish_Date": date(2011, 3, 4)}, "2011-03-04", "field Publish_Date"),
        ({"timestamp": 1299196800}, "2011-03-04", "field timestamp"),
        ({"date": {"start": "2011-03-01", "end": "2011-04-01", "granularity": "month"}}, "2011-03", "field date"),
        ({"source": "notes/2011-03-04-bridge.md"}, "2011-03-04", "file name"),
        ({"date": "soon", "file_path": "a/2011_03_04.txt"}, "2011-03-04", "file name"),
    ],
)
def test_the_date_of_publication_is_found_where_it_stands(
    metadata: dict[str, object], expected: str, origin: str
) -> None:
    (stamped,) = DateStamper().transform_documents([Document(page_content="Nothing.", metadata=metadata)])
    assert stamped.metadata["dateline_date"] == expected
    assert stamped.metadata["dateline_published_from"] == origin


def test_the_times_a_document_speaks_of_are_listed_with_their_precision() -> None:
    (stamped,) = DateStamper().transform_documents([Document(page_content=NOTE)])
    times = stamped.metadata["dateline_times"].split("; ")
    assert times[:2] == ["1998", "2003-05"]
    assert datetime.fromtimestamp(stamped.metadata["dateline_valid_from"], UTC).year == 1998
    assert datetime.fromtimestamp(stamped.metadata["dateline_valid_until"], UTC) == datetime(2011, 1, 1, tzinfo=UTC)


def test_what_a_document_does_not_tell_is_left_out() -> None:
    (stamped,) = DateStamper().transform_documents([Document(page_content="The bridge is long.")])
    assert set(stamped.metadata) == {PUBLISHED, VALID_FROM, VALID_UNTIL}
    assert not CandidateFilter(known_before=-(10**12)).knows(0)
    assert CandidateFilter(known_before=-(10**12)).knows(stamped.metadata[PUBLISHED])


def test_documents_are_copied_and_stamping_twice_changes_nothing_more() -> None:
    documents = [Document(page_content=NOTE, metadata={"date": "2011-03-04", "tags": ["a"]})]
    documents.append(Document(page_content="The bridge is long."))
    before = copy.deepcopy(documents)
    once = DateStamper().transform_documents(documents)
    assert documents == before
    assert DateStamper().transform_documents(once) == once


@pytest.mark.parametrize(
    "metadata", [{"date": "2011-03"}, {"source": "2011-03-04-a.md"}, {"timestamp": 1299196800}, {}]
)
def test_a_store_filters_by_the_stamp_as_the_library_does_by_the_date(metadata: dict[str, object]) -> None:
    documents = [Document(page_content="Nothing.", metadata=metadata)]
    (stamped,) = DateStamper().transform_documents(documents)
    (piece,) = (evidence_of(each) for each in documents)
    assert stamped.metadata[PUBLISHED] == published_from(piece)
    assert evidence_of(stamped) == piece


def test_a_store_stamped_by_the_earlier_version_is_still_read() -> None:
    old = {"dateline_published": "2011-03", "dateline_published_from": "file name", "date": "2020-01-01"}
    piece = evidence_of(Document(page_content="Nothing.", metadata=old))
    assert (str(piece.published), piece.dated_by) == ("2011-03", "file name")
    (again,) = DateStamper().transform_documents([Document(page_content="Nothing.", metadata=old)])
    assert again.metadata["dateline_date"] == "2011-03"
    assert again.metadata[PUBLISHED] == Interval.parse("2011-03").start


def test_the_times_of_a_text_and_its_publication_are_what_it_is_about() -> None:
    (stamped,) = DateStamper().transform_documents([Document(page_content=NOTE, metadata={"date": "2020-01-01"})])
    about = stamped.metadata[VALID_FROM], stamped.metadata[VALID_UNTIL]
    day = Interval.parse("2020-01-01")
    assert about == (Interval.of_year(1998).start, day.end)


def test_the_reranker_reads_the_stamps_of_documents_that_had_no_date() -> None:
    documents = [
        Document(page_content="The director of the harbour is Eva Holm.", metadata={"source": "2010-01-05-a.md"}),
        Document(page_content="The director of the harbour is Jon Lund.", metadata={"source": "2020-01-05-b.md"}),
    ]
    store = InMemoryVectorStore.from_documents(DateStamper().transform_documents(documents), LexicalEmbeddings())
    found = store.similarity_search("director of the harbour", k=2)
    reranker = TemporalReranker(as_of=datetime(2024, 1, 1, tzinfo=UTC), embeddings=LexicalEmbeddings())
    first = reranker.compress_documents(found, "Who is the director of the harbour?")[0]
    assert "Jon Lund" in first.page_content


def test_llama_index_nodes_are_stamped_in_an_ingestion_pipeline() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import Document as LlamaDocument
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.schema import MetadataMode

    from llama_index.node_parser.dateline import DateStamper as NodeDateStamper

    document = LlamaDocument(text=NOTE, metadata={"date": "2011-03-04"})
    pipeline = IngestionPipeline(transformations=[SentenceSplitter(), NodeDateStamper()], disable_cache=True)
    (node,) = pipeline.run(documents=[document])
    assert node.metadata["dateline_times"].startswith("1998; 2003-05")
    assert "dateline_" not in node.get_content(metadata_mode=MetadataMode.EMBED)
    assert "dateline_times" not in document.metadata


JOURNAL = "Pump log\n\n2024-03-01\nThe filter is new.\n\n2024-04-02\nThe pressure is 3 bar, since last week.\n"


def test_a_journal_that_a_loader_gave_as_one_document_is_stamped_entry_by_entry() -> None:
    loaded = Document(page_content=JOURNAL, metadata={"source": "pump.md", "tags": ["a"]}, id="pump")
    before = copy.deepcopy(loaded)
    stamped = DateStamper().transform_documents([loaded, Document(page_content=NOTE)])
    assert loaded == before
    assert [each.metadata.get("dateline_date") for each in stamped[1:3]] == ["2024-03-01", "2024-04-02"]
    assert [each.metadata["dateline_published_from"] for each in stamped[1:3]] == ["entry", "entry"]
    assert "2024-03-25/.." in stamped[2].metadata["dateline_times"]  # its last week, not the first entry's
    assert "".join("".join(each.page_content for each in stamped[:3]).split()) == "".join(JOURNAL.split())
    assert all(each.metadata["tags"] == ["a"] for each in stamped[:3])
    assert stamped[3].page_content == NOTE
    assert DateStamper().transform_documents(stamped) == stamped


def test_an_entry_keeps_its_id_while_the_journal_grows_and_one_without_id_gets_none() -> None:
    grown = "2024-05-01\nThe pump is off.\n\n2024-04-02\nThe pressure is 3 bar.\n\n2024-03-01\nThe filter is new.\n"
    young = grown.partition("\n\n")[2]
    first, later = (
        [each.id for each in DateStamper().transform_documents([Document(page_content=text, id="pump")])]
        for text in (young, grown)
    )
    assert first == later[1:]
    assert len(set(later)) == 3
    assert {each.id for each in DateStamper().transform_documents([Document(page_content=grown)])} == {None}


def test_front_matter_stays_with_what_it_stands_before_and_splitting_can_be_left() -> None:
    text = f"---\ntitle: Pumps\n---\n{JOURNAL}"
    stamped = DateStamper().transform_documents([Document(page_content=text)])
    assert stamped[0].page_content.startswith("---\ntitle: Pumps\n---\nPump log")
    (whole,) = DateStamper(entries=False).transform_documents([Document(page_content=text)])
    assert whole.page_content == text


@given(st.text(alphabet=st.sampled_from("2024-031 .#*-:\nMarch"), max_size=200))
def test_no_word_of_a_document_is_lost_by_its_entries(text: str) -> None:
    parts = DateStamper(prepare=False).transform_documents([Document(page_content=text)])
    told = [f"{each.page_content} {each.metadata.get('title', '')}" for each in parts]
    assert {word for each in told for word in each.split() if word.strip("#")} == {
        word for word in text.split() if word.strip("#")
    }


def test_a_heading_alone_above_a_journal_is_the_title_of_its_entries() -> None:
    text = "# Pump log\n\n## 2024-03-01\nThe filter is new.\n\n## 2024-04-02\nThe pressure is 3 bar.\n"
    stamped = DateStamper().transform_documents([Document(page_content=text, id="pump")])
    assert [each.metadata["dateline_date"] for each in stamped] == ["2024-03-01", "2024-04-02"]
    assert [each.metadata["title"] for each in stamped] == ["Pump log", "Pump log"]
    bare = DateStamper().transform_documents([Document(page_content=text.partition("\n\n")[2], id="pump")])
    assert [each.id for each in stamped] == [each.id for each in bare]
    (first, *_) = DateStamper().transform_documents([Document(page_content=text, metadata={"title": "Ours"})])
    assert first.metadata["title"] == "Ours"


def test_what_was_so_on_a_day_is_told_from_a_journal_in_a_store() -> None:
    text = "2023-02-01\nThe rent of the boathouse is 40 euros.\n\n2024-03-01\nThe rent of the boathouse is 55 euros.\n"
    stamped = DateStamper().transform_documents([Document(page_content=text, metadata={"source": "rent.md"})])
    store = InMemoryVectorStore.from_documents(stamped, LexicalEmbeddings())
    retriever = TemporalRetriever(retriever=store, k=1, reranker=TemporalReranker(embeddings=LexicalEmbeddings()))
    asked = "What is the rent of the boathouse?"
    for day, rent in (("2023-06-01", "40 euros"), ("2024-06-01", "55 euros")):
        assert rent in retriever.invoke({"question": asked, "as_of": day})[0].page_content


def test_llama_index_nodes_of_a_journal_are_its_entries_and_name_their_document() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import Document as LlamaDocument
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.schema import TextNode

    from llama_index.node_parser.dateline import DateStamper as NodeDateStamper

    document = LlamaDocument(text=JOURNAL, doc_id="pump")
    before = document.model_dump()
    pipeline = IngestionPipeline(
        transformations=[NodeDateStamper(), SentenceSplitter(), NodeDateStamper()], disable_cache=True
    )
    nodes = pipeline.run(documents=[document])
    assert [node.metadata.get("dateline_date") for node in nodes[1:]] == ["2024-03-01", "2024-04-02"]
    assert document.model_dump() == before

    alone = TextNode(text=JOURNAL, id_="n1", embedding=[1.0])
    entries = NodeDateStamper()([alone])
    assert len({node.node_id for node in entries}) == len(entries) == 3
    assert {node.ref_doc_id for node in entries} == {"n1"}
    assert all(node.embedding is None for node in entries)
    assert [node.node_id for node in NodeDateStamper()([alone])] == [node.node_id for node in entries]
    assert (alone.text, alone.embedding) == (JOURNAL, [1.0])


def test_a_document_with_an_image_keeps_it_and_is_stamped() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.schema import Document as LlamaDocument
    from llama_index.core.schema import ImageDocument, ImageNode, MediaResource

    from llama_index.node_parser.dateline import DateStamper as NodeDateStamper

    given = ImageDocument(text="The bridge is closed.", image="aGk=", metadata={"date": "2021-03-02"})
    sound = LlamaDocument(audio_resource=MediaResource(data=b"aGk="), metadata={"date": "2019"})
    before = [given.model_dump_json(), sound.model_dump_json()]
    stamped, heard = NodeDateStamper(embeddings=LexicalEmbeddings())([given, sound])
    assert [stamped.metadata["dateline_date"], heard.metadata["dateline_date"]] == ["2021-03-02", "2019"]
    assert isinstance(stamped, ImageDocument)
    assert (stamped.image, stamped.get_content()) == (given.image, given.text)
    assert isinstance(heard, LlamaDocument)
    assert heard.audio_resource == sound.audio_resource
    assert [given.model_dump_json(), sound.model_dump_json()] == before
    (node,) = SentenceSplitter()([stamped])
    assert isinstance(node, ImageNode)
    assert node.image == given.image


def test_a_stamped_document_is_retrieved_as_text_and_can_be_taken_out_again() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core import Document as LlamaDocument
    from llama_index.core import VectorStoreIndex

    from llama_index.embeddings.dateline import LocalEmbedding
    from llama_index.node_parser.dateline import DateStamper as NodeDateStamper

    given = [LlamaDocument(text="The office is at 3 Quay Street.", id_="office", metadata={"date": "2021-03-02"})]
    (node,) = NodeDateStamper(embeddings=LexicalEmbeddings())(given)
    index = VectorStoreIndex([node], embed_model=LocalEmbedding(LexicalEmbeddings()))
    (found,) = index.as_retriever().retrieve("Where is the office?")
    assert found.text == given[0].text
    index.delete_ref_doc("office")
    assert not index.as_retriever().retrieve("Where is the office?")
