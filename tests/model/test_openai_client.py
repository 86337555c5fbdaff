"""OpenAI's real client of LangChain against a server on this machine, kind or unkind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from pydantic import BaseModel
from speaking import NOTES, QUESTION, READING, SPEAKERS, heard

pytest.importorskip("langchain_openai")

from langchain_openai import ChatOpenAI

from dateline import BadInput
from dateline.certainty.logprobs import LogprobEstimator
from dateline.reading import ChatReader
from dateline.testing import OpenAIServer
from dateline_cli.main import main
from langchain_dateline.middleware import DatelineMiddleware
from langchain_dateline.testing import AnsweringChatModel, calls_tool

ANSWER = "answer: Carl Dahl\nevidence: E2"
NOW = datetime(2024, 6, 1, tzinfo=UTC)


@contextmanager
def served(*replies: Any, **switches: Any) -> Iterator[tuple[OpenAIServer, ChatOpenAI]]:
    """A server with its client."""
    with OpenAIServer(replies, **switches) as server:
        yield server, ChatOpenAI(model="local", base_url=server.url, api_key="none", max_retries=0, timeout=30)  # type: ignore[arg-type]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """A server where OPENAI_BASE_URL points."""
    with OpenAIServer([ANSWER]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield server


class Mayor(BaseModel):
    name: str
    since: int
    terms: list[str]


def test_replies_come_whole_and_in_pieces_with_usage_and_log_probabilities() -> None:
    with served("Carl Dahl leads it.", "Anna Berg did.") as (server, model):
        whole = model.bind(logprobs=True, top_logprobs=2).invoke(QUESTION.text)
        assert whole.text == "Carl Dahl leads it."
        assert [one["token"] for one in whole.response_metadata["logprobs"]["content"]] == [
            "Carl",
            " Dahl",
            " leads",
            " it.",
        ]
        pieces = list(model.stream("And before?", stream_usage=True))
        assert "".join(piece.text for piece in pieces) == "Anna Berg did."
        assert len([piece for piece in pieces if piece.text]) == 3
        assert sum((piece.usage_metadata or {}).get("output_tokens", 0) for piece in pieces) > 0
        assert [request["messages"][-1]["content"] for request in server.requests] == [QUESTION.text, "And before?"]


async def test_replies_come_in_pieces_without_blocking() -> None:
    with served("Carl Dahl leads it.") as (_, model):
        assert "".join([piece.text async for piece in model.astream("Who?")]) == "Carl Dahl leads it."


def test_a_schema_is_honoured_ignored_or_refused() -> None:
    with served("I do not know.") as (_, model):
        assert model.with_structured_output(Mayor).invoke("Who?") == Mayor(name="", since=0, terms=[])
    with served("I do not know.", schemas="ignore") as (_, model), pytest.raises(ValueError):  # noqa: PT011
        model.with_structured_output(Mayor).invoke("Who?")
    with served("I do not know.", schemas="refuse") as (_, model), pytest.raises(Exception, match="json_schema"):
        model.with_structured_output(Mayor).invoke("Who?")
    told = {"name": "Ada", "since": 2019, "terms": ["first"]}
    with served(json.dumps(told)) as (_, model):
        assert model.with_structured_output(Mayor).invoke("Who?") == Mayor(**told)


def test_turns_that_do_not_alternate_are_refused_where_the_server_is_strict() -> None:
    with served("Yes.", alternating=True) as (_, model):
        assert model.invoke([("system", "Be brief."), ("user", "Who?")]).text == "Yes."
        with pytest.raises(Exception, match="must alternate"):
            model.invoke([("user", "Who?"), ("user", "Say!")])


def test_any_chat_model_can_stand_behind_it_and_errors_are_told() -> None:
    behind = AnsweringChatModel(respond=lambda messages: f"{len(messages)} messages")
    with served(model=behind) as (_, model):
        assert (
            model.invoke([("system", "Count."), ("user", "Go."), ("ai", "2"), ("user", "Again.")]).text == "4 messages"
        )
    with served(ValueError("out of memory")) as (_, model), pytest.raises(Exception, match="out of memory"):
        model.invoke("Who?")


def test_what_is_no_request_is_refused() -> None:
    with OpenAIServer(["Yes."]) as server:
        assert json.load(urlopen(f"{server.url}/models"))["data"][0]["id"] == "local"
        for path, body in (("/chat/completions", b"{"), ("/chat/completions", b"[]"), ("/nowhere", b"{}")):
            with pytest.raises(OSError, match=r"40[04]"):
                urlopen(Request(server.url + path, data=body))
    with pytest.raises(BadInput, match="give one of them"):
        OpenAIServer()
    with pytest.raises(BadInput, match="honour, ignore, refuse"):
        OpenAIServer(["Yes."], schemas="maybe")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "switches",
    [{}, {"schemas": "ignore"}, {"schemas": "refuse", "logprobs": False}],
    ids=["kind", "without schemas", "refusing schemas and log-probabilities"],
)
@pytest.mark.parametrize("name", SPEAKERS)
def test_on_every_path_a_server_that_babbles_is_asked_a_bounded_number_of_times(
    name: str, switches: dict[str, Any]
) -> None:
    with served("Sure! I would love to help you with that.", **switches) as (_, client):
        model, calls = heard(client)
        SPEAKERS[name].asks(model)
        assert 1 <= calls.count <= SPEAKERS[name].most


def test_ask_reads_through_it_and_reports_its_tokens(
    environment: OpenAIServer, changed_fact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--docs", str(changed_fact), "--as-of", "2022", "--model", "openai:local", "--json"]
    assert main(["ask", QUESTION.text, *given]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["answer"] == "Carl Dahl"
    assert report["cost"]["input_tokens"] > 0
    assert "Northern Observatory" in json.dumps(environment.requests[0])


def test_facts_learn_through_it_and_believe_no_babble(
    environment: OpenAIServer, changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "facts")
    assert main(["facts", "remember", store, "Halvik library", "opening day", "Sunday"]) == 0
    environment.replies[:] = ["Of course!"]
    assert main(["facts", "add", store, str(changed_fact), "--model", "openai:local"]) == 0
    capsys.readouterr()
    assert main(["facts", "at", store, "--json"]) == 0
    (fact,) = json.loads(capsys.readouterr().out)
    assert "Sunday" in json.dumps(fact)
    assert environment.requests


def test_an_agent_with_middleware_calls_its_tool_and_streams_its_answer() -> None:
    @tool
    def web_search(query: str) -> str:
        """Search the web."""
        return json.dumps(
            [{"title": "Head", "snippet": NOTES[1].text, "date": "2021-09-14", "link": "https://a.example"}]
        )

    calls: AIMessage = calls_tool("web_search", query="director observatory")
    with served(calls, "Carl Dahl is the director.") as (server, model):
        agent = create_agent(model, tools=[web_search], middleware=[DatelineMiddleware(as_of=NOW)])
        said = "".join(
            str(piece.text)
            for piece, told in agent.stream({"messages": [("user", QUESTION.text)]}, stream_mode="messages")
            if told["langgraph_node"] == "model"
        )
        assert said.startswith("Carl Dahl is the director.")
        assert len(server.requests) == 2
        assert "Sep 14, 2021" in json.dumps(server.requests[1]["messages"])


def test_letters_are_weighed_by_the_log_probabilities_that_it_tells() -> None:
    place = {"token": "A", "logprob": -0.2, "bytes": [65]}
    other = {"token": "C", "logprob": -1.8, "bytes": [67]}
    letter = AIMessage("A", response_metadata={"logprobs": {"content": [{**place, "top_logprobs": [place, other]}]}})
    with served(letter) as (_, model):
        found = LogprobEstimator(model).estimate(QUESTION, evidence=NOTES, reading=READING)
    assert found.reliable == pytest.approx(0.83, abs=0.01)
    assert found.misleading + found.uncertain == pytest.approx(1 - found.reliable)


def test_a_reader_reads_its_answer() -> None:
    with served(ANSWER) as (_, model):
        reading = ChatReader(model).read(QUESTION, evidence=NOTES).reading
    assert reading.answer == "Carl Dahl"
    assert reading.evidence_ids
