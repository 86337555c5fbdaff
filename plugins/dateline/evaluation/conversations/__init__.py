"""Made-up worlds that change, and conversations about them (ERASE, section 4.2)."""

from dateline.evaluation.conversations.questions import Asked, questions
from dateline.evaluation.conversations.talk import Chunk, Setting, conversation, rewrite
from dateline.evaluation.conversations.transitions import Transition, sample
from dateline.evaluation.conversations.world import RELATIONS, World, make_world

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
