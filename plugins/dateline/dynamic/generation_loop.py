"""The retrieval loop shared by local and API models.

It yields events, and the calls that a stream is to make for it: one core serves blocking and async callers alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

from dateline.dynamic.answer import FloatArray, GeneratedAnswer
from dateline.dynamic.look_up import SearchResponse, look_up
from dateline.dynamic.options import GenerationOptions
from dateline.dynamic.passages import shortened
from dateline.dynamic.pieces import Pieces
from dateline.dynamic.progress import Context, Progress
from dateline.dynamic.queries.base import or_question
from dateline.dynamic.statement import statement
from dateline.dynamic.triggers.base import Firing
from dateline.dynamic.values import Ended, EndEvent, Generation, Retrieval, RetrievalEvent
from dateline.dynamic.words import content_words
from dateline.evidence.sanitize import sanitize
from dateline.protocols import Search
from dateline.records import Cost, Evidence
from dateline.temporal.constraint import Question
from dateline.text.special_tokens import SpecialTokens

T = TypeVar("T")

RESERVE = 16
"""Tokens of room that documents leave for the answer, where so many are still to come."""


Events: TypeAlias = Generator[Any, Any, T]
"""Events (`Event`) and calls to be made (`Effect`) out; the calls' results in."""


class Writer(Protocol):
    """The token source with its costs: a `TokenSession` or a `ChatLedger`."""

    passes: int
    encoded: int

    def alone(self, tokens: Sequence[int]) -> FloatArray:
        """Return the last layer's attention over these tokens alone."""
        ...


