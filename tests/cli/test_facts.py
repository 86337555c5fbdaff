"""`dateline facts` as a person runs it."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from dateline_cli.main import main

VALUES = ("remember", "value", "changed")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["facts", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def store(run: Run, changed_fact: Path, tmp_path: Path) -> str:
    folder = str(tmp_path / "store")
    assert run("add", folder, str(changed_fact))[0] == 0
    return folder


def read(out: str) -> Any:
    return json.loads(out)


def test_facts_are_found_as_they_stood_at_a_date(run: Run, store: str) -> None:
    query = ("search", store, "director of the Northern Observatory", "--json")
    before = [found["fact"]["text"] for found in read(run(*query, "--as-of", "2018")[1])]
    after = [found["fact"]["text"] for found in read(run(*query, "--as-of", "2022")[1])]
    assert any("Anna Berg took office" in text for text in before)
    assert not any("Carl Dahl" in text for text in before)
    assert any("Carl Dahl" in text for text in after)


def test_adding_the_same_documents_again_changes_nothing(run: Run, store: str, changed_fact: Path) -> None:
    out = run("add", store, str(changed_fact))[1]
    assert out.startswith("2 documents: no change.\n")
    assert "has this document already" in out


def test_a_dry_run_shows_the_changes_and_writes_nothing(run: Run, changed_fact: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "store")
    _, out, _ = run("add", folder, str(changed_fact), "--dry-run", "--json")
    assert {change["kind"] for change in read(out)["changes"]} >= {"added"}
    assert read(run("changes", folder, "--json")[1]) == []


def test_a_dry_run_reads_as_a_difference(run: Run, store: str, tmp_path: Path) -> None:
    docs = tmp_path / "new"
    docs.mkdir()
    text = "---\ndate: 2024-05-01\n---\nEva Lund is the director of the Northern Observatory.\n"
    (docs / "third.md").write_text(text, encoding="utf-8")
    out = run("add", store, str(docs), "--dry-run")[1]
    assert out.startswith("Dry run, no fact written. 1 document: ")
    assert "  + Eva Lund is the director of the Northern Observatory.  [true from 2024-05-01 on]\n" in out
    assert "  - Carl Dahl was named director" in out
    assert "true -> false from 2024-05-01 on" in out
    assert "Eva Lund" not in run("search", store, "director", "--all")[1]


def test_many_changes_are_counted_and_only_the_first_are_shown(run: Run, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    lines = "\n\n".join(f"The lamp number {number} of the hall is green." for number in range(30))
    (docs / "lamps.md").write_text(f"---\ndate: 2024-05-01\n---\n{lines}\n", encoding="utf-8")
    out = run("add", str(tmp_path / "store"), str(docs))[1]
    assert "30 added.\n" in out
    assert out.count("  + ") == 20
    assert "10 more" in out
    assert run("add", str(tmp_path / "other"), str(docs), "--verbose")[1].count("  + ") == 30


def test_edits_wait_until_they_are_approved_or_rejected(run: Run, store: str, tmp_path: Path) -> None:
    docs = tmp_path / "new"
    docs.mkdir()
    text = "---\ndate: 2024-05-01\n---\nEva Lund is the director of the Northern Observatory.\n"
    (docs / "third.md").write_text(text, encoding="utf-8")
    assert "pending" in run("add", store, str(docs), "--interrupt-on", "make_false")[1]
    pending = read(run("pending", store, "--json")[1])
    assert pending
    assert "Carl Dahl" in run("search", store, "director", "--as-of", "2025")[1]
    first, *others = [one["id"] for one in pending]
    assert "made false" in run("approve", store, first, "--reason", "confirmed")[1]
    if others:
        run("reject", store, *others)
    assert run("pending", store)[1] == "None.\n"


@pytest.mark.parametrize(
    "verb", ["add", "search", "at", "history", "changes", "undo", "export", "pending", "approve", *VALUES]
)
def test_every_argument_of_a_verb_is_explained(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["facts", verb, "--help"])
    lines = capsys.readouterr().out.splitlines()
    bare = [line for line in lines if line.startswith("  ") and len(line.split("  ")) == 2 and "[" not in line]
    followed = [line for line in bare if lines[lines.index(line) + 1].startswith(" " * 20)]
    assert bare == followed


def test_undo_takes_a_document_back(run: Run, store: str) -> None:
    changes = read(run("changes", store, "--json")[1])
    document = next(change["document"] for change in changes if "Carl Dahl" in change["fact"]["text"])
    assert run("undo", store, document)[0] == 0
    found = read(run("search", store, "director of the Northern Observatory", "--as-of", "2022", "--json")[1])
    assert not any("Carl Dahl" in each["fact"]["text"] for each in found)
    assert run("undo", store, document)[1] == "None.\n"


def test_history_names_documents_and_both_clocks(run: Run, store: str) -> None:
    fact = read(run("search", store, "Anna Berg took office", "--all", "--json")[1])[0]["fact"]["id"]
    _, out, _ = run("history", store, fact)
    assert "2015-03-02" in out
    assert "true" in out


def test_values_are_told_and_asked(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "values")
    assert "added" in run("remember", folder, "Tolvex", "price", "19 euros", "--since", "2021", "--source", "list")[1]
    assert "made false" in run("remember", folder, "Tolvex", "cost", "22 euros", "--since", "2024-03-01")[1]
    told = run("value", folder, "tolvex", "price", "--as-of", "2024-06-01")[1]
    assert told == "The price of Tolvex is 22 euros. (since 2024-03-01)\n"
    assert "known only from 2021 on" in run("value", folder, "Tolvex", "price", "--as-of", "2020")[1]
    periods = read(run("history", folder, "Tolvex", "price", "--json")[1])["periods"]
    assert [(each["value"], each["sources"]) for each in periods] == [("19 euros", ["list"]), ("22 euros", ["given"])]
    turns = read(run("changed", folder, "--since", "2024", "--json")[1])
    assert [(turn["fact"]["slot"]["value"], turn["true"]) for turn in turns] == [
        ("19 euros", False),
        ("22 euros", True),
    ]
    assert "22 euros" not in run("at", folder, "--during", "2022")[1]


def test_contested_values_are_marked(run: Run, tmp_path: Path) -> None:
    folder, mine = str(tmp_path / "values"), tmp_path / "mine.toml"
    for name in ("Jon Holm", "Eva Lund"):
        run("remember", folder, "Ada Berg", "mentor", name, "--since", "2020")
    assert run("search", folder, "mentor")[1].count("contested") == 2
    mine.write_text('[mentor]\nvalues = "many"\n', encoding="utf-8")
    assert "contested" not in run("search", folder, "mentor", "--slots", str(mine))[1]


def test_the_first_letters_of_an_id_are_enough_where_they_name_one_fact(run: Run, store: str) -> None:
    ids = [each["fact"]["id"] for each in read(run("search", store, "director", "--all", "--json")[1])]
    fact = ids[0]
    short = next(fact[:size] for size in range(1, 99) if sum(each.startswith(fact[:size]) for each in ids) == 1)
    assert run("history", store, short) == run("history", store, fact)
    code, _, err = run("history", store, "")
    assert code == 2
    assert "give more of it" in err


def test_an_export_read_into_an_empty_store_gives_the_same_facts(run: Run, store: str, tmp_path: Path) -> None:
    file, copy = str(tmp_path / "facts.jsonl"), str(tmp_path / "copy")
    assert run("export", store, file)[0] == 0
    assert run("import", copy, file)[0] == 0
    assert read(run("import", copy, file, "--json")[1]) == {"operations_new": 0}
    at = ("--as-of", "2022", "--json")
    assert read(run("at", copy, *at)[1]) == read(run("at", store, *at)[1])
    assert run("reindex", copy)[0] == 0
    assert run("check", copy)[:2] == (0, run("check", store)[1])


def test_the_index_of_a_store_by_url_is_built_anew_too(run: Run, changed_fact: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'facts.db'}"
    assert run("add", url, str(changed_fact))[0] == 0
    with closing(sqlite3.connect(tmp_path / "facts.db")) as connection, connection:
        (facts,) = connection.execute("SELECT count(*) FROM dateline_facts").fetchone()
        connection.execute("UPDATE dateline_vectors SET vector = zeroblob(length(vector))")
    assert run("check", url)[0] == 1
    assert run("reindex", url)[:2] == (0, f"{facts} facts indexed\n")
    assert run("check", url)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["search", "no/such/store", "x"], "no/such/store"),
        (["add", "STORE", "no/such/docs"], "no/such/docs"),
        (["search", "STORE", "x", "--as-of", "2023-02-30"], "2023-02-30"),
        (["search", "STORE", "x", "-k", "0"], "0"),
        (["history", "STORE", "nosuchid"], "nosuchid"),
        (["undo", "STORE", "nosuchdocument"], "nosuchdocument"),
        (["import", "STORE", "no/such/file"], "no/such/file"),
        (["export", "STORE", "no/such/folder/file"], "no/such/folder"),
        (["reindex", "no/such/store"], "no/such/store"),
        (["search", "STORE", " "], "query is empty"),
        (["search", "STORE", "x", "--as-of", ""], "--as-of is empty"),
        (["search", "STORE", "x", "--known-at", ""], "--known-at is empty"),
        (["at", "STORE", "--as-of", " "], "--as-of is empty"),
        (["changes", "STORE", "--since", ""], "--since is empty"),
        (["add", "STORE", "DOCS", "--model", "gpt"], "provider:model"),
        (["add", "STORE", "DOCS", "--min-sources", "0"], "--min-sources"),
        (["approve", "STORE", "nosuchedit"], "nosuchedit"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    run: Run, store: str, changed_fact: Path, arguments: list[str], expected: str
) -> None:
    places = {"STORE": store, "DOCS": str(changed_fact)}
    code, out, err = run(*[places.get(argument, argument) for argument in arguments])
    assert (code, out) == (2, "")
    assert expected in err
    assert err.count("\n") == 1


EVA = "Eva Lund is the director of the Northern Observatory."
TOLD = "Carl Dahl was named director of the Northern Observatory on 14 September 2021, succeeding Anna Berg."


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A server that speaks like OpenAI's and has the end of a term of office to tell."""
    asked: list[str] = []

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = sent["messages"][1]["content"]
            asked.append(prompt)
            label = next((line.split("|")[0] for line in prompt.splitlines() if f"| {TOLD}" in line), "F0")
            verdict = {"fact": label, "verdict": "make false", "because": ["S1"], "new": [], "into": EVA}
            reply = {"verdicts": [verdict]} if "FACTS" in prompt else {"facts": [EVA]}
            message = {"role": "assistant", "content": json.dumps(reply)}
            body = {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": sent["model"],
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
            }
            data = json.dumps(body).encode()
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
    yield asked
    server.shutdown()
    server.server_close()


