"""The generator: what it writes after a retrieval, what it leaves alone, what it costs, and how it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from dynamic_parts import DOCUMENTS, QUESTION, FireAt, finished, generator, tiny
from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from dateline import BadInput, Evidence, Interval
from dateline.documents import evidence_of_all
from dateline.dynamic import (
    AnyOf,
    AttentionQuery,
    Bm25Search,
    Dated,
    DynamicGenerator,
    Firing,
    Flare,
    Query,
    Rind,
    Sampling,
    Trigger,
)  # fmt: skip
from dateline.dynamic.progress import Progress
from dateline.dynamic.queries import LastTokens, QuestionQuery
from dateline.dynamic.triggers import EverySentence, EveryTokens, Never, Once, RindPublished
from dateline.dynamic.values import EndEvent, RetrievalEvent, TokenEvent
from dateline.testing import Family, FixedSearch, tiny_causal_model

torch = pytest.importorskip("torch")

FOUND = [Evidence.make(text) for text in DOCUMENTS]


def continued(family: Family, prompt: Sequence[int], *, new: int) -> list[int]:
    """What transformers' own greedy generation writes after `prompt`."""
    ids = torch.tensor([list(prompt)])
    made = tiny(family).model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=new, do_sample=False)
    return [each for each in made[0, len(prompt) :].tolist() if each != tiny(family).tokenizer.eos_token_id]


# -- what is written ------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["llama", "mistral", "gemma3", "gpt2"])
def test_after_a_retrieval_it_writes_what_the_model_writes_after_the_new_prompt_and_the_kept_tokens(
    family: Family,
) -> None:
    silent = generator(family).generate(QUESTION)
    run, made = finished(generator(family, trigger=FireAt((6,), after=3), query=AttentionQuery(scope="everything")))
    [retrieval] = made.retrievals
    assert 0 < retrieval.position <= 6
    assert retrieval.withdrawn == 9 - retrieval.position
    kept = [token.id for token in made.tokens[: retrieval.position]]
    assert kept == [token.id for token in silent.tokens[: retrieval.position]]
    prompt = run.progress.context.ids
    assert DOCUMENTS[0] in run.progress.context.prompt.text
    assert [token.id for token in made.tokens] == [
        *kept, *continued(family, [*prompt, *kept], new=24 - len(kept)),
    ]  # fmt: skip


def test_new_documents_replace_the_earlier_ones() -> None:
    class Counting(FixedSearch):
        def search(self, query: str, **options: Any) -> Any:
            self.evidence = [Evidence.make(f"Finding number {len(self.history) + 1} about the tower.")]
            return super().search(query, **options)

    run, made = finished(generator(retriever=Counting(), trigger=EveryTokens(8), query=LastTokens(8)))
    assert [each.position for each in made.retrievals] == [0, 8, 16]
    text = run.progress.context.prompt.text
    assert "Finding number 3" in text
    assert "Finding number 1" not in text
    assert "Finding number 2" not in text
    assert made.documents == made.retrievals[-1].documents


def test_the_same_documents_again_change_nothing_and_cost_no_pass_of_the_model() -> None:
    search = FixedSearch(FOUND)
    once = generator(retriever=search, trigger=Once()).generate(QUESTION)
    often = generator(retriever=search, trigger=EveryTokens(8), query=LastTokens(8)).generate(QUESTION)
    assert [each.note for each in often.retrievals] == ["", *2 * ["The same documents were found again."]]
    assert often.text == once.text
    assert often.cost.model_calls == once.cost.model_calls


