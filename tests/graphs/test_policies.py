"""Retry and cache policies of LangGraph on the nodes of the graphs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from langgraph.cache.memory import InMemoryCache
from langgraph.types import CachePolicy, RetryPolicy

from dateline import BadInput, Evidence, Interval, ModelFailed, Reading, SearchFailed
from dateline.protocols import ReadResult, SearchResult
from dateline.testing import FixedSearch, ScriptedReader
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.grow_graph import grow_graph
from dateline_graphs import AnswerOptions, answer_graph, generate_graph, self_mrag_graph, update_facts_graph
from dateline_graphs.components import Components, default_components

ASKED: Any = {"question": "Who is the director of Acme?", "as_of": "2022"}
PIECES = [Evidence.make("Carl Dahl is the director of Acme.", published=Interval.of_day(2021, 9, 14))]
AGAIN = RetryPolicy(retry_on=ModelFailed, initial_interval=0.001, max_attempts=3)


@dataclass
class FlakySearch(FixedSearch):
    """A search whose engine is down so many times."""

    failures: int = 0

    def search(self, *args: Any, **named: Any) -> SearchResult:
        found = super().search(*args, **named)
        self.failures -= 1
        if self.failures >= 0:
            raise SearchFailed("The engine is down.")
        return found


@dataclass
class Flaky(ScriptedReader):
    """A reader whose model fails so many times."""

    failures: int = 0

    def read(self, *args: Any, **named: Any) -> ReadResult:
        found = super().read(*args, **named)
        self.failures -= 1
        if self.failures >= 0:
            raise ModelFailed("The model did not answer.")
        return found


def parts(failures: int = 0, answer: str = "Carl Dahl") -> tuple[Components, FixedSearch, Flaky]:
    search = FixedSearch(PIECES)
    reader = Flaky([Reading(answer=answer, probability=0.9, evidence_ids=(PIECES[0].id,))], failures=failures)
    made = default_components(search=search, options=AnswerOptions(reader="rules"), embeddings=LexicalEmbeddings())
    return replace(made, reader=reader, clock=lambda: datetime(2024, 6, 1, tzinfo=UTC)), search, reader


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_node_that_fails_is_run_again_and_earlier_ones_are_not(asynchronous: bool) -> None:
    components, search, reader = parts(failures=2)
    graph = answer_graph(components, retry_policy=AGAIN).compile()
    report = (await graph.ainvoke(ASKED) if asynchronous else graph.invoke(ASKED))["report"]
    assert report["answer"] == "Carl Dahl"
    assert (len(search.history), len(reader.history)) == (1, 3)
    assert [step["name"] for step in report["steps"]].count("answer") == 1


def test_without_a_policy_a_failure_ends_the_run_and_with_one_its_attempts_are_bounded() -> None:
    for policy, tries in ((None, 1), (AGAIN, 3)):
        components, _, reader = parts(failures=9)
        with pytest.raises(ModelFailed):
            answer_graph(components, retry_policy=policy).compile().invoke(ASKED)
        assert len(reader.history) == tries


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_the_same_question_of_the_same_day_is_searched_and_read_once(asynchronous: bool) -> None:
    components, search, reader = parts()
    graph = answer_graph(components, cache_policy=CachePolicy(ttl=60)).compile(cache=InMemoryCache())

    async def ask(**changes: Any) -> Any:
        given: Any = {**ASKED, **changes}
        return (await graph.ainvoke(given) if asynchronous else graph.invoke(given))["report"]["answer"]

    assert [await ask(), await ask()] == ["Carl Dahl", "Carl Dahl"]
    assert (len(search.history), len(reader.history)) == (1, 1)
    await ask(as_of="2023")
    await ask(question="Who leads Acme?")
    assert (len(search.history), len(reader.history)) == (3, 3), "another day and another question are asked for"


def down(failures: int) -> tuple[Components, FlakySearch]:
    search = FlakySearch(PIECES, failures=failures)
    return replace(parts()[0], search=search), search


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_search_that_fails_is_run_again_and_told_only_after_the_last_attempt(asynchronous: bool) -> None:
    again = AGAIN._replace(retry_on=(ModelFailed, SearchFailed))
    for failures, policy, tries in ((2, again, 3), (9, again, 3), (9, [AGAIN, again], 3), (9, AGAIN, 1), (9, None, 1)):
        components, search = down(failures)
        graph = answer_graph(components, retry_policy=policy).compile()
        report = (await graph.ainvoke(ASKED) if asynchronous else graph.invoke(ASKED))["report"]
        assert len(search.history) == tries
        assert report["problems"] == ([] if failures == 2 else ["The engine is down."])
        assert bool(report["evidence"]) == (failures == 2)


@pytest.mark.parametrize("policy", [CachePolicy(), CachePolicy(key_func=lambda state: "always")])
@pytest.mark.parametrize("retry", [None, AGAIN._replace(retry_on=SearchFailed, max_attempts=2)])
@pytest.mark.parametrize("asynchronous", [False, True])
async def test_a_search_that_failed_is_not_kept(policy: Any, retry: Any, asynchronous: bool) -> None:
    components, search = down(4)
    graph = answer_graph(components, retry_policy=retry, cache_policy=policy).compile(cache=InMemoryCache())
    found = []
    for _ in range(6):
        state = await graph.ainvoke(ASKED) if asynchronous else graph.invoke(ASKED)
        found.append(len(state["report"]["evidence"]) + len(state["report"]["unread"]))
    failed = 2 if retry else 4
    assert found == [0] * failed + [1] * (6 - failed)
    assert len(search.history) == 5, "what was found is kept"


def test_two_graphs_of_other_parts_do_not_share_a_cache() -> None:
    cache: Any = InMemoryCache()
    answers = [
        answer_graph(parts(answer=answer)[0], cache_policy=CachePolicy()).compile(cache=cache).invoke(ASKED)["report"]
        for answer in ("Carl Dahl", "Anna Berg")
    ]
    assert [report["answer"] for report in answers] == ["Carl Dahl", "Anna Berg"]


def test_a_cache_over_parts_made_from_options_is_refused() -> None:
    with pytest.raises(BadInput, match="give components as well"):
        answer_graph(cache_policy=CachePolicy())


def test_a_key_of_ones_own_is_kept() -> None:
    components, search, _ = parts()
    policy: Any = CachePolicy(key_func=lambda state: "always")
    graph = answer_graph(components, cache_policy=policy).compile(cache=InMemoryCache())
    for year in ("2022", "2023"):
        graph.invoke({**ASKED, "as_of": year})
    assert len(search.history) == 1


@pytest.mark.parametrize("graph", [self_mrag_graph, update_facts_graph, generate_graph, grow_graph])
def test_the_other_graphs_take_a_retry_policy_too(graph: Any) -> None:
    made = graph(retry_policy=AGAIN)
    tried = {name for name, node in made.nodes.items() if node.retry_policy}
    assert set(made.nodes) - tried <= {"approve"}, "a person is not asked again by a policy"
