"""One generation as a conversation: it yields events and questions to the retriever, and is sent what was found.

The retriever is asked by whoever drives it, so that one core serves blocking and async callers alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from asof.dynamic.answer import Answer
from asof.dynamic.options import Options
from asof.dynamic.passages import shortened
from asof.dynamic.pieces import Pieces
from asof.dynamic.progress import Context, Progress
from asof.dynamic.queries.base import row_of
from asof.dynamic.session import Session, Step
from asof.dynamic.statement import statement
from asof.dynamic.triggers.base import Firing
from asof.dynamic.values import Ended, EndEvent, Event, Generation, Retrieval, RetrievalEvent, TokenEvent
from asof.records import Cost, Evidence
from asof.temporal.constraint import Question

RESERVE = 16
"""Tokens of room that documents leave for the answer, where so many are still to come."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A query for the retriever; the run expects a `Found` in return."""

    query: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the retriever brought, best first, or why it failed."""

    documents: Sequence[Evidence] = ()
    error: str = ""
    seconds: float = 0.0
    searches: int = 1


Events = Generator[Event | Ask, Found | None, None]


@dataclass
class Run:
    """One generation. `interrupted` is asked before every token."""

    text: str
    question: Question | None
    options: Options
    session: Session
    interrupted: Callable[[], bool]
    retrievals: list[Retrieval] = field(default_factory=list)
    generated: int = 0
    searches: int = 0

    def __post_init__(self) -> None:
        self._started = time.perf_counter()
        self._cut: int | None = None
        context = self._context(())
        pieces = Pieces(self.options.tokenizer, before=context.ids)
        answer = Answer(pieces, keep_rows=self.options.query.needs_attention)
        self.progress = Progress(self.text, self.question, context, answer, self.session.alone)

    def events(self) -> Events:
        """The whole generation; the last event is its end."""
        ended = "interrupted" if self.interrupted() else (yield from self._generate())
        yield EndEvent(generation=self.result(ended))

    def result(self, ended: Ended) -> Generation:
        """What there is at present."""
        answer = self.progress.answer
        end = len(answer.text) + 1 if self._cut is None else self._cut
        return Generation(
            question=self.text,
            text=answer.text[:end].strip(),
            tokens=tuple(answer.score(token) for token in range(len(answer)) if answer.starts[token] < end),
            retrievals=tuple(self.retrievals),
            ended=ended,
            statement=statement(ended, retrievals=self.retrievals, options=self.options),
            cost=Cost(
                model_calls=self.session.passes,
                input_tokens=self.session.encoded,
                output_tokens=self.generated,
                searches=self.searches,
                seconds=time.perf_counter() - self._started,
            ),
        )

    # -- the loop -----------------------------------------------------------------------------

    def _generate(self) -> Generator[Event | Ask, Found | None, Ended]:
        answer, options = self.progress.answer, self.options
        if len(self.progress.context.ids) >= options.window:
            return "context full"
        if (firing := self._judged(options.trigger.before)) is not None:
            if self._spent:
                return "budget"
            if options.query.needs_attention:
                self._encode()  # the query looks at where the prompt's last token looks
            yield from self._retrieve(firing, floor=0)
        step = self._encode()
        while len(answer) < options.max_new_tokens:
            if (reason := self._must_end()) is not None:
                return reason
            self._take(step)
            if not answer.over:
                yield TokenEvent(token=answer.score(len(answer) - 1))
            firing, following = self._judge(step.token)
            if firing is not None:
                if self._spent:
                    return "budget"
                if following is None and self._looks_at_newest(firing):
                    following = self._look(self.session.feed(step.token))
                if (yield from self._retrieve(firing, floor=firing.position + 1)):
                    step = self._encode()
                    continue
            if answer.over:
                return "finished"
            if len(answer) < options.max_new_tokens:
                step = following or self._look(self.session.feed(step.token))
        return "length"

    def _must_end(self) -> Ended | None:
        if self.interrupted():
            return "interrupted"
        used = len(self.progress.context.ids) + len(self.progress.answer)
        return "context full" if used >= self.options.window else None

    def _take(self, step: Step) -> None:
        """Put the chosen token into the answer, or mark the answer as over."""
        answer = self.progress.answer
        self.generated += 1
        if step.token in self.options.end_tokens:
            answer.over = True
            return
        answer.append(step.token, entropy=step.entropy, probability=step.probability)
        self._stop_at(self.options.stop_at)

    def _judge(self, token: int) -> tuple[Firing | None, Step | None]:
        """Whether a trigger fires at the newest token, and what follows it, where it had to be fed to know."""
        if (firing := self._judged(self.options.trigger.chosen)) is not None:
            return firing, None
        if not self._worth_feeding():
            return None, None
        following = self._look(self.session.feed(token))
        return self._judged(self.options.trigger.attended), following

    def _worth_feeding(self) -> bool:
        """Whether anything depends on the newest token: the next one, or the judgement of those before the end."""
        answer, options = self.progress.answer, self.options
        if answer.over:
            return options.trigger.needs_attention and not self._exhausted and self._cut is None
        return len(answer) < options.max_new_tokens

    def _looks_at_newest(self, firing: Firing) -> bool:
        answer, row = self.progress.answer, row_of(firing)
        return self.options.query.needs_attention and row == len(answer) - 1 and row not in answer.rows

    def _look(self, step: Step) -> Step:
        if len(step.row):
            self.progress.answer.look(step.row, prompt=len(self.progress.context.ids))
        return step

    def _encode(self) -> Step:
        return self._look(self.session.set([*self.progress.context.ids, *self.progress.answer.ids]))

    def _stop_at(self, texts: Sequence[str]) -> None:
        """End the answer before the first of `texts` that the newest token completes."""
        answer = self.progress.answer
        for text in texts:
            since = max(0, answer.starts[-1] - len(text))
            if (place := answer.text.find(text, since)) >= 0:
                answer.over, self._cut = True, place
                return

    # -- retrieval ----------------------------------------------------------------------------

    @property
    def _exhausted(self) -> bool:
        limit = self.options.max_retrievals
        return limit is not None and len(self.retrievals) >= limit

    @property
    def _spent(self) -> bool:
        return self._exhausted and self.options.when_spent == "stop"

    def _judged(self, judge: Callable[[Progress], Firing | None]) -> Firing | None:
        """What a trigger says, unless it may not be heard."""
        if self._exhausted and not self._spent:
            return None
        firing = judge(self.progress)
        if firing is None or not self.progress.floor <= firing.position < self.options.max_new_tokens:
            return None
        return firing

    def _retrieve(self, firing: Firing, *, floor: int) -> Generator[Event | Ask, Found | None, bool]:
        """Ask, and put what was found in front; whether the text changed and has to be encoded again.

        `floor` is the first position at which another retrieval may be made.
        """
        progress, options = self.progress, self.options
        query = options.query.text(progress, firing=firing).strip() or progress.text
        found = (yield Ask(query)) or Found(error="nobody answered")
        self.searches += found.searches
        documents, context, note = self._fitted(found, query, firing.position)
        answer = progress.answer
        changed = context is not None
        withdrawn = len(answer) - firing.position if changed else 0
        withdrawn_text = answer.text[answer.starts[firing.position] :] if withdrawn > 0 else ""
        if context is not None:
            progress.context, progress.documents = context, documents
            answer.truncate(firing.position)
            self._cut = None
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

    def _fitted(self, found: Found, query: str, position: int) -> tuple[tuple[Evidence, ...], Context | None, str]:
        """The documents that fit in front, the prompt with them (`None`: nothing new), and a note."""
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
            if len(context.ids) + position + min(RESERVE, remaining) <= self.options.window:
                left = len(wanted) - count
                note = f"{left} of {len(wanted)} documents found no room in the model's context." if left else ""
                return wanted[:count], context, note
        return (), None, "None of the documents found room in the model's context."

    def _context(self, documents: Sequence[Evidence]) -> Context:
        options = self.options
        as_of = None if self.question is None else self.question.as_of
        prompt = options.layout.prompt(self.text, documents=documents, as_of=as_of)
        ids = options.tokenizer(prompt.text, add_special_tokens=prompt.special)["input_ids"]
        return Context(prompt, tuple(ids), options.tokenizer)
