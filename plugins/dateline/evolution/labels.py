"""The values of sentence labelling, where this room's readers look for them; they are records like all others."""

from dateline.records import Labelled, Labelling, SentenceLabel

__all__ = ["Labelled", "Labelling", "SentenceLabel"]
