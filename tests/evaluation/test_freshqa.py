"""FreshQA from its files to the paper's columns, over small files and documents written here."""

from __future__ import annotations

import csv
import gzip
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from dateline.errors import BadInput, ModelFailed, SearchFailed
from dateline.evidence import SIZES
from dateline.evidence.freshprompt import SizeName
from dateline.evidence.order import Order
from dateline.records import Cost, Evidence
from dateline.temporal.interval import Interval
from dateline.testing import FixedSearch
from dateline_bench import rows
from dateline_bench.benchmark import names
from dateline_bench.benchmarks.freshqa import measure, run
from dateline_bench.fresh import FreshAnswer, FreshJudges, FreshQuestion, evaluate, load_questions
from dateline_bench.fresh.corpus import search_over
from dateline_bench.fresh.options import FreshOptions
from dateline_bench.fresh.self_ask import FOLLOW_UPS, ask_oneself
from dateline_bench.fresh.settings import FreshSettings
from dateline_bench.fresh.ways import FreshFindings, first_snippet
from dateline_cli.main import main
from langchain_dateline.testing import ScriptedChatModel

NOW = datetime(2024, 5, 1, 23, 59, 59, tzinfo=UTC)
CHOIR = FreshQuestion("Who leads the choir of Halvik?", ("Tom Reyes",), NOW, False, "fast-changing", "one-hop", True)
BRIDGES = FreshQuestion("How many bridges cross the Senn?", ("14", "fourteen"), NOW, False, "slow-changing", "multi-hop", True)  # fmt: skip
TOWER = FreshQuestion("When was the tower of Halvik built?", ("1711",), NOW, False, "never-changing", "one-hop", False)
QUEEN = FreshQuestion(
    "When did Queen Ilse abdicate again?", ("Queen Ilse never abdicated again.",), NOW, True, "never-changing", "one-hop", False
)  # fmt: skip
QUESTIONS = [CHOIR, BRIDGES, TOWER, QUEEN]
RIGHT = {each.text: each.golds[0] for each in QUESTIONS}


def piece(text: str, year: int, **fields: object) -> Evidence:
    return Evidence.make(text, title=f"Page of {year}", published=Interval.of_day(year, 2, 3), **fields)


FOUND = [
    piece("Tom Reyes leads the choir of Halvik.", 2023),
    piece("Ana Bell leads the choir of Halvik.", 2019),
    piece("Choirs sing.", 2021),
]

HEADER = ["id", "split", "question", "effective_year", "next_review", "false_premise", "num_hops", "fact_type", "source", "answer_0", "answer_1"]  # fmt: skip


def row(question: FreshQuestion, split: str = "TEST") -> list[str]:
    year = {True: "2022", False: "before 2022", None: ""}[question.since_2022]
    premise = str(question.false_premise).upper()
    golds = [*question.golds, ""][:2]
    return ["0", split, question.text, year, "N/A", premise, question.hops, question.fact_type, "", *golds]


def write_csv(path: Path, rows: Sequence[Sequence[str]], before: Sequence[Sequence[str]] = ()) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([*before, HEADER, *rows])
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [row(CHOIR), row(BRIDGES, "DEV"), row(TOWER), row(QUEEN)]
    write_csv(tmp_path / "qa" / "freshqa_v05012024.csv", rows, [["A warning, in quotes."], [""]])
    return tmp_path / "qa"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    texts = [
        ("2019-02-03", "Choir", "Ana Bell leads the choir of Halvik."),
        ("2023-02-03", "Choir", "Tom Reyes leads the choir of Halvik since Ana Bell left."),
        ("2022-02-03", "Senn", "14 bridges cross the Senn."),
        ("2020-02-03", "Tower", "The tower of Halvik was built in 1711."),
        ("2025-02-03", "Choir", "Mia Lund leads the choir of Halvik."),
    ]
    path = tmp_path / "docs"
    path.mkdir()
    with gzip.open(path / "pages.jsonl.gz", "wt", encoding="utf-8") as out:
        for date, title, text in texts:
            out.write(json.dumps({"title": title, "date": date, "text": text}) + "\n")
    return path


# -- files ------------------------------------------------------------------------------------


