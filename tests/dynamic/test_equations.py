"""RIND and QFS as the paper writes them, against a plain computation from the attentions of the whole model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest

from dateline.dynamic import AttentionQuery, Bm25Search, DynamicGenerator, Generation, Rind
from dateline.dynamic.prompt import PlainLayout, PromptText
from dateline.dynamic.run import GenerationRun
from dateline.dynamic.stopwords import STOPWORDS
from dateline.dynamic.triggers import Firing
from dateline.dynamic.values import EndEvent
from dateline.records import Evidence
from dateline.testing import Family, TinyModel, tiny_causal_model

torch = pytest.importorskip("torch")

QUESTION = "Who is the director of the Northern Observatory?"
SEARCH = Bm25Search(["Carl Dahl was named director of the Northern Observatory on 14 September 2021."])
NEVER_FIRES = Rind(float("inf"))


@dataclass(frozen=True)
class WholePrompt:
    """A layout that does not say where what stands, so that all of it counts."""

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        return replace(PlainLayout().prompt(question, documents=documents, as_of=as_of), notes=None)


def generator(tiny: TinyModel, **options: Any) -> DynamicGenerator:
    given: dict[str, Any] = {"trigger": NEVER_FIRES, "layout": WholePrompt(), "max_new_tokens": 24, **options}
    return DynamicGenerator(tiny.model, tokenizer=tiny.tokenizer, retriever=SEARCH, **given)


def finished(generator: DynamicGenerator) -> tuple[GenerationRun, Generation]:
    run = generator._run(QUESTION, None, None)
    return run, next(event.generation for event in run.events() if isinstance(event, EndEvent))


def plain(family: Family, tiny: TinyModel, prompt: list[int], made: Generation) -> tuple[np.ndarray, np.ndarray]:
    """(entropies of the answer's tokens, last layer's attention, heads averaged) by one pass with everything on."""
    eager = tiny_causal_model(family, attention="eager").model
    ids = torch.tensor([prompt + [token.id for token in made.tokens]])
    with torch.no_grad():
        output = eager(ids, output_attentions=True, use_cache=False)
    p = torch.softmax(output.logits[0].double(), dim=-1)
    entropies = -(p * torch.log(p)).nansum(dim=-1)[len(prompt) - 1 : -1]
    return entropies.numpy(), output.attentions[-1][0].double().mean(dim=0).numpy()


@pytest.mark.parametrize("family", get_args(Family))
def test_the_equations_hold_for_every_family_as_if_the_whole_model_had_shown_its_attentions(family: Family) -> None:
    tiny = tiny_causal_model(family)
    run, made = finished(generator(tiny))
    prompt = list(run.progress.context.ids)
    entropies, attention = plain(family, tiny, prompt, made)

    tokens = made.tokens[:-1]  # nothing attends to the last one yet
    assert len(tokens) > 10
    for token in tokens:
        place = len(prompt) + token.index
        # The newest token has been chosen but not fed: nobody knows what it attends to.
        most = attention[place + 1 : -1, place].max(initial=-1.0)
        meaning = float(token.word != "" and token.word.lower() not in STOPWORDS)
        assert token.entropy == pytest.approx(entropies[token.index], abs=1e-4)
        if token.max_attention is None:
            assert most < 0
            continue
        assert token.max_attention == pytest.approx(most, abs=1e-4)
        assert token.rind == pytest.approx(entropies[token.index] * most * meaning, abs=1e-4)

    doubted = len(tokens) - 2
    firing = Firing(doubted, 0.0, "test", "test", token=doubted)
    ranking = AttentionQuery(scope="everything", stopwords=True).ranking(run.progress, firing=firing)
    row = attention[len(prompt) + doubted]
    assert [each.weight for each in ranking] == pytest.approx([row[each.place] for each in ranking], abs=1e-4)
    assert all(before.weight >= after.weight for before, after in pairwise(ranking))
    left_out = set(range(len(prompt) + doubted)) - {each.place for each in ranking}
    texts = [*(tiny.tokenizer.decode([each]) for each in prompt), *(token.text for token in made.tokens)]
    start = len(prompt) + run.progress.answer.word_start(doubted)
    for place in left_out:
        assert place >= start or not any(map(str.isalnum, texts[place])), texts[place]


def test_a_model_is_left_as_it_was() -> None:
    tiny = tiny_causal_model("llama")
    last = tiny.model.model.layers[-1].self_attn
    config = last.config
    generator(tiny).generate(QUESTION)
    assert last.config is config
    assert tiny.model.config._attn_implementation == "sdpa"
    assert all(not module._forward_hooks for module in tiny.model.modules())


@pytest.mark.parametrize("family", get_args(Family))
def test_without_a_retrieval_the_text_is_that_of_plain_generate(family: Family) -> None:
    tiny = tiny_causal_model(family)
    run, made = finished(generator(tiny))
    prompt = torch.tensor([list(run.progress.context.ids)])
    expected = tiny.model.generate(prompt, max_new_tokens=24, do_sample=False, attention_mask=torch.ones_like(prompt))
    assert [token.id for token in made.tokens] == [
        each for each in expected[0, prompt.shape[1] :].tolist() if each != tiny.tokenizer.eos_token_id
    ]
