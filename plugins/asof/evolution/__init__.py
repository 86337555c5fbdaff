"""What changes between versions of a document: sentence labels, and the gate that lets only changes through."""

from asof.evolution.gate import Gated, IngestionGate
from asof.evolution.labeller import LabelMethod, SentenceLabeller
from asof.evolution.labels import Labelled, Labelling, SentenceLabel

__all__ = ["Gated", "IngestionGate", "LabelMethod", "Labelled", "Labelling", "SentenceLabel", "SentenceLabeller"]