def test_questions_are_read_behind_lines_that_precede_the_header(folder: Path) -> None:
    assert load_questions(folder) == QUESTIONS


def test_all_files_of_the_folder_are_read_each_as_of_the_day_in_its_name(folder: Path) -> None:
    write_csv(folder / "freshqa_v04072025.csv", [row(CHOIR)])
    days = [each.as_of.date().isoformat() for each in load_questions(folder)]
    assert days == ["2025-04-07"] + ["2024-05-01"] * 4
    assert len(load_questions(folder, file="freshqa_v04072025.csv")) == 1


def test_a_day_in_a_name_is_the_moment_that_the_option_gives_for_it(folder: Path) -> None:
    (named, *_), (given, *_) = (
        load_questions(folder),
        load_questions(folder, as_of=FreshOptions(as_of="2024-05-01").day()),
    )
    assert named.as_of == given.as_of


def test_packed_documents_stand_beside_the_others_of_their_folder(tmp_path: Path) -> None:
    rows.write(tmp_path / "packed.jsonl.gz", [{"text": "The packed harbour is open."}])
    (tmp_path / "note.md").write_text("The plain harbour is closed.")
    found = search_over(tmp_path, semantic=False, progress=None).search(
        "harbour", as_of=datetime(2030, 1, 1, tzinfo=UTC)
    )
    assert {one.text for one in found.evidence} == {"The packed harbour is open.", "The plain harbour is closed."}


def test_a_split_can_be_chosen_and_a_day_given(folder: Path) -> None:
    (only,) = load_questions(folder, split="DEV", as_of=datetime(2030, 1, 1, tzinfo=UTC))
    assert (only.text, only.as_of.year) == (BRIDGES.text, 2030)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("freshqa_v05012024.csv", "a,b\n1,2\n", "header"),
        ("freshqa_v05012024.csv", "", "header"),
        ("freshqa_v99992024.csv", ",".join(HEADER), "as_of"),
        ("questions.csv", ",".join(HEADER), "as_of"),
        ("freshqa_v05012024.csv", ",".join(HEADER), "no questions"),
        ("freshqa_v05012024.csv", ",".join(HEADER) + "\n0,TEST,Who?,2022,,MAYBE,one-hop,fast-changing,,A,\n", "Row 2"),
        ("freshqa_v05012024.csv", ",".join(HEADER) + "\n0,TEST,Who?,2022,,TRUE,no hop,fast-changing,,A,\n", "Row 2"),
        ("freshqa_v05012024.csv", ",".join(HEADER) + "\n0,TEST,Who?,2022,,TRUE,one-hop,fast-changing,,,\n", "Row 2"),
        ("freshqa_v05012024.csv", b"\xff\xfe\x00question", "CSV"),
        ("notes.txt", "", "no CSV file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(
    tmp_path: Path, name: str, content: str | bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadInput, match=said):
        load_questions(tmp_path)


# -- evaluating -------------------------------------------------------------------------------


def test_every_column_of_the_paper_counts_its_own_questions() -> None:
    wrong = {CHOIR.text, QUEEN.text}
    metrics = evaluate(
        QUESTIONS,
        answer=lambda asked: FreshAnswer("nobody knows" if asked.text in wrong else RIGHT[asked.text]),
        judge=FreshJudges.by_rules(),
    ).metrics()
    assert metrics["all_strict"] == metrics["all_relaxed"] == 50.0
    expected = {"valid premise": 66.67, "fast": 0.0, "slow": 100.0, "never": 100.0, "<2022": 100.0, ">=2022": 50.0}
    expected |= {"1-hop": 50.0, "multi-hop": 100.0, "false premise": 0.0, "false premise <2022": 0.0}
    assert {name: metrics[name] for name in expected} == expected
    assert {name: metrics[f"{name}_relaxed"] for name in expected} == expected


def test_a_column_without_questions_is_left_out() -> None:
    metrics = evaluate([CHOIR], answer=lambda asked: FreshAnswer("Tom Reyes"), judge=FreshJudges.by_rules()).metrics()
    assert "false premise" not in metrics
    assert metrics["fast"] == 100.0


