"""FreshEval: is a free-form answer right, relaxed and strict (FreshLLMs, section 2.2 and appendix B)."""

from asof.evaluation.judging.agreement import Agreement, agreement
from asof.evaluation.judging.evaluation import COLUMNS, Answer, Answerer, Evaluation, Result, evaluate
from asof.evaluation.judging.fresheval import FreshEvalJudge
from asof.evaluation.judging.judgement import AnswerJudge, Case, Judgement, Mode
from asof.evaluation.judging.pair import Judges, ajudge_all, judge_all
from asof.evaluation.judging.questions import FreshQuestion, load_questions
from asof.evaluation.judging.rules import RuleJudge

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
