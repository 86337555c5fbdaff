"""Every path that asks a chat model, with one that babbles: bounded, quiet, and nothing believed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from speaking import SPEAKERS, heard

from langchain_dateline.testing import ScriptedChatModel

PLUGINS = Path(__file__).parents[2] / "plugins"
ASKS = re.compile(r"\bReplyLoop\(model\b|\bmodel\.(?:a?invoke|a?stream|bind)\(")
NOT_ASKED = {
    "langchain_dateline/chat_model.py",  # answers, and shows how in an example
    "langchain_dateline/generation.py",  # gives the generator its callbacks; asked as "generation in a chain"
    "langchain_dateline/testing.py",
    "langchain_dateline/transformers_chat.py",  # the model itself
    "dateline/chat/model_identity.py",  # tells models apart, and shows how in an example
    "dateline/chat/reply_loop.py",  # the loop itself
    "dateline/testing/openai_server.py",
}
BABBLE = ["", "Sure! I would love to help you with that.", "<the answer>", "{}", "answer:", "A B C " * 40]


def test_no_module_that_asks_a_model_is_missing_here() -> None:
    asking = {
        str(path.relative_to(PLUGINS)) for path in PLUGINS.rglob("*.py") if ASKS.search(path.read_text("utf-8"))
    } - NOT_ASKED
    covered = {home for speaker in SPEAKERS.values() for home in speaker.home}
    assert asking <= covered
    assert all((PLUGINS / home).is_file() for home in covered)


@pytest.mark.parametrize("reply", BABBLE, ids=range(len(BABBLE)))
@pytest.mark.parametrize("name", SPEAKERS)
def test_a_model_that_babbles_is_asked_a_bounded_number_of_times(name: str, reply: str) -> None:
    model, calls = heard(ScriptedChatModel(replies=[reply]))
    SPEAKERS[name].asks(model)
    assert 1 <= calls.count <= SPEAKERS[name].most
