"""FreshEval: is a free-form answer right, relaxed and strict (FreshLLMs, section 2.2 and appendix B)."""

from dateline.evaluation.fresheval import FreshEvalJudge
from dateline.evaluation.judgement import AnswerJudge, Case, Judgement, Mode
from dateline.evaluation.rules import RuleJudge

__all__ = ["AnswerJudge", "Case", "FreshEvalJudge", "Judgement", "Mode", "RuleJudge"]
