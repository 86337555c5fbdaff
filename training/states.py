"""Fit the model of `dateline.ranking.states`: does a sentence state what is asked?

    python training/states.py [--report]

It learns from made-up sentences (`state_fields.txt`, `state_worlds.py`), from made-up news on several subjects of one kind
(`news.py`) and from the archives with a key (`chronicles/`), where all sentences of an archive are looked at for each question on a
state: those that tell a version of it, of whatever day, state it. Every sentence is looked at with both encoders that ship, so that
one model serves either. With --report every fifth field and archive is held out, and AUROC of what states it against each kind of
what does not is printed; without, the model is fitted on all and written to plugins/dateline/ranking/states.json.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import networks
import numpy as np
import torch
from chronicles import Archive, State, place_of, read_archives
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from state_worlds import Pool, pools, reports

from dateline.language.answer_type import answer_type
from dateline.networks import Networks
from dateline.ranking.passages import Passages
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers, known_words
from dateline.ranking.prepared_cache import cache_for
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.state_features import AskedWords
from dateline.ranking.states import MODEL, REACH, rows_of
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.notes.questions import NotesCorpus

Source = Literal["fields", "news", "archives"]
SHARES: dict[Source, float] = {"fields": 1.0, "news": 0.1, "archives": 1.0}
"""What the sentences of a source count together. Of news little is enough to learn what it teaches, and with as much as of the
others those are told apart worse."""
RECIPE = networks.Recipe(hidden=24, nets=4, epochs=20, batch=4096, rate=5e-3, decay=1e-3)
"""With 12 units, what is held out is told apart by two points of AUROC less; from start to start the benchmark of look-alikes varies
by five points."""
FAR, KEPT = 1.2, 0.25
"""What a sentence of an archive counts that is neither marked as stating it nor as sounding alike, and the share of these that is
looked at. Chosen by hand."""
REPORTS = 400
"""Pools of news."""
WORDINGS = 2
"""Questions on a state of an archive."""
FOLDS = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Looked:
    """The sentences that compete for one question, seen with one encoder.

    Attributes:
        group: the field or archive.
        features: shape (sentences, features).
        kinds: "state", or what else each says; "far" and "alike" in archives.
    """

    source: Source
    group: str
    features: Floats
    kinds: NDArray[np.str_]

    @property
    def states(self) -> NDArray[np.bool_]:
        """Which sentences state what is asked."""
        return np.asarray(self.kinds == "state")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", action="store_true", help="hold every fifth field and archive out")
    options = parser.parse_args()
    looked = collect()
    if not options.report:
        MODEL.write_text(learn(looked).to_json() + "\n", encoding="utf-8")
        return
    held = set(sorted({each.group for each in looked})[::FOLDS])
    model = learn([each for each in looked if each.group not in held])
    for source in SHARES:
        print(f"{source}:", report(model, [each for each in looked if each.source == source and each.group in held]))


def report(model: Networks, looked: Sequence[Looked]) -> dict[str, float]:
    """AUROC of what states it against each kind of what does not."""
    odds = model.odds(np.concatenate([each.features for each in looked]))
    kinds = np.concatenate([each.kinds for each in looked])
    return {
        str(kind): round(auroc(odds[kinds == kind], odds[kinds == "state"]), 3)
        for kind in np.unique(kinds)
        if kind != "state"
    }


def collect() -> list[Looked]:
    """Look at all sentences with both encoders; what no sentence states teaches nothing."""
    encoders = (default_embeddings(), LexicalEmbeddings())
    return [each for encoder in encoders for each in _looked(encoder) if each.states.any()]


def _looked(encoder: Embeddings) -> Iterator[Looked]:
    yield from (_of_pool(pool, "fields", encoder) for pool in pools(rounds=1))
    yield from (_of_pool(pool, "news", encoder) for pool in reports(REPORTS))
    for archive in read_archives():
        yield from _of_archive(archive, encoder)


def _of_pool(pool: Pool, source: Source, encoder: Embeddings) -> Looked:
    texts = [line.text for line in pool.lines]
    vectors = embed([pool.question, *texts], embeddings=encoder)
    asked, kind = AskedWords.of(pool.question), answer_type(pool.question).kind
    known = known_words(pool.question, title="")
    table = AnswerTable.of(map(PossibleAnswers.of, texts))
    rows = rows_of(
        asked,
        words=SentenceWords.of(texts),
        above=np.zeros((len(texts), len(asked.roots)), dtype=np.bool_),
        cosines=(vectors[1:] @ vectors[0]).astype(np.float64),
        offers=table.has(kind, known=known, sentences=np.arange(len(texts))),
    )
    kinds = np.array([line.kind for line in pool.lines])
    return Looked(source, pool.field, rows, kinds)


def _of_archive(archive: Archive, encoder: Embeddings) -> Iterator[Looked]:
    corpus, choice, drawn = NotesCorpus(archive.folder), random.Random(archive.name), np.random.default_rng(0)
    evidence = list(corpus.documents)
    passages = Passages.of(evidence, cache_for(encoder).prepare(evidence, embeddings=encoder))
    files = [corpus.names[piece.id] for piece in evidence]
    places = _places(passages)
    homes = np.repeat(np.arange(len(evidence)), np.diff(passages.bounds))
    inside = np.flatnonzero(np.arange(len(homes)) > passages.bounds[homes])
    for state in archive.states:
        kinds = _kinds(state, passages, files, places)
        for text in choice.sample(state.asks, min(WORDINGS, len(state.asks))):
            asked = AskedWords.of(text)
            cosines = (passages.vectors @ embed([text], embeddings=encoder)[0]).astype(np.float64)
            near = np.flatnonzero(cosines >= cosines.max() - REACH)
            above = passages.documents.title_words.holding(asked.roots)[passages.documents.numbers[homes]]
            above[inside] |= passages.words.take(inside - 1).holding(asked.roots)
            known, kind = known_words(text, title=""), answer_type(text).kind
            rows = rows_of(
                asked,
                words=passages.words.take(near),
                above=above[near],
                cosines=cosines[near],
                offers=passages.answers.has(kind, known=known, sentences=near),
            )
            some = np.flatnonzero((kinds[near] != "far") | (drawn.random(len(near)) < KEPT))
            yield Looked("archives", f"archive {archive.name}", rows[some], kinds[near][some])


def _places(passages: Passages) -> list[tuple[int, int, int]]:
    """Each sentence's piece, and its characters (start, end) in it."""
    found = []
    for number, piece in enumerate(passages.evidence):
        end = 0
        for place in range(passages.bounds[number], passages.bounds[number + 1]):
            start = max(end, piece.text.find(passages.sentences[place], end))
            end = start + len(passages.sentences[place])
            found.append((number, start, end))
    return found


