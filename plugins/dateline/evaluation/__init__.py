"""FreshEval, relaxed and strict, for free-form answers (FreshLLMs, 2.2, appendix B)."""

from dateline.evaluation.fresheval import FreshEvalJudge
from dateline.evaluation.judgement import AnswerCase, AnswerJudge, Judgement, JudgeMode
from dateline.evaluation.rule_judge import RuleAnswerJudge

__all__ = ["AnswerCase", "AnswerJudge", "FreshEvalJudge", "JudgeMode", "Judgement", "RuleAnswerJudge"]
