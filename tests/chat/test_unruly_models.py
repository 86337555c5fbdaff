"""Models that do not keep to the form: servers without schemas, strict templates, echoes, refusals, thoughts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import BaseModel, Field, TypeAdapter

from dateline.chat import Extras, ReplyLoop, material_of, reply_text, request, stated, whole_lines
from dateline.chat.echo import without_echo
from dateline.evidence import FreshPrompt
from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger
from dateline.flow import run
from dateline.reading import ChatDecomposer, ChatReader
from dateline.reading.answer_text import AskedText, answer_in
from dateline.reading.strategies import Direct
from dateline.records import Evidence
from dateline.temporal import decompose
from dateline.temporal.interval import Interval
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline.testing import ScriptedChatModel

NOW = datetime(2024, 5, 1, tzinfo=UTC)
QUESTION = decompose("Who leads the choir?", as_of=NOW)
NOTES = [Evidence.make("Ana Bell leads the choir.", published=Interval.of_year(2021))]


def number(reply: BaseMessage) -> int | None:
    return int(said) if (said := reply_text(reply)).isdigit() else None


def read(*replies: str | AIMessage) -> Any:
    return ChatReader(ScriptedChatModel(replies=replies)).read(QUESTION, evidence=NOTES).reading


# -- servers that refuse what is asked beyond text --------------------------------------------------


class WithoutSchemas(ScriptedChatModel):
    """A model whose client parses structured output, and fails where the server sent something else."""

    def with_structured_output(self, schema: Any, *, include_raw: bool = False, **kwargs: Any) -> Any:
        return self.bind(schema=schema) | (lambda reply: {"raw": reply, "parsed": None, "parsing_error": None})

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        said = super()._generate(messages, stop)
        if "schema" in kwargs:
            TypeAdapter(kwargs["schema"]).validate_json(reply_text(said.generations[0].message))
        return said


def updater(*replies: str) -> ChatUpdater:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    return ChatUpdater(store, WithoutSchemas(replies=replies))


@pytest.mark.parametrize("reply", ["I cannot do that.", "", '{"facts": "all"}', "Sure! " * 400, "<think>"])
def test_a_chat_updater_whose_server_keeps_to_no_schema_changes_nothing_and_says_so(reply: str) -> None:
    (changes,) = updater(reply).update(NOTES, known_at=NOW)
    assert changes.changes == ()
    assert any("could not be read" in reason for reason in changes.skipped)
    assert changes.cost.model_calls == 3  # with the schema, without, once more


def test_a_chat_updater_reads_the_same_reply_without_a_schema_where_it_can_be_read() -> None:
    told = updater('Sure:\n{"facts": ["Ana Bell leads the choir."]}')
    (changes,) = told.update(NOTES, known_at=NOW)
    assert [change.fact.text for change in changes.changes] == ["Ana Bell leads the choir."]
    (changes,) = told.update([Evidence.make("Bo Ek paints.", published=Interval.of_year(2022))], known_at=NOW)
    assert changes.cost.model_calls == 1, "a server that refused a schema is not asked for one again"


def test_a_model_that_fails_with_extras_is_asked_without_and_one_that_fails_anyway_has_failed() -> None:
    class Refuses(ScriptedChatModel):
        def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
            said = super()._generate(messages)
            if kwargs.get("logprobs"):
                raise ValueError("logprobs are not supported")
            return said

    told = ReplyLoop(Refuses(replies=["7"]))
    extras = Extras(logprobs=3)
    first, second = (_ask(told, extras) for _ in range(2))
    assert (first.value, first.tries, first.cost.model_calls) == (7, 1, 2)
    assert (second.value, second.cost.model_calls) == (7, 1)
    failing = _ask(ReplyLoop(ScriptedChatModel(replies=[RuntimeError("down")])), extras)
    assert (failing.value, failing.cost.model_calls) == (None, 2)
    assert failing.failed is not None


class Noting(WithoutSchemas):
    """A model without schemas that notes which requests asked for log-probabilities."""

    told: list[bool] = Field(default_factory=list)
    fails_at: int = 0

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        self.told.append("logprobs" in kwargs)
        if len(self.told) == self.fails_at:
            raise TimeoutError("busy")
        return super()._generate(messages, stop, run_manager, **kwargs)


def test_a_passing_failure_costs_later_requests_nothing_that_the_model_has_served() -> None:
    model = Noting(replies=["7"], fails_at=2)
    loop = ReplyLoop(model)
    assert [_ask(loop, Extras(logprobs=3)).value for _ in range(3)] == [7] * 3
    assert model.told == [True, True, False, True]


def test_a_request_that_fails_beside_one_that_is_served_is_no_refusal() -> None:
    model = Noting(replies=["7"], fails_at=1)
    loop, extras = ReplyLoop(model, concurrency=1), Extras(logprobs=3)
    both = run(loop.asking_each([[HumanMessage("How many?")]] * 2, read=number, extras=extras))
    assert [each.value for each in both] == [7, 7]
    _ask(loop, extras)
    assert model.told == [True, True, False, True]


def test_a_refused_schema_costs_no_log_probabilities() -> None:
    class Shape(BaseModel):
        count: int

    model = Noting(replies=["7"])
    loop = ReplyLoop(model)
    assert _ask(loop, Extras(schema=Shape)).value == 7
    assert _ask(loop, Extras(logprobs=3)).value == 7
    assert model.told == [False, False, True]


def _ask(loop: ReplyLoop, extras: Extras) -> Any:
    return run(loop.asking([HumanMessage("How many?")], read=number, extras=extras))


# -- templates that refuse two turns of one role ----------------------------------------------------


class Strict(ScriptedChatModel):
    """A model whose template wants user and assistant in turn, as those of Mistral and Gemma do."""

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        turns = [message.type for message in messages if message.type != "system"]
        if turns != ["human", "ai"] * (len(turns) // 2) + ["human"]:
            raise ValueError("Conversation roles must alternate user/assistant/user/assistant")
        if not all(reply_text(message).strip() for message in messages):
            raise ValueError("a turn must not be empty")
        return super()._generate(messages, *args, **kwargs)


@pytest.mark.parametrize("bad", ["", "   ", "Let me think.", "<think>hm</think>"])
def test_a_retry_shows_the_reply_that_it_complains_of_and_roles_alternate(bad: str) -> None:
    model = Strict(replies=[bad, "answer: Ana Bell"])
    assert ChatReader(model).read(QUESTION, evidence=NOTES).reading.answer == "Ana Bell"
    assert [message.type for message in model.history[1]] == ["system", "human", "ai", "human"]
    assert reply_text(model.history[1][2]) == (bad if bad == "Let me think." else "(nothing)")


def test_two_messages_of_one_role_are_joined() -> None:
    model = Strict(replies=["7"])
    assert ReplyLoop(model).ask([HumanMessage("How many?"), HumanMessage("A number.")], read=number).value == 7


def test_a_long_reply_is_shown_again_in_part() -> None:
    model = Strict(replies=["la " * 50_000, "7"])
    ReplyLoop(model).ask([HumanMessage("How many?")], read=number)
    assert len(reply_text(model.history[1][1])) == 2_000


# -- answers in other words, and none ---------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "The answer is: Ana Bell.",
        "The answer is Ana Bell",
        "Based on the evidence, the answer is Ana Bell (E1)",
        "Answer - Ana Bell",
        "answer: Ana Bell.",
        "answer: The answer is **Ana Bell**.",
        "answer: Ana Bell [E1]\nevidence: E1",
        "reasoning: The answer is not Bo Ek.\nanswer: Based on E1, the final answer is: “Ana Bell”.",
        "The answer is Ana Bell. The answer is based on E1.",
        "So the correct answer to this question would be Ana Bell.",
        "Ana Bell",
        "answer: [Ana Bell]",
        "the thought of a template that opened it</think>answer: Ana Bell",
    ],
)
def test_an_answer_is_freed_of_what_stands_around_it(reply: str) -> None:
    assert read(reply).answer == "Ana Bell"


@pytest.mark.parametrize("answer", ["Apple Inc.", "Washington, D.C.", "2 p.m.", "Yes, it does. It has since 2020."])
def test_a_stop_that_belongs_to_the_answer_stays(answer: str) -> None:
    assert read(f"answer: {answer}").answer == answer


FORM = FreshPrompt().build(QUESTION, evidence=NOTES).user.rpartition("\n\n")[2]


@pytest.mark.parametrize(
    "reply",
    [
        "answer: <the answer>",
        "answer: the answer",
        "answer: <name of the leader>",
        "The answer is <the answer>.",
        FORM,
        "answer: labels of the evidence it stands on",
        "answer: {answer}",
        "answer: ...",
        "answer: I'm sorry, but I cannot help with that.",
        "I cannot say who leads the choir.",
        "Sure! Happy to help with your question.",
        "Let me think about the choir.",
        '{"query": "Who leads the choir?"}',
        "",
    ],
)
def test_blanks_echoes_refusals_and_small_talk_are_no_answers(reply: str) -> None:
    reading = read(reply)
    assert (reading.answer, reading.no_answer) == ("", 1.0)
    assert "could not be read after 2 tries" in reading.reasoning


@pytest.mark.parametrize("wrap", ["{}", "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"])
def test_a_model_that_gives_the_request_back_is_read_behind_it(wrap: str) -> None:
    messages = FreshPrompt().build(QUESTION, evidence=NOTES).messages()
    echo = wrap.format("\n\n".join(reply_text(message) for message in messages))
    assert read(f"{echo}\nanswer: Ana Bell").answer == "Ana Bell"
    assert read(echo).answer == ""


@pytest.mark.parametrize("wrap", ["{}", "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"])
def test_a_model_that_gives_the_request_back_is_read_behind_it_on_the_second_try_too(wrap: str) -> None:
    class Echoes(ScriptedChatModel):
        def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
            said = super()._generate(messages, *args, **kwargs)
            echo = wrap.format("\n\n".join(reply_text(message) for message in messages))
            reply = AIMessage(f"{echo}\n{reply_text(said.generations[0].message)}")
            return ChatResult(generations=[ChatGeneration(message=reply)])

    model = Echoes(replies=["six\nor seven", "7"])
    found = ReplyLoop(model).ask(request("Count.", material="text: a b", form="Reply with a number."), read=number)
    assert (found.value, found.tries) == (7, 2)


def test_worked_examples_that_are_given_back_are_no_answer() -> None:
    system = FreshPrompt().build(QUESTION, evidence=NOTES).system
    example = system[system.index("--- example 2") : system.index("--- example 3")]
    assert "answer:" in example
    assert read(example).answer == ""


def test_a_line_that_the_request_also_has_may_be_the_answer() -> None:
    asked = request("Count.", material="text: seven\ntext: eight", form="Reply with a word.")
    assert without_echo("text: seven", asked=asked) == "text: seven"
    assert without_echo("text: seven\ntext: eight\nnine", asked=asked) == "nine"


def test_a_corrected_reply_is_read_although_it_repeats_most_lines_of_the_first() -> None:
    form = '{{\n  "content": "Who is mayor of Lund?",\n  "relation": "{}",\n  "start": "2019",\n  "end": "2021"\n}}'
    model = ScriptedChatModel(replies=[form.format("during"), form.format("between")])
    found = ChatDecomposer(model, always=True).decompose("Who is mayor of Lund?", as_of=NOW)
    assert found.by == "model"
    assert found.question.constraint is not None
    assert str(found.question.constraint.interval) == "2019-01-01/2022-01-01"


def test_what_a_model_knows_counts_only_in_the_form() -> None:
    def knows(reply: str) -> str:
        return Direct(ScriptedChatModel(replies=[reply])).read(QUESTION, evidence=[]).reading.answer

    assert [knows(said) for said in ("answer: Ana Bell", "The answer is Ana Bell.")] == ["Ana Bell"] * 2
    assert [knows(said) for said in ("Sure! I can help.", "banana", "answer: <name>")] == [""] * 3


def test_answers_in_the_first_person_and_names_with_an_i_are_told_apart() -> None:
    shown = AskedText(shown="text: The song is called “I know why”. Charles I of England reigned.")
    assert answer_in("I know why", labelled=True, asked=shown) == "I know why"
    assert answer_in("Elizabeth I was queen", labelled=True) == "Elizabeth I was queen"
    assert answer_in("I, Claudius", labelled=True) == "I, Claudius"
    assert answer_in("As a model, I cannot know that", labelled=True) is None


# -- messages in the forms of LangChain -------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        ["answer: Ana Bell"],
        [
            {"type": "reasoning", "reasoning": "hm", "text": "answer: Bo Ek"},
            {"type": "text", "text": "answer: Ana Bell"},
        ],
        [{"type": "thinking", "thinking": "answer: Bo Ek"}, {"type": "output_text", "text": "answer: Ana Bell"}],
        [{"type": "text", "text": "answer: "}, {"type": "text", "text": "Ana Bell"}, {"type": "text", "text": None}],
    ],
)
def test_text_blocks_are_the_reply_and_others_are_not(content: list[Any]) -> None:
    assert read(AIMessage(content)).answer == "Ana Bell"


@pytest.mark.parametrize(
    "message",
    [
        AIMessage(""),
        AIMessage([]),
        AIMessage([{"type": "tool_use", "id": "1", "name": "say", "input": {"answer": "Bo Ek"}}]),
        AIMessage("", tool_calls=[{"name": "search", "args": {"answer": "Bo Ek"}, "id": "1"}]),
        AIMessage([{"type": "image_url", "image_url": {"url": "x"}}]),
    ],
)
def test_calls_pictures_and_nothing_are_no_answer_and_asked_again(message: AIMessage) -> None:
    assert read(message).answer == ""
    assert read(message, "answer: Ana Bell").answer == "Ana Bell"


@pytest.mark.parametrize(
    "message",
    [
        AIMessage("", additional_kwargs={"refusal": "I will not."}),
        AIMessage([{"type": "refusal", "refusal": "I will not."}]),
        AIMessage("", response_metadata={"finish_reason": "content_filter"}),
        AIMessage("", response_metadata={"stop_reason": "refusal"}),
        AIMessage("", response_metadata={"finish_reason": "SAFETY"}),
    ],
)
def test_a_refusal_is_told_as_one_and_not_asked_again(message: AIMessage) -> None:
    model = ScriptedChatModel(replies=[message])
    reading = ChatReader(model).read(QUESTION, evidence=NOTES).reading
    assert (reading.answer, reading.reasoning, len(model.history)) == ("", "The model refused to reply.", 1)


def test_an_answer_that_a_limit_cut_is_not_taken() -> None:
    cut = AIMessage("answer: Ana Bell\nanswer: An", response_metadata={"finish_reason": "length"})
    assert whole_lines(cut) == "answer: Ana Bell"
    assert read(cut).answer == "Ana Bell"
    assert read(AIMessage("answer: An", response_metadata={"finish_reason": "length"})).answer == ""


# -- log-probabilities ------------------------------------------------------------------------------


class Telling(ScriptedChatModel):
    """A model with a switch for log-probabilities, a token a word."""

    logprobs: bool | None = None
    values: Sequence[float] = ()

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        message = super()._generate(messages).generations[0].message
        if kwargs.get("logprobs"):
            words = reply_text(message).replace(" ", " \n").split("\n")
            told = [{"token": word, "logprob": value} for word, value in zip(words, self.values, strict=True)]
            message.response_metadata["logprobs"] = {"content": told}
        return ChatResult(generations=[ChatGeneration(message=message)])


def test_a_reader_asks_for_log_probabilities_and_takes_those_of_the_answer() -> None:
    model = Telling(replies=["answer: Ana Bell"], values=[-9.0, -0.1, -0.3])
    assert ChatReader(model).read(QUESTION, evidence=NOTES).reading.probability == pytest.approx(0.8187, abs=1e-3)
    assert read("answer: Ana Bell").probability == 0.5


# -- one word of a few ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("A", "A"),
        ("(B)", "B"),
        ("**C** - uncertain", "C"),
        ("The answer is C", "C"),
        ("The answer is C, since nothing says so.", "C"),
        ("This is a misleading answer: B", "B"),
        ('{"label": "A"}', "A"),
        ("A misleading answer", None),
        ("a", None),
        ("A, B or C", None),
        ("A\nB", None),
        ("The answer is not B.", None),
        ("Label: <A, B or C>", None),
        ('{"A"', None),
        ("", None),
    ],
)
def test_only_a_stated_option_counts(said: str, option: str | None) -> None:
    found = stated(said, options=("A", "B", "C"))
    assert (found[1] if found else None) == option


def test_the_material_of_a_request_is_what_stands_before_its_form() -> None:
    asked = request("Count.", material="text: a\n\ntext: b", form="Reply with a number.")
    assert material_of(asked) == "text: a\n\ntext: b"
    assert [message.type for message in asked] == ["system", "human"]
