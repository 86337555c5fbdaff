"""Prompts of chats for templates of all kinds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("transformers")

from dateline import BadInput
from dateline.chat_template import ChatTurn, chat_prompt
from dateline.testing import tiny_causal_model

STRICT = (
    "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('roles must alternate') }}{% endif %}[{{ m.role }}] {{ m.content }}\n{% endfor %}[assistant]"
)
LOOSE = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}[assistant]"
TOKENIZER = tiny_causal_model().tokenizer


def written(template: str, *turns: ChatTurn) -> str:
    TOKENIZER.chat_template = template
    return chat_prompt(turns, tokenizer=TOKENIZER)


def test_a_template_that_takes_them_gets_system_messages_as_such() -> None:
    text = written(LOOSE, ChatTurn("system", "Be brief."), ChatTurn("user", "Who?"))
    assert text == "[system] Be brief.\n[user] Who?\n[assistant]"


def test_a_template_that_refuses_system_messages_gets_them_in_the_first_turn() -> None:
    text = written(STRICT, ChatTurn("system", "Be brief."), ChatTurn("user", "Who?"))
    assert text == "[user] Be brief.\n\nWho?\n[assistant]"


@given(st.lists(st.sampled_from(["user", "assistant"]), max_size=8), st.booleans())
def test_any_chat_that_a_user_begins_suits_a_template_that_wants_alternating_turns(
    roles: list[str], instructed: bool
) -> None:
    turns = [ChatTurn(role, f"turn {place}") for place, role in enumerate(["user", *roles, "user"])]  # type: ignore[arg-type]
    text = written(STRICT, *([ChatTurn("system", "Be brief.")] if instructed else []), *turns)
    places = [text.index(turn.text) for turn in turns]
    assert places == sorted(places)


def test_a_chat_that_no_template_takes_is_refused_in_one_sentence() -> None:
    with pytest.raises(BadInput, match="refuses this chat: roles must alternate"):
        written(STRICT, ChatTurn("assistant", "Hello."), ChatTurn("user", "Who?"))
    with pytest.raises(BadInput, match="no message"):
        written(LOOSE)
