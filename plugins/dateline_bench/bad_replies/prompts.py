"""Every prompt of the project, with its bounds and its safe choice."""

from __future__ import annotations

import json
from dataclasses import dataclass

from dateline.certainty.logprobs import LogprobEstimator
from dateline.certainty.prompt import BUDGET as CERTAINTY_BUDGET
from dateline.certainty.self_report import SelfReportEstimator
from dateline.evaluation.fresheval import BUDGET as JUDGE_BUDGET
from dateline.evidence import FreshPrompt
from dateline.facts.updating.chat import PIECE_TOKENS, PROMPT_TOKENS, RELATED_TOKENS
from dateline.reading import ChatReader
from dateline.reading.rewriting import BUDGET as CHAT_BUDGET
from dateline.reading.strategies import ChainOfThought, Direct, RagConcat
from dateline.reading.strategies.one_prompt import BUDGET
from dateline_bench.bad_replies.cases import (
    Case,
    ask_oneself_case,
    certain_case,
    check_case,
    credit_case,
    decompose_case,
    grow_case,
    judge_case,
    read_case,
    rewrite_case,
    summary_case,
    update_case,
)
from dateline_bench.fresh.self_ask import FOLLOW_UPS


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCase:
    """One prompt of the project.

    Attributes:
        name: in words, unique.
        purpose: what it asks for.
        most: tokens of the whole prompt at most, by the defaults; `None`: as much as what it is about takes.
        safe: what is taken where no reply can be read.
        good: a reply that is believed.
        run: puts it to a model.
        before: replies to other prompts that come first.
        extras: whether it asks for a schema or log-probabilities, so that a first call more may be refused.
        tells: whether it says in words that it took the safe choice, beside its value.
        retries: whether an unreadable reply is asked for again.

    Example:
        >>> [case.safe for case in PROMPTS if case.name == "sentence pair"]
        ['"neither"']
    """

    name: str
    purpose: str
    most: int | None
    safe: str
    good: str
    run: Case
    before: tuple[str, ...] = ()
    extras: bool = False
    tells: bool = True
    retries: bool = True


_READ = "reasoning: It was Tom Reyes.\nanswer: Tom Reyes\nevidence: E2"
_FACTS = json.dumps({"facts": ["Tom Reyes is the leader of the choir."]})
_ENDS = {"fact": "F1", "verdict": "make false", "because": ["S1"], "new": [], "into": ""}
_VERDICTS = json.dumps({"verdicts": [_ENDS]})
_REPLACED = json.dumps({"verdicts": [{**_ENDS, "into": "Tom Reyes is the leader of the choir."}]})
_UPDATE = PROMPT_TOKENS + 2 * PIECE_TOKENS + RELATED_TOKENS
_ONE_QUESTION = json.dumps(
    {"question": "Who has led the choir since 2019?", "answer": "Tom Reyes", "first": 1, "last": 1}
)
_CHANGE = json.dumps({"question": "Who leads the choir?", "old_answer": "Ana Bell", "new_answer": "Tom Reyes"})
_TURN = {"sentence": 1, "user": "Who leads the choir?", "expert": "Tom Reyes does."}
_DIALOGUE = json.dumps({"turns": [_TURN] * 3})
_PARTS = json.dumps({"content": "Who led the choir", "relation": "after", "start": "2018"})