def test_an_undecided_judgement_earns_no_credit_and_is_counted() -> None:
    judge = FreshJudges.by_model(ScriptedChatModel(replies=["mumble"]))
    found = evaluate([CHOIR], answer=lambda asked: FreshAnswer("Tom Reyes"), judge=judge)
    assert found.metrics()["all_relaxed"] == 0.0
    assert found.cost()["undecided_relaxed"] == found.cost()["undecided_strict"] == 1.0
    assert found.cost()["judge_model_calls"] == 4.0


def test_hallucination_shows_as_the_gap_between_relaxed_and_strict() -> None:
    answer = FreshAnswer("Tom Reyes leads it since 1850.", (FOUND[0],))
    metrics = evaluate([CHOIR], answer=lambda asked: answer, judge=FreshJudges.by_rules()).metrics()
    assert (metrics["all_relaxed"], metrics["all_strict"]) == (100.0, 0.0)


def test_one_failing_answer_is_counted_and_the_others_go_on() -> None:
    def answer(asked: FreshQuestion) -> FreshAnswer:
        if asked is CHOIR:
            raise ModelFailed("The chat model failed.")
        return FreshAnswer(RIGHT[asked.text])

    found = evaluate(QUESTIONS, answer=answer, judge=FreshJudges.by_rules())
    assert found.metrics()["all_relaxed"] == 75.0
    assert found.cost()["failed_answers"] == 1.0
    assert found.results[0].relaxed.reason == "The chat model failed."


def test_failing_throughout_is_an_error_not_a_zero() -> None:
    def answer(asked: FreshQuestion) -> FreshAnswer:
        raise SearchFailed("The key is not valid.")

    with pytest.raises(SearchFailed, match="key"):
        evaluate(QUESTIONS, answer=answer, judge=FreshJudges.by_rules())


def test_several_at_once_keep_their_order() -> None:
    together = threading.Barrier(2, timeout=10)

    def answer(asked: FreshQuestion) -> FreshAnswer:
        together.wait()
        return FreshAnswer(RIGHT[asked.text])

    found = evaluate(QUESTIONS, answer=answer, judge=FreshJudges.by_rules(), at_once=2)
    assert [each.question for each in found.results] == QUESTIONS
    assert found.metrics()["all_strict"] == 100.0


@pytest.mark.parametrize(("questions", "at_once"), [([], 1), (QUESTIONS, 0)])
def test_nothing_to_do_is_refused(questions: list[FreshQuestion], at_once: int) -> None:
    with pytest.raises(BadInput):
        evaluate(questions, answer=lambda asked: FreshAnswer(""), judge=FreshJudges.by_rules(), at_once=at_once)


# -- settings ---------------------------------------------------------------------------------


def shown_to_model(settings: FreshSettings, evidence: Sequence[Evidence] = FOUND) -> str:
    model = ScriptedChatModel(replies=["reasoning: -\nanswer: Tom Reyes\nevidence: E1"])
    measure([CHOIR], search=FixedSearch(evidence), model=model, settings=settings, self_ask=False, direct=False)
    return "\n".join(str(message.content) for message in model.history[0])


def order_in(prompt: str) -> list[str]:
    user = prompt.rsplit("--- end of the examples ---", 1)[-1]
    return sorted(("Tom Reyes", "Ana Bell", "Choirs"), key=user.index)


@pytest.mark.parametrize("snippets_only", [False, True])
@pytest.mark.parametrize(
    ("order", "expected"),
    [("time", ["Ana Bell", "Choirs", "Tom Reyes"]), ("search", ["Choirs", "Ana Bell", "Tom Reyes"])],
)
def test_evidence_stands_in_the_order_asked_for_with_and_without_its_dates(
    order: Order, expected: list[str], snippets_only: bool
) -> None:
    prompt = shown_to_model(FreshSettings(order=order, snippets_only=snippets_only))
    assert order_in(prompt) == expected
    assert ("Page of 2019" in prompt) is not snippets_only


@pytest.mark.parametrize("snippets_only", [False, True])
def test_the_prompt_says_in_which_order_its_pieces_stand(snippets_only: bool) -> None:
    for order, said in (("time", "oldest to newest"), ("search", "the best last"), ("random", "in no order")):
        assert said in shown_to_model(FreshSettings(order=order, snippets_only=snippets_only))  # type: ignore[arg-type]


