"""Models behind an API: when they are asked, what is kept, what a failure leaves, and what nothing of it may cost."""

from __future__ import annotations

import math
from typing import Any

import pytest
from dynamic_parts import DOCUMENTS, QUESTION, SEARCH
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from telling_model import TellingChatModel

from dateline import BadInput, Evidence, Interval
from dateline.dynamic import (
    AttentionQuery,
    CertainSentence,
    ChatGenerator,
    Flare,
    LookAhead,
    Outdated,
    Rind,
    calibrate,
    method,
)
from dateline.dynamic.chat_prompt import ReplySeam
from dateline.dynamic.chat_thoughts import ThoughtFilter
from dateline.dynamic.chat_tokens import ReplyToken, entropy_of, reply_tokens
from dateline.dynamic.queries import QuestionQuery
from dateline.dynamic.settled_text import SettledText
from dateline.dynamic.spelling import Spelling, pieces_of
from dateline.dynamic.triggers import Entropy, EverySentence, Never, Once
from dateline.dynamic.values import EndEvent, TokenEvent
from dateline.errors import ModelFailed
from dateline.testing import FixedSearch
from langchain_dateline.testing import ScriptedChatModel

WRONG = "The director is Anna Berg. She lives in Tromso."
RIGHT = " Carl Dahl. He took office in 2021."


def informed(asked: str) -> str:
    """Knows the director where the notes name him, and goes on from what is written."""
    if "Carl Dahl was named" not in asked:
        return WRONG
    return RIGHT if asked.endswith("The director is") else f"The director is{RIGHT}"


def model(**fields: object) -> TellingChatModel:
    return TellingChatModel(**{"respond": informed, "unsure": {"Anna": 0.3}, **fields})


@pytest.mark.parametrize("trigger", [Flare(0.5), Entropy(0.5), LookAhead(), Flare(0.5, cut="sentence")])
def test_what_is_in_doubt_is_looked_up_and_written_anew(trigger: Flare) -> None:
    asked = model()
    made = ChatGenerator(asked, retriever=SEARCH, trigger=trigger, query=CertainSentence(0.0)).generate(QUESTION)
    assert made.text == "The director is Carl Dahl. He took office in 2021."
    assert "Anna" in made.retrievals[0].withdrawn_text
    assert DOCUMENTS[0] in asked.history[-1]
    assert made.ended == "finished"


def test_a_reply_is_left_where_the_trigger_fires_and_the_text_that_stays_is_not_asked_for_again() -> None:
    asked = model()
    made = ChatGenerator(asked, retriever=SEARCH, trigger=Flare(0.5)).generate(QUESTION)
    whole = len(pieces_of(WRONG))
    assert asked.sent[0] < whole
    assert asked.history[-1].endswith("The director is")
    assert made.cost.model_calls == 2
    assert made.cost.output_tokens == sum(asked.sent)


def test_entropy_and_flare_ask_for_log_probabilities_and_refuse_a_model_that_tells_none() -> None:
    with pytest.raises(BadInput, match="TellingChatModel tells no log-probabilities"):
        ChatGenerator(model(tells=False), retriever=SEARCH, trigger=Entropy(0.5)).generate(QUESTION)
    silent = ChatGenerator(model(tells=False), retriever=SEARCH, trigger=Never()).generate(QUESTION)
    assert silent.text == WRONG
    assert {token.probability for token in silent.tokens} == {None}


def test_a_stopword_and_a_sure_word_fire_nothing() -> None:
    made = ChatGenerator(model(unsure={"She": 0.2}), retriever=SEARCH, trigger=Entropy(0.3)).generate(QUESTION)
    assert made.retrievals == ()
    assert made.text == WRONG


def test_a_sentence_that_the_documents_say_already_is_not_looked_up() -> None:
    search = FixedSearch([Evidence.make(WRONG)])
    asked = ScriptedChatModel(replies=[WRONG])
    made = ChatGenerator(asked, retriever=search, trigger=LookAhead(), query=CertainSentence(0.0)).generate(QUESTION)
    assert search.history == ["The director is Anna Berg."]
    assert made.text == WRONG


