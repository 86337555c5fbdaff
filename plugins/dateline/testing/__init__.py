"""Stand-ins for tests: search, reader, judge, tiny model, OpenAI's server."""

from typing import TYPE_CHECKING

from dateline.lazy import lazy_exports
from dateline.testing.parts import FixedSearch, ReadingEstimator, ScriptedEffectJudge, ScriptedReader
from dateline.testing.tiny_model import Family, TinyModel, tiny_causal_model

if TYPE_CHECKING:
    from dateline.testing.openai_server import OpenAIServer

__getattr__ = lazy_exports("dateline.testing", OpenAIServer="dateline.testing.openai_server")
__all__ = [
    "Family",
    "FixedSearch",
    "OpenAIServer",
    "ReadingEstimator",
    "ScriptedEffectJudge",
    "ScriptedReader",
    "TinyModel",
    "tiny_causal_model",
]
