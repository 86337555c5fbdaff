"""Labels for sentences of a new version (GrowOVER, algorithm 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from langchain_core.embeddings import Embeddings

from dateline.errors import BadInput, check_choice
from dateline.evolution.published import published_labels
from dateline.handwritten.labels.evident import evident_labels
from dateline.label_draft import LabellingSettings
from dateline.protocols import Judge
from dateline.reading.trained_judge import shared_judge
from dateline.records import Labelling
from dateline.text import default_embeddings

LabelMethod = Literal["default", "paper"]
"""`paper`: the published steps on similarity and the judge's verdicts alone; `default`: with exact evidence beside them."""


class SentenceLabeller:
    """Labeller of a new version's sentences; implements the `Labeller` protocol.

    Args:
        embeddings: any LangChain embeddings; by default all-MiniLM-L6-v2 where it is installed.
        judge: decides whether an old sentence supports or contradicts a new one; by default the local judge.
        checker: asked once more before a sentence counts as changed, such as `ChatJudge(model)`.
        method: `paper` are the published steps and nothing else.
        same: the cosine above which two sentences say the same.
        changed: the cosine that a contradicted sentence must exceed to count as changed.
        new: the cosine to every old sentence below which a sentence is new.

    Raises:
        BadInput: for an unknown method, or a threshold that is no cosine.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> labeller = SentenceLabeller(embeddings=LexicalEmbeddings())
        >>> labelling = labeller.label(["The mayor is Ada Berg.", "Lund is old."], new=["The mayor is Jon Holm.", "Lund is old."])
        >>> [sentence.label for sentence in labelling.sentences]
        ['changed', 'unchanged']
    """

    def __init__(
        self,
        *,
        embeddings: Embeddings | None = None,
        judge: Judge | None = None,
        checker: Judge | None = None,
        method: LabelMethod = "default",
        same: float = 0.99,
        changed: float = 0.6,
        new: float = 0.7,
    ) -> None:
        check_choice(method, name="method", choices=get_args(LabelMethod))
        for name, value in (("same", same), ("changed", changed), ("new", new)):
            if not -1.0 <= value <= 1.0:
                raise BadInput(f"{name} is a cosine between -1 and 1, not {value}.")
        self.method = method
        self.settings = LabellingSettings(
            embeddings=embeddings or default_embeddings(),
            judge=judge or shared_judge(),
            checker=checker,
            same=same,
            changed=changed,
            new=new,
        )

    def label(self, old: Sequence[str], *, new: Sequence[str]) -> Labelling:
        """Label each new sentence and list the old ones gone."""
        labels = published_labels if self.method == "paper" else evident_labels
        return labels(old, new=new, settings=self.settings)