@pytest.mark.parametrize("part", ["trigger", "query"])
def test_what_needs_attention_is_refused_at_once(part: str) -> None:
    parts = {"trigger": Rind(0.5)} if part == "trigger" else {"trigger": Never(), "query": AttentionQuery()}
    with pytest.raises(BadInput, match=f"The {part} .* reads attention"):
        ChatGenerator(model(), retriever=SEARCH, **parts)


async def test_async_writes_the_same_and_closes_the_reply_too() -> None:
    one, two = model(), model()
    made = ChatGenerator(one, retriever=SEARCH, trigger=Flare(0.5)).generate(QUESTION)
    other = await ChatGenerator(two, retriever=SEARCH, trigger=Flare(0.5)).agenerate(QUESTION)
    assert other.text == made.text
    assert [each.query for each in other.retrievals] == [each.query for each in made.retrievals]
    assert two.history == one.history


def test_requests_are_bounded_and_the_last_reply_is_read_to_its_end() -> None:
    class Endless(FixedSearch):
        def search(self, query, **options):
            self.evidence = [Evidence.make(f"Note {len(self.history)}.")]
            return super().search(query, **options)

    asked = ScriptedChatModel(replies=["Anna leads. Berta sings. Clara writes. Doris reads."])
    made = ChatGenerator(asked, retriever=Endless(), trigger=EverySentence(), max_calls=3).generate(QUESTION)
    assert len(asked.history) == made.cost.model_calls == 3
    assert "no more than 3 requests were allowed" in made.statement
    assert made.ended == "finished"


def test_the_last_request_is_read_to_its_end_also_where_a_spent_budget_would_stop_it() -> None:
    asked = ScriptedChatModel(replies=[WRONG])
    once = ChatGenerator(asked, retriever=SEARCH, trigger=LookAhead(), when_spent="stop", max_calls=1)
    made = once.generate(QUESTION)
    assert (made.text, made.ended, made.retrievals) == (WRONG, "finished", ())
    assert "no more than 1 requests were allowed" in made.statement


def test_a_model_that_fails_midway_ends_the_answer_and_one_that_never_answers_raises_without_the_key() -> None:
    made = ChatGenerator(model(fail_after=3), retriever=SEARCH, trigger=Never()).generate(QUESTION)
    assert (made.text, made.ended) == ("The director is", "failed")
    assert "ConnectionError" in made.statement
    with pytest.raises(ModelFailed, match="ConnectionError") as failure:
        ChatGenerator(model(fail_after=0), retriever=SEARCH, trigger=Never()).generate(QUESTION)
    assert "sk-abc" not in str(failure.value) + made.statement


def test_an_empty_reply_is_asked_for_once_more() -> None:
    asked = ScriptedChatModel(replies=["", "It is Carl Dahl."])
    assert ChatGenerator(asked, retriever=SEARCH, trigger=Never()).generate(QUESTION).text == "It is Carl Dahl."
    silent = ScriptedChatModel(replies=[""])
    assert ChatGenerator(silent, retriever=SEARCH, trigger=Never()).generate(QUESTION).text == ""
    assert len(silent.history) == 2


def test_a_silent_reply_behind_a_retrieval_is_asked_for_once_more() -> None:
    asked = ScriptedChatModel(replies=["The director is Anna Berg. She", "", "The director is Carl Dahl."])
    drafting = ChatGenerator(asked, retriever=SEARCH, trigger=LookAhead(), query=CertainSentence(0.0))
    made = drafting.generate(QUESTION)
    assert (made.text, len(asked.history)) == ("The director is Carl Dahl.", 3)
    silent = ScriptedChatModel(replies=["The director is Anna Berg. She", ""])
    assert drafting.with_model(silent).generate(QUESTION).ended == "finished"
    assert len(silent.history) == 3
    assert drafting.with_model(silent).with_options(max_calls=1).generate(QUESTION).ended == "finished"


