"""Reader by rules: extracts its answer from dated evidence with no model."""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dateline.handwritten.reading.choices import choose
from dateline.handwritten.reading.scored_sentences import ScoredSentence, find_clues, folded
from dateline.handwritten.reading.spans import Span, bare, find_spans
from dateline.handwritten.reading.timing import fits
from dateline.handwritten.reading.type_score import defined, type_fit
from dateline.language.answer_type import answer_type
from dateline.language.negation import reversals
from dateline.protocols import ReadResult
from dateline.records import Candidate, Cost, Evidence, Reading
from dateline.softmax import softmax
from dateline.temporal.constraint import Question
from dateline.text.words import STOPWORDS, spaced, words

MAX_CANDIDATES = 10
"""Alternatives that a reading lists."""

_SHARPNESS = 10.0
"""Inverse temperature of the softmax over candidate scores."""
_NO_ANSWER = 0.2
"""The score that "nothing here answers" competes with."""
_IN_TITLE = 1.4
_DEFINED = 1.3
_UNFIT = 0.1
"""Looks up to here are no candidate at all."""
_VOTE = 0.15
"""What each further sentence or passage that names the same answer adds, as a share of its own score."""
_ROMAN = re.compile(r"[IVX]{2,}")
_WRITTEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Mention:
    """A candidate where it stands, and how well it answers there."""

    text: str
    score: float
    source: int


class ExtractiveReader:
    """Reads dated evidence by the words, times and names in it; needs no model and no network.

    The answer's probability is the reader's own confidence, not calibrated (see
    `dateline.certainty.MarginEstimator`). Mixing sentence vectors into relevance was measured and left
    out: no better on the example corpus, worse on RealTimeQA, and ten times slower.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> ExtractiveReader().read(question, evidence=[Evidence.make("Bo Lind chairs Borth Council.")]).reading.answer
        'Bo Lind'
    """

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        """Read `evidence` (best first); with `choices`, the answer is one of them."""
        started = time.perf_counter()
        content = question.timeless
        clues = find_clues(content, evidence=evidence, weighting="rarity" if choices else "names")
        if choices:
            reading = choose(question, choices=choices, clues=clues, evidence=evidence)
        elif answer_type(question.text).kind == "yes_no":
            reading = _affirm(question, clues, evidence)
        else:
            reading = _extract(question, clues, evidence)
        return ReadResult(reading, Cost(seconds=time.perf_counter() - started))

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        """Read asynchronously; it takes milliseconds and waits for nothing."""
        return self.read(question, evidence=evidence, choices=choices)


def _extract(question: Question, clues: Sequence[ScoredSentence], evidence: Sequence[Evidence]) -> Reading:
    wanted = answer_type(question.text)
    known = {bare(word) for word in question.text.split() + _topic(evidence).split()} - STOPWORDS
    asked_for = {word for word in words(question.content) if word not in STOPWORDS}
    named = _named(clues)
    mentions = []
    for clue, timed in zip(clues, fits(question, clues=clues, evidence=evidence), strict=True):
        worth = clue.relevance * timed.fit
        if worth <= 0:
            continue
        places = _known_places(clue.text, known) + ([timed.span] if timed.span else [])
        for span in find_spans(clue.text, known=known):
            looks = type_fit(span, sentence=clue.text, wanted=wanted, known=known, named=named)
            looks *= _DEFINED if defined(span, clue.text, asked_for) else 1.0
            if looks > _UNFIT and not _in_question(span.text, known):
                mentions.append(_Mention(span.text, worth * looks * _nearness(span, clue.text, places), clue.source))
    return _settle(_focus(_group(mentions), evidence), evidence)


def _affirm(question: Question, clues: Sequence[ScoredSentence], evidence: Sequence[Evidence]) -> Reading:
    """Yes when the best sentence says so, no when it denies it."""
    worths = [
        (clue.relevance * timed.fit, clue)
        for clue, timed in zip(clues, fits(question, clues=clues, evidence=evidence), strict=True)
    ]
    worth, best = max(worths, key=lambda pair: pair[0], default=(0.0, None))
    if best is None or worth == 0:
        return Reading(answer="", no_answer=1.0)
    denied = (reversals(best.text) > 0) != (reversals(question.text) > 0)
    answer, other = ("no", "yes") if denied else ("yes", "no")
    probability = 0.5 + worth / 2
    candidates = (
        Candidate(answer=answer, probability=probability * worth, evidence_ids=(evidence[best.source].id,)),
        Candidate(answer=other, probability=(1 - probability) * worth),
    )
    return Reading.of(candidates, no_answer=1 - worth)