def test_a_chat_model_decides_where_one_is_named_and_a_dry_run_has_paid_for_the_real_one(
    run: Run, store: str, tmp_path: Path, endpoint: list[str]
) -> None:
    pytest.importorskip("langchain_openai")
    docs = tmp_path / "new"
    docs.mkdir()
    (docs / "third.md").write_text(f"---\ndate: 2024-05-01\n---\n{EVA}\n", encoding="utf-8")
    dry = run("add", store, str(docs), "--model", "openai:some-model", "--dry-run")[1]
    assert "1 rewritten" in dry
    assert "3 model calls, 300 tokens in, 30 out" in dry
    assert f"  - {TOLD}" in dry
    assert f"  + {EVA}  [true from 2024-05-01 on]" in dry
    real = run("add", store, str(docs), "--model", "openai:some-model")[1]
    assert "1 rewritten" in real
    assert "model calls" not in real
    assert len(endpoint) == 3


def test_documents_are_forgotten_with_a_trace(run: Run, store: str) -> None:
    _, out, _ = run("changes", store, "--json")
    document = json.loads(out)[0]["document"]
    code, out, _ = run("expire", store, "--days", "1", "--since", "published", "--dry-run")
    assert code == 0
    assert "would be forgotten" in out
    code, out, _ = run("forget", store, document, "--by", "Ada", "--reason", "asked to")
    assert code == 0
    assert "by Ada (asked to)" in out
    assert "by Ada (asked to)" in run("forgotten", store)[1]
    code, out, _ = run("check", store)
    assert code == 0
    assert "entries were erased" in out
    assert "forgotten before" in run("forget", store, document, "--by", "Ada", "--reason", "again")[1]
    assert run("forget", store, "--by", "Ada", "--reason", "why")[0] == 2


