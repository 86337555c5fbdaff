"""Made-up worlds that change, and conversations about them (ERASE, section 4.2)."""

from dateline_bench.conversations.questions import WorldQuestion, questions
from dateline_bench.conversations.talk import ConversationChunk, Setting, conversation, rewrite
from dateline_bench.conversations.transitions import WorldTransition, sample
from dateline_bench.conversations.world import RELATIONS, RULES, World, make_world

__all__ = [
    "RELATIONS",
    "RULES",
    "ConversationChunk",
    "Setting",
    "World",
    "WorldQuestion",
    "WorldTransition",
    "conversation",
    "make_world",
    "questions",
    "rewrite",
    "sample",
]
