"""Grammars as rules over token classes, tried at each token."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from dateline.errors import BadInput
from dateline.temporal import relative_rules, tagger
from dateline.temporal.first_letters import first_letters
from dateline.temporal.interval import Interval
from dateline.temporal.points import RuleMatch, TimeMention
from dateline.temporal.tokens import Tokens

Rule: TypeAlias = tuple[str, str, Callable[[RuleMatch], TimeMention | None]]
"""A rule's name, its pattern of token classes, and what reads its matches."""


class Grammar:
    """Rules in the order in which they are tried at each token.

    `start` matches where a rule may begin, asked first so that ordinary words cost one look each. Of the rules `tried` the
    token classes say little: where their reader declines, the rules behind them are tried.
    """

    def __init__(self, rules: Sequence[Rule], *, start: str, tried: Collection[str]) -> None:
        self._start = re.compile(start)
        self._tried = frozenset(tried)
        self._rules = RulesByLetter(rules)
        self._behind = {
            rule[0]: RulesByLetter(rules[place + 1 :]) for place, rule in enumerate(rules) if rule[0] in self._tried
        }
        self._readers = {name: reader for name, _, reader in rules}

    def find(
        self, tokens: Tokens, *, anchor: Interval | None, fiscal_year_start: int = 1, asked: bool = False
    ) -> list[TimeMention]:
        """Return the single times of a text, in order, not overlapping.

        `asked` tells that it is a question.
        """
        points: list[TimeMention] = []
        latest: TimeMention | None = None
        period: Interval | None = None
        match = self._search(tokens.classes, 0)
        while match is not None:
            first, last = match.span()
            read = RuleMatch(
                tokens, first, last, anchor=anchor, latest=latest, period=period, fiscal_year_start=fiscal_year_start
            )
            rule = match.lastgroup or ""
            point = self._read(rule, read)
            if point is None:
                match = self._other(rule, tokens.classes, first) or self._search(tokens.classes, first + 1)
                continue
            if not tagger.is_time(tokens, first, point.last, rule=rule, asked=asked):
                match = self._search(tokens.classes, point.last)  # no part of a name is a time
                continue
            points.append(point)
            if point.kind == "date" and point.interval is not None:
                latest = point
                if rule in ("quarter", "current_unit") and point.interval.granularity == "quarter":
                    period = relative_rules.reported(read, point.interval)
            elif point.kind == "date" and read.mentioned is None:
                latest = point
            match = self._search(tokens.classes, max(last, point.last))
        return points

    def candidates(self, tokens: Tokens, *, anchor: Interval | None) -> Iterator[tuple[str, int, int]]:
        """Yield what the tagger judges: rule, first and last token."""
        position = 0
        while (match := self._search(tokens.classes, position)) is not None:
            rule, first = match.lastgroup or "", match.start()
            point = self._read(rule, RuleMatch(tokens, first, match.end(), anchor=anchor))
            position = first + 1 if point is None else max(match.end(), point.last)
            if point is not None and tagger.judged_letter(tokens, first, point.last, rule=rule):
                yield rule, first, point.last

    def _search(self, classes: str, position: int) -> re.Match[str] | None:
        """Return the next match of any rule from a token on."""
        search, rules = self._start.search, self._rules
        while (start := search(classes, position)) is not None:
            first = start.start()
            begun = rules[classes[first]]
            match = None if begun is None else begun.match(classes, first)
            if match is not None:
                return match
            position = first + 1
        return None

    def _other(self, rule: str, classes: str, first: int) -> re.Match[str] | None:
        """Return the match of a rule behind one that declined."""
        behind = self._behind.get(rule)
        rules = None if behind is None else behind[classes[first]]
        return None if rules is None else rules.match(classes, first)

    def _read(self, rule: str, read: RuleMatch) -> TimeMention | None:
        """Return what a rule reads, `None` for an impossible day."""
        try:
            return self._readers[rule](read)
        except BadInput:
            return None


class RulesByLetter(dict[str, re.Pattern[str] | None]):
    """The rules that may match, by the first token's class.

    Compiled when first asked for.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        super().__init__()
        self._begun: defaultdict[str, list[str]] = defaultdict(list)
        for name, pattern, _ in rules:
            for letter in first_letters(pattern):
                self._begun[letter].append(f"(?P<{name}>{pattern})")

    def __missing__(self, letter: str) -> re.Pattern[str] | None:
        patterns = self._begun.get(letter)
        self[letter] = None if patterns is None else re.compile("|".join(patterns))
        return self[letter]
