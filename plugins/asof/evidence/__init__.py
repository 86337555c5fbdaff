"""Dated evidence: parsed from search pages, put in order, cut to a budget, written into prompts."""

from asof.evidence.dates import read_date
from asof.evidence.knowledge import known_at

__all__ = ["known_at", "read_date"]
