"""Readers: answers from dated evidence."""

from asof.reading.extractive import ExtractiveReader

__all__ = ["ExtractiveReader"]
