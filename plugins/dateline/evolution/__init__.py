"""Changes between document versions: sentence labels, and a gate for ingestion."""

from dateline.evolution.gate import Gated, IngestionGate
from dateline.evolution.labeller import LabelMethod, SentenceLabeller
from dateline.records import Labelled, Labelling, SentenceLabel

__all__ = ["Gated", "IngestionGate", "LabelMethod", "Labelled", "Labelling", "SentenceLabel", "SentenceLabeller"]
