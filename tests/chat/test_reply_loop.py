"""Requests to a chat model are put until a reply can be used, a bounded number of times."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import SimpleChatModel
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import Field

from dateline.chat import ReplyLoop, UnusableReply, json_in, reply_text
from dateline.chat.model_identity import model_identity
from dateline.errors import BadInput, ModelFailed
from dateline.flow import arun, run
from langchain_dateline.testing import ScriptedChatModel

REQUEST = [HumanMessage("How many?")]
TURNS = ["human", "ai", "human"]


def number(reply: BaseMessage) -> int | None:
    """The number that a reply is; numbers below 0 are unusable, a word says nothing."""
    text = reply_text(reply)
    if text.startswith("-"):
        raise UnusableReply("it is below 0.")
    if text == "odd":
        raise RecursionError("deep")
    return int(text) if text.isdigit() else None


def test_a_reply_that_can_be_used_is_taken_at_once() -> None:
    model = ScriptedChatModel(replies=["7", "8"])
    told = ReplyLoop(model).ask(REQUEST, read=number)
    assert (told.value, told.problem, told.failed, told.text, told.tries) == (7, "", None, "7", 1)


@pytest.mark.parametrize("tries", [1, 2, 4])
@pytest.mark.parametrize("reply", ["", "a few", "odd", "-3"])
def test_a_reply_that_cannot_is_asked_for_again_so_many_times_and_no_more(reply: str, tries: int) -> None:
    model = ScriptedChatModel(replies=[reply] * 9)
    told = ReplyLoop(model, tries=tries).ask(REQUEST, read=number)
    assert (told.value, told.tries, told.cost.model_calls, len(model.history)) == (None, tries, tries, tries)
    assert told.problem
    assert told.failed is None


def test_the_second_request_says_what_was_wrong_with_the_first_reply() -> None:
    model = ScriptedChatModel(replies=["-3", "-2", "4"])
    told = ReplyLoop(model, tries=3).ask(REQUEST, read=number, again='No: {fault} Such as {{"n": 1}}.')
    assert told.value == 4
    assert [[message.type for message in messages] for messages in model.history] == [["human"], *[TURNS] * 2]
    assert [reply_text(messages[1]) for messages in model.history[1:]] == ["-3", "-2"]
    assert reply_text(model.history[1][-1]) == 'No: it is below 0. Such as {"n": 1}.'


def test_a_model_that_fails_is_not_asked_again_and_its_key_is_told_nobody() -> None:
    model = ScriptedChatModel(replies=[RuntimeError("bad key sk-verysecretvalue"), "7"])
    told = ReplyLoop(model, tries=3).ask(REQUEST, read=number)
    assert (told.value, told.tries, len(model.history)) == (None, 1, 1)
    assert told.problem == "the chat model failed with RuntimeError."
    with pytest.raises(ModelFailed, match="RuntimeError: bad") as raised:
        told.raise_for_failure()
    assert "verysecret" not in str(raised.value)
    assert raised.value.__context__ is None


async def test_async_and_side_by_side_give_the_same() -> None:
    replies = ["1", "none", "3", "2"]
    one_by_one = [ReplyLoop(ScriptedChatModel(replies=[reply])).ask(REQUEST, read=number).value for reply in "12"]
    assert one_by_one == [1, 2]
    assert (await ReplyLoop(ScriptedChatModel(replies=["x", "5"])).aask(REQUEST, read=number)).value == 5
    for told in (
        run(ReplyLoop(ScriptedChatModel(replies=replies), concurrency=1).asking_each([REQUEST] * 3, read=number)),
        await arun(
            ReplyLoop(ScriptedChatModel(replies=replies), concurrency=1).asking_each([REQUEST] * 3, read=number)
        ),
    ):
        assert [(each.value, each.tries) for each in told] == [(1, 1), (2, 2), (3, 1)]


def test_tokens_are_counted_where_the_model_reports_none() -> None:
    model = FakeMessagesListChatModel(responses=[AIMessage("a b c"), AIMessage("7")])
    cost = ReplyLoop(model, count=lambda text: len(text.split())).ask(REQUEST, read=number, again="Once more.").cost
    assert (cost.input_tokens, cost.output_tokens) == (2 + (2 + 3 + 2), 3 + 1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('<think>{"a": 0}</think>Here: ```json\n{"a": 1}\n```', {"a": 1}),
        ("[1]", None),
        ("{", None),
        ("", None),
        ("{" * 9_000 + "}" * 9_000, None),
    ],
)
def test_the_json_object_of_a_reply_is_found_however_it_is_wrapped(text: str, value: object) -> None:
    assert json_in(text) == value


def test_what_is_no_chat_model_and_numbers_below_1_are_refused() -> None:
    with pytest.raises(BadInput, match="no chat model"):
        ReplyLoop("gpt")  # type: ignore[arg-type]
    for wrong in ({"tries": 0}, {"concurrency": 0}):
        with pytest.raises(BadInput, match=next(iter(wrong))):
            ReplyLoop(ScriptedChatModel(replies=["x"]), **wrong)


async def test_many_wait_at_once_for_a_model_that_only_blocks() -> None:
    users = 32  # asyncio's own threads are six on two cores
    together = threading.Barrier(users, timeout=30)

    class Waits(SimpleChatModel):
        _llm_type: str = "waits"

        def _call(self, *_: Any, **__: Any) -> str:
            together.wait()
            return "7"

    loop = ReplyLoop(Waits())
    told = await asyncio.gather(*(loop.aask(REQUEST, read=number) for _ in range(users)))
    assert [one.value for one in told] == [7] * users


class Notes:
    """A cache of replies in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def read(self, topic: str, key: str, /) -> str | None:
        return self.kept.get(key)

    def write(self, topic: str, notes: Mapping[str, str], /) -> None:
        self.kept = {**notes, **self.kept}


