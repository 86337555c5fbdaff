"""The strategies by their names."""

from __future__ import annotations

from typing import Literal, get_args

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES
from dateline.errors import BadInput, check_choice, check_least
from dateline.evidence import FreshPrompt
from dateline.protocols import Reader
from dateline.reading.chat import ChatReader
from dateline.reading.strategies.chat_stages import ChatStages
from dateline.reading.strategies.local_stages import LocalStages
from dateline.reading.strategies.one_prompt import BUDGET, MAX_PASSAGES, ChainOfThought, Direct, RagConcat
from dateline.reading.strategies.self_mrag import PASSAGES, SelfMrag

Strategy = Literal["fresh_prompt", "direct", "chain_of_thought", "rag_concat", "self_mrag"]
"""How an answer is found: from evidence in order of time behind worked examples (FreshLLMs); from what a model knows,
at once or after reasoning; from all passages in one prompt; from each passage alone, then from what they said (MRAG)."""

_ALONE: tuple[Strategy, ...] = ("direct", "chain_of_thought")


def reader_for(
    strategy: Strategy,
    *,
    model: BaseChatModel | None = None,
    reader: Reader | None = None,
    passages: int | None = None,
    tries: int = TRIES,
    budget: int = BUDGET,
    from_memory: bool = False,
) -> Reader:
    """Return the reader of a strategy, with a chat model or local.

    A local reader sees all passages at once under "fresh_prompt" and "rag_concat". Given beside a model, it only looks
    for conflicts for "fresh_prompt".

    Args:
        passages: the most that "rag_concat" and "self_mrag" read; by default 20 and 5 (MRAG, table 3).
        tries: how often one request is put to the model at most.
        budget: the most tokens of one prompt.
        from_memory: whether "rag_concat" and "self_mrag" may answer from what the model knows where the passages do not,
            as in the paper.

    Raises:
        BadInput: for an unknown strategy, neither model nor reader, or a strategy or memory that needs a model and has none.
    """
    check_choice(strategy, name="strategy", choices=get_args(Strategy))
    check_least(1, passages=passages)
    if model is not None:
        return _asking(
            strategy, model, scout=reader, passages=passages, tries=tries, budget=budget, from_memory=from_memory
        )
    if strategy in _ALONE or from_memory:
        what = f"The strategy {strategy}" if strategy in _ALONE else "from_memory=True"
        raise BadInput(f"{what} asks a chat model for what it knows; give a model.")
    if reader is None:
        raise BadInput(f"The strategy {strategy} needs a chat model or a reader; give model= or reader=.")
    return SelfMrag(LocalStages(reader), passages=passages or PASSAGES) if strategy == "self_mrag" else reader


def _asking(
    strategy: Strategy,
    model: BaseChatModel,
    *,
    scout: Reader | None,
    passages: int | None,
    tries: int,
    budget: int,
    from_memory: bool,
) -> Reader:
    match strategy:
        case "direct":
            return Direct(model, tries=tries)
        case "chain_of_thought":
            return ChainOfThought(model, tries=tries, budget=budget)
        case "rag_concat":
            return RagConcat(
                model, passages=passages or MAX_PASSAGES, from_memory=from_memory, tries=tries, budget=budget
            )
        case "self_mrag":
            stages = ChatStages(model, tries=tries, from_memory=from_memory, budget=budget)
            return SelfMrag(stages, passages=passages or PASSAGES)
        case "fresh_prompt":
            return ChatReader(model, prompt=FreshPrompt(budget=budget), tries=tries, scout=scout)
