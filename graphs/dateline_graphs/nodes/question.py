"""The nodes before the search: rewrite a follow-up, decompose the question."""

from __future__ import annotations

import re

from langgraph.types import Overwrite

from dateline import Step
from dateline.certainty.answering import decompose_step
from dateline.flow import Flow, call
from dateline.protocols import Decomposed
from dateline.reading.history import history_query, read_history
from dateline_graphs.components import Components
from dateline_graphs.kit import Update, dump
from dateline_graphs.state import STATE_VERSION, AnswerState, asked, chat_before

REFERENCE = re.compile(r"#(\d)")
"""In a sub-question: the answer of the sub-question of that number, from 1."""

# -- rewrite --------------------------------------------------------------------------------------


def first_node(state: AnswerState) -> str:
    """Return the first node: `rewrite` where a chat came before."""
    return "rewrite" if chat_before(state) else "decompose"


def rewrite(state: AnswerState, components: Components) -> Flow[Update]:
    """Make the question stand alone after a chat (GrowOVER, section 5.1)."""
    said, as_of = asked(state, clock=components.clock)
    history = read_history(chat_before(state))
    result = yield from call(components.rewriter.rewrite, said, history=history, as_of=as_of)
    query = history_query(history, question=said) if result.leans else ""
    told = {"question": result.text, "by": result.by, "reason": result.reason, "query": query}
    step = Step(
        name="rewrite",
        summary=f"'{said}' asks '{result.text}'" if result.text != said else f"'{said}' stays as it is",
        details=told,
        cost=result.cost,
    )
    return {
        "schema_version": STATE_VERSION,
        "rewritten": {"said": said, **told},
        "steps": Overwrite([dump(step)]),
    }


# -- decompose ------------------------------------------------------------------------------------


def decompose(state: AnswerState, components: Components) -> Flow[Update]:
    """Decompose the question and clear an earlier one's state."""
    said, as_of = asked(state, clock=components.clock)
    text = state["rewritten"]["question"] if first_node(state) == "rewrite" else said
    return _decomposed(state, (yield from call(components.decomposer.decompose, text, as_of=as_of)))


def _decomposed(state: AnswerState, result: Decomposed) -> Update:
    question = result.question
    hops = [{"part": part, "query": "" if REFERENCE.search(part) else part} for part in question.sub_questions]
    details = {**question.to_json(), "by": result.by, "reason": result.reason}
    step = decompose_step(question, details=details, cost=result.cost)
    follows = first_node(state) == "rewrite"
    queries = [*(hop["query"] for hop in hops if hop["query"]), question.content]
    if follows and state["rewritten"]["query"]:
        queries.append(state["rewritten"]["query"])
    return {
        "schema_version": STATE_VERSION,
        "rewritten": state["rewritten"] if follows else {},
        "parsed": question.to_json(),
        "queries": [*dict.fromkeys(queries)],
        "hops": [{**hop, "answer": "", "tried": False} for hop in hops],
        "found": Overwrite([]),
        "attempts": Overwrite([]),
        "facts": {},
        "steps": [dump(step)] if follows else Overwrite([dump(step)]),
    }