def _kinds(state: State, passages: Passages, files: list[str], places: list[tuple[int, int, int]]) -> NDArray[np.str_]:
    """What each sentence of an archive is to a state."""
    kinds = np.full(len(places), "far", dtype="<U5")
    told = [(file, quote) for one in state.versions for file, quote in ((one.file, one.quote), *one.repeats)]
    for marks, kind in ((state.alike, "alike"), (told, "state")):
        for file, quote in marks:
            for place, (number, start, end) in enumerate(places):
                at = place_of(quote, passages.evidence[number].text) if files[number] == file else None
                if at is not None and 2 * (min(end, at[1]) - max(start, at[0])) > min(end - start, at[1] - at[0]):
                    kinds[place] = kind
    return kinds


def learn(looked: Sequence[Looked]) -> Networks:
    """The mean of networks of the least cross-entropy."""
    features = np.concatenate([each.features for each in looked])
    right = torch.tensor(np.concatenate([each.states for each in looked]), dtype=torch.float32)
    weights = _weights(looked)

    def lost(odds: torch.Tensor, some: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.binary_cross_entropy_with_logits(odds, right[some], weight=weights[some])

    return networks.learn(features, rows=features, lost=lost, recipe=RECIPE)


def _weights(looked: Sequence[Looked]) -> torch.Tensor:
    """What each sentence counts, 1 in the mean."""
    kinds = np.concatenate([each.kinds for each in looked])
    sources = np.repeat([each.source for each in looked], [len(each.kinds) for each in looked])
    found = np.where((sources == "archives") & (kinds == "far"), FAR, 1.0)
    for source, share in SHARES.items():
        found[sources == source] *= share / max(1.0, found[sources == source].sum())
    return torch.tensor(found / found.mean(), dtype=torch.float32)


def auroc(low: Floats, high: Floats) -> float:
    """Return the probability that one of `high` is above one of `low`."""
    return float((np.searchsorted(np.sort(low), high) / max(len(low), 1)).mean())


if __name__ == "__main__":
    main()
