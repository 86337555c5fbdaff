"""Made-up worlds that change, and conversations about them (ERASE, section 4.2)."""

from dateline_bench.conversations.questions import Asked, questions
from dateline_bench.conversations.talk import Chunk, Setting, conversation, rewrite
from dateline_bench.conversations.transitions import Transition, sample
from dateline_bench.conversations.world import RELATIONS, World, make_world

__all__ = [
    "RELATIONS",
    "Asked",
    "Chunk",
    "Setting",
    "Transition",
    "World",
    "conversation",
    "make_world",
    "questions",
    "rewrite",
    "sample",
]
