"""The chat reader puts a FreshPrompt to any chat model and reads its reply."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from dateline.certainty.answer import said_nothing
from dateline.errors import BadInput, ModelFailed
from dateline.evidence.blocks import asked_block
from dateline.protocols import Reader
from dateline.reading import ChatReader, ExtractiveReader
from dateline.reading.reply import Reply, chosen_of, is_unknown, parse_reply
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

QUESTION = Question("Who leads the choir?", "Who leads the choir?", None, datetime(2024, 5, 1, tzinfo=UTC))
OLD = Evidence.make("Ana Bell leads the choir.", title="Choir", published=Interval.of_day(2019, 2, 3))
NEW = Evidence.make("Tom Reyes now leads the choir.", title="Choir", published=Interval.of_day(2023, 2, 3))
GOOD = "reasoning: E2 is newer.\nanswer: Tom Reyes\nevidence: E2"


class ScriptedModel(BaseChatModel):
    """A chat model that says its lines; an exception among them is raised."""

    lines: list[Any]
    heard: list[list[BaseMessage]]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        self.heard.append(messages)
        line = self.lines[min(len(self.heard), len(self.lines)) - 1]
        if isinstance(line, Exception):
            raise line
        message = line if isinstance(line, AIMessage) else AIMessage(line)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def get_num_tokens(self, text: str) -> int:
        raise AssertionError("would try to download a tokenizer")


def model(*lines: Any) -> ScriptedModel:
    return ScriptedModel(lines=list(lines), heard=[])


def reader(*lines: Any, **options: Any) -> ChatReader:
    return ChatReader(model(*lines), **options)


def read(*lines: Any, choices: Sequence[str] = (), **options: Any) -> Any:
    return reader(*lines, **options).read(QUESTION, evidence=[NEW, OLD], choices=choices)


def test_it_is_a_reader() -> None:
    assert isinstance(reader(GOOD), Reader)


def test_answer_reasoning_and_cited_evidence_are_read() -> None:
    reading = read(GOOD).reading
    assert (reading.answer, reading.reasoning, reading.evidence_ids) == ("Tom Reyes", "E2 is newer.", (NEW.id,))


async def test_the_async_twin_reads_the_same() -> None:
    result = await reader(GOOD).aread(QUESTION, evidence=[NEW, OLD])
    assert result.reading == read(GOOD).reading


@pytest.mark.parametrize(
    "reply",
    [
        "**Reasoning:** newer.\n**Answer:** Tom Reyes\n**Evidence:** E2",
        "Reasoning: it is newer.\n\nFinal answer: Tom Reyes [E2]",
        '```json\n{"reasoning": "newer", "answer": "Tom Reyes", "evidence": ["E2"]}\n```',
        "<think>answer: Ana Bell</think>\nanswer: Tom Reyes\nevidence: E2",
        "answer: Ana Bell\nNo, wait.\nanswer: Tom Reyes\nevidence: E2",
        "reasoning: E2 says so.\nanswer: “Tom Reyes”",
    ],
)
def test_replies_are_read_tolerantly(reply: str) -> None:
    reading = read(reply).reading
    assert (reading.answer, reading.evidence_ids) == ("Tom Reyes", (NEW.id,))


def test_a_short_reply_without_labels_is_the_answer() -> None:
    assert read("Tom Reyes").reading.answer == "Tom Reyes"


@pytest.mark.parametrize(
    "words",
    [
        *("unknown", "Unknown.", "not enough evidence", "The answer is unknown", "N/A", "None of the notes says it"),
        *("unknown, since no note says it", "Not stated anywhere", "I don't know.", "unknown from the given evidence"),
    ],
)
def test_an_unknown_answer_is_empty(words: str) -> None:
    reading = read(f"reasoning: nobody says.\nanswer: {words}\nevidence: none").reading
    assert (reading.answer, reading.no_answer) == ("", 1.0)


@pytest.mark.parametrize(
    "name", ["Na Hong-jin", "Na", "Unknown Pleasures", "None Shall Pass", "Unknown Mortal Orchestra", "unknown gunmen"]
)
def test_a_name_that_opens_like_no_answer_is_one(name: str) -> None:
    assert not is_unknown(name)
    assert not said_nothing(name)
    assert read(f"reasoning: it says so.\nanswer: {name}\nevidence: E2").reading.answer == name


def test_garbage_is_asked_again_and_then_shown() -> None:
    result = read("", "\n\n", GOOD, tries=2)
    assert result.reading.answer == ""
    assert "could not be read after 2 tries" in result.reading.reasoning
    assert result.cost.model_calls == 2


def test_a_second_try_can_succeed() -> None:
    assert read("", GOOD).reading.answer == "Tom Reyes"


def test_usage_that_the_model_reports_is_taken() -> None:
    message = AIMessage(GOOD, usage_metadata={"input_tokens": 11, "output_tokens": 7, "total_tokens": 18})
    cost = read(message).cost
    assert (cost.model_calls, cost.input_tokens, cost.output_tokens) == (1, 11, 7)


def test_usage_is_counted_where_the_model_reports_none() -> None:
    cost = read(GOOD).cost
    assert cost.input_tokens > 100
    assert 5 <= cost.output_tokens <= 60


def test_the_model_sees_the_evidence_oldest_first_as_messages_of_two_roles() -> None:
    asked = model(GOOD)
    ChatReader(asked).read(QUESTION, evidence=[NEW, OLD])
    (messages,) = asked.heard
    assert [message.type for message in messages] == ["system", "human"]
    assert str(messages[1].content).index(OLD.text) < str(messages[1].content).index(NEW.text)


def test_content_blocks_are_read() -> None:
    message = AIMessage([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": GOOD}])
    assert read(message).reading.answer == "Tom Reyes"


@pytest.mark.parametrize(
    "reply", ["answer: (B) Tom Reyes", "answer: B", "answer: tom reyes.", "answer: It is Tom Reyes", "B"]
)
def test_a_choice_is_recognised_by_letter_or_text(reply: str) -> None:
    reading = read(reply, choices=["Ana Bell", "Tom Reyes", "Li Wei"]).reading
    assert (reading.choice, reading.answer) == (1, "Tom Reyes")


def test_an_answer_beside_the_choices_is_asked_again() -> None:
    result = read("answer: Somebody else", "answer: C", choices=["Ana Bell", "Tom Reyes", "Li Wei"])
    assert (result.reading.choice, result.cost.model_calls) == (2, 2)


def test_an_answer_that_starts_with_a_letter_is_not_that_letter() -> None:
    assert chosen_of("A Tale of Two Cities", ["Emma", "A Tale of Two Cities"]) == 1
    assert chosen_of("A river", ["Emma", "Nobody"]) is None


def test_a_failing_model_is_one_sentence_without_its_key() -> None:
    key = "sk-abcdefghijklmnop1234567890"
    with pytest.raises(ModelFailed) as caught:
        read(RuntimeError(f"401 Incorrect API key provided: {key}"))
    shown: BaseException | None = caught.value
    assert "RuntimeError" in str(shown)
    while shown is not None:
        assert key not in str(shown)
        shown = shown.__cause__ or shown.__context__


async def test_a_failing_model_fails_the_async_twin_alike() -> None:
    with pytest.raises(ModelFailed, match="TimeoutError"):
        await reader(TimeoutError("too slow")).aread(QUESTION, evidence=[NEW])


def test_a_scout_shows_the_model_what_the_evidence_disagrees_about() -> None:
    asked = model(GOOD)
    ChatReader(asked, scout=ExtractiveReader()).read(QUESTION, evidence=[NEW, OLD])
    user = str(asked.heard[0][1].content)
    assert (
        "The evidence disagrees. In order of time:\n- Feb 3, 2019: Ana Bell [E1]; then Feb 3, 2023: Tom Reyes [E2]"
        in user
    )


def test_one_answer_is_no_conflict() -> None:
    asked = model(GOOD)
    ChatReader(asked, scout=ExtractiveReader()).read(QUESTION, evidence=[NEW])
    assert "disagrees" not in str(asked.heard[0][1].content)


def test_no_try_at_all_is_refused() -> None:
    with pytest.raises(BadInput, match="tries must be at least 1"):
        reader(GOOD, tries=0)


def test_no_evidence_can_be_read() -> None:
    assert reader("answer: unknown").read(QUESTION, evidence=[]).reading.answer == ""


@given(st.text(max_size=300), st.lists(st.text(max_size=20), max_size=4))
@settings(max_examples=300)
def test_no_reply_is_an_exception(text: str, choices: list[str]) -> None:
    for reply in (text, f"answer: {text}", "{" + text + "}"):
        parsed = parse_reply(reply, choices=choices)
        assert parsed is None or not choices or parsed.choice is not None or parsed.answer == ""


@pytest.mark.parametrize("none", ["None of the above", "Not enough information"])
def test_a_choice_that_says_none_is_chosen_by_its_text(none: str) -> None:
    reading = read(f"answer: {none}", choices=["Ana Bell", "Tom Reyes", none]).reading
    assert (reading.choice, reading.answer) == (2, none)


def test_no_answer_is_not_the_choice_no() -> None:
    assert parse_reply("answer: No answer.", choices=["Yes", "No"]) == Reply("")


def test_a_long_question_is_shown_to_its_end() -> None:
    long = decompose(f"{'We sing in the choir. ' * 150}So who led it in 2020?", as_of=QUESTION.as_of)
    assert asked_block(long, ()).endswith("So who led it in 2020?")
