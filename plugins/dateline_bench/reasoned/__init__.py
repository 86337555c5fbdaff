"""Answers reasoned step by step, for `multihop`."""

from dateline_bench.reasoned.answers import CLOSING, AnswerOverlap, final_answer, overlap, yes_or_no
from dateline_bench.reasoned.measuring import ReasonedAnswer, ReasonedQuestion, answer_all, answered, averages, summary

__all__ = [
    "CLOSING",
    "AnswerOverlap",
    "ReasonedAnswer",
    "ReasonedQuestion",
    "answer_all",
    "answered",
    "averages",
    "final_answer",
    "overlap",
    "summary",
    "yes_or_no",
]