def test_words_that_were_just_asked_are_not_asked_again_in_any_order() -> None:
    @dataclass(frozen=True)
    class Turning(Query):
        def text(self, progress: Progress, *, firing: Firing) -> str:
            words = ["Northern", "Observatory", "the", "director"][: 3 + firing.position // 12]
            return " ".join(words if firing.position % 2 else reversed(words))

    search = FixedSearch(FOUND)
    made = generator(retriever=search, trigger=FireAt((3, 6, 9, 12)), query=Turning()).generate(QUESTION)
    assert search.history == ["Northern Observatory the", "director the Observatory Northern"]
    assert [each.position for each in made.retrievals] == [3, 12]
    failing = FixedSearch(error=TimeoutError("too late"))
    generator(retriever=failing, trigger=FireAt((3, 6)), query=Turning()).generate(QUESTION)
    assert len(failing.history) == 2


def test_a_retrieval_that_is_left_out_as_a_repetition_is_followed_by_the_next_after_as_many_tokens() -> None:
    asked: list[int] = []

    @dataclass(frozen=True)
    class Same(Query):
        def text(self, progress: Progress, *, firing: Firing) -> str:
            asked.append(firing.position)
            return "Northern Observatory"

    generator(retriever=FixedSearch(FOUND), trigger=EveryTokens(8), query=Same()).generate(QUESTION)
    assert asked == [0, 8, 16]


def test_a_query_without_a_content_word_is_replaced_by_the_question() -> None:
    @dataclass(frozen=True)
    class Empty(Query):
        def text(self, progress: Progress, *, firing: Firing) -> str:
            return "it is of the - ."

    search = FixedSearch(FOUND)
    generator(retriever=search, trigger=FireAt((3,)), query=Empty()).generate(QUESTION)
    generator(retriever=search, trigger=FireAt((3,)), query=Dated(Empty())).generate(QUESTION, as_of="2024-05-06")
    assert search.history == [QUESTION, f"{QUESTION} as of 2024-05-06"]


def mute(**options: Any) -> DynamicGenerator:
    """A model that answers with nothing as long as it sees no documents."""
    first = generator().generate(QUESTION).tokens[0].id
    return generator(**options).with_options(end_tokens=frozenset({first}))


@pytest.mark.parametrize("trigger", [Rind(99.0), Flare(0.0), AnyOf([Never(), Flare(0.0, cut="sentence")])])
def test_an_empty_answer_is_in_doubt_and_the_question_is_looked_up(trigger: Trigger) -> None:
    search = FixedSearch(FOUND)
    made = mute(retriever=search, trigger=trigger, query=AttentionQuery()).generate(QUESTION)
    assert search.history == [QUESTION]
    assert made.retrievals[0].reason == "the answer holds no word"
    assert made.text
    assert mute(retriever=FixedSearch(), trigger=trigger).generate(QUESTION).ended == "finished"


def test_triggers_that_doubt_nothing_leave_an_empty_answer_alone() -> None:
    for trigger in (Never(), EverySentence(at_start=False), AnyOf([Never(), RindPublished(0.0)])):
        made = mute(trigger=trigger).generate(QUESTION)
        assert (made.text, made.retrievals) == ("", ())


def test_what_a_stop_text_leaves_empty_is_in_doubt_too() -> None:
    begun = generator().generate(QUESTION).text
    made = generator(trigger=Flare(0.0), stop_at=(begun[:3],)).generate(QUESTION)
    assert [each.position for each in made.retrievals] == [0]


def test_a_sentence_that_the_limit_cuts_is_judged_like_a_whole_one() -> None:
    unfinished = generator(trigger=Never()).generate(QUESTION)
    assert unfinished.ended == "length"
    made = generator(trigger=RindPublished(0.0), query=LastTokens(), max_retrievals=1).generate(QUESTION)
    assert made.retrievals
    watched = generator(trigger=RindPublished(float("inf"))).generate(QUESTION)
    assert watched.text == unfinished.text


def test_the_question_itself_is_asked_before_the_first_token_and_the_words_in_doubt_later() -> None:
    search = FixedSearch(FOUND)
    both = generator(retriever=search, trigger=AnyOf([Once(), Rind(0.0)]), query=AttentionQuery(), max_retrievals=2)
    made = both.generate(QUESTION)
    assert search.history[0] == QUESTION
    assert [each.trigger for each in made.retrievals] == ["once", "rind"]


def test_what_the_prompts_share_is_encoded_once() -> None:
    from dateline.dynamic.prompt import PlainLayout

    layout = PlainLayout(demonstrations="Question: Who was it? Answer: It was Anna Berg. " * 20)
    run, made = finished(generator(layout=layout, trigger=FireAt((4,))))
    shared = len(tiny().tokenizer(layout.demonstrations)["input_ids"])
    before = len(run.options.tokenizer(layout.prompt(QUESTION, documents=(), as_of=None).text)["input_ids"])
    assert made.cost.input_tokens < before + len(run.progress.context.ids) + 4 - 0.9 * shared


def test_a_long_document_is_cut_to_the_words_nearest_to_the_query() -> None:
    long = " ".join(["Filler words stand here."] * 60) + " The director of the Northern Observatory is Carl Dahl."
    made = generator(retriever=FixedSearch([Evidence.make(long)]), trigger=Once()).generate(QUESTION)
    [document] = made.documents
    assert len(document.text.split()) <= 100
    assert "Carl Dahl" in document.text


def test_only_what_was_known_at_the_asking_date_is_found() -> None:
    dated = [
        Evidence.make("Anna Berg is director of the Northern Observatory.", published=Interval.of_year(2015)),
        Evidence.make("Carl Dahl is director of the Northern Observatory.", published=Interval.of_year(2021)),
    ]
    run = generator(retriever=Bm25Search(dated), trigger=Once())
    early = run.generate(QUESTION, as_of=datetime(2018, 1, 1, tzinfo=UTC))
    assert [each.text for each in early.documents] == [dated[0].text]
    assert len(run.generate(QUESTION).documents) == 2


def test_sampling_is_repeatable_and_differs_by_seed() -> None:
    texts = [generator(sampling=Sampling(temperature=1.5, seed=seed)).generate(QUESTION).text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    greedy = generator().generate(QUESTION).text
    assert generator(sampling=Sampling(top_k=1)).generate(QUESTION).text == greedy
    assert generator(sampling=Sampling(top_p=1e-6)).generate(QUESTION).text == greedy


def test_a_text_to_stop_at_ends_the_answer_and_is_no_part_of_it() -> None:
    whole = generator().generate(QUESTION)
    middle = "".join(token.text for token in whole.tokens[10:12])
    made = generator(stop_at=[middle]).generate(QUESTION)
    assert made.ended == "finished"
    assert whole.text.startswith(made.text)
    assert middle not in made.text
    assert len(made.tokens) <= 11


# -- the model is shared --------------------------------------------------------------------------


def test_two_generations_at_once_do_not_disturb_each_other_nor_a_third_user_of_the_model() -> None:
    questions = [QUESTION, "When was the observatory founded?"]
    watching = generator(trigger=Rind(0.05), query=AttentionQuery(), max_new_tokens=12)
    alone = [watching.generate(each) for each in questions]
    ids = torch.tensor([tiny().tokenizer(QUESTION)["input_ids"]])
    expected = tiny().model(ids).logits
    found: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda n=n: found.__setitem__(n, watching.generate(questions[n]))) for n in range(2)
    ]
    for thread in threads:
        thread.start()
    for _ in range(5):
        assert torch.allclose(tiny().model(ids).logits, expected, atol=1e-5)
    for thread in threads:
        thread.join()
    for number in range(2):
        assert found[number].text == alone[number].text
        assert [each.query for each in found[number].retrievals] == [each.query for each in alone[number].retrievals]