PROMPTS: tuple[PromptCase, ...] = (
    PromptCase(
        name="FreshPrompt",
        purpose="answer from evidence",
        most=FreshPrompt().budget,
        safe="no answer",
        good=_READ,
        run=read_case(lambda model, tries: ChatReader(model, tries=tries)),
        extras=True,
    ),
    PromptCase(
        name="direct",
        purpose="answer from memory",
        most=1_500,
        safe="no answer",
        good="answer: Tom Reyes",
        run=read_case(lambda model, tries: Direct(model, tries=tries)),
        extras=True,
    ),
    PromptCase(
        name="chain of thought",
        purpose="reason about times, then answer from memory",
        most=1_500,
        safe="no answer",
        good=_READ,
        run=read_case(lambda model, tries: ChainOfThought(model, tries=tries)),
        extras=True,
    ),
    PromptCase(
        name="RAG-Concat",
        purpose="answer from passages",
        most=BUDGET,
        safe="no answer",
        good=_READ,
        run=read_case(lambda model, tries: RagConcat(model, tries=tries)),
        extras=True,
    ),
    PromptCase(
        name="Self-MRAG: check",
        purpose="whether a passage names an answer",
        most=1_500,
        safe="the passage is read",
        good="reasoning: It names Tom Reyes.\nanswer: yes",
        run=check_case,
    ),
    PromptCase(
        name="Self-MRAG: read",
        purpose="what a passage says in answer",
        most=1_500,
        safe="the passage is left out",
        good="answer: Tom Reyes has led the choir since 2019.",
        run=summary_case,
    ),
    PromptCase(
        name="Self-MRAG: combine",
        purpose="answer from what the passages said",
        most=BUDGET,
        safe="no answer",
        good=_READ,
        run=read_case(lambda model, tries: RagConcat(model, reasoning=True, arranged="time", tries=tries)),
        extras=True,
    ),
    PromptCase(
        name="label by letter",
        purpose="certainty, from log-probabilities",
        most=CERTAINTY_BUDGET,
        safe="uncertain",
        good="A",
        run=certain_case(lambda model, tries: LogprobEstimator(model, tries=tries)),
        extras=True,
        tells=False,
    ),
    PromptCase(
        name="self-report",
        purpose="certainty, as the model puts it in numbers",
        most=CERTAINTY_BUDGET,
        safe="uncertain",
        good='{"A": 0.8, "B": 0.1, "C": 0.1}',
        run=certain_case(lambda model, tries: SelfReportEstimator(model, tries=tries)),
        tells=False,
    ),
    PromptCase(
        name="follow-up",
        purpose="a question of a chat, made to stand alone",
        most=CHAT_BUDGET,
        safe="the rules' question",
        good='{"question": "Who led the choir in 2020?"}',
        run=rewrite_case,
    ),
    PromptCase(
        name="decomposition",
        purpose="the time and the parts of a question",
        most=1_500,
        safe="the rules' constraint",
        good=_PARTS,
        run=decompose_case,
    ),
    PromptCase(
        name="sentence pair",
        purpose="whether a sentence supports or contradicts another",
        most=1_000,
        safe='"neither"',
        good="CONTRADICTS",
        run=judge_case,
        tells=False,
    ),
    PromptCase(
        name="FreshEval",
        purpose="whether an answer earns credit",
        most=JUDGE_BUDGET,
        safe="undecided, counted apart",
        good="comment: It is outdated.\nverdict: no credit",
        run=credit_case,
    ),
    PromptCase(
        name="facts: state",
        purpose="the facts of a document",
        most=_UPDATE,
        safe="no fact is added",
        good=_FACTS,
        run=update_case(frozenset({"added"}), known=False),
        extras=True,
    ),
    PromptCase(
        name="facts: judge",
        purpose="what a document does to known facts",
        most=_UPDATE,
        safe="no change",
        good=_VERDICTS,
        run=update_case(frozenset({"made_false", "rewritten", "reinforced"})),
        before=(_FACTS,),
        extras=True,
    ),
    PromptCase(
        name="facts: replace",
        purpose="what takes the place of a fact that ended",
        most=_UPDATE + RELATED_TOKENS // 2,
        safe="the fact ends, nothing replaces it",
        good=_REPLACED,
        run=update_case(frozenset({"rewritten"})),
        before=(_FACTS, _VERDICTS),
        extras=True,
    ),
    PromptCase(
        name="grow: question",
        purpose="a test question on an article",
        most=None,
        safe="none is made",
        good=_ONE_QUESTION,
        run=grow_case("new"),
    ),
    PromptCase(
        name="grow: changed question",
        purpose="a test question with an old and a new answer",
        most=None,
        safe="none is made",
        good=_CHANGE,
        run=grow_case("changed"),
    ),
    PromptCase(
        name="grow: dialogue",
        purpose="a conversation about an article",
        most=None,
        safe="none is made",
        good=_DIALOGUE,
        run=grow_case("dialogue"),
    ),
    PromptCase(
        name="Self-Ask",
        purpose=f"up to {FOLLOW_UPS} simpler questions, then the answer",
        most=5_000,
        safe="no answer",
        good="final answer: Tom Reyes",
        run=ask_oneself_case,
        tells=False,
        retries=False,
    ),
)
