"""QFS: query formulation from self-attention (DRAGIN, section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from dateline.dynamic.answer import GeneratedAnswer
from dateline.dynamic.progress import Progress
from dateline.dynamic.queries.base import Query, row_of
from dateline.dynamic.triggers.base import Firing
from dateline.dynamic.words import Word
from dateline.errors import BadInput, check_choice

Scope = Literal["sentence", "answer", "question and answer", "everything"]
SCOPES: tuple[Scope, ...] = get_args(Scope)


class Attended(NamedTuple):
    """A token of the context with the attention it receives.

    `place` counts from the prompt's first token.
    """

    place: int
    weight: float
    word: Word


@dataclass(frozen=True)
class AttentionQuery(Query):
    """The words that the uncertain token attends to most, in text order.

    Tokens without a word never count; stopwords are left out by default (the paper's Figure 1 shows none). Each word
    appears once and whole.

    Attributes:
        n: how many tokens (Table 9: 25 or 35).
        scope: "sentence", ours: the one in doubt, or question and answer where it names nobody and nothing yet;
            "answer"; "question and answer", as in the published code; "everything", as in the paper: earlier documents
            too, but neither instruction nor demonstrations, which speak of something else.
        stopwords: whether stopwords may be in the query.

    Example:
        >>> AttentionQuery(25, scope="everything").needs_attention
        True
    """

    n: int = 25
    scope: Scope = "sentence"
    stopwords: bool = False

    name = "qfs"
    needs_attention = True

    def __post_init__(self) -> None:
        if self.n < 1:
            raise BadInput(f"n must be at least 1 token, not {self.n}.")
        check_choice(self.scope, name="scope", choices=SCOPES)

    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Return the query, empty before the first token."""
        if firing.token is None and not firing.position:
            return ""
        chosen = sorted(self.ranking(progress, firing=firing)[: self.n])
        words: dict[str, str] = {}
        for each in chosen:
            words.setdefault(each.word.text.lower(), each.word.text)
        return " ".join(words.values())

    def ranking(self, progress: Progress, *, firing: Firing) -> list[Attended]:
        """Return all candidate tokens, most attended first."""
        found = self._ranking(progress, firing, self.scope)
        if self.scope == "sentence" and not any(each.word.text[0].isupper() for each in found):
            return self._ranking(progress, firing, "question and answer")
        return found

    def _ranking(self, progress: Progress, firing: Firing, scope: Scope) -> list[Attended]:
        answer = progress.answer
        row = answer.rows.get(row_of(firing))
        if row is None:
            return []
        end = min(firing.position, len(answer)) if firing.token is None else answer.word_start(firing.token)
        first = _sentence_of(firing, answer) if scope == "sentence" else 0
        words = [*_prompt(progress, scope), *(answer.word(token) if token >= first else None for token in range(end))]
        found = [
            Attended(place, float(row[place]), word)
            for place, word in enumerate(words[: len(row)])
            if word is not None and (self.stopwords or word.is_content)
        ]
        return sorted(found, key=lambda each: (-each.weight, each.place))


def _prompt(progress: Progress, scope: Scope) -> list[Word | None]:
    """Return the prompt tokens' words, `None` outside the scope."""
    prompt = progress.context.prompt
    spans: list[tuple[int, int]] = []
    if scope == "everything" and prompt.notes is None:
        return progress.context.words
    if scope == "everything" and prompt.notes is not None:
        spans.append(prompt.notes)
    if scope in ("question and answer", "everything"):
        spans.append(prompt.question)
    return [
        word if word is not None and any(start <= word.start < end for start, end in spans) else None
        for word in progress.context.words
    ]


def _sentence_of(firing: Firing, answer: GeneratedAnswer) -> int:
    """Return the first token of the sentence in doubt."""
    place = firing.position if firing.token is None else firing.token
    return max((each.first for each in answer.sentences() if each.first <= place), default=0)
