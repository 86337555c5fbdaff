"""Templates for questions and dialogues, where no chat model is given."""

from __future__ import annotations

from collections.abc import Sequence

from dateline_bench.growing.grown import MadeBy
from dateline_bench.growing.making import (
    MadeInstance,
    MadeQuestion,
    MadeTurn,
    fault_of_question,
    fault_of_turns,
    folded,
)
from dateline_bench.growing.question_forms import FormedQuestion, questions_of, undated
from dateline_bench.growing.tasks import GrowTask

MOST_TURNS = 4
_OPENING = "What can you tell me about {title}?"
_FURTHER = ("What else is known about {title}?", "Is there more to know about {title}?", "And what besides?")


class TemplateMaker:
    """A `Maker` by forms of English statements; free and deterministic.

    A sentence of no known form gives no question. In a dialogue the expert says the sentence itself.
    """

    made_by: MadeBy = "template"

    def make(self, task: GrowTask) -> MadeInstance:
        """See `Maker`."""
        if task.kind == "dialogue":
            return _dialogue(task)
        return _changed(task) if task.kind == "changed" else _question(task)

    async def amake(self, task: GrowTask) -> MadeInstance:
        """Make asynchronously."""
        return self.make(task)


def _question(task: GrowTask) -> MadeInstance:
    for place, sentence in enumerate(task.sentences):
        for asked in questions_of(sentence, title=task.title):
            made = MadeQuestion(asked.question, asked.answer, place, place)
            if not fault_of_question(made, task=task):
                return MadeInstance(question=made)
    return MadeInstance(reason="no template fits its sentences.")


def _changed(task: GrowTask) -> MadeInstance:
    """Find a question both sentences answer differently, preferably an old one."""
    old = _by_question(task.old, task.title)
    asked = {_key(question): question for question in task.asked}
    found: list[MadeQuestion] = []
    for new in _by_question(task.sentences, task.title):
        for before in old:
            if _key(new.question) == _key(before.question) and folded(new.answer) != folded(before.answer):
                question = asked.get(_key(new.question)) or undated(new.question)
                made = MadeQuestion(question, new.answer, 0, len(task.sentences) - 1, before.answer)
                if not fault_of_question(made, task=task):
                    found.append(made)
    if not found:
        return MadeInstance(reason="no template asks what old and new answer differently.")
    return MadeInstance(question=next((made for made in found if _key(made.question) in asked), found[0]))


def _dialogue(task: GrowTask) -> MadeInstance:
    turns = []
    for place, sentence in enumerate(task.sentences[:MOST_TURNS]):
        asked = questions_of(sentence, title=task.title)
        user = asked[0].question if asked else (_FURTHER[place - 1] if place else _OPENING).format(title=task.title)
        turns.append(MadeTurn(place, user, sentence[:600]))
    fault = fault_of_turns(turns, task=task)
    return MadeInstance(reason=fault) if fault else MadeInstance(turns=tuple(turns))


def _by_question(sentences: Sequence[str], title: str) -> list[FormedQuestion]:
    return [asked for sentence in sentences for asked in questions_of(sentence, title=title)]


def _key(question: str) -> str:
    """The question without its time and tense."""
    same = {"was": "is", "were": "are", "did": "does", "became": "is", "become": "is", "named": "", "appointed": "", "elected": "",
            "chosen": "", "as": "", "has": "is", "been": "", "leads": "led", "heads": "headed", "serves": "is", "served": "is"}  # fmt: skip
    return " ".join(filter(None, (same.get(word, word) for word in folded(undated(question)).split())))
