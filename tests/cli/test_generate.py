"""`dateline generate`: what it prints, the page it writes, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dateline import Cost, Evidence
from dateline.dynamic import Generation, Retrieval
from dateline.dynamic.values import TokenScore
from dateline.testing import tiny_causal_model
from dateline_cli.main import main
from dateline_graphs.page import render

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("model")
    made = tiny_causal_model()
    made.model.save_pretrained(folder)
    made.tokenizer.save_pretrained(folder)
    return str(folder)


def run(model: str, docs: Path, *more: str) -> int:
    asked = ["generate", "Who is the director of the Northern Observatory?", "--model", model, "--docs", str(docs)]
    return main([*asked, "--max-new-tokens", "12", "--as-of", "2024-06-01", *more])


def test_it_shows_scores_and_where_it_looked_things_up_and_writes_the_page(
    model: str, changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    assert run(model, changed_fact, "--theta", "0.02", "--show", "--report", str(page)) == 0
    out = capsys.readouterr().out
    assert out.startswith("rind, theta 0.020")
    assert re.search(r"\[\d+\.\d\d\]", out)
    assert "<1>" in out
    assert "found: 2021-09-14 Carl Dahl becomes head" in out
    html = page.read_text(encoding="utf-8")
    assert 'id="r1"' in html
    assert "<script" not in html


def test_what_it_prints_as_json_becomes_the_same_page_later(
    model: str, changed_fact: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, stored = tmp_path / "page.html", tmp_path / "run.json"
    assert run(model, changed_fact, "--theta", "0.02", "--json", "--report", str(page)) == 0
    stored.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["report", str(stored)]) == 0
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
    assert "1 June 2024" in page.read_text(encoding="utf-8").replace("\u00a0", " ")


def test_without_theta_dragin_is_calibrated_on_the_question(
    model: str, changed_fact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(model, changed_fact, "--json") == 0
    made = Generation.model_validate(json.loads(capsys.readouterr().out))
    assert made.retrievals
    assert {each.trigger for each in made.retrievals} == {"rind"}


@pytest.mark.parametrize(
    ("method", "trigger"),
    [("flare", {"flare"}), ("fl-rag", {"every n tokens"}), ("sr-rag", {"once"}), ("wo-rag", set())],
)
def test_the_methods_go_by_the_names_of_the_paper(
    model: str, changed_fact: Path, method: str, trigger: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(model, changed_fact, "--method", method, "--json") == 0
    made = json.loads(capsys.readouterr().out)
    assert {each["trigger"] for each in made["retrievals"]} <= trigger
    assert bool(made["retrievals"]) == bool(trigger & {"every n tokens", "once"}) or method == "flare"


def test_table_9_goes_by_name(model: str, changed_fact: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["generate", "Who is the director?", "--model", model, "--docs", str(changed_fact), "--as-of", "2024-06-01"]
    more = ["--method", "dragin-published", "--paper", "llama2-13b-chat/2wikimultihopqa", "--show"]
    assert main([*asked, *more]) == 0
    out = capsys.readouterr().out
    assert out.startswith("rind published, theta 0.600")
    assert "cut at 64 tokens" in out or "ended its answer" in out


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--method", "magic"), "--method must be one of wo-rag, sr-rag"),
        (("--theta", "-1"), "--theta must be a number of 0 or more, not '-1'"),
        (("--theta", "nan"), "--theta must be a number of 0 or more, not 'nan'"),
        (("--max-new-tokens", "0"), "--max-new-tokens must be a whole number from 1 to 100000, not '0'"),
        (("--paper", "gpt/hotpotqa"), "Table 9 has no 'gpt/hotpotqa'"),
        (("--method", "dragin-published"), "needs theta"),
        (("--report", "/nowhere/at/all.html"), "its folder does not exist"),
        (("--model", "/no/model/here"), "Cannot read the model '/no/model/here'"),
        (("--model", "/no/model/here.gguf"), "no causal language model at"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    model: str, changed_fact: Path, more: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(model, changed_fact, *more) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_no_text_becomes_markup_on_the_page() -> None:
    evil = "<script>alert(1)</script>"
    token = TokenScore(index=0, id=1, text=evil, word=evil, probability=0.5, entropy=1.0, max_attention=0.5, rind=0.5)
    asked = Retrieval(
        number=1,
        position=0,
        trigger="rind",
        reason=evil,
        score=0.5,
        query=evil,
        documents=(Evidence.make(evil, title=evil, url="javascript:alert(1)"),),
        withdrawn=1,
        withdrawn_text=evil,
        note=evil,
    )
    made = Generation(
        question=evil,
        text=evil,
        tokens=(token,),
        retrievals=(asked,),
        threshold=0.1,
        ended="finished",
        statement=evil,
        cost=Cost(),
    )
    page = render(made)
    assert "<script" not in page
    assert 'href="javascript' not in page
    assert page.count("&lt;script&gt;") >= 8
    assert "default-src 'none'" in page
