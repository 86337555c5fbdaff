"""One generation by a local model, token by token."""

from __future__ import annotations

from dataclasses import dataclass

from dateline.dynamic.generation_loop import Events, GenerationLoop
from dateline.dynamic.queries.base import row_of
from dateline.dynamic.session import TokenSession, TokenStep
from dateline.dynamic.triggers.base import Firing
from dateline.dynamic.values import Ended, TokenEvent


@dataclass
class GenerationRun(GenerationLoop):
    """A generation loop whose tokens come from a `TokenSession`."""

    session: TokenSession

    def _generate(self) -> Events[Ended]:
        answer, options = self.progress.answer, self.options
        if len(self.progress.context.ids) >= options.context_tokens:
            return "context full"
        if (firing := self._judged(options.trigger.before)) is not None:
            if self._spent:
                return "budget"
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

    def _take(self, step: TokenStep) -> None:
        """Append the chosen token, or mark the answer as over."""
        answer = self.progress.answer
        self.generated += 1
        if step.token in self.options.end_tokens:
            answer.over = True
            return
        answer.append(step.token, entropy=step.entropy, probability=step.probability)
        self._stop_at(self.options.stop_at)

    def _judge(self, token: int) -> tuple[Firing | None, TokenStep | None]:
        """Judge the newest token.

        Returns:
            The firing, if any, and the next step where the token had to be fed to decide.
        """
        if (firing := self._judged_as_chosen()) is not None:
            return firing, None
        if not self._worth_feeding():
            return None, None
        following = self._look(self.session.feed(token))
        return self._judged(self.options.trigger.attended), following

    def _worth_feeding(self) -> bool:
        """Return whether anything depends on feeding the newest token.

        The next token does, and so does judging the tokens before the end.
        """
        answer, options = self.progress.answer, self.options
        if answer.over:
            return options.trigger.needs_attention and not self._exhausted and answer.cut is None
        return len(answer) < options.max_new_tokens

    def _looks_at_newest(self, firing: Firing) -> bool:
        answer, row = self.progress.answer, row_of(firing)
        return self.options.query.needs_attention and row == len(answer) - 1 and row not in answer.rows

    def _look(self, step: TokenStep) -> TokenStep:
        if len(step.row):
            self.progress.answer.look(step.row, prompt=len(self.progress.context.ids))
        return step

    def _encode(self) -> TokenStep:
        return self._look(self.session.set([*self.progress.context.ids, *self.progress.answer.ids]))
