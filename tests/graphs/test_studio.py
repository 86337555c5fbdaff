"""The real LangGraph server over `langgraph.json`, driven with its own client."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dateline.testing import tiny_causal_model
from served import ROOT, serving

sdk = pytest.importorskip("langgraph_sdk")
pytest.importorskip("langgraph_api")

pytestmark = pytest.mark.timeout(300)
"""The server imports torch for the generate graph, and a first run each takes its second."""

CORPUS = ROOT / "examples" / "corpus"
ANNA = {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"}
CARL = {"text": "Carl Dahl is the director of the Northern Observatory.", "published": "2021-09-14"}


def configuration(folder: Path) -> str:
    """Write the parts that clients name, and return the text of their configuration."""
    (folder / "carl").mkdir()
    (folder / "carl" / "2021-09-14.md").write_text(CARL["text"], encoding="utf-8")
    model, tokenizer = tiny_causal_model()
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")
    return f"""
        libraries = {{corpus = {{path = "{CORPUS}"}}, carl = {{path = "carl"}}}}
        models.tiny = "model"
        stores.plain.address = "plain"
        stores.asking = {{address = "asking", policy = {{interrupt_on = ["add"]}}}}
        stores.ending = {{address = "ending", policy = {{interrupt_on = ["make_false"]}}}}
    """


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("configured")
    with serving(folder, configuration(folder), DATELINE_TOKEN="of-this-start") as served:
        yield served.as_("of-this-start")


GRAPHS: dict[str, dict[str, str]] = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]


class Filled(NamedTuple):
    """A form of a graph as a person fills it in, and what must be there afterwards."""

    form: dict[str, Any]
    options: dict[str, Any]
    fields: set[str]
    """Of the input; whatever else the state holds is the graph's own."""
    nodes: set[str]
    last: str
    """The node that ends the run."""
    gives: set[str]


def filled(name: str) -> Filled:
    """One filled-in form for each graph that `langgraph.json` lists; a graph without one fails here."""
    match name:
        case "answer":
            return Filled(
                {"question": "Who is the Prime Minister of the United Kingdom?", "as_of": "2019-01-15"},
                {"library": "corpus", "reader": "rules"},
                {"question", "as_of", "choices", "history", "messages"},
                {"decompose", "search", "evidence", "rerank", "answer", "gate", "update_facts", "finish"},
                "finish",
                {"report", "messages", "steps"},
            )
        case "self_mrag":
            return Filled(
                {"question": "Who is the director of the Northern Observatory?", "evidence": [ANNA, CARL]},
                {},
                {"question", "as_of", "evidence", "choices"},
                {"prepare", "check", "select", "read", "combine"},
                "combine",
                {"relevance", "summaries", "reading", "steps"},
            )
        case "grow":
            article = {"title": "Observatory", "text": ANNA["text"]}
            return Filled(
                {"month": "2024-02", "articles": [article]},
                {},
                {"articles", "before", "month", "questions", "dialogues"},
                {"take_in", "label", "plan", "make", "finish"},
                "finish",
                {"report"},
            )
        case "update_facts":
            return Filled(
                {"documents": [ANNA]},
                {"store": "plain"},
                {"documents", "review"},
                {"take_in", "update", "approve", "finish"},
                "finish",
                {"report", "steps"},
            )
        case "generate":
            return Filled(
                {"question": "Who is the director of the Northern Observatory?", "as_of": "2018"},
                {"library": "carl", "theta": 0.05, "max_new_tokens": 6, "max_retrievals": 1},
                {"question", "as_of"},
                {"prepare", "generate"},
                "generate",
                {"text", "generation", "steps"},
            )
    raise AssertionError(f"Write down how the graph {name} is filled in by hand.")


def undescribed(schema: dict[str, Any]) -> list[str]:
    """Every field, of the form and of the items in its lists, that has no title or says nothing of itself."""
    forms = {"": schema, **{f"{name}.": inner for name, inner in schema.get("$defs", {}).items()}}
    return [
        f"{form}{name}"
        for form, inner in forms.items()
        for name, field in inner.get("properties", {}).items()
        if not field.get("description") or not (field.get("title") or "$ref" in str(field))
    ]


