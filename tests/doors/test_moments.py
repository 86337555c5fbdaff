"""One text is one moment, whichever door it comes in by."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda
from pydantic import Field

from dateline import AsOf, BadInput, Certainty, Evidence, Interval, Question, Reading, read_moment
from dateline.dynamic import ChatGenerator
from dateline.dynamic.triggers import Once
from dateline.facts import FactStore, LocalUpdater
from dateline.facts.index import ExactIndex
from dateline.facts.ledger import MemoryLedger
from dateline.protocols import SearchResult
from dateline.reading import ExtractiveReader
from dateline.reading.rewriting import RuleRewriter
from dateline.reading.strategies import LocalStages, SelfMrag
from dateline.temporal.as_of import is_given
from dateline.temporal.asking import asking_moment
from dateline.testing import FixedSearch, ReadingEstimator, ScriptedReader
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main
from dateline_graphs import AnswerOptions, answer_graph, ask_as_of, generate_graph, recall_facts, self_mrag_graph
from dateline_graphs.components import Components, default_components
from langchain_dateline import (
    AdaptiveRetriever,
    AskedAt,
    CertaintyGate,
    EvidenceRetriever,
    FactStoreRetriever,
    FreshPromptTemplate,
    ReaderChatModel,
    ReaderRunnable,
    RetrievingChatModel,
    StandaloneQuestion,
    TemporalReranker,
    TemporalRetriever,
)
from langchain_dateline.middleware import DatelineMiddleware
from langchain_dateline.testing import ScriptedChatModel

NOW = datetime(2024, 6, 1, 12, 30, tzinfo=UTC)
ASKED = "Who leads the choir?"
EMBEDDINGS = LexicalEmbeddings()
PIECE = Evidence.make("Ana Bell leads the choir.", published=Interval.of_year(1990))

Door = Callable[[AsOf], datetime]


def clock() -> datetime:
    return NOW


def last_second(*day: int) -> datetime:
    return datetime(*day, 23, 59, 59, tzinfo=UTC)  # type: ignore[misc, arg-type]


FORMS: dict[str, tuple[AsOf, datetime]] = {
    "nothing": (None, NOW),
    "empty text": ("", NOW),
    "blank text": ("  ", NOW),
    "now": ("now", NOW),
    "today": ("today", NOW),
    "yesterday": ("Yesterday", last_second(2024, 5, 31)),
    "last year": ("last year", last_second(2023, 12, 31)),
    "year": ("2019", last_second(2019, 12, 31)),
    "this year": ("2024", NOW),
    "a number": (2019, last_second(2019, 12, 31)),
    "month": ("2019-03", last_second(2019, 3, 31)),
    "this month": ("2024-06", NOW),
    "day": ("2024-05-01", last_second(2024, 5, 1)),
    "slashes": ("2024/05/01", last_second(2024, 5, 1)),
    "month in words": ("March 2019", last_second(2019, 3, 31)),
    "day in words": ("15 March 2019", last_second(2019, 3, 15)),
    "day the American way": ("March 15, 2019", last_second(2019, 3, 15)),
    "day with dots": ("15.03.2019", last_second(2019, 3, 15)),
    "day first for sure": ("15/03/2019", last_second(2019, 3, 15)),
    "quarter": ("2019-Q1", last_second(2019, 3, 31)),
    "quarter in words": ("Q1 2019", last_second(2019, 3, 31)),
    "minute": ("2024-05-01T10:00", datetime(2024, 5, 1, 10, tzinfo=UTC)),
    "minute after a space": ("2024-05-01 10:00", datetime(2024, 5, 1, 10, tzinfo=UTC)),
    "second in UTC": ("2024-05-01T10:00:30Z", datetime(2024, 5, 1, 10, 0, 30, tzinfo=UTC)),
    "offset": ("2024-05-01T10:00+02:00", datetime(2024, 5, 1, 8, tzinfo=UTC)),
    "date": (date(2024, 5, 1), last_second(2024, 5, 1)),
    "today as a date": (NOW.date(), NOW),
    "today farther east": (NOW.date() + timedelta(days=1), NOW),
    "datetime": (datetime(2024, 5, 1, 10, tzinfo=UTC), datetime(2024, 5, 1, 10, tzinfo=UTC)),
    "datetime of a zone": (
        datetime(2024, 5, 1, 10, tzinfo=timezone(timedelta(hours=5))),
        datetime(2024, 5, 1, 5, tzinfo=UTC),
    ),
    "interval": (Interval.of_month(2019, 3), last_second(2019, 3, 31)),
    "interval without end": (Interval(0, None), NOW),
}
"""docs/temporal.md lists these."""

LATER: tuple[AsOf, ...] = (
    "2030", "2024-07", "2024-06-03", "tomorrow", "2024-06-01T13:00", 2025, date(2024, 6, 3), NOW + timedelta(hours=1), Interval.of_year(2025)
)  # fmt: skip
REFUSED: tuple[Any, ...] = ("soon", "03/04/2019", "2023-02-30", "2023-13", "since 2019", "2019-2021", "2024-05-01T99:00", 20240501, True, 2.5, datetime(2024, 5, 1))  # fmt: skip


class Listening(FixedSearch):
    """Keeps as of when it was asked."""

    def __init__(self) -> None:
        super().__init__([PIECE])
        self.moments: list[datetime] = []

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        self.moments.append(as_of)
        return super().search(query, as_of=as_of, k=k, window=window)


class Reranker(TemporalReranker):
    """Keeps the questions that it ranked for."""

    seen: list[Question] = Field(default_factory=list)

    def rank(self, question: Question, *args: Any, **options: Any) -> list[Document]:
        self.seen.append(question)
        return super().rank(question, *args, **options)


def reader() -> ScriptedReader:
    return ScriptedReader([Reading(answer="Ana Bell", probability=0.9, no_answer=0.1, evidence_ids=(PIECE.id,))])


def parts() -> Components:
    made = default_components(search=Listening(), options=AnswerOptions(), embeddings=EMBEDDINGS)
    return replace(made, clock=clock, reader=reader(), estimator=ReadingEstimator())


def chat_generator(search: Listening) -> ChatGenerator:
    made = ChatGenerator(ScriptedChatModel(replies=["Ana Bell."] * 9), retriever=search, trigger=Once())
    made.clock = clock
    return made


DOCUMENT = Document("Ana Bell leads the choir.", metadata={"date": "1990"})


def reranked(form: AsOf) -> datetime:
    made = Reranker(as_of=form, embeddings=EMBEDDINGS, clock=clock)
    made.compress_documents([DOCUMENT], ASKED)
    return made.seen[0].as_of


def retrieved(form: AsOf) -> datetime:
    reranker = Reranker(embeddings=EMBEDDINGS, clock=clock)
    inner = EvidenceRetriever(search=Listening())
    TemporalRetriever(retriever=inner, reranker=reranker, as_of=form).invoke(ASKED)
    return reranker.seen[0].as_of


def retrieved_by_call(form: AsOf) -> datetime:
    reranker = Reranker(embeddings=EMBEDDINGS, clock=clock)
    TemporalRetriever(retriever=EvidenceRetriever(search=Listening()), reranker=reranker).invoke(ASKED, as_of=form)
    return reranker.seen[0].as_of


def evidence_retrieved(form: AsOf) -> datetime:
    search = Listening()
    EvidenceRetriever(search=search, as_of=form, clock=clock).invoke(ASKED)
    return search.moments[0]


def evidence_retrieved_by_call(form: AsOf) -> datetime:
    search = Listening()
    EvidenceRetriever(search=search, clock=clock).invoke(ASKED, as_of=form)
    return search.moments[0]


def read(form: AsOf) -> datetime:
    made = reader()
    ReaderRunnable(reader=made, as_of=form, clock=clock).invoke({"question": ASKED, "documents": [DOCUMENT]})
    return made.history[0][0].as_of


def read_by_call(form: AsOf) -> datetime:
    made = reader()
    given: Any = {"question": ASKED, "documents": [DOCUMENT], "as_of": form}
    told = ReaderRunnable(reader=made, clock=clock).invoke(given)
    assert datetime.fromisoformat(told["as_of"]) == made.history[0][0].as_of
    return made.history[0][0].as_of


def chatted(form: AsOf) -> datetime:
    made = reader()
    ReaderChatModel(reader=made, as_of=form, clock=clock).invoke(f"Context:\nAna Bell leads.\n\nQuestion: {ASKED}")
    return made.history[0][0].as_of


class Estimator(ReadingEstimator):
    """Keeps the questions that it estimated for."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def estimate(self, question: Question, *args: Any, **options: Any) -> Certainty:
        self.asked.append(question)
        return super().estimate(question, *args, **options)


