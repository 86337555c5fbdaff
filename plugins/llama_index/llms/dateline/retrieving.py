"""`RetrievingLLM`: a LlamaIndex language model that looks things up while writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.custom import CustomLLM
from pydantic import Field

from dateline import BadInput
from dateline.dynamic import Generation, RetrievingGenerator
from dateline.dynamic.app_prompt import AppPrompt, QuestionOf, read_app_prompt
from dateline.dynamic.settled_text import HOLD, SettledText
from dateline.dynamic.values import EndEvent, Event, RetrievalEvent
from dateline.reading.history import Role, Turn
from dateline.reading.prompted import question_in
from dateline.temporal.as_of import AsOf, AsOfField, Clock, ClockField, checked, now
from dateline.temporal.asking import asking_moment
from llama_index.llms.dateline.looking_up import heard, tell

RETRIEVALS = "dateline_retrievals"
"""The key of a response's `additional_kwargs` that holds trigger, score, query and what was found, of each retrieval."""

_ROLES: dict[MessageRole, Role] = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant"}


class RetrievingLLM(CustomLLM):
    """A generator (`DynamicGenerator`, `ChatGenerator`) as a LlamaIndex language model.

    For `Settings.llm`, or `llm=` of any query engine.

    The prompt is shown to the model as LlamaIndex wrote it, inside the generator's layout; what is looked up stands in
    front. The question in it ("Query: ...") is what queries and triggers go by. Streams text that nothing takes back
    (see `dateline.dynamic.settled_text.SettledText`).

    Each retrieval dispatches the events of a retriever and a `LookedUpEvent`, and is in the response's
    `additional_kwargs["dateline_retrievals"]`, while streaming those so far; `raw["dateline"]` of the last response says how the
    generation ended and what it cost. `stop=` ends the text; other keywords of a call are not heard.

    Raises:
        BadInput: while running, for an empty prompt or a chat that does not end with a user's message.
        ModelFailed: while running, where a model behind an API fails before its first token.

    Example:
        >>> from dateline.dynamic import Bm25Search, ChatGenerator
        >>> from dateline.dynamic.triggers import Once
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> chat = ScriptedChatModel(replies=["Ada Berg is mayor."])
        >>> search = Bm25Search(["Ada Berg is mayor of Lund."])
        >>> llm = RetrievingLLM(ChatGenerator(chat, retriever=search, trigger=Once()))
        >>> response = llm.complete("Who is mayor of Lund?")
        >>> response.text, len(response.additional_kwargs["dateline_retrievals"])
        ('Ada Berg is mayor.', 1)
    """

    generator: RetrievingGenerator = Field(exclude=True, description="The model and its retriever.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    hold: int = Field(default=HOLD, description="Tokens held back for a trigger that could withdraw any.")
    clock: ClockField = now
    question_of: QuestionOf = Field(default=question_in, exclude=True, description="Finds a prompt's question.")

    def __init__(
        self,
        generator: RetrievingGenerator,
        *,
        as_of: AsOf = None,
        hold: int = HOLD,
        clock: Clock = now,
        question_of: QuestionOf = question_in,
        **kwargs: Any,
    ) -> None:
        """Take a generator.

        Args:
            as_of: the asking moment; `None`: when called.
            hold: tokens held back for a trigger that could withdraw any.
            question_of: finds the question in a prompt of your own form.
            kwargs: those of LlamaIndex's `LLM`, such as `system_prompt` and `callback_manager`.

        Raises:
            BadInput: for something else than a generator, an unreadable date, or a negative `hold`.
        """
        if not isinstance(generator, RetrievingGenerator):
            raise BadInput(f"{type(generator).__name__} is no generator; pass a DynamicGenerator or a ChatGenerator.")
        if hold < 0:
            raise BadInput(f"hold must be 0 tokens or more, not {hold}.")
        moment = checked(as_of, clock=clock)
        super().__init__(generator=generator, as_of=moment, hold=hold, clock=clock, question_of=question_of, **kwargs)

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex knows it under."""
        return "RetrievingLLM"

    @property
    def metadata(self) -> LLMMetadata:
        """Return sizes in tokens; the window leaves room for retrieved text."""
        options = self.generator.options
        found = 2 * options.k * options.document_words
        return LLMMetadata(
            context_window=max(options.context_tokens // 2, options.context_tokens - found),
            num_output=options.max_new_tokens,
            is_chat_model=True,
            model_name=type(self.generator).__name__,
        )

    def at(self, as_of: AsOf) -> Self:
        """Return the model for another asking moment."""
        return self.model_copy(update={"as_of": checked(as_of, clock=self.clock)})

    # -- completions --------------------------------------------------------------------------

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Answer a prompt."""
        return _whole(list(self._write(self._prompted(prompt, formatted), kwargs)))

    @llm_completion_callback()
    async def acomplete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """Complete a prompt, without blocking."""
        return _whole([each async for each in self._awrite(self._prompted(prompt, formatted), kwargs)])

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """Answer a prompt, piece by piece."""
        return self._write(self._prompted(prompt, formatted), kwargs)

    @llm_completion_callback()
    async def astream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseAsyncGen:
        """Complete a prompt as a stream, without blocking."""
        return self._awrite(self._prompted(prompt, formatted), kwargs)

    # -- chats --------------------------------------------------------------------------------

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """Answer the last message of a chat."""
        return _said(_whole(list(self._write(self._chatted(messages), kwargs))))

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """Answer a chat, without blocking."""
        return _said(_whole([each async for each in self._awrite(self._chatted(messages), kwargs)]))

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        """Answer the last message of a chat, piece by piece."""
        return (_said(each) for each in self._write(self._chatted(messages), kwargs))

    @llm_chat_callback()
    async def astream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseAsyncGen:
        """Answer a chat as a stream, without blocking."""
        return (_said(each) async for each in self._awrite(self._chatted(messages), kwargs))

    # -- writing ------------------------------------------------------------------------------

    def _prompted(self, prompt: str, formatted: bool) -> AppPrompt:
        to_prompt = self.completion_to_prompt
        written = prompt if formatted or to_prompt is None else to_prompt(prompt)
        return read_app_prompt(written, as_of=asking_moment(self.as_of, clock=self.clock), question_of=self.question_of)

    def _chatted(self, messages: Sequence[ChatMessage]) -> AppPrompt:
        """Read the question of a chat's last message.

        System messages hold the context of chat engines.
        """
        if not messages or messages[-1].role != MessageRole.USER:
            raise BadInput("The last message is no question; end the messages with a user's one.")
        said = [(each.role, each.content) for each in messages if each.content]
        return read_app_prompt(
            messages[-1].content or "",
            as_of=asking_moment(self.as_of, clock=self.clock),
            question_of=self.question_of,
            turns=[Turn(_ROLES[role], text) for role, text in said[:-1] if role in _ROLES],
            system=[text for role, text in said if role == MessageRole.SYSTEM],
        )

    def _write(self, asked: AppPrompt, given: dict[str, Any]) -> CompletionResponseGen:
        with self._prepared(asked, given).stream(asked.question) as events:
            steady, told = SettledText(events, hold=self.hold), _Told()
            for event in events:
                if (response := told.take(event, steady.take(event))) is not None:
                    yield response

    async def _awrite(self, asked: AppPrompt, given: dict[str, Any]) -> CompletionResponseAsyncGen:
        async with self._prepared(asked, given).astream(asked.question) as events:
            steady, told = SettledText(events, hold=self.hold), _Told()
            async for event in events:
                if (response := told.take(event, steady.take(event))) is not None:
                    yield response

    def _prepared(self, asked: AppPrompt, given: dict[str, Any]) -> RetrievingGenerator:
        """Return the generator set up for one prompt.

        With the prompt in its layout, heard by handlers, and with the texts to stop at.
        """
        generator = asked.within(heard(self.generator))
        if stop := given.get("stop"):
            texts = [stop] if isinstance(stop, str) else stop
            generator = generator.with_options(stop_at=(*generator.options.stop_at, *texts))
        return generator


@dataclass
class _Told:
    """The text and retrievals so far."""

    text: str = ""
    retrievals: list[dict[str, Any]] = field(default_factory=list)

    def take(self, event: Event, delta: str) -> CompletionResponse | None:
        """The response after an event; `None` where it says nothing new."""
        self.text += delta
        raw = None
        if isinstance(event, RetrievalEvent):
            tell(event.retrieval)
            self.retrievals.append(event.retrieval.told())
        elif isinstance(event, EndEvent):
            raw = _ending(event.generation)
        elif not delta:
            return None
        kwargs = {RETRIEVALS: list(self.retrievals)}
        return CompletionResponse(text=self.text, delta=delta, additional_kwargs=kwargs, raw=raw)


def _whole(written: Sequence[CompletionResponse]) -> CompletionResponse:
    """The last response, which holds all there is."""
    return written[-1].model_copy(update={"delta": None})


def _said(response: CompletionResponse) -> ChatResponse:
    """Return a chat's response so far.

    The message is text alone: apps keep it, and show it to their models again.
    """
    return ChatResponse(
        message=ChatMessage(role=MessageRole.ASSISTANT, content=response.text),
        delta=response.delta,
        additional_kwargs=response.additional_kwargs,
        raw=response.raw,
    )


def _ending(generation: Generation) -> dict[str, Any]:
    """Return a generation's end and usage, where LlamaIndex's token counters look."""
    cost = generation.cost
    return {
        "dateline": generation.told(),
        "usage": {
            "input_tokens": cost.input_tokens,
            "output_tokens": cost.output_tokens,
            "total_tokens": cost.tokens,
        },
    }