def test_an_export_of_another_memory_is_imported(run: Run, tmp_path: Path) -> None:
    edges = tmp_path / "edges.json"
    good = {"uuid": "e1", "fact": "Joana lives in Porto.", "valid_at": "2020-03-01T00:00:00Z"}
    edges.write_text(json.dumps([good, {"uuid": "e2"}]))
    folder = str(tmp_path / "store")
    code, out, _ = run("import", folder, str(edges), "--format", "graphiti")
    assert code == 0
    assert "1 documents, 1 changes" in out
    assert "row 2: fact is missing or empty." in out
    assert "Joana lives in Porto." in run("at", folder, "--as-of", "2021")[1]


@pytest.fixture
def told(run: Run, tmp_path: Path) -> str:
    """A store of sentences; not all of them can be read as a field."""
    for day, text in (
        ("2015-03-02", "The director of the mill is Anna Berg."),
        ("2019-05-06", "The door code of the mill opens the side gate."),
        ("2021-09-14", "The director of the mill is Carl Dahl."),
    ):
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs" / f"{day}.md").write_text(text, encoding="utf-8")
    assert run("add", str(tmp_path / "told"), str(tmp_path / "docs"))[0] == 0
    return str(tmp_path / "told")


def test_a_history_is_found_by_the_fact_s_text_or_by_words_of_it(run: Run, told: str) -> None:
    _, whole, _ = run("history", told, "the director of the mill is Anna Berg.")
    assert whole.splitlines()[0] == "The director of the mill is Anna Berg."
    assert "2021-09-14" in whole
    _, both, _ = run("history", told, "director of the mill")
    assert both.index("2015-03-02") < both.index("2021-09-14")
    assert {"Anna", "Carl"} <= set(both.split())
    code, _, err = run("history", told, "the moon")
    assert (code, "No fact has the id 'the moon' or says these words" in err) == (2, True)