def gated(form: AsOf) -> datetime:
    return gate_asked(ASKED, as_of=form)


def gated_by_call(form: AsOf) -> datetime:
    return gate_asked({"question": ASKED, "as_of": form})


def gate_asked(given: Any, as_of: AsOf = None) -> datetime:
    estimator = Estimator()
    retriever = AdaptiveRetriever(retriever=EvidenceRetriever(search=Listening(), clock=clock), embeddings=EMBEDDINGS)
    chain = retriever | RunnableLambda(lambda documents: "Ana Bell")
    CertaintyGate(chain=chain, retriever=retriever, estimator=estimator, as_of=as_of, clock=clock).invoke(given)
    return estimator.asked[0].as_of


def asked_around(form: AsOf) -> datetime:
    moments = []
    chain = RunnableLambda(lambda given: moments.append(asking_moment(None, clock=clock)))
    AskedAt(chain=chain, clock=clock).invoke({"question": ASKED, "as_of": form})
    return moments[0]


def prompted(form: AsOf) -> datetime:
    template = FreshPromptTemplate(as_of=form, clock=clock)
    return template._moment(None)


def generated(form: AsOf) -> datetime:
    search = Listening()
    RetrievingChatModel(generator=chat_generator(search), as_of=form, clock=clock).invoke(ASKED)
    return search.moments[0]


