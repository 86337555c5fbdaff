"""What is to be known beside an answer stands in the text that each face gives its user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import VectorStoreIndex
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import TextNode

from dateline.text import default_embeddings
from dateline_cli.show import SafeConsole, show_report
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph
from dateline_graphs.page import render
from dateline_graphs.tool import readable
from langchain_dateline import AdaptiveRetriever, CertaintyGate, ReaderRunnable
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.query_engine.dateline import AnswerQueryEngine, CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import TemporalRetriever
from llama_index.workflow.dateline import AnswerWorkflow

NOTES = {
    "2022-05-02-rooms": "A room in the guest house costs 40 euros a night.",
    "2024-01-15-rooms": "From 1 June 2024 a room in the guest house costs 48 euros a night.",
    "2023-03-01-garden": "The garden of the guest house has a new pond.",
}
ASKED, DAY = "What does a room in the guest house cost a night?", "2024-02-01"
ANNOUNCED = "Announced from 2024-06-01: 48 euros."
LATER, DIFFERENCE = "2024-07-01", "By how much did a room in the guest house rise a night?"
GUESSED = "Who is the king of Norway?"


def index() -> VectorStoreIndex:
    nodes = [TextNode(text=text, metadata={"date": name[:10]}) for name, text in NOTES.items()]
    return VectorStoreIndex(nodes, embed_model=LocalEmbedding())


def by_engine(question: str) -> str:
    retriever = TemporalRetriever(index(), as_of=DAY)
    engine = RetrieverQueryEngine(retriever, response_synthesizer=ReaderSynthesizer())
    return str(CertaintyQueryEngine.from_engine(engine).query(question))


def by_workflow(question: str) -> str:
    return str(AnswerQueryEngine(AnswerWorkflow(index()), as_of=DAY).query(question))


def by_chain(question: str) -> str:
    documents = [Document(text, metadata={"date": name[:10]}) for name, text in NOTES.items()]
    store = InMemoryVectorStore.from_documents(documents, default_embeddings())
    retriever = AdaptiveRetriever(retriever=store, as_of=DAY)
    chain = {"question": RunnablePassthrough(), "documents": retriever} | ReaderRunnable()
    return str(CertaintyGate(chain=chain, retriever=retriever).invoke(question)["answer"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("notes")
    for name, text in NOTES.items():
        (made / f"{name}.md").write_text(text, encoding="utf-8")
    return made


def state(question: str, folder: Path, *, as_of: str = DAY) -> dict[str, Any]:
    asked = {"messages": [("user", question)], "as_of": as_of}
    return answer_graph().compile().invoke(asked, context=AnswerOptions(docs=str(folder)))


@pytest.mark.parametrize("face", [by_engine, by_workflow, by_chain])
def test_a_gated_app_tells_what_is_announced_and_why_a_guess_is_one(face: Any) -> None:
    assert "40 euros" in face(ASKED)
    assert face(ASKED).endswith(f" {ANNOUNCED}")
    assert ". Why not trusted: " in face(GUESSED)


def test_the_graph_says_in_a_chat_to_a_tool_and_on_the_command_line_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for question in (ASKED, GUESSED):
        given = state(question, folder)
        report = AnswerReport.model_validate(given["report"])
        assert report.remarks
        show_report(report, console=SafeConsole(width=500))
        printed = capsys.readouterr().out
        for remark in report.remarks:
            assert remark in given["messages"][-1].text + "."
            assert f"{remark[0].lower()}{remark[1:]}" in readable(report)
            assert remark in printed
    assert AnswerReport.model_validate(state(ASKED, folder)["report"]).remarks[-1] == ANNOUNCED


def shown(report: AnswerReport, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What the command prints, and the page."""
    show_report(report, console=SafeConsole(width=500))
    return capsys.readouterr().out, render(report)


def test_the_command_and_the_page_show_how_an_answer_was_worked_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = AnswerReport.model_validate(state(ASKED, folder)["report"])
    told = plain.model_copy(update={"reading": plain.reading.model_copy(update={"reasoning": "4 + 2 = 6"})})
    withheld = told.model_copy(update={"answer": ""})
    for report, some in ((plain, False), (told, True), (withheld, False)):
        printed, page = shown(report, capsys)
        assert ("Reasoning: 4 + 2 = 6\n" in printed) == some
        assert ("4 + 2 = 6" in page) == some


def test_a_value_read_in_place_of_a_difference_is_doubted_for_that(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = AnswerReport.model_validate(state(DIFFERENCE, folder, as_of=LATER)["report"])
    assert report.guess
    why = "a difference is asked for that could not be planned, and this is one value"
    printed, page = shown(report, capsys)
    assert f"Why not trusted: {why}.\n" in printed
    assert why in page
    assert "Reasoning: " not in printed


def test_the_command_counts_pieces_of_next_to_no_score_and_shows_the_others(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = AnswerReport.model_validate(state(ASKED, folder)["report"])
    little = given.evidence[0].model_copy(update={"id": "little", "title": "Little", "score": 0.01, "used": False})
    report = given.model_copy(update={"evidence": (*given.evidence, little)})
    for each, some in ((report, True), (given.model_copy(update={"evidence": (little,)}), False)):
        show_report(each, console=SafeConsole(width=500))
        printed = capsys.readouterr().out
        assert ("more piece" in printed) == some
        assert ("Little" in printed) != some
