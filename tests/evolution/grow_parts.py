"""Articles, labels and makers for the tests of growing benchmarks."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.records import Labelled, Labelling, SentenceLabel
from dateline_bench.growing.articles import GrowingArticle
from dateline_bench.growing.tasks import GrowTask


class SameWords:
    """Labels by hand: the same words are unchanged; where one word differs the sentence is changed; else it is new."""

    def label(self, old: Sequence[str], *, new: Sequence[str]) -> Labelling:
        found = []
        for index, text in enumerate(new):
            near = [n for n, other in enumerate(old) if _apart(text, other) <= 3]
            same = [n for n in near if old[n] == text]
            label: SentenceLabel = "unchanged" if same else "changed" if near else "new"
            found.append(Labelled(index=index, text=text, label=label, old=tuple((same or near)[:1])))
        taken = {n for one in found for n in one.old}
        return Labelling(old=tuple(old), sentences=tuple(found), deleted=tuple(set(range(len(old))) - taken))


def _apart(one: str, other: str) -> int:
    return max(len(set(one.split()) - set(other.split())), len(set(other.split()) - set(one.split())))


def article(text: str, *, id: str = "elwin") -> GrowingArticle:
    return GrowingArticle.of(text, id=id, title="Port Elwin")


def task(kind: str = "initial", *sentences: str, old: Sequence[str] = (), asked: Sequence[str] = ()) -> GrowTask:
    texts = sentences or ("The mayor of Port Elwin is Nils Aker.", "The population of Port Elwin is 5,240.")
    return GrowTask(
        kind=kind,  # type: ignore[arg-type]
        article="elwin",
        title="Port Elwin",
        indices=tuple(range(3, 3 + len(texts))),
        sentences=texts,
        types=("New",) * len(texts),
        old=tuple(old),
        asked=tuple(asked),
    )
