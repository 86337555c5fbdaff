"""Dated evidence: parsed from search pages, put in order, cut to a budget, written into prompts."""

from asof.evidence.conflicts import Claim, Conflict, find_conflicts
from asof.evidence.dates import read_date
from asof.evidence.freshprompt import FreshPrompt, Prompt
from asof.evidence.knowledge import known_at
from asof.evidence.order import in_order
from asof.evidence.premise import Premise, check_premises, premises
from asof.evidence.prepare import SIZES, Prepared, Sizes, prepare
from asof.evidence.serp import SerpPage, parse_page

__all__ = [
    "SIZES",
    "Claim",
    "Conflict",
    "FreshPrompt",
    "Premise",
    "Prepared",
    "Prompt",
    "SerpPage",
    "Sizes",
    "check_premises",
    "find_conflicts",
    "in_order",
    "known_at",
    "parse_page",
    "premises",
    "prepare",
    "read_date",
]