# -- how it ends ----------------------------------------------------------------------------------


def test_it_ends_when_the_model_says_so() -> None:
    model = tiny_causal_model()
    favourite = generator().generate(QUESTION).tokens[7].id
    model.model.generation_config.eos_token_id = favourite
    made = DynamicGenerator(model.model, tokenizer=model.tokenizer, retriever=FixedSearch(), trigger=Never()).generate(
        QUESTION
    )
    assert made.ended == "finished"
    assert len(made.tokens) <= 7
    assert made.statement == "The model ended its answer; nothing was looked up."


def test_a_retriever_that_finds_nothing_leaves_the_text_as_it_is_and_the_end_says_so() -> None:
    made = generator(retriever=FixedSearch(), trigger=EveryTokens(10)).generate(QUESTION)
    assert made.text == generator().generate(QUESTION).text
    assert {each.note for each in made.retrievals} == {"Nothing was found."}
    assert "3 of 3 found nothing" in made.statement


def test_a_retriever_that_fails_leaves_the_text_as_it_is_and_the_end_says_so() -> None:
    failing = FixedSearch(error=TimeoutError("no answer after 3 s"))
    made = generator(retriever=failing, trigger=EveryTokens(10)).generate(QUESTION)
    assert made.ended == "length"
    assert made.text == generator().generate(QUESTION).text
    assert all(each.failed and "TimeoutError: no answer after 3 s" in each.note for each in made.retrievals)
    assert "3 of 3 retrievals failed" in made.statement