def test_the_cut_of_the_paper_leaves_the_newest() -> None:
    page = [Evidence.make("Once Tom Reyes."), *(piece(f"Piece of {year}.", year) for year in range(2015, 2024))]
    for cut, left in (("balanced", "Once Tom Reyes."), ("newest", "Piece of 2023.")):
        prompt = shown_to_model(FreshSettings(cut=cut, evidences=2), page)  # type: ignore[arg-type]
        assert left in prompt
        assert ("Once Tom Reyes." in prompt) is (cut == "balanced")


def test_random_order_depends_on_the_seed_alone() -> None:
    orders = [order_in(shown_to_model(FreshSettings(order="random", seed=seed))) for seed in [*range(8), 0]]
    assert orders[0] == orders[8]
    assert len({tuple(each) for each in orders}) > 1


def test_answer_box_and_related_information_can_be_left_out() -> None:
    page = [
        *FOUND,
        piece("The box says Tom Reyes.", 2024, kind="answer_box"),
        piece("The graph says Tom Reyes.", 2024, kind="knowledge_graph"),
        piece("Others ask who sings.", 2022, kind="related_question"),
    ]
    full = shown_to_model(FreshSettings(), page)
    assert all(text in full for text in ("The box", "The graph", "Others ask"))
    assert "The box" not in shown_to_model(FreshSettings(answer_box=False), page)
    less = shown_to_model(FreshSettings(answer_box=False, related=False), page)
    assert not any(text in less for text in ("The box", "The graph", "Others ask"))


def test_numbers_of_evidence_and_examples_and_the_premise_check_reach_the_prompt() -> None:
    few = shown_to_model(FreshSettings(evidences=1, demonstrations=2))
    assert "Tom Reyes" in few
    assert "Choirs" not in few.rsplit("--- end of the examples ---", 1)[-1]
    assert ("example 2" in few, "example 3" in few) == (True, False)
    assert shown_to_model(FreshSettings(premise_check=True)).count("\n") > shown_to_model(FreshSettings()).count("\n")


@pytest.mark.parametrize("name", ["small", "large", "best"])
def test_the_papers_sizes_are_taken_by_name_and_fifteen_pieces_leave_the_ten_results(name: SizeName) -> None:
    assert FreshSettings(sizes=name).numbers() == SIZES[name]
    assert FreshSettings().numbers() == SIZES["large"]
    assert FreshSettings(evidences=15).numbers() == SIZES["best"]
    told = FreshSettings(sizes=name).configuration()
    assert (told["evidences"], told["demonstrations"]) == (SIZES[name].evidence, 5)
    assert FreshOptions.of({"sizes": name}).settings(0).numbers() == SIZES[name]
    assert FreshOptions.of({"sizes": name, "evidences": "3"}).settings(0).numbers().evidence == 3


def test_bare_snippets_of_all_kinds_reach_the_prompt() -> None:
    page = [
        *(piece(f"Result {number} says {number * 7}.", 2000 + number) for number in range(10)),
        *(piece(f"Others ask {number * 9}.", 2010 + number, kind="related_question") for number in range(3)),
    ]
    prompt = shown_to_model(FreshSettings(sizes="best", snippets_only=True), page)
    assert all(each.text in prompt for each in page)


@pytest.mark.parametrize(
    "bad",
    [
        {"order": "date"},
        {"cut": "oldest"},
        {"sizes": "huge"},
        {"evidences": 0},
        {"demonstrations": 99},
        {"style": "long"},
    ],
)
def test_settings_that_cannot_be_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        FreshSettings(**bad)  # type: ignore[arg-type]


# -- ways of answering ------------------------------------------------------------------------


def test_the_engine_itself_answers_with_its_box_else_its_first_result() -> None:
    box = piece("Tom Reyes", 2024, kind="answer_box")
    assert first_snippet(CHOIR, found=FreshFindings(FixedSearch([*FOUND, box]))).text == "Tom Reyes"
    assert first_snippet(CHOIR, found=FreshFindings(FixedSearch(FOUND))).text == FOUND[0].text
    assert first_snippet(CHOIR, found=FreshFindings(FixedSearch())).text == ""
    assert first_snippet(CHOIR, found=FreshFindings(None)).text == ""


