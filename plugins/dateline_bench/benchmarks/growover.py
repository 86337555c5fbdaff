"""GrowOVER's published sentence labels of two snapshots, checked against ours.

The published files give indices of sentences, and texts only of those that are not the same in both snapshots; articles
are not part of them. So ours can be compared on these few sentences alone, inside of their published groups.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from dateline.errors import BadInput
from dateline.evolution import Labelling, SentenceLabel, SentenceLabeller
from dateline_bench.benchmark import BenchmarkReport, Progress, refuse_unknown, watched
from dateline_bench.benchmarks.labels import read_method
from dateline_bench.shares import share

T = TypeVar("T", bound=BaseModel)

_FILE = re.compile(r"label_not_same__(?P<step>\d{4})__(?P<month>\d{2})__(?P<part>.+)\.json")


class _GrowoverGroups(BaseModel):
    """Runs of sentences between unchanged neighbours."""

    indices: list[list[int]]
    sentences: list[list[str]]


class _GrowoverSingle(BaseModel):
    indices: list[Any]
    sentences: list[Any]


class _GrowoverSame(BaseModel):
    indices: list[int]


class _GrowoverBefore(BaseModel):
    """An article of the old snapshot, before NLI."""

    S: _GrowoverSame
    NS: _GrowoverGroups
    D: _GrowoverSingle


class _GrowoverAfter(BaseModel):
    """An article of the new snapshot, before NLI."""

    S: _GrowoverSame
    NS: _GrowoverGroups
    N: _GrowoverSingle


class _GrowoverDecided(BaseModel):
    """Article of the old snapshot after NLI, with changes as [old, new]."""

    S: dict[int, Any]
    C: _GrowoverSingle


class _GrowoverNew(BaseModel):
    """An article of the new snapshot, after NLI."""

    N: _GrowoverSingle


class GrowoverCase(NamedTuple):
    """One sentence whose text is published: its label there, and ours."""

    article: str
    sentence: int
    published: SentenceLabel
    ours: SentenceLabel


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Count the published labels, and label the published groups of sentences.

    Reads `label_not_same__<months>__<month>__<part>.json` and `label_new_and_changed__…`, both months of each part;
    `limit` takes the first articles. Nothing is drawn. Metrics: shares of the new snapshot's sentences by published
    label (`published_<label>`; "undecided" where the published algorithm left none), `published_deleted` (of the old
    snapshot's), and over the sentences with texts `agreement` and `agreement_<label>`. The configuration counts the
    sentences behind each, and lists every case by article and index.

    Options: `method` (default, paper).

    Raises:
        BadInput: for missing or malformed files, or an unknown option.
    """
    refuse_unknown(options, "method")
    method = read_method(options.get("method", "default"))
    labeller = SentenceLabeller(method=method)
    plain = SentenceLabeller(embeddings=labeller.settings.embeddings, judge=labeller.settings.judge, method="paper")
    counted: Counter[str] = Counter()
    cases: list[GrowoverCase] = []
    published_steps: list[GrowoverCase] = []
    articles = list(_articles(folder))[:limit]
    begun = time.perf_counter()
    for article in watched(articles, stage="articles", progress=progress):
        counted.update(article.counts())
        cases += article.cases(labeller)
        published_steps += article.cases(plain)
    seconds = time.perf_counter() - begun
    new, old = counted["new sentences"], counted["old sentences"]
    shares = {
        f"published_{label}": share(counted[label], new) for label in ("unchanged", "changed", "new", "undecided")
    }
    return BenchmarkReport(
        benchmark="growover",
        n=len(cases),
        configuration={
            "method": method,
            "articles": len(articles),
            "counts": dict(counted),
            "cases_by_label": dict(Counter(case.published for case in cases)),
            "cases": [case._asdict() for case in cases],
        },
        metrics={**shares, "published_deleted": share(counted["deleted"], old), **_agreement(cases)},
        baselines={"published steps, our judge": _agreement(published_steps)},
        cost={"seconds": seconds},
    )


