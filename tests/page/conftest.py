"""Runs to draw: plain ones, hostile ones, one of many pieces, ones without any; and a real Chromium to look at them.

What wants Chromium is skipped only where there is none, or no Playwright to drive it; `DATELINE_CHROMIUM` names another one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dateline import Certainty, Constraint, Cost, Evidence, Interval, Reading, Step
from dateline.certainty import AskedQuestion, GateDecision
from dateline.dynamic import Generation, Retrieval
from dateline.dynamic.values import TokenScore
from dateline.evidence.claims import Claim, Support
from dateline.evidence.freshness import Freshness
from dateline_graphs import AnswerReport
from dateline_graphs.page import render
from dateline_graphs.report import CitedSource, TakenForGranted

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVIL = '</script></style></title><img src=x onerror="window.hit=1">"\'><svg onload="window.hit=1"><b>&amp;'
FRESH = Freshness(
    newest="2021-09-14", oldest="2015-03", newest_age_days=100, undated=1, statement="The newest is of 2021-09-14."
)


def _source(id: str, **fields: Any) -> CitedSource:
    plain: dict[str, Any] = {
        "date": "2015-03-02", "source": "news.example", "title": f"Title of {id}", "url": "", "kind": "document",
        "text": f"A text. The sentence of {id}. The end.", "score": 0.5, "semantic": 0.25, "temporal": 0.75,
        "matched": None, "used": False,
    }  # fmt: skip
    return CitedSource(id=id, **{**plain, **fields})


def _change(text: str, *, into: str = "", before: bool | None = None, after: bool = True) -> dict[str, Any]:
    def fact(said: str) -> dict[str, Any]:
        return {"id": "f", "text": said, "validity": None, "tags": []}

    return {
        "fact": fact(text), "into": fact(into) if into else None, "before": before, "after": after,
        "when": Interval.of_day(2021, 9, 14).to_json(), "document": "two", "reason": "",
    }  # fmt: skip


def _report(**fields: Any) -> AnswerReport:
    plain: dict[str, Any] = {
        "asked": AskedQuestion(
            question="Who was the director of the Northern Observatory in 2022?",
            as_of="2022-01-01T00:00:00+00:00",
            content="Who was the director of the Northern Observatory?",
            constraint=Constraint("at", Interval.of_year(2022), None, "in 2022"),
        ),
        "answer": "Carl Dahl was named director. He follows Anna Berg. Nobody knows why.",
        "claims": (
            Claim(
                text="Carl Dahl was named director.",
                support=(Support(evidence_id="two", sentence="The sentence of two.", share=0.75),),
            ),
            Claim(text="He follows Anna Berg.", support=(Support(evidence_id="one", sentence="", share=0.1),)),
            Claim(text="Nobody knows why.", support=()),
        ),
        "premises": (
            TakenForGranted(text="There is an observatory.", standing="holds", sentence="It is.", evidence_id="one"),
            TakenForGranted(text="It has one director.", standing="open"),
        ),
        "rounds": 1,
        "reading": Reading(answer="Carl Dahl was named director."),
        "evidence_ids": ("one", "two"),
        "certainty": Certainty(reliable=0.75, misleading=0.05, uncertain=0.2),
        "label": "reliable",
        "decision": GateDecision(outcome="adopt", reason="The answer is reliable."),
        "evidence": (
            _source("none", date=None, score=0.1),
            _source("one", date="2015-03", used=True, score=0.4, matched="2015-03-02"),
            _source("two", date="2021-09-14", used=True, score=0.9, url="https://news.example/two?a=1&b=2"),
        ),
        "unread": (_source("three", date="2001", score=0.01), _source("four", date="2003-05-06", score=0.0)),
        "freshness": FRESH,
        "facts": {
            "rewritten": [_change("Anna Berg is director.", into="Carl Dahl is director.", before=True, after=False)],
            "added": [_change("The observatory stands on a hill.")],
        },
        "cost": Cost(model_calls=2, input_tokens=1234, output_tokens=56, searches=1, seconds=1.25),
        "problems": ("One search failed.",),
        "steps": (
            Step(name="search", summary="found 5 pieces", details={"found": 5}),
            Step(
                name="update_facts",
                summary="1 rewritten",
                details={"pending": [{"fact": "It is open.", "edit": "make_false", "before": "true", "after": "false"}]},
            ),
        ),
    }  # fmt: skip
    return AnswerReport(**{**plain, **fields})


@pytest.fixture
def make_source() -> Callable[..., CitedSource]:
    return _source


@pytest.fixture
def make_report() -> Callable[..., AnswerReport]:
    return _report


@pytest.fixture
def plain() -> AnswerReport:
    return _report()


@pytest.fixture
def hostile() -> AnswerReport:
    """Everything that a document, a model or an older run could put into a report, at its worst."""
    urls = ("javascript:window.hit=1", " JaVaScRiPt:window.hit=1", "data:text/html,<script>window.hit=1</script>")
    urls += ("//evil.example/", 'https://a.example/"onmouseover="window.hit=1', "https://[", "http://", "vbscript:x")
    dates = ("-0043-03-15", "9999", "../2013-01-01", "2013-01-01/..", "12019-05", "../..", EVIL, "2019-05-06T14:30:00")
    evidence = tuple(
        _source(
            f"{EVIL}{number}", date=date, url=url, title=f"{EVIL}\u202e{number}", source=EVIL, score=number * 3.0 - 1,
            text=(f"{EVIL} مرحبا \x00\x1b " * 200 if number % 2 else "W" * 10_000), used=number < 4, temporal=7.0,
            kind=EVIL, matched=dates[-number],
        )
        for number, (url, date) in enumerate(zip(urls, dates, strict=True))
    )  # fmt: skip
    claims = (Claim(text=EVIL, support=(Support(evidence_id=f"{EVIL}1", sentence=EVIL, share=1.0),)),)
    return _report(
        asked=AskedQuestion(
            question=f"{EVIL} {'long ' * 80}",
            as_of="2022-01-01T00:00:00+00:00",
            content=EVIL,
            constraint=Constraint("since", Interval.of_year(2012), "last", EVIL),
            sub_questions=(EVIL, "W" * 500),
        ),
        answer=EVIL,
        claims=claims,
        premises=(TakenForGranted(text=EVIL, standing=EVIL, sentence=EVIL, evidence_id=f"{EVIL}1"),),
        decision=GateDecision(outcome="abstain", reason=EVIL),
        evidence=evidence,
        unread=tuple(_source(EVIL, title=EVIL, text="W" * 5000, date=None) for _ in range(3)),
        facts={
            "made_false": [_change(EVIL, into=EVIL), "junk", {"fact": EVIL, "when": {"start": EVIL, "end": None}}],
            "added": EVIL,
            EVIL: EVIL,
        },
        problems=(EVIL, "x" * 3000),
        steps=(Step(name=EVIL, summary=EVIL, details={EVIL: EVIL, "long": "y" * 9000}),),
    )


@pytest.fixture
def crowded() -> AnswerReport:
    evidence = tuple(
        _source(f"n{i}", date=f"{1995 + i // 12}-{1 + i % 12:02d}-05", score=(i * 37 % 100) / 100, used=i % 41 == 0)
        for i in range(300)
    )
    return _report(evidence=evidence, claims=(), unread=())


@pytest.fixture
def bare() -> AnswerReport:
    return _report(
        answer="", claims=(), premises=(), evidence=(), unread=(), facts={}, problems=(), steps=(),
        decision=GateDecision(outcome="abstain", reason="Nothing was found."),
        asked=AskedQuestion(question="Who?", as_of="some day", content="Who?", constraint=None),
        freshness=Freshness(newest=None, oldest=None, newest_age_days=None, undated=0, statement="Nothing used."),
    )  # fmt: skip


# -- generations ----------------------------------------------------------------------------------


def _tokens(words: list[str]) -> tuple[TokenScore, ...]:
    return tuple(
        TokenScore(
            index=n, id=n, text=f" {word}" if n else word, word=word, stopword=word == "the", probability=0.5,
            entropy=1.0, max_attention=0.5, rind=0.1 * (n % 10),
        )
        for n, word in enumerate(words)
    )  # fmt: skip


@pytest.fixture
def written() -> Generation:
    """A text of a hundred words with two retrievals in it."""
    found = Evidence.make(
        "Carl Dahl.", title="News", url="https://news.example/a", published=Interval.of_day(2021, 9, 14)
    )
    asked = Retrieval(
        number=1, position=4, trigger="rind", reason='"Berg" scores 0.90', score=0.9, query="director observatory",
        documents=(found, Evidence.make("A hill.", title="Undated")), withdrawn=2, withdrawn_text="Anna Berg",
    )  # fmt: skip
    again = asked.model_copy(update={"number": 2, "position": 60, "note": "The same documents were found again."})
    return Generation(
        question="Who is the director of the Northern Observatory?",
        as_of=datetime(2024, 6, 1, tzinfo=UTC),
        text="a text",
        tokens=_tokens(["the", "director", "is", "Carl", "Dahl"] * 20),
        retrievals=(asked, again),
        threshold=0.25,
        ended="finished",
        statement="The model ended its answer; documents were looked up 2 times.",
        cost=Cost(model_calls=120, input_tokens=900, output_tokens=104, searches=2, seconds=1.5),
    )


@pytest.fixture
def hostile_generation(written: Generation) -> Generation:
    """What a model, a document and a trigger could say at their worst."""
    evil = Evidence.make(f"{EVIL} {'W' * 5000}", title=EVIL, url="javascript:window.hit=1")
    asked = Retrieval(
        number=1, position=0, trigger=EVIL, reason=EVIL, score=-1.0, query=EVIL * 5, documents=(evil,), withdrawn=1,
        withdrawn_text=EVIL, note=EVIL, failed=True,
    )  # fmt: skip
    tokens = _tokens([EVIL, "W" * 3000, "مرحبا", "\x00\u202e", "\n\n"])
    untold = TokenScore(index=5, id=5, text="", word="")
    return written.model_copy(
        update={
            "question": f"{EVIL} {'long ' * 80}", "tokens": (*tokens, untold), "retrievals": (asked,), "statement": EVIL,
        }
    )  # fmt: skip


@pytest.fixture
def unwritten(written: Generation) -> Generation:
    """A generation that came to nothing."""
    return written.model_copy(
        update={"text": "", "tokens": (), "retrievals": (), "as_of": None, "threshold": None, "ended": "failed"}
    )


# -- Chromium -------------------------------------------------------------------------------------

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for this module; it is closed before any test that runs an event loop of its own."""
    path = os.environ.get("DATELINE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium here; install one (apt-get install chromium) or name it in DATELINE_CHROMIUM")
    sync_api = pytest.importorskip("playwright.sync_api", reason="no Playwright here; pip install playwright")
    with sync_api.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=FLAGS, timeout=60_000)
        yield found
        found.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a report; nothing may be complained of, asked for or run while it is shown."""
    complaints: list[str] = []
    asked: list[str] = []
    contexts: list[Any] = []

    def call(run: AnswerReport | Generation, *, width: int = 1000, **options: Any) -> Page:
        file = tmp_path / "report.html"
        page = render(run)
        file.write_text(page, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.as_uri())
        return page

    yield call
    for context in contexts:
        context.close()
    assert complaints == []
    assert {url.split("#")[0] for url in asked if not url.startswith("data:")} <= {(tmp_path / "report.html").as_uri()}
