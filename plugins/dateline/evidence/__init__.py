"""Dated evidence: parsed, ordered, cut to a budget, written into prompts."""

from dateline.evidence.conflicts import Conflict, ConflictingClaim, find_conflicts
from dateline.evidence.dates import read_date
from dateline.evidence.freshprompt import FreshPrompt, Prompt
from dateline.evidence.knowledge import was_known
from dateline.evidence.order import in_order
from dateline.evidence.premise import Premise, check_premises, premises
from dateline.evidence.prepare import SIZES, Prepared, Sizes, prepare
from dateline.evidence.serp import SerpPage, parse_page

__all__ = [
    "SIZES",
    "Conflict",
    "ConflictingClaim",
    "FreshPrompt",
    "Premise",
    "Prepared",
    "Prompt",
    "SerpPage",
    "Sizes",
    "check_premises",
    "find_conflicts",
    "in_order",
    "parse_page",
    "premises",
    "prepare",
    "read_date",
    "was_known",
]
