"""One generation by a chat model behind an API.

The reply is read token by token and abandoned when a trigger fires.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from langchain_core.messages import BaseMessage

from dateline.chat import was_cut
from dateline.dynamic.answer import FloatArray
from dateline.dynamic.chat_prompt import ReplySeam, messages_of
from dateline.dynamic.chat_thoughts import ThoughtFilter
from dateline.dynamic.chat_tokens import ReplyToken, reply_tokens
from dateline.dynamic.generation_loop import Events, GenerationLoop
from dateline.dynamic.options import ChatOptions
from dateline.dynamic.spelling import Spelling
from dateline.dynamic.values import Ended, Generation, TokenEvent
from dateline.errors import BadInput, ModelFailed
from dateline.flow import call
from dateline.secrets import without_secrets
from dateline.text.tokens import estimate_tokens

Outcome = Ended | Literal["asked", "cut", "silent"]
"""How reading a reply ended: with the generation, because the text changed, by the provider's limit, without a word."""

TRIES = 2
"""How often an answer is asked for where nothing comes back."""


class ModelReply:
    """Reply that a chat model is writing, read piece by piece.

    A piece is `None` when the reply is over.
    """

    def __init__(self, model: Any) -> None:
        self._model: Any = model
        self._pieces: Any = iter(())

    def piece(self, messages: Sequence[BaseMessage] | None) -> BaseMessage | None:
        """Return the next piece, of a new reply where messages are given."""
        if messages is not None:
            self.close()
            self._pieces = iter(self._model.stream(messages))
        piece: BaseMessage | None = next(self._pieces, None)
        return piece

    async def apiece(self, messages: Sequence[BaseMessage] | None) -> BaseMessage | None:
        """Read a piece without blocking."""
        if messages is not None:
            await self.aclose()
            self._pieces = aiter(self._model.astream(messages))
        piece: BaseMessage | None = await anext(self._pieces, None)
        return piece

    def close(self) -> None:
        """Abandon the reply."""
        pieces, self._pieces = self._pieces, iter(())
        if hasattr(pieces, "close"):
            with suppress(Exception):  # what a reply says when nobody listens any more is of no interest
                pieces.close()

    async def aclose(self) -> None:
        """Abandon the reply without blocking."""
        pieces, self._pieces = self._pieces, iter(())
        if hasattr(pieces, "aclose"):
            with suppress(Exception):
                await pieces.aclose()


@dataclass
class ChatLedger:
    """Number of requests and their estimated prompt tokens."""

    passes: int = 0
    encoded: int = 0

    def alone(self, tokens: Sequence[int]) -> FloatArray:
        """Return zeros: an API exposes no attention."""
        return np.zeros((1, len(tokens), len(tokens)), dtype=np.float32)