@dataclass
class GenerationLoop:
    """One generation; `interrupted` is checked before every token."""

    text: str
    question: Question | None
    options: GenerationOptions
    session: Writer
    search: Search
    interrupted: Callable[[], bool]
    retrievals: list[Retrieval] = field(default_factory=list)
    generated: int = 0
    searches: int = 0
    why: str = field(default="", init=False)
    """How it ended, where the name of the ending does not tell."""

    def __post_init__(self) -> None:
        self._started = time.perf_counter()
        self._split = SpecialTokens(self.options.tokenizer).split
        context = self._context(())
        pieces = Pieces(self.options.tokenizer, before=context.ids)
        answer = GeneratedAnswer(pieces, keep_rows=self.options.query.needs_attention)
        self.progress = Progress(self.text, self.question, context, answer, self.session.alone)

    def events(self) -> Events[None]:
        """Yield all events; the last one is the end."""
        ended = "interrupted" if self.interrupted() else (yield from self._generate())
        yield EndEvent(generation=self.result(ended))

    def result(self, ended: Ended) -> Generation:
        """Return the generation so far."""
        answer = self.progress.answer
        end = len(answer.text) + 1 if answer.cut is None else answer.cut
        return Generation(
            question=self.text,
            as_of=self.question.as_of if self.question is not None else None,
            text=answer.text[:end].strip(),
            tokens=tuple(answer.score(token) for token in range(len(answer)) if answer.starts[token] < end),
            retrievals=tuple(self.retrievals),
            threshold=_threshold(self.options.trigger),
            ended=ended,
            statement=statement(ended, retrievals=self.retrievals, options=self.options, why=self.why),
            cost=Cost(
                model_calls=self.session.passes,
                input_tokens=self.session.encoded,
                output_tokens=self.generated,
                searches=self.searches,
                seconds=time.perf_counter() - self._started,
            ),
        )

    def close(self) -> None:
        """Let go of what the model still writes."""

    async def aclose(self) -> None:
        """Close without blocking."""

    def _generate(self) -> Events[Ended]:
        """Write until something ends it."""
        raise NotImplementedError

    def _must_end(self) -> Ended | None:
        if self.interrupted():
            return "interrupted"
        used = len(self.progress.context.ids) + len(self.progress.answer)
        return "context full" if used >= self.options.context_tokens else None

    def _stop_at(self, texts: Sequence[str]) -> None:
        """End the answer before the first stop text in it."""
        answer = self.progress.answer
        for text in texts:
            since = max(0, answer.starts[-1] - len(text))
            if (place := answer.text.find(text, since)) >= 0:
                answer.over, answer.cut = True, place
                return

    # -- retrieval ----------------------------------------------------------------------------

    @property
    def retrieval_is_over(self) -> bool:
        """True if nothing can be withdrawn any more."""
        return self._exhausted and not self._spent

    @property
    def _exhausted(self) -> bool:
        return self._all_retrieved

    @property
    def _all_retrieved(self) -> bool:
        limit = self.options.max_retrievals
        return limit is not None and len(self.retrievals) >= limit

    @property
    def _spent(self) -> bool:
        return self._all_retrieved and self.options.when_spent == "stop"

    def _judged(self, judge: Callable[[Progress], Firing | None]) -> Firing | None:
        """Return a trigger's firing, unless retrieval is no longer allowed.

        An answer that ends without a word has no token to doubt, and is in doubt as a whole.
        """
        if self.retrieval_is_over:
            return None
        if self.progress.answer.says_nothing and self.options.trigger.doubts and not self.progress.floor:
            return Firing(0, 0.0, self.options.trigger.name, "the answer holds no word")
        firing = judge(self.progress)
        if firing is None or not self.progress.floor <= firing.position < self.options.max_new_tokens:
            return None
        # What a stop text ends is no longer part of the answer, so nothing in it is in doubt.
        return None if self.progress.answer.cut is not None and firing.position >= self.progress.answer.kept else firing

    def _judged_as_chosen(self) -> Firing | None:
        """Judge the newest token, and what the limit leaves unfinished."""
        answer, judge = self.progress.answer, self.options.trigger.chosen
        firing = self._judged(judge)
        if firing is None and len(answer) >= self.options.max_new_tokens and not answer.over:
            answer.full = True
            firing = self._judged(judge)
        return firing

    def _retrieve(self, firing: Firing, *, floor: int) -> Events[bool]:
        """Retrieve documents and put them in front of the answer.

        Args:
            firing: the trigger's request.
            floor: the first position at which another retrieval may happen.

        Returns:
            Whether the prompt changed and has to be encoded again.
        """
        progress, options = self.progress, self.options
        query = or_question(options.query.text(progress, firing=firing), progress=progress)
        if self._in_front(query):
            progress.floor, progress.since = floor, firing.position
            return False
        found = yield from look_up(query, search=self.search, question=self.question, k=options.k)
        self.searches += found.searches
        documents, context, note = self._fitted(found, query, firing.position)
        answer = progress.answer
        changed = context is not None
        withdrawn = len(answer) - firing.position if changed else 0
        withdrawn_text = answer.text[answer.starts[firing.position] :] if withdrawn > 0 else ""
        if context is not None:
            progress.context, progress.documents = context, documents
            answer.truncate(firing.position)
        progress.floor = floor
        progress.since, progress.asked = firing.position, progress.asked + 1
        retrieval = Retrieval(
            number=len(self.retrievals) + 1,
            position=firing.position,
            trigger=firing.trigger,
            reason=firing.reason,
            score=firing.score,
            query=query,
            documents=progress.documents,
            withdrawn=max(0, withdrawn),
            withdrawn_text=withdrawn_text,
            note=note,
            failed=bool(found.error),
            seconds=found.seconds,
        )
        self.retrievals.append(retrieval)
        yield RetrievalEvent(retrieval=retrieval)
        return changed

    def _in_front(self, query: str) -> bool:
        """Return whether the last query held the same words."""
        last = self.retrievals[-1] if self.retrievals else None
        if last is None or last.failed or last.note.startswith("Nothing"):
            return False
        return content_words(last.query) == content_words(query)

    def _fitted(
        self, found: SearchResponse, query: str, position: int
    ) -> tuple[tuple[Evidence, ...], Context | None, str]:
        """Fit documents into the context window.

        Returns:
            The documents that fit, the new context (`None` if nothing is new), and a note.
        """
        if found.error:
            return (), None, f"The retriever failed: {found.error}"
        wanted = tuple(
            shortened(each, query=query, words=self.options.document_words)
            for each in found.documents[: self.options.k]
        )
        if not wanted:
            return (), None, "Nothing was found."
        if [each.text for each in wanted] == [each.text for each in self.progress.documents]:
            return (), None, "The same documents were found again."
        remaining = self.options.max_new_tokens - position
        for count in range(len(wanted), 0, -1):
            context = self._context(wanted[:count])
            if len(context.ids) + position + min(RESERVE, remaining) <= self.options.context_tokens:
                left = len(wanted) - count
                note = f"{left} of {len(wanted)} documents found no room in the model's context." if left else ""
                return wanted[:count], context, note
        return (), None, "None of the documents found room in the model's context."

    def _context(self, documents: Sequence[Evidence]) -> Context:
        options = self.options
        as_of = None if self.question is None else self.question.as_of
        shown = [_shown(each, self._split) for each in documents]
        prompt = options.layout.prompt(_plain(self.text, self._split), documents=shown, as_of=as_of)
        ids = options.tokenizer(prompt.text, add_special_tokens=prompt.special)["input_ids"]
        return Context(prompt, tuple(ids), options.tokenizer)


def _shown(document: Evidence, split: Callable[[str], str]) -> Evidence:
    """Return a document that opens no turn of the model."""
    title = split(sanitize(document.title, limit=200))
    return document.model_copy(update={"title": title, "text": _plain(document.text, split)})


def _plain(text: str, split: Callable[[str], str]) -> str:
    return split(sanitize(text, limit=len(text) * 2))


def _threshold(trigger: object) -> float | None:
    level = getattr(trigger, "threshold", None)
    return float(level) if isinstance(level, int | float) else None
