"""Readers: answers from dated evidence."""

from asof.reading.extractive import ExtractiveReader
from asof.reading.trained_reader import TrainedReader

__all__ = ["ExtractiveReader", "TrainedReader"]
