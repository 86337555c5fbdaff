"""Answers reasoned step by step, for `multihop`."""

from dateline_bench.reasoned.answers import CLOSING, Overlap, exact, final_answer, overlap, yes_or_no
from dateline_bench.reasoned.measuring import Answered, Asked, answer_all, answered, summary

__all__ = [
    "CLOSING",
    "Answered",
    "Asked",
    "Overlap",
    "answer_all",
    "answered",
    "exact",
    "final_answer",
    "overlap",
    "summary",
    "yes_or_no",
]
