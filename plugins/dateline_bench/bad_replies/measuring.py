"""Measure prompts with bad replies: beliefs and calls."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, BaseMessage

from dateline.chat import TRIES, material_of, reply_text
from dateline.text import count_tokens
from dateline_bench.bad_replies.cases import Belief
from dateline_bench.bad_replies.model import UnrulyChatModel
from dateline_bench.bad_replies.prompts import PROMPTS, PromptCase
from dateline_bench.bad_replies.replies import MANNERS, Manner, bad_reply
from dateline_bench.fresh.self_ask import FOLLOW_UPS


@dataclass
class BadReplyFigures:
    """Figures of bad replies to one prompt.

    Attributes:
        replies: how many were read, by manner.
        believed, raised, untold: replies that were taken, at which a part raised, or after which it took the safe choice
            without a word where it should say so.
        calls, most_calls: of all requests together, and of one.
    """

    name: str
    bound: int
    replies: Counter[Manner] = field(default_factory=Counter)
    believed: list[str] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)
    untold: list[str] = field(default_factory=list)
    calls: int = 0
    most_calls: int = 0

    @property
    def sound(self) -> bool:
        """Return true where nothing went wrong, within the bound."""
        return not (self.believed or self.raised or self.untold) and self.most_calls <= self.bound


def measure(case: PromptCase, *, replies: int, seed: int, tries: int = 10) -> BadReplyFigures:
    """Put bad replies to a prompt's reader, `tries` to a request."""
    figures = BadReplyFigures(case.name, calls_at_most(case, tries=tries))
    rng = random.Random(f"{seed} {case.name}")
    # A request may end without a reply: there are no more requests than replies asked for.
    for _ in range(replies):
        if figures.replies.total() < replies:
            _run(case, figures, rng=rng, tries=tries)
    return figures


def calls_at_most(case: PromptCase, *, tries: int = TRIES) -> int:
    """Return the calls that one request of a prompt may cost.

    One more than `tries` where the model may refuse what is asked beyond text.
    """
    return tries + case.extras if case.retries else FOLLOW_UPS + 1


def believes(case: PromptCase, reply: str) -> bool:
    """Return whether a prompt's reader takes a reply."""
    model = UnrulyChatModel(before=case.before, draw=lambda _: AIMessage(reply))
    return case.run(model, 1).believed


def own_tokens(case: PromptCase) -> int:
    """Count the tokens of a prompt without its material: task, examples, form."""
    model = UnrulyChatModel(before=case.before, draw=lambda _: AIMessage(case.good))
    case.run(model, 1)
    asked = model.drawn_for[0]
    return sum(count_tokens(reply_text(message)) for message in asked) - count_tokens(material_of(asked))


def calls_by_manner(case: PromptCase, *, seed: int, runs: int = 20) -> dict[Manner, float]:
    """Return the mean calls of one request by manner, default tries."""
    mean: dict[Manner, float] = {}
    for manner in MANNERS:
        figures = BadReplyFigures(case.name, calls_at_most(case))
        rng = random.Random(f"{seed} {case.name} {manner}")
        for _ in range(runs):
            _run(case, figures, rng=rng, tries=TRIES, manners=[manner])
        mean[manner] = figures.calls / runs
    return mean


def table(cases: Iterable[PromptCase] = PROMPTS, *, seed: int = 1) -> str:
    """Write the prompts as a Markdown table with measured figures."""
    head = ["prompt", "what for", "its own tokens", "whole, at most", "calls at most", *MANNERS, "safe choice"]
    rows = [
        [
            case.name,
            case.purpose,
            f"{own_tokens(case):,}",
            "as the article" if case.most is None else f"{case.most:,}",
            str(calls_at_most(case)),
            *(f"{calls:.1f}" for calls in calls_by_manner(case, seed=seed).values()),
            case.safe,
        ]
        for case in cases
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _run(
    case: PromptCase, figures: BadReplyFigures, *, rng: random.Random, tries: int, manners: Sequence[Manner] = MANNERS
) -> None:
    """Put one request to a model whose replies are bad."""
    drawn: list[AIMessage] = []

    def draw(asked: Sequence[BaseMessage]) -> AIMessage:
        manner = rng.choice(manners)
        drawn.append(bad_reply(manner, rng=rng, asked=asked))
        figures.replies[manner] += 1
        return drawn[-1]

    model = UnrulyChatModel(before=case.before, draw=draw)
    try:
        outcome = case.run(model, tries)
    except Exception as error:  # whatever a reply does to what reads it
        figures.raised.append(f"{type(error).__name__}: {error}: {drawn[-1].content if drawn else ''!r}")
        return
    _note(outcome, case, figures, drawn)
    figures.calls += model.calls
    figures.most_calls = max(figures.most_calls, model.calls)


def _note(outcome: Belief, case: PromptCase, figures: BadReplyFigures, drawn: Sequence[AIMessage]) -> None:
    if outcome.believed:
        figures.believed.append(repr(drawn[-1].content)[:300])
    elif case.tells and not outcome.told:
        figures.untold.append(repr(drawn[-1].content)[:300])