@dataclass
class ChatRun(GenerationLoop):
    """A generation loop whose tokens come from a chat model.

    Requests are bounded: during the last of `max_calls`, triggers are ignored.
    """

    options: ChatOptions
    reply: ModelReply = field(kw_only=True)
    name: str = "The chat model"
    _seam: ReplySeam = field(init=False, repr=False)
    _failure: str = field(default="", init=False, repr=False)

    def result(self, ended: Ended) -> Generation:
        """Return the generation so far, with any failure in its statement."""
        made = super().result(ended)
        spent = self.session.passes >= self.options.max_calls and ended in ("finished", "length")
        note = self._failure or (f"no more than {self.options.max_calls} requests were allowed" if spent else "")
        return made.model_copy(update={"statement": f"{made.statement[:-1]}; {note}."}) if note else made

    def close(self) -> None:
        """Abandon the reply."""
        self.reply.close()

    async def aclose(self) -> None:
        """Abandon the reply without blocking."""
        await self.reply.aclose()

    @property
    def _exhausted(self) -> bool:
        return super()._exhausted or self.session.passes >= self.options.max_calls

    def _generate(self) -> Events[Ended]:
        if (firing := self._judged(self.options.trigger.before)) is not None:
            if self._spent:
                return "budget"
            yield from self._retrieve(firing, floor=0)
        answer = self.progress.answer
        outcome: Outcome = "asked"
        silent = 0
        for _ in range(self.options.max_calls):
            before = len(answer)
            if (reason := self._must_end()) is not None:
                return reason
            outcome = yield from self._read()
            if outcome != "asked" and outcome != "cut" and outcome != "silent":
                return outcome
            nothing_new = outcome == "cut" and len(answer) <= before
            silent = silent + 1 if outcome == "silent" else 0
            if nothing_new or silent >= TRIES:
                break
        if outcome == "cut":
            self.why = "The provider's limit ended the model's reply"
            return "length"
        return "finished"

    def _read(self) -> Events[Outcome]:
        """Read one reply and return how it ended.

        "asked" means that a retrieval changed the prompt.
        """
        answer, options = self.progress.answer, self.options
        request: Sequence[BaseMessage] | None = messages_of(self.progress.context.prompt.text, written=answer.text)
        sentences = answer.sentences()
        sentence = answer.text_of(sentences[-1]) if sentences else ""
        self._seam = ReplySeam(answer.text, sentence=sentence, gap=self._gap())
        self.session.passes += 1
        self.session.encoded += sum(estimate_tokens(str(each.text)) for each in request or ())
        thoughts = ThoughtFilter()
        cut, began = False, len(answer)
        more = True
        while more:
            try:
                piece = yield from call(self.reply.piece, request)
            except Exception as error:
                return self._failed(error)
            request, more = None, piece is not None
            cut = cut or (piece is not None and was_cut(piece))
            if piece is not None and self.interrupted():  # also within a thought, of which nothing is taken
                return "interrupted"
            told = reply_tokens(piece) if piece is not None else []
            said = thoughts.take(told) if piece is not None else thoughts.rest()
            self.generated += len(told) - len(said)
            for token in [*self._seam.take(said), *(self._seam.rest() if piece is None else ())]:
                if (reason := self._must_end()) is not None:
                    return reason
                self._take(token)
                if not answer.over:
                    yield TokenEvent(token=answer.score(len(answer) - 1))
                outcome = yield from self._follow()
                if outcome:
                    return outcome
                if len(answer) >= options.max_new_tokens:
                    return "length"
        if cut:
            return "cut"
        answer.over = True
        outcome = yield from self._follow()
        if outcome == "finished" and len(answer) == began == 0:
            answer.over = False
            return "silent"
        return outcome or "finished"

    def _gap(self) -> str:
        """Return the white space in front of what was just withdrawn."""
        last = self.retrievals[-1] if self.retrievals else None
        if last is None or len(self.progress.answer) > last.position:
            return ""
        return last.withdrawn_text[: -len(last.withdrawn_text.lstrip()) or None]

    def _take(self, token: ReplyToken) -> None:
        options = self.options
        if options.trigger.needs_probability and math.isnan(token.probability):
            raise BadInput(
                f"{self.name} tells no log-probabilities, which the trigger {options.trigger.name!r} needs; "
                "use LookAhead(), EverySentence() or Outdated(...)."
            )
        spelling: Spelling = options.tokenizer
        self.generated += 1
        self.progress.answer.append(
            spelling.number(token.spelled), entropy=token.entropy, probability=token.probability
        )
        self._stop_at(options.stop_at)

    def _follow(self) -> Events[Outcome | None]:
        """Judge the newest token and retrieve if a trigger fires.

        Returns:
            How the reply ended, or `None` while it goes on.
        """
        firing = self._judged_as_chosen()
        if firing is not None:
            if self._spent:
                return "budget"
            if (yield from self._retrieve(firing, floor=firing.position + 1)):
                return "asked"
        return "finished" if self.progress.answer.over else None

    def _failed(self, error: Exception) -> Ended:
        """Record a model error and end the generation.

        Raises:
            ModelFailed: when there is no text yet.
        """
        said = ": ".join(filter(None, (type(error).__name__, without_secrets(str(error)))))
        if not len(self.progress.answer):
            raise ModelFailed(f"The chat model failed with {said}")
        self._failure = f"the model failed with {said}"
        return "failed"
