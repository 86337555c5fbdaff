"""What changes between versions of a document: sentence labels, and the gate that lets only changes through."""

from dateline.evolution.gate import Gated, IngestionGate
from dateline.evolution.labeller import LabelMethod, SentenceLabeller
from dateline.evolution.labels import Labelled, Labelling, SentenceLabel

__all__ = ["Gated", "IngestionGate", "LabelMethod", "Labelled", "Labelling", "SentenceLabel", "SentenceLabeller"]
