"""Readers: answers from dated evidence."""

from typing import TYPE_CHECKING

from dateline.handwritten.reading.extractive import ExtractiveReader
from dateline.lazy import lazy_exports
from dateline.reading.local import LocalReaderName, local_reader
from dateline.reading.trained_reader import TrainedReader

if TYPE_CHECKING:
    from dateline.reading.chat import ChatReader
    from dateline.reading.chat_decomposer import ChatDecomposer
    from dateline.reading.judge import ChatJudge, RuleJudge

__getattr__ = lazy_exports(
    "dateline.reading",
    ChatDecomposer="dateline.reading.chat_decomposer",
    ChatJudge="dateline.reading.judge",
    ChatReader="dateline.reading.chat",
    RuleJudge="dateline.reading.judge",
)
__all__ = [
    "ChatDecomposer",
    "ChatJudge",
    "ChatReader",
    "ExtractiveReader",
    "LocalReaderName",
    "RuleJudge",
    "TrainedReader",
    "local_reader",
]
