"""Label sentences by similarity, verdicts and exact evidence.

The steps are the published ones (GrowOVER, section 3.2): equal sentences, regrouped ones, what is entailed, what is
contradicted, what is new. Exact evidence decides first, since embeddings are all but blind to a number and a small
judge to a name; the judge decides what the words leave open.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dateline.handwritten.labels.difference import Difference
from dateline.handwritten.labels.pairing import PairLabel, SentencePair
from dateline.handwritten.labels.sentence_content import SentenceContent, named, spelling
from dateline.label_draft import LabelDraft, LabellingSettings
from dateline.records import Labelling, SentenceLabel
from dateline.text.alignment import Group, equal_pairs, groups_between
from dateline.text.embeddings import cosines
from dateline.text.subsets import LONGEST_RUN, runs

NEAREST = 6
"""Old sentences that a new one is compared with: the most similar, and those at its place."""

SHOWN = 3
"""Of these, so many are shown to the judge."""

BESIDE = 2
"""Places that a sentence may be off its own between the same neighbours."""

MOST_HOLDERS = 50
"""Kept sentences with one word in common that are looked at for what a new one repeats."""


class ComparedPair(NamedTuple):
    new: int
    old: int
    encounter: SentencePair


class PairVerdict(NamedTuple):
    meeting: ComparedPair
    tie: PairLabel


def evident_labels(old: Sequence[str], *, new: Sequence[str], settings: LabellingSettings) -> Labelling:
    """Labels by the default method."""
    return _Evident(old, new, settings).labelling()


class _Evident(LabelDraft):
    def __init__(self, old: Sequence[str], new: Sequence[str], settings: LabellingSettings) -> None:
        super().__init__(old, new, settings)
        names = named([*old, *new])
        self.told_old = [SentenceContent.of(text, names=names) for text in old]
        self.told_new = [SentenceContent.of(text, names=names) for text in new]

    def labelling(self) -> Labelling:
        pairs = equal_pairs([*map(spelling, self.old)], new=[*map(spelling, self.new)])
        for pair in pairs:
            self.put(pair.new, "unchanged", (pair.old,), similarity=1.0, reason="equal")
        kept, free, left = frozenset(self.taken), self.old_left(), self.new_left()
        if left:
            meetings = self._meetings(free, left, groups=groups_between(pairs, old=free, new=left))
            self._contain(meetings, free=free, kept=kept)
            self._tie([meeting for new in self.new_left() for meeting in meetings[new]])
            for new in self.new_left():
                self.put_alone(new, similarity=max((one.encounter.similarity for one in meetings[new]), default=0.0))
        return self.finished()

    # -- who may belong to whom -------------------------------------------------------------------

    def _meetings(
        self, free: Sequence[int], left: Sequence[int], *, groups: Sequence[Group]
    ) -> dict[int, list[ComparedPair]]:
        """For each new sentence the old ones that it may belong to, the likeliest first."""
        table = cosines(
            [self.new[place] for place in left],
            columns=[self.old[place] for place in free],
            embeddings=self.settings.embeddings,
        )
        column = {place: number for number, place in enumerate(free)}
        beside = {new: old for group in groups for new, old in _beside(group)}
        held = Counter(key for told in self.told_old for key in told.content)
        found = {}
        for row, new in zip(table, left, strict=True):
            nearest = np.argpartition(-row, NEAREST)[:NEAREST] if len(row) > NEAREST else np.arange(len(row))
            places = {free[number] for number in nearest.tolist()} | beside.get(new, frozenset())
            met = [
                ComparedPair(
                    new, old, self._encounter(old, new, float(row[column[old]]), old in beside.get(new, ()), held)
                )
                for old in sorted(places)
            ]
            found[new] = sorted(met, key=lambda meeting: -meeting.encounter.weight)
        return found

    def _encounter(self, old: int, new: int, similarity: float, aligned: bool, held: Counter[str]) -> SentencePair:
        difference = Difference(self.told_old[old], self.told_new[new])
        return SentencePair(
            difference=difference,
            similarity=similarity,
            aligned=aligned,
            rare=frozenset(key for key in difference.old.content if held[key] == 1),
            changed=self.settings.changed,
        )

    # -- what was said before, in the same words --------------------------------------------------

    def _contain(self, meetings: dict[int, list[ComparedPair]], *, free: Sequence[int], kept: frozenset[int]) -> None:
        holders = self._holders(kept)
        for new, met in meetings.items():
            single = next((one for one in met if one.encounter.difference.contained), None)
            if single is not None:
                self.put(new, "unchanged", (single.old,), similarity=single.encounter.similarity, reason="in its words")
            elif several := self._run_holding(new, met, free=free):
                top = max(one.encounter.similarity for one in met)
                self.put(new, "unchanged", several, similarity=top, reason="merged")
            elif (repeated := self._repeated(new, holders)) is not None:
                self.put(new, "unchanged", (repeated,), similarity=1.0, reason="said elsewhere")

    def _run_holding(self, new: int, met: Sequence[ComparedPair], *, free: Sequence[int]) -> tuple[int, ...]:
        """Neighbouring old sentences that together hold all that a new one tells; none that adds nothing to it."""
        near = {one.old for one in met[:SHOWN]}
        around = [place for place in free if any(abs(place - old) < LONGEST_RUN for old in near)]
        for run in runs(around, longest=LONGEST_RUN):
            if len(run) < 2 or run[-1] - run[0] != len(run) - 1 or near.isdisjoint(run):
                continue
            parts = [self.told_old[place] for place in run]
            said = {token.key for token in self.told_new[new].telling}
            covered = all(2 * sum(token.key in said for token in part.telling) >= len(part.telling) for part in parts)
            # Values of one sentence in the frame of its neighbour were said by neither.
            apart = covered and not any(Difference(part, self.told_new[new]).conflict for part in parts)
            if apart and Difference(SentenceContent.joined(parts), self.told_new[new]).contained:
                return run
        return ()

    def _holders(self, kept: frozenset[int]) -> dict[str, list[int]]:
        holders: dict[str, list[int]] = defaultdict(list)
        for place in sorted(kept):
            for key in {token.key for token in self.told_old[place].telling}:
                holders[key].append(place)
        return holders

    def _repeated(self, new: int, holders: dict[str, list[int]]) -> int | None:
        """A kept sentence that holds all that a new one tells."""
        telling = self.told_new[new].telling
        if len(telling) < SHOWN or any(token.key not in holders for token in telling):
            return None
        rarest = min((holders[token.key] for token in telling), key=len)
        differences = ((old, Difference(self.told_old[old], self.told_new[new])) for old in rarest[:MOST_HOLDERS])
        return next((old for old, difference in differences if difference.contained), None)

    # -- what took the place of what --------------------------------------------------------------

    def _tie(self, meetings: Sequence[ComparedPair]) -> None:
        claims = self._claims(meetings)
        replaced: set[int] = set()
        for (new, old, encounter), tie in sorted(claims, key=lambda claim: -claim.tie.strength):
            if new in self.found:
                continue
            if tie.label == "unchanged":
                self.put(new, "unchanged", (old,), similarity=encounter.similarity, reason=tie.reason)
            elif old not in replaced and (old not in self.taken or encounter.alike):
                confirmed = tie.label == "undecided" or self.confirmed(old, new)
                label: SentenceLabel = tie.label if confirmed else "undecided"
                reason = tie.reason if confirmed else f"{tie.reason}, not confirmed"
                replaced.add(old)
                self.put(new, label, (old,), similarity=encounter.similarity, reason=reason)

    def _claims(self, meetings: Sequence[ComparedPair]) -> list[PairVerdict]:
        claims, open_ = [], []
        shown: Counter[int] = Counter()
        for meeting in meetings:
            if (tie := meeting.encounter.exact) is not None:
                claims.append(PairVerdict(meeting, tie))
            elif not meeting.encounter.difference.conflict and shown[meeting.new] < SHOWN:
                shown[meeting.new] += 1
                open_.append(meeting)
        texts = [(self.old[one.old], self.new[one.new]) for one in open_]
        verdicts = self.settings.judge.judge(texts) if texts else []
        doubtful = [
            number for number, one in enumerate(open_) if verdicts[number] == "supports" and one.encounter.asks_back
        ]
        answers = self.settings.judge.judge([texts[number][::-1] for number in doubtful]) if doubtful else []
        back = dict(zip(doubtful, answers, strict=True))
        for number, meeting in enumerate(open_):
            tie = meeting.encounter.judged(verdicts[number], back=back.get(number, "neither"))
            if tie is not None:
                claims.append(PairVerdict(meeting, tie))
        return claims


def _beside(group: Group) -> list[tuple[int, frozenset[int]]]:
    """For each new sentence of a group the old ones at about its place in it."""
    scale = (len(group.old) - 1) / max(1, len(group.new) - 1)
    return [
        (new, frozenset(old for at, old in enumerate(group.old) if abs(at - number * scale) <= BESIDE))
        for number, new in enumerate(group.new)
    ]