def test_a_stop_signal_ends_it_with_what_there_is() -> None:
    stop = threading.Event()
    tokens = 0
    stream = generator().stream(QUESTION, stop=stop)
    for event in stream:
        tokens += isinstance(event, TokenEvent)
        if tokens == 5:
            stop.set()
    assert stream.generation.ended == "interrupted"
    assert len(stream.generation.tokens) == 5
    assert "interrupted" in stream.generation.statement
    assert generator().generate(QUESTION, stop=stop).tokens == ()


def test_closing_the_stream_ends_it_with_what_there_is() -> None:
    with generator(trigger=FireAt((2,))).stream(QUESTION) as stream:
        for event in stream:
            if isinstance(event, RetrievalEvent):
                break
    assert stream.generation.ended == "interrupted"
    assert len(stream.generation.retrievals) == 1
    assert list(stream) == []


def test_a_full_context_ends_it_with_what_there_is() -> None:
    made = generator(context_tokens=40).generate(QUESTION)
    assert made.ended == "context full"
    assert 0 < len(made.tokens) < 24
    assert "context of 40 tokens is full" in made.statement
    assert generator(context_tokens=5).generate(QUESTION).ended == "context full"


def test_documents_that_find_no_room_are_left_out_the_worst_first() -> None:
    prompt = len(generator()._run(QUESTION, None, None).progress.context.ids)
    made = generator(context_tokens=prompt + 80, trigger=Once(), retriever=FixedSearch(FOUND)).generate(QUESTION)
    [retrieval] = made.retrievals
    assert 0 < len(retrieval.documents) < 3
    assert "found no room" in retrieval.note
    full = generator(context_tokens=prompt + 20, trigger=FireAt((1,)), retriever=FixedSearch(FOUND)).generate(QUESTION)
    assert full.documents == ()
    assert "without room for them" in full.statement
    assert full.ended == "context full"


def test_a_budget_of_retrievals_is_kept() -> None:
    often = {"trigger": EveryTokens(5), "retriever": FixedSearch()}
    made = generator(max_retrievals=2, **often).generate(QUESTION)
    assert (made.ended, len(made.retrievals), len(made.tokens)) == ("length", 2, 24)
    assert "no more allowed" in made.statement
    stopped = generator(max_retrievals=2, when_spent="stop", **often).generate(QUESTION)
    assert (stopped.ended, len(stopped.retrievals), len(stopped.tokens)) == ("budget", 2, 10)
    assert "more than 2 retrievals" in stopped.statement


@pytest.mark.parametrize(
    "trigger", [Rind(0.0), Flare(1.0), Flare(1.0, cut="sentence"), EverySentence(), RindPublished(0.0), EveryTokens(1)]
)
def test_every_trigger_comes_to_an_end_however_eager_it_is(trigger: Any) -> None:
    class Fresh(FixedSearch):
        def search(self, query: str, **options: Any) -> Any:
            self.evidence = [Evidence.make(f"Note {len(self.history)}.")]
            return super().search(query, **options)

    made = generator(trigger=trigger, query=AttentionQuery(), retriever=Fresh(), max_new_tokens=10).generate(QUESTION)
    positions = [each.position for each in made.retrievals]
    assert positions == sorted(set(positions))
    assert len(positions) <= 11
    assert made.ended in ("length", "finished")


def test_a_failing_retriever_is_asked_once_at_each_position() -> None:
    failing = FixedSearch(error=TimeoutError("late"))
    made = generator(trigger=Flare(1.0), retriever=failing, max_new_tokens=8).generate(QUESTION)
    positions = [each.position for each in made.retrievals]
    assert positions == sorted(set(positions))
    assert positions[0] == 0
    assert len(positions) > 1


