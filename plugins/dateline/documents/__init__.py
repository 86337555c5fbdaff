"""Readers of documents of every framework, as dated evidence."""

from dateline.documents.reading import evidence_of, evidence_of_all
from dateline.documents.rules import DateRules, Dates

__all__ = ["DateRules", "Dates", "evidence_of", "evidence_of_all"]
