"""What retrieval while generating costs: over plain generation, and against the published procedure.

    python benchmarks/dynamic.py [--json FILE] [--rounds 7] [--seed 0] [--device cpu|cuda] [--clock wall|cpu]

A random Llama of 50 million parameters (a billion with --device cuda), since only time is measured and random weights
take as long as trained ones. What is compared runs in turn, first one and then the other, and medians of the rounds'
ratios are stated. On a machine that others use too, --clock cpu counts the seconds of this process alone.

idle_overhead        seconds a token with RIND watching and never firing, over transformers' own cached `generate`.
retrieval_speedup    a sentence of 20 kept tokens with one token in doubt, three documents of 100 tokens, 128 tokens a
                     generation: the published procedure (generate 128 tokens; a second forward pass with
                     output_attentions; with the documents in front generate 128 tokens again; keep the sentence) over
                     ours (stop at the token in doubt; put the documents in front; go on to the sentence's end).
                     Stated for the doubt in the middle and at the end of the sentence, and for the case that all 128
                     tokens are wanted and nothing but the first part of the work can be saved.
max_abs_error        the largest difference of equations 1 to 5 and of QFS's weights from a plain computation from the
                     whole model's output_attentions, over tiny models of all families.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

import torch

from dateline import Evidence
from dateline.dynamic import AttentionQuery, DynamicGenerator, Firing, Rind, Trigger
from dateline.dynamic.progress import Progress
from dateline.dynamic.stopwords import STOPWORDS
from dateline.dynamic.values import EndEvent
from dateline.testing import Family, FixedSearch, TinyModel, tiny_causal_model

QUESTION = "Who was the director of the observatory when the new tower was opened?"
KEPT, NEW, DOCUMENT = 20, 128, 100
SIZES: dict[str, dict[str, Any]] = {
    "cpu": {"hidden_size": 512, "intermediate_size": 1408, "num_hidden_layers": 10, "num_attention_heads": 8,
            "num_key_value_heads": 8, "head_dim": 64},
    "cuda": {"hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22, "num_attention_heads": 32,
             "num_key_value_heads": 8, "head_dim": 64},
}  # fmt: skip
NEVER = Rind(float("inf"))
CLOCK: list[Callable[[], float]] = []


@dataclass(frozen=True)
class DoubtAt(Trigger):
    """Doubts one token of the answer when the next one attends to it, once."""

    position: int

    name = "doubt"
    needs_attention = True

    def attended(self, progress: Progress) -> Firing | None:
        if progress.asked or len(progress.answer) != self.position + 2:
            return None
        return Firing(self.position, 1.0, self.name, "as told", self.position)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument(
        "--clock", choices=["wall", "cpu"], default="wall", help="cpu: seconds of this process alone"
    )
    arguments.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    given = arguments.parse_args()

    CLOCK.append(time.process_time if given.clock == "cpu" else time.perf_counter)
    tiny = built(given.device, given.seed)
    figures: dict[str, Any] = {
        "parameters": sum(each.numel() for each in tiny.model.parameters()),
        "rounds": given.rounds,
        "clock": given.clock,
        "seed": given.seed,
        "machine": machine(given.device),
        "threads": torch.get_num_threads(),
        "load": round(os.getloadavg()[0], 1),
    }
    figures |= idle(tiny, rounds=given.rounds)
    figures |= triggered(tiny, rounds=given.rounds, seed=given.seed)
    if given.device == "cpu":
        figures |= errors(given.seed)
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def machine(device: str) -> str:
    name = torch.cuda.get_device_name() if device == "cuda" else f"{platform.machine()}, {os.cpu_count()} cores"
    return f"{name}, Python {platform.python_version()}, torch {torch.__version__}"


def built(device: str, seed: int) -> TinyModel:
    """The model, with a vocabulary of 32,000 pieces learnt from made-up words; nothing in it ends a text."""
    source = random.Random(seed)
    syllables = [a + b + c for a in "bdfghklmnprstvz" for b in "aeiou" for c in ("", "n", "r", "s", "l", "t")]
    words = ["".join(source.choices(syllables, k=source.choice((2, 3, 3, 4)))) for _ in range(60_000)]
    tiny = tiny_causal_model(
        "llama", texts=[QUESTION, " ".join(words)], vocabulary=32_000, seed=seed, spread=0.02,
        tie_word_embeddings=True, **SIZES[device],
    )  # fmt: skip
    if device == "cuda":
        tiny.model.to("cuda", torch.bfloat16)
    tiny.tokenizer.eos_token = None
    tiny.model.config.eos_token_id = tiny.model.generation_config.eos_token_id = None
    return tiny


def generator(tiny: TinyModel, trigger: Trigger, *, new: int, documents: Sequence[Evidence] = ()) -> DynamicGenerator:
    return DynamicGenerator(
        tiny.model, tokenizer=tiny.tokenizer, retriever=FixedSearch(documents), trigger=trigger, max_new_tokens=new
    )


def timed(work: Callable[[], Any]) -> float:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    started = CLOCK[0]()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return CLOCK[0]() - started


def in_turn(works: dict[str, Callable[[], Any]], *, rounds: int) -> dict[str, list[float]]:
    """Seconds of each in each round, the order turned round from one round to the next; the first round warms up."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds + 1):
        names = list(works) if number % 2 else list(reversed(works))
        for name in names:
            taken = timed(works[name])
            if number:
                seconds[name].append(taken)
    return seconds


