"""FreshPrompt: worked examples, dated evidence, the question (FreshLLMs, section 4).

Retrieved text enters as data: behind a label of ours, tables, lists and code line by line (`quoted`), with invisible
characters taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from dateline.errors import BadInput, check_choice
from dateline.evidence.blocks import QUOTED, UNANSWERED, evidence_block, question_block
from dateline.evidence.conflicts import Conflict
from dateline.evidence.demonstrations import MOST_DEMONSTRATIONS, Demonstration, Style, demonstrations
from dateline.evidence.order import Order
from dateline.evidence.prepare import SIZES, Cut, Sizes, drop_order, prepare
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.text import TokenCounter, count_tokens

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

SizeName = Literal["small", "large", "best"]


LEAST_BUDGET = 600
"""Tokens below which instructions, a question and one piece of evidence do not fit."""

LEAST_ROOM = 200
"""Tokens that must be left for the question and its evidence."""

DEMONSTRATION_SHARE = 0.5
"""The share of the budget that worked examples may take; they matter less than evidence (FreshLLMs, section 4.3)."""

MESSAGE_TOKENS = 8
"""Tokens that chat models add around the two messages."""

_RULES = f"""\
You answer questions as of a stated day, from evidence gathered by a search.

- Every piece of evidence has a label, a source and, where known, a date. {{order}}
- Things change: what newer evidence says replaces what older evidence said, unless the question asks about an earlier \
time. Use nothing from after the stated day.
- {QUOTED}
- {UNANSWERED}"""

_ORDERS = {
    "time": "Pieces stand from oldest to newest.",
    "search": "Pieces stand as a search ranked them, the best last; their places do not tell which is newer.",
    "random": "Pieces stand in no order; their places do not tell which is newer.",
}

_PREMISE = """\
- Check first whether the question takes something for granted that the evidence contradicts. If it does, say so in the \
answer instead of answering as if it were true."""

_STYLES = {
    "concise": "- Reason in a few sentences, then answer in as few words as possible.",
    "verbose": "- Reason in a few sentences, then answer in one or two full sentences.",
}

_FORM = """\
Reply in exactly this form:
reasoning: <which evidence counts, and why>
answer: <the answer>
evidence: <labels of the evidence it stands on, such as E2, E5>"""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt ready to send.

    Attributes:
        system: what the model is to do, and the worked examples.
        user: evidence, question, and the form of the reply.
        evidence: in the order of the prompt; the label of the i-th, from 1, is `E<i>`.
        dropped: evidence that was left out, with the reason.
        tokens: size of the whole as counted.

    Example:
        >>> prompt = Prompt("Answer briefly.", "Who is mayor?", evidence=(), dropped=(), tokens=6)
        >>> [message.content for message in prompt.messages()]
        ['Answer briefly.', 'Who is mayor?']
    """

    system: str
    user: str
    evidence: tuple[Evidence, ...]
    dropped: tuple[tuple[Evidence, str], ...]
    tokens: int

    def messages(self) -> list[BaseMessage]:
        """As chat messages."""
        from langchain_core.messages import HumanMessage, SystemMessage

        return [SystemMessage(self.system), HumanMessage(self.user)]

    @property
    def text(self) -> str:
        """As one plain string, for models without roles."""
        return f"{self.system}\n\n{self.user}\n"


