"""FreshQA: questions whose answers change, answered and judged (FreshLLMs, section 2)."""

from dateline_bench.fresh.agreement import JudgeAgreement, agreement
from dateline_bench.fresh.evaluation import COLUMNS, FreshAnswer, FreshAnswerer, FreshEvaluation, FreshResult, evaluate
from dateline_bench.fresh.pair import FreshJudges, ajudge_all, judge_all
from dateline_bench.fresh.questions import FreshQuestion, load_questions

__all__ = [
    "COLUMNS",
    "FreshAnswer",
    "FreshAnswerer",
    "FreshEvaluation",
    "FreshJudges",
    "FreshQuestion",
    "FreshResult",
    "JudgeAgreement",
    "agreement",
    "ajudge_all",
    "evaluate",
    "judge_all",
    "load_questions",
]
