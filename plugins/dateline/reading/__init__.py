"""Readers: answers from dated evidence."""

from dateline.handwritten.reading.extractive import ExtractiveReader
from dateline.reading.local import LocalReader, local_reader
from dateline.reading.trained_reader import TrainedReader

__all__ = ["ExtractiveReader", "LocalReader", "TrainedReader", "local_reader"]