class _GrowoverArticle:
    def __init__(
        self, name: str, before: _GrowoverBefore, after: _GrowoverAfter, decided: _GrowoverDecided, new: _GrowoverNew
    ) -> None:
        self.name, self.before, self.after = name, before, after
        self.changed = {int(pair[1]): int(pair[0]) for pair in decided.C.indices}
        self.new = set(_flat(new.N.indices)) | set(_flat(after.N.indices))
        self.same = set(after.S.indices) | {place for value in decided.S.values() for place in _places(value)}

    def label(self, place: int) -> SentenceLabel:
        """The published label of a new sentence; what came last counts."""
        if place in self.changed:
            return "changed"
        if place in self.new:
            return "new"
        return "unchanged" if place in self.same else "undecided"

    def counts(self) -> Counter[str]:
        places = {*self.after.S.indices, *_flat(self.after.NS.indices), *_flat(self.after.N.indices)}
        found: Counter[str] = Counter(self.label(place) for place in places)
        found["new sentences"] = len(places)
        found["deleted"] = len(_flat(self.before.D.indices))
        found["old sentences"] = len(
            {*self.before.S.indices, *_flat(self.before.NS.indices), *_flat(self.before.D.indices)}
        )
        return found

    def cases(self, labeller: SentenceLabeller) -> Iterator[GrowoverCase]:
        olds = list(self.before.NS.sentences)
        if len(olds) != len(self.after.NS.sentences):
            # Without a partner for each group, all old ones stand beside each new one.
            olds = [[text for group in olds for text in group]] * len(self.after.NS.sentences)
        for old, new, places in zip(olds, self.after.NS.sentences, self.after.NS.indices, strict=True):
            yield from self._compared(labeller.label(old, new=new), places)
        for text, place in zip(_flat(self.after.N.sentences), _flat(self.after.N.indices), strict=True):
            yield from self._compared(labeller.label((), new=[str(text)]), [place])

    def _compared(self, labelling: Labelling, places: Sequence[int]) -> Iterator[GrowoverCase]:
        for one, place in zip(labelling.sentences, places, strict=True):
            yield GrowoverCase(self.name, place, self.label(place), one.label)


def _articles(folder: Path) -> Iterator[_GrowoverArticle]:
    found = {(match["step"], match["part"]) for path in folder.iterdir() if (match := _FILE.fullmatch(path.name))}
    if not found:
        raise BadInput(f"{folder} holds no label_not_same__*.json; give the folder of GrowOVER's published labels.")
    for step, part in sorted(found):
        old, new = step[:2], step[2:]
        before = _load(folder / f"label_not_same__{step}__{old}__{part}.json", _GrowoverBefore)
        after = _load(folder / f"label_not_same__{step}__{new}__{part}.json", _GrowoverAfter)
        decided = _load(folder / f"label_new_and_changed__{step}__{old}__{part}.json", _GrowoverDecided)
        fresh = _load(folder / f"label_new_and_changed__{step}__{new}__{part}.json", _GrowoverNew)
        for name in sorted(before.keys() & after.keys() & decided.keys() & fresh.keys(), key=lambda id: (len(id), id)):
            yield _GrowoverArticle(name, before[name], after[name], decided[name], fresh[name])


def _load(path: Path, kind: type[T]) -> dict[str, T]:
    try:
        return {name: kind.model_validate(value) for name, value in json.loads(path.read_bytes()).items()}
    except (OSError, ValueError, AttributeError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise BadInput(f"Cannot read {path.name}: {reason}; give GrowOVER's published files.") from error


def _places(value: Any) -> list[int]:
    """Return an old sentence's new place, or the run around it."""
    if isinstance(value, list):
        return list(range(int(value[0]) + 1, int(value[1])))
    return [int(value)]


def _flat(values: Sequence[Any]) -> list[Any]:
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def _agreement(cases: Sequence[GrowoverCase]) -> dict[str, float]:
    told = [case for case in cases if case.published != "undecided"]
    figures = {"agreement": share(sum(case.published == case.ours for case in told), len(told))}
    for label in dict.fromkeys(case.published for case in told):
        some = [case for case in told if case.published == label]
        figures[f"agreement_{label}"] = share(sum(case.ours == label for case in some), len(some))
    return figures