def test_all_ways_of_answering_share_one_search() -> None:
    search = FixedSearch(FOUND)
    report = measure([CHOIR], search=search)
    assert search.history == [CHOIR.text]
    assert report.cost["searches"] == 1.0


def ask(*replies: str, evidence: Sequence[Evidence] = FOUND) -> tuple[FreshAnswer, list[list[BaseMessage]], list[str]]:
    model, search = ScriptedChatModel(replies=replies), FixedSearch(evidence)
    return ask_oneself(CHOIR, found=FreshFindings(search), model=model), model.history, search.history


def test_self_ask_searches_for_its_follow_ups_and_gives_the_final_answer() -> None:
    answer, heard, searched = ask("follow-up: Who led it first?", "Final answer: **Tom Reyes**")
    assert (answer.text, searched) == ("Tom Reyes", ["Who led it first?"])
    assert "intermediate answer: Tom Reyes leads the choir" in str(heard[1][-1].content)
    assert answer.cost.model_calls == 2
    assert "2024-05-01" in str(heard[0][0].content)


def test_self_ask_stops_after_a_bounded_number_of_follow_ups() -> None:
    answer, heard, searched = ask("follow-up: And then?")
    assert searched == ["And then?"]
    assert answer.text == ""
    assert len(heard) == FOLLOW_UPS + 1
    assert "No more follow-ups" in str(heard[-1][-1].content)


def test_self_ask_hears_no_intermediate_answer_that_the_model_made_up() -> None:
    made_up = "follow-up: Who led it?\nintermediate answer: Mia Lund\nfinal answer: Mia Lund"
    answer, heard, _ = ask(made_up, "final answer: Tom Reyes")
    assert answer.text == "Tom Reyes"
    assert "Mia Lund" not in str(heard[1])


@pytest.mark.parametrize("reply", ["", "no idea", "final answer:"])
def test_self_ask_without_a_final_answer_gives_none(reply: str) -> None:
    assert ask(reply)[0].text == ""


def test_the_model_alone_is_fed_nothing_but_the_question() -> None:
    model = ScriptedChatModel(replies=["reasoning: -\nanswer: Ana Bell\nevidence: none", "I believe it is Tom Reyes."])
    report = measure([CHOIR], model=model, self_ask=False)
    ((asked,),) = model.history[1:]
    assert (asked.type, asked.content) == ("human", CHOIR.text)
    assert report.baselines["direct"]["all_relaxed"] == 100.0
    assert report.metrics["all_relaxed"] == 0.0
    assert report.cost["direct_model_calls"] == 1.0
    assert "direct" not in measure([CHOIR], model=model, self_ask=False, direct=False).baselines
    assert "direct" not in measure([CHOIR]).baselines


def test_a_model_a_search_and_a_judge_work_together_end_to_end() -> None:
    model = ScriptedChatModel(
        replies=["reasoning: E2 is newer.\nanswer: Tom Reyes\nevidence: E2", "final answer: Ana Bell"]
    )
    judge = FreshJudges.by_model(
        ScriptedChatModel(replies=["comment: right\nverdict: credit"] * 4 + ["verdict: no credit"])
    )
    report = measure([CHOIR], search=FixedSearch(FOUND), model=model, judge=judge, at_once=1)
    assert report.metrics["all_strict"] == report.baselines["first snippet"]["all_strict"] == 100.0
    assert report.baselines["self_ask"]["all_relaxed"] == 0.0
    assert report.cost["model_calls"] == report.cost["self_ask_model_calls"] == 1.0
    assert report.cost["judge_model_calls"] == 2.0
    assert report.configuration["reader"] == "ChatReader"


# -- running ----------------------------------------------------------------------------------


def test_it_is_a_benchmark() -> None:
    assert "freshqa" in names()
    assert "judging" not in names()


def test_the_local_reader_answers_from_gzipped_documents_known_on_the_day(folder: Path, docs: Path) -> None:
    report = run(folder, docs=str(docs), embeddings="lexical")
    assert report.n == 4
    assert report.metrics["fast"] == report.metrics["slow"] == report.metrics["never"] == 100.0
    assert set(report.baselines) == {"first snippet"}
    assert report.configuration["docs"] == "docs"
    assert all(0.0 <= figure <= 100.0 for figure in report.metrics.values())


