"""A one-sentence summary of how a generation ended."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.dynamic.options import GenerationOptions
from dateline.dynamic.values import Ended, Retrieval


def statement(ended: Ended, *, retrievals: Sequence[Retrieval], options: GenerationOptions, why: str = "") -> str:
    """Summarise the ending, the retrievals and any problems in one sentence.

    Args:
        ended: the ending.
        retrievals: what was looked up.
        options: with the limits that are told.
        why: how it ended, where the name of the ending does not tell.
    """
    endings: dict[Ended, str] = {
        "finished": "The model ended its answer",
        "length": f"The answer was cut at {options.max_new_tokens} tokens",
        "interrupted": "The generation was interrupted, and the text is what there was by then",
        "budget": f"The generation stopped where it would have needed more than {options.max_retrievals} retrievals",
        "context full": f"The model's context of {options.context_tokens} tokens is full",
        "failed": "The generation broke off",
    }
    times = len(retrievals)
    asked = "nothing was looked up" if not times else f"documents were looked up {_times(times)}"
    troubles = [
        f"{count} of {times} {what}"
        for what, count in (
            ("retrievals failed", sum(each.failed for each in retrievals)),
            ("found nothing", sum(each.note.startswith("Nothing") for each in retrievals)),
            ("found documents without room for them", sum("found room" in each.note for each in retrievals)),
            ("had to leave documents out for lack of room", sum("found no room" in each.note for each in retrievals)),
        )
        if count
    ]
    spent = options.max_retrievals is not None and 0 < options.max_retrievals <= times and ended != "budget"
    if spent:
        troubles.append("with no more allowed from then on")
    return f"{why or endings[ended]}; {asked}{''.join(f', {each}' for each in troubles)}."


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
