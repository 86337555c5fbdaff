"""Options of the graphs: whichever way they come in, a wrong one is refused in the same sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel

from dateline import BadInput
from dateline.dynamic.queries.attention import AttentionQuery
from dateline.dynamic.triggers import EveryTokens
from dateline.testing import tiny_causal_model
from dateline_bench.grow_graph import GrowOptions, grow_graph
from dateline_graphs import (
    AnswerOptions,
    GenerateOptions,
    SelfMragOptions,
    UpdateFactsOptions,
    answer_graph,
    generate_graph,
    self_mrag_graph,
    update_facts_graph,
)
from dateline_graphs.generate_options import generator_for
from dateline_graphs.options import GraphOptions

GRAPHS: dict[type[GraphOptions], Callable[[], Any]] = {
    AnswerOptions: answer_graph,
    GenerateOptions: generate_graph,
    SelfMragOptions: self_mrag_graph,
    UpdateFactsOptions: update_facts_graph,
    GrowOptions: grow_graph,
}
MISTAKES = [
    (AnswerOptions, {"k": "five"}, "k must be a whole number from 1 to 100, not 'five'."),
    (AnswerOptions, {"k": 0}, "k must be a whole number from 1 to 100, not 0."),
    (AnswerOptions, {"abstain_below": float("nan")}, "abstain_below must be a number from 0 to 1, not nan."),
    (AnswerOptions, {"search": "altavista"}, "search must be one of folder, serpapi, not 'altavista'."),
    (
        AnswerOptions,
        {"docs": "notes", "search": "serpapi"},
        "An answer is looked up in one place; give docs or search serpapi, not both.",
    ),
    (AnswerOptions, {"abstain": "perhaps"}, "abstain must be true or false, not 'perhaps'."),
    (AnswerOptions, {"dcs": "notes"}, "AnswerOptions has no 'dcs'; did you mean docs?"),
    (AnswerOptions, {"rounds": 2}, "AnswerOptions has no 'rounds'; did you mean max_rounds?"),
    (AnswerOptions, {"alone": True}, "AnswerOptions has no 'alone'; did you mean per_document?"),
    (AnswerOptions, {"top_k": 2}, "AnswerOptions has no 'top_k'; did you mean k?"),
    (AnswerOptions, {"llm": "openai:gpt-4o"}, "AnswerOptions has no 'llm'; did you mean model?"),
    (AnswerOptions, {"interrupt_on": "add"}, "interrupt_on must be a list of add, reinforce, make_false, rewrite, not 'add'."),
    (AnswerOptions, {"model": 7}, "model must be a chat model of LangChain, or its name such as openai:gpt-4o-mini, not a int."),
    (AnswerOptions, {"updater": "chat"}, "The chat updater needs a model; set model, for instance to openai:gpt-4o-mini."),
    (SelfMragOptions, {"tries": 9}, "tries must be a whole number from 1 to 5, not 9."),
    (UpdateFactsOptions, {"agree": 2}, "UpdateFactsOptions has no 'agree'; did you mean min_sources?"),
    (UpdateFactsOptions, {"min_sources": 0}, "min_sources must be a whole number of 1 or more, not 0."),
    (GenerateOptions, {"theta": -1}, "theta must be a number of 0 or more, not -1."),
    (GenerateOptions, {"max_tokens": 3}, "GenerateOptions has no 'max_tokens'; did you mean max_new_tokens?"),
    (GrowOptions, {"clusters": 21}, "clusters must be a whole number from 1 to 20, not 21."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "given", "sentence"), MISTAKES)
def test_a_wrong_option_is_refused_in_the_same_sentence_in_python_and_by_a_graph(
    kind: type[GraphOptions], given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInput) as direct:
        kind(**given)
    with pytest.raises(BadInput) as through:
        GRAPHS[kind]().compile().invoke({"question": "Who?"}, context=given)
    assert [str(direct.value), str(through.value)] == [sentence, sentence]


@pytest.mark.parametrize("kind", GRAPHS)
def test_the_schema_of_the_options_shows_help_defaults_ranges_and_choices(kind: type[GraphOptions]) -> None:
    schema: Any = GRAPHS[kind]().compile().get_context_jsonschema()
    for name, field in kind.model_fields.items():
        shown = schema["properties"][name]
        assert shown["title"]
        assert shown["description"] == field.description
        assert shown["default"] == (list(field.default) if isinstance(field.default, tuple) else field.default)
    assert not schema.get("required")


def test_the_schema_holds_every_wrong_name_so_that_the_server_lets_it_through_to_the_refusal() -> None:
    properties = AnswerOptions.model_json_schema()["properties"]
    assert {"docs", "dcs", "colour"} <= {name for name in ("docs", "dcs", "colour") if name in properties}
    assert not [name for name in ("langgraph_auth_user_id", "thread_id", "__otel_tracestate__") if name in properties]
    assert not {"dcs", "colour"} & set(properties)


def test_a_number_may_be_written_as_text() -> None:
    assert AnswerOptions(k="7", max_seconds="2.5", abstain="true") == AnswerOptions(k=7, max_seconds=2.5, abstain=True)  # type: ignore[arg-type]


def test_options_are_equal_when_their_values_are_and_a_model_equals_itself_only() -> None:
    first, second = (FakeListChatModel(responses=["x"]) for _ in range(2))
    assert AnswerOptions(model=first) == AnswerOptions(model=first)
    assert AnswerOptions(model=first) != AnswerOptions(model=second)
    assert len({AnswerOptions(model=first), AnswerOptions(model=first), AnswerOptions(model=second)}) == 2
    assert AnswerOptions(k=3).replaced(max_rounds=0) == AnswerOptions(k=3, max_rounds=0)


@pytest.mark.parametrize(
    ("given", "length", "tokens"),
    [
        ({}, 128, 25),
        ({"paper": "llama2-13b-chat/hotpotqa"}, 100, 25),
        ({"paper": "llama2-13b-chat/hotpotqa", "n": 35, "max_new_tokens": 128}, 128, 35),
    ],
)
def test_table_9_fills_in_the_length_and_not_the_windows_of_fl_rag(
    given: dict[str, Any], length: int, tokens: int, changed_fact: Path
) -> None:
    model = FakeListChatModel(responses=["x"])
    made = generator_for(GenerateOptions(model=model, docs=str(changed_fact), method="fl-rag", **given))
    assert (made.options.max_new_tokens, made.options.trigger) == (length, EveryTokens(tokens))


@pytest.mark.parametrize(("given", "tokens"), [({}, 35), ({"n": 25}, 25)])
def test_table_9_fills_in_the_tokens_of_a_query_that_are_not_given(
    given: dict[str, Any], tokens: int, changed_fact: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    for part in tiny_causal_model():
        part.save_pretrained(tmp_path / "model")
    options = GenerateOptions(
        model=str(tmp_path / "model"),
        docs=str(changed_fact),
        method="dragin",
        paper="llama2-13b-chat/hotpotqa",
        **given,
    )
    assert generator_for(options).options.query == AttentionQuery(tokens, scope="everything")