def test_a_reply_that_the_provider_cut_is_continued() -> None:
    cut = AIMessage("The director is", response_metadata={"finish_reason": "length"})
    asked = ScriptedChatModel(replies=[cut, "The director is Carl Dahl."])
    made = ChatGenerator(asked, retriever=SEARCH, trigger=Never()).generate(QUESTION)
    assert made.text == "The director is Carl Dahl."


def cut(text: str, *later: str) -> ScriptedChatModel:
    """A model whose provider ends its first reply at a limit."""
    return ScriptedChatModel(replies=[AIMessage(text, response_metadata={"finish_reason": "length"}), *later])


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("He was born in 192", "7 in Lund.", "He was born in 192 7 in Lund."),
        ("- It is old.\n- She", "leads it.", "- It is old.\n- She leads it."),
        ("It is old.\n\nShe", "", "It is old.\n\nShe"),
        ("古い。\n天文台の台長は", "、いない。", "古い。\n天文台の台長は、いない。"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"max_retrievals": 0}])
def test_a_reply_that_the_provider_cut_goes_on_where_it_stands_and_an_app_shows_all_of_it(
    first: str, second: str, whole: str, options: dict[str, int]
) -> None:
    asked, told = cut(first, second), []
    with ChatGenerator(asked, retriever=SEARCH, trigger=Never(), **options).stream(QUESTION) as events:
        settled, shown = SettledText(events), ""
        for event in events:
            shown += settled.take(event)
            if isinstance(event, TokenEvent):
                told.append(event.token.text)
    assert "".join(told) == shown == whole
    assert str(asked.history[1][-1].text).endswith(first)


@pytest.mark.parametrize(("said", "calls"), [("", 16), ("Carl Dahl leads ", 2)])
def test_an_answer_that_the_provider_s_limit_ends_says_so(said: str, calls: int) -> None:
    limited = AIMessage(said, response_metadata={"finish_reason": "length"})
    asked = ScriptedChatModel(replies=[limited, limited])
    made = ChatGenerator(asked, retriever=SEARCH, trigger=Never(), max_calls=calls).generate(QUESTION)
    assert made.ended == "length"
    assert "provider's limit" in made.statement
    assert "tokens" not in made.statement


def test_a_list_that_is_looked_up_and_written_anew_keeps_its_lines() -> None:
    asked = ScriptedChatModel(
        replies=["- It is an observatory.\n- The director is Anna.\n- She", "- Carl Dahl leads it."]
    )
    search = FixedSearch([Evidence.make("The observatory: Carl Dahl is director and leads it.")])
    made = ChatGenerator(asked, retriever=search, trigger=LookAhead(), query=CertainSentence(0.0)).generate(QUESTION)
    assert search.history == ["- The director is Anna."]
    assert made.text == "- It is an observatory.\n- Carl Dahl leads it."


THOUGHT = "<think>The user asks for the director. It may be Anna Berg.</think>\n\n"


def test_a_thought_within_the_reply_is_none_of_the_answer() -> None:
    asked = ScriptedChatModel(
        replies=[f"{THOUGHT}The director is Anna Berg. She", f"{THOUGHT}The director is Carl Dahl."]
    )
    drafting = ChatGenerator(asked, retriever=SEARCH, trigger=LookAhead(), query=CertainSentence(0.0))
    with drafting.stream(QUESTION) as events:
        told = "".join(event.token.text for event in events if isinstance(event, TokenEvent))
    made = events.generation
    assert made.text == "The director is Carl Dahl."
    assert [each.query for each in made.retrievals] == ["The director is Anna Berg."]
    assert "Berg.</" not in told
    assert "think" not in told


def test_many_thoughts_in_one_token_are_dropped_one_after_the_other() -> None:
    thoughts = ThoughtFilter()
    assert [each.spelled for each in thoughts.take([ReplyToken(b"<think></think>" * 3000 + b"Ada")])] == [b"Ada"]


