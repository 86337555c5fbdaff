"""FreshEval: is a free-form answer right, relaxed and strict (FreshLLMs, section 2.2 and appendix B)."""

from asof.evaluation.judging.agreement import Agreement, agreement
from asof.evaluation.judging.fresheval import FreshEvalJudge
from asof.evaluation.judging.judgement import AnswerJudge, Case, Judgement, Mode
from asof.evaluation.judging.pair import Judges, ajudge_all, judge_all
from asof.evaluation.judging.rules import RuleJudge

__all__ = [
    "Agreement",
    "AnswerJudge",
    "Case",
    "FreshEvalJudge",
    "Judgement",
    "Judges",
    "Mode",
    "RuleJudge",
    "agreement",
    "ajudge_all",
    "judge_all",
]
