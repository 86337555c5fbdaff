"""Readers: answers from dated evidence."""

from asof.reading.extractive import ExtractiveReader
from asof.reading.local import LocalReader, local_reader
from asof.reading.trained_reader import TrainedReader

__all__ = ["ExtractiveReader", "LocalReader", "TrainedReader", "local_reader"]
