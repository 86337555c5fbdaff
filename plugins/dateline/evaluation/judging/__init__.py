"""FreshEval: is a free-form answer right, relaxed and strict (FreshLLMs, section 2.2 and appendix B)."""

from dateline.evaluation.judging.agreement import Agreement, agreement
from dateline.evaluation.judging.evaluation import COLUMNS, Answer, Answerer, Evaluation, Result, evaluate
from dateline.evaluation.judging.fresheval import FreshEvalJudge
from dateline.evaluation.judging.judgement import AnswerJudge, Case, Judgement, Mode
from dateline.evaluation.judging.pair import Judges, ajudge_all, judge_all
from dateline.evaluation.judging.questions import FreshQuestion, load_questions
from dateline.evaluation.judging.rules import RuleJudge

__all__ = [
    "COLUMNS",
    "Agreement",
    "Answer",
    "AnswerJudge",
    "Answerer",
    "Case",
    "Evaluation",
    "FreshEvalJudge",
    "FreshQuestion",
    "Judgement",
    "Judges",
    "Mode",
    "Result",
    "RuleJudge",
    "agreement",
    "ajudge_all",
    "evaluate",
    "judge_all",
    "load_questions",
]