# -- streams --------------------------------------------------------------------------------------


def replayed(events: Sequence[Any]) -> str:
    """The text that somebody sees who takes back what a retrieval withdraws."""
    tokens: list[str] = []
    for event in events:
        if isinstance(event, TokenEvent):
            assert event.token.index == len(tokens)
            tokens.append(event.token.text)
        elif isinstance(event, RetrievalEvent) and event.retrieval.withdrawn:
            assert "".join(tokens[event.retrieval.position :]) == event.retrieval.withdrawn_text
            del tokens[event.retrieval.position :]
    return "".join(tokens).strip()


def test_a_stream_shows_tokens_and_retrievals_and_ends_with_the_generation() -> None:
    given = {"trigger": FireAt((3, 9), after=2), "query": LastTokens(4), "retriever": FixedSearch(FOUND[:1])}
    events = list(generator(**given).stream(QUESTION))
    assert isinstance(events[-1], EndEvent)
    assert sum(isinstance(event, RetrievalEvent) for event in events) == 2
    assert replayed(events) == events[-1].generation.text


class Awaited(BaseRetriever):
    """A LangChain retriever that can only be awaited."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        raise AssertionError("asked with blocking")

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        await asyncio.sleep(0)
        return [Document(text) for text in DOCUMENTS[:2]]


async def test_the_async_twin_awaits_the_retriever_and_writes_the_same() -> None:
    options: dict[str, Any] = {"trigger": FireAt((5,)), "query": QuestionQuery()}
    same = evidence_of_all([Document(text) for text in DOCUMENTS[:2]])
    expected = generator(retriever=FixedSearch(same), **options).generate(QUESTION)
    awaiting = generator(retriever=Awaited(), **options)
    made = await awaiting.agenerate(QUESTION)
    assert made.text == expected.text
    assert len(made.documents) == 2
    async with awaiting.astream(QUESTION) as stream:
        events = [event async for event in stream]
    assert replayed(events) == expected.text


async def test_cancelling_the_async_twin_ends_it_in_order() -> None:
    stream = generator(max_new_tokens=200).astream(QUESTION)

    async def read() -> None:
        async with stream:
            async for _ in stream:
                pass

    reading = asyncio.create_task(read())
    while not stream.generation.tokens:
        await asyncio.sleep(0.01)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert stream.generation.ended == "interrupted"
    assert 0 < len(stream.generation.tokens) < 200


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"k": 0}, "k must be at least 1"),
        ({"max_retrievals": -1}, "max_retrievals must be 0 or more"),
        ({"when_spent": "sulk"}, "choose one of continue, stop"),
        ({"stop_at": [""]}, "empty text"),
        ({"stop_at": "END"}, r"write \['END'\]"),
        ({"trigger": None}, "trigger is None"),
        ({"retriever": object()}, "no retriever"),
    ],
)
def test_values_that_make_no_sense_are_refused_when_the_generator_is_made(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        generator(**options)


def test_options_are_set_anew_by_the_names_of_the_constructor() -> None:
    assert generator().with_options(context_tokens=5).generate(QUESTION).ended == "context full"
    with pytest.raises(BadInput, match="choose among context_tokens"):
        generator().with_options(window=5)
    with pytest.raises(BadInput, match="context_tokens is None"):
        generator().with_options(context_tokens=None)


def test_a_model_that_shows_no_attention_is_refused_only_where_attention_is_needed() -> None:
    class Other(torch.nn.Module):
        device = torch.device("cpu")

    DynamicGenerator(
        Other(), tokenizer=tiny().tokenizer, retriever=FixedSearch(), trigger=Once(), query=QuestionQuery()
    )
    with pytest.raises(BadInput, match="shows no attention weights"):
        DynamicGenerator(Other(), tokenizer=tiny().tokenizer, retriever=FixedSearch(), trigger=Rind(1.0))


def test_an_empty_question_is_refused() -> None:
    with pytest.raises(BadInput, match="at least one visible character"):
        generator().generate("  ")
