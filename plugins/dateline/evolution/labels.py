"""Values of sentence labelling, exported from the records."""

from dateline.records import Labelled, Labelling, SentenceLabel

__all__ = ["Labelled", "Labelling", "SentenceLabel"]