def test_a_reply_of_a_thought_alone_says_nothing() -> None:
    asked = ScriptedChatModel(replies=["<think>Who may it be?", f"{THOUGHT}It is Carl Dahl."])
    assert ChatGenerator(asked, retriever=SEARCH, trigger=Never()).generate(QUESTION).text == "It is Carl Dahl."
    alone = ScriptedChatModel(replies=[THOUGHT])
    assert ChatGenerator(alone, retriever=SEARCH, trigger=Never()).generate(QUESTION).text == ""


def test_a_reply_that_adds_nothing_but_a_piece_of_a_word_is_kept_and_the_answer_ends() -> None:
    asked = cut("obser", "vatory.")
    assert ChatGenerator(asked, retriever=SEARCH, trigger=Never()).generate(QUESTION).text.startswith("obser")
    assert len(asked.history) == 2


def test_a_retriever_that_fails_and_a_limit_of_tokens_end_in_order() -> None:
    search = FixedSearch(error=ConnectionError("down"))
    made = ChatGenerator(model(), retriever=search, trigger=Once(), max_new_tokens=4).generate(QUESTION)
    assert (made.text, made.ended) == ("The director is Anna", "length")
    assert "1 of 1 retrievals failed" in made.statement


def test_leaving_a_stream_interrupts_it() -> None:
    asked = model()
    with ChatGenerator(asked, retriever=SEARCH, trigger=Never()).stream(QUESTION) as events:
        next(events)
    assert events.generation.ended == "interrupted"
    assert asked.sent == [1]


def test_a_threshold_can_be_calibrated() -> None:
    generator = ChatGenerator(model(), retriever=SEARCH, trigger=Entropy(0.0))
    found = calibrate(generator, questions=[QUESTION], rate=1.0)
    assert found.measured == 1.0


def test_the_methods_for_apis_have_names() -> None:
    assert isinstance(method("entropy", threshold=0.5).trigger, Entropy)
    assert isinstance(method("look-ahead").trigger, LookAhead)


