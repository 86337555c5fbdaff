"""FreshEval: is a free-form answer right, relaxed and strict (FreshLLMs, section 2.2 and appendix B)."""

from dateline.evaluation.fresheval import FreshEvalJudge
from dateline.evaluation.judgement import AnswerCase, AnswerJudge, Judgement, JudgeMode
from dateline.evaluation.rule_judge import RuleAnswerJudge

__all__ = ["AnswerCase", "AnswerJudge", "FreshEvalJudge", "JudgeMode", "Judgement", "RuleAnswerJudge"]
