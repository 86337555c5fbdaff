"""Topical relevance of documents, passages and sentences to a question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.language.answer_type import AnswerKind, answer_type
from dateline.ranking.groups import Places
from dateline.ranking.passages import Passages
from dateline.ranking.possible_answers import known_words
from dateline.ranking.state_features import AskedWords
from dateline.ranking.states import stating
from dateline.ranking.timeline import Floats
from dateline.softmax import logistic
from dateline.temporal.constraint import Question
from dateline.text.embeddings import embed

WEIGHTS = {
    "document": 7.79,  # how far the passage's document stands behind the leading one, at most 0
    "sentence": 3.13,  # the cosine of the sentence with the relation
    "passage": 4.32,  # the cosine of its passage with the question as asked
    "heading": 1.83,  # the cosine of the heading above it with the relation, 0 without one
    "neighbours": 1.78,  # the mean cosine of the passages around its own with the relation
    "depth": -0.6,  # the logarithm of 1 + the passages before its own in the document
    "offers": 1.49,  # whether the sentence has an answer of the kind wanted
    "dateless": -2.93,  # it stands above the first date of a document that has dates, so it cannot be dated
}
"""One for each column of `Topic.features`: log-odds. Found by `benchmarks/ranking_weights.py`."""

BIAS = 8.0
"""Log-odds of what shares nothing with the question, negated: scores stay where they tell passages apart."""


@dataclass(frozen=True)
class Topic:
    """A question's embeddings and its relevance to each document.

    Attributes:
        passages: the passages to rank.
        asked: what is asked, without its time.
        whole: its vector, shape (dimensions,).
        relation: the vector of what is asked of the leading document, shape (dimensions,).
        content: the cosine of each passage with the question's main content, shape (passages,).
        question: the cosine of each passage with the question as asked, shape (passages,).
        documents: `Documents.scores`, shape (documents,).
        kind: kind of answer that the question asks for.
        known: stems that are not part of the answer.
    """

    passages: Passages
    asked: str
    whole: NDArray[np.float32]
    relation: NDArray[np.float32]
    content: NDArray[np.float32]
    question: NDArray[np.float32]
    documents: Floats
    kind: AnswerKind
    known: frozenset[str]

    @classmethod
    def of(cls, question: Question, *, passages: Passages, embeddings: Embeddings) -> Topic:
        """Embed a question whole, without its time, and without its title."""
        content = question.timeless
        vectors = embed([content, question.text], embeddings=embeddings)
        near, asked = passages.passage_vectors @ vectors[0], passages.passage_vectors @ vectors[1]
        documents = passages.documents.scores(content, similarity=near)
        leading = int(np.argmax(documents))
        relation = passages.documents.relation(content, document=leading)
        vector = vectors[0] if relation == content else embed([relation], embeddings=embeddings)[0]
        return cls(
            passages=passages,
            asked=content,
            whole=vectors[0],
            relation=vector,
            content=near,
            question=asked,
            documents=documents,
            kind=answer_type(content).kind,
            known=known_words(question.text, title=passages.documents.titles[leading]),
        )

    def score(self, *, candidates: Places, sentences: Places, sizes: Places) -> Floats:
        """Return the semantic scores, `sizes` sentences of each candidate, 0 to 1."""
        features = self.features(candidates=candidates, sentences=sentences, sizes=sizes)
        return logistic(features @ np.array(list(WEIGHTS.values())) - BIAS)

    def stating(self, sentences: Places) -> Floats:
        """Return the log-odds that each of `sentences` states what is asked."""
        passages = self.passages
        asked = AskedWords.of(self.asked)
        homes = np.searchsorted(passages.bounds, sentences, side="right") - 1
        above = passages.documents.title_words.holding(asked.roots)[passages.documents.numbers[homes]]
        inside = np.flatnonzero(sentences > passages.bounds[homes])
        above[inside] |= passages.words.take(sentences[inside] - 1).holding(asked.roots)
        return stating(
            asked,
            words=passages.words.take(sentences),
            above=above,
            cosines=(passages.vectors[sentences] @ self.whole).astype(np.float64),
            offers=passages.answers.has(self.kind, known=self.known, sentences=sentences),
        )

    def features(self, *, candidates: Places, sentences: Places, sizes: Places) -> Floats:
        """Compute the features of `sentences`, shape (sentences, len(WEIGHTS))."""
        passages = self.passages
        numbers = passages.documents.numbers[candidates]
        headings = passages.headings[sentences]
        of_passage = np.column_stack(
            [
                self.documents[numbers] - self.documents.max(),
                self.question[candidates],
                self._neighbours(candidates),
                np.log1p(passages.documents.depth[candidates]),
            ]
        )
        behind, whole, around, depth = np.repeat(of_passage, sizes, axis=0).T
        return np.column_stack(
            [
                behind,
                passages.vectors[sentences] @ self.relation,
                whole,
                np.where(headings >= 0, passages.vectors[headings] @ self.relation, 0),
                around,
                depth,
                passages.answers.has(self.kind, known=self.known, sentences=sentences),
                passages.dateless[sentences],
            ]
        ).astype(np.float64)

    def _neighbours(self, candidates: Places) -> Floats:
        """Return the document's adjacent passages' mean cosine with the relation."""
        total = np.zeros(len(candidates))
        for step in (-1, 1):
            places = np.clip(candidates + step, 0, len(self.passages) - 1)
            documents = self.passages.documents
            same = documents.numbers[places] == documents.numbers[candidates]
            same &= documents.depth[places] == documents.depth[candidates] + step
            total += np.where(same, self.passages.passage_vectors[places] @ self.relation, 0)
        return total / 2
