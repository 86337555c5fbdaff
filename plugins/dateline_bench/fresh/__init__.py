"""FreshQA: questions whose answers change, answered and judged (FreshLLMs, section 2)."""

from dateline_bench.fresh.agreement import Agreement, agreement
from dateline_bench.fresh.evaluation import COLUMNS, Answerer, Evaluation, FreshAnswer, Result, evaluate
from dateline_bench.fresh.pair import Judges, ajudge_all, judge_all
from dateline_bench.fresh.questions import FreshQuestion, load_questions

__all__ = [
    "COLUMNS",
    "Agreement",
    "Answerer",
    "Evaluation",
    "FreshAnswer",
    "FreshQuestion",
    "Judges",
    "Result",
    "agreement",
    "ajudge_all",
    "evaluate",
    "judge_all",
    "load_questions",
]
