"""FreshPrompt, FreshEval and dated evidence inside LangChain's own chains."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompt_values import ChatPromptValue
from langchain_core.runnables import RunnablePassthrough

from dateline.chat import material_of
from dateline.errors import BadInput, ModelFailed, SearchFailed
from dateline.evaluation import Judgement
from dateline.evidence import FreshPrompt, Sizes
from dateline.records import Evidence
from dateline.search import FolderSearch
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import EvidenceRetriever, FreshEval, FreshPromptTemplate
from langchain_dateline.evidence import dated_document, evidence_from
from langchain_dateline.testing import ScriptedChatModel

NOW = datetime(2024, 5, 1, tzinfo=UTC)
QUESTION = "Who leads the choir?"
OLD = Evidence.make("Ana Bell leads the choir.", title="Choir", published=Interval.of_day(2019, 2, 3))
NEW = Evidence.make("Tom Reyes leads the choir.", title="Choir", published=Interval.of_day(2023, 2, 3))
LATER = Evidence.make("Mia Lund leads the choir.", title="Choir", published=Interval.of_day(2025, 2, 3))
UNDATED = Evidence.make("Choirs sing.", url="https://example.org/choirs", highlights=("sing",), kind="organic")
PIECES = [NEW, UNDATED, OLD]
SEARCH = FixedSearch(PIECES)


def template(**settings: Any) -> FreshPromptTemplate:
    return FreshPromptTemplate(as_of=NOW, **settings)


def retriever(**settings: Any) -> EvidenceRetriever:
    return EvidenceRetriever(search=FixedSearch(PIECES), as_of=NOW, **settings)


@pytest.mark.parametrize("name", ["context", "documents"])
def test_documents_that_are_filled_in_before_are_read(name: str) -> None:
    filled = template().partial(**{name: [dated_document(OLD)]})
    for asked in (QUESTION, {"question": QUESTION}, {"input": QUESTION}):
        assert OLD.text in filled.invoke(asked).to_string()
    said = template().partial(question=QUESTION).invoke({"context": [dated_document(OLD)]})
    assert OLD.text in said.to_string()


# -- evidence ---------------------------------------------------------------------------------


def test_evidence_comes_oldest_to_newest_with_its_rank() -> None:
    found = retriever().invoke(QUESTION)
    assert [each.page_content for each in found] == ["Choirs sing.", OLD.text, NEW.text]
    assert [each.metadata["position"] for each in found] == [1, 2, 0]
    assert found[2].metadata["published"] == "2023-02-03"
    assert "published" not in found[0].metadata


async def test_the_async_twin_finds_the_same_and_asks_the_engine_asynchronously() -> None:
    assert await retriever().ainvoke(QUESTION) == retriever().invoke(QUESTION)


@pytest.mark.parametrize(("order", "first"), [("time", "Choirs sing."), ("search", OLD.text)])
def test_the_order_can_be_chosen(order: str, first: str) -> None:
    assert retriever(order=order).invoke(QUESTION)[0].page_content == first


def test_the_asking_day_can_be_given_with_the_call() -> None:
    pieces = [NEW, LATER]
    engine = FolderSearch(pieces, embeddings=LexicalEmbeddings())
    asked = EvidenceRetriever(search=engine, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    assert len(asked.invoke(QUESTION, as_of=NOW)) == 1
    assert len(asked.invoke(QUESTION)) == 2


def test_a_failing_search_is_told_as_such() -> None:
    failing = EvidenceRetriever(search=FixedSearch(error=SearchFailed("No answer.")), as_of=NOW)
    with pytest.raises(SearchFailed, match="No answer"):
        failing.invoke(QUESTION)


@given(
    st.lists(
        st.builds(
            Evidence.make,
            st.text(),
            # Names are read without the blanks around them.
            title=st.text(max_size=9).map(str.strip),
            source=st.text(max_size=9).map(str.strip),
            url=st.sampled_from(["", "https://example.org/a"]),
            highlights=st.lists(st.text(max_size=5), max_size=2).map(tuple),
            kind=st.sampled_from(["organic", "answer_box", "fact"]),
            published=st.one_of(st.none(), st.integers(1900, 2100).map(Interval.of_year)),
        ),
        max_size=5,
    )
)
def test_evidence_survives_the_way_through_documents(pieces: list[Evidence]) -> None:
    ranked = [each.model_copy(update={"position": place}) for place, each in enumerate(pieces)]
    back = evidence_from([dated_document(each) for each in reversed(ranked)])
    assert [each.model_copy(update={"id": ""}) for each in back] == [
        each.model_copy(update={"id": ""}) for each in ranked
    ]


@pytest.mark.parametrize(
    "metadata", [{}, {"kind": "picture"}, {"position": "first"}, {"position": True}, {"highlights": 3}, {"kind": ["x"]}]
)
def test_foreign_metadata_are_read_tolerantly(metadata: dict[str, Any]) -> None:
    (read,) = evidence_from([Document("Text.", metadata=metadata)])
    assert (read.text, read.kind, read.position) == ("Text.", "document", None)


# -- FreshPrompt ------------------------------------------------------------------------------


def test_it_builds_the_very_prompt_of_the_core() -> None:
    value = template(sizes="small").invoke({"question": QUESTION, "evidence": PIECES})
    built = FreshPrompt(sizes="small").build(decompose(QUESTION, as_of=NOW), evidence=PIECES)
    assert isinstance(value, ChatPromptValue)
    assert value.to_messages() == built.messages()


async def test_documents_of_a_retriever_give_the_same_prompt_sync_and_async() -> None:
    given_documents = {"question": QUESTION, "documents": retriever().invoke(QUESTION)}
    direct = template().invoke({"question": QUESTION, "evidence": PIECES})
    assert template().invoke(given_documents) == direct == await template().ainvoke(given_documents)


@pytest.mark.parametrize(
    ("settings", "inside"),
    [
        ({"check_premise": True}, "granted"),
        ({"style": "verbose"}, "full sentences"),
        ({"sizes": Sizes(1, 0, 0, 1, 1)}, "example 1"),
        ({"order": "search"}, "example 5"),
    ],
)
def test_every_setting_reaches_the_prompt(settings: dict[str, Any], inside: str) -> None:
    plain, changed = (
        each.invoke({"question": QUESTION, "evidence": PIECES}).to_string()
        for each in (template(), template(**settings))
    )
    assert inside in changed
    assert plain != changed


def test_a_budget_and_a_counter_of_ones_own_are_kept() -> None:
    long = [Evidence.make(f"{number} " * 300, published=Interval.of_year(2000 + number)) for number in range(10)]
    built = template(budget=900, count=lambda text: len(text) // 4).build(question=QUESTION, evidence=long)
    assert built.tokens <= 900
    assert built.dropped


def test_the_asking_day_is_taken_from_the_call_the_partial_the_setting_or_the_clock() -> None:
    def day(prompt: Any, **more: Any) -> str:
        return material_of(prompt.invoke({"question": QUESTION, **more}).to_messages()).split("\n")[-2]

    assert "May 1, 2024" in day(FreshPromptTemplate(clock=lambda: NOW))
    assert "Jan 2, 2020" in day(template(), as_of="2020-01-02")
    assert "Jan 2, 2020" in day(template(), as_of=datetime(2020, 1, 2, tzinfo=UTC))
    assert "Jan 2, 2020" in day(template().partial(as_of="2020-01-02"))


def test_it_stands_in_a_chain_between_a_retriever_and_a_model() -> None:
    model = ScriptedChatModel(replies=["answer: Tom Reyes"])
    chain = (
        {"question": RunnablePassthrough(), "documents": retriever()} | template(sizes="small") | model | StrOutputParser()
    )  # fmt: skip
    assert chain.invoke(QUESTION) == "answer: Tom Reyes"
    user = str(model.history[0][1].content)
    assert user.index("Ana Bell") < user.index("Tom Reyes") < user.index(QUESTION)


def test_no_document_is_changed() -> None:
    documents = retriever().invoke(QUESTION)
    before = copy.deepcopy(documents)
    template().invoke({"question": QUESTION, "documents": documents})
    assert documents == before


@pytest.mark.parametrize(
    "bad",
    [
        {"question": " "},
        {"question": QUESTION, "as_of": "soon"},
        {"question": QUESTION, "as_of": datetime(2024, 1, 1)},
        {"question": QUESTION, "documents": [Document("A")], "evidence": [OLD]},
    ],
)
def test_input_that_cannot_be_understood_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        template().invoke(bad)


def test_a_question_is_needed() -> None:
    with pytest.raises(KeyError, match="question"):
        template().invoke({"documents": []})


@pytest.mark.parametrize(
    "build",
    [
        lambda: template(budget=3),
        lambda: template(order="date"),
        lambda: template(sizes="huge"),
        lambda: EvidenceRetriever(search="https://example.org"),  # type: ignore[arg-type]
        lambda: retriever(k=0),
        lambda: FreshEval(mode="lax"),  # type: ignore[arg-type]
        lambda: FreshEval(tries=0),
    ],
)
def test_bad_settings_are_refused_while_building(build: Any) -> None:
    with pytest.raises(BadInput):
        build()


# -- FreshEval --------------------------------------------------------------------------------

CASE: Any = {"question": QUESTION, "answer": "Tom Reyes", "golds": ["Tom Reyes"]}
WRONG: Any = {**CASE, "answer": "Ana Bell"}


def test_answers_are_judged_one_by_one_and_in_batches() -> None:
    judge = FreshEval(mode="strict")
    assert judge.invoke(CASE).correct is True
    assert [each.correct for each in judge.batch([CASE, WRONG, CASE])] == [True, False, True]


async def test_the_async_twin_and_its_batches_judge_the_same() -> None:
    model = ScriptedChatModel(replies=["comment: fine\nverdict: credit"])
    judge = FreshEval(model=model)
    found = await judge.abatch([CASE, WRONG], config={"max_concurrency": 2})
    assert [each.correct for each in found] == [True, True]
    assert (await judge.ainvoke(CASE)).reason == "fine"
    assert len(model.history) == 3


def test_a_reply_that_cannot_be_read_is_undecided() -> None:
    model = ScriptedChatModel(replies=["hm"])
    found = FreshEval(model=model, tries=3).invoke(CASE)
    assert (found.correct, len(model.history)) == (None, 3)


def test_it_judges_what_a_chain_answered() -> None:
    chain = RunnablePassthrough.assign(answer=lambda asked: "Tom Reyes") | FreshEval()
    judged = chain.invoke({"question": QUESTION, "golds": ["Tom Reyes"]})
    assert isinstance(judged, Judgement)
    assert judged.correct is True


def test_calls_of_the_model_are_traced_as_children() -> None:
    class Seen(BaseCallbackHandler):
        parents: list[Any]

        def __init__(self) -> None:
            self.parents = []

        def on_chat_model_start(self, *args: Any, parent_run_id: Any = None, **kwargs: Any) -> None:
            self.parents.append(parent_run_id)

    seen = Seen()
    model = ScriptedChatModel(replies=["verdict: credit"])
    FreshEval(model=model).invoke(CASE, config={"callbacks": [seen]})
    assert len(seen.parents) == 1
    assert seen.parents[0] is not None


@pytest.mark.parametrize("bad", [{"question": QUESTION}, {**CASE, "gold": "Tom"}, {**CASE, "golds": []}])
def test_a_case_that_is_not_whole_is_refused(bad: Any) -> None:
    with pytest.raises(BadInput):
        FreshEval().invoke(bad)


def test_a_failing_model_fails_the_judgement_and_not_silently() -> None:
    with pytest.raises(ModelFailed):
        FreshEval(model=ScriptedChatModel(replies=[RuntimeError("down")])).invoke(CASE)


def test_a_folder_of_documents_answers_through_the_whole_chain(changed_fact: Path) -> None:
    engine = FolderSearch.open(changed_fact, embeddings=LexicalEmbeddings())
    found = EvidenceRetriever(search=engine, as_of=NOW, k=2).invoke("Who directs the Northern Observatory?")
    assert [each.metadata["published"] for each in found] == ["2015-03-02", "2021-09-14"]
