"""Readers of documents of every framework, as dated evidence."""

from dateline.documents.reading import evidence_of, evidence_of_all
from dateline.documents.rules import DateField, DateFieldOption, DateRules

__all__ = ["DateField", "DateFieldOption", "DateRules", "evidence_of", "evidence_of_all"]