class Placed(SimpleChatModel):
    """A chat model with an address and parameters, as providers' are; it always says 7."""

    _llm_type: str = "placed"
    model_name: str = "small"
    base_url: str = "http://one.example/v1"
    temperature: float = 0.0
    api_key: str = "sk-first-key-0123456789abcd"
    calls: list[str] = Field(default_factory=list)

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name, "temperature": self.temperature, "api_key": self.api_key}

    def _call(self, *_: Any, **__: Any) -> str:
        self.calls.append("asked")
        return "7"


def is_asked(model: Any, counter: Placed, *, cache: Notes) -> bool:
    """Return whether a model is asked, for want of a reply in the cache."""
    before = len(counter.calls)
    assert ReplyLoop(model, cache=cache).ask(REQUEST, read=number).value == 7
    return len(counter.calls) > before


def test_a_kept_reply_serves_the_same_model_again_whatever_its_key() -> None:
    cache = Notes()
    first, again = Placed(), Placed(api_key="sk-other-key-0123456789abcd")
    assert is_asked(first, first, cache=cache)
    assert not is_asked(first, first, cache=cache)
    assert not is_asked(again, again, cache=cache)


@pytest.mark.parametrize(
    "other", [{"base_url": "http://two.example/v1"}, {"temperature": 1.0}, {"model_name": "large"}], ids=str
)
def test_a_kept_reply_serves_no_other_server_name_or_parameter(other: dict[str, Any]) -> None:
    cache = Notes()
    first, second = Placed(), Placed(**other)
    assert is_asked(first, first, cache=cache)
    assert is_asked(second, second, cache=cache)


def test_a_kept_reply_serves_no_model_bound_to_other_arguments() -> None:
    cache, model = Notes(), Placed()
    assert is_asked(model, model, cache=cache)
    assert is_asked(model.bind(seed=1), model, cache=cache)
    assert is_asked(model.bind(seed=2), model, cache=cache)
    assert not is_asked(model.bind(seed=2), model, cache=cache)


def test_two_folders_of_one_name_are_two_models_and_one_is_itself_by_any_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Local(Placed):
        model: str

    cache = Notes()
    for place in ("a", "b"):
        (tmp_path / place / "small").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    a, b, same = Local(model="a/small"), Local(model="b/small"), Local(model=str(tmp_path / "b" / ".." / "a" / "small"))
    assert [is_asked(each, each, cache=cache) for each in (a, b, same)] == [True, True, False]


def test_messages_that_only_look_alike_on_paper_are_different_requests() -> None:
    cache, model = Notes(), Placed()
    loop = ReplyLoop(model, cache=cache)
    for request in ([HumanMessage("a\nai: b\nhuman: c")], [HumanMessage("a"), AIMessage("b"), HumanMessage("c")]):
        loop.ask(request, read=number)
    assert len(model.calls) == 2


def test_an_openai_model_is_told_apart_by_its_server() -> None:
    openai = pytest.importorskip("langchain_openai")
    told = {
        model_identity(openai.ChatOpenAI(model="small", api_key=key, base_url=url))
        for url in ("http://one.example/v1", "http://two.example/v1")
        for key in ("sk-first-key-0123456789abcd", "sk-other-key-0123456789abcd")
    }
    assert len(told) == 2
    assert not [each for each in told if "sk-" in each]
