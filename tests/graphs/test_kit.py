"""Nodes made of plain functions: the same sync and async, timed, streamed, with components made once."""

from __future__ import annotations

import asyncio
import operator
import time
from pathlib import Path
from typing import Annotated, Any

import pytest
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from dateline import BadInput, Cost, Step
from dateline.flow import Flow, call
from dateline.search import watch
from dateline.search.watch import folder_state
from dateline_graphs import AnswerOptions
from dateline_graphs.kit import Node, Update, bind, made_once, update


class Heard(TypedDict, total=False):
    schema_version: int
    said: str
    steps: Annotated[list[dict[str, Any]], operator.add]


def loud(state: Heard, mark: str) -> Flow[Update]:
    said = yield from call(state["said"].upper)
    before = Step(name="before", summary="slow", cost=Cost(seconds=0.25))
    return update(before, Step(name="loud", summary="said loudly"), said=said + mark)


def quiet(state: Heard) -> Update:
    return update(Step(name="quiet", summary="said quietly"), said=state["said"].lower())


def graph_of(node: Node, **options: Any) -> Any:
    graph = StateGraph(Heard, AnswerOptions)
    graph.add_node("node", bind(node, **options))
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    return graph.compile()


@pytest.mark.parametrize(("node", "said"), [(loud, "WHO?!"), (quiet, "who?")])
def test_a_node_says_the_same_sync_and_async_and_streams_what_it_keeps(node: Node, said: str) -> None:
    graph = graph_of(node, components="!")
    given = list(graph.stream({"said": "Who?"}, stream_mode=["custom", "values"]))
    result = given[-1][1]
    assert result["said"] == asyncio.run(graph.ainvoke({"said": "Who?"}))["said"] == said
    assert [step for mode, step in given if mode == "custom"] == result["steps"]


def test_the_steps_of_a_node_take_its_time_together_and_no_more() -> None:
    def slow(state: Heard) -> Update:
        time.sleep(0.05)
        return update(Step(name="a", summary="", cost=Cost(seconds=0.03)), Step(name="b", summary=""))

    started = time.perf_counter()
    steps = graph_of(slow).invoke({"said": ""})["steps"]
    assert 0.05 <= sum(step["cost"]["seconds"] for step in steps) <= time.perf_counter() - started


def test_components_are_made_of_the_options_of_the_run_where_none_are_given() -> None:
    graph = graph_of(loud, make=lambda options: "?" if options is None else "!" * options.k)
    assert graph.invoke({"said": "Who"})["said"] == "WHO?"
    assert asyncio.run(graph.ainvoke({"said": "Who"}, context=AnswerOptions(k=2)))["said"] == "WHO!!"


def test_only_the_node_that_begins_takes_the_state_of_another_version() -> None:
    old = {"said": "Who?", "schema_version": 1}
    assert graph_of(quiet, begins=True).invoke(old)["said"] == "who?"
    with pytest.raises(BadInput, match="schema 1"):
        graph_of(quiet).invoke(old)


def test_parts_are_made_again_only_for_other_options_or_a_changed_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "FRESH_SECONDS", 1e-9)
    made = made_once(AnswerOptions)(lambda options: object())
    options = AnswerOptions(docs=str(tmp_path))
    first = made(options)
    assert made(AnswerOptions(docs=str(tmp_path))) is first
    assert made(options.replaced(k=7)) is not first
    assert made() is made(None) is made(AnswerOptions())
    (tmp_path / "note.txt").write_text("Eva Lund is the mayor.", encoding="utf-8")
    assert made(options) is not first


def test_a_folder_that_is_not_there_has_a_state_too(tmp_path: Path) -> None:
    assert folder_state(str(tmp_path / "none")) == folder_state("")


def test_forms_show_no_examples_for_python() -> None:
    from pydantic import TypeAdapter

    from dateline_graphs import AnswerOptions

    assert TypeAdapter(AnswerOptions).json_schema()["description"] == "Options of the answer graph."
