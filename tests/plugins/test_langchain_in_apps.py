"""dateline's parts for LangChain given what apps give: generators, wrappers, chats as pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import BadInput, Evidence, Interval
from dateline.reading import ExtractiveReader
from dateline.reading.history import Turn
from dateline.temporal import asked_at
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import (
    AdaptiveRetriever,
    AskedAt,
    AuditedDocuments,
    DatedDocuments,
    DateStamper,
    EvidenceRetriever,
    FreshPromptTemplate,
    ReaderRunnable,
    StandaloneQuestion,
    TemporalReranker,
    TemporalRetriever,
    dated_context,
)
from langchain_dateline.documents import numbered
from langchain_dateline.evidence import evidence_from
from langchain_dateline.testing import ScriptedChatModel

LEXICAL = LexicalEmbeddings()
ASKED = "Who leads Acme?"


def notes() -> list[Document]:
    return [
        Document(f"{who} leads Acme.", metadata={"date": when, "dateline_asked": "2022-06-01T12:00:00+00:00"})
        for who, when in (("Ana", "2015"), ("Ben", "2021"), ("Eve", "2023"))
    ]


class Notes(BaseLoader):
    """Gives its documents one by one, as LangChain's loaders do."""

    def lazy_load(self) -> Iterator[Document]:
        yield from notes()


TAKERS: dict[str, Callable[[Any], Any]] = {
    "stamper": DateStamper(prepare=False).transform_documents,
    "context": dated_context,
    "dated": DatedDocuments().compress_documents,
    "dated, with later ones": DatedDocuments(keep_later=True).transform_documents,
    "reranker": lambda given: TemporalReranker(embeddings=LEXICAL, as_of="2022").compress_documents(given, ASKED),
    "reranker, with later ones": lambda given: TemporalReranker(embeddings=LEXICAL, keep_later=True).compress_documents(
        given, ASKED
    ),
    "prompt": lambda given: FreshPromptTemplate().invoke({"question": ASKED, "documents": given}).to_messages(),
    "prompt's context": lambda given: FreshPromptTemplate().invoke({"question": ASKED, "context": given}).to_messages(),
    "reader": lambda given: {
        **ReaderRunnable(reader=ExtractiveReader()).invoke({"question": ASKED, "documents": given}),
        "cost": None,
    },
    "audit": lambda given: AuditedDocuments().invoke({"question": ASKED, "documents": given}),
    "numbered": numbered,
    "evidence": evidence_from,
}


@pytest.mark.parametrize("name", TAKERS)
def test_documents_that_come_one_by_one_are_taken_as_a_list_is(name: str) -> None:
    wanted = TAKERS[name](notes())
    assert wanted
    assert TAKERS[name](Notes().lazy_load()) == wanted
    assert TAKERS[name](tuple(notes())) == wanted


def test_a_loader_that_is_read_lazily_loses_no_file(tmp_path: Path) -> None:
    loaders = pytest.importorskip("langchain_community.document_loaders")
    (tmp_path / "2021-03-02-acme.txt").write_text("Ben leads Acme.", encoding="utf-8")
    loaded = loaders.TextLoader(str(tmp_path / "2021-03-02-acme.txt")).lazy_load()
    (stamped,) = DateStamper(prepare=False).transform_documents(loaded)
    assert stamped.metadata["dateline_date"] == "2021-03-02"


def test_the_date_that_a_step_read_is_read_by_those_behind_it() -> None:
    given = [
        Document(f"{name} leads Acme.", metadata={"issued": f"{year}-03-02"})
        for name, year in (("Ana", 2015), ("Ben", 2021), ("Eve", 2023))
    ]
    store = InMemoryVectorStore.from_documents(given, LEXICAL)
    with asked_at("2022-06"):
        left = {
            "audit": AuditedDocuments(date_field="issued").invoke({"question": ASKED, "documents": given})["documents"],
            "dated": DatedDocuments(date_field="issued").transform_documents(given),
            "adaptive": AdaptiveRetriever(retriever=store, date_field="issued", embeddings=LEXICAL).invoke(ASKED),
        }
        dated = {name: dated_context(documents) for name, documents in left.items()}
    assert {name: ("Mar 2, 2015" in text, "Mar 2, 2021" in text, "2023" in text) for name, text in dated.items()} == (
        dict.fromkeys(left, (True, True, False))
    )
    assert all("date: unknown" not in text for name, text in dated.items() if name != "dated")


def test_the_order_of_a_ranking_counts_before_that_of_the_search_behind_it() -> None:
    found = [
        Evidence.make(f"{who} leads Acme.", published=Interval.of_year(year))
        for who, year in (("Ben", 2021), ("Ana", 2015))
    ]
    search = EvidenceRetriever(search=FixedSearch(found))
    ranked = TemporalRetriever(retriever=search, reranker=TemporalReranker(embeddings=LEXICAL), k=2)
    given = ranked.invoke("Who led Acme in 2015?")
    assert [each.page_content for each in given] == ["Ana leads Acme.", "Ben leads Acme."]
    assert [each.text for each in evidence_from(given)] == [each.page_content for each in given]
    again = AdaptiveRetriever(retriever=search, embeddings=LEXICAL, k=2)
    second = again.invoke(ASKED, answer="Ana", reliable=0.9, read=[Document("Nothing.")])
    assert [each.text for each in evidence_from(second)] == [each.page_content for each in second]
    assert [each.metadata["position"] for each in search.invoke(ASKED)] == [1, 0]