def ratio(over: Sequence[float], under: Sequence[float]) -> float:
    return round(statistics.median(a / b for a, b in zip(over, under, strict=True)), 3)


def plain_generate(tiny: TinyModel, ids: Sequence[int], *, new: int) -> torch.Tensor:
    prompt = torch.tensor([list(ids)], device=tiny.model.device)
    mask = torch.ones_like(prompt)
    with torch.inference_mode():
        output: torch.Tensor = tiny.model.generate(
            prompt, attention_mask=mask, max_new_tokens=new, do_sample=False, pad_token_id=0
        )
    return output[0, len(ids) :]


# -- watching without retrieving ------------------------------------------------------------------


def idle(tiny: TinyModel, *, rounds: int) -> dict[str, Any]:
    ours = generator(tiny, NEVER, new=NEW)
    ids = list(ours._run(QUESTION, None, None).progress.context.ids)
    made = [token.id for token in ours.generate(QUESTION).tokens]
    same = made == plain_generate(tiny, ids, new=NEW).tolist()
    seconds = in_turn(
        {"plain": lambda: plain_generate(tiny, ids, new=NEW), "ours": lambda: ours.generate(QUESTION)}, rounds=rounds
    )
    return {
        "idle_overhead": ratio(seconds["ours"], seconds["plain"]),
        "idle_tokens": len(made),
        "idle_same_text": same,
        "tokens_per_second": round(len(made) / statistics.median(seconds["ours"]), 1),
        "plain_tokens_per_second": round(NEW / statistics.median(seconds["plain"]), 1),
    }


# -- one retrieval --------------------------------------------------------------------------------


def documents_of(tiny: TinyModel, seed: int) -> list[Evidence]:
    """Three documents of 100 tokens each."""
    source = random.Random(seed + 1)
    texts = []
    for _ in range(3):
        ids = tiny.tokenizer(" ".join(f"{source.choice('abcdefgh')}{number}" for number in range(200)))["input_ids"]
        texts.append(tiny.tokenizer.decode(ids[:DOCUMENT]).strip())
    return [Evidence.make(text) for text in texts]