# -- parts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "reply", "more"),
    [
        ("The director is", " Carl", " Carl"),
        ("The director is", "Carl", " Carl"),
        ("The director is", "The director is Carl", " Carl"),
        ("It is old. The director is", "The director is Carl", " Carl"),
        ("It is old. A", "After that", " After that"),
        ("It is old", ". It stands", ". It stands"),
        ("", "Carl", "Carl"),
    ],
)
def test_a_reply_is_joined_to_the_text_before_it(written: str, reply: str, more: str) -> None:
    joint = ReplySeam(written, sentence=written.split(". ")[-1])
    taken = [one for piece in pieces_of(reply) for one in joint.take([ReplyToken(piece)])] + joint.rest()
    assert b"".join(each.spelled for each in taken).decode() == more


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=60)
def test_joining_loses_no_character_but_a_repetition(written: str, reply: str) -> None:
    joint = ReplySeam(written, sentence=written)
    taken = [one for piece in pieces_of(reply) for one in joint.take([ReplyToken(piece)])] + joint.rest()
    more = b"".join(each.spelled for each in taken).decode(errors="replace")
    sent = reply.encode(errors="replace").decode()
    assert more.strip() == sent.strip() or sent.lstrip().startswith(written.strip())


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("<think>a</think> b", "b"),
        (" <THINK>a</Think><reasoning>b</reasoning>\n\nc <think>", "c <think>"),
        ("<thinking>a </think> b</thinking>c", "c"),
        ("<thin ice>", "<thin ice>"),
        ("<think>a", ""),
        (" a", " a"),
        ("  ", "  "),
        ("<", "<"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_thoughts_in_front_of_a_reply_are_dropped_however_it_is_cut(reply: str, answer: str, size: int) -> None:
    thoughts = ThoughtFilter()
    pieces = [ReplyToken(reply[place : place + size].encode()) for place in range(0, len(reply), size)]
    taken = [one for piece in pieces for one in thoughts.take([piece])] + thoughts.rest()
    assert b"".join(each.spelled for each in taken).decode() == answer


@given(st.text(max_size=60))
@settings(max_examples=60)
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    spelling = Spelling()
    assert spelling.decode(spelling(text)["input_ids"]) == text.encode(errors="replace").decode()


@given(st.recursive(st.none() | st.floats() | st.text() | st.integers(), lambda s: st.lists(s) | st.dictionaries(
    st.sampled_from(["content", "token", "logprob", "bytes", "top_logprobs"]), s)))  # fmt: skip
@settings(max_examples=60)
def test_odd_log_probabilities_never_raise(told: object) -> None:
    for one in reply_tokens(AIMessage("Hello there", response_metadata={"logprobs": told})):
        assert math.isnan(one.probability) or 0 <= one.probability <= 1


def test_the_entropy_of_what_is_told_is_that_of_the_distribution_with_the_rest_as_one() -> None:
    shares = [0.5, 0.25]
    expected = 0.5 * math.log(2) + 2 * 0.25 * math.log(4)
    assert entropy_of([math.log(each) for each in shares]) == pytest.approx(expected)
    assert entropy_of([0.0]) == 0.0


def test_what_is_shown_of_a_stream_is_never_taken_back() -> None:
    generator = ChatGenerator(model(), retriever=SEARCH, trigger=Flare(0.5))
    shown, first = "", 0
    with generator.stream(QUESTION) as events:
        steady = SettledText(events)
        for number, event in enumerate(events):
            more = steady.take(event)
            first = first or (number if more and isinstance(event, TokenEvent) else 0)
            shown += more
            if isinstance(event, EndEvent):
                assert shown == event.generation.text
    assert "Anna" not in shown


@pytest.mark.parametrize("trigger", [Entropy(0.5), LookAhead(), Flare(0.5, cut="sentence")])
def test_what_stands_behind_a_stop_text_is_never_in_doubt(trigger: Flare) -> None:
    said = "The director of the Northern Observatory.\nQuestion: Whose?"
    asked = model(respond=lambda _: said, unsure={"Question": 0.3})
    made = ChatGenerator(asked, retriever=SEARCH, trigger=trigger, stop_at=("\nQuestion:",)).generate(QUESTION)
    assert made.text == "The director of the Northern Observatory."
    assert (made.retrievals, made.cost.model_calls) == ((), 1)


@pytest.mark.parametrize("trigger", [Entropy(0.5), LookAhead(), Flare(0.5, cut="sentence")])
def test_what_stands_before_a_stop_text_is_judged_without_it(trigger: Flare) -> None:
    made = ChatGenerator(
        model(respond=lambda _: "The director is Anna # Ada"), retriever=SEARCH, trigger=trigger, stop_at=("#",)
    ).generate(QUESTION)
    assert not any("#" in each.query for each in made.retrievals)
    assert made.retrievals


@pytest.mark.parametrize("limit", [{"stop_at": ["\n"]}, {"max_new_tokens": 4}], ids=["a text to stop at", "a limit"])
def test_the_last_claim_before_the_end_is_looked_up_where_it_may_be_outdated(limit: dict[str, Any]) -> None:
    asked = ScriptedChatModel(replies=["The director is Berg\n", "The director is Dahl\n"])
    trigger = Outdated(Interval.parse("2015"))
    made = ChatGenerator(asked, retriever=SEARCH, trigger=trigger, query=QuestionQuery(), **limit).generate(
        QUESTION, as_of="2024-06-01"
    )
    assert [each.withdrawn_text.partition("\n")[0] for each in made.retrievals] == [" Berg"]
    assert made.text == "The director is Dahl"


def test_every_option_of_a_chat_model_can_be_set_anew() -> None:
    made = ChatGenerator(model(), retriever=SEARCH, trigger=Never())
    other = made.with_options(context_tokens=4096, max_calls=3, top_logprobs=2, stop_at=["#"])
    assert (other.options.context_tokens, other.options.max_calls, other.options.top_logprobs) == (4096, 3, 2)
    assert made.options.max_calls == 16
    for wrong in ({"max_calls": 0}, {"top_logprobs": -1}, {"query": None}, {"stop_at": "END"}, {"window": 4096}):
        with pytest.raises(BadInput, match=next(iter(wrong))):
            made.with_options(**wrong)
