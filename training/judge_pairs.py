"""Pairs of sentences with what the first says of the second, made by rules; no annotated data set takes part.

Three sources: everyday scenes and records of public life, both made up, and sentences of Wikipedia as TimeQA's passages
(BSD-3) hold them, shortened and edited. `python training/judge_pairs.py --count 20` prints some.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import judge_facts
import judge_news
import judge_scenes
from judge_claims import Contexts, denied_claim, free_claim, has_pattern, worded
from judge_edits import Names, claim_of, negated, revalued, reworded
from judge_names import person

from dateline.protocols import Verdict

PASSAGES = "timeqa/passages.jsonl.gz"
SHARES = {"scenes": 0.10, "facts": 0.28, "offices": 0.04, "news": 0.08, "prose": 0.50}
"""How much of the whole each source gives."""


class Pair(NamedTuple):
    """A premise, a hypothesis, and what the first says of the second."""

    premise: str
    hypothesis: str
    verdict: str


class Page(NamedTuple):
    """Sentences of one page that are neighbours, and their titles."""

    title: str
    sentences: tuple[str, ...]

    @property
    def person(self) -> bool:
        """Whether the page seems to be about a person, so that "he" and not "it" is its subject."""
        return 4 * sum(one.startswith(("He ", "She ", "His ", "Her ")) for one in self.sentences) >= len(self.sentences)


class Prose:
    """Pairs out of real sentences."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._pages = [page for page in pages if len(page.sentences) >= 3]
        sentences = [sentence for page in self._pages for sentence in page.sentences]
        self._names, self._contexts = Names(sentences), Contexts(sentences)

    def pair(self, rng: random.Random) -> Pair:
        """One pair; sources without a usable claim are passed over."""
        for _ in range(400):
            page = rng.choice(self._pages)
            place = rng.randrange(len(page.sentences))
            if page.sentences[place].startswith(("It ", "Its ") if page.person else ("He ", "She ", "His ", "Her ")):
                continue
            claim = free_claim(page.sentences[place], page.title, rng)
            made = claim and self._made(page, place, claim, rng)
            if made:
                return _called(made, page.title, rng)
        raise SystemExit("The passages hold too few sentences to make claims of; give the whole of TimeQA's passages.")

    def _made(self, page: Page, place: int, claim: str, rng: random.Random) -> Pair | None:
        premise = self._premise(page, place, rng)
        # Most sentences have neither values nor verbs that can be said otherwise; those that have make the harder claims.
        if not re.search(r"\d", claim) and not has_pattern(claim) and rng.random() < 0.6:
            return None
        form = rng.random()
        if form < 0.40:
            return self._supported(premise, claim, page, rng)
        if form < 0.80:
            return self._contradicted(premise, claim, page, rng)
        return self._open(premise, claim, page, place, rng)

    @staticmethod
    def _premise(page: Page, place: int, rng: random.Random) -> str:
        form = rng.random()
        first = place - 1 if form < 0.12 and place else place
        last = place + 2 if form > 0.88 else place + 1
        return " ".join(page.sentences[first:last])

    def _supported(self, premise: str, claim: str, page: Page, rng: random.Random) -> Pair | None:
        form = rng.random()
        if form < 0.38:
            bound = revalued(claim, rng, true=True)
            return Pair(premise, _ended(worded(bound, rng)), "supports") if bound else None
        if form < 0.44:
            # What is not so in another name or number may be said not to be so.
            false = revalued(claim, rng, true=False)
            denied = negated(false, rng) if false and not _bounded(false) else None
            return Pair(premise, _ended(denied), "supports") if denied else None
        if form < 0.50:
            denial = negated(claim, rng)
            return Pair(_ended(denial), _ended(reworded(denial, rng)), "supports") if denial else None
        return Pair(premise, _ended(worded(claim, rng)), "supports")

    def _contradicted(self, premise: str, claim: str, page: Page, rng: random.Random) -> Pair | None:
        form = rng.random()
        if form < 0.33:
            false = revalued(claim, rng, true=False)
        elif form < 0.55:
            false = self._names.replaced(claim, rng, keep=page.title)
        elif form < 0.64:
            false = self._contexts.replaced(claim, rng)
        else:
            false = denied_claim(claim, rng)
        if not false or false in premise:
            return None
        if rng.random() < 0.15 and not _bounded(false):
            # The edited sentence may as well come first.
            return Pair(_ended(false), _ended(worded(claim, rng)), "contradicts")
        return Pair(premise, _ended(worded(false, rng) if rng.random() < 0.75 else false), "contradicts")

    def _open(self, premise: str, claim: str, page: Page, place: int, rng: random.Random) -> Pair | None:
        form = rng.random()
        if form < 0.50:
            far = [number for number in range(len(page.sentences)) if abs(number - place) > 1]
            other = free_claim(page.sentences[rng.choice(far)], page.title, rng) if far else None
        elif form < 0.62:
            page = rng.choice(self._pages)
            other = free_claim(rng.choice(page.sentences), page.title, rng)
        elif form < 0.72:
            # The same words of another subject.
            stranger = rng.choice(self._pages).title.split(" (")[0]
            name = page.title.split(" (")[0]
            other = claim.replace(name, stranger) if name in claim and name in premise else None
        else:
            # From less nothing follows for more.
            longer = claim_of(page.sentences[place], page.title, rng)
            if not longer or len(longer.split()) < len(claim.split()) + 3:
                return None
            new = set(longer.split()) - set(claim.split())
            if sum(word[0].isupper() or word[0].isdigit() for word in new) < 2:
                return None
            return Pair(_ended(claim), _ended(worded(longer, rng)), "neither")
        if not other or other in premise:
            return None
        if rng.random() < 0.4:
            other = revalued(other, rng, true=rng.random() < 0.5) or denied_claim(other, rng) or other
        return Pair(premise, _ended(worded(other, rng)), "neither")


