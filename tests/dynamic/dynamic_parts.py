"""What the tests of generation share: a tiny model, a search, triggers that do as they are told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from dateline.dynamic import Bm25Search, DynamicGenerator, Firing, Generation, Trigger
from dateline.dynamic.answer import GeneratedAnswer
from dateline.dynamic.pieces import Pieces
from dateline.dynamic.progress import Context, Progress
from dateline.dynamic.prompt import Layout, PlainLayout
from dateline.dynamic.queries import QuestionQuery
from dateline.dynamic.run import GenerationRun
from dateline.dynamic.triggers import Never
from dateline.dynamic.values import EndEvent
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.testing import Family, TinyModel, tiny_causal_model

QUESTION = "Who is the director of the Northern Observatory?"
DOCUMENTS = (
    "Carl Dahl was named director of the Northern Observatory on 14 September 2021.",
    "Anna Berg led the Northern Observatory from 2015.",
    "Tromso is a town in the north.",
)
SEARCH = Bm25Search(DOCUMENTS)


@cache
def tiny(family: Family = "llama") -> TinyModel:
    return tiny_causal_model(family)


def generator(family: Family = "llama", **options: Any) -> DynamicGenerator:
    given: dict[str, Any] = {
        "trigger": Never(), "query": QuestionQuery(), "retriever": SEARCH, "max_new_tokens": 24, **options,
    }  # fmt: skip
    model = tiny(family)
    return DynamicGenerator(model.model, tokenizer=model.tokenizer, **given)


def finished(generator: DynamicGenerator, question: str = QUESTION) -> tuple[GenerationRun, Generation]:
    events = generator.stream(question)
    *_, end = events
    assert isinstance(events.run, GenerationRun)
    assert isinstance(end, EndEvent)
    return events.run, end.generation


@dataclass(frozen=True)
class FireAt(Trigger):
    """Fires once at each position, when `after` more tokens are there."""

    positions: tuple[int, ...]
    after: int = 1
    name = "told to"

    def chosen(self, progress: Progress) -> Firing | None:
        position = len(progress.answer) - self.after
        if position not in self.positions or position < progress.floor or progress.answer.over:
            return None
        return Firing(position, 1.0, self.name, "as told", position if self.after else None)


def progress_of(
    text: str,
    *,
    question: str | Question = QUESTION,
    entropies: Mapping[str, float] | None = None,
    probabilities: Mapping[str, float] | None = None,
    over: bool = False,
    layout: Layout | None = None,
    documents: Sequence[Evidence] = (),
    tokenizer: Any = None,
) -> Progress:
    """A generation that has come to `text`; tokens of the named words have other scores than 0 and 1."""
    tokenizer = tokenizer or tiny().tokenizer
    words = question if isinstance(question, str) else question.text
    prompt = (layout or PlainLayout()).prompt(words, documents=documents, as_of=None)
    ids = tuple(tokenizer(prompt.text)["input_ids"])
    answer = GeneratedAnswer(Pieces(tokenizer, before=ids))
    tokens = tokenizer(text, return_offsets_mapping=True)
    for token, (start, end) in zip(tokens["input_ids"], tokens["offset_mapping"], strict=True):
        word = next((each for each in (*(entropies or ()), *(probabilities or ())) if _in(text, each, start, end)), "")
        answer.append(token, entropy=(entropies or {}).get(word, 0.0), probability=(probabilities or {}).get(word, 1.0))
    answer.over = over
    return Progress(
        words,
        question if isinstance(question, Question) else None,
        Context(prompt, ids, tokenizer),
        answer,
        lambda alone: np.zeros((1, len(alone), len(alone)), dtype=np.float32),
    )


def _in(text: str, word: str, start: int, end: int) -> bool:
    place = text.find(word)
    return place < end and start < place + len(word) and place >= 0


Spaces = Literal["with the first digit", "of its own", "of its own, as sentencepiece marks it"]
"""Where vocabularies that write a digit a token put the space before a number."""


@cache
def digitwise(spaces: Spaces) -> Any:
    """A vocabulary that writes a digit a token, as those of today do."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE(byte_fallback=True))
    digits = pre_tokenizers.Digits(individual_digits=True)
    if spaces == "of its own, as sentencepiece marks it":
        made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(prepend_scheme="never"), digits])
        made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    else:
        whole = pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.pre_tokenizer = whole if spaces == "with the first digit" else pre_tokenizers.Sequence([digits, whole])
        made.decoder = decoders.ByteLevel()
    texts = [QUESTION, *DOCUMENTS, "It opened last in March. The director took office on that day, as it was. May 5th"]
    numbers = "".join(f" {digit}" for digit in "0123456789") * 20
    alphabet = [*pre_tokenizers.ByteLevel.alphabet(), "▁"]
    trainer = trainers.BpeTrainer(vocab_size=600, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator([*(re.sub(r"\d", "", text) for text in texts), numbers], trainer)
    return PreTrainedTokenizerFast(tokenizer_object=made, clean_up_tokenization_spaces=False)


def looked_at(progress: Progress, *, row: int, weights: Mapping[str, float]) -> None:
    """Give the answer's token `row` attention on the pieces of some words; what is left over goes to the first token."""
    answer, prompt = progress.answer, progress.context
    weight = np.zeros(len(prompt.ids) + row + 1, dtype=np.float32)
    for place in range(len(weight) - 1):
        word = prompt.words[place] if place < len(prompt.ids) else answer.word(place - len(prompt.ids))
        weight[place] = weights.get(word.text, 0.0) if word is not None else 0.0
    answer.look(weight, prompt=len(prompt.ids))
