"""`TransformersChatModel`: a chat model in a folder or GGUF file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ChatMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_core.tools import BaseTool
from pydantic import Field, PrivateAttr

from dateline import BadInput
from dateline.chat_template import ChatTurn, chat_prompt
from dateline.dynamic.options import MOST_WINDOW
from dateline.dynamic.sampling import Chooser, Sampling
from dateline.dynamic.session import TokenSession
from dateline.pretrained import Pretrained, load_pretrained
from dateline.text.special_tokens import SpecialTokens
from langchain_dateline.chat_model_base import CheckedChatModel
from langchain_dateline.local_reply import LocalReply, ReplyPiece

MAX_TOKENS = 512
"""Tokens of a reply where neither caller nor model say; chosen by hand."""


class TransformersChatModel(CheckedChatModel):
    """A causal language model of transformers as a chat model of LangChain.

    The reply alone comes back, token by token where it is streamed, with usage and the reason why it ended. With
    `logprobs=True`, given here or in a call, `response_metadata["logprobs"]` holds each token's log-probability in the
    form of OpenAI's client, with the `top_logprobs` likeliest at its place. Calls may give `stop`, `max_tokens`,
    `temperature`, `top_p`, `seed`, `logprobs` and `top_logprobs` of their own.

    The chat template of the tokenizer writes the prompt; a message can spell none of its control tokens. Whole replies
    wait for one another, since they share processor and memory; what the prompt has in common with the one before is
    not read again. Async callers wait in a thread.

    Raises:
        BadInput: for a model that is not there, a value out of range and, while running, a prompt longer than the
            model's context.
        MissingExtra: without torch and transformers, or gguf and accelerate for a GGUF file.

    Example:
        >>> from dateline.testing import tiny_causal_model
        >>> model = TransformersChatModel(model=tiny_causal_model(), max_tokens=3)
        >>> model.invoke("Who leads Acme?").usage_metadata["output_tokens"]
        3
    """

    model: Any = Field(repr=False, exclude=True, description="A folder, a GGUF file, or a loaded (model, tokenizer).")
    device: str = Field(default="cpu", description="Where a model that is loaded here runs: cpu, cuda.")
    max_tokens: int | None = Field(
        default=None,
        ge=1,
        description=f"The most tokens of a reply. None: the model's own max_new_tokens, or {MAX_TOKENS}.",
    )
    temperature: float = Field(default=0.0, ge=0, description="0: the likeliest token, always.")
    top_p: float = Field(default=1.0, gt=0, le=1, description="Share of the likeliest tokens that are drawn from.")
    seed: int = Field(default=0, description="Of the drawing.")
    stop: Sequence[str] = Field(default=(), description="Texts that end a reply and are not part of it.")
    logprobs: bool = Field(default=False, description="Whether replies tell their log-probabilities.")
    top_logprobs: int = Field(default=0, ge=0, le=100, description="Likeliest tokens told at each place.")
    model_name: str = Field(default="", description="Shown in traces; by default the name of the folder or file.")

    _loaded: Pretrained = PrivateAttr()
    _specials: SpecialTokens = PrivateAttr()
    _idle: list[TokenSession] = PrivateAttr(default_factory=list)
    _turn: Any = PrivateAttr(default_factory=threading.RLock)

    def model_post_init(self, context: Any, /) -> None:
        """Load the model."""
        super().model_post_init(context)
        if isinstance(self.model, str | Path):
            self._loaded = load_pretrained(self.model, device=self.device)
        elif isinstance(self.model, tuple) and len(self.model) == 2:
            self._loaded = Pretrained(*self.model)
        else:
            raise BadInput(
                f"model must be a folder, a GGUF file or (model, tokenizer), not {type(self.model).__name__}."
            )
        given = self.model if isinstance(self.model, str | Path) else getattr(self._loaded.model, "name_or_path", "")
        self.model_name = self.model_name or Path(str(given)).name or type(self._loaded.model).__name__
        self._specials = SpecialTokens(self._loaded.tokenizer)
        if self.profile is None:
            self.profile = {"max_input_tokens": self._window, "tool_calling": False, "structured_output": False}

    @property
    def _llm_type(self) -> str:
        return "dateline-transformers"

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        names = ("model_name", "max_tokens", "temperature", "top_p", "seed", "stop", "logprobs", "top_logprobs")
        return {name: getattr(self, name) for name in names}

    @property
    def _traced_as(self) -> tuple[str, str]:
        return "transformers", self.model_name

    def get_token_ids(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        ids: list[int] = self._loaded.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def get_num_tokens_from_messages(
        self,
        messages: list[BaseMessage],
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool] | None = None,
    ) -> int:
        """Count the tokens of the prompt that the messages make."""
        return len(self._prompt(messages))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        with self._turn:
            return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        ids = self._prompt(messages)
        told = bool(kwargs.get("logprobs", self.logprobs))
        with self._session(
            kwargs, shown=int(kwargs.get("top_logprobs") or self.top_logprobs) if told else 0
        ) as session:
            reply = LocalReply(
                self._loaded,
                session,
                ids,
                max_tokens=self._room(ids, kwargs.get("max_tokens") or self.max_tokens),
                stop=tuple(self.stop if stop is None else stop),
            )
            for piece in reply.pieces():
                if piece.text or piece.tokens or piece.finish:
                    chunk = self._chunk(piece, read=len(ids), told=told)
                    if run_manager is not None:
                        run_manager.on_llm_new_token(chunk.text, chunk=chunk)
                    yield chunk

    def _prompt(self, messages: Sequence[BaseMessage]) -> list[int]:
        """Return the tokens of the prompt."""
        turns = [ChatTurn(_role(each), self._specials.split(str(each.text))) for each in messages]
        tokenizer = self._loaded.tokenizer
        text = chat_prompt(turns, tokenizer=tokenizer)
        special = not getattr(tokenizer, "chat_template", None)  # a template writes the first token itself
        ids: list[int] = tokenizer(text, add_special_tokens=special)["input_ids"]
        return ids

    @property
    def _window(self) -> int:
        return self._loaded.context_tokens or MOST_WINDOW

    def _room(self, ids: Sequence[int], wanted: int | None) -> int:
        if len(ids) >= self._window:
            raise BadInput(
                f"The prompt has {len(ids)} tokens and {self.model_name} reads {self._window}; "
                "show it fewer or shorter documents, or take a model with a longer context."
            )
        own = getattr(getattr(self._loaded.model, "generation_config", None), "max_new_tokens", None)
        return min(int(wanted or own or MAX_TOKENS), self._window - len(ids))

    @contextmanager
    def _session(self, given: Mapping[str, Any], *, shown: int) -> Iterator[TokenSession]:
        """Lend the session that read the last prompt, or a new one."""
        values = {name: given.get(name, getattr(self, name)) for name in ("temperature", "top_p", "seed")}
        sampling = Sampling(**{**values, "seed": values["seed"] or 0}) if values["temperature"] else None
        chooser = Chooser(sampling, device=self._loaded.model.device)
        try:
            session = self._idle.pop()
        except IndexError:
            session = TokenSession(self._loaded.model, watch=None, chooser=chooser)
        session.chooser, session.shown = chooser, shown
        yield session
        if not self._idle:
            self._idle.append(session)

    def _chunk(self, piece: ReplyPiece, *, read: int, told: bool) -> ChatGenerationChunk:
        metadata: dict[str, Any] = {"logprobs": {"content": list(piece.tokens)}} if told else {}
        if piece.finish is None:
            return ChatGenerationChunk(message=AIMessageChunk(content=piece.text, response_metadata=metadata))
        usage = UsageMetadata(input_tokens=read, output_tokens=piece.written, total_tokens=read + piece.written)
        metadata |= {"finish_reason": piece.finish, "model_name": self.model_name}
        message = AIMessageChunk(
            content=piece.text, response_metadata=metadata, usage_metadata=usage, chunk_position="last"
        )
        return ChatGenerationChunk(message=message)


def _role(message: BaseMessage) -> Any:
    if isinstance(message, SystemMessage) or (isinstance(message, ChatMessage) and message.role == "system"):
        return "system"
    return "assistant" if isinstance(message, AIMessage) else "user"