def generated_directly(form: AsOf) -> datetime:
    search = Listening()
    chat_generator(search).generate(ASKED, as_of=form)
    return search.moments[0]


def agent(form: AsOf) -> datetime:
    made = create_agent(
        ScriptedChatModel(replies=["Ana Bell."]), [], middleware=[DatelineMiddleware(as_of=form, clock=clock)]
    )
    return datetime.fromisoformat(
        made.invoke({"messages": [("user", ASKED)]})["messages"][-1].response_metadata["as_of"]
    )


def agent_by_call(form: AsOf) -> datetime:
    made: Any = create_agent(ScriptedChatModel(replies=["Ana Bell."]), [], middleware=[DatelineMiddleware(clock=clock)])
    state = made.invoke({"messages": [("user", ASKED)], "as_of": form})
    return datetime.fromisoformat(state["messages"][-1].response_metadata["as_of"])


def graph(form: AsOf) -> datetime:
    report = answer_graph(parts()).compile().invoke({"question": ASKED, "as_of": form})["report"]
    return datetime.fromisoformat(report["asked"]["as_of"])


def tool(form: AsOf) -> datetime:
    call: Any = {"name": "ask_as_of", "args": {"question": ASKED, "as_of": form}, "id": "1", "type": "tool_call"}
    told = ask_as_of(parts()).invoke(call)
    if told.status == "error":
        raise BadInput(told.content)
    return datetime.fromisoformat(told.artifact["asked"]["as_of"])


def mrag_graph(form: AsOf) -> datetime:
    made = self_mrag_graph(SelfMrag(LocalStages(ExtractiveReader())), clock=clock).compile()
    steps = made.stream({"question": ASKED, "as_of": form, "evidence": []}, stream_mode="updates")
    prepared = next(step["prepare"] for step in steps if "prepare" in step)
    return Question.from_json(prepared["parsed"]).as_of


def generating_graph(form: AsOf) -> datetime:
    search = Listening()
    generate_graph(chat_generator(search), clock=clock).compile().invoke({"question": ASKED, "as_of": form})
    return search.moments[0]


class AskedRewriter(RuleRewriter):
    """Keeps as of when it was asked."""

    def __init__(self) -> None:
        self.moments: list[datetime] = []

    def rewrite(self, question: str, *, as_of: datetime, **given: Any) -> Any:
        self.moments.append(as_of)
        return super().rewrite(question, as_of=as_of, **given)


def rewritten(form: AsOf) -> datetime:
    return rewriter_asked({"input": ASKED}, as_of=form)


def rewritten_by_call(form: AsOf) -> datetime:
    return rewriter_asked({"input": ASKED, "as_of": form})


def rewriter_asked(given: Any, as_of: AsOf = None) -> datetime:
    rewriter = AskedRewriter()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("langchain_dateline.question_rewriter.RuleRewriter", lambda: rewriter)
        StandaloneQuestion(as_of=as_of, clock=clock).invoke(given)
    return rewriter.moments[0]


def llama_index() -> Any:
    return pytest.importorskip("llama_index.retrievers.dateline")


def llama_index_evidence(form: AsOf) -> datetime:
    search = Listening()
    llama_index().EvidenceRetriever(search, as_of=form, clock=clock).retrieve(ASKED)
    return search.moments[0]


def llama_index_evidence_by_call(form: AsOf) -> datetime:
    search = Listening()
    llama_index().EvidenceRetriever(search, clock=clock).at(form).retrieve(ASKED)
    return search.moments[0]


