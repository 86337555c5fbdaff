"""Made-up worlds that change, and conversations about them (ERASE, section 4.2)."""

from asof.evaluation.conversations.questions import Asked, questions
from asof.evaluation.conversations.talk import Chunk, Setting, conversation, rewrite
from asof.evaluation.conversations.transitions import Transition, sample
from asof.evaluation.conversations.world import RELATIONS, World, make_world

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
