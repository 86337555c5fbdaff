"""Decisions of `RindPublished` beside those of DRAGIN's published procedure, over a real model.

    python benchmarks/dragin_decisions.py --model FOLDER --passages FILE [--questions 30] [--thetas 0.6,1.0,1.5] [--seed 0]

`decision` is the published procedure in plain arithmetic, written from its description: a whole stretch is generated and
passed through the model once more by itself; word by word (joined at spaces) the attention of the pieces is added up and
their entropies averaged; in each sentence attention is divided by its sum, and what counts is attention x entropy x number
of words; the first sentence with a content word above theta is written again. Sentences end at a full stop, question or
exclamation mark before a capital, by a rule of its own. `RindPublished` judges each sentence as it ends, so the sentences
behind it do not attend to it; `--alone` takes that difference out.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.dynamic import AttentionQuery, DynamicGenerator
from dateline.dynamic.prompt import ChatLayout, PlainLayout
from dateline.dynamic.run import GenerationRun
from dateline.dynamic.triggers import RindPublished
from dateline.dynamic.triggers.rind_published import is_content
from dateline.dynamic.values import EndEvent, Generation
from dateline.testing import FixedSearch
from dateline_bench.reasoned.shared_steps import SharingGenerator

_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])|\n+")


@dataclass(frozen=True, slots=True)
class Decision:
    """The sentence that is written again, counted from 0, and its greatest score; `None` where none is."""

    sentence: int | None
    score: float


def decision(
    texts: Sequence[str],
    *,
    entropies: Sequence[float],
    attention: NDArray[np.float32],
    theta: float,
    alone: bool = False,
) -> Decision:
    """Judge a stretch of tokens.

    Args:
        texts: what each token adds.
        entropies: of each token, in nats.
        attention: of the stretch by itself, shape (heads, tokens, tokens).
        theta: threshold.
        alone: whether only a sentence's own tokens and those before it attend to it.
    """
    starts = np.cumsum([0, *map(len, texts)])
    breaks = [0, *(each.end() for each in _BREAK.finditer("".join(texts)))]
    # A sentence begins with the token that holds its first character.
    firsts = sorted({int(np.searchsorted(starts, place, side="right")) - 1 for place in breaks})
    highest = 0.0
    for number, (first, end) in enumerate(zip(firsts, [*firsts[1:], len(texts)], strict=True)):
        seen = attention[:, : end if alone else None, first:end]
        most = seen.max(axis=1).mean(axis=0) if end > first else np.zeros(0)
        words: list[list[int]] = []
        for token in range(first, end):
            if token == first or texts[token][:1].isspace():
                words.append([])
            words[-1].append(token)
        weights = np.array([sum(float(most[token - first]) for token in word) for word in words])
        doubts = np.array([float(np.mean([entropies[token] for token in word])) for word in words])
        scores = weights / weights.sum() * doubts * len(words) if weights.sum() > 0 else weights
        told = [is_content("".join(texts[token] for token in word)) for word in words]
        highest = max([highest, *(float(score) for score, counts in zip(scores, told, strict=True) if counts)])
        if any(counts and score > theta for score, counts in zip(scores, told, strict=True)):
            return Decision(number, highest)
    return Decision(None, highest)


def stretch(generator: DynamicGenerator, question: str) -> tuple[Generation, NDArray[np.float32]]:
    """What is written without retrieval, and the attention of its tokens alone."""
    with generator.with_options(trigger=RindPublished(float("inf"))).stream(question) as events:
        made = next(event.generation for event in events if isinstance(event, EndEvent))
        assert isinstance(events.run, GenerationRun)
        return made, events.run.session.alone([token.id for token in made.tokens]) if made.tokens else np.zeros(
            (1, 0, 0)
        )


def ours(generator: DynamicGenerator, question: str, *, theta: float) -> int | None:
    """The character at which `RindPublished` goes back first, `None` for nowhere; nothing is ever found."""
    made = generator.with_options(trigger=RindPublished(theta), max_retrievals=1).generate(question)
    return sum(len(token.text) for token in made.tokens[: made.retrievals[0].position]) if made.retrievals else None


def compared(
    generator: DynamicGenerator, questions: Sequence[str], *, thetas: Sequence[float], alone: bool = False
) -> list[tuple[str, float, Decision, int | None, int | None]]:
    """Question, theta, the procedure's decision, and the characters at which it and we go back."""
    rows = []
    for question in questions:
        made, attention = stretch(generator, question)
        texts = [token.text for token in made.tokens]
        entropies = [token.entropy or 0.0 for token in made.tokens]
        breaks = [0, *(each.end() for each in _BREAK.finditer("".join(texts)))]
        starts = np.cumsum([0, *map(len, texts)])
        firsts = sorted({int(starts[int(np.searchsorted(starts, place, side="right")) - 1]) for place in breaks})
        for theta in thetas:
            theirs = decision(texts, entropies=entropies, attention=attention, theta=theta, alone=alone)
            place = None if theirs.sentence is None else firsts[theirs.sentence]
            rows.append((question, theta, theirs, place, ours(generator, question, theta=theta)))
    return rows


def generator_for(model: Any, *, tokenizer: Any, length: int) -> DynamicGenerator:
    """Greedy, without documents."""
    layout = ChatLayout(tokenizer) if getattr(tokenizer, "chat_template", None) else PlainLayout()
    given = {"tokenizer": tokenizer, "retriever": FixedSearch(), "layout": layout, "max_new_tokens": length}
    query = AttentionQuery(scope="question and answer")
    return SharingGenerator(model, trigger=RindPublished(1.0), query=query, **given)


def main() -> None:
    from dateline.pretrained import load_pretrained
    from dateline_bench.benchmarks.multihop import read_passages
    from dateline_bench.reasoned.one_hop import one_hop

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--passages", required=True)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--thetas", default="0.6,1.0,1.5")
    parser.add_argument("--length", type=int, default=48)
    parser.add_argument("--alone", action="store_true", help="later sentences do not attend")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    model, tokenizer = load_pretrained(options.model)
    generator = generator_for(model, tokenizer=tokenizer, length=options.length)
    asked = one_hop(read_passages(Path(), {"passages": options.passages}), seed=options.seed)
    thetas = [float(each) for each in options.thetas.split(",")]
    counts: Counter[tuple[float, str]] = Counter()
    for one in asked[: options.questions]:
        for _, theta, theirs, place, own in compared(generator, [one.text], thetas=thetas, alone=options.alone):
            same = "agree" if place == own else "differ"
            counts[theta, same] += 1
            counts[theta, "fires" if theirs.sentence is not None else "silent"] += 1
            if same == "differ":
                print(
                    f"{one.text} theta {theta:g}: the procedure at {place} (highest {theirs.score:.2f}), ours at {own}"
                )
        print(f"{sum(counts[thetas[0], each] for each in ('agree', 'differ'))} questions", flush=True)
    for theta in thetas:
        print(
            f"theta {theta:g}: " + ", ".join(f"{what} {counts[theta, what]}" for what in ("agree", "differ", "fires"))
        )


if __name__ == "__main__":
    main()
