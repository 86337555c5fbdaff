"""A small language model of a made-up world, trained from nothing.

    python training/world_model.py --out build/world-model [--seed 0] [--steps 4000]

A transformers causal model (Llama's shape: 4 layers, 128 wide, 0.8 million weights) and its tokenizer, a
word a token. It reads what was true before (`made_up_world`, `world_lessons`) and learns to answer from a document
where one tells, from memory where none does, and "unknown" where neither does. The same seed gives the same
weights on the same machine.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from made_up_world import World, build, vocabulary
from world_lessons import KINDS, NOT_KNOWN, Lesson, Lessons, Sort

PAD, END, UNKNOWN = "<pad>", "</s>", "<unk>"
WORD = "▁"
FRAME = ["Document", "Question", "Answer", "Steps", WORD + "Answer", WORD + NOT_KNOWN, ".", ",", ":", "?", "\n"]
PROMPT_WEIGHT = 0.15
"""Of a prompt's tokens in the loss; what is to be answered counts 1."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The model's shape and its training."""

    steps: int = 4000
    width: int = 128
    layers: int = 4
    heads: int = 4
    learning_rate: float = 3e-3
    warm_up: int = 50
    seed: int = 0


def tokenizer(world: World) -> Any:
    """A word a token, with the space before it; a transformers fast tokenizer."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = [WORD + word for word in vocabulary(world.names)]
    vocab = {token: number for number, token in enumerate(dict.fromkeys([PAD, END, UNKNOWN, *FRAME, *words]))}
    made = Tokenizer(models.WordLevel(vocab, unk_token=UNKNOWN))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"[.,:?\n]"), "isolated"),
            pre_tokenizers.Metaspace(replacement=WORD, prepend_scheme="never"),
        ]
    )
    made.decoder = decoders.Metaspace(replacement=WORD, prepend_scheme="never")
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        pad_token=PAD,
        eos_token=END,
        unk_token=UNKNOWN,
        padding_side="left",
        model_input_names=["input_ids", "attention_mask"],
        clean_up_tokenization_spaces=False,
    )


def new_model(plan: Plan, *, words: int) -> Any:
    """An untrained model."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(plan.seed)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=words,
            hidden_size=plan.width,
            intermediate_size=5 * plan.width // 2,
            num_hidden_layers=plan.layers,
            num_attention_heads=plan.heads,
            max_position_embeddings=256,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=1,
            pad_token_id=0,
        )
    )


def encoded(lessons: Sequence[Lesson], *, tokens: Any) -> tuple[Any, Any]:
    """Ids and weights of shape (lessons, tokens), padded at the end with weight 0."""
    import torch

    prompts = tokens([lesson.prompt for lesson in lessons], add_special_tokens=False)["input_ids"]
    targets = tokens([lesson.target for lesson in lessons], add_special_tokens=False)["input_ids"]
    length = max(len(a) + len(b) for a, b in zip(prompts, targets, strict=True)) + 1
    ids, weights = torch.zeros(len(lessons), length, dtype=torch.long), torch.zeros(len(lessons), length)
    for row, (prompt, target) in enumerate(zip(prompts, targets, strict=True)):
        whole = [*prompt, *target, tokens.eos_token_id]
        ids[row, : len(whole)] = torch.tensor(whole)
        weights[row, : len(prompt)] = PROMPT_WEIGHT
        weights[row, len(prompt) : len(whole)] = 1.0
    return ids, weights


def train(world: World, *, plan: Plan | None = None, quiet: bool = False) -> tuple[Any, Any]:
    """The model and its tokenizer."""
    plan = plan or Plan()
    tokens = tokenizer(world)
    return learnt(Lessons(world, seed=plan.seed), kinds=KINDS, tokens=tokens, plan=plan, quiet=quiet), tokens


def learnt(lessons: Any, *, kinds: Sequence[Sort], tokens: Any, plan: Plan, quiet: bool) -> Any:
    """A model trained on lessons, a batch of one kind a step."""
    import torch

    model, rng = new_model(plan, words=len(tokens)), random.Random(plan.seed)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=plan.learning_rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, plan.learning_rate, total_steps=plan.steps, pct_start=min(0.3, plan.warm_up / plan.steps)
    )
    started, seen = time.process_time(), {kind.draw.__name__: 0.0 for kind in kinds}
    for step in range(plan.steps):
        kind = rng.choices(kinds, weights=[one.weight for one in kinds])[0]
        ids, weights = encoded([kind.draw(lessons) for _ in range(kind.batch)], tokens=tokens)
        logits = model(input_ids=ids).logits[:, :-1]
        losses = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
        weights = weights[:, 1:].flatten()
        loss = (losses * weights).sum() / weights.sum()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        target = float(losses.detach()[weights == 1].mean())
        name = kind.draw.__name__
        seen[name] = 0.9 * seen[name] + 0.1 * target if seen[name] else target
        if not quiet and (step % 100 == 99 or step == plan.steps - 1):
            told = ", ".join(f"{name} {value:.2f}" for name, value in seen.items())
            print(f"step {step + 1}, {time.process_time() - started:.0f} s of a core: {told}", flush=True)
    return model.train(False)


def save(model: Any, *, tokens: Any, folder: Path, plan: Plan) -> None:
    """As transformers loads it, with the seed beside it."""
    model.save_pretrained(folder)
    tokens.save_pretrained(folder)
    (folder / "world.json").write_text(json.dumps({"seed": plan.seed, "steps": plan.steps}) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/world-model"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=Plan().steps)
    options = parser.parse_args()
    plan = Plan(seed=options.seed, steps=options.steps)
    model, tokens = train(build(seed=options.seed), plan=plan)
    save(model, tokens=tokens, folder=options.out, plan=plan)


if __name__ == "__main__":
    main()