@pytest.mark.parametrize("name", GRAPHS)
async def test_each_graph_is_listed_described_drawn_run_and_readable_at_every_step(server: str, name: str) -> None:
    given = filled(name)
    assert GRAPHS[name]["description"].endswith(".")
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id=name)

    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == given.fields
    assert set(schemas["output_schema"]["properties"]) == given.gives
    assert set(given.options) <= set(schemas["context_schema"]["properties"])
    assert [each for part in ("input", "context", "output") for each in undescribed(schemas[f"{part}_schema"])] == []

    drawn = await client.assistants.get_graph(assistant["assistant_id"])
    assert given.nodes <= {node["id"] for node in drawn["nodes"]}
    assert {edge["source"] for edge in drawn["edges"]} >= {"__start__", given.last}

    thread = await client.threads.create()
    ran: list[str] = []
    told: list[str] = []
    async for part in client.runs.stream(
        thread["thread_id"], name, input=given.form, context=given.options, stream_mode="updates"
    ):
        assert part.event != "error", part.data
        if part.event == "updates":
            ran += part.data
            told += [node for node, update in part.data.items() if update]
    assert ran[-1] == given.last
    # The stream shows life: what each node decided, not "None".
    assert name == "grow" or set(told) >= set(ran) - {"take_in", "prepare", "check", "select"}
    state: Any = await client.threads.get_state(thread["thread_id"])
    assert all(state["values"][field] for field in given.gives - {"messages"})
    assert state["next"] == []
    history: Any = await client.threads.get_history(thread["thread_id"], limit=50)
    # One checkpoint before each step; nodes that run side by side share one.
    assert len(history) >= len(dict.fromkeys(ran)) + 1
    assert {node for each in history for node in each["next"]} >= set(ran)
    assert json.loads(json.dumps([each["values"] for each in history]))


async def test_the_options_of_the_answer_graph_are_there_to_be_filled_in(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="answer")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert {"library", "engine", "model", "store", "k", "max_rounds"} <= set(schemas["context_schema"]["properties"])


async def test_an_edit_by_the_answer_graph_waits_for_a_person_who_rejects_it(server: str) -> None:
    client = sdk.get_client(url=server)
    context = {"library": "carl", "store": "asking", "reader": "rules"}
    asked = {"question": "Who is the director of the Northern Observatory?", "as_of": "2022"}
    thread = await client.threads.create()
    stopped: Any = await client.runs.wait(thread["thread_id"], "answer", input=asked, context=context)
    (interrupt,) = stopped["__interrupt__"]
    assert interrupt["value"]["edits"][0]["fact"] == CARL["text"]
    waiting: Any = await client.threads.get_state(thread["thread_id"])
    assert waiting["next"] == ["approve_facts"]
    done: Any = await client.runs.wait(
        thread["thread_id"], "answer", command={"resume": {"decision": "reject", "reason": "not ours"}}, context=context
    )
    assert done["report"]["answer"] == "Carl Dahl"
    assert all(done["report"]["facts"][kind] == [] for kind in ("added", "made_false"))


async def test_a_run_streams_its_steps_and_ends_in_a_report(server: str) -> None:
    client = sdk.get_client(url=server)
    thread = await client.threads.create()
    steps: list[str] = []
    async for part in client.runs.stream(
        thread["thread_id"],
        "answer",
        input={"question": "Who is the Prime Minister of the United Kingdom?", "as_of": "2019-01-15"},
        context={"library": "corpus"},
        stream_mode=["custom", "updates"],
    ):
        assert part.event != "error", part.data
        if part.event == "custom":
            steps.append(part.data["name"])
    assert steps[0] == "decompose"
    assert "gate" in steps
    state: Any = await client.threads.get_state(thread["thread_id"])
    assert state["values"]["report"]["answer"] == "Theresa May"
    assert state["values"]["schema_version"] == 2


