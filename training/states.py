"""Fit the model of `dateline.ranking.states`: does a sentence state what is asked?

    python training/states.py [--report]

It learns from made-up sentences (`state_fields.txt`, `state_worlds.py`) and from the archives with a key (`chronicles/`), where
all sentences of an archive are looked at for each question on a state: those that tell a version of it, of whatever day, state it.
Every sentence is looked at with both encoders that ship, so that one model serves either. With --report every fifth field and
archive is held out, and AUROC of what states it against each kind of what does not is printed; without, the model is fitted on all
and written to plugins/dateline/ranking/states.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from chronicles import Archive, State, place_of, read_archives
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from state_worlds import pools

from dateline.language.answer_type import answer_type
from dateline.ranking.passages import Passages
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers, known_words
from dateline.ranking.prepared_cache import cache_for
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.state_features import AskedWords
from dateline.ranking.states import LARGEST, MODEL, REACH, StateModel, rows_of
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.notes.questions import NotesCorpus

HIDDEN = 24
"""Hidden units. With 12, what is held out is told apart by two points of AUROC less."""
EPOCHS, BATCH, RATE, DECAY = 8, 4096, 5e-3, 1e-3
FAR = 0.3
"""What a sentence of an archive that is neither marked as stating it nor as sounding alike counts. Chosen by hand."""
FOLDS = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """A row is a sentence beside a question, seen with one encoder.

    Attributes:
        kinds: "state", or what else it says; "far" and "alike" in archives.
        groups: the field or archive.
        weights: what it counts.
    """

    features: Floats
    kinds: NDArray[np.str_]
    groups: NDArray[np.str_]
    weights: Floats

    @property
    def states(self) -> NDArray[np.bool_]:
        """Which rows state what is asked."""
        return np.asarray(self.kinds == "state")

    def take(self, chosen: NDArray[np.bool_]) -> Rows:
        """Some of the rows."""
        return Rows(self.features[chosen], self.kinds[chosen], self.groups[chosen], self.weights[chosen])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", action="store_true", help="hold every fifth field and archive out")
    options = parser.parse_args()
    rows = collect()
    if not options.report:
        MODEL.write_text(learn(rows).to_json() + "\n", encoding="utf-8")
        return
    held = np.isin(rows.groups, sorted(set(rows.groups))[::FOLDS])
    odds, told = learn(rows.take(~held)).odds(rows.features[held]), rows.take(held)
    archives = np.char.startswith(told.groups, "archive ")
    for name, some in (("made up", ~archives), ("archives", archives)):
        kinds = sorted(set(told.kinds[some]) - {"state"})
        parts = (f"{kind} {auroc(odds[some & (told.kinds == kind)], odds[some & told.states]):.3f}" for kind in kinds)
        print(f"{name}:", ", ".join(parts))


def collect() -> Rows:
    """Look at all sentences with both encoders."""
    parts = [part for encoder in (default_embeddings(), LexicalEmbeddings()) for part in _parts(encoder)]
    made, kinds, groups = zip(*parts, strict=True)
    sizes = [len(part) for part in made]
    every, names = np.concatenate(kinds), np.repeat(groups, sizes)
    archives = np.char.startswith(names, "archive ")
    weights = np.where(archives & (every == "far"), FAR, 1.0)
    weights[archives] *= weights[~archives].sum() / max(1.0, weights[archives].sum())
    return Rows(np.concatenate(made), every, names, weights)


def _parts(encoder: Embeddings) -> Iterator[tuple[Floats, NDArray[np.str_], str]]:
    for pool in pools(rounds=1):
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
        yield rows, np.array([line.kind for line in pool.lines]), pool.field
    for archive in read_archives():
        yield from _of_archive(archive, encoder)


def _of_archive(archive: Archive, encoder: Embeddings) -> Iterator[tuple[Floats, NDArray[np.str_], str]]:
    corpus = NotesCorpus(archive.folder)
    evidence = list(corpus.documents)
    passages = Passages.of(evidence, cache_for(encoder).prepare(evidence, embeddings=encoder))
    files = [corpus.names[piece.id] for piece in evidence]
    places = _places(passages)
    homes = np.repeat(np.arange(len(evidence)), np.diff(passages.bounds))
    inside = np.flatnonzero(np.arange(len(homes)) > passages.bounds[homes])
    for state in archive.states:
        kinds = _kinds(state, passages, files, places)
        for text in state.asks:
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
            yield rows, kinds[near], f"archive {archive.name}"


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


def learn(rows: Rows) -> StateModel:
    """The model of the least cross-entropy."""
    torch.manual_seed(0)
    mean, spread = rows.features.mean(0), rows.features.std(0) + 1e-3
    table = torch.tensor(np.clip((rows.features - mean) / spread, -LARGEST, LARGEST), dtype=torch.float32)
    right, weights = (torch.tensor(each, dtype=torch.float32) for each in (rows.states, rows.weights))
    model = torch.nn.Sequential(torch.nn.Linear(table.shape[1], HIDDEN), torch.nn.Tanh(), torch.nn.Linear(HIDDEN, 1))
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, total_iters=EPOCHS * (len(table) // BATCH + 1))
    for _ in range(EPOCHS):
        for some in torch.randperm(len(table)).split(BATCH):
            lost = torch.nn.functional.binary_cross_entropy_with_logits(
                model(table[some]).squeeze(1), right[some], weight=weights[some]
            )
            optimiser.zero_grad()
            lost.backward()
            optimiser.step()
            schedule.step()
    inner, _, outer = model
    parts = (inner.weight, inner.bias, outer.weight[0], outer.bias)
    hidden, bias, out, offset = (np.array(part.detach(), dtype=np.float64) for part in parts)
    return StateModel(mean, spread, hidden, bias, out, float(offset[0]))


def auroc(low: Floats, high: Floats) -> float:
    """Return the probability that one of `high` is above one of `low`."""
    return float((np.searchsorted(np.sort(low), high) / max(len(low), 1)).mean())


if __name__ == "__main__":
    main()