def test_where_no_field_can_be_read_the_sentences_that_name_it_are_shown(run: Run, told: str) -> None:
    _, out, _ = run("value", told, "door code", "purpose", "--as-of", "2020")
    assert "Nothing is known of the purpose of door code as of 2020" in out
    assert "side gate" in out
    assert "side gate" not in run("value", told, "door code", "purpose", "--as-of", "2018")[1]
    assert "side gate" not in run("value", told, "door code", "purpose", "--as-of", "2020", "--known-at", "2021")[1]


def test_rows_that_are_not_in_the_order_of_nearness_are_explained(
    run: Run, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dateline.facts import FactStore

    def newest_on_top(self: FactStore, query: str, **options: Any) -> Any:
        return list(reversed(search(self, query, **options)))

    explained = "First the facts that state what is asked"
    assert explained not in run("search", told, "director of the mill", "--all")[1]
    search = FactStore.search
    monkeypatch.setattr(FactStore, "search", newest_on_top)
    assert explained in run("search", told, "director of the mill", "--all")[1]


def test_a_question_is_answered_by_what_is_known_or_not_at_all(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "asked")
    run("remember", folder, "Ada Berg", "employer", "Tolvex", "--since", "2020")
    run("remember", folder, "Tolvex", "headquarters", "Lund", "--since", "2019")
    assert run("ask", folder, "Who works at Tolvex?")[1] == "Ada Berg, by: Ada Berg works at Tolvex.\n"
    assert read(run("ask", folder, "Where is Tolvex based?", "--json")[1])["values"] == ["Lund"]
    assert "dateline facts search" in run("ask", folder, "Where does Karl Otto live?")[1]
    assert run("ask", folder, " ")[0] == 2


@pytest.fixture
def mentors(tmp_path: Path) -> tuple[str, str]:
    """A folder of notes, and a pack whose verb they use."""
    pack, notes = tmp_path / "slots.toml", tmp_path / "notes"
    pack.write_text('[mentor]\nvalues = "one"\nverbs = ["learns from"]\nshape = "person"\n', encoding="utf-8")
    notes.mkdir()
    (notes / "a.md").write_text("---\ndate: 2020\n---\nAda learns from Jon.\n", encoding="utf-8")
    return str(notes), str(pack)


def test_documents_are_read_by_attributes_of_one_s_own(run: Run, tmp_path: Path, mentors: tuple[str, str]) -> None:
    folder, (notes, pack) = str(tmp_path / "store"), mentors
    assert run("add", folder, notes, "--slots", pack)[0] == 0
    assert "Ada learns from Jon." in run("value", folder, "Ada", "mentor", "--slots", pack)[1]
    for verb in (["changed", folder, "--since", "2020"], ["changes", folder], ["pending", folder], ["reindex", folder]):
        assert run(*verb, "--slots", pack)[0] == 0
    code, _, err = run("pending", folder, "--slots", "no/such.toml")
    assert (code, err.count("\n"), "no/such.toml" in err) == (2, 1, True)


def test_a_pack_of_attributes_may_have_a_name_that_the_terminal_cannot_spell(
    run: Run, tmp_path: Path, mentors: tuple[str, str]
) -> None:
    folder, (notes, pack) = str(tmp_path / "store"), mentors
    odd = str(Path(pack).rename(tmp_path / "slots\udcff.toml"))
    assert run("add", folder, notes, "--slots", odd)[0] == 0
    assert "Ada learns from Jon." in run("value", folder, "Ada", "mentor", "--slots", odd)[1]


def test_a_history_of_a_fact_ends_at_the_asked_date(run: Run, told: str) -> None:
    said = "The director of the mill is Anna Berg."
    assert len(read(run("history", told, said, "--json")[1])["entries"]) == 2
    (entry,) = read(run("history", told, said, "--as-of", "2018", "--json")[1])["entries"]
    assert entry["true"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "STORE", "caf\udce9"],
        ["search", "STORE", "x", "--source", "caf\udce9"],
        ["history", "STORE", "caf\udce9"],
        ["history", "STORE", "Ada", "caf\udce9"],
        ["value", "STORE", "caf\udce9", "price"],
        ["ask", "STORE", "Who is caf\udce9?"],
        ["undo", "STORE", "caf\udce9"],
        ["approve", "STORE", "caf\udce9"],
        ["remember", "STORE", "Ada", "price", "2", "--source", "caf\udce9"],
        ["forget", "STORE", "caf\udce9", "--by", "Ada", "--reason", "asked to"],
        ["forget", "STORE", "--fact", "x", "--by", "Ada", "--reason", "caf\udce9"],
        ["expire", "STORE", "--days", "9", "--by", "caf\udce9"],
        ["check", "STORE", "--head", "caf\udce9"],
    ],
)
def test_text_that_the_terminal_cannot_spell_is_refused(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    code, out, err = run(*[str(tmp_path) if argument == "STORE" else argument for argument in arguments])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "is not text in the encoding of this terminal" in err


def test_documents_that_the_store_has_are_not_read_ahead_again(
    run: Run, changed_fact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dateline.bulk import OneProcess

    counted: list[int] = []

    class Counting(OneProcess):
        def map(self, items: Any, **how: Any) -> Any:
            counted.append(len(items))
            return super().map(items, **how)

    monkeypatch.setattr("dateline_cli.facts.mapper", lambda arguments: Counting())
    folder = str(tmp_path / "store")
    for _ in range(2):
        assert run("add", folder, str(changed_fact), "--ray")[0] == 0
    assert counted == [2, 0]
