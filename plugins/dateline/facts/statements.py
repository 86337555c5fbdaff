"""Statements that are compared with many others, taken apart once."""

from __future__ import annotations

from functools import lru_cache

from dateline.handwritten.facts.statement import Statement

statement = lru_cache(maxsize=4096)(Statement.read)
