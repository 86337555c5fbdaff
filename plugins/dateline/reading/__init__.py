"""Readers: answers from dated evidence."""

from typing import TYPE_CHECKING

from dateline.lazy import lazy_exports

if TYPE_CHECKING:
    from dateline.handwritten.reading.extractive import ExtractiveReader
    from dateline.reading.chat import ChatReader
    from dateline.reading.chat_decomposer import ChatDecomposer
    from dateline.reading.judge import ChatJudge, RuleJudge
    from dateline.reading.local import LocalReaderName, local_reader
    from dateline.reading.still import StillJudge
    from dateline.reading.trained_judge import TrainedJudge
    from dateline.reading.trained_reader import TrainedReader

__getattr__ = lazy_exports(
    "dateline.reading",
    ChatDecomposer="dateline.reading.chat_decomposer",
    ChatJudge="dateline.reading.judge",
    ChatReader="dateline.reading.chat",
    ExtractiveReader="dateline.handwritten.reading.extractive",
    LocalReaderName="dateline.reading.local",
    RuleJudge="dateline.reading.judge",
    StillJudge="dateline.reading.still",
    TrainedJudge="dateline.reading.trained_judge",
    TrainedReader="dateline.reading.trained_reader",
    local_reader="dateline.reading.local",
)
__all__ = [
    "ChatDecomposer",
    "ChatJudge",
    "ChatReader",
    "ExtractiveReader",
    "LocalReaderName",
    "RuleJudge",
    "StillJudge",
    "TrainedJudge",
    "TrainedReader",
    "local_reader",
]