def test_without_documents_there_is_no_evidence_and_no_credit(folder: Path) -> None:
    report = run(folder)
    assert report.metrics["all_relaxed"] == 0.0
    assert report.configuration["search"] == "none"


def test_the_same_seed_takes_the_same_questions(folder: Path, docs: Path) -> None:
    figures = [run(folder, limit=2, seed=5, docs=str(docs), embeddings="lexical") for _ in range(2)]
    assert figures[0].n == 2
    assert figures[0].metrics == figures[1].metrics


def test_the_command_writes_the_table(folder: Path, docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    out = tmp_path / "out.json"
    options = [f"docs={docs}", "embeddings=lexical", "order=search", "evidences=5", "snippets_only=yes"]
    arguments = ["evaluate", "freshqa", str(folder), "--json", str(out)]
    assert main([*arguments, *(part for each in options for part in ("--option", each))]) == 0
    assert {"all_strict", "all_relaxed", "fast", "false premise"} <= json.loads(out.read_text())["metrics"].keys()
    assert "multi-hop" in capsys.readouterr().out


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """A chat endpoint on this machine; what it was sent."""
    sent: list[dict[str, Any]] = []

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sent.append(body)
            judging = "verdict:" in body["messages"][0]["content"]
            said = "comment: right\nverdict: credit" if judging else "reasoning: -\nanswer: Tom Reyes\nevidence: none"
            choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
            reply = {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [choice],
                "usage": usage,
            }
            data = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    yield sent
    server.shutdown()
    server.server_close()


def test_models_are_taken_by_their_names_to_answer_and_to_judge(folder: Path, endpoint: list[dict[str, Any]]) -> None:
    pytest.importorskip("langchain_openai")
    report = run(folder, model="openai:answering", judge="openai:judging", at_once="2", self_ask="no")
    assert report.metrics["all_strict"] == report.metrics["all_relaxed"] == 100.0
    assert {each["model"] for each in endpoint} == {"answering", "judging"}
    assert {each["temperature"] for each in endpoint} == {0.0}
    assert report.cost["model_calls"] == 4.0
    assert report.cost["judge_model_calls"] == 8.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"colour": "red"}, "colour"),
        ({"order": "date"}, "order=date"),
        ({"answer_box": "maybe"}, "yes, no"),
        ({"evidences": "many"}, "evidences=many"),
        ({"sizes": "huge"}, "small, large, best"),
        ({"evidences": "0"}, "room"),
        ({"at_once": "0"}, "at_once"),
        ({"premise_check": "yes"}, "model="),
        ({"demonstrations": "3"}, "model="),
        ({"model": "gpt"}, "provider:model"),
        ({"judge": "gpt"}, "provider:model"),
        ({"model": "nosuchprovider:x"}, "nosuchprovider"),
        ({"model": "openai:gpt-4o", "temperature": "hot"}, "temperature"),
        ({"docs": "no/such/folder"}, "no/such/folder"),
        ({"file": "other.csv"}, "other.csv"),
        ({"split": "TRAIN"}, "TEST, DEV"),
        ({"as_of": "2199-01-01"}, "2199-01-01"),
    ],
)
def test_bad_options_are_refused_before_anything_runs(folder: Path, options: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        run(folder, **options)


def test_limits_below_one_are_refused(folder: Path) -> None:
    with pytest.raises(BadInput, match="limit"):
        run(folder, limit=0)


def test_no_question_is_changed_by_asking_it() -> None:
    before = [replace(each) for each in QUESTIONS]
    measure(QUESTIONS, search=FixedSearch(FOUND))
    assert before == QUESTIONS


def test_costs_add_up_over_answers() -> None:
    found = evaluate(
        QUESTIONS,
        answer=lambda asked: FreshAnswer("?", cost=Cost(model_calls=2, searches=1)),
        judge=FreshJudges.by_rules(),
    )
    assert (found.cost()["model_calls"], found.cost()["searches"]) == (8.0, 4.0)
