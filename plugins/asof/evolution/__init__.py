"""What changes between versions of a document: sentence labels."""

from asof.evolution.labeller import Method, SentenceLabeller
from asof.evolution.labels import Labelled, Labelling, SentenceLabel

__all__ = ["Labelled", "Labelling", "Method", "SentenceLabel", "SentenceLabeller"]