@dataclass(frozen=True, slots=True)
class FreshPrompt:
    """Builds FreshPrompts.

    Attributes:
        sizes: how much of what: the paper's "small", "large" and "best", or numbers of your own.
        order: how evidence is ordered.
        cut: what goes first when there is too much of it.
        style: concise or verbose answers.
        check_premise: whether to ask for a check of the question's premise.
        budget: tokens that the whole prompt never exceeds.
        count: counts tokens; by default tiktoken's cl100k_base where its file is at hand, else an estimate.
        overview: whether the engine's AI overview may be evidence.
        seed: for random order.

    Raises:
        BadInput: for an unknown size, order or style, or a budget that is too small for anything.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who is mayor of Lund?", as_of=now())
        >>> prompt = FreshPrompt(sizes="small").build(question, evidence=[Evidence.make("Ada Berg is mayor of Lund.")])
        >>> "Ada Berg" in prompt.user, [message.type for message in prompt.messages()]
        (True, ['system', 'human'])
    """

    sizes: Sizes | SizeName = "best"
    order: Order = "time"
    cut: Cut = "balanced"
    style: Style = "concise"
    check_premise: bool = False
    budget: int = 8_000
    count: TokenCounter | None = None
    overview: bool = False
    seed: int = 0
    _sizes: Sizes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_choice(self.order, name="order", choices=get_args(Order))
        check_choice(self.cut, name="cut", choices=get_args(Cut))
        check_choice(self.style, name="style", choices=get_args(Style))
        if not isinstance(self.sizes, Sizes) and self.sizes not in SIZES:
            raise BadInput(f"Unknown sizes {self.sizes!r}; choose one of {', '.join(SIZES)}, or give Sizes(...).")
        if self.budget < LEAST_BUDGET:
            raise BadInput(f"A budget of {self.budget} tokens is too small; give at least {LEAST_BUDGET}.")
        sizes = self.sizes if isinstance(self.sizes, Sizes) else SIZES[self.sizes]
        object.__setattr__(self, "_sizes", sizes)
        if sizes.demonstrations > MOST_DEMONSTRATIONS:
            raise BadInput(
                f"There are {MOST_DEMONSTRATIONS} demonstrations, not {sizes.demonstrations}; ask for fewer."
            )
        # Only a close budget or an unknown way of counting can be too small for the rules themselves.
        if (self.count is not None or self.budget < 2 * LEAST_BUDGET) and (
            least := self._counter()(f"{self._head()}\n\n{_FORM}") + LEAST_ROOM
        ) > self.budget:
            raise BadInput(f"A budget of {self.budget} tokens is too small; give at least {least}.")

    def build(
        self,
        question: Question,
        *,
        evidence: Sequence[Evidence],
        conflicts: Sequence[Conflict] = (),
        choices: Sequence[str] = (),
    ) -> Prompt:
        """Build a prompt for `question` over `evidence`, best first.

        Evidence newer than the asking day is left out.

        Args:
            conflicts: what the evidence says against each other; shown in order of time.
            choices: if given, the answer is to be one of them.
        """
        count = self._counter()
        prepared = prepare(
            evidence,
            sizes=self._sizes,
            as_of=question.as_of,
            order=self.order,
            seed=self.seed,
            cut=self.cut,
            overview=self.overview,
        )
        system, fixed = self._system(question.as_of, count)
        fixed += MESSAGE_TOKENS + _counted(f"\n\n{_FORM}", count)
        room = self.budget - fixed
        rank = {each.id: place for place, each in enumerate(evidence)}
        going = drop_order(sorted(prepared.evidence, key=lambda each: rank[each.id]), cut=self.cut)
        chosen, dropped = list(prepared.evidence), list(prepared.dropped)
        while (used := count(block := question_block(question, chosen, conflicts, choices))) > room and chosen:
            gone, going = _first_over(used - room, going, as_of=question.as_of, count=count)
            chosen = [each for each in chosen if each not in gone]
            dropped += [(each, "beyond the token budget") for each in gone]
        if used > room:
            block = _end_of(block, room, count)
            used = count(block)
        return Prompt(system, f"{block}\n\n{_FORM}", tuple(chosen), tuple(dropped), fixed + used)

    def _counter(self) -> TokenCounter:
        return self.count or count_tokens

    def _head(self) -> str:
        rules = [
            _RULES.format(order=_ORDERS[self.order]),
            *([_PREMISE] if self.check_premise else []),
            _STYLES[self.style],
        ]
        return "\n".join(rules)

    def _system(self, as_of: datetime, count: TokenCounter) -> tuple[str, int]:
        """Return the rules, the examples that fit, and their tokens."""
        head = self._head()
        for number in range(self._sizes.demonstrations, 0, -1):
            text = f"{head}\n\n{_shown(number, as_of.date().isoformat(), self.style)}"
            tokens = _counted(text, count)
            if tokens <= self.budget * DEMONSTRATION_SHARE:
                return text, tokens
        return head, _counted(head, count)


def _first_over(
    tokens: int, going: list[Evidence], *, as_of: datetime, count: TokenCounter
) -> tuple[list[Evidence], list[Evidence]]:
    """(the first of `going` that together take at least `tokens`, the rest)."""
    for number, each in enumerate(going, start=1):
        tokens -= count(evidence_block(each, label="E00", as_of=as_of))
        if tokens <= 0:
            return going[:number], going[number:]
    return going, []


@lru_cache(maxsize=64)
def _shown(number: int, day: str, style: Style) -> str:
    as_of = datetime.fromisoformat(f"{day}T00:00:00+00:00")
    examples = demonstrations(number, as_of=as_of, style=style)
    return (
        "\n\n".join(f"--- example {place} ---\n{_example(each, as_of)}" for place, each in enumerate(examples, start=1))
        + "\n\n--- end of the examples ---"
    )


def _example(demonstration: Demonstration, as_of: datetime) -> str:
    question = Question(demonstration.question, demonstration.question, None, as_of)
    cited = ", ".join(f"E{number}" for number in demonstration.cites) or "none"
    return (
        f"{question_block(question, demonstration.evidence, (), ())}\n"
        f"reasoning: {demonstration.reasoning}\nanswer: {demonstration.answer}\nevidence: {cited}"
    )


@lru_cache(maxsize=128)
def _counted(text: str, count: TokenCounter) -> int:
    return count(text)


def _end_of(text: str, room: int, count: TokenCounter) -> str:
    """Keep as much of a text's end as fits."""
    while text and count(text) > room:
        text = text[len(text) // 4 + 1 :]
    return text
