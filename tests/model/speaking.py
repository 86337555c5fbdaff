"""Every path that speaks to a chat model, in one place: what it asks, and what must hold whatever comes back."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, get_args

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel

from dateline import BadInput, Certainty, Evidence, Interval, ModelFailed, Question, Reading
from dateline.certainty.logprobs import LogprobEstimator
from dateline.certainty.self_report import SelfReportEstimator
from dateline.dynamic import Bm25Search, ChatGenerator, LookAhead
from dateline.dynamic.triggers import Entropy, Once
from dateline.evaluation.fresheval import FreshEvalJudge
from dateline.evaluation.judgement import AnswerCase
from dateline.evidence import FreshPrompt
from dateline.facts import ChatUpdater, ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.protocols import ReadResult, Verdict
from dateline.reading import ChatDecomposer, ChatJudge, ChatReader
from dateline.reading.history import Turn
from dateline.reading.rewriting import ChatRewriter
from dateline.reading.strategies import Strategy, reader_for
from dateline.temporal import decompose
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench.conversations.talk import conversation
from dateline_bench.fresh import FreshQuestion
from dateline_bench.fresh.self_ask import FOLLOW_UPS, ask_oneself
from dateline_bench.fresh.ways import FreshFindings, answer_alone
from dateline_bench.growing.chat_maker import ChatMaker
from dateline_bench.growing.tasks import GrowTask
from langchain_dateline import RetrievingChatModel, StandaloneQuestion

NOW = datetime(2024, 6, 1, tzinfo=UTC)
TEXTS = {
    "2015-03-02": "Anna Berg was named director of the Northern Observatory.",
    "2021-09-14": "Carl Dahl was named director of the Northern Observatory, succeeding Anna Berg.",
}
NOTES = [Evidence.make(text, title=text[:9], published=Interval.parse(day)) for day, text in TEXTS.items()]
QUESTION = decompose("Who is the director of the Northern Observatory?", as_of=NOW)
READING = Reading(answer="Carl Dahl", evidence_ids=(NOTES[1].id,))
HISTORY = [Turn("user", "Who led the Northern Observatory in 2021?"), Turn("assistant", "Carl Dahl.")]


@dataclass
class Calls(BaseCallbackHandler):
    """Counts the requests that reach a model."""

    count: int = 0

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        self.count += 1


@dataclass(frozen=True)
class Speaker:
    """A path to a model.

    Attributes:
        asks: speaks to the model and asserts what must hold.
        most: requests at most, where readers ask for log-probabilities one more that refuses them.
        home: the modules, below plugins/, whose requests these are.
    """

    asks: Callable[[BaseChatModel], None]
    most: int
    home: Sequence[str]


def heard(model: BaseChatModel) -> tuple[BaseChatModel, Calls]:
    """Return the model with a counter of its requests."""
    calls = Calls()
    return model.model_copy(update={"callbacks": [calls]}), calls


def _fair(found: ReadResult) -> None:
    reading = found.reading
    assert 0.0 <= reading.probability <= 1.0
    assert set(reading.evidence_ids) <= {note.id for note in NOTES}
    assert len(reading.answer) <= 20_000
    assert found.cost.model_calls >= 1


def _reads(strategy: Strategy) -> Callable[[BaseChatModel], None]:
    return lambda model: _fair(reader_for(strategy, model=model, passages=2).read(QUESTION, evidence=NOTES))


def _fresh_prompt(model: BaseChatModel) -> None:
    prompt = FreshPrompt(sizes="small", budget=1_500)
    _fair(ChatReader(model, prompt=prompt).read(QUESTION, evidence=NOTES))


def _one_of_choices(model: BaseChatModel) -> None:
    reader = ChatReader(model, prompt=FreshPrompt(sizes="small", budget=1_500))
    found = reader.read(QUESTION, evidence=NOTES, choices=["Anna Berg", "Carl Dahl"])
    _fair(found)
    assert found.reading.answer in ("", "Anna Berg", "Carl Dahl")


def _rewrites(model: BaseChatModel) -> None:
    found = ChatRewriter(model).rewrite("And in 2015?", history=HISTORY, as_of=NOW)
    assert "2015" in found.text
    assert len(found.text) < 500
    assert found.reason


def _stands_alone(model: BaseChatModel) -> None:
    asked = {"input": "And in 2015?", "chat_history": [{"role": "user", "content": HISTORY[0].content}]}
    assert "2015" in StandaloneQuestion(model=model, as_of=NOW).invoke(asked)  # type: ignore[arg-type]


def _decomposes(model: BaseChatModel) -> None:
    found = ChatDecomposer(model, always=True).decompose("Who led it when Anna Berg was deputy?", as_of=NOW)
    assert isinstance(found.question, Question)
    assert set(found.question.content.rstrip("?").split()) <= {
        "Who",
        "led",
        "it",
        "when",
        "Anna",
        "Berg",
        "was",
        "deputy",
    }
    assert found.by == "model" or "rules decided" in found.reason


def _judges(model: BaseChatModel) -> None:
    assert ChatJudge(model).judge([(NOTES[0].text, NOTES[1].text)])[0] in get_args(Verdict)


def _estimates(estimator: Callable[[BaseChatModel], Any]) -> Callable[[BaseChatModel], None]:
    def asks(model: BaseChatModel) -> None:
        found = estimator(model).estimate(QUESTION, evidence=NOTES, reading=READING)
        assert isinstance(found, Certainty)
        assert abs(found.reliable + found.misleading + found.uncertain - 1) < 1e-6

    return asks


def _evaluates(model: BaseChatModel) -> None:
    case = AnswerCase(QUESTION.text, answer="Carl Dahl", golds=["Carl Dahl"])
    found = FreshEvalJudge(model, mode="relaxed").judge(case)
    assert found.correct in (True, False, None)
    assert found.correct is None or found.raw


def _updates(model: BaseChatModel) -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    LocalUpdater(store).update([NOTES[0]], known_at=NOW)
    before = {one.fact.text for one in store.at(date(2018, 1, 1))}
    other = Evidence.make("The library of Halvik opens on Sundays.", published=Interval.parse("2019-05-01"))
    ChatUpdater(store, model).update([other], known_at=NOW)
    now = {one.fact.text for one in store.at(date(2024, 1, 1))}
    assert before <= now, "a document about something else ends no fact"
    assert all(set(text.split()) & set(other.text.split()) for text in now - before)


def _generates(trigger: Callable[[], Any]) -> Callable[[BaseChatModel], None]:
    def asks(model: BaseChatModel) -> None:
        generator = ChatGenerator(
            model, retriever=Bm25Search(NOTES), trigger=trigger(), max_new_tokens=20, max_calls=3, max_retrievals=2
        )
        made = generator.generate(QUESTION.text)
        assert len(made.tokens) <= 20
        assert {each.text for each in made.documents} <= {note.text for note in NOTES}

    return asks


def _generates_in_doubt(model: BaseChatModel) -> None:
    try:
        _generates(lambda: Entropy(0.5))(model)
    except (BadInput, ModelFailed) as refused:  # in a sentence, before anything is written
        told = str(refused)
    else:
        return
    assert "log-probabilities" in told or "logprobs" in told


def _generates_in_a_chain(model: BaseChatModel) -> None:
    generator = ChatGenerator(model, retriever=Bm25Search(NOTES), trigger=Once(), max_new_tokens=12, max_calls=2)
    said = RetrievingChatModel(generator=generator, as_of=NOW).invoke(QUESTION.text)
    assert len(said.additional_kwargs["dateline_retrievals"]) <= 1


def _makes_questions(model: BaseChatModel) -> None:
    texts = tuple(note.text for note in NOTES)
    task = GrowTask(kind="new", article="a", title="Observatory", indices=(0, 1), sentences=texts, types=("New", "New"))
    made = ChatMaker(model).make(task)
    assert made.question is not None or made.reason
    assert made.question is None or made.question.answer


def _asks_itself(model: BaseChatModel) -> None:
    asked = FreshQuestion(QUESTION.text, ("Carl Dahl",), NOW, False, "slow-changing", "one-hop", True)
    found = ask_oneself(asked, found=FreshFindings(FixedSearch(NOTES)), model=model)
    assert {piece.id for piece in found.evidence} <= {note.id for note in NOTES}


def _answers_alone(model: BaseChatModel) -> None:
    asked = FreshQuestion(QUESTION.text, ("Carl Dahl",), NOW, False, "slow-changing", "one-hop", True)
    assert answer_alone(asked, model=model).evidence == ()


def _talks(model: BaseChatModel) -> None:
    plain = conversation(random.Random(0), setting="single", steps=1)
    told = conversation(random.Random(0), setting="single", steps=1, model=model)
    assert [one.transition for one in told] == [one.transition for one in plain]
    assert all(one.lines for one in told)


_READING, _STRATEGIES = "dateline/reading/chat.py", "dateline/reading/strategies/"
_DYNAMIC = ("dateline/dynamic/chat_generator.py", "dateline/dynamic/chat_run.py")

SPEAKERS: Mapping[str, Speaker] = {
    "ask, FreshPrompt": Speaker(_fresh_prompt, 3, [_READING]),
    "ask, choices": Speaker(_one_of_choices, 3, [_READING]),
    "direct": Speaker(_reads("direct"), 3, [_STRATEGIES + "one_prompt.py"]),
    "chain of thought": Speaker(_reads("chain_of_thought"), 3, [_STRATEGIES + "one_prompt.py"]),
    "passages in one prompt": Speaker(_reads("rag_concat"), 3, [_STRATEGIES + "one_prompt.py"]),
    "Self-MRAG": Speaker(_reads("self_mrag"), 10, [_STRATEGIES + "chat_stages.py"]),
    "rewriter": Speaker(_rewrites, 2, ["dateline/reading/rewriting.py"]),
    "standalone question": Speaker(_stands_alone, 2, ["dateline/reading/rewriting.py"]),
    "decomposer": Speaker(_decomposes, 2, ["dateline/reading/chat_decomposer.py"]),
    "judge": Speaker(_judges, 2, ["dateline/reading/judge.py"]),
    "facts": Speaker(_updates, 12, ["dateline/facts/updating/chat.py"]),
    "certainty by letters": Speaker(_estimates(LogprobEstimator), 4, ["dateline/certainty/logprobs.py"]),
    "certainty by its word": Speaker(_estimates(SelfReportEstimator), 2, ["dateline/certainty/self_report.py"]),
    "FreshEval": Speaker(_evaluates, 2, ["dateline/evaluation/fresheval.py"]),
    "generation, entropy": Speaker(_generates_in_doubt, 3, _DYNAMIC),
    "generation, looking ahead": Speaker(_generates(LookAhead), 3, _DYNAMIC),
    "generation in a chain": Speaker(_generates_in_a_chain, 2, _DYNAMIC),
    "growing benchmarks": Speaker(_makes_questions, 2, ["dateline_bench/growing/chat_maker.py"]),
    "FreshQA, the question alone": Speaker(_answers_alone, 1, ["dateline_bench/fresh/ways.py"]),
    "Self-Ask": Speaker(_asks_itself, FOLLOW_UPS + 1, ["dateline_bench/fresh/self_ask.py"]),
    "conversations": Speaker(_talks, 3, ["dateline_bench/conversations/talk.py"]),
}
"""By name; `test_speaking.py` asserts that no module which asks a model is missing."""
