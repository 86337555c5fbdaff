"""Questions of one step, read off the first sentences of encyclopedic paragraphs."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dateline.language.calendar import MONTH_NAMES
from dateline.language.names import CAPITAL, LetterPattern
from dateline.records import Evidence
from dateline_bench.reasoned.measuring import ReasonedQuestion

_MONTH = "|".join(MONTH_NAMES)
_DAY = rf"(?:\d{{1,2}} (?:{_MONTH})|(?:{_MONTH}) \d{{1,2}},) \d{{4}}"
_PART = rf"(?:{CAPITAL}[\w'\u2019-]+|{CAPITAL}\.)"
_NAME = rf"{_PART}(?: (?:(?:de|von|van|der|la|le|di|del) )?{_PART}){{1,3}}"
_DIRECTOR = LetterPattern(
    rf"\bfilm\b[^.]*? directed by ({_NAME})(?=[,.;]| (?:and )?(?:starring|with|for|from|about|based)\b)"
)
_BORN = LetterPattern(rf"\(\s*born ({_DAY})\b")
_PLACE = LetterPattern(rf"\(\s*born (?:{_DAY} )?in ({_NAME.replace('{1,3}', '{0,2}')})(?:, [\w .'-]+)*\s*\)")
_BRACKETS = re.compile(r"\s*\([^)]*\)\s*$")

KINDS = {"director": _DIRECTOR, "birth date": _BORN, "birth place": _PLACE}
_ASKED = {
    "director": "Who directed the film {}?",
    "birth date": "When was {} born?",
    "birth place": "Where was {} born?",
}


def one_hop(passages: Sequence[Evidence], *, seed: int = 0) -> list[ReasonedQuestion]:
    """Return the questions that paragraphs answer, in an order drawn with `seed`.

    One a paragraph, the kinds in turn. A paragraph is asked about by its title, so titles that several paragraphs have
    in common are left out.
    """
    told = Counter(_subject(each) for each in passages)
    rng, taken = random.Random(seed), set[str]()
    queues = {kind: [each for each in passages if pattern.search(each.text)] for kind, pattern in KINDS.items()}
    for queue in queues.values():
        rng.shuffle(queue)
    made: list[ReasonedQuestion] = []
    while any(queues.values()):
        for kind, queue in queues.items():
            while queue:
                page = queue.pop()
                if told[_subject(page)] == 1 and page.id not in taken:
                    taken.add(page.id)
                    made.append(_question(page, kind))
                    break
    return made


def _subject(page: Evidence) -> str:
    return _BRACKETS.sub("", page.title or "")


def _question(page: Evidence, kind: str) -> ReasonedQuestion:
    found = KINDS[kind].search(page.text)
    assert found is not None
    golds = tuple(_dates(found[1])) if kind == "birth date" else (found[1],)
    return ReasonedQuestion(f"{kind}: {page.title}", _ASKED[kind].format(_subject(page)), golds, page=page.title or "")


def _dates(day: str) -> Iterator[str]:
    """Yield a day in both of the usual orders."""
    numbers, month = re.findall(r"\d+", day), next(name for name in MONTH_NAMES if name in day)
    yield f"{numbers[0]} {month} {numbers[1]}"
    yield f"{month} {numbers[0]}, {numbers[1]}"