def published(tiny: TinyModel, ours: DynamicGenerator, documents: Sequence[Evidence]) -> None:
    """The published procedure for one sentence: all of it, a second pass, all of it again, and keep a sentence."""
    layout, tokenizer = ours.options.layout, tiny.tokenizer
    before = tokenizer(layout.prompt(QUESTION, documents=(), as_of=None).text)["input_ids"]
    first = plain_generate(tiny, before, new=NEW)
    # Only this pass has to show attentions; generation keeps the faster implementation.
    tiny.model.set_attn_implementation("eager")
    with torch.inference_mode():
        attention = tiny.model(first[None], output_attentions=True).attentions[-1][0]
    tiny.model.set_attn_implementation("sdpa")
    attention.max(dim=1).values.mean(dim=0).cpu()
    after = tokenizer(layout.prompt(QUESTION, documents=documents, as_of=None).text)["input_ids"]
    plain_generate(tiny, [*after, *first[: KEPT // 2].tolist()], new=NEW)


def triggered(tiny: TinyModel, *, rounds: int, seed: int) -> dict[str, Any]:
    documents = documents_of(tiny, seed)
    doubts = {"middle": KEPT // 2, "end": KEPT - 3}
    ours = {where: generator(tiny, DoubtAt(at), new=KEPT, documents=documents) for where, at in doubts.items()}
    ours["all"] = generator(tiny, DoubtAt(KEPT), new=NEW, documents=documents)
    made = {where: each.generate(QUESTION) for where, each in ours.items()}
    assert all(len(each.retrievals) == 1 for each in made.values())
    works: dict[str, Callable[[], Any]] = {where: partial(each.generate, QUESTION) for where, each in ours.items()}
    works["published"] = lambda: published(tiny, ours["middle"], documents)
    seconds = in_turn(works, rounds=rounds)
    return {
        "retrieval_speedup": ratio(seconds["published"], seconds["middle"]),
        "retrieval_speedup_doubt_at_end": ratio(seconds["published"], seconds["end"]),
        "retrieval_speedup_all_tokens_kept": ratio(seconds["published"], seconds["all"]),
        "seconds_published": round(statistics.median(seconds["published"]), 3),
        "seconds_ours": round(statistics.median(seconds["middle"]), 3),
        "document_tokens": [len(tiny.tokenizer(each.text)["input_ids"]) for each in documents],
        "forward_passes_ours": made["middle"].cost.model_calls,
    }


# -- the equations --------------------------------------------------------------------------------


def errors(seed: int) -> dict[str, Any]:
    by_family = {family: round(error_of(family, seed), 9) for family in get_args(Family)}
    return {"max_abs_error": max(by_family.values()), "max_abs_errors": by_family}


def error_of(family: Family, seed: int) -> float:
    """The largest difference over entropies, attentions, RIND scores and QFS weights of one tiny model."""
    tiny = tiny_causal_model(family, seed=seed)
    run = generator(tiny, NEVER, new=64)._run(QUESTION, None, None)
    made = next(event.generation for event in run.events() if isinstance(event, EndEvent))
    prompt = list(run.progress.context.ids)
    eager = tiny_causal_model(family, seed=seed, attention="eager").model
    with torch.inference_mode():
        output = eager(torch.tensor([prompt + [each.id for each in made.tokens]]), output_attentions=True)
    p = torch.softmax(output.logits[0].double(), dim=-1)
    entropies = -(p * p.log()).nansum(dim=-1)[len(prompt) - 1 :]
    attention = output.attentions[-1][0].double().mean(dim=0)
    differences = []
    for token in made.tokens[:-2]:
        place = len(prompt) + token.index
        entropy, most = float(entropies[token.index]), float(attention[place + 1 : -1, place].max())
        counts = float(token.word != "" and token.word.lower() not in STOPWORDS)
        differences += [
            abs(token.entropy - entropy),
            abs((token.max_attention or 0.0) - most),
            abs((token.rind or 0.0) - entropy * most * counts),
        ]
    doubted = len(made.tokens) - 2
    firing = Firing(doubted, 0.0, "test", "test", doubted)
    for each in AttentionQuery(scope="everything", stopwords=True).ranking(run.progress, firing=firing):
        differences.append(abs(each.weight - float(attention[len(prompt) + doubted, each.place])))
    return max(differences)


if __name__ == "__main__":
    main()