DOORS: dict[str, Door] = {
    "the reader itself": lambda form: read_moment(form, clock=clock),
    "langchain reranker": reranked,
    "langchain retriever": retrieved,
    "langchain retriever, by call": retrieved_by_call,
    "langchain evidence": evidence_retrieved,
    "langchain evidence, by call": evidence_retrieved_by_call,
    "reader runnable": read,
    "reader runnable, by call": read_by_call,
    "reader chat model": chatted,
    "certainty gate": gated,
    "certainty gate, by call": gated_by_call,
    "asked at": asked_around,
    "prompt": prompted,
    "retrieving chat model": generated,
    "generator": generated_directly,
    "agent": agent,
    "agent, by call": agent_by_call,
    "answer graph": graph,
    "tool": tool,
    "self-mrag graph": mrag_graph,
    "generate graph": generating_graph,
    "standalone question": rewritten,
    "standalone question, by call": rewritten_by_call,
    "llama-index evidence": llama_index_evidence,
    "llama-index evidence, by call": llama_index_evidence_by_call,
}
CHEAP = ("the reader itself", "langchain reranker", "langchain evidence", "reader runnable, by call", "langchain retriever, by call")  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_each_form_is_the_same_moment_at_every_door(door: str) -> None:
    # Where nothing is given, a generator knows no date.
    forms = {name: each for name, each in FORMS.items() if door != "generator" or is_given(each[0])}
    assert {name: DOORS[door](form) for name, (form, _) in forms.items()} == {
        name: moment for name, (_, moment) in forms.items()
    }


@pytest.mark.parametrize("door", DOORS)
def test_what_is_later_than_the_clock_is_refused_at_every_door(door: str) -> None:
    for form in LATER:
        with pytest.raises(ValueError, match="later than now"):
            DOORS[door](form)


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_moment_is_refused_at_every_door(door: str) -> None:
    for form in REFUSED:
        with pytest.raises(ValueError, match=r"date|calendar|time zone|YYYY"):
            DOORS[door](form)


WRITTEN = ("%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%Y/%m/%d")


@given(day=st.dates(date(1500, 1, 1), date(2024, 5, 31)), form=st.sampled_from(WRITTEN), door=st.sampled_from(CHEAP))
def test_the_text_of_any_day_is_the_end_of_that_day_at_every_door(day: date, form: str, door: str) -> None:
    text = day.strftime(form)
    assert DOORS[door](text) == datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC), text


@given(st.text())
def test_any_text_is_a_moment_that_is_not_later_than_the_clock_or_refused_in_one_sentence(text: str) -> None:
    with suppress(BadInput):
        assert read_moment(text, clock=clock) <= NOW


# -- facts: the same forms; a period is read at its end, which may lie in the future --------------------------------


@pytest.fixture
def store() -> FactStore:
    made = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=EMBEDDINGS, clock=clock)
    note = Evidence.make("Ana Bell leads the choir.", published=Interval.parse("2019-03-16"), source="Gazette")
    LocalUpdater(made).update([note], known_at=datetime(2019, 3, 16, 12, tzinfo=UTC))
    return made


@pytest.mark.parametrize("name", FORMS)
def test_a_fact_store_reads_the_same_forms_on_both_clocks(store: FactStore, name: str) -> None:
    form, moment = FORMS[name]
    expected = 1 if moment >= datetime(2019, 3, 16, 13, tzinfo=UTC) else 0
    assert len(store.at(form)) == len(store.at(known_at=form)) == expected
    assert len(store.search(ASKED, as_of=form)) == expected
    assert len(FactStoreRetriever(store=store, as_of=form).invoke(ASKED)) == expected
    assert len(FactStoreRetriever(store=store).invoke(ASKED, known_at=form)) == expected
    assert len(recall_facts(store).invoke({"question": ASKED, "as_of": form})["recalled"]) == expected


def test_a_fact_may_be_asked_about_in_the_future(store: FactStore) -> None:
    assert all(len(store.at(form)) == 1 for form in LATER)


def test_what_is_no_moment_is_refused_by_a_fact_store(store: FactStore) -> None:
    for form in REFUSED:
        for asked in ({"as_of": form}, {"known_at": form}):
            with pytest.raises(BadInput):
                store.at(**asked)


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["2019", "15 March 2019", "15.03.2019", "2024-05-01T10:00"])
def test_the_command_reads_the_same_moment(text: str, changed_fact: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["ask", "Who is the director of the Northern Observatory?", "--docs", str(changed_fact), "--as-of", text, "--json"])  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    assert datetime.fromisoformat(told["asked"]["as_of"]) == read_moment(text)


@pytest.mark.parametrize("text", ["2999", "03/04/2019", "soon"])
def test_the_command_refuses_in_one_sentence(text: str, changed_fact: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        main(["ask", "Who?", "--docs", str(changed_fact), "--as-of", text])
    assert text in capsys.readouterr().err