def test_a_position_that_an_app_wrote_is_no_rank_and_stays() -> None:
    chunks = [Document(f"Part {number}.", metadata={"position": number}) for number in (4, 0, 2)]
    assert [each.text for each in evidence_from(chunks)] == ["Part 4.", "Part 0.", "Part 2."]
    ranked = TemporalReranker(embeddings=LEXICAL).compress_documents(chunks, "What does part 2 say?")
    assert {each.page_content: each.metadata["position"] for each in ranked} == {
        "Part 4.": 4,
        "Part 0.": 0,
        "Part 2.": 2,
    }


def test_a_reranker_follows_the_asking_day_of_its_documents() -> None:
    given = [each for each in notes() if "Eve" not in each.page_content]
    reranker = TemporalReranker(embeddings=LEXICAL)
    ranked = reranker.compress_documents(given, "Who led Acme last year?")
    assert {each.metadata["dateline_asked"][:10] for each in ranked} == {"2022-06-01"}
    assert ranked[0].metadata["dateline_matched"] == "2021"
    assert dated_context(ranked).startswith("asked on: Jun 1, 2022")
    (later,) = reranker.model_copy(update={"as_of": "2016"}).compress_documents(given, ASKED)
    assert later.metadata["dateline_asked"].startswith("2016-12-31")


def wrapped(name: str) -> Any:
    """One of LangChain's own retrievers around one of dateline's."""
    theirs = pytest.importorskip("langchain_classic.retrievers")
    plain = [
        Document(f"{who} leads Acme.", metadata={"date": when}) for who, when in (("Ana", "2015"), ("Eve", "2021"))
    ]
    store = InMemoryVectorStore.from_documents(plain, LEXICAL)
    reranker = TemporalReranker(embeddings=LEXICAL, top_n=1)
    ours = TemporalRetriever(retriever=store, reranker=reranker, k=1)
    if name == "several queries":
        return theirs.MultiQueryRetriever.from_llm(retriever=ours, llm=ScriptedChatModel(replies=[ASKED] * 4))
    if name == "merger":
        return theirs.MergerRetriever(retrievers=[ours])
    if name == "ensemble":
        return theirs.EnsembleRetriever(retrievers=[ours], weights=[1.0])
    return theirs.ContextualCompressionRetriever(base_compressor=reranker, base_retriever=store.as_retriever())


@pytest.mark.parametrize("name", ["several queries", "merger", "ensemble", "compression"])
async def test_a_day_in_the_config_is_followed_inside_retrievers_that_hand_no_config_on(name: str) -> None:
    asked = AskedAt(chain=wrapped(name))
    config: Any = {"configurable": {"as_of": "2016"}}

    def names(found: list[Document]) -> list[str]:
        return [each.page_content for each in found]

    assert names(asked.invoke(ASKED, config)) == ["Ana leads Acme."]
    assert names(await asked.ainvoke(ASKED, config)) == ["Ana leads Acme."]
    assert [names(piece) for piece in asked.stream(ASKED, config)] == [["Ana leads Acme."]]
    assert [names(piece) async for piece in asked.astream(ASKED, config)] == [["Ana leads Acme."]]
    assert names((RunnableLambda(lambda question: question) | asked).invoke(ASKED, config)) == ["Ana leads Acme."]
    assert names(asked.invoke(ASKED)) == ["Eve leads Acme."]
    with asked_at("2016"):
        assert names(asked.invoke(ASKED)) == ["Ana leads Acme."]
        assert names(asked.invoke(ASKED, {"configurable": {"as_of": "2022"}})) == ["Eve leads Acme."]


def test_the_day_of_an_input_counts_before_the_one_in_the_config() -> None:
    chain = itemgetter("question") | wrapped("merger")
    given = {"question": ASKED, "as_of": "2016"}
    found = AskedAt(chain=chain).invoke(given, {"configurable": {"as_of": "2022"}})
    assert [each.page_content for each in found] == ["Ana leads Acme."]
    with pytest.raises(BadInput, match="did you mean as_of"):
        AskedAt(chain=chain).invoke({"question": ASKED}, {"configurable": {"asof": "2016"}})


CHATS: dict[str, Any] = {
    "pairs": [("human", "Who led Acme in 2021?"), ("ai", "Ben.")],
    "lists": [["user", "Who led Acme in 2021?"], ["assistant", "Ben."]],
    "messages": [HumanMessage("Who led Acme in 2021?"), AIMessage("Ben.")],
    "mixed": [("system", "Be brief."), HumanMessage("Who led Acme in 2021?"), {"role": "assistant", "content": "Ben."}],
    "roles of dateline's own": [
        {"role": "user", "content": "Who led Acme in 2021?"},
        {"role": "expert", "content": "Ben."},
    ],
    "turns": [Turn("user", "Who led Acme in 2021?"), Turn("assistant", "Ben.")],
}


@pytest.mark.parametrize("name", CHATS)
def test_a_chat_may_come_in_any_form_that_langchain_takes(name: str) -> None:
    given: Any = {"input": "And in 2015?", "chat_history": CHATS[name]}
    assert StandaloneQuestion(as_of="2024").invoke(given) == "Who led Acme in 2015?"
    step = ReaderRunnable(reader=ExtractiveReader(), as_of="2024")
    told = [Document(f"{who} led Acme in {year}.") for who, year in (("Ana Bell", 2015), ("Ben Hall", 2021))]
    asked: Any = {**given, "documents": told}
    assert step.invoke(asked)["answer"] == "Ana Bell"