async def test_passages_of_ones_own_are_read_by_the_self_mrag_graph(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="self_mrag")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == {"question", "as_of", "evidence", "choices"}
    assert {"model", "k", "tries", "token_budget"} == set(schemas["context_schema"]["properties"])
    thread = await client.threads.create()
    passages = [
        {"text": "Ana Bell led the choir from 2011 to 2018.", "published": "2019-02-03"},
        {"text": "Tom Reyes has led the choir since 2019.", "published": "2023-02-03"},
    ]
    asked = {"question": "Who led the choir in 2020?", "as_of": "2024-05-01", "evidence": passages}
    result: Any = await client.runs.wait(thread["thread_id"], "self_mrag", input=asked)
    assert result["reading"]["answer"] == "Tom Reyes"
    assert [step["name"] for step in result["steps"]][-1] == "combine"


async def test_the_update_graph_waits_for_a_person_and_goes_on_when_told(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="update_facts")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert set(schemas["input_schema"]["properties"]) == {"documents", "review"}
    assert set(schemas["context_schema"]["properties"]) == {"store", "interrupt_on", "sources", "min_sources"}
    documents = [
        {"text": "Anna Berg is the director of the Northern Observatory.", "published": "2015-03-02"},
        {"text": "Carl Dahl is the director of the Northern Observatory.", "published": "2021-09-14"},
    ]
    context = {"store": "ending"}
    thread = await client.threads.create()
    asked: Any = await client.runs.wait(
        thread["thread_id"], "update_facts", input={"documents": documents}, context=context
    )
    ((interrupt,), *_) = [asked["__interrupt__"]]
    assert interrupt["value"]["edits"][0]["fact"] == documents[0]["text"]
    done: Any = await client.runs.wait(
        thread["thread_id"], "update_facts", command={"resume": "approve"}, context=context
    )
    kinds = [change["kind"] for each in done["report"]["changes"] for change in each["changes"]]
    assert kinds == ["added", "added", "made_false"]


async def test_a_month_of_a_benchmark_is_grown_from_articles_filled_in_by_hand(server: str) -> None:
    client = sdk.get_client(url=server)
    (assistant,) = await client.assistants.search(graph_id="grow")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    given = {"articles", "before", "month", "questions", "dialogues"}
    assert set(schemas["input_schema"]["properties"]) == given
    assert {"model", "seed", "clusters"} <= set(schemas["context_schema"]["properties"])
    thread = await client.threads.create()
    before = [{"title": "Port Elwin", "text": "The mayor of Port Elwin is Greta Holm."}]
    articles = [{"title": "Port Elwin", "text": "The mayor of Port Elwin is Nils Aker."}]
    asked = {"month": "2024-02", "before": before, "articles": articles}
    result: Any = await client.runs.wait(thread["thread_id"], "grow", input=asked)
    (question,) = result["report"]["questions"]
    assert (question["type"], question["answer"], question["previous_answer"]) == ("Changed", "Nils Aker", "Greta Holm")


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ({"library": "corpus", "k": "five"}, "k must be a whole number from 1 to 100, not 'five'."),
        ({"dcs": str(CORPUS)}, "AnswerRequest has no 'dcs'; it takes library, engine"),
        ({"docs": str(CORPUS)}, "AnswerRequest has no 'docs'; did you mean library?"),
        ({"library": str(CORPUS)}, "for you; choose among corpus, carl."),
        ({"model": "openai:gpt-4o-mini"}, "There is no model 'openai:gpt-4o-mini' for you; choose among tiny."),
        ({"library": "corpus", "colour": "red"}, "AnswerRequest has no 'colour'; it takes library, engine"),
    ],
)
async def test_a_wrong_option_is_refused_in_a_sentence_by_the_server_too(
    server: str, context: dict[str, Any], sentence: str
) -> None:
    client = sdk.get_client(url=server)
    with pytest.raises(Exception, match=re.escape(sentence)):
        await client.runs.wait(None, "answer", input={"question": "Who?"}, context=context)


async def test_an_unknown_field_is_refused_in_a_sentence_by_the_server_too(server: str) -> None:
    client = sdk.get_client(url=server)
    with pytest.raises(Exception, match=r"has no 'asof'; did you mean as_of\?"):
        await client.runs.wait(None, "answer", input={"question": "Who?", "asof": "2020"})
