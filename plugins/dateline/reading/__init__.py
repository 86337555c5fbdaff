"""Readers: answers from dated evidence."""

from typing import TYPE_CHECKING

from dateline.handwritten.reading.extractive import ExtractiveReader
from dateline.lazy import lazy_exports
from dateline.reading.local import LocalReader, local_reader
from dateline.reading.trained_reader import TrainedReader

if TYPE_CHECKING:
    from dateline.reading.chat_decomposer import ChatDecomposer

__getattr__ = lazy_exports("dateline.reading", ChatDecomposer="dateline.reading.chat_decomposer")
__all__ = ["ChatDecomposer", "ExtractiveReader", "LocalReader", "TrainedReader", "local_reader"]
