"""A reader over a local language model (GrowOVER, section 4.1)."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from dateline.errors import check_choice, check_least
from dateline.flow import Flow, call, gather, twins
from dateline.protocols import ReadResult
from dateline.reading.causal_model import TAIL, CausalModel, Completion
from dateline.reading.coalesced import Coalesced
from dateline.reading.document_prompt import DocumentPrompt
from dateline.records import Candidate, Cost, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text.answer_key import answer_key

Documents = Literal["apart", "together"]
"""One prompt a document, the most probable answer taken; or one prompt with all of them (Ram et al. 2023)."""

MAX_PIECES = 20


class TransformersReader:
    """A reader that completes a `DocumentPrompt`, one document a prompt.

    Prompts run side by side; without evidence the model answers from memory alone.

    `probability` is the geometric mean of the answer's token probabilities. Greedy unless the model's
    temperature says otherwise; prompts that wait at the same moment share a forward pass (`aread`), and
    `read_each` gives each document's own answer. At most 20 pieces are read.
    """

    def __init__(
        self,
        model: CausalModel | str | Path,
        *,
        prompt: DocumentPrompt | None = None,
        documents: Documents = "apart",
        max_new_tokens: int = 16,
    ) -> None:
        check_choice(documents, name="documents", choices=get_args(Documents))
        check_least(1, max_new_tokens=max_new_tokens)
        self.model = model if isinstance(model, CausalModel) else CausalModel.load(model)
        self.prompt, self.documents, self.max_new_tokens = prompt or DocumentPrompt(), documents, max_new_tokens
        self._side_by_side = Coalesced(self._complete)

    def _read(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[ReadResult]:
        """Return the most probable answer; with `choices`, the likeliest of them."""
        started = time.perf_counter()
        groups = [[piece] for piece in evidence[:MAX_PIECES]] if self.documents == "apart" else []
        if not groups:
            room = TAIL if choices else self.max_new_tokens
            groups = [(yield from call(self._fitting, question, evidence[:MAX_PIECES], room))]
        if choices:
            made = yield from call(self._choose_each, question, groups, choices)
        else:
            prompts = [self.prompt.render(question, evidence=group, plain=self.model.plain) for group in groups]
            completions = yield from call(self._complete, prompts)
            made = [_result(one, pieces=group) for one, group in zip(completions, groups, strict=True)]
        return _most_probable(made, seconds=time.perf_counter() - started)

    read, aread = twins(_read)

    def read_each(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> list[ReadResult]:
        """Read each document alone, in one batch; results in order."""
        if choices:
            return self._choose_each(question, [[piece] for piece in evidence], choices)
        prompts = [self.prompt.render(question, evidence=[piece], plain=self.model.plain) for piece in evidence]
        return [_result(one, pieces=[piece]) for one, piece in zip(self._complete(prompts), evidence, strict=True)]

    def _fitting(self, question: Question, pieces: Sequence[Evidence], room: int) -> list[Evidence]:
        """Return the first pieces that fit into a prompt, at least one."""

        def too_long(count: int) -> bool:
            prompt = self.prompt.render(question, evidence=pieces[:count], plain=self.model.plain)
            return not self.model.fits(prompt, room=room)

        most = bisect_left(range(len(pieces)), True, lo=min(1, len(pieces)), key=lambda last: too_long(last + 1))
        return list(pieces[:most])

    def _complete(self, prompts: Sequence[str]) -> list[Completion]:
        return self.model.complete(prompts, max_new_tokens=self.max_new_tokens)

    async def _acomplete(self, prompts: Sequence[str]) -> list[Completion]:
        return await gather(self._side_by_side.one(prompt) for prompt in prompts)

    def _choose_each(
        self, question: Question, groups: Sequence[Sequence[Evidence]], choices: Sequence[str]
    ) -> list[ReadResult]:
        return [self._choose(question, pieces=group, choices=choices) for group in groups]

    def _choose(self, question: Question, *, pieces: Sequence[Evidence], choices: Sequence[str]) -> ReadResult:
        prompt = self.prompt.render(question, evidence=pieces, plain=self.model.plain)
        found = self.model.likelihoods(prompt, continuations=[f" {choice.strip()}" for choice in choices])
        total = sum(found) or 1.0
        order = sorted(range(len(choices)), key=lambda place: -found[place])
        used = tuple(piece.id for piece in pieces)
        candidates = [
            Candidate(answer=choices[place], probability=found[place] / total, evidence_ids=used) for place in order
        ]
        return ReadResult(Reading.of(candidates, choice=order[0]), Cost(model_calls=1))


def _result(completion: Completion, *, pieces: Sequence[Evidence]) -> ReadResult:
    used = tuple(piece.id for piece in pieces)
    answer = Candidate(answer=completion.text, probability=min(1.0, completion.probability), evidence_ids=used)
    cost = Cost(model_calls=1, input_tokens=completion.prompt_tokens, output_tokens=completion.tokens)
    return ReadResult(Reading.of([answer] if completion.text else []), cost)


def _most_probable(results: Sequence[ReadResult], *, seconds: float) -> ReadResult:
    """Choose the most probable answer, with all evidence that gave it."""
    ranked = sorted((result.reading for result in results), key=lambda one: -one.probability)
    best = ranked[0]
    merged: dict[str, Candidate] = {}
    for one in (candidate for reading in ranked for candidate in reading.candidates):
        key = answer_key(one.answer)
        first = merged.get(key)
        ids = (*first.evidence_ids, *one.evidence_ids) if first else one.evidence_ids
        top = max(first.probability, one.probability) if first else one.probability
        answer = first.answer if first else one.answer
        merged[key] = Candidate(answer=answer, probability=top, evidence_ids=tuple(dict.fromkeys(ids)))
    candidates = tuple(sorted(merged.values(), key=lambda one: -one.probability))
    used = next((one.evidence_ids for one in candidates if one.answer == best.answer), best.evidence_ids)
    reading = best.model_copy(update={"candidates": candidates, "evidence_ids": used})
    return ReadResult(reading, sum((result.cost for result in results), Cost(seconds=seconds)))