def _called(pair: Pair, title: str, rng: random.Random) -> Pair:
    """The pair with its subject called otherwise in one of the sentences, or with the subject said in front of the claim."""
    name = re.sub(r"\s*\(.*", "", title)
    parts, form = name.split(), rng.random()
    premise, claim, verdict = pair
    whole = f"{name} " in premise
    if whole and form < 0.2 and len(parts) == 2 and name.istitle():
        middle = rng.choice(
            [person(rng).split()[0], f"{rng.choice('ABCDEFGHJKLMNPRSTW')}.", f'" {person(rng).split()[0]} "']
        )
        return Pair(premise.replace(name, f"{parts[0]} {middle} {parts[1]}", 1), claim, verdict)
    if form < 0.35 and len(parts) == 2 and name.istitle() and name in claim:
        return Pair(premise, claim.replace(name, parts[1]), verdict)
    if form < 0.45 and name in claim:
        shown = f"{name} ( {rng.choice(['film', 'singer', 'band', 'politician', 'company', 'footballer', 'song'])} )"
        return Pair(premise, claim.replace(name, shown, 1), verdict)
    if 0.45 < form < 0.6 and not set(parts) & set(claim.split()) and verdict != "neither":
        return Pair(premise, f"In {name} , {claim}" if form < 0.53 else f"{claim.rstrip(' .')} in {name} .", verdict)
    return pair


def _bounded(text: str) -> bool:
    return any(f" {word} " in text for word in ("than", "least", "before", "after", "by", "over", "under"))


def _ended(text: str | None) -> str:
    return f"{text} ."


def pages(data: Path) -> list[Page]:
    """The passages of TimeQA as sentences. Ends the program, naming what is missing, where `data` has none."""
    path = data / PASSAGES
    if not path.is_file():
        raise SystemExit(
            f"{path} is missing: give --data the folder that holds {PASSAGES} (TimeQA's passages, one JSON object a "
            "line with title and text; see docs/benchmarks.md), or --no-prose to train on made-up sentences alone."
        )
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            sentences = [part.strip(" .") + " ." for part in row["text"].split(" . ")]
            good = tuple(
                one for one in sentences if 6 <= len(one.split()) <= 36 and one[0].isupper() and one.count(" - ") < 2
            )
            found.append(Page(row["title"], good))
    return found


def pairs(count: int, *, seed: int, prose: Prose | None) -> list[Pair]:
    """`count` pairs, the same ones for the same seed."""
    rng = random.Random(seed)
    sources: dict[str, Callable[[random.Random], tuple[str, str, str]]] = {
        "scenes": judge_scenes.pair,
        "facts": judge_facts.pair,
        "offices": judge_facts.office_pair,
        "news": judge_news.pair,
    }
    if prose is not None:
        sources["prose"] = prose.pair
    names = list(sources)
    drawn = rng.choices(names, weights=[SHARES[name] for name in names], k=count)
    return [Pair(*sources[name](rng)) for name in drawn]


VERDICTS: tuple[Verdict, ...] = ("supports", "contradicts", "neither")


def main() -> None:
    """Print some pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, help="the folder with timeqa/passages.jsonl.gz; without it, no prose")
    given = parser.parse_args()
    prose = Prose(pages(given.data)) if given.data else None
    for pair in pairs(given.count, seed=given.seed, prose=prose):
        sys.stdout.write(f"{pair.verdict}\t{pair.premise}\t{pair.hypothesis}\n")


if __name__ == "__main__":
    main()