def _named(clues: Sequence[ScoredSentence]) -> frozenset[str]:
    """The words that do not open a sentence, as they are written there."""
    return frozenset(word for clue in clues for word in re.findall(r"(?<=[\w,] )[\w-]+", clue.text))


def _in_question(text: str, known: set[str]) -> bool:
    return {word for part in text.split() if not _ROMAN.fullmatch(part) and (word := bare(part))} - STOPWORDS <= known


def _topic(evidence: Sequence[Evidence]) -> str:
    """The title that several pieces share: they speak about it, so it is not news to them."""
    titles = Counter(piece.title for piece in evidence if piece.title)
    return " ".join(title for title, count in titles.items() if count > 1)


def _known_places(sentence: str, known: set[str]) -> list[tuple[int, int]]:
    """Return where words of the question stand."""
    return [match.span() for match in _WRITTEN.finditer(sentence) if match.group().lower() in known]


def _nearness(span: Span, sentence: str, places: Sequence[tuple[int, int]]) -> float:
    """1.0 beside a word of the question or the time that fits it, falling slowly with the words between."""
    gaps = [
        len(sentence[min(span.end, end) : max(span.start, start)].split())
        for start, end in places
        if not span.start <= start < span.end
    ]
    return 1 / (1 + 0.03 * min(gaps)) if gaps else 0.7


def _group(mentions: Sequence[_Mention]) -> dict[str, list[_Mention]]:
    """Mentions by what they name; a part of a name ("Berg", "Ada") joins the best full name that it begins or ends."""
    by_name: dict[str, list[_Mention]] = defaultdict(list)
    for one in mentions:
        by_name[" ".join(words(one.text))].append(one)
    for short in sorted(by_name, key=len):
        longer = [name for name in by_name if _is_part(short, name)]
        if longer:
            home = max(longer, key=lambda name: max(one.score for one in by_name[name]))
            by_name[home] += by_name.pop(short)
    return by_name


def _is_part(short: str, name: str) -> bool:
    whole = name.startswith(f"{short} ") or name.endswith(f" {short}")
    return whole and len(name.split()) <= 5 and not short[0].isdigit()


def _focus(groups: Mapping[str, Sequence[_Mention]], evidence: Sequence[Evidence]) -> dict[str, list[_Mention]]:
    """What a piece is about, its title says: mentions of a name that stands in the title count for more."""
    titles = [folded(piece.title) for piece in evidence]
    focused = {}
    for name, group in groups.items():
        parts = {f" {name} ", *(spaced(one.text) for one in group)}
        focused[name] = [
            replace(one, score=one.score * _IN_TITLE) if any(part in titles[one.source] for part in parts) else one
            for one in group
        ]
    return focused


def _settle(groups: Mapping[str, Sequence[_Mention]], evidence: Sequence[Evidence]) -> Reading:
    if not groups:
        return Reading(answer="", no_answer=1.0)
    ranked = sorted(((_worth(group), name) for name, group in groups.items()), reverse=True)
    probabilities = softmax([_SHARPNESS * score for score in (_NO_ANSWER, *(worth for worth, _ in ranked))]).tolist()
    candidates = []
    for (_, name), probability in zip(ranked[:MAX_CANDIDATES], probabilities[1:], strict=False):
        group = sorted(groups[name], key=lambda one: -one.score)
        text = _best_wording(group)
        sources = tuple(dict.fromkeys(evidence[one.source].id for one in group))
        candidates.append(Candidate(answer=text, probability=probability, evidence_ids=sources))
    return Reading.of(candidates, no_answer=probabilities[0])


def _best_wording(group: Sequence[_Mention]) -> str:
    """The wording with the most behind it, counting only whole names where there are any; a longer one at a tie."""
    totals: dict[str, float] = defaultdict(float)
    for one in group:
        totals[one.text] += one.score
    whole = [text for text in totals if " " in text] or list(totals)
    return max(whole, key=lambda text: (totals[text], len(text), text))


def _worth(group: Sequence[_Mention]) -> float:
    """The best mention, and a little for each other sentence that agrees."""
    ordered = sorted((one.score for one in group), reverse=True)
    return ordered[0] + _VOTE * sum(ordered[1:4])
